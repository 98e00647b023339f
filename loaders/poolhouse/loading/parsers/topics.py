"""Topics: `topic_id<TAB>title`, one topic a line."""

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.lines import NOTHING_REJECTED, ParsedFile
from poolhouse.loading.parsers.source import SourceFile

# The words of a header, in any case.
_IDS = {"id", "qid", "query", "query-id", "query_id", "topic", "topic-id", "topic_id"}
_TITLES = {"query", "text", "title"}


def parse_topics(source: SourceFile) -> ParsedFile:
    """Parse topic titles; `rows` has query and title, one row a topic.

    A header, such as `query_id<TAB>text`, is no topic. No line is set aside, because the file is
    small and was written by hand. Raise BadFileError, with the line, where a line has no tab, holds
    another line break, or repeats a topic, and where the file has no line.
    """
    # Not by str.splitlines, which also splits at other characters.
    lines = source.data.decode().removesuffix("\n").split("\n") if source.data else []
    titled: dict[str, str] = {}
    n_blank = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            n_blank += 1
            continue
        if "\0" in line or "\r" in line.strip("\r"):
            problem = "holds a NUL byte, or a carriage return that does not end a line"
            raise BadFileError(source.path, problem, number)
        topic, tab, title = line.partition("\t")
        if number == 1 and topic.strip().lower() in _IDS and title.strip().lower() in _TITLES:
            n_blank += 1  # as a comment counts
            continue
        if not tab or not topic.strip():
            raise BadFileError(source.path, "expected topic id, tab, title", number)
        if topic.strip() in titled:
            problem = f"topic {source.quoted(topic.strip())} is named twice"
            raise BadFileError(source.path, problem, number)
        titled[topic.strip()] = title.strip()
    if not titled:
        raise BadFileError(source.path, "gives no topic a title (expected: topic id, tab, title)")
    rows = pl.DataFrame(
        list(titled.items()), schema={"query": pl.String, "title": pl.String}, orient="row"
    )
    return ParsedFile(rows, NOTHING_REJECTED, n_lines=len(lines), n_blank=n_blank, n_duplicates=0)
