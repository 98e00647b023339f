"""What a comparison says, in words: one paragraph per measure and pair."""

from collections.abc import Iterator, Mapping
from typing import Any

from poolhouse.comparing.comparison import Comparison
from poolhouse.comparing.differences import COMPARED_DECIMALS
from poolhouse.option_values import LEVEL
from poolhouse.output.cells import as_text

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
    finding = _FINDINGS.get(row["finding"])
    if finding:
        return f"{finding.format(**_words(row))}{_correction(row)}"
    # Hardly any document is unjudged, or nobody can say which are.
    run, other = row["run_id"], row["other_run_id"]
    if _is_equal(row):
        return f"{run} and {other} have the same score."
    side = _side(row["mean_difference"])
    difference = as_text(abs(row["mean_difference"]))
    return f"{run} scores {difference} {side} than {other}.{_significance(row)}"


# `subject` is the run that scores higher: if every document were judged where only then the
# difference is told, and otherwise as judged. All figures are its own, less those of `other`.
_FINDINGS = {
    "holds": (
        "{subject} is better than {other}: it scores {as_judged}, and no judgements of unjudged "
        "documents could reverse that."
    ),
    "holds as estimated": (
        "{subject} is better than {other}: it scores {as_judged} as judged, and {if_judged} if "
        "every document were judged, as estimated. {unjudged}."
    ),
    "only as judged": (
        "do not claim that {subject} is better than {other}: it scores {as_judged} as judged, but "
        "{if_judged} if every document were judged, as estimated, which is not significant. "
        "{unjudged}."
    ),
    "reversed": (
        "{subject} is better than {other} if every document were judged, as estimated: it scores "
        "{if_judged} then. Do not claim the opposite, although it scores {as_judged} as judged. "
        "{unjudged}."
    ),
    "hidden": (
        "{subject} is better than {other} if every document were judged, as estimated: it scores "
        "{if_judged} then. As judged it scores {as_judged}, which is not significant. {unjudged}."
    ),
    "not significant": (
        "nobody can claim that {subject} and {other} differ, nor that they are equally good: "
        "{subject} scores {as_judged} as judged, and {if_judged} if every document were judged, as "
        "estimated. Neither is significant. {unjudged}."
    ),
    "cannot be told": (
        "nobody can tell which of {subject} and {other} is better: what judging every document "
        "would show cannot be estimated. As judged, {subject} scores {as_judged}, which may come "
        "from what is unjudged. {unjudged}."
    ),
}
_ONLY_IF_JUDGED = ("reversed", "hidden")


def _words(row: _Row) -> dict[str, str]:
    """Return what the sentence of a finding names."""
    decides = "difference_if_judged" if row["finding"] in _ONLY_IF_JUDGED else "mean_difference"
    is_mirrored = row[decides] < 0
    runs = (row["run_id"], row["other_run_id"])
    subject, other = reversed(runs) if is_mirrored else runs
    sign = -1 if is_mirrored else 1
    as_judged = sign * row["mean_difference"]
    words = {
        "subject": subject,
        "other": other,
        "as_judged": f"{_by(as_judged)} ({_p_value(row['t_p_value_holm'])})",
        "unjudged": _unjudged(row),
    }
    if row["difference_if_judged"] is not None:
        ends = [row["low_if_judged"], row["high_if_judged"]][::sign]
        told = [] if None in ends else [" to ".join(as_text(sign * end) for end in ends)]
        told.append(_p_value(row["p_value_if_judged_holm"]))
        words["if_judged"] = f"{_by(sign * row['difference_if_judged'])} ({', '.join(told)})"
    return words


def _side(difference: float) -> str:
    return "higher" if difference > 0 else "lower"


def _by(difference: float) -> str:
    if round(difference, COMPARED_DECIMALS) == 0:
        return "the same"
    return f"{as_text(abs(difference))} {_side(difference)}"


def _p_value(p_value: float | None) -> str:
    return "no test" if p_value is None else f"p = {as_text(p_value)}"


def _correction(row: _Row) -> str:
    n = row["n_comparisons"]
    return f" The p-values are corrected for {n} comparisons (Holm)." if n > 1 else ""


def _unjudged(row: _Row) -> str:
    """Say how many of the documents that count are unjudged."""
    _, _, depth = row["measure"].partition("@")
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
