"""Comparing runs once more: plain Python, from the definitions, without scipy and the SQL."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, permutations, product

from measures_reference import score_of
from reference import RunLine, float32, scoring_order

Orders = Iterator[list[str]]


# -- Ties ------------------------------------------------------------------------------------------


def groups(lines: Sequence[RunLine]) -> list[list[str]]:
    """Group the documents of a topic by their score, the highest first; in trec_eval's order."""
    best: dict[str, float] = {}
    for line in lines:
        score = float32(line.score)
        best[line.document] = max(score, best.get(line.document, score))
    return [list(group) for _, group in groupby(scoring_order(lines), best.__getitem__)]


def orders(lines: Sequence[RunLine]) -> Orders:
    """Give every ranking that the scores allow."""
    for each in product(*(permutations(group) for group in groups(lines))):
        yield list(chain.from_iterable(each))


def n_tied(lines: Sequence[RunLine]) -> int:
    """Count the documents whose score another one has."""
    return sum(len(group) for group in groups(lines) if len(group) > 1)


def extremes(
    measure: str, lines: Sequence[RunLine], grades: Mapping[str, int], threshold: int
) -> tuple[float, float]:
    """Give the lowest and the highest score that any order allows."""
    scores = [score_of(measure, order, grades, threshold, "nonrelevant") for order in orders(lines)]
    return min(scores), max(scores)


# -- Tests -----------------------------------------------------------------------------------------


def deviation(values: Sequence[float]) -> float:
    """Give the standard deviation of a sample, divisor n - 1."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((each - mean) ** 2 for each in values) / (len(values) - 1))


def t_density(t: float, degrees: int) -> float:
    """Give the density of Student's t."""
    constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    return math.exp(constant - (degrees + 1) / 2 * math.log1p(t * t / degrees)) / math.sqrt(
        degrees * math.pi
    )


def t_tails(t: float, degrees: int, n_steps: int = 20_000) -> float:
    """Give the area in both tails beyond t, by Simpson's rule on the middle."""
    width = abs(t) / n_steps
    ends = t_density(0, degrees) + t_density(abs(t), degrees)
    odd = math.fsum(t_density(step * width, degrees) for step in range(1, n_steps, 2))
    even = math.fsum(t_density(step * width, degrees) for step in range(2, n_steps, 2))
    return 1 - 2 * (ends + 4 * odd + 2 * even) * width / 3


def sign_flips(differences: Sequence[float]) -> float:
    """Give the share of all ways to flip signs whose mean is as far from 0, or further.

    Each side has as much as the other.
    """
    found = abs(math.fsum(differences))
    sums = [
        math.fsum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(abs(each) >= found - 1e-12 for each in sums) / len(sums)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values as Holm 1979 does, each by its own definition."""
    n = len(p_values)
    order = sorted(range(n), key=lambda position: (p_values[position], position))
    return [
        max(
            min(1.0, (n - step) * p_values[position])
            for step, position in enumerate(order[: order.index(each) + 1])
        )
        for each in range(n)
    ]
