"""Scoring: any measure of runs of a collection, loaded ones and new ones, without a build."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.estimating.adjusting import check_built, put_table, rows_of
from poolhouse.scores.scored_runs import (
    NewRun,
    check_loaded,
    measures_named,
    put_rankings,
    scores_by_topic,
)
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import explanation

_SUMMED = "select * from intermediate.int_summed_scores('topic_scores')"

_OF_A_TOPIC = (
    *("run_id", "topic_id", "measure", "trec_eval_name"),
    *("score", "is_answered", "n_top_documents", "n_unjudged"),
)


@dataclass(frozen=True)
class Scores:
    """What there is to say of runs, unjudged documents being not relevant.

    `over_topics` has one row per run and measure. `score` is the mean over the topics that the run
    answers, or what the measure has in its place; `score_all_topics` the same over all judged
    ones. `by_topic` has one row per run, measure and judged topic. `n_top_documents` counts the
    documents down to the cutoff of the measure, `n_unjudged` the unjudged ones among them. Both are
    in the order in which runs and measures were asked for. `remarks` say what to know before.
    """

    over_topics: pl.DataFrame
    by_topic: pl.DataFrame
    remarks: tuple[str, ...]


def score_runs(
    warehouse: Warehouse,
    collection: str,
    runs: Sequence[str | NewRun],
    measures: Sequence[str],
) -> Scores:
    """Score runs by measures, in the notation of ir_measures or by their names in trec_eval.

    A name is that of a loaded run. Errors: PoolhouseError where there is no run, one twice or
    unknown, no measure or an unknown one, a run answers no judged topic, or the collection is not
    built as it is loaded; NotJudgedError; UnknownCollectionError; WarehouseMissingError.
    """
    names = [each if isinstance(each, str) else each.run_id for each in runs]
    if not names:
        raise PoolhouseError("name a run to score")
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise PoolhouseError(f"run {repeated!r} is named twice")
    if not measures:
        raise PoolhouseError("name a measure to score by, such as AP")
    with warehouse.read() as connection:
        check_built(connection, collection)
        loaded = [each for each in runs if isinstance(each, str)]
        check_loaded(connection, collection, loaded)
        try:
            written = measures_named(connection, measures)
            put_rankings(
                connection, collection, [each for each in runs if isinstance(each, NewRun)]
            )
            by_topic = pl.concat(
                scores_by_topic(connection, collection, measure, loaded) for measure in written
            )
            put_table(connection, "topic_scores", by_topic)
            over_topics = rows_of(connection, _SUMMED, {})
        except duckdb.Error as error:
            raise PoolhouseError(explanation(error)) from error
    order = _order(names, written)
    over_topics = over_topics.sort(*order)
    by_topic = by_topic.sort(*order, "topic_id").select(_OF_A_TOPIC)
    return Scores(over_topics, by_topic, tuple(_remarks(over_topics)))


def _order(names: Sequence[str], measures: Sequence[str]) -> list[pl.Expr]:
    return [
        pl.col(column).replace_strict(values, range(len(values)), return_dtype=pl.Int64)
        for column, values in (("run_id", list(names)), ("measure", list(measures)))
    ]


def _remarks(over_topics: pl.DataFrame) -> list[str]:
    """Say which runs do not answer all topics."""
    of_runs = over_topics.unique("run_id", keep="first", maintain_order=True)
    return [
        f"{run_id} answers {n_topics} of {n_judged} judged topics: score is the mean over these "
        "topics, score_all_topics counts the other topics as empty rankings (trec_eval -c)"
        for run_id, n_topics, n_judged in of_runs.select(
            "run_id", "n_topics", "n_judged_topics"
        ).iter_rows()
        if n_topics < n_judged
    ]
