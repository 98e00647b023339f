"""The judged documents in the rankings of pooled runs, at any rank, as arrays."""

from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl

from poolhouse.warehouse.frames import rows_of

from .arrays import Flags, Floats, Integers

_RUNS = """
    select runs.run_key, runs.run_id, runs.organization, count(*) as n_topics
    from intermediate.int_collections as collections
    inner join intermediate.int_pooled_runs as pooled using (collection_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_run_topics as answers using (collection_key, run_key)
    inner join intermediate.int_judged_topics as topics using (collection_key, topic_key)
    where collections.collection_id = $collection
    group by all
    order by run_key
"""
_ROWS = """
    select
        rankings.run_key, documents.topic_key, documents.doc_key, rankings.rank,
        contributions.rank is not null as is_contributed, documents.is_relevant,
        greatest(judgements.grade, 0) as grade
    from intermediate.int_collections as collections
    inner join intermediate.int_pool_documents as documents using (collection_key)
    inner join intermediate.int_rankings as rankings using (collection_key, topic_key, doc_key)
    inner join intermediate.int_pooled_runs as pooled using (collection_key, run_key)
    inner join intermediate.int_judgements as judgements
        using (collection_key, topic_key, doc_key)
    left join intermediate.int_contributions as contributions
        on rankings.collection_key = contributions.collection_key
        and rankings.run_key = contributions.run_key
        and rankings.topic_key = contributions.topic_key
        and rankings.doc_key = contributions.doc_key
    where
        collections.collection_id = $collection
        and documents.pool_key = 0
        and documents.is_relevant is not null
    order by rankings.run_key, documents.topic_key, rankings.rank
"""


@dataclass(frozen=True)
class JudgedLists:
    """Rows in the order of run, topic and rank, and documents by organization."""

    run_ids: list[str]
    organization: Integers
    """Of each run."""
    n_topics: Floats
    """Judged topics that each run answers."""
    run: Integers
    doc: Integers
    rank: Integers
    is_contributed: Flags
    """Whether the run contributed the document."""
    topic: Integers
    """Of each document."""
    is_relevant: Flags
    grade: Integers
    contributed: Flags
    """Shape (documents, organizations)."""


def judged_lists(connection: duckdb.DuckDBPyConnection, collection: str) -> JudgedLists:
    """Read the judged documents of the pool of all pooled runs in the rankings of these runs."""
    runs = rows_of(connection, _RUNS, {"collection": collection}).with_row_index("run")
    rows = rows_of(connection, _ROWS, {"collection": collection})
    pair = ["topic_key", "doc_key"]
    docs = rows.unique(pair, maintain_order=True).with_row_index("doc")
    rows = rows.join(docs.select(*pair, "doc"), on=pair, maintain_order="left").join(
        runs.select("run_key", "run"), on="run_key", maintain_order="left"
    )
    owner = _integers(runs["organization"].rank("dense")) - 1
    run, doc = _integers(rows["run"]), _integers(rows["doc"])
    is_contributed = rows["is_contributed"].to_numpy()
    contributed = np.zeros((docs.height, int(owner.max()) + 1), np.bool_)
    contributed[doc[is_contributed], owner[run[is_contributed]]] = True
    return JudgedLists(
        run_ids=runs["run_id"].to_list(),
        organization=owner,
        n_topics=runs["n_topics"].to_numpy().astype(np.float64),
        run=run,
        doc=doc,
        rank=_integers(rows["rank"]),
        is_contributed=is_contributed,
        topic=_integers(docs["topic_key"].rank("dense")) - 1,
        is_relevant=docs["is_relevant"].to_numpy(),
        grade=_integers(docs["grade"]),
        contributed=contributed,
    )


def _integers(column: pl.Series) -> Integers:
    return np.asarray(column.cast(pl.Int64).to_numpy())
