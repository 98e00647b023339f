"""The figure of a comparison: differences of means with intervals, one panel per measure."""

from typing import Any

import altair as alt
import polars as pl

from poolhouse.comparing.comparison import CONFIDENCE
from poolhouse.figures.theme import BLUE, height_of_rows, shortened, specification_of
from poolhouse.output.printable import printable

TITLE = f"Mean differences, with intervals of {CONFIDENCE:.0%} (t over topics)"

# A name never holds a line break (printable), so that it separates the two of a pair.
_BREAK = "\n"
_LINES_OF_PAIR = 2


def specification(rows: pl.DataFrame) -> dict[str, Any]:
    """Return the figure of the rows of a comparison, one for each measure and pair of runs."""
    names = pl.col("run_id", "other_run_id").map_elements(printable, return_dtype=pl.String)
    rows = rows.with_columns(names).select(
        *("measure", "run_id", "other_run_id", "mean_difference", "interval_low", "interval_high"),
        pair=pl.concat_str("run_id", "other_run_id", separator=_BREAK),
    )
    # A measure without an interval has none for all of its pairs, where topics are too few.
    first, second = (f"split(datum.label, '\\n')[{number}]" for number in (0, 1))
    lines = alt.Axis(labelExpr=f"[{shortened(first)}, '- ' + {shortened(second)}]")
    base = alt.Chart().encode(y=alt.Y("pair:N").sort(None).axis(lines).title(None))
    zero = (
        alt.Chart()
        .transform_aggregate(n="count()", groupby=["measure"])
        .mark_rule(strokeDash=[2, 3])
        .encode(x=alt.datum(0))
    )
    intervals = base.mark_rule(color=BLUE, strokeWidth=2).encode(
        x=alt.X("interval_low:Q").title("mean difference"), x2="interval_high:Q"
    )
    points = base.mark_point(color=BLUE).encode(
        x="mean_difference:Q",
        tooltip=[
            "run_id:N",
            "other_run_id:N",
            *(
                alt.Tooltip(f"{column}:Q", format="+.4f")
                for column in ("mean_difference", "interval_low", "interval_high")
            ),
        ],
    )
    height = height_of_rows(_LINES_OF_PAIR * rows["pair"].n_unique())
    panels = (
        alt.layer(zero, intervals, points, data=rows)
        .properties(height=height)
        .facet(facet=alt.Facet("measure:N").sort(None).title(None), columns=1)
        .resolve_scale(x="independent")
    )
    return specification_of(panels)
