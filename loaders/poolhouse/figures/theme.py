"""The look of figures: colours for people with any colour vision, on light and dark pages."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import altair as alt
import polars as pl

# M. Okabe and K. Ito, Color Universal Design; blue and vermilion are used first.
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#009E73"
PURPLE = "#CC79A7"
ORANGE = "#E69F00"
SKY = "#56B4E9"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
GREY = "#808080"
TEXT_COLOUR = "currentColor"  # of the page, light or dark; black in a file
SHAPES = (
    *("circle", "triangle-up", "square", "diamond", "cross", "triangle-down"),
    *("triangle-left", "triangle-right"),
)

CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "grid": True,
        "gridOpacity": 0.3,
        "domain": False,
        "labelFlush": False,
        "labelFontSize": 11,
        "labelLimit": 0,
        "titleFontSize": 11,
    },
    "axisX": {"labelOverlap": "parity", "labelSeparation": 8},
    "axisY": {"minExtent": 42},
    "legend": {
        "orient": "top",
        # Two legends stand one above the other, because side by side they are wider than a column.
        "layout": {"top": {"direction": "vertical", "anchor": "start", "margin": 4}},
        "title": None,
        "symbolOpacity": 1,
        "labelFontSize": 11,
        "labelLimit": 0,
    },
    "header": {"labelAnchor": "start", "labelFontSize": 11, "labelLimit": 0, "title": None},
    "title": {"anchor": "start", "fontSize": 13, "subtitlePadding": 6, "offset": 10},
    "range": {"category": list(COLOURS)},
    "rule": {"color": GREY},
    "line": {"strokeWidth": 2},
    "point": {"filled": True, "size": 60},
}


def specification_of(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart in this look, with all its rows inside."""
    with alt.data_transformers.enable("default", max_rows=None):
        return chart.to_dict() | {"config": CONFIG}


# A page sends the run that a reader chose in one figure to all figures.
CHOSEN_RUN = alt.param(name="chosen_run", value="")
# Longer names lose their middle in a figure, because names of one organization end differently.
_MOST_LETTERS = 24
_MOST_LETTERS_IN_LEGEND = 36
_LEGEND_LETTER, _LEGEND_SYMBOL = 6, 30  # pixels
# Width of the plot in a page, before the axis at its left is measured, and after: a legend whose
# columns changed in between would lie over the heading, because Vega has placed the plot by then.
# A file has no container.
_WIDTH_IN_PAGE = "min((containerSize()[0] || width + 120) - 120, width)"
_LEAST_PANEL = 220  # pixels
_HEIGHT_OF_ROW = 14
_LEAST_ROWS = 4

_IS_CHOSEN = "datum.run_id === chosen_run"


def ends_or(value: str, low: str, high: str) -> dict[str, str]:
    """Return calculations of the ends of an interval, which are the value where there is none.

    Vega complains of the scale of a layer without any end.
    """
    return {
        end: f"isValid(datum.{column}) ? datum.{column} : datum.{value}"
        for end, column in (("interval_low", low), ("interval_high", high))
    }


def from_zero(least_end: float) -> alt.Scale:
    """Return the scale of an amount, which begins at zero and does not end before `least_end`.

    Vega draws a zero that is alone on a scale in its middle. This is for charts of one layer: of
    several layers, Vega-Lite would take the data of one.
    """
    return alt.Scale(domain=alt.DomainUnionWith([0, least_end]))


def height_of_rows(n_rows: int) -> int:
    """Return the height in pixels of a figure with one name per row.

    Vega-Lite's step per row is not a height, and gives a warning with the width of a page.
    """
    return _HEIGHT_OF_ROW * max(n_rows, _LEAST_ROWS)


def shortened(label: str = "datum.label", most: int = _MOST_LETTERS) -> str:
    """Return the expression of a label without the middle of a long name."""
    return f"truncate({label}, {most}, 'center')"


