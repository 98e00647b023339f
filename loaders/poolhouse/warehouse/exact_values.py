"""Exact values of the engine that Python's own types cannot hold.

Python has no infinite dates, no dates before the year 1, no nanoseconds and no months, and the
binding returns the nearest value. So the engine writes such values as text, and values that Python
can hold are read from the text. The binding returns JSON as plain text, without its type.
"""

from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

import duckdb

from poolhouse.output.cells import JsonText
from poolhouse.warehouse.sql_text import quoted_name

_DATES: dict[str, Callable[[str], object]] = {
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "timestamp_s": datetime.fromisoformat,
    "timestamp_ms": datetime.fromisoformat,
    "timestamp with time zone": datetime.fromisoformat,
}
_TEXTS = {"interval", "timestamp_ns", "time_ns", "time with time zone"}
_LISTS = {"list", "array"}


def exact_rows(relation: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
    """Fetch the rows of a query. A value that Python cannot hold is the engine's text."""
    readers = {
        position: _reader(kind) for position, kind in enumerate(relation.types) if _is_lossy(kind)
    }
    if not readers:
        return relation.fetchall()
    columns = [
        f"cast(#{position + 1} as {_as_text(kind)})" if position in readers else f"#{position + 1}"
        for position, kind in enumerate(relation.types)
    ]
    # Columns may share a name, and a derived relation would have each name once.
    names = [f"c{position}" for position in range(len(columns))]
    project = ", ".join(f"{column} as {name}" for column, name in zip(columns, names, strict=True))
    return [
        tuple(
            readers[position](value) if position in readers else value
            for position, value in enumerate(row)
        )
        for row in relation.project(project).fetchall()
    ]


def _is_lossy(kind: Any) -> bool:  # noqa: ANN401 - a type of the engine, which declares none
    if kind.id in _DATES or kind.id in _TEXTS or _is_json(kind):
        return True
    return _is_nested(kind) and any(_is_lossy(child) for _, child in kind.children)


def _is_json(kind: Any) -> bool:  # noqa: ANN401 - see above
    return str(kind) == "JSON"


def _is_nested(kind: Any) -> bool:  # noqa: ANN401 - see above
    return kind.id in {*_LISTS, "struct", "map"}


def _as_text(kind: Any) -> str:  # noqa: ANN401 - see above
    """Return the type with text instead of types that Python cannot hold."""
    if not _is_lossy(kind):
        return str(kind)
    if not _is_nested(kind):
        return "varchar"
    children = kind.children
    if kind.id in _LISTS:
        length = "" if kind.id == "list" else str(children[1][1])
        return f"{_as_text(children[0][1])}[{length}]"
    inner = [
        f"{quoted_name(name)} {_as_text(child)}" if kind.id == "struct" else _as_text(child)
        for name, child in children
    ]
    return f"{kind.id}({', '.join(inner)})"


def _reader(kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - see above
    """Make the function that reads a value of this type from the engine's text."""
    if not _is_lossy(kind) or kind.id in _TEXTS:
        return lambda value: value
    if _is_json(kind):
        return lambda text: text and JsonText(text)
    if not _is_nested(kind):
        return lambda text: text and _date_or_text(_DATES[kind.id], text)
    readers = [_reader(child) for name, child in kind.children if name != "size"]
    if kind.id in _LISTS:
        return lambda values: values and [readers[0](value) for value in values]
    if kind.id == "map":
        return lambda values: (
            values and {readers[0](key): readers[1](value) for key, value in values.items()}
        )
    return lambda values: (
        values
        and {name: read(value) for (name, value), read in zip(values.items(), readers, strict=True)}
    )


def _date_or_text(read: Callable[[str], object], text: str) -> object:
    try:
        return read(text)
    except ValueError:  # infinite, before the year 1, after 9999
        return text
