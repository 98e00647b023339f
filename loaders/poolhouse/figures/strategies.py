"""The figure of the experiment `pools`: what a pool costs, and what it leaves."""

from itertools import cycle
from typing import Any

import altair as alt
import polars as pl

from poolhouse.figures.theme import (
    COLOURS,
    SHAPES,
    colours_of,
    panels_of,
    specification_of,
    ticks_of_log_axis,
)

TITLE = "What a pool costs, and what it leaves"

# The columns whose distance from 1 is drawn.
_PANELS = {
    "share_of_relevant": "share of the relevant documents that is missed",
    "kendall_tau": "1 - Kendall's tau of AP with all judgements",
}


def specification(rows: pl.DataFrame, width: float) -> dict[str, Any]:
    """Return one line per strategy over the number of documents of its pools.

    `rows` has strategy, kind, budget, n_documents and the columns of the panels. `width` is that of
    the figure, in pixels.
    """
    # The strategies of a kind share a colour, and differ in their marks.
    strategies, colours, shapes = [], [], []
    kinds = rows.partition_by("kind", maintain_order=True)
    for colour, of_kind in zip(cycle(COLOURS), kinds, strict=False):
        names = of_kind["strategy"].unique(maintain_order=True)
        strategies += names.to_list()
        colours += [colour] * names.len()
        shapes += [shape for shape, _ in zip(cycle(SHAPES), names, strict=False)]
    lines = (
        rows.select(
            *("strategy", "n_documents"),
            **{title: 1 - pl.col(column) for column, title in _PANELS.items()},
        )
        .unpivot(index=["strategy", "n_documents"], variable_name="panel", value_name="left")
        # A logarithmic axis has no 0.
        .filter(pl.col("left") > 0)
    )
    base = alt.Chart().encode(
        x=alt.X("n_documents:Q")
        .title("documents to judge")
        .scale(type="log", nice=False, padding=8)
        .axis(values=rows["budget"].unique().sort().to_list(), format=","),
        y=alt.Y("left:Q")
        .title(None)
        .scale(type="log", nice=False, padding=8)
        .axis(format="~g", values=ticks_of_log_axis(lines["left"])),
        color=colours_of("strategy", strategies, colours, width),
    )
    points = base.mark_point(size=30).encode(
        shape=alt.Shape("strategy:N").scale(domain=strategies, range=shapes)
    )
    layers = [base.mark_line(strokeWidth=1), points]
    panels = panels_of(layers, lines, list(_PANELS.values()), width)
    return specification_of(panels.resolve_scale(y="independent"))
