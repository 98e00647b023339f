"""Runs and judgements in JSON, `{topic: {document: number}}`: ranx, pytrec_eval, MTEB."""

import json
import sys
from typing import Any

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.lines import NOTHING_REJECTED, ParsedFile, count_duplicates
from poolhouse.loading.parsers.mteb import topics_of_mteb
from poolhouse.loading.parsers.source import SourceFile

_MARK = b"{"
# What no id may be: empty, or with white space that is no blank.
NO_ID = r"[\t\v\f\r\n\x00]|^\s*$"
# White space that an id does not keep.
_ODD_BLANKS = r"^\s|\s$|\s\s|[^\S ]"
_SCHEMA = {"query": pl.String, "docno": pl.String, "number": pl.Float64}


def is_json(source: SourceFile) -> bool:
    """Return whether a file holds a JSON object."""
    return source.data.lstrip().startswith(_MARK)


def json_of(source: SourceFile) -> Any:  # noqa: ANN401 - of a file
    """Return the content of a file of JSON. Raise BadFileError where it is none."""
    try:
        return json.loads(source.data)
    except (ValueError, RecursionError) as error:
        raise BadFileError(source.path, f"is not whole JSON: {error}") from error


def as_id(text: str) -> str:
    """Return a text as an id, as lists and JSON may have it: without white space but single blanks.

    A query may be the id of a topic, and tools do not agree on the white space around it.
    """
    return " ".join(text.split())


def parse_json(source: SourceFile) -> ParsedFile:
    """Parse a JSON object of topics; `rows` has line_number, query, docno and number.

    The line number counts the documents, in the order of the file. Raise BadFileError where the
    file is not such an object, and where a number is not finite, or an id is empty.
    """
    try:
        topics = topics_of_mteb(source, json_of(source))
        rows = [
            (topic, document, number)
            for topic, documents in topics.items()
            for document, number in _documents(source, topic, documents).items()
        ]
        frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    except ValueError as error:  # half of a surrogate pair
        raise BadFileError(source.path, f"is not whole JSON: {error}") from error
    ids = pl.concat((frame["query"], frame["docno"]))
    for odd in ids.filter(ids.str.contains(NO_ID)).head(1):
        problem = f"the id {source.quoted(odd)} is empty, or holds a tab or line break"
        raise BadFileError(source.path, problem)
    is_odd = pl.any_horizontal(pl.col("query", "docno").str.contains(_ODD_BLANKS))
    if frame.select(is_odd.any()).item():
        frame = frame.with_columns(pl.col("query", "docno").map_elements(as_id, pl.String))
    numbered = frame.with_row_index("line_number", 1).cast({"line_number": pl.Int32})
    n_duplicates = count_duplicates(numbered)
    return ParsedFile(numbered, NOTHING_REJECTED, len(rows), 0, n_duplicates, source.is_quotable)


def _documents(source: SourceFile, topic: str, documents: Any) -> dict[str, float]:  # noqa: ANN401 - of a file
    if not isinstance(documents, dict):
        problem = f"topic {source.quoted(topic)} has no object of documents and numbers"
        raise BadFileError(source.path, f"{problem} (expected: {{topic: {{document: number}}}})")
    for document, number in documents.items():
        if type(number) not in (int, float) or not abs(number) <= sys.float_info.max:
            place = f"topic {source.quoted(topic)}, document {source.quoted(document)}"
            raise BadFileError(source.path, f"the value of {place} is not a finite number")
    return documents
