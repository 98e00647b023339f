"""Read the tables of a built warehouse in a form that can be compared with another warehouse."""

from collections.abc import Collection, Sequence
from typing import Any

import duckdb

from poolhouse.warehouse.file import Warehouse
from rounding import rounded

# Keys are assigned in order of arrival: another build of the same files assigns other keys.
_NATURAL = {
    "run_key": "(select run_id from intermediate.int_runs as names where names.run_key = {key})",
    "organization_key": """(
        select organization from intermediate.int_runs as names where names.run_key = {key}
    )""",
    "topic_key": """(
        select topic_id from intermediate.int_topics as names
        where names.collection_key = rows.collection_key and names.topic_key = {key}
    )""",
    "doc_key": """(
        select doc_id from intermediate.int_documents as names
        where names.collection_key = rows.collection_key and names.doc_key = {key}
    )""",
    "collection_key": """(
        select collection_id from intermediate.int_collections as names
        where names.collection_key = {key}
    )""",
}
_NATURAL["contributor_key"] = (
    "if(level = 'run', " + _NATURAL["run_key"] + ", " + _NATURAL["organization_key"] + ")"
)
# A run, an organization, or the relevant documents of an organization (contributors.sql).
_NATURAL["left_out_key"] = "concat({key} % 3, if({key} % 3 = 0, " + (
    _NATURAL["run_key"] + ", " + _NATURAL["organization_key"] + "))"
).format(key="({key} - 1) // 3")

# A sum of keys stands for no name. The tables that read it hold its consequences.
_NAMELESS = {"organization_keys"}

# These tables depend on files, loads and builds, and not only on the content of the files.
_NOT_COMPARED = {"audit_load_history", "audit_verdict_changes"}

Tables = dict[str, list[tuple[Any, ...]]]


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
            group by all
            """,
            {"schemas": list(schemas), "not_compared": list(not_compared)},
        ).fetchall()
        return {table: _rows(connection, table, described) for table, described in columns}


def _rows(
    connection: duckdb.DuckDBPyConnection, table: str, columns: list[tuple[str, str]]
) -> list[tuple[Any, ...]]:
    selected = ", ".join(_expression(name, data_type) for name, data_type in columns)
    rows = connection.execute(f"select {selected} from {table} as rows").fetchall()
    return sorted(rows, key=repr)


def _expression(column: str, data_type: str) -> str:
    if column in _NAMELESS:
        return "null"
    for suffix, natural in _NATURAL.items():
        if column == suffix or column.endswith(f"_{suffix}"):
            return natural.format(key=f"rows.{column}")
    return rounded(f'rows."{column}"', data_type)
