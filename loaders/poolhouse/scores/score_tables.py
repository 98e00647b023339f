"""Scores for people: one table per run, or the lines of trec_eval."""

from collections.abc import Iterator, Sequence

import polars as pl

from poolhouse.scores.scoring import Scores

# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[tuple[object, ...]]]

_ALL = "all"


def tables_of(scores: Scores, collection: str, *, by_topic: bool) -> Iterator[_Table]:
    """Return a table of the scores of each run."""
    for over_topics in scores.over_topics.partition_by("run_id", maintain_order=True):
        first = over_topics.row(0, named=True)
        run_id, n_topics, n_judged = first["run_id"], first["n_topics"], first["n_judged_topics"]
        of = "" if n_topics == n_judged else f" of {n_judged} judged"
        title = f"{run_id} on {n_topics}{of} topics of {collection}"
        if by_topic:
            yield title, *_topics(scores.by_topic.filter(run_id=run_id), over_topics)
            continue
        all_topics = [pl.col("score_all_topics")] if of else []
        shown = over_topics.select(
            "measure",
            "score",
            *all_topics,
            pl.format("{} of {}", "n_unjudged", "n_top_documents").alias("unjudged"),
            pl.col("score_if_relevant").alias("if relevant"),
        )
        yield title, shown.columns, shown.rows()


def _topics(
    by_topic: pl.DataFrame, over_topics: pl.DataFrame
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return a table with one row per topic, one column per measure, and the means."""
    answered = by_topic.filter("is_answered")
    topics = answered.pivot("measure", index="topic_id", values="score", maintain_order=True)
    return topics.columns, [*topics.rows(), (_ALL, *over_topics["score"])]


def trec_eval_lines(scores: Scores, *, by_topic: bool, is_complete: bool) -> Iterator[str]:
    """Write the lines that trec_eval prints (with -q by topic, with -c complete).

    A measure that trec_eval does not have, or with a relevance level of its own, has its name of
    ir_measures. Scores have four decimals, and counts have none.
    """
    aggregations = dict(scores.over_topics.select("measure", "aggregation").rows())
    for over_topics in scores.over_topics.partition_by("run_id", maintain_order=True):
        first = over_topics.row(0, named=True)
        if by_topic:
            of_run = scores.by_topic.filter(run_id=first["run_id"])
            shown = of_run if is_complete else of_run.filter("is_answered")
            for row in shown.sort("topic_id", maintain_order=True).iter_rows(named=True):
                aggregation = aggregations[row["measure"]]
                # trec_eval has a geometric mean over topics, and not for a single topic.
                if aggregation != "geometric_mean":
                    yield _line(_name(row), row["topic_id"], _value(row["score"], aggregation))
        yield _line("runid", _ALL, first["run_id"])
        yield _line(
            "num_q", _ALL, str(first["n_judged_topics"] if is_complete else first["n_topics"])
        )
        for row in over_topics.iter_rows(named=True):
            score = row["score_all_topics"] if is_complete else row["score"]
            yield _line(_name(row), _ALL, _value(score, row["aggregation"]))


def _name(row: dict[str, str | None]) -> str:
    name = row["trec_eval_name"]
    # `P_10 with -l 2` is an option, and not a name
    return name if name and " " not in name else str(row["measure"])


def _value(score: float, aggregation: str) -> str:
    return f"{score:.0f}" if aggregation == "sum" else f"{score:6.4f}"


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}"
