"""Choosing the documents of a pool, by any strategy that does not draw at random."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from zlib import crc32

import duckdb
import polars as pl

from poolhouse.pooling.asking import Known, PoolRequest
from poolhouse.pooling.budgets import equal_shares
from poolhouse.pooling.known_strategies import Strategy
from poolhouse.pooling.run_lines import PooledLines, TopicLines
from poolhouse.pooling.strategies import READ_FROM_THE_TOP, STRATEGIES, Topic
from poolhouse.warehouse.frames import rows_of

# The share of the first documents that each pool of the table chosen_pools lacks.
UNJUDGED_SHARES = """
select * from chosen_pools_unjudged(
    getvariable('pool_collection'),
    'chosen_pools',
    getvariable('pool_runs'),
    getvariable('pool_every_topic')
)
"""

SCHEMA = {"topic_id": pl.String, "doc_id": pl.String, "place": pl.Int32}


class Chooser:
    """Chooses the documents of a pool. It reads the lines of runs when a strategy needs them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, request: PoolRequest) -> None:
        """Choose for the request of `ask_for`."""
        self._connection = connection
        self._request = request

    @cached_property
    def lines(self) -> PooledLines:
        """The lines of the runs."""
        return PooledLines(self._connection)

    def documents(self, strategy: Strategy, known: Known) -> pl.DataFrame:
        """Return the pool of a strategy that does not draw, with the `cost` of each document.

        A document that is not known counts as not relevant.
        """
        if strategy.is_in_sql:
            return documents_by_value(self._connection, strategy.name, self._request.budget)
        return simulated_documents(self.lines, self._request, strategy.name, known)


def is_known(documents: pl.DataFrame, known: Known) -> pl.Series:
    """Return whether each of the documents has an answer."""
    keys = documents.select("topic_id", "doc_id").iter_rows()
    return pl.Series(
        [doc_id in known.get(topic_id, ()) for topic_id, doc_id in keys], dtype=pl.Boolean
    )


def documents_by_value(
    connection: duckdb.DuckDBPyConnection, strategy: str, budget: int | None
) -> pl.DataFrame:
    """Return the pool of a strategy in SQL, of the request of `ask_for`.

    The columns are those of pool_documents. Without a budget, every document of a run of the pool
    is returned.
    """
    connection.execute("set variable pool_strategy = ?", [strategy])
    connection.execute("set variable pool_budget = cast(? as bigint)", [budget])
    return rows_of(
        connection,
        """
        select * from planning.pool_documents(
            getvariable('pool_collection'),
            getvariable('pool_strategy'),
            getvariable('pool_budget'),
            is_per_topic := getvariable('pool_is_per_topic'),
            of_runs := getvariable('pool_runs'),
            is_of_every_topic := getvariable('pool_every_topic')
        )
        """,
    )


def simulated_documents(
    lines: PooledLines, request: PoolRequest, strategy: str, known: Known
) -> pl.DataFrame:
    """Return the pool of a strategy in Python, where every document is answered at once.

    A document that nobody judged counts as not relevant for the strategy. Beside the columns of
    SCHEMA, in which `place` is the place of the document within its topic, from 1, there is `cost`,
    the smallest budget whose pool has the document.
    """
    shares = request.shares(lines.n_documents)
    depths = shares if strategy in READ_FROM_THE_TOP else None
    chosen = (
        (topic, islice(_documents(topic, strategy, known, request.seed), share))
        for topic, share in zip(lines.topics(depths), shares, strict=True)
    )
    pool = _frame((topic, list(documents)) for topic, documents in chosen)
    if request.is_per_topic:
        return pool.with_columns(cost=pl.col("place").cast(pl.Int64))
    return pool.sort("place", "topic_id").with_columns(
        cost=pl.int_range(1, pl.len() + 1, dtype=pl.Int64)
    )


def next_documents(
    lines: PooledLines, request: PoolRequest, strategy: str, known: Known, batch: int | None
) -> pl.DataFrame:
    """Return the next documents to judge, of which none is in `known`.

    The strategy is followed from its beginning with the answers in `known`. Until the batch is
    answered, its documents count as not relevant. What is known of the documents of the runs counts
    towards the budget, unless it cannot be judged. The topics share the batch, of at most `batch`
    documents, equally. The columns are those of SCHEMA.
    """
    n_known = lines.n_known(known)
    closed = {
        topic_id: {each: None for each, is_relevant in answers.items() if is_relevant is None}
        for topic_id, answers in known.items()
    }
    left = request.shares_left(lines.n_documents, n_known, lines.n_known(closed))
    shares = left if batch is None else equal_shares(batch, left)
    reads_top = strategy in READ_FROM_THE_TOP
    depths = shares + n_known if reads_top else None

    def unanswered() -> Iterator[tuple[TopicLines, list[int]]]:
        for topic, share in zip(lines.topics(depths), shares, strict=True):
            answers = known.get(topic.topic_id, {})
            documents = (
                each
                for each in _documents(topic, strategy, known, request.seed)
                if topic.doc_ids[each] not in answers
            )
            yield topic, list(islice(documents, share))

    return _frame(unanswered())


def _documents(topic: TopicLines, strategy: str, known: Known, seed: int) -> Iterator[int]:
    """Return the documents in the order of a strategy, each answered before the next."""
    answers = known.get(topic.topic_id, {})
    is_relevant = [bool(answers.get(doc_id)) for doc_id in topic.doc_ids.to_list()]
    seed_of_topic = crc32(f"{seed} {topic.topic_id}".encode())
    return STRATEGIES[strategy](
        Topic(topic.of_runs, topic.of_organizations, is_relevant.__getitem__, seed_of_topic)
    )


def _frame(chosen: Iterator[tuple[TopicLines, list[int]]]) -> pl.DataFrame:
    return pl.concat(
        [
            pl.DataFrame(schema=SCHEMA),
            *(
                pl.DataFrame(
                    {
                        "topic_id": [topic.topic_id] * len(documents),
                        "doc_id": topic.doc_ids[documents],
                        "place": range(1, len(documents) + 1),
                    },
                    schema=SCHEMA,
                )
                for topic, documents in chosen
            ),
        ]
    )
