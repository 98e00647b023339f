"""Figures of the authors of judgements: the leaderboards of other authors beside the reference."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.theme import CHOSEN_RUN, emphasis

_SHAPES = ["circle", "triangle-up", "square", "diamond", "cross", "triangle-down"]


def _draw_author_scores(rows: pl.DataFrame) -> alt.Chart:
    authors = rows["author"].unique().sort().to_list()
    shapes = [_SHAPES[number % len(_SHAPES)] for number in range(len(authors))]
    return (
        alt.Chart(rows)
        .mark_point()
        .add_params(CHOSEN_RUN)
        .encode(
            x=alt.X("reference_score:Q").title(f"{rows['measure'][0]} by the reference"),
            y=alt.Y("score:Q").title(f"{rows['measure'][0]} by another author"),
            color=alt.Color("author:N").scale(domain=authors),
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
