"""Compute planned pools by brute force: count the top documents of runs, one by one.

Every function that is named after a table macro returns the macro's rows: natural key to values.
"""

import math
from collections.abc import Sequence
from itertools import product
from statistics import median
from typing import Any

from reference import Pair, Reference, Rows, mean, pooling_order


def topics_to_judge(reference: Reference) -> list[str]:
    """Return the topics of a pool: the judged ones, or the answered ones where none is judged."""
    answered = {line.topic for lines in reference.collection.runs.values() for line in lines}
    return reference.topics or sorted(answered)


def runs_to_pool(reference: Reference) -> list[str]:
    """Return the runs of the pool; where nothing is judged, the declared runs, or else all runs."""
    states = {run: reference.is_pooled(run) for run in reference.collection.runs}
    return [
        run for run, state in states.items() if state or (state is None and not reference.topics)
    ]


def top(reference: Reference, run: str, depth: int) -> set[Pair]:
    """Return a run's contributions to a pool of a depth: its top documents, in pooling order."""
    topics, order = topics_to_judge(reference), reference.collection.pooling_order
    lines = reference.collection.runs[run]
    return {
        (topic, document)
        for topic in topics
        for document in pooling_order([x for x in lines if x.topic == topic], order)[:depth]
    }


def topic_pool_sizes(reference: Reference, depths: Sequence[int], runs: Sequence[str]) -> Rows:
    """Return one row per topic and depth."""
    rows: Rows = {}
    for topic, depth in product(topics_to_judge(reference), depths):
        tops = {run: {x for x in top(reference, run, depth) if x[0] == topic} for run in runs}
        pool = set().union(*tops.values())
        runs_of = {pair: [run for run in runs if pair in tops[run]] for pair in pool}
        organizations_of = {
            pair: {reference.organization(run) for run in runs_of[pair]} for pair in pool
        }
        rows[topic, depth] = {
            "n_runs": sum(1 for each in tops.values() if each),
            "n_contributions": sum(len(each) for each in tops.values()),
            "n_documents": len(pool),
            "n_judged": len(pool & reference.judged),
            "n_of_one_run": sum(len(each) == 1 for each in runs_of.values()),
            "n_of_one_organization": sum(len(each) == 1 for each in organizations_of.values()),
        }
    return rows


def pool_sizes(reference: Reference, depths: Sequence[int], runs: Sequence[str]) -> Rows:
    """Return one row per depth."""
    of_topics = topic_pool_sizes(reference, depths, runs)
    rows: Rows = {}
    for depth in depths:
        of_depth = [row for (_, each), row in of_topics.items() if each == depth]
        sizes = [int(row["n_documents"] or 0) for row in of_depth]
        summed = {
            name: sum(int(row[name] or 0) for row in of_depth)
            for name in of_depth[0]
            if name != "n_runs"
        }
        rows[(depth,)] = {
            **summed,
            "n_runs": len(runs),
            "n_topics": len(of_depth),
            "documents_per_topic": mean(sizes),
            "least_documents": min(sizes),
            "most_documents": max(sizes),
        }
    return rows


def run_contributions(reference: Reference, depths: Sequence[int], runs: Sequence[str]) -> Rows:
    """Return one row per run and depth."""
    rows: Rows = {}
    for run, depth in product(runs, depths):
        own = top(reference, run, depth)
        others = [other for other in runs if other != run]
        outsiders = [other for other in others if reference.is_other(other, run, "organization")]
        by_others = set().union(*(top(reference, other, depth) for other in others))
        by_outsiders = set().union(*(top(reference, other, depth) for other in outsiders))
        rows[run, depth] = {
            "organization": reference.organization(run),
            "n_topics": len({topic for topic, _ in own}),
            "n_documents": len(own),
            "n_judged": len(own & reference.judged),
            "n_of_one_run": len(own - by_others),
            "n_of_one_organization": len(own - by_outsiders),
        }
    return rows


def run_overlaps(reference: Reference, depths: Sequence[int], runs: Sequence[str]) -> Rows:
    """Return one row per run, other run and depth."""
    rows: Rows = {}
    for run, other, depth in product(runs, runs, depths):
        if run != other:
            own, others = top(reference, run, depth), top(reference, other, depth)
            rows[run, other, depth] = {
                "n_documents": len(own),
                "n_other_documents": len(others),
                "n_shared": len(own & others),
                "overlap": len(own & others) / len(own | others) if own | others else None,
            }
    return rows


