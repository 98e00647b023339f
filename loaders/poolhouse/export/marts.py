"""The exported marts: their columns, comments and keys in the warehouse."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import duckdb
import yaml

from poolhouse.building.project import project_folder
from poolhouse.errors import NotBuiltError, PoolhouseError, did_you_mean
from poolhouse.warehouse.sql_text import quoted_name

COLLECTION = "collection_id"

# Figures of quality, which are computed when they are asked for: to read every line of the runs
# again took two fifths of an export of all marts.
FIGURES = "audits.fct_quality_figures"

_COLUMNS = """
select
    views.schema_name,
    views.view_name,
    views.comment,
    columns.column_name,
    columns.data_type,
    columns.comment
from system.main.duckdb_views() as views
inner join system.main.duckdb_columns() as columns
    on
        views.database_oid = columns.database_oid
        and views.schema_name = columns.schema_name
        and views.view_name = columns.table_name
where views.schema_name in ('main', 'audits', 'experiments') and not views.internal
order by views.view_name, columns.column_index
"""

# Marts that rows of other marts refer to, and the columns of their keys. A mart stands after those
# to which it refers.
_TARGETS = {
    "dim_collections": (COLLECTION,),
    "dim_runs": (COLLECTION, "run_id"),
    "dim_topics": (COLLECTION, "topic_id"),
    "dim_measures": ("measure",),
    "dim_estimators": ("estimator",),
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


def marts_of(
    connection: duckdb.DuckDBPyConnection, chosen: Collection[str]
) -> tuple[list[Mart], list[str]]:
    """List the public marts, or the chosen marts, and then the views that are no marts of ours.

    The figures of quality are there only where they are chosen. Raise PoolhouseError where a chosen
    mart is unknown, or there are no marts.
    """
    rows = connection.execute(_COLUMNS).fetchall()
    marts: dict[str, tuple[str, str, list[Column]]] = {}
    for schema, mart, description, name, type_, meaning in rows:
        columns = marts.setdefault(mart, (schema, description or "", []))[2]
        columns.append(Column(name, type_, meaning or ""))
    others = [name for name in marts if name not in keys_of_marts()]
    for name in others:
        del marts[name]
    if not marts:
        raise NotBuiltError
    if unknown := [name for name in chosen if name not in marts]:
        raise PoolhouseError(
            f"there is no mart {unknown[0]!r} (table macros have no rows of their own)"
            f"{did_you_mean(unknown[0], marts)}"
        )
    found = [
        Mart(schema, name, description, tuple(columns), keys_of_marts()[name])
        for name, (schema, description, columns) in marts.items()
        if (name in chosen if chosen else f"{schema}.{name}" != FIGURES)
    ]
    return found, others


def targets_first(marts: Sequence[Mart]) -> list[Mart]:
    """Order marts so that each stands after the marts to which its rows refer."""
    order = {name: place for place, name in enumerate(_TARGETS)}
    return sorted(marts, key=lambda mart: order.get(mart.name, len(order)))


@cache
def keys_of_marts() -> dict[str, tuple[str, ...]]:
    """Return the marts that this version of Poolhouse has, and their keys by their tests."""
    keys: dict[str, tuple[str, ...]] = {}
    models = project_folder() / "models"
    for file in sorted((*(models / "marts").rglob("*.yml"), models / "quality" / "schema.yml")):
        for model in yaml.safe_load(file.read_text(encoding="utf-8"))["models"]:
            tests = (test.get("rows", {}) for test in model.get("data_tests", ()))
            declared = (test.get("arguments", {}).get("key") for test in tests)
            keys[model["name"]] = tuple(next(filter(None, declared), ()))
    return keys


def key_columns(mart: Mart) -> Mart:
    """Return the mart with only the columns by which rows may refer to other marts."""
    names = {name for columns in _TARGETS.values() for name in columns}
    return replace(mart, columns=tuple(each for each in mart.columns if each.name in names), key=())


def keys_of_targets(
    connection: duckdb.DuckDBPyConnection, relations: Mapping[str, str]
) -> dict[str, str]:
    """Keep the keys of marts that others refer to. Return a relation of keys for each such mart.

    `relations` are the marts by their names. A view would be planned again for each other mart.
    """
    kept = {target: f"temp.keys_of_{target}" for target in _TARGETS if target in relations}
    for target, keys in kept.items():
        names = ", ".join(map(quoted_name, _TARGETS[target]))
        rows = relations[target]
        connection.execute(f"create temp table {keys} as select distinct {names} from {rows}")  # noqa: S608
    return kept


def references_of(
    connection: duckdb.DuckDBPyConnection, mart: Mart, rows: str, targets: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find the marts to which all rows of this mart refer, and by which columns.

    `rows` is the relation with its rows, `targets` are the relations of other marts by their names.
    """
    for target, columns in _TARGETS.items():
        if target == mart.name or target not in targets or not set(columns) <= set(mart.names):
            continue
        names = ", ".join(map(quoted_name, columns))
        [(n_without,)] = connection.execute(
            f"""
            select count(*)
            from (select distinct {names} from {rows}) as rows
            anti join {targets[target]} using ({names})
            """  # noqa: S608 - names are quoted
        ).fetchall()
        if not n_without:
            yield target, columns


def has_key(connection: duckdb.DuckDBPyConnection, mart: Mart, rows: str) -> bool:
    """Return whether the key of the mart names one row of the relation `rows`, without nulls."""
    if not mart.key:
        return False
    names = ", ".join(map(quoted_name, mart.key))
    is_incomplete = " or ".join(f"{quoted_name(each)} is null" for each in mart.key)
    [(is_key,)] = connection.execute(
        f"""
        select not exists (
            select 1 from {rows} group by {names} having count(*) > 1 or bool_or({is_incomplete})
        )
        """  # noqa: S608 - names are quoted
    ).fetchall()
    return bool(is_key)
