"""What a comparison says, in words: one paragraph per measure and pair."""

from collections.abc import Iterator
from typing import Any

from poolhouse.option_values import LEVEL
from poolhouse.output.cells import as_text
from poolhouse.scores.comparing import COMPARED_DECIMALS, Comparison

# More pairs are read in the tables.
_MOST_PAIRS = 6

_Row = dict[str, Any]


def conclusions_of(comparison: Comparison) -> Iterator[str]:
    """Say of each pair whether the difference is significant, and whether it could be reversed.

    A comparison of many pairs has no conclusions.
    """
    if comparison.rows.height <= _MOST_PAIRS:
        for row in comparison.rows.iter_rows(named=True):
            yield " ".join(filter(None, [_difference(row), _significance(row), _reversal(row)]))


def _difference(row: _Row) -> str:
    measure, run, other = row["measure"], row["run_id"], row["other_run_id"]
    if _is_equal(row):
        return f"{measure}: {run} and {other} have the same score."
    side = "higher" if row["mean_difference"] > 0 else "lower"
    return f"{measure}: {run} scores {as_text(abs(row['mean_difference']))} {side} than {other}."


def _is_equal(row: _Row) -> bool:
    return bool(round(row["mean_difference"], COMPARED_DECIMALS) == 0)


def _significance(row: _Row) -> str:
    p_value = row["t_p_value_holm"]
    if p_value is None or _is_equal(row):
        return ""
    is_significant = "is significant" if p_value < LEVEL else "is not significant"
    corrected = " after Holm's correction" if row["n_comparisons"] > 1 else ""
    return (
        f"The difference {is_significant} at {LEVEL} (t-test, p = {as_text(p_value)}{corrected})."
    )


def _reversal(row: _Row) -> str:
    is_open = row["survives_bounds"] is False and not _is_equal(row)
    return "The relevance of unjudged documents could reverse it." if is_open else ""
