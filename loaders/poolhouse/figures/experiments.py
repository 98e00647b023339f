"""Figures of experiments: a panel for each population, and errors by pool width or topics."""

from collections.abc import Callable
from typing import Any

import altair as alt
import polars as pl

from poolhouse.figures.theme import (
    colours_of,
    legend_of,
    level,
    panels_of,
    specification_of,
    ticks_of_log_axis,
)

_SOLID, _DASHED = [1, 0], [6, 4]
_ERROR = "mean absolute error, ± 2 standard errors"

_Drawn = tuple[pl.DataFrame, list[alt.Chart]]


def title_of(experiment: str, rows: pl.DataFrame) -> str:
    """Return the title of the figure."""
    return f"{_FIGURES[experiment][0]}, {_measure_of(rows)}"


def specification(rows: pl.DataFrame, experiment: str, width: float) -> dict[str, Any]:
    """Return the figure of the rows of an experiment's mart, for a width in pixels."""
    _, named_by, draw = _FIGURES[experiment]
    panel = pl.concat_str(named_by, separator=", ").alias("panel")
    shown = rows.filter(measure=_measure_of(rows)).with_columns(panel)
    drawn, layers = draw(shown.sort(pl.all()), width)
    panels = drawn["panel"].unique().sort(descending=True).to_list()
    return specification_of(panels_of(layers, drawn, panels, width))


def _measure_of(rows: pl.DataFrame) -> str:
    return str(max(rows["measure"].unique()))  # RBP, if it is among the measures


def _draw_bias(rows: pl.DataFrame, width: float) -> _Drawn:
    """Mean and quartiles of the bias by width, for each treatment (figure 1 of the paper)."""
    base = alt.Chart().encode(x=_by_width(rows), color=_colours(rows["unjudged"], width))
    y = alt.Y("lower_quartile:Q").title("unpooled less true score, with quartiles")
    quartiles = base.mark_area(opacity=0.2).encode(y=y, y2="upper_quartile:Q")
    return rows, [quartiles, *_lines(base.encode(y="mean_bias:Q")), level(0)]


def _draw_systems(rows: pl.DataFrame, width: float) -> _Drawn:
    """Mean absolute error by width, with a line for each estimator (table 1)."""
    base = alt.Chart().encode(x=_by_width(rows), color=_colours(rows["estimator"], width))
    lines = _lines(base.encode(y=alt.Y("mae:Q").title(_ERROR)))
    return rows, [*lines, _intervals_of_error(base), level(0)]


def _draw_topics(rows: pl.DataFrame, width: float) -> _Drawn:
    """Mean absolute error by number of common topics, narrowest and widest pool (tables 2 to 4)."""
    of_panel = [pl.col("width") == pl.col("width").min(), pl.col("width") == pl.col("width").max()]
    rows = rows.filter(pl.any_horizontal(each.over("panel") for each in of_panel))
    y = alt.Y("mae:Q").title(_ERROR)
    if (rows["mae"] > 0).any():
        # A logarithmic axis has no 0.
        rows = rows.filter(pl.col("mae") > 0)
        ticks = ticks_of_log_axis(rows["mae"])
        y = y.scale(type="log", nice=False).axis(values=ticks, format="~g")
    widths = rows["width"].unique().sort()
    pools = [f"{each} runs in the pool" for each in widths]
    rows = rows.with_columns(pool=pl.format("{} runs in the pool", "width"))
    dashes = alt.StrokeDash("pool:N").scale(domain=pools, range=[_SOLID, _DASHED])
    base = alt.Chart().encode(
        x=_by_common_topics(rows), color=_colours(rows["estimator"], width), detail="pool:N"
    )
    line, points = _lines(base.encode(y=y))
    line = line.encode(strokeDash=dashes.legend(legend_of(pools, width, "stroke")))
    return rows, [line, points, _intervals_of_error(base)]


def _draw_intervals(rows: pl.DataFrame, width: float) -> _Drawn:
    """Coverage by number of common topics, mean over the widths."""
    # All intervals of the recommended estimate, and the t interval of the other estimates.
    rows = (
        rows.filter((pl.col("estimator") == "webber_park_topics") | (pl.col("method") == "t"))
        .with_columns(line=pl.concat_str("estimator", "method", separator=", "))
        .group_by("panel", "line", "confidence", "n_common_topics")
        .agg(pl.col("coverage").mean())
        .sort("panel", "line", "confidence", "n_common_topics")
    )
    stated = pl.col("confidence").map_elements("stated: {:.0%}".format, return_dtype=pl.String)
    rows = rows.with_columns(stated=stated)
    shares = (
        rows.sort("confidence", descending=True)["stated"].unique(maintain_order=True).to_list()
    )
    dashes = alt.StrokeDash("stated:N").scale(domain=shares, range=[_SOLID, _DASHED])
    y = alt.Y("coverage:Q").title("intervals that hold the true score")
    base = alt.Chart().encode(
        x=_by_common_topics(rows),
        y=y.axis(format="%").scale(zero=False),
        color=_colours(rows["line"], width),
        detail="stated:N",
    )
    line, points = _lines(base)
    line = line.encode(strokeDash=dashes.legend(legend_of(shares, width, "stroke")))
    confidences = rows["confidence"].unique().sort(descending=True)
    levels = [level(each, dash) for each, dash in zip(confidences, (_SOLID, _DASHED), strict=False)]
    return rows, [line, points, *levels]


def _colours(lines: pl.Series, width: float) -> alt.Color:
    """Return the same colours in all panels, of which one may lack some of the lines."""
    names = lines.unique().sort().to_list()
    return colours_of(lines.name, names, width=width)


def _lines(base: alt.Chart) -> tuple[alt.Chart, alt.Chart]:
    return base.mark_line(), base.mark_point(size=20)


def _intervals_of_error(base: alt.Chart) -> alt.Chart:
    """Return two standard errors over samples to either side of the mean absolute error."""
    half = "2 * datum.mae_standard_error"
    # An interval down to 0 has no end on a logarithmic axis.
    return (
        base.transform_calculate(low=f"datum.mae - {half}", high=f"datum.mae + {half}")
        .transform_filter("isValid(datum.mae_standard_error) && datum.low > 0")
        .mark_rule()
        .encode(y="low:Q", y2="high:Q")
    )


def _by_width(rows: pl.DataFrame) -> alt.X:
    return _sampled(alt.X("width:Q").title("runs in the pool"), rows["width"])


def _by_common_topics(rows: pl.DataFrame) -> alt.X:
    return _sampled(alt.X("n_common_topics:Q").title("common topics"), rows["n_common_topics"])


def _sampled(x: alt.X, values: pl.Series) -> alt.X:
    """Label a logarithmic axis with only the sampled values."""
    ticks = values.unique().sort().to_list()
    return x.axis(values=ticks, format="d", labelSeparation=2).scale(
        type="log", nice=False, padding=8
    )


_FIGURES: dict[str, tuple[str, list[str], Callable[[pl.DataFrame, float], _Drawn]]] = {
    "bias": ("Bias of a run that is not in the pool", ["population"], _draw_bias),
    "systems": ("Inference from systems", ["population", "unjudged"], _draw_systems),
    "topics": ("Inference from topics", ["population", "unjudged"], _draw_topics),
    "intervals": (
        "Intervals about the score adjusted from topics",
        ["population", "unjudged"],
        _draw_intervals,
    ),
}
