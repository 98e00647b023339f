"""Plain Python for the agreement of authors: each figure as its source defines it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from statistics import fmean, linear_regression, pstdev

# Grades by topic and document.
Labels = Mapping[tuple[str, str], int]


def translated(grade: int, author: tuple[int, int], reference: tuple[int, int]) -> int:
    """Put a grade on the scale of the reference; a scale is its threshold and highest grade."""
    (threshold, highest), (reference_threshold, reference_highest) = author, reference
    if grade < 0:
        return grade
    if grade < threshold:
        return grade * reference_threshold // threshold
    n_relevant, n_reference = highest - threshold + 1, reference_highest - reference_threshold + 1
    return reference_threshold + (min(grade, highest) - threshold) * n_reference // n_relevant


def weighted_kappa(pairs: Sequence[Sequence[int]]) -> float | None:
    """Return Cohen's kappa with quadratic weights from the table of both raters (Cohen 1968)."""
    n = len(pairs)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = Fraction(sum((a - b) ** 2 for a, b in pairs), n)
    expected = Fraction(sum((a - b) ** 2 * one[a] * other[b] for a in one for b in other), n * n)
    return float(1 - observed / expected) if expected else None


def alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Return Krippendorff's alpha for intervals from the matrix of coincidences."""
    weights: dict[tuple[int, int], Fraction] = {}
    for unit in units:
        if len(unit) > 1:
            for pair in permutations(unit, 2):
                weights[pair] = weights.get(pair, Fraction(0)) + Fraction(1, len(unit) - 1)
    totals: dict[int, Fraction] = {}
    for (value, _), weight in weights.items():
        totals[value] = totals.get(value, Fraction(0)) + weight
    n = sum(totals.values())
    observed = sum(weight * (a - b) ** 2 for (a, b), weight in weights.items())
    expected = sum(totals[a] * totals[b] * (a - b) ** 2 for a in totals for b in totals)
    return float(1 - (n - 1) * observed / expected) if expected else None


def tau_ap(scores: Mapping[str, tuple[float, float]]) -> float | None:
    """Return tau_AP of runs by score and true score (Yilmaz et al. 2008, equation 3).

    It is the mean over runs, and over the orders of runs with the same score: agreement with the
    runs above each run, -1 to 1, without runs that have the same true score.
    """
    agreements = []
    for run, (score, true_score) in scores.items():
        compared = [
            (other_score > score, 1 if other_true > true_score else -1)
            for other, (other_score, other_true) in scores.items()
            if other != run and other_score >= score and other_true != true_score
        ]
        if compared:
            weight = sum(1.0 if is_above else 0.5 for is_above, _ in compared)
            agreements.append(sum(sign for is_above, sign in compared if is_above) / weight)
    return sum(agreements) / len(agreements) if agreements else None


def rbo(scores: Mapping[str, tuple[float, float]], persistence: float = 0.9) -> float:
    """Return the extrapolated RBO by score and true score (Webber, Moffat & Zobel 2010)."""
    tops = [
        {
            run: sum(other[which] > both[which] for other in scores.values()) + 1
            for run, both in scores.items()
        }
        for which in (0, 1)
    ]
    overlaps = []
    for depth in range(1, len(scores) + 1):
        one, other = ({run for run, place in top.items() if place <= depth} for top in tops)
        overlaps.append(2 * len(one & other) / (len(one) + len(other)))
    weighed = sum(each * persistence**depth for depth, each in enumerate(overlaps, 1))
    return (1 - persistence) / persistence * weighed + persistence ** len(scores)


# Scores of runs, each by topic.
Scores = Mapping[str, Sequence[float]]


def score_won(scores: Scores, true_scores: Scores, group: Sequence[str]) -> float | None:
    """Return the mean distance of the runs of a group from the line of all runs.

    The line has the scores by an author over those by the reference, by least squares.
    """
    mean = {run: fmean(of_run) for run, of_run in scores.items()}
    true_mean = {run: fmean(of_run) for run, of_run in true_scores.items()}
    is_flat = any(round(pstdev(means.values()), 9) == 0 for means in (mean, true_mean))
    if len(mean) < 3 or len(group) == len(mean) or is_flat:
        return None
    slope, intercept = linear_regression([true_mean[run] for run in mean], list(mean.values()))
    return fmean(mean[run] - intercept - slope * true_mean[run] for run in group)


def jackknifed(scores: Scores, true_scores: Scores, group: Sequence[str]) -> float | None:
    """Return the standard error of `score_won`: each topic is left out in turn."""
    n_topics = len(next(iter(scores.values())))
    if n_topics < 2:
        return None
    found = [
        score_won(_without(scores, topic), _without(true_scores, topic), group)
        for topic in range(n_topics)
    ]
    known = [each for each in found if each is not None]
    if len(known) < n_topics:
        return None
    return float(((n_topics - 1) * fmean((each - fmean(known)) ** 2 for each in known)) ** 0.5)


def _without(scores: Scores, topic: int) -> Scores:
    return {run: [*of_run[:topic], *of_run[topic + 1 :]] for run, of_run in scores.items()}
