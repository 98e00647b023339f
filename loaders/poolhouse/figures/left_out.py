"""Figures of leaving an organization out of the pool: losses of its runs in score and place."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.measures import IS_SHOWN, choice_of, of_shown_measure
from poolhouse.figures.theme import BLUE, CHOSEN_RUN, GREY, emphasis

_SOURCE = "fct_run_scores, judgement set without_organization; Buckley et al. 2006, Zobel 1998"
_TOOLTIP = [
    "run_id:N",
    "organization:N",
    alt.Tooltip("score:Q", format=".4f"),
    alt.Tooltip("score_left_out:Q", format=".4f"),
    "place:Q",
    "place_left_out:Q",
]


def _draw(rows: pl.DataFrame, x: alt.X, y: alt.Y) -> alt.LayerChart:
    """Draw one point per run, and the diagonal of unchanged values."""
    base = of_shown_measure(rows, CHOSEN_RUN)
    points = base.mark_point(color=BLUE).encode(x=x, y=y, **emphasis(), tooltip=_TOOLTIP)
    diagonal = (
        alt.Chart(rows)
        .transform_filter(IS_SHOWN)
        .mark_line(color=GREY, strokeWidth=1, strokeDash=[2, 3], tooltip=None)
        .encode(x=x, y=alt.Y(f"{x.shorthand}", title=y["title"]))
    )
    return diagonal + points


def _draw_scores(rows: pl.DataFrame) -> alt.LayerChart:
    return _draw(
        rows,
        alt.X("score:Q", title="score by all judgements"),
        alt.Y("score_left_out:Q", title="without its organization"),
    )


def _draw_places(rows: pl.DataFrame) -> alt.LayerChart:
    return _draw(
        rows,
        alt.X("place:Q", title="place by all judgements"),
        alt.Y("place_left_out:Q", title="without its organization"),
    )


LEFT_OUT_SCORES = Figure(
    name="left_out_scores",
    title="Scores of pooled runs, had their organization not taken part",
    reading="A point below the dashed line is a run that loses: as much as a new run of its kind "
    "is scored too low.",
    source=_SOURCE,
    rows="left_out",
    is_empty_where="no run is known to be pooled",
    draw=_draw_scores,
    facts=choice_of,
    has_choice_of_measure=True,
)

LEFT_OUT_PLACES = Figure(
    name="left_out_places",
    title="Places of pooled runs, had their organization not taken part",
    reading="A point above the dashed line is a run that falls, by so many places; 1 is the best, "
    "among the runs of the other organizations.",
    source=_SOURCE,
    rows="left_out",
    is_empty_where="no run is known to be pooled",
    draw=_draw_places,
    facts=choice_of,
    has_choice_of_measure=True,
)
