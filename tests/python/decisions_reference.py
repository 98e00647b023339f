"""Compute the decision matrix by least squares over dummy variables, and scipy's distributions.

The definitions are from Baillie et al. 2008, sections 3.2 and 4.2, and Tukey's test is from
textbooks. Every function that is named after a table macro or mart returns its rows: natural key to
values.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from reference import Reference, Rows, Value, kendall_tau_b, nine_decimals

Numbers = NDArray[np.float64]
Pair = tuple[int, int]

ALPHA = 0.05
TESTS = ("one_way", "two_way", "tukey")
# Suffixes of columns, by test. The columns of the test that decides have no suffix.
SUFFIX = {"one_way": "", "two_way": "_two_way", "tukey": "_tukey"}
MEASURES = ("P", "AP")


@cache
def studentized_range(n_runs: int, degrees_of_freedom: int) -> float:
    """Return the value that the range of this many equal means exceeds with probability alpha."""
    return float(scipy.stats.studentized_range.ppf(1 - ALPHA, n_runs, degrees_of_freedom))


def is_more(one: float, other: float) -> bool:
    """Return whether one score is higher, rounded as everywhere against the noise of sums."""
    return nine_decimals(float(one)) > nine_decimals(float(other))


def left_squares(columns: Sequence[Numbers], scores: Numbers) -> tuple[float, int]:
    """Fit scores by these columns; return the sum of squared residuals and degrees of freedom."""
    design = np.stack(columns, axis=1)
    effects, _, rank, _ = np.linalg.lstsq(design, scores, rcond=None)
    return float(np.sum((scores - design @ effects) ** 2)), len(scores) - int(rank)


def differing(scores: Numbers) -> dict[str, dict[Pair, bool | None]]:
    """Test all pairs of runs by each test; `scores` has a row for each run, a column a topic."""
    n_runs, n_topics = scores.shape
    cells = scores.ravel()
    run, topic = (index.ravel() for index in np.indices(scores.shape))
    constant = [np.ones_like(cells)]
    runs = [(run == each).astype(float) for each in range(n_runs)]
    topics = [(topic == each).astype(float) for each in range(n_topics)]
    means = scores.mean(axis=1)
    pairs = list(combinations(range(n_runs), 2))
    found: dict[str, dict[Pair, bool | None]] = {}
    for test in TESTS:
        others = constant if test == "one_way" else topics
        squares_without_runs, _ = left_squares(others, cells)
        squares, freedom = left_squares([*others, *runs], cells)
        if not freedom:
            found[test] = dict.fromkeys(pairs)
            continue
        error = squares / freedom
        by_runs = (squares_without_runs - squares) / (n_runs - 1)
        has_any = is_more(by_runs, error * scipy.stats.f.ppf(1 - ALPHA, n_runs - 1, freedom))
        if test == "tukey":
            least = studentized_range(n_runs, freedom) * np.sqrt(error / n_topics)
        else:
            t = scipy.stats.t.ppf(1 - ALPHA / 2 / len(pairs), freedom)
            least = t * np.sqrt(2 * error / n_topics)
        found[test] = {
            (one, other): has_any and is_more(abs(means[one] - means[other]), least)
            for one, other in pairs
        }
    return found


def case_of(
    performance: bool | None, assessment: bool | None, difference: float, more_assessed: float
) -> int | None:
    """Return the case of a pair in the paper's Figure 3."""
    if performance is None or assessment is None:
        return None
    if not performance:
        return 2 if assessment else 1
    return 4 if assessment and (difference > 0) == (more_assessed > 0) else 3


def scores_of(reference: Reference, measure: str) -> tuple[list[str], Numbers]:
    """Return the runs in the order of their ids, and their scores on all judged topics."""
    scores = reference.scores(measure, "full", "nonrelevant")
    runs = sorted(reference.scored_runs, key=str.encode)
    return runs, np.array([[scores[run][topic] for topic in reference.topics] for run in runs])


@cache
def decision_matrix(reference: Reference, measure: str) -> Rows:
    """Return one row per pair of runs."""
    depth = measure.partition("@")[2]
    runs, scores = scores_of(reference, measure)
    _, assessments = scores_of(reference, f"A@{depth}")
    performs, is_assessed = differing(scores), differing(assessments)
    means, shares = scores.mean(axis=1), assessments.mean(axis=1)
    rows: Rows = {}
    for one, other in combinations(range(len(runs)), 2):
        difference = float(means[one] - means[other])
        more_assessed = float(shares[one] - shares[other])
        values: dict[str, Value] = {
            "measure": measure,
            "assessment_measure": f"A@{depth}",
            "score": float(means[one]),
            "other_score": float(means[other]),
            "difference": difference,
            "assessment": float(shares[one]),
            "other_assessment": float(shares[other]),
            "assessment_difference": more_assessed,
        }
        for test, suffix in SUFFIX.items():
            both = performs[test][one, other], is_assessed[test][one, other]
            values |= {
                f"performance_differs{suffix}": both[0],
                f"assessment_differs{suffix}": both[1],
                f"decision_case{suffix}": case_of(*both, difference, more_assessed),
            }
        rows[runs[one], runs[other]] = values
    return rows


