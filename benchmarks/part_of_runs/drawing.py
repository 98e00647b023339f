"""The figure of docs/part_of_the_runs.md."""

from pathlib import Path

import altair as alt
import polars as pl

from poolhouse.figures.files import write_figure
from poolhouse.figures.style import Style
from poolhouse.figures.theme import COLOURS, legend_of, level, panels_of, specification_of

_DOTS = "unjudged without the organization"
_LINES = {"expected_relevance": "error, expected relevance", "webber_park": "error, Webber & Park"}
_TICKS = [0.2, 0.5, 1, 2, 5, 10, 20]
_STYLE = Style(has_title=False, width=660)


def draw(drawn: pl.DataFrame, errors: pl.DataFrame, file: Path) -> None:
    """Draw a dot per draw, and a line per collection for each estimator of P@10."""
    names, y = drawn["source"].unique(maintain_order=True).to_list(), pl.col("unjudged_ratio")
    rows = [drawn.select("source", x="pool_explains", y=y, panel=pl.lit(_DOTS))]
    for name, panel in _LINES.items():
        y = pl.col(name) / pl.col("as_it_is")
        errors_of = errors.filter(measure="P@10")
        rows.append(errors_of.select("source", x="explains", y=y, panel=pl.lit(panel)))
    base = alt.Chart().encode(
        x=alt.X("x:Q").title("judgements explained, in %"),
        y=alt.Y("y:Q").title("ratio").scale(type="log", nice=False).axis(values=_TICKS),
        color=alt.Color("source:N", legend=legend_of(names, _STYLE.width)).scale(
            domain=names, range=COLOURS[: len(names)]
        ),
    )
    lines = base.transform_filter(alt.datum.panel != _DOTS).mark_line(strokeWidth=1)
    layers, panels = [base.mark_point(size=14), lines, level(1)], [_DOTS, *_LINES.values()]
    chart = panels_of(layers, pl.concat(rows), panels, _STYLE.width)
    chart.spec.height = 220
    write_figure(specification_of(chart), "", "", _STYLE, file)
