"""Which strategy of a plan to take: the rule, and its reason for the collection at hand."""

from dataclasses import dataclass

import duckdb
import polars as pl


@dataclass(frozen=True)
class Recommendation:
    """A strategy, the budget that it is for, and a sentence that says why."""

    strategy: str
    budget: int
    reason: str


def enough(connection: duckdb.DuckDBPyConnection) -> float:
    """Return the share that may be unjudged without the organization, as the verdict has it."""
    [(percent,)] = connection.execute(
        "select passes_at from seeds.verdict_rules where rule_id = 'unjudged_left_out'"
    ).fetchall()
    return float(percent) / 100


def recommended(plan: pl.DataFrame, enough: float) -> Recommendation | None:
    """Recommend a strategy for the largest budget of a plan, or nothing where there is no choice.

    `depth` is recommended where at most the share `enough` of a run's first ten documents would be
    unjudged without its organization: it is simple, and fair, because every run is judged down to
    the same rank. Otherwise the strategy with the smallest share is recommended, because runs that
    come later meet such gaps (docs/decisions/pools.md has the evidence).
    """
    largest = plan.filter(pl.col("budget") == pl.col("budget").max())
    shares = dict(
        largest.drop_nulls("unjudged_10_left_out")
        .select("strategy", "unjudged_10_left_out")
        .iter_rows()
    )
    if largest.height == 1 or not shares:
        return None
    best, why = min(shares, key=shares.__getitem__), "later runs meet the fewest unjudged documents"
    if shares.get("depth", 1) <= enough:
        best, why = "depth", "it judges every run down to the same rank"
    others = f" (depth: {shares['depth']:.0%})" if best != "depth" and "depth" in shares else ""
    return Recommendation(
        best,
        largest["budget"][0],
        f"{why}; without its own organization, {shares[best]:.0%} of a run's first ten documents "
        f"would be unjudged{others}",
    )
