"""Removal of a collection, of some of its runs, or of an author, from the raw schema."""

from collections.abc import Collection

import duckdb

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.judgements import remove_author
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.runs import remove_run
from poolhouse.warehouse.file import Warehouse


def remove(
    warehouse: Warehouse,
    collection: str,
    run_ids: Collection[str] = (),
    authors: Collection[str] = (),
) -> None:
    """Remove the named runs and the judgements of the named authors; publish.

    Without names, the whole collection is removed. The next build updates the marts. The history of
    loads is kept. Raise UnknownCollectionError, WarehouseMissingError or WarehouseBusyError. Raise
    PoolhouseError where a run is not loaded, no run would be left, or an author is unknown or the
    reference.
    """
    with warehouse.read():
        pass  # a removal creates no warehouse
    with warehouse.change(), warehouse.side() as connection:
        remove_from(connection, collection, run_ids, authors)


def remove_from(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    run_ids: Collection[str] = (),
    authors: Collection[str] = (),
) -> None:
    """Remove from a side file, in a transaction that an error leaves open.

    Raise the errors of `remove` about collections, runs and authors.
    """
    connection.begin()
    store = RawStore.existing(connection, collection)
    if run_ids:
        _remove_runs(store, set(run_ids))
    if authors:
        _remove_authors(store, set(authors))
    if not (run_ids or authors):
        _remove_whole(store)
    connection.commit()


def _remove_whole(store: RawStore) -> None:
    """Remove the whole collection and the experiments on it. Its history is kept."""
    store.record_removal()
    tables = store.rows(
        """
        select schema_name || '.' || table_name
        from duckdb_columns()
        where
            database_name = current_database()
            and schema_name in ('raw', 'experiments')
            and column_name = 'collection_key'
        """
    )
    for (table,) in tables:
        store.forget(table)


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
        remove_run(store, run_id)


def _remove_authors(store: RawStore, authors: set[str]) -> None:
    reference = store.reference_author()
    loaded = store.hashes("author_qrels") | store.hashes("preferences")
    for author in sorted(authors):
        if author in (reference, REFERENCE) and reference is not None:
            raise PoolhouseError(
                f"author {reference!r} is the reference of collection {store.collection!r}, from "
                "which everything is computed; to remove the whole collection, leave out --author"
            )
        if author not in loaded:
            raise PoolhouseError(
                f"author {author!r} has no judgements in collection {store.collection!r}"
                f"{did_you_mean(author, loaded)}"
            )
        remove_author(store, author)
