"""Judgement lists of search teams: Quepid's CSV, and the JSON of OpenSearch's search relevance.

The topic of a judgement is the text of its query.
"""

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.json_lists import as_id, is_json, json_of
from poolhouse.loading.parsers.lines import (
    NOTHING_REJECTED,
    ParsedFile,
    RejectReason,
    count_duplicates,
    rejected_lines,
)
from poolhouse.loading.parsers.source import SourceFile

_HEADER = re.compile(rb'"?query"?[ \t]*,[ \t]*"?docid"?[ \t]*,[ \t]*"?rating"?[ \t]*[\r\n]', re.I)
# Names of the lists in releases of OpenSearch, and of the grade in a list.
_LISTS = ("judgmentRatings", "judgmentScores")
_GRADES = ("rating", "score")
_EXPECTED = f'"{_LISTS[0]}": [{{"query": ..., "ratings": [{{"docId": ..., "rating": ...}}]}}]'
# Such text takes much more memory than lines. Its limit is one in so many of that of a file.
_PART_OF_LIMIT = 16
_GRADE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")
QRELS = {"query": pl.String, "iteration": pl.String, "docno": pl.String, "grade": pl.Int32}


def is_judgement_list(source: SourceFile) -> bool:
    """Return whether a file is a judgement list: by the header in CSV, by a name in JSON."""
    if is_json(source):
        return any(f'"{name}"'.encode() in source.data for name in _LISTS)
    return _HEADER.match(source.data) is not None


def parse_judgement_list(source: SourceFile) -> ParsedFile:
    """Parse a list as `parse_qrels` parses lines: its rows, and what is set aside.

    In JSON, the number of a judgement stands for its line. A document without a rating counts as
    blank. Raise BadFileError for text of another form, and for more text than the limit of a list.
    """
    if len(source.data) > source.limit // _PART_OF_LIMIT:
        most = f"{source.limit / _PART_OF_LIMIT / 1024**2:g} MB"
        problem = f"holds more than {most}, the limit for a judgement list; raise --max-file-size"
        raise BadFileError(source.path, problem)
    good, bad, n_lines = [], [], 1
    for n_lines, fields in _of_json(source) if is_json(source) else _of_csv(source):
        query, docno, rating = map(as_id, fields)
        grade = _GRADE.fullmatch(rating)
        if not rating:
            continue
        if not (query and docno):
            reason = RejectReason.TOO_FEW_FIELDS
        elif "\0" in query + docno:
            reason = RejectReason.NUL_BYTE
        elif not grade:
            reason = RejectReason.GRADE_NOT_AN_INTEGER
        else:
            good.append((n_lines, query, "0", docno, int(grade[1])))
            continue
        bad.append((n_lines, reason.value, f"{query} {docno} {rating}"))
    try:
        rows = pl.DataFrame(good, schema={"line_number": pl.Int32, **QRELS}, orient="row")
        rejected = pl.DataFrame(bad, schema=NOTHING_REJECTED.schema, orient="row")
    except UnicodeEncodeError as error:
        raise BadFileError(source.path, "holds half of a surrogate pair") from error
    n_blank = n_lines - rows.height - rejected.height
    return ParsedFile(
        *(rows, rejected_lines(rejected), n_lines, n_blank),
        *(count_duplicates(rows), source.is_quotable),
    )


def _of_csv(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    header = _HEADER.match(source.data)
    names = [each.strip(' \t\r\n"') for each in header[0].decode().split(",")] if header else []
    for line, row in records(source, names, "expected the header query,docid,rating"):
        yield line, [row.get(name, "") for name in names]


def _of_json(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    number = 0
    for query, ratings in _lists_of(source, json_of(source)):
        for each in _listed(source, ratings):
            number += 1
            grade = next((each[name] for name in _GRADES if name in each), None)
            yield number, [_text(source, value) for value in (query, each.get("docId"), grade)]


def _lists_of(source: SourceFile, content: object) -> Iterator[tuple[object, object]]:
    """Yield each query with its ratings, also of an answer to a search for lists."""
    if isinstance(content, dict) and isinstance(hits := content.get("hits"), dict):
        for hit in _listed(source, hits.get("hits")):
            yield from _lists_of(source, hit.get("_source"))
        return
    if not isinstance(content, dict):
        raise BadFileError(source.path, f"not a judgement list (expected: {_EXPECTED})")
    lists = next((content[name] for name in _LISTS if name in content), None)
    if isinstance(lists, dict):
        yield from lists.items()
        return
    for each in _listed(source, lists):
        yield each.get("query"), each.get("ratings")


def _listed(source: SourceFile, value: object) -> list[dict[str, Any]]:
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    raise BadFileError(source.path, f"not a judgement list (expected: {_EXPECTED})")


def _text(source: SourceFile, value: object) -> str:
    """Return a name or a number as text. Ids may be numbers in JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    raise BadFileError(source.path, f"{source.quoted(value)} is neither a text nor a number")
