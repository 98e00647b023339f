"""Runs of a new organization that return what nobody else does, in collections of the archive.

Nobody knows the relevance of their unjudged documents. They are documents of other topics, or
documents at deep ranks of the pooled runs, so that nearly none should be relevant.
"""

from random import Random

import polars as pl

from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

SOURCES = ("TREC-2", "TREC-8", "TREC-8, depth 10")
MEASURE = "P@10"
CUTOFF = 10
DEEP = 500
SEED = 3
_BEST = """
    select run_id from adjusted_leaderboard
    where collection_id = $collection and measure = $measure and is_pooled
    order by score desc, run_id limit 1
"""
_RANKING = """
    select topics.topic_id, documents.doc_id, rankings.rank
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    semi join intermediate.int_judged_topics as judged
        on topics.collection_key = judged.collection_key and topics.topic_key = judged.topic_key
    where collections.collection_id = $collection and runs.run_id = $run
    order by topics.topic_id, rankings.rank
"""
# Documents that no pooled run returns above a deep rank.
_DEEP = """
    select topics.topic_id, documents.doc_id
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    inner join intermediate.int_pooled_runs as pooled using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    semi join intermediate.int_judged_topics as judged
        on topics.collection_key = judged.collection_key and topics.topic_key = judged.topic_key
    where collections.collection_id = $collection
    group by all
    having min(rankings.rank) > $deep
    order by all
"""
Ranking = dict[str, list[str]]


def table(warehouse: Warehouse) -> tuple[str, list[str], list[tuple[str, ...]]]:
    """Return one line for each run: what is estimated for it, and what is advised."""
    lines = []
    for source in SOURCES:
        best, deep = _rankings(warehouse, source)
        random = Random(SEED)  # noqa: S311 - no secret
        others = _of_other_topics(best, random)
        runs = {
            "documents of other topics": others,
            f"documents that pooled runs return below rank {DEEP}": {
                topic: random.sample(documents, min(CUTOFF, len(documents)))
                for topic, documents in deep.items()
            },
            "the best pooled run's top, and documents of other topics in turn": {
                topic: [
                    doc for pair in zip(best[topic], others[topic], strict=False) for doc in pair
                ]
                for topic in best
            },
        }
        for name, run in runs.items():
            top = {topic: documents[:CUTOFF] for topic, documents in run.items()}
            lines.append((source, name, *_advised(warehouse, source, top)))
    columns = [
        "pool", "run", "unjudged", "unadjusted", "W & P", "expected relevance", "95 %",
        "upper bound", "advice",
    ]  # fmt: skip
    return f"{MEASURE} of runs that nobody judged", columns, lines


def _rankings(warehouse: Warehouse, source: str) -> tuple[Ranking, Ranking]:
    """Return the ranking of the best pooled run, and the documents at deep ranks."""
    with warehouse.read() as connection:
        values: dict[str, object] = {"collection": source, "measure": MEASURE}
        [best] = rows_of(connection, _BEST, values)["run_id"]
        frames = (
            rows_of(connection, _RANKING, {"collection": source, "run": best}),
            rows_of(connection, _DEEP, {"collection": source, "deep": DEEP}),
        )
    top, deep = (
        dict(rows.group_by("topic_id", maintain_order=True).agg("doc_id").iter_rows())
        for rows in frames
    )
    return top, deep


def _of_other_topics(ranking: Ranking, random: Random) -> Ranking:
    everything = sorted({doc for documents in ranking.values() for doc in documents})
    return {
        topic: [doc for doc in random.sample(everything, 4 * CUTOFF) if doc not in set(documents)][
            :CUTOFF
        ]
        for topic, documents in ranking.items()
    }


def _advised(warehouse: Warehouse, source: str, ranking: Ranking) -> tuple[str, ...]:
    run = pl.DataFrame(
        [
            {"query": topic, "docno": document, "score": float(-rank)}
            for topic, documents in ranking.items()
            for rank, document in enumerate(documents)
        ]
    )
    scores = adjust(warehouse, source, run).scores.filter(measure=MEASURE, unjudged="nonrelevant")
    rows = {row["estimator"]: row for row in scores.iter_rows(named=True)}
    own, plain = rows["expected_relevance"], rows["unadjusted"]
    low, high = own["ci_95_low"], own["ci_95_high"]
    return (
        f"{plain['n_unjudged'] / plain['n_top_documents']:.0%}",
        f"{plain['unadjusted_score']:.3f}",
        f"{rows['webber_park_systems']['clipped_score']:.3f}",
        f"{own['clipped_score']:.3f}",
        f"{max(low, own['lower_bound']):.3f} to {min(high, own['upper_bound_if_pooled']):.3f}",
        f"{own['upper_bound_if_pooled']:.3f}",
        str(own["advice"]),
    )
