"""What a comparison says, in words: one paragraph per measure and pair."""

from collections.abc import Iterator, Mapping
from typing import Any

from poolhouse.option_values import LEVEL
from poolhouse.output.cells import as_text
from poolhouse.scores.comparing import COMPARED_DECIMALS, Comparison

# More pairs are read in the tables.
_MOST_PAIRS = 6

_Row = Mapping[str, Any]


def conclusions_of(comparison: Comparison) -> Iterator[str]:
    """Say of each pair whether the difference holds if every document were judged.

    A comparison of many pairs has no conclusions.
    """
    if comparison.rows.height <= _MOST_PAIRS:
        for row in comparison.rows.iter_rows(named=True):
            yield f"{row['measure']}: {conclusion_of(row)}"


def conclusion_of(row: _Row) -> str:
    """Say of a row of a comparison whether the difference holds if every document were judged."""
    run, other = row["run_id"], row["other_run_id"]
    better, worse = (run, other) if row["mean_difference"] > 0 else (other, run)
    if row["finding"] in _FINDINGS:
        expected = row["difference_if_judged"] or 0
        expected_better, expected_worse = (run, other) if expected > 0 else (other, run)
        return _FINDINGS[row["finding"]].format(
            better=better,
            worse=worse,
            expected_better=expected_better,
            expected_worse=expected_worse,
            as_judged=_as_judged(row),
            if_judged=_if_judged(row),
            unjudged=_unjudged(row),
        )
    # Hardly any document is unjudged, or nobody can say which are.
    if _is_equal(row):
        return f"{run} and {other} have the same score."
    side = "higher" if row["mean_difference"] > 0 else "lower"
    difference = as_text(abs(row["mean_difference"]))
    return f"{run} scores {difference} {side} than {other}.{_significance(row)}"


_FINDINGS = {
    "holds": (
        "{better} is better than {worse}: no judgement of unjudged documents could reverse the "
        "difference, which is significant as judged ({as_judged})."
    ),
    "holds as estimated": (
        "{better} is better than {worse}: the difference is significant as judged ({as_judged}), "
        "and is expected to be if every document were judged ({if_judged}). Judgements could "
        "reverse it only if the estimates are far from right: {unjudged}."
    ),
    "only as judged": (
        "do not claim that {better} is better than {worse}: the difference is significant only as "
        "judged ({as_judged}), and is not expected to be if every document were judged "
        "({if_judged}). {unjudged}."
    ),
    "reversed": (
        "{expected_better} is expected to be better than {expected_worse} if every document were "
        "judged ({if_judged}), although it scores significantly lower as judged ({as_judged}). "
        "{unjudged}."
    ),
    "hidden": (
        "{expected_better} is expected to be better than {expected_worse} if every document were "
        "judged ({if_judged}). As judged, the difference is not significant ({as_judged}). "
        "{unjudged}."
    ),
    "not significant": (
        "no difference between {better} and {worse} can be claimed: none is significant as judged "
        "({as_judged}), and none is expected to be if every document were judged ({if_judged})."
    ),
    "cannot be told": (
        "nobody can tell which of {better} and {worse} is better: {unjudged}, too many to estimate "
        "the score if they were judged. The difference as judged ({as_judged}) is no evidence."
    ),
}


def _as_judged(row: _Row) -> str:
    return _difference(row["mean_difference"], row["t_p_value_holm"])


def _if_judged(row: _Row) -> str:
    if row["difference_if_judged"] is None:
        return ""
    between = f"{as_text(row['low_if_judged'])} to {as_text(row['high_if_judged'])}"
    told = _difference(row["difference_if_judged"], row["p_value_if_judged_holm"])
    return f"{told}; {between}" if row["low_if_judged"] is not None else told


def _difference(difference: float, p_value: float | None) -> str:
    by = f"{as_text(difference) if difference < 0 else '+' + as_text(difference)}"
    return by if p_value is None else f"{by}, p = {as_text(p_value)}"


def _unjudged(row: _Row) -> str:
    """Say how many of the documents that count are unjudged."""
    depth = row["measure"].rpartition("@")[2] if "@" in row["measure"] else ""
    of = f"of the first {depth} documents" if depth else "of the documents"
    return (
        f"{row['unjudged_share']:.1%} {of} of {row['run_id']} are unjudged, and "
        f"{row['other_unjudged_share']:.1%} of {row['other_run_id']}"
    )


def _is_equal(row: _Row) -> bool:
    return bool(round(row["mean_difference"], COMPARED_DECIMALS) == 0)


def _significance(row: _Row) -> str:
    p_value = row["t_p_value_holm"]
    if p_value is None:
        return ""
    is_significant = "is significant" if p_value < LEVEL else "is not significant"
    corrected = " after Holm's correction" if row["n_comparisons"] > 1 else ""
    return (
        f" The difference {is_significant} at {LEVEL} (t-test, p = {as_text(p_value)}{corrected})."
    )