def unjudged_shares(
    reference: Reference, pool: set[Pair], runs: Sequence[str]
) -> tuple[float, float]:
    """Return the mean share of the runs' first ten documents that a pool lacks.

    The second share also lacks what leaves the pool with the organization of the run.
    """
    deepest: dict[str, int] = {}
    for topic, document in pool:
        best = next(
            depth
            for depth in range(1, 10_000)
            if any((topic, document) in top(reference, run, depth) for run in runs)
        )
        deepest[topic] = max(deepest.get(topic, 0), best)
    as_it_is, left_out = [], []
    for run in runs:
        others = [each for each in runs if reference.is_other(each, run, "organization")]
        stay = {
            (topic, document)
            for other in others
            for depth in set(deepest.values())
            for topic, document in top(reference, other, depth) & pool
            if deepest[topic] == depth
        }
        first = top(reference, run, 10)
        if first:
            as_it_is.append(len(first - pool) / len(first))
            left_out.append(len(first - stay) / len(first))
    return mean(as_it_is), mean(left_out)


Lists = dict[str, list[str]]
Scores = dict[str, dict[str, float]]


def value_of(strategy: str, document: str, lists: Lists, scores: Scores) -> float:
    """Return the value by which a strategy orders a document of one topic."""
    ranks = {run: each.index(document) + 1 for run, each in lists.items() if document in each}
    normalized = [scores[run][document] for run in ranks]
    n_documents = len({each for documents in lists.values() for each in documents})
    values = {
        "rrf": math.fsum(1 / (60 + rank) for rank in ranks.values()),
        "comb_sum": math.fsum(normalized),
        "comb_mnz": math.fsum(normalized) * len(normalized),
        "comb_max": max(normalized),
        "comb_med": median(normalized),
        "dcg": math.fsum(1 / math.log2(rank + 1) for rank in ranks.values()),
        "rbp_a": math.fsum(0.2 * 0.8 ** (rank - 1) for rank in ranks.values()),
        "perfect_precision": len(ranks),
        # A run gives the documents that it lacks the mean of the points that are left.
        "borda": math.fsum(
            n_documents - ranks[run] + 1 if run in ranks else (n_documents - len(documents) + 1) / 2
            for run, documents in lists.items()
            if documents
        ),
    }
    # Sums are compared to 12 decimals.
    return round(values.get(strategy, -min(ranks.values())), 12)


def normalized_scores(reference: Reference, topic: str, run: str) -> dict[str, float]:
    """Return the best score of each document, from 0 for the lowest to 1 for the highest."""
    best: dict[str, float] = {}
    for line in reference.collection.runs[run]:
        if line.topic == topic:
            best[line.document] = max(line.score, best.get(line.document, line.score))
    low, high = min(best.values(), default=0), max(best.values(), default=0)
    return {key: (each - low) / (high - low) if high > low else 1.0 for key, each in best.items()}


def pool_documents(
    reference: Reference, strategy: str, budget: int | None, runs: Sequence[str]
) -> Rows:
    """Return one row per topic and document of the pool."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for topic in topics_to_judge(reference):
        scores = {run: normalized_scores(reference, topic, run) for run in runs}
        lists = {
            run: pooling_order(
                [x for x in reference.collection.runs[run] if x.topic == topic],
                reference.collection.pooling_order,
            )
            for run in runs
        }
        documents: dict[str, dict[str, Any]] = {}
        for document in {each for of_run in lists.values() for each in of_run}:
            ranks = sorted(of.index(document) + 1 for of in lists.values() if document in of)
            documents[document] = {
                "best_rank": ranks[0],
                "next_rank": ranks[1] if len(ranks) > 1 else None,
                "n_runs": len(ranks),
                "is_judged": (topic, document) in reference.judged,
            }
        values = {each: value_of(strategy, each, lists, scores) for each in documents}
        ordered = sorted(
            documents,
            key=lambda each: (
                -values[each],
                documents[each]["best_rank"],
                -documents[each]["n_runs"],
                each,
            ),
        )
        for place, document in enumerate(ordered, 1):
            rows[topic, document] = {"place": place, **documents[document]}
    for cost, key in enumerate(sorted(rows, key=lambda key: _turn(strategy, key, rows[key])), 1):
        rows[key]["cost"] = cost
    if strategy == "depth":
        best_ranks = [row["best_rank"] for row in rows.values()]
        for row in rows.values():
            row["cost"] = sum(each <= row["best_rank"] for each in best_ranks)
    return {
        (topic, document): row
        for (topic, document), row in rows.items()
        if budget is None or row["cost"] <= budget
    }


def _turn(strategy: str, key: tuple[str, str], row: dict[str, Any]) -> tuple[Any, ...]:
    """Return the order in which documents of all topics are chosen."""
    if strategy == "take":
        return row["best_rank"], -row["n_runs"], *key
    return row["place"], *key
