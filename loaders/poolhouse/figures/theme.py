"""The look of figures: colours for people with any colour vision, on light and dark pages."""

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
        "labelLimit": 160,
        "titleFontSize": 11,
    },
    "axisX": {"labelOverlap": "parity", "labelSeparation": 8},
    "axisY": {"minExtent": 42},
    "legend": {
        "orient": "top",
        "title": None,
        "symbolOpacity": 1,
        "labelFontSize": 11,
        "labelLimit": 0,
    },
    "title": {"anchor": "start", "fontSize": 13, "subtitlePadding": 6},
    "range": {"category": list(COLOURS)},
    "rule": {"color": GREY},
    "line": {"strokeWidth": 2},
    "point": {"filled": True, "size": 60},
}

# A page sends the run that a reader chose in one figure to all figures.
CHOSEN_RUN = alt.param(name="chosen_run", value="")
_HEIGHT_OF_ROW = 14
_LEAST_ROWS = 4

_IS_CHOSEN = "datum.run_id === chosen_run"


def height_of_rows(n_rows: int) -> int:
    """Return the height in pixels of a figure with one name per row.

    Vega-Lite's step per row is not a height, and gives a warning with the width of a page.
    """
    return _HEIGHT_OF_ROW * max(n_rows, _LEAST_ROWS)


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
        "color": alt.Color("runs:N").scale(domain=kinds, range=colours[: len(kinds)]),
        "shape": alt.Shape("runs:N").scale(domain=kinds, range=shapes[: len(kinds)]),
    }
