"""Figures of the pool: the judged share by rank, and the documents of organizations."""

import altair as alt
import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.figures.theme import (
    BLUE,
    VERMILION,
    colours_of,
    height_of_rows,
    names_downwards,
)


def _draw_judged_by_rank(rows: pl.DataFrame) -> alt.LayerChart:
    kinds = ["pooled", "not pooled"]
    lines = (
        alt.Chart(rows)
        .mark_line()
        .encode(
            x=alt.X("pooling_rank:Q").title("rank in the order of pooling").axis(tickMinStep=1),
            y=alt.Y("in_qrels_share:Q")
            .title("share in the qrels")
            .axis(format="%")
            .scale(domain=[0, 1]),
            color=colours_of("runs", kinds, [BLUE, VERMILION]),
            strokeDash=alt.StrokeDash("runs:N").scale(domain=kinds, range=[[1, 0], [6, 4]]),
            tooltip=["runs:N", "pooling_rank:Q", "n_in_qrels:Q", "n_documents:Q"],
        )
    )
    depth = alt.Chart(rows.head(1)).transform_calculate(edge="datum.pool_depth + 0.5")
    edge = depth.mark_rule(strokeDash=[2, 3]).encode(x="edge:Q")
    label = depth.mark_text(align="left", dx=5, baseline="top").encode(
        x="edge:Q", y=alt.value(0), text=alt.Text("label:N")
    )
    return lines + edge + label.transform_calculate(label="'pool depth ' + datum.pool_depth")


JUDGED_BY_RANK = Figure(
    name="judged_by_rank",
    title="Share of the documents that were judged, by rank",
    reading="Down to the pool depth nearly all documents of pooled runs are judged; the lower the "
    "line of the other runs lies at the first ranks, the more their scores miss.",
    source="audits.audit_ranks_in_qrels",
    rows="judged_by_rank",
    is_empty_where="no pool depth is known",
    draw=_draw_judged_by_rank,
    facts=lambda _: (),
    most_rows=2000,
)


def _draw_unique_relevant(rows: pl.DataFrame) -> alt.Chart:
    return (
        alt.Chart(rows)
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("n_unique_relevant:Q").title("relevant documents, found alone"),
            y=names_downwards("organization"),
            tooltip=[
                "organization:N",
                "n_pooled_runs:Q",
                "n_relevant:Q",
                "n_unique_relevant:Q",
                alt.Tooltip("share_of_relevant_of_collection:Q", format=".1%"),
            ],
        )
        .properties(height=height_of_rows(rows.height))
    )


UNIQUE_RELEVANT = Figure(
    name="unique_relevant",
    title="Relevant documents that one organization alone contributed",
    reading="A long bar is an organization without which many relevant documents would be unknown: "
    "a new system that finds as many others loses as much.",
    source="fct_unique_contributions; Zobel 1998, Buckley et al. 2006",
    rows="unique_relevant",
    is_empty_where="no run is known to be pooled",
    draw=_draw_unique_relevant,
    facts=lambda rows: rows.height,
    most_rows=40,
)
