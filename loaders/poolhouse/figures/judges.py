"""Figures of the authors of judgements: the leaderboards of other authors beside the reference."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.measures import of_shown_measure
from poolhouse.figures.theme import (
    CHOSEN_RUN,
    COLOURS,
    GREY,
    SHAPES,
    colours_of,
    emphasis,
)

# P. Tol, Qualitative colour schemes, muted: for more authors than the usual colours.
_MORE_COLOURS = ("#332288", "#117733", "#999933", "#882255", "#661100", "#44AA99")
_COLOURS = [*COLOURS, *_MORE_COLOURS]

_WITHOUT_LABELS = ("unadjusted", "expected_relevance")
# A larger error is drawn at so many times the largest error without labels, and not below the other
# number.
_MOST_TIMES, _LEAST_MOST = 2, 0.01


def _draw_author_verdicts(rows: pl.DataFrame) -> alt.LayerChart:
    verdicts = rows["verdict"].unique().sort().to_list()
    x = alt.X("kappa:Q").title("kappa with the reference").scale(zero=False)
    y = alt.Y("kendall_tau:Q").title(f"tau-b with the order by {rows['measure'][0]}")
    base = alt.Chart(rows)
    points = base.mark_point(filled=True, size=60).encode(
        x=x,
        y=y.scale(zero=False),
        color=colours_of("verdict", verdicts, _COLOURS),
        shape=alt.Shape("verdict:N").scale(domain=verdicts, range=list(SHAPES[: len(verdicts)])),
        tooltip=[
            "author:N",
            "verdict:N",
            *(
                alt.Tooltip(f"{name}:Q", format=".3f")
                for name in ("kappa", "kendall_tau", "kendall_tau_of_best")
            ),
        ],
    )
    names = base.mark_text(align="left", dx=6, dy=-6).encode(x=x, y=y, text="author:N")
    intervals = base.mark_rule(opacity=0.5)
    levels = base.mark_rule(color=GREY)
    persons = base.mark_rule(strokeDash=[4, 3])
    return (
        levels.encode(y="max(fails_at):Q")
        + levels.encode(y="max(passes_at):Q")
        + persons.encode(x="max(kappa_of_persons_with_reference):Q")
        + persons.encode(y="max(kendall_tau_of_persons_with_reference):Q")
        + intervals.encode(x="kappa_low:Q", x2="kappa_high:Q", y=y)
        + intervals.encode(x=x, y="kendall_tau_low:Q", y2="kendall_tau_high:Q")
        + points
        + names
    )


AUTHOR_VERDICTS = Figure(
    name="author_verdicts",
    title="Agreement and order of other authors, beside persons",
    reading="Authors on the right agree with the reference on documents, and authors at the top "
    "order the runs as it does. Broken lines are what persons reach on the same documents; below "
    "the lower grey line orders differ, and from the upper one on they are equivalent.",
    source="audit_authors; Cohen 1960, Voorhees 2001",
    rows="author_verdicts",
    is_empty_where="it has one author of judgements",
    draw=_draw_author_verdicts,
)


def _draw_author_scores(rows: pl.DataFrame) -> alt.Chart:
    authors = rows["author"].unique().sort().to_list()
    shapes = [SHAPES[number % len(SHAPES)] for number in range(len(authors))]
    return (
        alt.Chart(rows)
        .mark_point()
        .add_params(CHOSEN_RUN)
        .encode(
            x=alt.X("reference_score:Q").title(f"{rows['measure'][0]} by the reference"),
            y=alt.Y("score:Q").title(f"{rows['measure'][0]} by another author"),
            color=colours_of("author", authors, _COLOURS),
            shape=alt.Shape("author:N").scale(domain=authors, range=shapes),
            **emphasis(),
            tooltip=[
                "author:N",
                "run_id:N",
                "organization:N",
                "run_type:N",
                alt.Tooltip("score:Q", format=".4f"),
                alt.Tooltip("reference_score:Q", format=".4f"),
                "rank:Q",
                "reference_rank:Q",
                "places_won:Q",
            ],
        )
    )


AUTHOR_SCORES = Figure(
    name="author_scores",
    title="Runs by another author of judgements",
    reading="If the points of an author rise from left to right, it orders the runs as the "
    "reference does; a run above the others of its author is favoured.",
    source="author_leaderboard; Faggioli et al. 2023",
    rows="author_scores",
    is_empty_where="it has one author of judgements",
    draw=_draw_author_scores,
    most_rows=1000,
)


def _with_most_shown(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the largest error that is drawn of the measure, and the error as it is drawn.

    One author who is far off would leave no room for the lines of the others.
    """
    error = pl.col("absolute_error")
    without_labels = error.filter(pl.col("estimator").is_in(_WITHOUT_LABELS)).max().over("measure")
    most = pl.max_horizontal(_MOST_TIMES * without_labels, pl.lit(_LEAST_MOST))
    return rows.with_columns(most.alias("most_shown")).with_columns(
        pl.min_horizontal("absolute_error", "most_shown").alias("shown_error")
    )


def _draw_filling_errors(rows: pl.DataFrame) -> alt.LayerChart:
    fillers = list(_WITHOUT_LABELS)
    fillers += [each for each in rows["filled_by"].unique().sort() if each not in fillers]
    variants = ["as it is", "rectified"]
    base = of_shown_measure(rows).encode(color=colours_of("filled_by", fillers, [GREY, *_COLOURS]))
    x = alt.X("unjudged_weight:Q").title("weight of the unjudged documents")
    title = "absolute error"
    points = base.mark_point(opacity=0.25, size=20).encode(
        x=x,
        y=alt.Y("shown_error:Q").title(title).scale(domainMin=0),
        tooltip=[
            "estimator:N",
            "run_id:N",
            "organization:N",
            alt.Tooltip("unjudged_weight:Q", format=".4f"),
            alt.Tooltip("error:Q", format="+.4f"),
        ],
    )
    lines = (
        base.transform_loess(
            "unjudged_weight",
            "absolute_error",
            bandwidth=0.6,
            groupby=["filled_by", "variant", "most_shown"],
        )
        .transform_calculate(shown_error="clamp(datum.absolute_error, 0, datum.most_shown)")
        .mark_line()
        .encode(
            x=x,
            y=alt.Y("shown_error:Q").title(title).scale(domainMin=0),
            strokeDash=alt.StrokeDash("variant:N").scale(domain=variants, range=[[1, 0], [4, 3]]),
        )
    )
    return points + lines


FILLING_ERRORS = Figure(
    name="filling_errors",
    title="Filling holes with the labels of another author",
    reading="The lower a line, the better the score of a run whose organization was left out; the "
    "grey one is the score as it is. Broken lines are rectified by what people judged. "
    f"An error above {_MOST_TIMES} times the largest one without labels, and above {_LEAST_MOST}, "
    "lies on the upper edge.",
    source="fct_adjusted_scores; Angelopoulos et al. 2023",
    rows="filling_errors",
    is_empty_where="it has one author of judgements",
    draw=_draw_filling_errors,
    has_choice_of_measure=True,
    most_rows=2000,
    prepare=_with_most_shown,
)
