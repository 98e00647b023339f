"""Figures of the runs: runs that may be scored too low, and differences of two runs."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.theme import (
    BLUE,
    CHOSEN_RUN,
    GREY,
    TEXT_COLOUR,
    VERMILION,
    colour_of_pooled,
    emphasis,
    names_on_axis,
)
from poolhouse.scores.comparing import CONFIDENCE
from poolhouse.scores.significance import t_interval


def _draw_unjudged_and_scores(rows: pl.DataFrame) -> alt.Chart:
    return (
        alt.Chart(rows)
        .mark_point()
        .add_params(CHOSEN_RUN)
        .encode(
            x=alt.X("score:Q").title(rows["measure"][0]),
            y=alt.Y("unjudged_10:Q").title("unjudged among the first ten").axis(format="%"),
            **colour_of_pooled(rows),
            **emphasis(),
            tooltip=[
                "run_id:N",
                "organization:N",
                "runs:N",
                "rank:Q",
                alt.Tooltip("score:Q", format=".4f"),
                alt.Tooltip("unjudged_10:Q", format=".1%"),
            ],
        )
    )


UNJUDGED_AND_SCORES = Figure(
    name="unjudged_and_scores",
    title="Scores, and documents that nobody judged",
    reading="The higher a run lies, the less its score can be trusted: unjudged documents count as "
    "not relevant.",
    source="leaderboard, fct_run_scores",
    rows="unjudged_and_scores",
    is_empty_where="the collection has no judgements",
    draw=_draw_unjudged_and_scores,
)


def _draw_two_runs(rows: pl.DataFrame) -> alt.LayerChart:
    bars = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("topic_id:N").title("topic").sort("-y").axis(names_on_axis()),
            y=alt.Y("difference:Q").title(f"difference of {rows['measure'][0]}"),
            color=alt.condition("datum.difference > 0", alt.value(BLUE), alt.value(VERMILION)),
            tooltip=[
                "topic_id:N",
                "topic_title:N",
                alt.Tooltip("score:Q", format=".4f"),
                alt.Tooltip("other_score:Q", format=".4f"),
                alt.Tooltip("difference:Q", format="+.4f"),
            ],
        )
    )
    first = rows.row(0, named=True)
    mean = first["mean_difference"]
    interval = t_interval(mean, first["standard_error"], first["n_topics"], CONFIDENCE)
    line = alt.Chart().mark_rule(color=TEXT_COLOUR, strokeDash=[2, 3]).encode(y=alt.datum(mean))
    if interval is None:
        return bars + line
    low, high = interval
    band = alt.Chart().mark_rect(color=GREY, opacity=0.3)
    return band.encode(y=alt.datum(low), y2=alt.datum(high)) + bars + line


TWO_RUNS = Figure(
    name="two_runs",
    title="Two runs, topic by topic",
    reading="A bar above zero is a topic on which the first run is better. The dashed line is the "
    "mean difference, and the band its interval of 95 % (t over topics): a band that holds zero "
    "leaves open which run is better.",
    source="fct_topic_scores",
    rows="two_runs",
    is_empty_where="one of the two runs is not in it",
    draw=_draw_two_runs,
    most_rows=100,
    parameters=("run_id", "other_run_id"),
)
