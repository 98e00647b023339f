"""The figure of `later` and `left-out`: estimates against what all judgements leave possible."""

from typing import Any

import altair as alt
import polars as pl

from poolhouse.figures.theme import (
    COLOURS,
    GREY,
    colours_of,
    ends_or,
    legend_of,
    level,
    panels_of,
    specification_of,
)

TITLE = "Estimates less what all judgements leave possible"

_UNADJUSTED = "unadjusted"
# The answer that the experiment is about.
_ADVISED = {"later": "if_judged", "left-out": "if_pooled"}
# Other estimators of every collection are in the table alone.
_ONLY_IN_TABLE = {"condensed", "webber_park", "if_pooled", "if_judged"}

# A measure with fewer runs has no panel where another one has as many.
_FEW_RUNS = 5
_HEIGHT = 160  # pixels of a panel

_SHAPES = {"outside the pool": "triangle-up", "pooled": "circle", "pool not known": "square"}


def specification(rows: pl.DataFrame, width: float) -> dict[str, Any]:
    """Return one point per run and estimator over its unjudged weight, a panel for each measure.

    `rows` has the columns of fct_later_estimates. An interval holds the truth where its line meets
    the dashed one. `width` is that of the figure, in pixels.
    """
    advised = _ADVISED[rows["experiment"][0]]
    rows = rows.filter(
        pl.col("estimate").is_not_null(),
        ~pl.col("estimator").is_in(_ONLY_IN_TABLE - {advised}),
    )
    n_runs = pl.col("run_id").n_unique().over("measure")
    rows = rows.filter(n_runs >= min(_FEW_RUNS, rows.select(n_runs.max()).item()))
    others = sorted(set(rows["estimator"]) - {_UNADJUSTED, advised})
    estimators = [_UNADJUSTED, advised, *others]
    colours = [GREY, *(COLOURS[number % len(COLOURS)] for number in range(len(others) + 1))]
    drawn = rows.select(
        *("estimator", "error", "unjudged_weight"),
        panel="measure",
        pool=pl.when(pl.col("is_pooled").cast(pl.Boolean))
        .then(pl.lit("pooled"))
        .when(pl.col("is_pooled").is_not_null())
        .then(pl.lit("outside the pool"))
        .otherwise(pl.lit("pool not known")),
        low=pl.col("ci_95_low") - pl.col("truth_high"),
        high=pl.col("ci_95_high") - pl.col("truth_low"),
    )
    base = alt.Chart().encode(
        x=alt.X("unjudged_weight:Q").title("unjudged before, share of the weight"),
        color=colours_of("estimator", estimators, colours, width),
    )
    y = "estimate less truth"
    intervals = (
        base.transform_calculate(**ends_or("error", "low", "high"))
        .mark_rule(strokeOpacity=0.4)
        .encode(y=alt.Y("interval_low:Q").title(y), y2="interval_high:Q")
    )
    pools = [pool for pool in _SHAPES if pool in drawn["pool"]]
    shape = alt.Shape("pool:N").scale(domain=pools, range=[_SHAPES[pool] for pool in pools])
    points = base.mark_point(size=25).encode(
        y=alt.Y("error:Q").title(y), shape=shape.legend(legend_of(pools, width))
    )
    measures = drawn["panel"].unique(maintain_order=True).to_list()
    panels = panels_of([intervals, points, level(0)], drawn, measures, width)
    panels.spec.height = _HEIGHT
    return specification_of(panels)
