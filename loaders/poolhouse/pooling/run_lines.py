"""The lines of the runs of a planned pool, topic by topic, with documents in the order of ids."""

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl

from poolhouse.pooling.asking import Known
from poolhouse.pooling.budgets import Counts
from poolhouse.pooling.lists import Integers, TopicLists
from poolhouse.warehouse.frames import put_table, rows_of

# The lines of the pool that variables name (`asking.ask_for`).
POOLED_LINES = """
intermediate.int_pooled_lines(
    getvariable('pool_collection'),
    'take',
    getvariable('pool_runs'),
    getvariable('pool_every_topic')
)
"""
_RUNS = """
select run_key, organization
from intermediate.int_planned_runs(getvariable('pool_collection'), getvariable('pool_runs'), false)
order by run_id
"""
_TOPICS = f"""
with documents as (
    select collection_key, topic_key, doc_key, count(*) as n_lines
    from {POOLED_LINES}
    group by all
)
select
    topics.topic_id,
    topic_key,
    count(*) as n_documents,
    cast(sum(n_lines) as bigint) as n_lines
from documents
inner join intermediate.int_topics as topics using (collection_key, topic_key)
group by all
order by topics.topic_id
"""  # noqa: S608 - own words
_N_KNOWN = f"""
select topics.topic_id, count(distinct lines.doc_key) as n_known
from known_documents as known
inner join intermediate.int_collections as collections
    on collections.collection_id = getvariable('pool_collection')
inner join intermediate.int_topics as topics using (collection_key, topic_id)
inner join intermediate.int_documents as documents using (collection_key, doc_id)
inner join {POOLED_LINES} as lines using (collection_key, topic_key, doc_key)
group by topics.topic_id
"""  # noqa: S608 - own words
# The next topics, each down to its depth.
_READ_LINES = f"""
create or replace temp table read_lines as
select lines.collection_key, lines.topic_key, lines.doc_key, lines.run_key, lines.rank
from {POOLED_LINES} as lines
inner join read_topics as topics
    on lines.topic_key = topics.topic_key and lines.rank <= topics.depth
"""  # noqa: S608 - own words
_READ_DOCUMENTS = """
select documents.doc_key, documents.doc_id
from intermediate.int_documents as documents
semi join read_lines using (collection_key, doc_key)
order by documents.doc_id
"""

# Topics are read together up to so many lines, to bound the memory. Each reading goes through
# all lines of the warehouse, so that many of them would take long.
_LINES_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class TopicLines:
    """A topic of a pool: its documents in the order of their ids, and the lists of the runs."""

    topic_id: str
    doc_ids: pl.Series
    of_runs: TopicLists
    of_organizations: TopicLists


class PooledLines:
    """The lists of the topics of a planned pool, of which a few are read at once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Count the documents of the pool that variables name (`asking.ask_for`).

        Raise the errors of the engine for an unknown collection or run.
        """
        self._connection = connection
        self._runs = rows_of(connection, _RUNS).with_row_index("run")
        self._organizations = (
            self._runs["organization"].rank("dense").to_numpy().astype(np.int32) - 1
        )
        self._topics = rows_of(connection, _TOPICS)
        self.topic_ids: list[str] = self._topics["topic_id"].to_list()
        self.n_documents: Counts = self._topics["n_documents"].to_numpy()

    def n_known(self, known: Known) -> Counts:
        """Return the number of documents of each topic that are judged."""
        rows = [(topic_id, doc_id) for topic_id, answers in known.items() for doc_id in answers]
        schema = {"topic_id": pl.String, "doc_id": pl.String}
        put_table(self._connection, "known_documents", pl.DataFrame(rows, schema, orient="row"))
        counts = dict(rows_of(self._connection, _N_KNOWN).rows())
        return np.array([counts.get(each, 0) for each in self.topic_ids], dtype=np.int64)

    def topics(self, depths: Counts | None = None) -> Iterator[TopicLines]:
        """Return the topics, with lists down to the depth of each topic where depths are given."""
        read = self._topics.with_columns(depth=self.n_documents if depths is None else depths)
        lines = pl.min_horizontal("n_lines", pl.col("depth") * self._runs.height)
        groups = read.with_columns(group=(lines.cum_sum() - 1) // _LINES_AT_ONCE)
        for group in groups.partition_by("group", maintain_order=True):
            yield from self._read(group)

    def _read(self, topics: pl.DataFrame) -> Iterator[TopicLines]:
        put_table(self._connection, "read_topics", topics.select("topic_key", "depth"))
        self._connection.execute(_READ_LINES)
        documents = rows_of(self._connection, _READ_DOCUMENTS).with_row_index("document")
        of_topics = (
            rows_of(self._connection, "select topic_key, doc_key, run_key, rank from read_lines")
            .join(self._runs, on="run_key")
            .join(documents, on="doc_key")
            .select("topic_key", "document", "run", "rank")
            .sort("topic_key", "run", "rank")
            .partition_by("topic_key", as_dict=True, include_key=False, maintain_order=True)
        )
        nothing = pl.DataFrame(schema={"document": pl.UInt32, "run": pl.UInt32, "rank": pl.Int32})
        for topic_id, topic_key in topics.select("topic_id", "topic_key").rows():
            lines = of_topics.get((topic_key,), nothing)
            yield self._lists(topic_id, documents["doc_id"], lines)

    def _lists(self, topic_id: str, doc_ids: pl.Series, lines: pl.DataFrame) -> TopicLines:
        documents, places = np.unique(lines["document"].to_numpy(), return_inverse=True)
        numbers = places.astype(np.int32)
        runs, ranks = lines["run"].to_numpy(), lines["rank"].to_numpy()
        return TopicLines(
            topic_id,
            doc_ids.gather(documents),
            TopicLists.from_lines(numbers, runs, self._runs.height, len(documents)),
            self._of_organizations(numbers, runs, ranks, len(documents)),
        )

    def _of_organizations(
        self, numbers: Integers, runs: Integers, ranks: Integers, n_documents: int
    ) -> TopicLists:
        """Merge the lists of each organization by the best rank of a document, then by its id."""
        merged = (
            pl.DataFrame(
                {"number": numbers, "organization": self._organizations[runs], "rank": ranks}
            )
            .group_by("organization", "number")
            .agg(pl.col("rank").min())
            .sort("organization", "rank", "number")
        )
        organizations = merged["organization"].to_numpy()
        n = int(self._organizations.max()) + 1
        return TopicLists.from_lines(merged["number"].to_numpy(), organizations, n, n_documents)
