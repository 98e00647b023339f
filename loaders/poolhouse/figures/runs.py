"""Figures of the runs: runs that may be scored too low, and differences of two runs."""

import altair as alt
import polars as pl

from poolhouse.comparing.comparison import CONFIDENCE
from poolhouse.comparing.significance import t_interval
from poolhouse.figures.figure import Figure
from poolhouse.figures.theme import (
    BLUE,
    CHOSEN_RUN,
    GREY,
    TEXT_COLOUR,
    VERMILION,
    colour_of_pooled,
    emphasis,
    from_zero,
    names_on_axis,
)


def _draw_unjudged_and_scores(rows: pl.DataFrame) -> alt.Chart:
    return (
        alt.Chart(rows)
        .mark_point()
        .add_params(CHOSEN_RUN)
        .encode(
            x=alt.X("score:Q").title(rows["measure"][0]),
            y=alt.Y("unjudged_10:Q")
            .title("unjudged among the first ten")
            .axis(format="%")
            .scale(from_zero(0.1)),
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
    is_empty_where="the qrels list relevant documents only: nobody knows what is unjudged",
    draw=_draw_unjudged_and_scores,
    facts=lambda rows: (rows["measure"][0], "not known" in rows["runs"]),
)


def _draw_two_runs(rows: pl.DataFrame) -> alt.LayerChart:
    title = f"difference of {rows['measure'][0]}"
    bars = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("topic_id:N").title("topic").sort("-y").axis(names_on_axis()),
            y=alt.Y("difference:Q").title(title),
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
    of_all = alt.Chart(rows.head(1))
    line = of_all.mark_rule(color=TEXT_COLOUR, strokeDash=[2, 3]).encode(
        y=alt.Y("mean_difference:Q").title(title)
    )
    if rows["interval_low"][0] is None:
        return bars + line
    band = of_all.mark_rect(color=GREY, opacity=0.3)
    y = alt.Y("interval_low:Q").title(title)
    return band.encode(y=y, y2="interval_high:Q") + bars + line


def _with_interval(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the interval of the mean difference, which is the same in all rows."""
    mean, error, n = rows.select("mean_difference", "standard_error", "n_topics").row(0)
    low, high = t_interval(mean, error, n, CONFIDENCE) or (None, None)
    return rows.with_columns(
        pl.lit(low, pl.Float64).alias("interval_low"),
        pl.lit(high, pl.Float64).alias("interval_high"),
    )


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
    first_are="the topics on which the runs differ most",
    parameters=("run_id", "other_run_id", "new_scores"),
    prepare=_with_interval,
    facts=lambda rows: (rows["measure"][0], rows["interval_low"][0] is None),
)