def decision_matrix_shares(reference: Reference, measure: str) -> Rows:
    """Return one row per test and case."""
    decisions = decision_matrix(reference, measure)
    rows: Rows = {}
    for (test, suffix), case in product(SUFFIX.items(), (1, 2, 3, 4)):
        cases = [row[f"decision_case{suffix}"] for row in decisions.values()]
        n_tested = sum(each is not None for each in cases)
        n_pairs = cases.count(case)
        rows[test, case] = {"n_pairs": n_pairs, "share": n_pairs / n_tested if n_tested else None}
    return rows


def tables_3_4(reference: Reference) -> Rows:
    """Return one row per measure, test and case."""
    rows: Rows = {}
    for (number, measure), depth in product(((3, "P"), (4, "AP")), (10, 30, 100, 500, 1000)):
        shares = decision_matrix_shares(reference, f"{measure}@{depth}")
        for (test, case), values in shares.items():
            rows[f"{measure}@{depth}", test, case] = {
                "table_number": number,
                "depth": depth,
                **values,
            }
    return rows


def changes(reference: Reference, measure: str, depths: Sequence[int]) -> Rows:
    """Return one row per pair of runs, depth and next depth."""
    at = {depth: decision_matrix(reference, f"{measure}@{depth}") for depth in depths}
    rows: Rows = {}
    for depth, deeper in pairwise(sorted(depths)):
        for pair, now in at[depth].items():
            then = at[deeper][pair]
            values: dict[str, Value] = {"performance": measure}
            for name in ("difference", "assessment_difference"):
                values |= {name: now[name], f"deeper_{name}": then[name]}
            for suffix in SUFFIX.values():
                case, deeper_case = now[f"decision_case{suffix}"], then[f"decision_case{suffix}"]
                values |= {
                    f"decision_case{suffix}": case,
                    f"deeper_decision_case{suffix}": deeper_case,
                    f"has_other_case{suffix}": case != deeper_case,
                }
            both = [nine_decimals(x["difference"]) for x in (now, then)]  # type: ignore[arg-type]
            values["has_other_order"] = min(both) < 0 < max(both)
            rows[(*pair, depth, deeper)] = values
    return rows


def decision_swaps(reference: Reference, measure: str, depths: Sequence[int]) -> Rows:
    """Return the pairs that have another case, or another order, at the next depth."""
    return {
        key: values
        for key, values in changes(reference, measure, depths).items()
        if any(value for name, value in values.items() if name.startswith("has_other"))
    }


def measure_agreement(reference: Reference, measure: str, other_measure: str) -> Rows:
    """Return one row per test."""
    runs, scores = scores_of(reference, measure)
    _, other_scores = scores_of(reference, other_measure)
    ones, others = differing(scores), differing(other_scores)
    means, other_means = scores.mean(axis=1), other_scores.mean(axis=1)
    of_runs = [
        reference.run_scores(each, "full", "nonrelevant") for each in (measure, other_measure)
    ]

    def tau(column: str) -> float | None:
        pairs = [tuple(by_run[run,][column] for by_run in of_runs) for run in runs]
        return kendall_tau_b([pair for pair in pairs if None not in pair])  # type: ignore[misc]

    rows: Rows = {}
    for test in TESTS:
        both = [pair for pair in ones[test] if ones[test][pair] and others[test][pair]]
        same = [
            (means[one] > means[other]) == (other_means[one] > other_means[other])
            for one, other in both
        ]
        rows[test,] = {
            "n_pairs": len(ones[test]),
            "n_differ": sum(map(bool, ones[test].values())),
            "n_differ_by_other": sum(map(bool, others[test].values())),
            "n_same_direction": same.count(True),
            "n_opposite_directions": same.count(False),
            "kendall_tau": tau("score"),
            "kendall_tau_all_topics": tau("score_all_topics"),
        }
    return rows


def exclusive_judgement_shifts(reference: Reference) -> Rows:
    """Return one row per run, judgement set and treatment."""
    rows: Rows = {}
    for judgement_set, unjudged in product(
        ("without_organization", "without_unique_relevant"), ("nonrelevant", "condensed")
    ):
        whole, lacking = (
            {measure: reference.run_scores(measure, each, unjudged) for measure in ("AP", "Bpref")}
            for each in ("full", judgement_set)
        )
        for run in reference.scored_runs:
            ap, bpref = (whole[each][run,]["score"] for each in ("AP", "Bpref"))
            values: dict[str, Value] = {
                "is_pooled": reference.is_pooled(run),
                "ap": ap,
                "bpref": bpref,
            }
            if ap is None or bpref is None or reference.pool_depth is None:
                values |= {"ap_change": None, "bpref_change": None, "is_opposite": None}
            else:
                moves: list[float] = [
                    lacking[each][run,]["score"] - whole[each][run,]["score"]  # type: ignore[operator]
                    for each in ("AP", "Bpref")
                ]
                values |= {
                    "ap_change": moves[0],
                    "bpref_change": moves[1],
                    "is_opposite": nine_decimals(min(moves)) < 0 < nine_decimals(max(moves)),
                }
            rows[reference.collection.name, run, judgement_set, unjudged] = values
    return rows
