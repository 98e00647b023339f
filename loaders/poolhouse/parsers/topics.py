"""Topics: `topic_id<TAB>title`, one topic a line."""

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.parsers.lines import SourceFile, decode


def parse_topics(source: SourceFile) -> pl.DataFrame:
    """Parse topic titles into a frame of `query` and `title`, one row a topic.

    Errors: BadFileError, with the line, where a line has no tab or a topic is named twice.
    """
    titles: dict[str, str] = {}
    for number, line in enumerate(decode(source.data).split("\n"), start=1):
        if not line.strip():
            continue
        topic, tab, title = line.partition("\t")
        if not tab or not topic.strip():
            raise BadFileError(source.path, "expected topic id, tab, title", number)
        if topic.strip() in titles:
            raise BadFileError(source.path, f"topic {topic.strip()!r} is named twice", number)
        titles[topic.strip()] = title.strip()
    return pl.DataFrame(
        {"query": list(titles), "title": list(titles.values())},
        schema={"query": pl.String, "title": pl.String},
    )
