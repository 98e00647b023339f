"""Removal: a collection, or some runs of it, taken out of the raw schema."""

from collections.abc import Collection

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.raw_store import RawStore
from poolhouse.warehouse.file import Warehouse


def remove(warehouse: Warehouse, collection: str, run_ids: Collection[str] = ()) -> None:
    """Take away the named runs of a collection, or all of it where none is named, and publish.

    The marts follow with the next build, the history of loads stays. Raise
    UnknownCollectionError; PoolhouseError where a run is not loaded, or none would be left;
    WarehouseMissingError, WarehouseBusyError.
    """
    with warehouse.read():
        pass  # a removal makes no warehouse
    with warehouse.change(), warehouse.side() as connection:
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
