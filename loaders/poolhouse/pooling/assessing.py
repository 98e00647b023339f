"""Lists of documents for assessors, and their answers."""

from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling.asking import PoolRequest, asked_of, known_answers
from poolhouse.pooling.budgets import equal_shares
from poolhouse.pooling.choosing import Chooser, documents_by_value, is_known, next_documents
from poolhouse.pooling.drawing import drawn_design, sampling_frame
from poolhouse.pooling.known_strategies import strategy_named
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class AssessorsList:
    """The documents to judge next, in the order of the list: `topic_id`, `doc_id` and `place`.

    `place` is the place in the topic as the strategy chose; a sample has none.
    `n_judged` counts the documents of the pool that are judged; for a strategy that needs answers,
    the documents of the runs. `design` has the probabilities of a sampled pool, as sampling.py
    returns them.
    """

    documents: pl.DataFrame
    n_judged: int
    design: pl.DataFrame | None = None

    def lines(self) -> str:
        """Return the lines of the file: qrels without grades."""
        return "".join(f"{topic_id} 0 {doc_id}\n" for topic_id, doc_id, *_ in self.documents.rows())


def assessors_list(
    warehouse: Warehouse,
    request: PoolRequest,
    strategy: str,
    batch: int | None = None,
    order: str = "shuffled",
) -> AssessorsList:
    """Choose the documents that assessors judge next: those of the pool without a judgement.

    Judgements need not be built. `batch` limits the number of documents. The topics follow each
    other; the documents of a topic are shuffled by the seed of the request, or in the order of
    their ids, so that the list does not show their ranks. Raise PoolhouseError where the strategy
    is unknown, UnknownCollectionError, and the errors of the warehouse.
    """
    with asked_of(warehouse, request) as connection:
        chosen = strategy_named(connection, strategy)
        known = known_answers(connection, request.collection)
        design = None
        chooser = Chooser(connection, request)
        if chosen.needs_answers:
            documents = next_documents(chooser.lines, request, strategy, known, batch)
            n_judged = int(chooser.lines.n_known(known).sum())
        else:
            if chosen.kind == "sampled":
                design = drawn_design(sampling_frame(connection), request, strategy)
                # Shuffled, so that a batch is a random part of the sample.
                pool = in_order(design.filter("is_sampled"), "shuffled", request.seed)
            else:
                pool = chooser.documents(chosen, {}).sort("cost", "topic_id", "doc_id")
                if pool.is_empty():
                    raise PoolhouseError(_too_small(connection, request, strategy))
            open_documents = pool.filter(~is_known(pool, known))
            documents = _batch_of(open_documents, batch)
            n_judged = pool.height - open_documents.height
    return AssessorsList(in_order(documents, order, request.seed), n_judged, design)


def _too_small(connection: duckdb.DuckDBPyConnection, request: PoolRequest, strategy: str) -> str:
    smallest = documents_by_value(connection, strategy, None)["cost"].to_numpy().min()
    return (
        f"a budget of {request.budget} buys no document by {strategy!r}: the smallest "
        f"pool has {smallest}"
    )


def _batch_of(documents: pl.DataFrame, batch: int | None) -> pl.DataFrame:
    """Return the first documents of each topic, where the topics share a batch equally."""
    if batch is None:
        return documents
    sizes = documents.group_by("topic_id").len().sort("topic_id")
    shares = equal_shares(batch, sizes["len"].cast(pl.Int64).to_numpy())
    of_topic = pl.DataFrame({"topic_id": sizes["topic_id"], "share": shares})
    place = pl.int_range(pl.len()).over("topic_id")
    return documents.join(of_topic, on="topic_id", maintain_order="left").filter(
        place < pl.col("share")
    )


def in_order(documents: pl.DataFrame, order: str, seed: int) -> pl.DataFrame:
    """Return the documents in the order of a list, which does not show how they were chosen."""
    listed = documents.select(pl.col("^(topic_id|doc_id|place)$")).sort("topic_id", "doc_id")
    if order == "document":
        return listed
    draws = np.random.Generator(np.random.PCG64(seed)).random(listed.height)
    return listed.with_columns(draw=draws).sort("topic_id", "draw").drop("draw")


def refuse_existing(file: Path) -> None:
    """Raise PoolhouseError where a list exists, because answers may be in it."""
    if file.exists():
        raise PoolhouseError(
            f"{file}: exists, and may hold answers: load them (poolhouse pool load), or name "
            "another file"
        )
