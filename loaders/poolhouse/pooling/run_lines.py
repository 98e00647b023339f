"""The lines of the runs of a planned pool, topic by topic, with documents in the order of ids."""

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl

from poolhouse.pooling.asking import Known
from poolhouse.pooling.budgets import Counts
from poolhouse.pooling.lists import Integers, TopicLists
from poolhouse.warehouse.frames import rows_of

# The lines of the pool that variables name (`asking.ask_for`).
POOLED_LINES = """
intermediate.int_pooled_lines(
    getvariable('pool_collection'),
    'take',
    getvariable('pool_runs'),
    getvariable('pool_every_topic')
)
"""
_LINES = f"select topic_key, doc_key, run_key, rank from {POOLED_LINES}"  # noqa: S608 - own words
_RUNS = """
select run_key, organization
from intermediate.int_planned_runs(getvariable('pool_collection'), getvariable('pool_runs'), false)
order by run_id
"""
_TOPICS = """
select topics.topic_key, topics.topic_id
from intermediate.int_topics as topics
inner join intermediate.int_collections as collections using (collection_key)
where collections.collection_id = getvariable('pool_collection')
"""
_DOCUMENTS = """
select documents.doc_key, documents.doc_id
from intermediate.int_documents as documents
inner join intermediate.int_collections as collections using (collection_key)
where collections.collection_id = getvariable('pool_collection')
order by documents.doc_id
"""


@dataclass(frozen=True)
class TopicLines:
    """A topic of a pool: its documents in the order of their ids, and the lists of the runs."""

    topic_id: str
    doc_ids: pl.Series
    of_runs: TopicLists
    of_organizations: TopicLists


class PooledLines:
    """The lists of all topics of a planned pool."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read the lists of the pool that variables name (`asking.ask_for`).

        Raise the errors of the engine for an unknown collection or run.
        """
        runs = rows_of(connection, _RUNS).with_row_index("run")
        topics = rows_of(connection, _TOPICS)
        documents = rows_of(connection, _DOCUMENTS)
        lines = rows_of(connection, _LINES)
        self._doc_ids = documents["doc_id"]
        self._n_runs = runs.height
        self._organizations = runs["organization"].rank("dense").to_numpy().astype(np.int32) - 1
        self._lines = dict(
            lines.join(topics, on="topic_key")
            .join(runs, on="run_key")
            .join(documents.with_row_index("document"), on="doc_key")
            .select("topic_id", "document", "run", "rank")
            .sort("topic_id", "run", "rank")
            .partition_by("topic_id", as_dict=True, include_key=False, maintain_order=True)
        )
        self.topic_ids = [str(topic_id) for (topic_id,) in self._lines]
        self.n_documents = np.array(
            [each["document"].n_unique() for each in self._lines.values()], dtype=np.int64
        )

    def n_known(self, known: Known) -> Counts:
        """Return the number of documents of each topic that are judged."""
        counts = []
        for topic_id, lines in zip(self.topic_ids, self._lines.values(), strict=True):
            answers = known.get(topic_id, {})
            documents = self._doc_ids.gather(lines["document"].unique()) if answers else ()
            counts.append(sum(doc_id in answers for doc_id in documents))
        return np.array(counts, dtype=np.int64)

    def topics(self, depths: Integers | None = None) -> Iterator[TopicLines]:
        """Return the topics, with lists down to the depth of each topic where depths are given."""
        for number, ((topic_id,), lines) in enumerate(self._lines.items()):
            read = lines.filter(pl.col("rank") <= depths[number]) if depths is not None else lines
            documents, places = np.unique(read["document"].to_numpy(), return_inverse=True)
            numbers = places.astype(np.int32)
            runs, ranks = read["run"].to_numpy(), read["rank"].to_numpy()
            yield TopicLines(
                str(topic_id),
                self._doc_ids[documents.astype(np.int64)],
                TopicLists.from_lines(numbers, runs, self._n_runs, len(documents)),
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
