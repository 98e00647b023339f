"""Scores for people: one table per run, or the lines of trec_eval."""

from collections.abc import Iterator, Sequence

import polars as pl

from poolhouse.scoring.scores import Scores
from poolhouse.trec_eval.measures import NUM_Q, RUNID, Printed
from poolhouse.trec_eval.printed_lines import Lines

# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[tuple[object, ...]]]

_ALL = "all"


def tables_of(scores: Scores, topics: str, *, by_topic: bool) -> Iterator[_Table]:
    """Return a table of the scores of each run; `topics` names the collection, or the qrels."""
    for over_topics in scores.over_topics.partition_by("run_id", maintain_order=True):
        first = over_topics.row(0, named=True)
        run_id, n_topics, n_judged = first["run_id"], first["n_topics"], first["n_judged_topics"]
        of = "" if n_topics == n_judged else f" of {n_judged} judged"
        title = f"{run_id} on {n_topics}{of} topics of {topics}"
        if by_topic:
            yield title, *_topics(scores.by_topic.filter(run_id=run_id), over_topics)
            continue
        all_topics = [pl.col("score_all_topics")] if of else []
        unjudged = pl.format("{} of {}", "n_unjudged", "n_top_documents").alias("unjudged")
        # The scores of files have no bounds.
        has_bounds = "score_if_relevant" in over_topics.columns
        bounds = [pl.col("score_if_relevant").alias("if relevant")] if has_bounds else []
        of_unjudged = [] if over_topics["n_unjudged"].has_nulls() else [unjudged, *bounds]
        shown = over_topics.select("measure", "score", *all_topics, *of_unjudged)
        yield title, shown.columns, shown.rows()


def _topics(
    by_topic: pl.DataFrame, over_topics: pl.DataFrame
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return a table with one row per topic, one column per measure, and the means."""
    answered = by_topic.filter("is_answered")
    topics = answered.pivot("measure", index="topic_id", values="score", maintain_order=True)
    return topics.columns, [*topics.rows(), (_ALL, *over_topics["score"])]


def trec_eval_lines(
    scores: Scores, *, by_topic: bool, is_complete: bool, has_summary: bool = True
) -> Iterator[str]:
    """Write the lines that trec_eval prints for the runs of a collection.

    A measure that trec_eval does not have, or with a relevance level of its own, has its name of
    ir_measures.
    """
    measures = scores.over_topics.unique("measure", keep="first", maintain_order=True)
    values = [Printed.of(*row) for row in measures.select("measure", "trec_eval_name").iter_rows()]
    lines = Lines(
        [Printed(RUNID), Printed(NUM_Q), *values],
        dict(measures.select("measure", "aggregation").iter_rows()),
        scores.version,
        by_topic=by_topic,
        is_complete=is_complete,
        has_summary=has_summary,
    )
    for (run_id,), of_run in scores.by_topic.group_by("run_id", maintain_order=True):
        wide = of_run.pivot("measure", index=["topic_id", "is_answered"], values="score")
        yield from lines.of(str(run_id), wide.sort("topic_id"))
