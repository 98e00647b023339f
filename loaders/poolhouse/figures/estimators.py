"""Figures of the estimators: their errors, and their estimates for new runs."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.measures import choice_of, of_shown_measure
from poolhouse.figures.theme import (
    BLUE,
    CHOSEN_RUN,
    COLOURS,
    GREY,
    TEXT_COLOUR,
    VERMILION,
    colours_of,
    emphasis,
    emphasis_by_opacity,
    ends_or,
    height_of_rows,
    names_downwards,
)


def _draw_errors(rows: pl.DataFrame) -> alt.LayerChart:
    estimators = rows["estimator"].unique(maintain_order=True).to_list()
    base = alt.Chart(rows).encode(
        y=alt.Y("measure:N").title(None).sort(None),
        yOffset=alt.YOffset("estimator:N").sort(estimators),
    )
    bars = base.mark_bar().encode(
        x=alt.X("mae:Q").title("mean absolute error"),
        color=colours_of("estimator", estimators, [GREY, *COLOURS]),
        tooltip=[
            "measure:N",
            "estimator:N",
            alt.Tooltip("mae:Q", format=".4f"),
            alt.Tooltip("mae_standard_error:Q", format=".4f"),
            alt.Tooltip("published_mae:Q", format=".4f"),
            "sre:Q",
            alt.Tooltip("kendall_tau:Q", format=".3f"),
            "n_runs:Q",
        ],
    )
    intervals = base.mark_rule(color=TEXT_COLOUR).encode(x="low:Q", x2="high:Q")
    return (bars + intervals).properties(height=height_of_rows(rows.height))


ESTIMATOR_ERRORS = Figure(
    name="estimator_errors",
    title="Mean absolute error of each estimator, by measure",
    reading="The grey bar is the error of scores that are not adjusted: an estimator is worth its "
    "trouble where its bar is shorter. A line is two standard errors over organizations to either "
    "side. Estimates are clipped to the scores that are possible.",
    source="fct_estimator_errors, an organization left out at a time; Lipani et al. 2015, table 2",
    rows="estimator_errors",
    is_empty_where="no run is known to be pooled",
    draw=_draw_errors,
    facts=lambda rows: (rows.height, *rows["estimator"].unique(maintain_order=True)),
    most_rows=120,
)


def _draw_estimates(rows: pl.DataFrame) -> alt.LayerChart:
    kinds = ["not adjusted", "adjusted"]
    base = of_shown_measure(rows, CHOSEN_RUN)
    x = alt.X("true_score:Q").title("true score, in the whole pool")
    intervals = (
        base.transform_calculate(**ends_or("error", "error_low", "error_high"))
        .mark_rule(color=BLUE, strokeOpacity=0.4)
        .encode(x=x, y="interval_low:Q", y2="interval_high:Q", **emphasis_by_opacity())
    )
    points = base.mark_point().encode(
        x=x,
        y=alt.Y("error:Q").title("estimate less true score"),
        color=colours_of("estimate", kinds, [VERMILION, BLUE]),
        shape=alt.Shape("estimate:N").scale(domain=kinds, range=["triangle-up", "circle"]),
        **emphasis(),
        tooltip=[
            "run_id:N",
            "organization:N",
            "estimator:N",
            alt.Tooltip("true_score:Q", format=".4f"),
            alt.Tooltip("adjusted_score:Q", format=".4f"),
            alt.Tooltip("error:Q", format="+.4f"),
            alt.Tooltip("error_low:Q", format="+.4f"),
            alt.Tooltip("error_high:Q", format="+.4f"),
        ],
    )
    zero = alt.Chart().mark_rule(strokeDash=[2, 3]).encode(y=alt.datum(0))
    return intervals + points + zero


def _draw_expected_relevance(rows: pl.DataFrame) -> alt.LayerChart:
    base = alt.Chart(rows)
    x = (
        alt.X("expected_share:Q")
        .title("probability of relevance, mean of a class")
        .scale(domain=[0, 1])
    )
    tooltip = [
        alt.Tooltip("expected_share:Q", format=".3f"),
        alt.Tooltip("relevant_share:Q", format=".3f"),
        "n_documents:Q",
    ]
    bars = base.mark_rule(color=BLUE).encode(x=x, y="low:Q", y2="high:Q")
    points = base.mark_point(color=BLUE).encode(
        x=x,
        y=alt.Y("relevant_share:Q").title("share that is relevant").scale(domain=[0, 1]),
        tooltip=tooltip,
    )
    ends = pl.DataFrame({"x": [0, 1], "y": [0, 1]})
    diagonal = (
        alt.Chart(ends).mark_line(color=GREY, strokeDash=[2, 3], strokeWidth=1).encode(x="x", y="y")
    )
    return diagonal + bars + points


EXPECTED_RELEVANCE = Figure(
    name="expected_relevance",
    title="Unjudged documents: how many are relevant, and how many were expected",
    reading="Documents that are unjudged without their organization, by their probability of "
    "relevance, in tenths. On the dashed line as many are relevant as were expected. A bar is two "
    "standard errors over organizations to either side.",
    source="fct_expected_relevance, dim_runs",
    rows="expected_relevance",
    is_empty_where="no document is unjudged when an organization leaves the pool",
    draw=_draw_expected_relevance,
    facts=lambda _: (),
)


ESTIMATES = Figure(
    name="estimates",
    title="Errors of each run's score, adjusted and not",
    reading="Scores of runs whose organization is left out of the pool lie below the dashed line, "
    "on which nothing is off; adjusting should bring them there. A line is the interval of 95 % (t "
    "over organizations), of estimators that have one. Estimates and intervals are clipped to the "
    "scores that are possible.",
    source="fct_adjusted_scores, dim_recommended_estimators; Webber & Park 2009",
    rows="estimates",
    is_empty_where="no run is known to be pooled",
    draw=_draw_estimates,
    facts=choice_of,
    has_choice_of_measure=True,
    most_rows=400,
)


def _draw_new_places(rows: pl.DataFrame) -> alt.LayerChart:
    base = of_shown_measure(rows, CHOSEN_RUN)
    y = names_downwards("run_id")
    tooltip = [
        "run_id:N",
        "organization:N",
        alt.Tooltip("score:Q", format=".4f"),
        alt.Tooltip("upper_bound:Q", format=".4f"),
        "advice:N",
        alt.Tooltip("if_judged:Q", format=".4f"),
        "rank:Q",
        "if_judged_rank:Q",
        "estimator:N",
        alt.Tooltip("expected_error:Q", format=".4f"),
    ]
    possible = base.mark_rule(color=GREY).encode(
        x=alt.X("score:Q").title("score as it is, if judged, and possible").scale(zero=False),
        x2="upper_bound:Q",
        y=y,
        **emphasis_by_opacity(),
    )
    errors = (
        base.transform_calculate(**ends_or("score", "error_low", "error_high"))
        .mark_rule(color=BLUE, strokeWidth=3)
        .encode(x="interval_low:Q", x2="interval_high:Q", y=y, **emphasis_by_opacity())
    )
    before = base.mark_point(color=VERMILION, shape="triangle-up").encode(
        x="score:Q", y=y, **emphasis(), tooltip=tooltip
    )
    after = base.mark_point(color=BLUE).encode(x="if_judged:Q", y=y, **emphasis(), tooltip=tooltip)
    n_runs = rows["run_id"].n_unique()
    return (possible + errors + before + after).properties(height=height_of_rows(n_runs))


NEW_PLACES = Figure(
    name="new_places",
    title="Runs that were not pooled: their scores as they are, and if every document were judged",
    reading="A triangle is the score as it is, a circle the score if every document were judged. "
    "The thick line is the interval of 95 %, or the expected error of an estimator without "
    "intervals, and the thin line all scores that are possible. A run without a circle has too "
    "many unjudged documents for an estimate. The runs that could gain most come first.",
    source="adjusted_leaderboard",
    rows="new_places",
    is_empty_where="every run was pooled, or the collection has no judgements",
    draw=_draw_new_places,
    facts=lambda rows: (rows["run_id"].n_unique(), *choice_of(rows)),
    has_choice_of_measure=True,
    most_rows=30,
)
