"""Scores of run files as frames, like the scores of the runs of a warehouse."""

from collections.abc import Sequence

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.scores.files.scoring import FileScorer, RunScores
from poolhouse.scores.scoring import Scores, remarks_on_topics
from poolhouse.scores.trec_eval.summary import over_topics


def scores_of_files(scorer: FileScorer, texts: Sequence[str]) -> Scores:
    """Score runs, and return the scores of all; the frames have no `score_if_relevant`.

    Raise the errors of `FileScorer.scores`.
    """
    if not scorer.aggregations:
        raise PoolhouseError("runid, num_q and relstring are lines of --format trec_eval")
    by_topic: list[pl.DataFrame] = []
    summed: list[pl.DataFrame] = []
    remarks: list[str] = []
    seen: set[str] = set()
    for scores in scorer.scores(texts, has_counts=True):
        if scores.run.run_id in seen:
            raise PoolhouseError(f"run {scores.run.run_id!r} is named twice")
        seen.add(scores.run.run_id)
        of_run = _by_topic(scores, scorer)
        by_topic.append(of_run)
        summed.append(_summed(scores, of_run, scorer))
        remarks += scores.run.remarks
    over = pl.concat(summed)
    remarks += remarks_on_topics(over)
    return Scores(over, pl.concat(by_topic), tuple(remarks), scorer.version)


def _by_topic(scores: RunScores, scorer: FileScorer) -> pl.DataFrame:
    """Return one row per measure and judged topic."""
    names = {
        value.measure: value.name if value.is_of_trec_eval else None for value in scorer.values
    }
    counted = scores.by_topic.unpivot(
        on=list(scorer.aggregations),
        index=["topic_id", "is_answered"],
        variable_name="measure",
        value_name="score",
    ).join(scores.counts, on=["topic_id", "measure"], how="left", maintain_order="left")
    return counted.select(
        pl.lit(scores.run.run_id).alias("run_id"),
        "topic_id",
        "measure",
        pl.col("measure").replace_strict(names, return_dtype=pl.String).alias("trec_eval_name"),
        pl.lit(scorer.version).alias("trec_eval_version"),
        "score",
        "is_answered",
        pl.col("n_top_documents", "n_unjudged").fill_null(0),
    )


def _summed(scores: RunScores, of_run: pl.DataFrame, scorer: FileScorer) -> pl.DataFrame:
    """Return one row per measure."""
    topics = scores.by_topic
    answered = topics.filter("is_answered")
    found = over_topics(answered, scorer.aggregations, answered.height)
    found_of_all = over_topics(topics, scorer.aggregations, topics.height)
    counts = of_run.group_by(
        "run_id", "measure", "trec_eval_name", "trec_eval_version", maintain_order=True
    ).agg(pl.col("n_top_documents", "n_unjudged").sum())
    return counts.select(
        "run_id",
        "measure",
        "trec_eval_name",
        "trec_eval_version",
        pl.col("measure").replace_strict(scorer.aggregations).alias("aggregation"),
        pl.col("measure").replace_strict(found, return_dtype=pl.Float64).alias("score"),
        pl.col("measure")
        .replace_strict(found_of_all, return_dtype=pl.Float64)
        .alias("score_all_topics"),
        pl.lit(answered.height).alias("n_topics"),
        pl.lit(topics.height).alias("n_judged_topics"),
        "n_top_documents",
        "n_unjudged",
    )
