"""Advice on a new run in a sentence: the score to take, its interval, its bounds, and the reason.

The macros of macros/rules/advice.sql decide what is advised (docs/decisions/advice.md).
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from poolhouse.output.words import counted, in_a_list
from poolhouse.scoring.estimating.estimate_rows import UNADJUSTED, has_estimates

# The sentence is about this measure, if the main measure of the collection is not estimated.
_FIRST = "P@10"
# Smaller differences of scores are float noise.
_NOISE = 1e-9
# The things that a mean error rests on, by the column of their number. With fewer of them, the mean
# depends on the one that happens to be left out.
_ENOUGH = {
    "n_measured_runs": ("pooled run", 5),
    "n_measured_organizations": ("organization", 5),
    "n_judged_topics": ("topic", 10),
}
# The words around the name of an author, by the beginning of the name of an estimator.
_BY_LABELS = {"filled_by_": "", "rectified_by_": " and rectified"}
_TOO_FEW_ORGANIZATIONS = "the pool has too few organizations to estimate documents below its depth"


def advised(scores: pl.DataFrame) -> pl.DataFrame:
    """Select one row per measure: the advised estimate, or the unadjusted score if there is none.

    `scores` has the columns of the table macro `adjusted_scores`.
    """
    chosen = scores.filter(unjudged="nonrelevant").filter(
        pl.col("is_recommended")
        | (
            (pl.col("estimator") == UNADJUSTED)
            & ~pl.col("is_recommended").any().over("measure", "unjudged")
        )
    )
    return chosen.unique("measure", keep="first", maintain_order=True)


def advice_on(scores: pl.DataFrame, main_measure: str = _FIRST) -> str:
    """Return a sentence: the score if every document were judged, why, and what is possible.

    The sentence is about the main measure of the collection, if this measure is estimated.
    `scores` has the columns of the table macro `adjusted_scores`.
    """
    rows = advised(scores)
    measures = rows["measure"].to_list()
    measure = next(each for each in (main_measure, _FIRST, *measures) if each in measures)
    row = rows.row(measures.index(measure), named=True)
    if row["n_unjudged"] is None:
        return (
            f"{measure}: {row['unadjusted_score']:.4f} tells where the known documents are, and "
            "nothing can be adjusted (a note says why)"
        )
    documents = f"{row['n_top_documents']} documents{' above the cutoff' if '@' in measure else ''}"
    if row["advice"] == "nothing unjudged":
        return (
            f"{measure}: {row['unadjusted_score']:.4f} needs no adjustment, since none of the "
            f"{documents} is unjudged"
        )
    are = "is" if row["n_unjudged"] == 1 else "are"
    unjudged = f"{row['n_unjudged']} of {documents} {are} unjudged"
    # The score by another measure may also fall where more documents are judged.
    has_bounds = row["upper_bound"] is not None
    between = f"between {row['lower_bound']:.4f} and {row['upper_bound']:.4f}" if has_bounds else ""
    if row["advice"] == "cannot be told":
        range_ = f", {between}" if has_bounds else ""
        return f"{measure}: cannot be told{range_}: {unjudged}, and {_why_not(row, scores)}"
    possible = f"possible is any score {between}, since " if has_bounds else ""
    return (
        f"{measure}: {row['if_judged']:.4f} if every document were judged{_uncertainty(row)}, by "
        f"{_named(row['if_judged_estimator'])}{_reason(row)}; {possible}{unjudged}"
    )


def _named(estimator: str) -> str:
    """Return an estimator in words, with the author of the labels that it takes."""
    for prefix, words in _BY_LABELS.items():
        if estimator.startswith(prefix):
            return f"the score filled by {estimator.removeprefix(prefix)}{words}"
    return "the score as it is" if estimator == UNADJUSTED else estimator


def _why_not(row: Mapping[str, Any], scores: pl.DataFrame) -> str:
    """Return why the errors of estimates say nothing of this run."""
    if not has_estimates(scores):
        return "no pool is known from which one could estimate (a note says why)"
    if row["n_measured_runs"] is None:
        return "no organization can be left out of this pool to measure the errors of estimates"
    if row["upper_bound"] is None:
        return _why_no_expected_score(row)
    weight, limit, where = (
        row["upper_bound_if_pooled"] - row["lower_bound"],
        row["largest_residual"],
        "pool depth",
    )
    if _looks_below_the_pool(row):
        weight = row["upper_bound"] - row["lower_bound"]
        limit, where = row["largest_residual_if_judged"], "cutoff"
        if limit is None:
            return _TOO_FEW_ORGANIZATIONS
    if limit is None:
        return (
            "the estimator with the lowest error takes the labels of an author, who did not label "
            "them"
        )
    warning = f", on {_basis(row)}" if _few(row) else ""
    return (
        "the errors of estimates were measured on runs with fewer (an unjudged weight of at most "
        f"{limit:.4f} down to the {where}; this run has {weight:.4f}){warning}"
    )


def _why_no_expected_score(row: Mapping[str, Any]) -> str:
    """Return the same for a measure without bounds."""
    if row["largest_unjudged_share"] is None:
        return _TOO_FEW_ORGANIZATIONS
    return (
        "the errors of estimates were measured on runs with fewer (a share of at most "
        f"{row['largest_unjudged_share']:.0%} of the weight; this run has "
        f"{row['unjudged_share']:.0%})"
    )


def _looks_below_the_pool(row: Mapping[str, Any]) -> bool:
    """Return whether documents stay unjudged if the run is pooled.

    An expected score by a measure without bounds comes from the pool in any case.
    """
    return row["upper_bound"] is None or bool(
        row["upper_bound"] - row["upper_bound_if_pooled"] > _NOISE
    )


def _uncertainty(row: Mapping[str, Any]) -> str:
    """Return the interval of the estimate, or its expected error where it has none."""
    if row["if_judged_95_low"] is None:
        error = row["if_judged_expected_error"]
        return "" if error is None else f" (expected to be off by {error:.4f})"
    low, high = row["if_judged_95_low"], row["if_judged_95_high"]
    return f" ({low:.4f} to {high:.4f} with 95 % confidence)"


def _reason(row: Mapping[str, Any]) -> str:
    """Return the reason for an estimator, which comes from other runs than this one."""
    if _looks_below_the_pool(row):
        return f", from what the pool shows of such documents ({_basis(row)})"
    return (
        ", which had the lowest error plus its uncertainty, of what leaderboards can apply, when "
        f"one organization at a time was left out of the pool ({_basis(row)})"
    )


def _basis(row: Mapping[str, Any]) -> str:
    """Return what the errors of estimates rest on, and a warning where this is little."""
    basis = ", ".join(counted(row[column], thing) for column, (thing, _) in _ENOUGH.items())
    few = _few(row)
    return f"{basis}; so few {in_a_list(few)} say little" if few else basis


def _few(row: Mapping[str, Any]) -> list[str]:
    """Return the things of which there are too few."""
    return [f"{thing}s" for column, (thing, enough) in _ENOUGH.items() if row[column] < enough]
