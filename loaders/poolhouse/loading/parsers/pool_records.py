"""The record of a pool: JSON Lines, a list a line, as `export --format trec` writes it."""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from poolhouse.errors import BadFileError, did_you_mean
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.run_files import is_name
from poolhouse.option_values import LARGEST_DECLARED

_LARGEST_BUDGET = 2**63 - 1
_LONGEST_SHOWN = 60
# Without white space, as the fields of a line, and without halves of characters.
_WORD = re.compile(r"[^ \t\v\f\r\n\0\ud800-\udfff]+")


class Field(NamedTuple):
    """A field of the file: its column in raw, the column's type, and what the field holds.

    `read` returns the value of the column. It raises ValueError where the field holds another.
    """

    column: str
    type: pl.DataType | type[pl.DataType]
    expected: str
    read: Callable[[Any], object]


def _only(is_good: Callable[[Any], object]) -> Callable[[Any], object]:
    def read(value: Any) -> object:  # noqa: ANN401 - what JSON holds
        if not is_good(value):
            raise ValueError
        return value

    return read


def _whole(column: str, least: int = 1, most: int = LARGEST_DECLARED) -> Field:
    kind = pl.Int32 if most <= LARGEST_DECLARED else pl.Int64
    is_good = _only(lambda value: type(value) is int and least <= value <= most)
    return Field(column, kind, f"a whole number from {least} to {most}", is_good)


def _flag(column: str) -> Field:
    return Field(column, pl.Boolean, "true or false", _only(lambda value: type(value) is bool))


def _word(column: str) -> Field:
    is_good = _only(lambda value: isinstance(value, str) and _WORD.fullmatch(value))
    return Field(column, pl.String, "one word", is_good)


def _number(column: str) -> Field:
    is_good = _only(lambda value: type(value) in (int, float) and 0 <= value <= LARGEST_DECLARED)
    return Field(column, pl.Float64, f"a number from 0 to {LARGEST_DECLARED}", is_good)


def _time(text: Any) -> datetime:  # noqa: ANN401 - what JSON holds
    time = datetime.fromisoformat(text) if isinstance(text, str) else None
    # Python also reads times of other forms and zones.
    if time is None or time.isoformat() != text or time.tzinfo:
        raise ValueError
    return time


