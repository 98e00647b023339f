"""Removal of a collection, or of some of its runs, from the raw schema."""

from collections.abc import Collection

import duckdb

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.raw_store import RawStore
from poolhouse.warehouse.file import Warehouse


def remove(warehouse: Warehouse, collection: str, run_ids: Collection[str] = ()) -> None:
    """Remove the named runs of a collection, or the whole collection if no run is named; publish.

    The next build updates the marts. The history of loads is kept. Raise UnknownCollectionError,
    WarehouseMissingError or WarehouseBusyError. Raise PoolhouseError where a run is not loaded, or
    no run would be left.
    """
    with warehouse.read():
        pass  # a removal creates no warehouse
    with warehouse.change(), warehouse.side() as connection:
        remove_from(connection, collection, run_ids)


def remove_from(
    connection: duckdb.DuckDBPyConnection, collection: str, run_ids: Collection[str] = ()
) -> None:
    """Remove from a side file, in a transaction that an error leaves open.

    Raise the errors of `remove` about collections and runs.
    """
    connection.begin()
    store = RawStore.existing(connection, collection)
    if run_ids:
        _remove_runs(store, set(run_ids))
    else:
        store.remove()
    connection.commit()


def _remove_runs(store: RawStore, run_ids: set[str]) -> None:
    loaded = set(store.hashes("run"))
    if unknown := sorted(run_ids - loaded):
        raise PoolhouseError(
            f"run {unknown[0]!r} is not in collection {store.collection!r}"
            f"{did_you_mean(unknown[0], loaded)}"
        )
    if run_ids == loaded:
        raise PoolhouseError(
            f"collection {store.collection!r} has no other runs; to remove the whole "
            "collection, leave out --run"
        )
    for run_id in sorted(run_ids):
        store.remove_run(run_id)