def names_on_axis() -> alt.Axis:
    """Return an axis of names, such as those of runs."""
    return alt.Axis(labelExpr=shortened())


def legend_of(
    names: Collection[str],
    width: float | None = None,
    symbol: str | None = None,
) -> alt.Legend:
    """Return a legend above the figure in as many columns as fit into a line.

    `width` is that of the whole figure in pixels. Without it, the legend adapts to the plot, which
    is as wide as the page.
    """
    longest = min(max(map(len, names)), _MOST_LETTERS_IN_LEGEND)
    column = _LEGEND_LETTER * longest + _LEGEND_SYMBOL
    return alt.Legend(
        columns=alt.ExprRef(
            f"max(1, floor({_WIDTH_IN_PAGE if width is None else width} / {column}))"
        ),
        labelExpr=shortened(most=_MOST_LETTERS_IN_LEGEND),
        symbolType=alt.Undefined if symbol is None else symbol,
    )


def colours_of(
    column: str,
    names: Sequence[str],
    colours: Sequence[str] = COLOURS,
    width: float | None = None,
    symbol: str | None = None,
) -> alt.Color:
    """Return the colours of names, in this order, with the legend of `legend_of`."""
    colour = alt.Color(f"{column}:N").scale(domain=list(names), range=list(colours))
    return colour.legend(legend_of(names, width, symbol))


def names_downwards(column: str) -> alt.Y:
    """Return a vertical axis of names, such as those of runs, in the order of the rows."""
    return alt.Y(f"{column}:N").sort(None).axis(names_on_axis()).title(None)


def ticks_of_log_axis(values: pl.Series) -> list[float]:
    """Return the values of a logarithmic axis that have a label: 0.1, 0.2, 0.5, 1 and so on."""
    if values.is_empty():
        return []
    least, most = (math.floor(math.log10(each)) for each in (values.min(), values.max()))  # type: ignore[arg-type]
    decades = range(least, most + 2)
    return [float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]


def panels_of(
    layers: Sequence[alt.Chart], rows: pl.DataFrame, panels: Sequence[str], width: float
) -> alt.FacetChart:
    """Return a chart of the layers for each value of the column `panel`, in this order.

    As many panels stand in a line as fit into the width of the whole figure, in pixels.
    """
    return alt.layer(*layers, data=rows).facet(
        facet=alt.Facet("panel:N").sort(panels),
        columns=max(1, min(len(panels), int(width / _LEAST_PANEL))),
    )


def level(value: float, dash: Sequence[int] = (2, 3)) -> alt.Chart:
    """Return the layer of panels that is a horizontal line."""
    # Without the aggregate, each row of a panel would draw the line.
    one = alt.Chart().transform_aggregate(n="count()", groupby=["panel"])
    return one.mark_rule(strokeDash=list(dash)).encode(y=alt.datum(value))


def emphasis_by_opacity() -> dict[str, Any]:
    """Return the channel that makes all other runs pale when one is chosen."""
    stands_out = f"chosen_run === '' || {_IS_CHOSEN}"
    return {"opacity": alt.when(stands_out).then(alt.value(0.85)).otherwise(alt.value(0.12))}


def emphasis() -> dict[str, Any]:
    """Return the channels of points that emphasize the chosen run."""
    size = alt.when(_IS_CHOSEN).then(alt.value(180)).otherwise(alt.value(55))
    return emphasis_by_opacity() | {"size": size}


def colour_of_pooled(rows: pl.DataFrame) -> dict[str, Any]:
    """Return the channels that show by colour and by shape whether runs were pooled."""
    kinds = ["pooled", "not pooled"]
    if "not known" in rows["runs"]:
        kinds.append("not known")
    colours, shapes = [BLUE, VERMILION, GREY], ["circle", "triangle-up", "square"]
    return {
        "color": colours_of("runs", kinds, colours[: len(kinds)]),
        "shape": alt.Shape("runs:N").scale(domain=kinds, range=shapes[: len(kinds)]),
    }
