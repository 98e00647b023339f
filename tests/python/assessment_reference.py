"""Evaluate runs without judgements by brute force: assessment, popularity, and pseudo-qrels.

The definitions are from Baillie et al. 2008, sections 3.1, 4.2.4 and 5. The methods of Soboroff et
al. 2001 and Aslam & Savell 2003 are here as Baillie et al. describe them. Every function that is
named after a table macro returns the macro's rows: natural key to values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import stdev

from scipy.stats import kendalltau

from experiments_reference import lot
from measures_reference import over_topics, score_of
from planning_reference import top, topics_to_judge
from reference import Pair, Reference, Rows, Value, mean, nine_decimals, scoring_order


@dataclass(frozen=True)
class Draws:
    """Settings of pseudo-qrels: how they are drawn, and the measure that scores runs by them."""

    measure: str
    share: float
    repetitions: int
    seed: int


def ranking(reference: Reference, run: str, topic: str) -> list[str]:
    """Return the documents of a run on a topic, in the order for scoring."""
    return scoring_order(line for line in reference.collection.runs[run] if line.topic == topic)


def pool_of(reference: Reference, depth: int, runs: Sequence[str]) -> set[Pair]:
    """Return the documents in the pool of some runs."""
    return set().union(*(top(reference, run, depth) for run in runs))


def mean_or_none(values: Sequence[float]) -> float | None:
    """Return the mean of the values; None where there are no values."""
    return mean(values) if values else None


def planned_assessment(
    reference: Reference, depth: int, cutoffs: Sequence[int], runs: Sequence[str]
) -> Rows:
    """Return one row per run and cutoff; `runs` are the runs of the pool."""
    pool = pool_of(reference, depth, runs)
    topics = topics_to_judge(reference)
    assessments: dict[tuple[str, int], dict[str, float]] = {}
    for run, cutoff in product(reference.collection.runs, {*cutoffs, depth}):
        rankings = {topic: ranking(reference, run, topic) for topic in topics}
        assessments[run, cutoff] = {
            topic: sum((topic, document) in pool for document in of_topic[:cutoff]) / cutoff
            for topic, of_topic in rankings.items()
            if of_topic
        }
    rows: Rows = {}
    for (run, cutoff), of_topics in assessments.items():
        own = mean_or_none(list(of_topics.values()))
        others = mean_or_none(
            [
                mean(list(each.values()))
                for (other, at), each in assessments.items()
                if at == cutoff and other != run and each
            ]
        )
        lowest = min(of_topics, key=lambda topic: (of_topics[topic], topic), default=None)
        at_depth = mean_or_none(list(assessments[run, depth].values()))
        rows[run, cutoff] = {
            "depth": depth,
            "organization": reference.organization(run),
            "is_planned": run in runs,
            "n_topics": len(of_topics),
            "assessment": own,
            "assessment_all_topics": sum(of_topics.values()) / len(topics),
            "lowest_topic_id": lowest,
            "lowest_assessment": None if lowest is None else of_topics[lowest],
            "others_assessment": others,
            "difference": None if own is None or others is None else own - others,
            "drop_off": None if own is None or at_depth is None else at_depth - own,
        }
    return rows


def overlap(one: set[Pair], other: set[Pair]) -> float | None:
    """Return how large a share of the documents of either set is in both sets."""
    return len(one & other) / len(one | other) if one or other else None


def run_popularity(reference: Reference, depth: int, runs: Sequence[str]) -> Rows:
    """Return one row per run."""
    documents = {run: top(reference, run, depth) for run in runs}
    rows: Rows = {}
    for run in runs:
        overlaps, by_topic = [], []
        for other in runs:
            one, two = documents[run], documents[other]
            if other != run and (together := overlap(one, two)) is not None:
                overlaps.append(together)
                of_topics = [
                    overlap({x for x in one if x[0] == topic}, {x for x in two if x[0] == topic})
                    for topic in topics_to_judge(reference)
                ]
                by_topic.append(mean([each for each in of_topics if each is not None]))
        rows[(run,)] = {
            "organization": reference.organization(run),
            "n_other_runs": len(overlaps),
            "popularity": mean_or_none(overlaps),
            "popularity_by_topic": mean_or_none(by_topic),
        }
    return rows


def pseudo_qrels_scores(reference: Reference, draws: Draws, pool: set[Pair]) -> Rows:
    """Return one row per run; pseudo-qrels are drawn from `pool`."""
    topics = sorted({topic for topic, _ in pool})
    runs = list(reference.collection.runs)
    rankings = {
        (run, topic): ranking(reference, run, topic) for run, topic in product(runs, topics)
    }
    answered: dict[str, list[float]] = {run: [] for run in runs}
    everywhere: dict[str, list[float]] = {run: [] for run in runs}
    for repetition in range(1, draws.repetitions + 1):
        grades = {}
        for topic in topics:
            documents = [document for of_topic, document in pool if of_topic == topic]
            n_drawn = max(1, math.floor(len(documents) * draws.share + 0.5))
            documents.sort(
                key=lambda each: lot(draws.seed, "pseudo-qrels", repetition, topic, each)
            )
            grades[topic] = {
                document: int(place < n_drawn) for place, document in enumerate(documents)
            }
        for run in runs:
            scores = {
                topic: score_of(
                    draws.measure, rankings[run, topic], grades[topic], 1, "nonrelevant"
                )
                for topic in topics
            }
            score = over_topics(
                draws.measure, [scores[each] for each in topics if rankings[run, each]]
            )
            answered[run] += [] if score is None else [score]
            everywhere[run].append(over_topics(draws.measure, list(scores.values())) or 0.0)
    return {
        (run,): {
            "measure": draws.measure,
            "share": draws.share,
            "n_repetitions": draws.repetitions,
            "seed": draws.seed,
            "n_topics": sum(bool(rankings[run, topic]) for topic in topics),
            "score": mean_or_none(answered[run]),
            "score_all_topics": mean(everywhere[run]),
            "score_deviation": stdev(everywhere[run]) if draws.repetitions > 1 else None,
            "lowest_score": min(everywhere[run]),
            "highest_score": max(everywhere[run]),
        }
        for run in runs
    }


def popularity_correlations(reference: Reference, draws: Draws, assessed: str) -> Rows:
    """Return one row per ranking and other ranking."""
    runs = list(reference.collection.runs)
    by_qrels = reference.run_scores(draws.measure, "full", "nonrelevant")
    by_assessment = reference.run_scores(assessed, "full", "nonrelevant")
    by_lot = pseudo_qrels_scores(reference, draws, set(reference.judged))
    by_popularity = run_popularity(reference, 1000, runs)
    rankings = {
        "qrels": column(by_qrels, "score_all_topics"),
        "assessment": column(by_assessment, "score_all_topics"),
        "pseudo_qrels": column(by_lot, "score_all_topics"),
        "popularity": column(by_popularity, "popularity"),
    }
    rows: Rows = {}
    for one, other in combinations(sorted(rankings), 2):
        tau = float(
            kendalltau(
                [rankings[one][run] for run in runs], [rankings[other][run] for run in runs]
            ).statistic
        )
        rows[one, other] = {"n_runs": len(runs), "kendall_tau": None if math.isnan(tau) else tau}
    return rows


def column(rows: Rows, name: str) -> dict[Value, float]:
    """Return the scores of runs, rounded as they are compared."""
    return {run: nine_decimals(float(row[name] or 0)) for (run,), row in rows.items()}
