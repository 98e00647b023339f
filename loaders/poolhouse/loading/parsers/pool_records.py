"""The record of a pool: JSON Lines, a list a line, as `export --format trec` writes it."""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
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
_DOCUMENTS = "documents"


class Field(NamedTuple):
    """A field of the file: its column in raw, the column's type, and which values it may have."""

    column: str
    type: pl.DataType | type[pl.DataType]
    expected: str
    is_good: Callable[[Any], object]


def _whole(column: str, least: int = 1, most: int = LARGEST_DECLARED) -> Field:
    kind = pl.Int32 if most <= LARGEST_DECLARED else pl.Int64
    expected = f"a whole number from {least} to {most}"
    return Field(column, kind, expected, lambda it: type(it) is int and least <= it <= most)


def _number(column: str) -> Field:
    expected = f"a number from 0 to {LARGEST_DECLARED}"
    return Field(
        *(column, pl.Float64, expected),
        lambda it: type(it) in (int, float) and 0 <= it <= LARGEST_DECLARED,
    )


def _flag(column: str) -> Field:
    return Field(column, pl.Boolean, "true or false", lambda it: type(it) is bool)


def _word(column: str) -> Field:
    return Field(column, pl.String, "one word", lambda it: type(it) is str and _WORD.fullmatch(it))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and is_name(value)


def _are_names(value: object) -> bool:
    if not isinstance(value, list) or not value or not all(map(_is_name, value)):
        return False
    return len(set(value)) == len(value)


def _is_time(value: object) -> bool:
    with suppress(ValueError):
        time = datetime.fromisoformat(value) if isinstance(value, str) else None
        # Python also reads times of other forms and zones.
        return time is not None and time.isoformat() == value and time.tzinfo is None
    return False


LIST_FIELDS = {
    "list": _whole("list_number"),
    "strategy": Field("strategy", pl.String, "a name", _is_name),
    "budget": _whole("budget", most=_LARGEST_BUDGET),
    "per_topic": _flag("is_per_topic"),
    "seed": _whole("seed", least=0),
    "made_at": Field("made_at", pl.String, "a time in UTC such as 2026-11-30T03:39:00", _is_time),
    "runs": Field("run_ids", pl.List(pl.String), "names of runs, each once", _are_names),
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
    lists: dict[int, dict[str, Any]] = {}
    documents: dict[tuple[int, str, str], dict[str, Any]] = {}
    for line, given in _objects(source):
        of_list = given.pop(_DOCUMENTS, None)
        row = _row(source, line, given, LIST_FIELDS)
        number = row["list_number"]
        if number in lists:
            raise BadFileError(source.path, f"list {number} is there twice", line)
        lists[number] = row
        if not isinstance(of_list, list) or not of_list:
            raise BadFileError(source.path, f"{_DOCUMENTS}: expected an object a document", line)
        for document in of_list:
            found = _row(source, line, document, DOCUMENT_FIELDS)
            key = (number, found["query"], found["docno"])
            if key in documents:
                shown = source.quoted(f"{key[1]} {key[2]}"[:_LONGEST_SHOWN])
                problem = f"topic and document {shown} are there twice"
                raise BadFileError(source.path, problem, line)
            documents[key] = {"list_number": number, **found}
    if not lists:
        # To accept it as a record of no list would remove the lists of earlier loads.
        raise BadFileError(source.path, "has no list (expected: a JSON object a line)")
    schemas = (
        {field.column: field.type for field in fields.values()}
        for fields in (LIST_FIELDS, {"list": LIST_FIELDS["list"], **DOCUMENT_FIELDS})
    )
    of_lists, of_documents = map(
        pl.DataFrame, (list(lists.values()), list(documents.values())), schemas
    )
    times = pl.Series("made_at", list(map(datetime.fromisoformat, of_lists["made_at"])))
    return PoolRecord(of_lists.with_columns(times), of_documents)


def _objects(source: SourceFile) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(io.BytesIO(source.data), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line, object_pairs_hook=_with_keys_once)
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


def _row(
    source: SourceFile, line: int, given: object, fields: Mapping[str, Field]
) -> dict[str, Any]:
    """Return the values of an object, by column; null for fields that it may lack."""
    if not isinstance(given, dict):
        raise BadFileError(source.path, "a document is no JSON object", line)
    if unknown := next((key for key in given if key not in fields), None):
        hint = did_you_mean(unknown, fields) if source.is_quotable else ""
        problem = f"unknown key {source.quoted(unknown[:_LONGEST_SHOWN])}{hint}"
        raise BadFileError(source.path, problem, line)
    may_lack = {"place"} | (set() if _OF_SAMPLE.keys() & given.keys() else _OF_SAMPLE.keys())
    for key, field in fields.items():
        if key not in given and key not in may_lack:
            raise BadFileError(source.path, f"{key} is missing: expected {field.expected}", line)
        if key in given and not field.is_good(given[key]):
            value = given[key]
            is_short = isinstance(value, str | int | float)
            shown = f" is {source.quoted(str(value)[:_LONGEST_SHOWN])}," if is_short else ":"
            raise BadFileError(source.path, f"{key}{shown} expected {field.expected}", line)
    return {field.column: given.get(key) for key, field in fields.items()}


def pool_text(record: PoolRecord) -> str:
    """Write the record of a pool as `parse_pool` reads it."""
    of_lists = record.documents.partition_by("list_number", as_dict=True, maintain_order=True)
    lines = []
    for row in record.lists.iter_rows(named=True):
        documents = of_lists[row["list_number"],].iter_rows(named=True)
        given = _object(row, LIST_FIELDS) | {
            _DOCUMENTS: [_object(each, DOCUMENT_FIELDS) for each in documents]
        }
        lines.append(json.dumps(given, ensure_ascii=False, default=datetime.isoformat) + "\n")
    return "".join(lines)


def _object(row: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, object]:
    values = {key: row[field.column] for key, field in fields.items()}
    return {key: value for key, value in values.items() if value is not None}
