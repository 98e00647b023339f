"""Advice on a new run in a sentence: the score to take, its interval, its bounds, and the reason.

The macros of macros/rules/advice.sql decide what is advised (docs/decisions/advice.md).
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from poolhouse.estimating.estimate_rows import UNADJUSTED, has_estimates
from poolhouse.output.words import counted, in_a_list

# The sentence is about this measure, if the main measure of the collection is not estimated.
_FIRST = "P@10"
# The things that a mean error rests on, by the column of their number. With fewer of them, the mean
# depends on the one that happens to be left out.
_ENOUGH = {
    "n_measured_runs": ("pooled run", 5),
    "n_measured_organizations": ("organization", 5),
    "n_judged_topics": ("topic", 10),
}
# The words around the name of an author, by the beginning of the name of an estimator.
_BY_LABELS = {"filled_by_": "", "rectified_by_": " and rectified"}


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
    """Return a sentence: which score to take, why, and what is possible.

    The sentence is about the main measure of the collection, if this measure is estimated.
    `scores` has the columns of the table macro `adjusted_scores`.
    """
    rows = advised(scores)
    measures = rows["measure"].to_list()
    measure = next(each for each in (main_measure, _FIRST, *measures) if each in measures)
    row = rows.row(measures.index(measure), named=True)
    score, n_documents = row["unadjusted_score"], row["n_top_documents"]
    if row["advice"] == "nothing unjudged":
        if row["n_unjudged"]:
            return (
                f"{measure}: {score:.4f} needs no adjustment, since all its documents down to the "
                "pool depth are judged: pooled runs too have unjudged documents below; judging "
                f"these could give any score up to {row['upper_bound']:.4f}"
            )
        return (
            f"{measure}: {score:.4f} needs no adjustment, since none of the {n_documents} "
            "documents above the cutoff is unjudged"
        )
    are = "is" if row["n_unjudged"] == 1 else "are"
    unjudged = f"{row['n_unjudged']} of {n_documents} documents above the cutoff {are} unjudged"
    possible = _possible(row)
    if row["advice"] == "cannot be told":
        return f"{measure}: cannot be told, {possible}: {unjudged}, and {_why_not(row, scores)}"
    name = _named(row["estimator"])
    return (
        f"{measure}: take {name}, {row['clipped_score']:.4f}{_clipped(row)}{_uncertainty(row)}, "
        f"{_reason(row)}; possible is any score {possible}, since {unjudged}"
    )


def _possible(row: Mapping[str, Any]) -> str:
    """Return the bounds of the score: if the run is pooled, and those of full judgements if wider.

    The measure may look deeper than the pool, which judges no document there.
    """
    low, if_pooled, if_judged = (
        f"{row[bound]:.4f}" for bound in ("lower_bound", "upper_bound_if_pooled", "upper_bound")
    )
    if if_pooled == if_judged:
        return f"between {low} and {if_judged}"
    return (
        f"between {low} and {if_pooled} if the run is pooled, and up to {if_judged} if all its "
        "documents are judged"
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
    if row["largest_residual"] is None:
        return (
            "the estimator with the lowest error takes the labels of an author, who did not label "
            "them"
        )
    warning = f", on {_basis(row)}" if _few(row) else ""
    return (
        "the errors of estimates were measured on runs with fewer (an unjudged weight of at most "
        f"{row['largest_residual']:.4f} down to the pool depth; this run has "
        f"{row['upper_bound_if_pooled'] - row['lower_bound']:.4f}){warning}"
    )


def _clipped(row: Mapping[str, Any]) -> str:
    if not row["is_outside_bounds"]:
        return ""
    end = "least" if row["adjusted_score"] < row["lower_bound"] else "most"
    return (
        f" (the {end} that pooling the run could give; the estimate itself is "
        f"{row['adjusted_score']:.4f})"
    )


def _uncertainty(row: Mapping[str, Any]) -> str:
    """Return the interval of the estimate inside the scores that pooling the run could give.

    Without an interval, return the expected error of this estimate, where it is known.
    """
    if row["standard_error"] is None:
        error = row["expected_error"]
        return "" if error is None else f" (expected to be off by {error:.4f})"
    low, high = (
        min(max(row[bound], row["lower_bound"]), row["upper_bound_if_pooled"])
        for bound in ("t_95_low", "t_95_high")
    )
    return f" ({low:.4f} to {high:.4f} with 95 % confidence)"


def _reason(row: Mapping[str, Any]) -> str:
    """Return the reason for an estimator, which comes from other runs than this one."""
    beyond = ", which is less deep than the measure" if row["beyond_pool_depth"] else ""
    return (
        "which had the lowest error plus its uncertainty, of what leaderboards can apply, when one "
        f"organization at a time was left out of the pool{beyond} ({_basis(row)})"
    )


def _basis(row: Mapping[str, Any]) -> str:
    """Return what the errors of estimates rest on, and a warning where this is little."""
    basis = ", ".join(counted(row[column], thing) for column, (thing, _) in _ENOUGH.items())
    few = _few(row)
    return f"{basis}; so few {in_a_list(few)} say little" if few else basis


def _few(row: Mapping[str, Any]) -> list[str]:
    """Return the things of which there are too few."""
    return [f"{thing}s" for column, (thing, enough) in _ENOUGH.items() if row[column] < enough]
