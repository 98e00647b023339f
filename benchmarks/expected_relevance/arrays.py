"""Arrays of the pool of one collection, read from a built warehouse."""

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from poolhouse.warehouse.frames import put_table, rows_of

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# The pool of all pooled runs has key 0.
_DOCUMENTS = """
    select topic_key, doc_key, is_relevant
    from intermediate.int_pool_documents
    where collection_key = $key and pool_key = 0 and is_relevant is not null
    order by all
"""
_RUNS = """
    select pool_runs.run_key, runs.run_id, pool_runs.organization_key, count(*) as n_topics
    from intermediate.int_pool_runs as pool_runs
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_run_topics as run_topics using (collection_key, run_key)
    where collection_key = $key and pool_key = 0
    group by all
    order by pool_runs.run_key
"""
_CONTRIBUTIONS = """
    select run_key, topic_key, doc_key, rank
    from intermediate.int_pool_contributions
    where collection_key = $key and pool_key = 0
"""
_BEST_RANKS = """
    select topic_key, doc_key, organization_key, min(rank) as rank
    from intermediate.int_rankings
    inner join intermediate.int_pool_runs using (collection_key, run_key)
    semi join documents using (topic_key, doc_key)
    where collection_key = $key and pool_key = 0
    group by all
"""


@dataclass(frozen=True)
class Pool:
    """Runs, documents and contributions of a pool, numbered from 0.

    A document is a pair of topic and document that a pooled run contributed and that is judged. A
    contribution is such a document in a run, down to the pool depth.
    """

    collection: str
    run_ids: tuple[str, ...]
    n_answers: Integers
    """Number of judged topics that each run answers."""
    organization_of_run: Integers
    topic: Integers
    """The topic of each document."""
    is_relevant: Flags
    """Whether each document is."""
    best_rank: Floats
    """Shape (documents, organizations), the best rank at any depth; infinite where no run has."""
    run: Integers
    """The run of each contribution."""
    document: Integers
    """Its document."""
    rank: Integers
    """Its rank."""

    @property
    def organization(self) -> Integers:
        """The organization of each contribution."""
        return self.organization_of_run[self.run]

    @property
    def n_topics(self) -> int:
        """The number of topics with a document."""
        return int(self.topic.max()) + 1

    def contributed(self) -> Flags:
        """Return which organization contributed which document, in the shape of `best_rank`."""
        contributed = np.zeros(self.best_rank.shape, dtype=np.bool_)
        contributed[self.document, self.organization] = True
        return contributed


def collections(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, str]]:
    """Yield key and id of every collection with a pool of two organizations or more."""
    query = """
        select collection_key, collection_id
        from intermediate.int_collections
        inner join intermediate.int_pool_runs using (collection_key)
        where pool_key = 0
        group by all
        having count(distinct organization_key) > 1
        order by collection_id
    """
    yield from rows_of(connection, query).iter_rows()


def pool_of(connection: duckdb.DuckDBPyConnection, key: int, collection: str) -> Pool:
    """Read the pool of a collection."""
    of_collection = {"key": key}
    documents = rows_of(connection, _DOCUMENTS, of_collection).with_row_index("document")
    runs = rows_of(connection, _RUNS, of_collection).with_row_index("run")
    organizations = runs.select(pl.col("organization_key").unique().sort()).with_row_index(
        "organization"
    )
    runs = runs.join(organizations, on="organization_key", maintain_order="left")
    pair = ["topic_key", "doc_key"]
    contributions = (
        rows_of(connection, _CONTRIBUTIONS, of_collection)
        .join(documents, on=pair)
        .join(runs.select("run_key", "run"), on="run_key")
        .sort("run", "document")
    )
    put_table(connection, "documents", documents.select(pair))
    best = rows_of(connection, _BEST_RANKS, of_collection)
    best = best.join(documents, on=pair).join(organizations, on="organization_key")
    best_rank = np.full((documents.height, organizations.height), np.inf)
    best_rank[best["document"].to_numpy(), best["organization"].to_numpy()] = best["rank"]
    return Pool(
        collection=collection,
        run_ids=tuple(runs["run_id"]),
        n_answers=_integers(runs["n_topics"]),
        organization_of_run=_integers(runs["organization"]),
        topic=_integers(documents["topic_key"].rank("dense")) - 1,
        is_relevant=documents["is_relevant"].to_numpy().astype(np.bool_),
        best_rank=best_rank,
        run=_integers(contributions["run"]),
        document=_integers(contributions["document"]),
        rank=_integers(contributions["rank"]),
    )


def weights(connection: duckdb.DuckDBPyConnection, measure: str) -> Floats:
    """Return the weights of a measure by rank, from rank 0, which has none, down to its cutoff."""
    query = "select rank, weight from intermediate.int_measure_weights where measure = $measure"
    rows = rows_of(connection, query, {"measure": measure})
    by_rank = np.zeros(int(rows.select(pl.col("rank").max()).item()) + 1)
    by_rank[rows["rank"].to_numpy()] = rows["weight"]
    return by_rank


def _integers(column: pl.Series) -> Integers:
    return column.cast(pl.Int64).to_numpy()
