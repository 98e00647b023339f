"""Answering a question of the cookbook on a warehouse: its parameters' values, and its rows."""

from collections.abc import Mapping

from poolhouse.building.settings import chosen_settings, plan_by_choice
from poolhouse.building.staleness import check_built
from poolhouse.cookbook.entries import PAPERS, Entry, compiled
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import QueryResult, run_query


def answer(
    warehouse: Warehouse, entry: Entry, given: Mapping[str, str], most: int | None = None
) -> QueryResult:
    """Run an entry with the given values of its parameters, and defaults for the others.

    The collection may be left out if the warehouse has a single judged collection. `most` is the
    largest number of rows that are fetched. Raise
    PoolhouseError where the entry has no such parameter or lacks a value, where the run or the
    measure is unknown, or where the marts of the collection are not current. Raise NotJudgedError,
    UnknownCollectionError or WarehouseMissingError.
    """
    entry = _with_settings(warehouse, entry)
    if unknown := [name for name in given if name not in entry.parameters]:
        has = ", ".join(entry.parameters) or "no parameter"
        raise PoolhouseError(f"{entry.name} has no parameter {unknown[0]!r}; it has {has}")
    values: dict[str, object] = {}
    for name, default in entry.parameters.items():
        if name in given:
            values[name] = given[name]
        elif name == "collection":
            values[name] = _only_collection(warehouse)
        else:
            values[name] = _default(warehouse, name, default, values)
        if name == "collection":
            with warehouse.read() as connection:
                check_built(connection, str(values[name]))
        if name == "run_id":
            _check_run(warehouse, values)
    return run_query(warehouse, entry.sql, values, most=most)


def sql_of(warehouse: Warehouse, entry: Entry) -> str:
    """Return the SQL of an entry with the settings of the warehouse."""
    return _with_settings(warehouse, entry).sql


def _with_settings(warehouse: Warehouse, entry: Entry) -> Entry:
    if entry.about != PAPERS:
        return entry
    with warehouse.read() as connection:
        chosen = chosen_settings(connection)
    return compiled(entry, plan_by_choice(chosen))


def _only_collection(warehouse: Warehouse) -> str:
    rows = run_query(
        warehouse, "select collection_id from dim_collections where is_judged order by all"
    ).rows
    names = [str(name) for (name,) in rows]
    if len(names) != 1:
        known = ", ".join(names) or "none is judged and built"
        raise PoolhouseError(f"name a collection with --collection: {known}")
    return names[0]


def _default(
    warehouse: Warehouse, name: str, default: str | None, values: Mapping[str, object]
) -> object:
    """Return the default value of a parameter."""
    asked = f"select {default or 'null'}"
    named = values if "$collection" in asked else None
    ((value,),) = run_query(warehouse, asked, named).rows
    if value is None:
        raise PoolhouseError(f"give a value with --value {name}=...")
    return value


def _check_run(warehouse: Warehouse, values: Mapping[str, object]) -> None:
    known = [
        str(run_id)
        for (run_id,) in run_query(
            warehouse,
            "select run_id from dim_runs where collection_id = $collection",
            {"collection": values["collection"]},
        ).rows
    ]
    run_id = str(values["run_id"])
    if run_id not in known:
        raise PoolhouseError(
            f"run {run_id!r} is not a run of {values['collection']!r}{did_you_mean(run_id, known)}"
        )
