"""Compare runs by the definitions, in plain Python without scipy and without the SQL."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, permutations, product

import numpy as np
import numpy.typing as npt

from measures_reference import score_of
from reference import RunLine, as_read, scoring_order

Orders = Iterator[list[str]]
FloatArray = npt.NDArray[np.float64]


# -- Ties ------------------------------------------------------------------------------------------


def groups(lines: Sequence[RunLine]) -> list[list[str]]:
    """Return a topic's documents in trec_eval's order, grouped by score, the highest first."""
    best: dict[str, float] = {}
    for line in lines:
        score = as_read(line.score)
        best[line.document] = max(score, best.get(line.document, score))
    return [list(group) for _, group in groupby(scoring_order(lines), best.__getitem__)]


def orders(lines: Sequence[RunLine]) -> Orders:
    """Return every ranking that the scores allow."""
    for each in product(*(permutations(group) for group in groups(lines))):
        yield list(chain.from_iterable(each))


def n_tied(lines: Sequence[RunLine]) -> int:
    """Return the number of documents whose score another document has, too."""
    return sum(len(group) for group in groups(lines) if len(group) > 1)


def extremes(
    measure: str, lines: Sequence[RunLine], grades: Mapping[str, int], threshold: int
) -> tuple[float, float]:
    """Return the lowest and the highest score by the measure, over all orders of tied documents."""
    scores = [score_of(measure, order, grades, threshold, "nonrelevant") for order in orders(lines)]
    return min(scores), max(scores)


# -- Tests -----------------------------------------------------------------------------------------


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample, with the divisor n - 1."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((each - mean) ** 2 for each in values) / (len(values) - 1))


def t_density(t: FloatArray, degrees: float) -> FloatArray:
    """Return the density of Student's t."""
    constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    density: FloatArray = np.exp(constant - (degrees + 1) / 2 * np.log1p(t * t / degrees))
    return density / math.sqrt(degrees * math.pi)


def t_tails(t: float, degrees: float, n_steps: int = 20_000) -> float:
    """Return the area in both tails beyond t, by Simpson's rule on the area between them."""
    width = abs(t) / n_steps
    heights = t_density(np.arange(n_steps + 1, dtype=np.float64) * width, degrees)
    ends = heights[0] + heights[-1]
    odd, even = math.fsum(heights[1:-1:2]), math.fsum(heights[2:-1:2])
    return float(1 - 2 * (ends + 4 * odd + 2 * even) * width / 3)


def sign_flips(differences: Sequence[float]) -> float:
    """Return how large a share of all sign flips gives a mean at least as far from 0.

    Both signs of the mean count, and both are equally frequent.
    """
    found = abs(math.fsum(differences))
    sums = [
        math.fsum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(abs(each) >= found - 1e-12 for each in sums) / len(sums)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected as Holm 1979 does; each one follows the definition separately."""
    n = len(p_values)
    order = sorted(range(n), key=lambda position: (p_values[position], position))
    return [
        max(
            min(1.0, (n - step) * p_values[position])
            for step, position in enumerate(order[: order.index(each) + 1])
        )
        for each in range(n)
    ]
