"""The record of the lists that `pool make` wrote: how their documents were chosen."""

from collections.abc import Sequence

import duckdb
import polars as pl

from poolhouse.loading.raw_store import RawStore
from poolhouse.pooling.asking import PoolRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of

_KEYS = ["topic_id", "doc_id"]
_OF_REQUEST = """
select list_number from raw.pool_lists
where
    collection_key = ?
    and (strategy, budget, is_per_topic, seed, run_ids) = (?, ?, ?, ?, ?)
"""
_NEXT_NUMBER = """
select coalesce(max(list_number), 0) + 1 from raw.pool_lists where collection_key = ?
"""
_EARLIER = """
select lists.list_number, cast(lists.made_at as date) as made_on, chosen.topic_id, chosen.doc_id
from chosen
inner join raw.pool_documents as documents
    on chosen.topic_id = documents.query and chosen.doc_id = documents.docno
inner join raw.pool_lists as lists using (collection_key, list_number)
inner join raw.collections as collections using (collection_key)
where collections.collection_id = $collection and documents.is_listed
order by lists.list_number
"""


def on_earlier_lists(
    connection: duckdb.DuckDBPyConnection, collection: str, documents: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per document and recorded list that has it: `list_number` and `made_on`."""
    put_table(connection, "chosen", documents.select(_KEYS))
    return rows_of(connection, _EARLIER, {"collection": collection})


def record_lists(
    warehouse: Warehouse,
    request: PoolRequest,
    strategy: str,
    lists: Sequence[pl.DataFrame],
    design: pl.DataFrame | None = None,
) -> None:
    """Record lists, in one change. The marts read of them what is answered.

    `lists` have `topic_id`, `doc_id` and, unless they are of a sample, `place`. `design` is that of
    sampling.py. The request names its runs. Raise UnknownCollectionError and the errors of the
    warehouse.
    """
    with warehouse.change(), warehouse.side() as connection:
        connection.begin()
        store = RawStore.existing(connection, request.collection)
        asked = (strategy, request.budget, request.is_per_topic, request.seed, request.of_runs)
        is_first = not store.rows(_OF_REQUEST, store.collection_key, *asked)
        [(first,)] = store.rows(_NEXT_NUMBER, store.collection_key)
        for number, documents in enumerate(lists, first):
            store.rows(
                """
                insert into raw.pool_lists (
                    collection_key, list_number, strategy, budget, is_per_topic, seed, run_ids
                )
                values (?, ?, ?, ?, ?, ?, ?)
                """,
                *(store.collection_key, number, *asked),
            )
            store.append("raw.pool_documents", _rows(documents, design, number))
        if design is not None and is_first:
            others = design.join(pl.concat(lists), on=_KEYS, how="anti")
            store.append("raw.pool_documents", _rows(others, design, first, is_listed=False))
        # A file that was loaded as the record is not the whole record any more.
        store.record_removal("kind = 'pool'")
        connection.commit()


def _rows(
    documents: pl.DataFrame, design: pl.DataFrame | None, number: int, *, is_listed: bool = True
) -> pl.DataFrame:
    """Return documents as rows of raw.pool_documents."""
    if design is not None:
        documents = documents.select(_KEYS).join(design, on=_KEYS)
    named = documents.rename({"topic_id": "query", "doc_id": "docno"})
    return named.with_columns(list_number=pl.lit(number), is_listed=pl.lit(is_listed))
