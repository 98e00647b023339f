"""Exact values of the engine that Python's own types cannot hold.

Python has no infinite dates, no dates before the year 1, no nanoseconds and no months, and the
binding returns the nearest value. So the engine writes such values as text, and values that Python
can hold are read from the text. Lists, structs and maps of such values come as JSON. The binding
returns JSON as plain text, without its type.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import duckdb

from poolhouse.output.cells import JsonText
from poolhouse.warehouse.interrupting import fetched

_FROM_TEXT: dict[str, Callable[[str], object]] = {
    "JSON": JsonText,
    "DATE": date.fromisoformat,
    "TIME": time.fromisoformat,
    "TIMESTAMP": datetime.fromisoformat,
    "TIMESTAMP_S": datetime.fromisoformat,
    "TIMESTAMP_MS": datetime.fromisoformat,
    "TIMESTAMP WITH TIME ZONE": datetime.fromisoformat,
    "INTERVAL": str,
    "TIMESTAMP_NS": str,
    "TIME_NS": str,
    "TIME WITH TIME ZONE": str,
}
# A type that is none of these and names one is a list, struct, map or union of them.
_OF_SUCH_VALUES = re.compile(r"\b(JSON|DATE|TIME|INTERVAL)")


def exact_rows(relation: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
    """Fetch the rows of a query. A value that Python cannot hold is the engine's text."""
    types = list(map(str, relation.types))
    readers = {
        place: _FROM_TEXT.get(type_, _from_json)
        for place, type_ in enumerate(types)
        if type_ in _FROM_TEXT or _OF_SUCH_VALUES.search(type_)
    }
    if not readers:
        return fetched(relation)
    # Columns may share a name, and a derived relation would have each name once.
    columns = (
        f"{_written(readers.get(place), place + 1)} as c{place}" for place in range(len(types))
    )
    return [
        tuple(
            _read(readers[place], value) if place in readers and value is not None else value
            for place, value in enumerate(row)
        )
        for row in fetched(relation.project(", ".join(columns)))
    ]


def _written(reader: Callable[[str], object] | None, number: int) -> str:
    if reader is None:
        return f"#{number}"
    return f"to_json(#{number})" if reader is _from_json else f"cast(#{number} as varchar)"


def _from_json(text: str) -> Any:  # noqa: ANN401 - whatever JSON has
    return json.loads(text, parse_float=Decimal)


def _read(reader: Callable[[str], object], text: str) -> object:
    try:
        return reader(text)
    except ValueError:  # infinite, before the year 1, after 9999
        return text
