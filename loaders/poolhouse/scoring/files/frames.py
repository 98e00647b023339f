"""Scores of run files as frames, like the scores of the runs of a warehouse."""

from collections.abc import Sequence

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.scoring.files.scoring import FileScorer, RunScores
from poolhouse.scoring.scored_runs import place_in
from poolhouse.scoring.scores import Scores, remarks_on_topics
from poolhouse.trec_eval.summary import over_topics


def scores_of_files(scorer: FileScorer, texts: Sequence[str]) -> Scores:
    """Score runs, and return the scores of all; the frames have no `score_if_relevant`.

    Raise the errors of `FileScorer.scores`.
    """
    if not scorer.aggregations:
        raise PoolhouseError("runid, num_q and relstring are lines of --format trec_eval")
    runs: list[RunScores] = []
    seen: set[str] = set()
    for scores in scorer.scores(texts, has_counts=True):
        if scores.run.run_id in seen:
            raise PoolhouseError(
                f"run {scores.run.run_id!r} is named twice: --run-id folder, or tag, names runs "
                "otherwise"
            )
        seen.add(scores.run.run_id)
        runs.append(scores)
    by_topic = _by_topic(runs, scorer)
    over = _summed(runs, by_topic, scorer)
    of_lines = (remark for scores in runs for remark in scores.run.remarks)
    remarks = (*of_lines, *remarks_on_topics(over))
    files = (*scorer.files, *(("run", scores.run.run_id, scores.run.sha256) for scores in runs))
    return Scores(over, by_topic, remarks, scorer.version, files)


def _by_topic(runs: Sequence[RunScores], scorer: FileScorer) -> pl.DataFrame:
    """Return one row per run, measure and judged topic."""
    names = {
        value.measure: value.name if value.is_of_trec_eval else None for value in scorer.values
    }
    place = place_in("run_id", [scores.run.run_id for scores in runs])
    topics = pl.concat(_of_run(scores, scores.by_topic) for scores in runs)
    counts = pl.concat(_of_run(scores, scores.counts) for scores in runs)
    counted = (
        topics.unpivot(
            on=list(scorer.aggregations),
            index=["run_id", "topic_id", "is_answered"],
            variable_name="measure",
            value_name="score",
        )
        .join(counts, on=["run_id", "topic_id", "measure"], how="left", maintain_order="left")
        .sort(place, maintain_order=True)
    )
    return counted.select(
        "run_id",
        "topic_id",
        "measure",
        pl.col("measure").replace_strict(names, return_dtype=pl.String).alias("trec_eval_name"),
        pl.lit(scorer.version).alias("trec_eval_version"),
        "score",
        "is_answered",
        pl.col("n_top_documents", "n_unjudged").fill_null(0),
    )


def _of_run(scores: RunScores, rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(run_id=pl.lit(scores.run.run_id))


def _summed(runs: Sequence[RunScores], by_topic: pl.DataFrame, scorer: FileScorer) -> pl.DataFrame:
    """Return one row per run and measure."""
    found = pl.concat(_over_topics(scores, scorer) for scores in runs)
    counts = by_topic.group_by(
        "run_id", "measure", "trec_eval_name", "trec_eval_version", maintain_order=True
    ).agg(pl.col("n_top_documents", "n_unjudged").sum())
    return counts.join(found, on=["run_id", "measure"], maintain_order="left").select(
        "run_id",
        "measure",
        "trec_eval_name",
        "trec_eval_version",
        pl.col("measure").replace_strict(scorer.aggregations).alias("aggregation"),
        *("score", "score_all_topics", "n_topics", "n_judged_topics"),
        *("n_top_documents", "n_unjudged"),
    )


def _over_topics(scores: RunScores, scorer: FileScorer) -> pl.DataFrame:
    topics = scores.by_topic
    answered = topics.filter("is_answered")
    found = over_topics(answered, scorer.aggregations, answered.height)
    found_of_all = over_topics(topics, scorer.aggregations, topics.height)
    return pl.DataFrame(
        {
            "measure": list(found),
            "score": pl.Series(found.values(), dtype=pl.Float64),
            "score_all_topics": pl.Series(found_of_all.values(), dtype=pl.Float64),
        }
    ).with_columns(
        pl.lit(scores.run.run_id).alias("run_id"),
        pl.lit(answered.height).alias("n_topics"),
        pl.lit(topics.height).alias("n_judged_topics"),
    )
