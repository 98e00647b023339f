"""Scoring: any measure of loaded runs and new runs of a collection, without a build."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.option_values import TREC_EVAL_VERSIONS
from poolhouse.scoring.asked_runs import AskedRuns, NewRun, names_of, repeated_in
from poolhouse.scoring.scored_runs import (
    place_in,
    remarks_on_qrels,
    score_and_count,
    version_of,
)
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explained

_SUMMED = "select * from int_summed_scores('topic_scores')"

_CAVEAT = """
select topics_caveat
from dim_collections
where collection_id = $collection and topics_caveat is not null
"""

_FILES = """
select kind, name, sha256
from ops.files
where
    collection_id = $collection
    and (kind in ('qrels', 'leave_out') or kind = 'run' and list_contains($runs, name))
order by all
"""

_OF_A_TOPIC = (
    *("run_id", "topic_id", "measure", "trec_eval_name"),
    *("score", "is_answered", "n_top_documents", "n_unjudged"),
)


@dataclass(frozen=True)
class Scores:
    """Scores of runs; unjudged documents count as not relevant.

    `over_topics` has one row per run and measure. `score` is the mean (or the other summary of the
    measure) over the topics that the run answers; `score_all_topics` is the same over all judged
    topics. `score_if_relevant` is `score` if the unjudged documents above the cutoff were relevant;
    it is null for measures that are no means. `by_topic` has one row per run, measure and judged
    topic. `n_top_documents` counts the documents down to the cutoff of the measure; `n_unjudged`
    counts the unjudged documents among these, and is null where the qrels list relevant documents
    only (so is `score_if_relevant`). Both frames are in the order of the requested runs
    and measures. `remarks` are cautions about the scores. `version` is the version of trec_eval
    whose rules count. `files` are the files of judgements, pairs to leave out and runs: kind, name
    and SHA-256, which is None where no file is known.
    """

    over_topics: pl.DataFrame
    by_topic: pl.DataFrame
    remarks: tuple[str, ...]
    version: int = TREC_EVAL_VERSIONS[-1]
    files: Sequence[tuple[str, str, str | None]] = ()


def score_runs(
    warehouse: Warehouse,
    collection: str,
    runs: Sequence[str | NewRun],
    measures: Sequence[str],
) -> Scores:
    """Score runs by measures, in the notation of ir_measures or by their names in trec_eval.

    Text is the name of a loaded run. Raise PoolhouseError where no run is given, a run is given
    twice or is unknown, no measure is given or a measure is unknown, a run answers no judged topic,
    or the marts of the collection are not current. Raise NotJudgedError, UnknownCollectionError or
    WarehouseMissingError as their names say.
    """
    names = names_of(runs)
    if not names:
        raise PoolhouseError("name a run to score")
    if repeated := repeated_in(names):
        raise PoolhouseError(f"run {repeated!r} is named twice")
    if not measures:
        raise PoolhouseError("name a measure to score by, such as AP")
    with warehouse.read() as connection:
        asked = AskedRuns(connection, collection, runs)
        by_topic = score_and_count(asked, measures)
        written = by_topic["measure"].unique(maintain_order=True).to_list()
        order = [place_in("run_id", names), place_in("measure", written)]
        # Means are added up in this order, so that their last digits are always the same.
        by_topic = by_topic.sort(*order, "topic_id")
        with explained():
            put_table(connection, "topic_scores", by_topic)
            make_macros(connection, "int_summed_scores")
            over_topics = rows_of(connection, _SUMMED)
            version = version_of(connection)
            caveats = asked.ask(_CAVEAT)["topics_caveat"]
            on_qrels = remarks_on_qrels(asked, by_topic)
            files = asked.ask(_FILES, runs=asked.loaded).rows()
    over_topics = _with_bounds(over_topics, by_topic).sort(*order)
    by_topic = by_topic.select(_OF_A_TOPIC)
    remarks = (*caveats, *on_qrels, *remarks_on_topics(over_topics))
    files += [("run", run.run_id, run.sha256) for run in asked.new]
    return Scores(over_topics, by_topic, remarks, version, files)


def _with_bounds(over_topics: pl.DataFrame, by_topic: pl.DataFrame) -> pl.DataFrame:
    """Add the mean of `score_if_relevant` over the answered topics, where the score is a mean."""
    bounds = (
        by_topic.filter("is_answered", "has_bounds", pl.col("n_unjudged").is_not_null())
        .group_by("run_id", "measure")
        .agg(pl.col("score_if_relevant").mean())
    )
    return over_topics.join(bounds, on=["run_id", "measure"], how="left").with_columns(
        pl.when(aggregation="mean").then("score_if_relevant").alias("score_if_relevant")
    )


def remarks_on_topics(over_topics: pl.DataFrame) -> list[str]:
    """Return remarks on runs that do not answer all topics."""
    of_runs = over_topics.unique("run_id", keep="first", maintain_order=True)
    return [
        f"{run_id} answers {n_topics} of {n_judged} judged topics: score is the mean over these "
        "topics, score_all_topics counts the other topics as empty rankings (trec_eval -c)"
        for run_id, n_topics, n_judged in of_runs.select(
            "run_id", "n_topics", "n_judged_topics"
        ).iter_rows()
        if n_topics < n_judged
    ]
