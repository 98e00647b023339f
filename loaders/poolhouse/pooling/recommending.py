"""Which of the planned strategies to take: the rule, and its reason in a sentence."""

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Recommendation:
    """A strategy, and a sentence that says why."""

    strategy: str
    reason: str


def recommended(plan: pl.DataFrame) -> Recommendation | None:
    """Return the strategy to take."""
    return None
