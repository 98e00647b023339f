"""Topics: `topic_id<TAB>title` a line, TREC's `<top>` in SGML or XML, and BEIR's JSON Lines."""

import json
import re
from collections.abc import Iterator
from html import escape, unescape

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.lines import NOTHING_REJECTED, ParsedFile
from poolhouse.loading.parsers.source import SourceFile

# The words of a header, in any case.
_IDS = {"id", "qid", "query", "query-id", "query_id", "topic", "topic-id", "topic_id"}
_TITLES = {"query", "text", "title"}

# TREC's topics are SGML whose fields often have no end, and later ones XML. Both mark a topic, and
# have its id in a field or in an attribute. No pattern reads beyond the next mark: a hostile file
# takes no more time than any other.
_TOPIC = re.compile(r"<(?:top|topic)\b([^<>]*)>", re.IGNORECASE)
_ID_WITHIN = re.compile(r"<(?:num|number|id|identifier)>([^<]*)", re.IGNORECASE)
_ID_BESIDE = re.compile(r"""\b(?:number|num|id|qid)=["']([^"'<>]*)["']""", re.IGNORECASE)
_TITLE = re.compile(r"<(?:title|query)>([^<]*)", re.IGNORECASE)
# The words with which the fields of the first topics begin.
_LABEL = re.compile(r"(?:number|topic):", re.IGNORECASE)

_EXPECTED_OBJECT = 'expected an object with "_id" and "text"'

# A line number, where the form has lines; a topic and its title, null for a line without a topic.
_Found = Iterator[tuple[int | None, tuple[str, str] | None]]


def parse_topics(source: SourceFile) -> ParsedFile:
    """Parse topic titles; `rows` has query and title, one row a topic.

    A header, such as `query_id<TAB>text`, is no topic. No line is set aside, because the file is
    small and was written by hand. Raise BadFileError, with the line, where a line has no tab, holds
    another line break, or repeats a topic, where an element or object has no id or no title, and
    where the file has no topic.
    """
    text = source.data.decode()
    read = {"<": _from_elements, "{": _from_objects}.get(text.lstrip()[:1], _from_lines)
    titled: dict[str, str] = {}
    n_blank = 0
    for number, found in read(source, text):
        if found is None:
            n_blank += 1
            continue
        topic, title = found
        if topic in titled:
            problem = f"topic {source.quoted(topic)} is named twice"
            raise BadFileError(source.path, problem, number)
        titled[topic] = title
    if not titled:
        expected = "expected: topic id, tab, title; <top> or <topic>; or JSON Lines"
        raise BadFileError(source.path, f"gives no topic a title ({expected})")
    rows = pl.DataFrame(
        list(titled.items()), schema={"query": pl.String, "title": pl.String}, orient="row"
    )
    return ParsedFile(
        rows, NOTHING_REJECTED, n_lines=len(titled) + n_blank, n_blank=n_blank, n_duplicates=0
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not by str.splitlines, which also splits at other characters.
    yield from enumerate(text.removesuffix("\n").split("\n") if text else [], start=1)


def _from_lines(source: SourceFile, text: str) -> _Found:
    for number, line in _lines(text):
        if not line.strip():
            yield number, None
            continue
        if "\0" in line or "\r" in line.strip("\r"):
            problem = "holds a NUL byte, or a carriage return that does not end a line"
            raise BadFileError(source.path, problem, number)
        topic, tab, title = line.partition("\t")
        topic, title = topic.strip(), title.strip()
        if number == 1 and topic.lower() in _IDS and title.lower() in _TITLES:
            yield number, None  # as a comment counts
            continue
        if not tab or not topic:
            raise BadFileError(source.path, "expected topic id, tab, title", number)
        yield number, (topic, title)


def _from_objects(source: SourceFile, text: str) -> _Found:
    """Read the lines of BEIR's `queries.jsonl`: `{"_id": id, "text": title}`."""
    for number, line in _lines(text):
        if not line.strip():
            yield number, None
            continue
        try:
            found = json.loads(line)
            topic, title = str(found["_id"]).strip(), found["text"]
            f"{topic}{title}".encode()
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise BadFileError(source.path, _EXPECTED_OBJECT, number) from error
        if not topic or not isinstance(title, str):
            raise BadFileError(source.path, _EXPECTED_OBJECT, number)
        yield number, (topic, " ".join(title.split()))


def _from_elements(source: SourceFile, text: str) -> _Found:
    _, *pieces = _TOPIC.split(_without_marks(text))
    for place, (attributes, content) in enumerate(zip(*[iter(pieces)] * 2, strict=True), start=1):
        topic = _ID_WITHIN.search(content) or _ID_BESIDE.search(attributes)
        title = _TITLE.search(content)
        topic_id = _field(topic)
        if not topic_id or not title:
            what = "title (<title> or <query>)" if topic_id else "id (<num>, or number=)"
            raise BadFileError(source.path, f"topic {place} of the file has no {what}")
        yield None, (topic_id, _field(title))


def _without_marks(text: str) -> str:
    """Return a text without comments, and with its character data as other text.

    A mark without an end is other text.
    """
    for opening, closing, shown in (("<!--", "-->", lambda _: ""), ("<![CDATA[", "]]>", escape)):
        first, *parts = text.split(opening)
        ended = (part.partition(closing) for part in parts)
        text = first + "".join(
            f"{shown(inside)}{rest}" if end else f"{opening}{inside}" for inside, end, rest in ended
        )
    return text


def _field(found: re.Match[str] | None) -> str:
    text = found[1].strip() if found else ""
    return " ".join(unescape(_LABEL.sub("", text, count=1) if _LABEL.match(text) else text).split())
