"""Compute planned pools by brute force: count the top documents of runs, one by one.

Every function that is named after a table macro returns the macro's rows: natural key to values.
"""

from collections.abc import Sequence
from itertools import product

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
