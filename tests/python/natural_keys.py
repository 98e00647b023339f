"""Read the tables of a built warehouse in a form that can be compared with another warehouse."""

from collections.abc import Collection, Sequence
from typing import Any

import duckdb

from poolhouse.warehouse.file import Warehouse
from rounding import rounded

# Keys are assigned in order of arrival: another build of the same files assigns other keys. Names
# take their place here, and not in SQL, where a subquery for each column takes longer.
_NAMES = {
    "run_key": "select run_key, run_id from intermediate.int_runs",
    "organization_key": "select run_key, organization from intermediate.int_runs",
    "collection_key": "select collection_key, collection_id from intermediate.int_collections",
    "topic_key": "select (collection_key, topic_key), topic_id from intermediate.int_topics",
    "doc_key": "select (collection_key, doc_key), doc_id from intermediate.int_documents",
}
# These keys are unique in a collection alone.
_IN_A_COLLECTION = {"topic_key", "doc_key"}

# Their names depend on another column, and on the number.
_OF_LEVEL, _OF_NUMBER = "contributor_key", "left_out_key"

# A sum of keys stands for no name. The tables that read it hold its consequences.
_NAMELESS = {"organization_keys"}

# These tables depend on files, loads and builds, and not only on the content of the files.
_NOT_COMPARED = {"audit_load_history", "audit_verdict_changes"}

Tables = dict[str, list[tuple[Any, ...]]]
_Names = dict[str, dict[Any, str]]


def tables_of(
    warehouse: Warehouse,
    schemas: Sequence[str] = ("main", "intermediate"),
    not_compared: Collection[str] = _NOT_COMPARED,
) -> Tables:
    """Return the sorted rows of every model of these schemas, with names in place of keys."""
    with warehouse.read() as connection:
        columns = connection.execute(
            """
            select schema_name || '.' || table_name, list((column_name, data_type))
            from duckdb_columns()
            where
                list_contains($schemas, schema_name)
                and database_name = current_database()
                and not list_contains($not_compared, table_name)
                -- of what a check looks at; a lake has no lines of runs for them
                and not regexp_matches(table_name, '^(int_quality_of_|fct_quality_figures)')
            group by all
            """,
            {"schemas": list(schemas), "not_compared": list(not_compared)},
        ).fetchall()
        names = {key: dict(connection.execute(query).fetchall()) for key, query in _NAMES.items()}
        return {table: _rows(connection, table, dict(of), names) for table, of in columns}


def _rows(
    connection: duckdb.DuckDBPyConnection, table: str, columns: dict[str, str], names: _Names
) -> list[tuple[Any, ...]]:
    selected = ", ".join(
        "null" if name in _NAMELESS else rounded(f'"{name}"', type_)
        for name, type_ in columns.items()
    )
    rows = connection.execute(f"select {selected} from {table}").fetchall()
    places = {name: place for place, name in enumerate(columns)}
    named = {place: key for name, place in places.items() if (key := _key_of(name)) is not None}
    if named:
        rows = [
            tuple(
                _natural(value, named[place], row, places, names) if place in named else value
                for place, value in enumerate(row)
            )
            for row in rows
        ]
    return sorted(rows, key=repr)


def _key_of(column: str) -> str | None:
    """Return the key that a column holds, whatever its first words are."""
    keys = (*_NAMES, _OF_LEVEL, _OF_NUMBER)
    return next((key for key in keys if f"_{column}".endswith(f"_{key}")), None)


def _natural(
    value: int | None, key: str, row: tuple[Any, ...], places: dict[str, int], names: _Names
) -> object:
    if value is None:
        return None
    if key == _OF_LEVEL:
        key = "run_key" if row[places["level"]] == "run" else "organization_key"
    if key == _OF_NUMBER:
        # A run, an organization, or the relevant documents of an organization (contributors.sql).
        of = "run_key" if value % 3 == 0 else "organization_key"
        return value % 3, names[of].get((value - 1) // 3)
    is_apart = key in _IN_A_COLLECTION
    return names[key].get((row[places["collection_key"]], value) if is_apart else value)
