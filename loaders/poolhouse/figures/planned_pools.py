"""Figures of pools that may be judged: their documents by depth, by topic and by run."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.theme import (
    BLUE,
    CHOSEN_RUN,
    GREEN,
    VERMILION,
    colours_of,
    emphasis_by_opacity,
    height_of_rows,
    names_downwards,
    names_on_axis,
)

_KINDS = {
    "all": "n_documents",
    "of one organization": "n_of_one_organization",
    "of one run": "n_of_one_run",
}
_NO_ANSWER = "no run answers a topic"


def _draw_pool_sizes(rows: pl.DataFrame) -> alt.LayerChart:
    counts = rows.select("depth", **{kind: pl.col(name) for kind, name in _KINDS.items()})
    kinds = list(_KINDS)
    dashes = alt.StrokeDash("documents:N").scale(domain=kinds, range=[[1, 0], [6, 4], [2, 3]])
    chart = alt.Chart(
        counts.unpivot(index="depth", variable_name="documents", value_name="n_documents")
    ).encode(
        x=alt.X("depth:Q").title("depth of the pool"),
        y=alt.Y("n_documents:Q").title("documents to judge"),
        color=colours_of("documents", kinds, [BLUE, VERMILION, GREEN], symbol="stroke"),
        tooltip=["documents:N", "depth:Q", "n_documents:Q"],
    )
    return chart.mark_line().encode(strokeDash=dashes) + chart.mark_point()


POOL_SIZES = Figure(
    name="pool_sizes",
    title="Documents of a pool, by its depth",
    reading="The upper line is what a pool of each depth costs; a document of one run is judged "
    "for the sake of this run alone.",
    source="planning.pool_sizes",
    rows="pool_sizes",
    is_empty_where=_NO_ANSWER,
    draw=_draw_pool_sizes,
    needs_judgements=False,
)


def _draw_topic_pool_sizes(rows: pl.DataFrame) -> alt.Chart:
    return (
        alt.Chart(rows)
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("topic_id:N").title("topic").sort(None).axis(names_on_axis()),
            y=alt.Y("n_documents:Q").title(f"documents at depth {rows['depth'][0]}"),
            tooltip=["topic_id:N", "topic_title:N", "n_documents:Q", "n_of_one_run:Q"],
        )
    )


TOPIC_POOL_SIZES = Figure(
    name="topic_pool_sizes",
    title="Documents of each topic",
    reading="A high bar is a topic on which the runs differ: it costs more judgements than the "
    "others do at the same depth.",
    source="planning.topic_pool_sizes",
    rows="topic_pool_sizes",
    is_empty_where=_NO_ANSWER,
    draw=_draw_topic_pool_sizes,
    most_rows=100,
    needs_judgements=False,
)


def _draw_run_contributions(rows: pl.DataFrame) -> alt.Chart:
    return (
        alt.Chart(rows)
        .mark_bar(color=BLUE)
        .add_params(CHOSEN_RUN)
        .encode(
            x=alt.X("n_of_one_run:Q").title(f"documents at depth {rows['depth'][0]}, of one run"),
            y=names_downwards("run_id"),
            **emphasis_by_opacity(),
            tooltip=[
                "run_id:N",
                "organization:N",
                "n_documents:Q",
                "n_of_one_organization:Q",
                "n_of_one_run:Q",
            ],
        )
        .properties(height=height_of_rows(rows.height))
    )


RUN_CONTRIBUTIONS = Figure(
    name="run_contributions",
    title="Documents that one run alone would bring",
    reading="Without the run of a long bar, so many fewer documents would have to be judged, and "
    "nobody would know which of them are relevant.",
    source="planning.run_contributions",
    rows="run_contributions",
    is_empty_where=_NO_ANSWER,
    draw=_draw_run_contributions,
    most_rows=40,
    needs_judgements=False,
)
