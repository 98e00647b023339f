"""The exported marts: their columns, comments and keys in the warehouse."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import duckdb
import yaml

from poolhouse.building.project import project_folder
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.warehouse.sql_text import quoted_name

COLLECTION = "collection_id"

_COLUMNS = """
select
    views.schema_name,
    views.view_name,
    views.comment,
    columns.column_name,
    columns.data_type,
    columns.comment
from duckdb_views() as views
inner join duckdb_columns() as columns
    on
        views.database_oid = columns.database_oid
        and views.schema_name = columns.schema_name
        and views.view_name = columns.table_name
where views.schema_name in ('main', 'audits', 'experiments') and not views.internal
order by views.view_name, columns.column_index
"""

# Marts that rows of other marts refer to, by the columns of their keys.
_TARGETS = {
    (COLLECTION, "run_id"): "dim_runs",
    (COLLECTION, "topic_id"): "dim_topics",
    (COLLECTION,): "dim_collections",
    ("measure",): "dim_measures",
    ("estimator",): "dim_estimators",
}


@dataclass(frozen=True)
class Column:
    """A column, its type in the engine, and its comment."""

    name: str
    type: str
    description: str

    @property
    def is_nested(self) -> bool:
        """Return whether the values of the column are lists, structs or maps."""
        return self.type.endswith("]") or self.type.startswith(("STRUCT", "MAP"))


@dataclass(frozen=True)
class Mart:
    """A public mart. `key` are the columns of its tested key, or none if no test declares a key."""

    schema: str
    name: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its columns."""
        return tuple(column.name for column in self.columns)

    @property
    def is_of_collections(self) -> bool:
        """Return whether its rows belong to collections."""
        return COLLECTION in self.names


def marts_of(connection: duckdb.DuckDBPyConnection, chosen: Collection[str]) -> list[Mart]:
    """List the public marts, or the chosen marts.

    Raise PoolhouseError where a chosen mart is unknown, or there are no marts.
    """
    rows = connection.execute(_COLUMNS).fetchall()
    marts: dict[str, tuple[str, str, list[Column]]] = {}
    for schema, mart, description, name, type_, meaning in rows:
        columns = marts.setdefault(mart, (schema, description or "", []))[2]
        columns.append(Column(name, type_, meaning or ""))
    if not marts:
        raise PoolhouseError("nothing is built yet: run poolhouse build first")
    if unknown := [name for name in chosen if name not in marts]:
        raise PoolhouseError(
            f"there is no mart {unknown[0]!r} (table macros have no rows of their own)"
            f"{did_you_mean(unknown[0], marts)}"
        )
    return [
        Mart(schema, name, description, tuple(columns), _keys().get(name, ()))
        for name, (schema, description, columns) in marts.items()
        if not chosen or name in chosen
    ]


@cache
def _keys() -> dict[str, tuple[str, ...]]:
    """Return the keys of marts, from their tests."""
    keys: dict[str, tuple[str, ...]] = {}
    for file in sorted((project_folder() / "models" / "marts").rglob("*.yml")):
        for model in yaml.safe_load(file.read_text(encoding="utf-8"))["models"]:
            for test in model.get("data_tests", ()):
                if key := test.get("rows", {}).get("arguments", {}).get("key"):
                    keys.setdefault(model["name"], tuple(key))
    return keys


def references_of(
    connection: duckdb.DuckDBPyConnection, mart: Mart, marts: Sequence[Mart], source: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find the marts to which all rows of this mart refer, and by which columns.

    `source` is the database with them.
    """
    exported = {each.name for each in marts}
    for columns, target in _TARGETS.items():
        if target == mart.name or target not in exported or not set(columns) <= set(mart.names):
            continue
        names = ", ".join(map(quoted_name, columns))
        relation = f"{source}.{mart.schema}.{quoted_name(mart.name)}"
        [(n_without,)] = connection.execute(
            f"""
            select count(*)
            from (select distinct {names} from {relation}) as rows
            anti join {source}.main.{quoted_name(target)} using ({names})
            """  # noqa: S608 - names are quoted
        ).fetchall()
        if not n_without:
            yield target, columns
