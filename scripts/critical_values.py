"""Write the seed `critical_values`: the statistics from which on runs differ at the level 0.05.

SQL has no distributions, and scipy has. docs/decisions/critical_values.md says which points the
seed holds, and how fine its steps are. `just critical-values` runs this script.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from scipy import stats

_SEED = Path(__file__).parents[1] / "seeds" / "critical_values.csv"
_COLUMNS = ("n_groups", "per_degree_of_freedom", "f", "bonferroni_t", "studentized_range")
_ALPHA = 0.05

_MOST_GROUPS = 2_200
_GROUPS_IN_FULL = 12
_RATIO_OF_GROUPS = 1.16

# Steps of one over the degrees of freedom: each pair is an upper limit, and the step up to it.
_STEPS = ((0.0002, 0.0001), (0.002, 0.0002), (0.006, 0.0005), (0.01, 0.001), (0.0401, 0.002))
_DEGREES_IN_FULL = 24


def _groups() -> Iterator[int]:
    """Yield the numbers of groups: every number at first, then each a sixth above the last."""
    yield from range(2, _GROUPS_IN_FULL + 1)
    n_groups = float(_GROUPS_IN_FULL)
    while n_groups < _MOST_GROUPS:
        n_groups *= _RATIO_OF_GROUPS
        yield round(n_groups)


def _per_degree() -> Iterator[float]:
    """Yield one over the degrees of freedom, from infinitely many degrees down to a single one."""
    yield 0
    inverse = 0.0
    for last, step in _STEPS:
        while inverse + step < last + step / 2:
            inverse = round(inverse + step, 6)
            yield inverse
    for degrees in range(_DEGREES_IN_FULL, 0, -1):
        yield 1 / degrees


def _values(n_groups: int, per_degree: float) -> Iterator[float]:
    """Yield the critical F, the critical t for all pairs, and the critical studentized range."""
    degrees = 1 / per_degree if per_degree else math.inf
    n_pairs = n_groups * (n_groups - 1) / 2
    if per_degree:
        yield stats.f.isf(_ALPHA, n_groups - 1, degrees)
    else:
        yield stats.chi2.isf(_ALPHA, n_groups - 1) / (n_groups - 1)
    yield stats.t.isf(_ALPHA / n_pairs / 2, degrees)
    yield stats.studentized_range.isf(_ALPHA, n_groups, degrees)


def main() -> None:
    """Write the seed, in a quarter of an hour."""
    with _SEED.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for n_groups in _groups():
            for per_degree in _per_degree():
                values = (f"{each:.12g}" for each in _values(n_groups, per_degree))
                writer.writerow([n_groups, f"{per_degree:.12g}", *values])


if __name__ == "__main__":
    main()