def _is_of_names(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return bool(value) and all(map(is_name, value)) and len(set(value)) == len(value)


LIST_FIELDS = {
    "list": _whole("list_number"),
    "strategy": Field(
        "strategy",
        pl.String,
        "a name",
        _only(lambda value: isinstance(value, str) and is_name(value)),
    ),
    "budget": _whole("budget", most=_LARGEST_BUDGET),
    "per_topic": _flag("is_per_topic"),
    "seed": _whole("seed", least=0),
    "made_at": Field(
        "made_at", pl.Datetime("us"), "a time in UTC such as 2026-11-30T03:39:00", _time
    ),
    "runs": Field("run_ids", pl.List(pl.String), "names of runs, each once", _only(_is_of_names)),
}
_OF_SAMPLE = {
    "sampled": _flag("is_sampled"),
    "stratum": _whole("stratum"),
    "stratum_documents": _whole("n_documents"),
    "inclusion_probability": _number("inclusion_probability"),
    "joint_probability": _number("joint_probability"),
    "between_factor": _number("between_factor"),
}
DOCUMENT_FIELDS = {
    "topic": _word("query"),
    "document": _word("docno"),
    "listed": _flag("is_listed"),
    "place": _whole("place"),
    **_OF_SAMPLE,
}
_DOCUMENTS = "documents"


@dataclass(frozen=True)
class PoolRecord:
    """The rows of raw.pool_lists and of raw.pool_documents."""

    lists: pl.DataFrame
    documents: pl.DataFrame


def parse_pool(source: SourceFile) -> PoolRecord:
    """Parse the record of a pool. The field `documents` of a list has an object a document.

    A document of a sample has all fields of a sample; another one has none. Any may lack a place.
    Raise BadFileError, with the line, where a line is no such list, a list or a document of a list
    is repeated, and where the file has no list.
    """
    lines: dict[object, int] = {}
    lists, documents = [], []
    for line, given in _objects(source):
        of_list = given.pop(_DOCUMENTS, None)
        row = _row(source, line, given, LIST_FIELDS)
        number = row["list_number"]
        if number in lines:
            raise BadFileError(source.path, f"list {number} is also in line {lines[number]}", line)
        if not isinstance(of_list, list) or not of_list:
            raise BadFileError(source.path, f"{_DOCUMENTS}: expected an object a document", line)
        lines[number] = line
        lists.append(row)
        seen = set()
        for document in of_list:
            found = _document(source, line, document)
            pair = (found["query"], found["docno"])
            if pair in seen:
                problem = f"topic and document {source.quoted(' '.join(pair))} are there twice"
                raise BadFileError(source.path, problem, line)
            seen.add(pair)
            documents.append({"list_number": number, **found})
    if not lists:
        # To accept it as a record of no list would remove the lists of earlier loads.
        raise BadFileError(source.path, "has no list (expected: a JSON object a line)")
    return PoolRecord(
        pl.DataFrame(lists, schema=_schema(LIST_FIELDS)),
        pl.DataFrame(documents, schema={"list_number": pl.Int32, **_schema(DOCUMENT_FIELDS)}),
    )


def _schema(fields: Mapping[str, Field]) -> dict[str, pl.DataType | type[pl.DataType]]:
    return {field.column: field.type for field in fields.values()}


def _objects(source: SourceFile) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(io.BytesIO(source.data), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line, object_pairs_hook=_with_keys_once, parse_constant=float)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else error
            raise BadFileError(source.path, f"not a line of JSON: {reason}", number) from error
        if not isinstance(found, dict):
            raise BadFileError(source.path, "not a JSON object (expected: a list a line)", number)
        yield number, found


def _with_keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has a key twice")
    return found


def _document(source: SourceFile, line: int, given: object) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise BadFileError(source.path, "a document is no JSON object", line)
    left_out = {"place"} | (set() if _OF_SAMPLE.keys() & given.keys() else _OF_SAMPLE.keys())
    return _row(source, line, given, DOCUMENT_FIELDS, left_out - given.keys())


def _row(
    source: SourceFile,
    line: int,
    given: Mapping[str, Any],
    fields: Mapping[str, Field],
    left_out: set[str] | frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Return the values of an object, by column. Fields in `left_out` are null."""
    for key in given:
        if key not in fields:
            problem = f"unknown key {source.quoted(key[:_LONGEST_SHOWN])}"
            hint = did_you_mean(key, fields) if source.is_quotable else ""
            raise BadFileError(source.path, f"{problem}{hint}", line)
    row: dict[str, Any] = {}
    for key, field in fields.items():
        if key not in left_out and key not in given:
            raise BadFileError(source.path, f"{key} is missing: expected {field.expected}", line)
        try:
            row[field.column] = None if key in left_out else field.read(given[key])
        except ValueError as error:
            value = given[key]
            is_short = isinstance(value, str | int | float)
            shown = f" is {source.quoted(str(value)[:_LONGEST_SHOWN])}," if is_short else ":"
            problem = f"{key}{shown} expected {field.expected}"
            raise BadFileError(source.path, problem, line) from error
    return row


def pool_text(lists: pl.DataFrame, documents: pl.DataFrame) -> str:
    """Write rows of raw.pool_lists and raw.pool_documents as `parse_pool` reads them."""
    by_list = documents.partition_by("list_number", as_dict=True, maintain_order=True)
    lines = []
    for row in lists.iter_rows(named=True):
        of_list = by_list[row["list_number"],].iter_rows(named=True)
        given = {
            **_object(row, LIST_FIELDS),
            _DOCUMENTS: [_object(document, DOCUMENT_FIELDS) for document in of_list],
        }
        lines.append(json.dumps(given, ensure_ascii=False) + "\n")
    return "".join(lines)


def _object(row: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, object]:
    values = {key: row[field.column] for key, field in fields.items()}
    return {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in values.items()
        if value is not None
    }
