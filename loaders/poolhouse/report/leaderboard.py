"""The leaderboard of a report: the measure that orders the runs comes before the usual ones."""

from dataclasses import dataclass

import polars as pl

from poolhouse.option_values import USUAL_MEASURES
from poolhouse.warehouse.first_rows import FirstRows


@dataclass(frozen=True)
class Leaderboard:
    """One row per run, the best ones first, and the column of each measure by its name.

    `n_runs` is the number of all runs.
    """

    rows: pl.DataFrame
    n_runs: int
    measures: dict[str, str]

    @property
    def first_ten(self) -> list[tuple[object, ...]]:
        """Rows of place, run, score, share of unjudged documents, and organization.

        Where the share is not told, the score by the next measure stands in its place.
        """
        main, *others = self.measures.values()
        unjudged = pl.col("unjudged_10").map_elements(share, pl.String, skip_nulls=False)
        beside = [unjudged] if self.tells_unjudged else others[:1]
        return self.rows.head(10).select("rank", "run_id", main, *beside, "organization").rows()

    @property
    def tells_unjudged(self) -> bool:
        """Whether anybody can say which documents are unjudged."""
        return self.rows["unjudged_10"].null_count() < max(self.rows.height, 1)


def share(part: float | None) -> str:
    """Return a share in percent."""
    return "" if part is None else f"{part:.1%}"


def leaderboard_of(runs: FirstRows, main_measure: str) -> Leaderboard:
    """Return the runs by the main measure, and by the usual measures that tell something."""
    columns = {name: name.lower().replace("@", "_") for name in (main_measure, *USUAL_MEASURES)}
    measures = {
        name: column
        for name, column in columns.items()
        if column in runs.rows.columns
        and (name == main_measure or runs.rows[column].null_count() < max(runs.rows.height, 1))
    }
    about = ("rank", "run_id", "organization", "run_type", "is_pooled", "n_topics")
    judged = ("n_judged_topics", "unjudged_10")
    rows = runs.rows.select(*about, *judged, *measures.values())
    return Leaderboard(rows, runs.n_rows, measures)
