"""Lists of documents for assessors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import duckdb
import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.parsers.lines import COMMENT_MARK
from poolhouse.output.printable import printable
from poolhouse.output.words import counted, some_of
from poolhouse.pooling.asking import Known, PoolRequest, asked_of, known_answers, unjudgeable
from poolhouse.pooling.budgets import equal_shares
from poolhouse.pooling.choosing import Chooser, documents_by_value, is_known, next_documents
from poolhouse.pooling.drawing import drawn_design, sampling_frame
from poolhouse.pooling.known_strategies import Strategy, strategy_named
from poolhouse.pooling.recording import on_earlier_lists
from poolhouse.pooling.validating import VALIDATION_OF, drawn_validation
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole import refuse_unwritable


@dataclass(frozen=True)
class AssessorsList:
    """The documents to judge next, in the order of the list: `topic_id`, `doc_id` and `place`.

    `place` is the place in the topic as the strategy chose; a sample has none.
    `n_judged` counts the documents of the pool that are judged; for a strategy that needs answers,
    the documents of the runs. `titles` has the titles of topics. `design` has the probabilities of
    a sampled pool, as sampling.py returns them. `remarks` say what is odd about the list.
    """

    documents: pl.DataFrame
    n_judged: int
    titles: Mapping[str, str] = field(default_factory=dict)
    design: pl.DataFrame | None = None
    remarks: tuple[str, ...] = ()

    def lines(self) -> str:
        """Return the lines of the file: qrels without grades, below the title of each topic."""
        return "".join(f"{line}\n" for line in self._lines())

    def part(self, documents: pl.DataFrame, order: str, seed: int) -> Self:
        """Return the list of an assessor who judges some of the documents."""
        return replace(self, documents=in_order(documents, order, seed))

    def _lines(self) -> Iterator[str]:
        before = None
        for topic_id, doc_id, *_ in self.documents.rows():
            title = " ".join(self.titles.get(topic_id, "").split())
            if title and topic_id != before:
                yield printable(f"{COMMENT_MARK} topic {topic_id}: {title}")
            before = topic_id
            yield f"{topic_id} 0 {doc_id}"


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
    their ids, so that the list does not show their ranks. A document that cannot be judged is not
    listed again, and another document takes its place in the budget, except in a sample. The
    strategy VALIDATION_OF and an author draws a sample of the labels of this author. Raise
    PoolhouseError where the strategy is unknown, and where an id holds a blank. Raise
    UnknownCollectionError, and the errors of the warehouse.
    """
    with asked_of(warehouse, request) as connection:
        is_validation = strategy.startswith(VALIDATION_OF)
        chosen = None if is_validation else strategy_named(connection, strategy)
        known = known_answers(connection, request.collection)
        closed = unjudgeable(connection, request.collection)
        seen = {
            topic_id: {**closed.get(topic_id, {}), **known.get(topic_id, {})}
            for topic_id in known.keys() | closed.keys()
        }
        design = None
        if chosen and chosen.needs_answers:
            lines = Chooser(connection, request).lines
            documents = next_documents(lines, request, strategy, seen, batch)
            n_judged, n_closed = (int(lines.n_known(each).sum()) for each in (known, closed))
        else:
            if chosen is None:
                design = drawn_validation(connection, request, strategy, seen, batch)
                pool, batch = design.filter("is_sampled"), None
            elif chosen.kind == "sampled":
                design = drawn_design(sampling_frame(connection), request, strategy)
                # Shuffled, so that a batch is a random part of the sample.
                pool = in_order(design.filter("is_sampled"), "shuffled", request.seed)
            else:
                pool = _pool(connection, request, chosen, closed)
            documents = _batch_of(pool.filter(~is_known(pool, seen)), batch)
            n_judged, n_closed = (int(is_known(pool, each).sum()) for each in (known, closed))
        ids = pl.concat((documents["topic_id"], documents["doc_id"]))
        for odd in ids.filter(ids.str.contains(" ")).head(1):
            raise PoolhouseError(f"{odd!r} holds a blank, so that no line of a list can hold it")
        return AssessorsList(
            in_order(documents, order, request.seed),
            n_judged,
            topic_titles(connection, request.collection),
            design,
            tuple(_remarks(connection, request.collection, documents, n_closed)),
        )


def _pool(
    connection: duckdb.DuckDBPyConnection, request: PoolRequest, strategy: Strategy, closed: Known
) -> pl.DataFrame:
    """Return the pool of a strategy that needs no answers, in the order of its choice.

    The documents that cannot be judged are added to the budget. Raise PoolhouseError where it buys
    no document.
    """
    larger = replace(request, budget=request.budget + sum(map(len, closed.values())))
    pool = Chooser(connection, larger).documents(strategy, {}).sort("cost", "topic_id", "doc_id")
    whole = pl.col("topic_id") if request.is_per_topic else pl.lit(0)
    # Of the documents that are as dear as this one, or cheaper.
    n_closed = pl.col("n_closed").max().over(whole, "cost")
    pool = pool.with_columns(n_closed=is_known(pool, closed).cast(pl.Int64)).with_columns(
        pl.col("n_closed").cum_sum().over(whole)
    )
    pool = pool.filter(pl.col("cost") - n_closed <= request.budget)
    if pool.is_empty():
        raise PoolhouseError(_too_small(connection, request, strategy.name))
    return pool


def _too_small(connection: duckdb.DuckDBPyConnection, request: PoolRequest, strategy: str) -> str:
    smallest = documents_by_value(connection, strategy, None)["cost"].to_numpy().min()
    return (
        f"a budget of {request.budget} buys no document by {strategy!r}: the smallest "
        f"pool has {smallest}"
    )


def _remarks(
    connection: duckdb.DuckDBPyConnection, collection: str, documents: pl.DataFrame, n_closed: int
) -> Iterator[str]:
    if n_closed:
        yield f"{counted(n_closed, 'document')} of the pool cannot be judged, and no list has them"
    earlier = on_earlier_lists(connection, collection, documents)
    if not earlier.is_empty():
        lists = earlier.group_by("list_number", "made_on").len().sort("list_number")
        n_documents = earlier.select("topic_id", "doc_id").n_unique()
        yield (
            f"{n_documents} of these documents are on earlier lists, and have no answer: "
            + some_of([f"{n} of list {number} ({day})" for number, day, n in lists.iter_rows()])
            + ". Load the answers first, or two people judge these documents"
        )


def topic_titles(connection: duckdb.DuckDBPyConnection, collection: str) -> dict[str, str]:
    """Return the loaded titles of topics, by topic."""
    rows = connection.execute(
        """
        select topics.query, topics.title
        from raw.topics as topics
        inner join raw.collections as collections using (collection_key)
        where collections.collection_id = $collection
        """,
        {"collection": collection},
    )
    return dict(rows.fetchall())


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
    """Raise PoolhouseError where a list exists, as answers may be in it, or cannot be written."""
    if file.exists():
        raise PoolhouseError(
            f"{file}: exists, and may hold answers: load them (poolhouse pool load), or name "
            "another file"
        )
    refuse_unwritable(file)
