"""Loading: from files to the raw schema of the warehouse, one collection at a time.

A file whose content is already in the warehouse is skipped. A changed file replaces its old rows. A
bad line is set aside. A bad file stops the load, and nothing of the load is kept.
"""

from typing import Any

import duckdb

from poolhouse.errors import IncompleteCollectionError, PoolhouseError
from poolhouse.loading.authors import name_declared_reference, refuse_contradiction
from poolhouse.loading.common_topics import load_common_topics
from poolhouse.loading.judgements import load_other_authors, load_preferences, load_qrels
from poolhouse.loading.leaving_out import leave_out, load_pairs
from poolhouse.loading.parsers import parse_pool
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load, LoadReport
from poolhouse.loading.remarks import remarks_on
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import is_name
from poolhouse.loading.runs import load_runs
from poolhouse.loading.title_words import load_title_words
from poolhouse.loading.topic_ids import drop_zeros
from poolhouse.loading.whole_tables import WHOLE_TABLES
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse


def load_collection(
    warehouse: Warehouse, request: LoadRequest, progress: Progress = no_progress
) -> LoadReport:
    """Load the files of a request into the raw schema and publish the warehouse.

    Raise BadFileError for a bad file. Raise IncompleteCollectionError where runs are missing, or
    where judgements are missing and the collection was never said to be unjudged. Raise
    PoolhouseError where a judged collection is said to be unjudged. Raise WarehouseBusyError where
    another process changes the warehouse.
    """
    check_name(request.collection)
    with warehouse.change() as change:
        with warehouse.side() as connection:
            report = load_into(connection, request, progress)
        change.abandoned = not report.changed
    return report


def check_name(collection: str) -> None:
    """Raise PoolhouseError where the text cannot be the name of a collection."""
    if not is_name(collection):
        raise PoolhouseError(f"collection name {collection!r} is empty or not printable")


def load_into(
    connection: duckdb.DuckDBPyConnection, request: LoadRequest, progress: Progress = no_progress
) -> LoadReport:
    """Load the files of a request into a side file, in a transaction that an error leaves open.

    Raise the errors of `load_collection`.
    """
    before = _declared_and_loaded(connection, request.collection)
    connection.begin()
    store = RawStore.declared(connection, request.collection)
    may_be_unjudged = request.unjudged or bool(before)
    report = _load(Load(store, request, progress), may_be_unjudged=may_be_unjudged)
    connection.commit()
    report.is_new = not before
    report.changed = _declared_and_loaded(connection, request.collection) != before
    return report


def _declared_and_loaded(
    connection: duckdb.DuckDBPyConnection, collection: str
) -> list[tuple[Any, ...]]:
    """Return the state of a collection: everything that its marts depend on, and its scale."""
    return connection.execute(
        """
        select fingerprint, highest_grade
        from ops.collection_fingerprints
        inner join raw.collections using (collection_key)
        where collection_id = ?
        """,
        [collection],
    ).fetchall()


def _load(load: Load, *, may_be_unjudged: bool) -> LoadReport:
    if load.request.unjudged:
        _refuse_if_judged(load)
    _refuse_other_passages(load)
    load.store.declare(load.request.declared())
    load.report.n_described = _load_whole_table(load, "descriptions")
    _load_whole_table(load, "topics")
    _load_whole_table(load, "topic_attributes")
    _load_pool(load)
    load_pairs(load)
    load_qrels(load)
    load_other_authors(load)
    load_preferences(load)
    _load_whole_table(load, "authors")
    name_declared_reference(load.store)
    load_runs(load)
    load_common_topics(load)
    load_title_words(load)
    load.report.n_official_figures = _load_whole_table(load, "official_results")
    _check_complete(load, may_be_unjudged=may_be_unjudged)
    drop_zeros(load)
    leave_out(load)
    refuse_contradiction(load.store)
    load.report.remarks += remarks_on(load)
    return load.report


def _load_whole_table(load: Load, kind: str) -> int:
    """Load the file of a kind of which a collection has one. Return the number of its rows."""
    n_rows = 0
    for given in load.inputs(kind):
        if loaded := load.read(given, WHOLE_TABLES[kind].parse):
            n_rows = load.store.replace(WHOLE_TABLES[kind].table, *loaded)
    return n_rows


def _load_pool(load: Load) -> None:
    """Load the record of a pool in the place of the loaded one."""
    for given in load.inputs("pool"):
        if loaded := load.read(given, parse_pool):
            file, record = loaded
            load.store.forget("raw.pool_lists")
            load.store.append("raw.pool_lists", record.lists)
            load.store.replace("raw.pool_documents", file, record.documents)


def _refuse_if_judged(load: Load) -> None:
    """Refuse to declare a collection unjudged that has qrels, or gets qrels by this load."""
    if load.inputs("qrels") or load.inputs("author_qrels") or load.store.hashes("qrels"):
        raise PoolhouseError(
            f"collection {load.request.collection!r} has qrels, and --unjudged would not take "
            "them away: leave it out to add to the collection, or poolhouse remove it first"
        )


def _refuse_other_passages(load: Load) -> None:
    """Refuse another mark of passages: loaded runs have documents by the mark of their load."""
    asked, loaded = load.request.passages, load.store.passage_mark()
    if asked and asked != loaded and load.store.hashes("run"):
        have = f"have passages by the mark {loaded!r}" if loaded else "have no passages"
        raise PoolhouseError(
            f"--passages {asked!r}: the loaded runs of collection {load.request.collection!r} "
            f"{have}: poolhouse remove it, and load all of it again"
        )


def _check_complete(load: Load, *, may_be_unjudged: bool) -> None:
    """Check that there are runs, and judgements unless the collection is declared unjudged.

    A loaded collection without qrels was declared unjudged by an earlier load.
    """
    collection, store = load.request.collection, load.store
    if not store.hashes("run"):
        raise IncompleteCollectionError(
            collection, "runs", ": name its run files, or their folder, by --runs"
        )
    if store.hashes("qrels"):
        return
    if not may_be_unjudged:
        hint = ": name them with --qrels, or say --unjudged where there are none yet"
        raise IncompleteCollectionError(collection, "judgements", hint)
    if store.hashes("common_topics"):
        raise PoolhouseError(
            f"collection {collection!r} is not judged yet: judgements of common topics stand "
            "beside its qrels, so load those as well (--qrels)"
        )
    load.report.is_judged = False
    load.report.remarks.append(
        "not judged yet: a build makes rankings, overlaps and pool sizes, but no scores "
        "(load --qrels, when there are judgements)"
    )
