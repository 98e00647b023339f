"""Scores of loaded and new runs of a collection, by any measure and topic."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.mismatches import mismatch_of_new_run, mismatches_of_loaded
from poolhouse.scoring.asked_runs import AskedRuns, run_ids_of
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explained

_NO_RANKINGS = """
create or replace temp table new_rankings (
    run_id varchar,
    collection_key integer,
    run_key integer,
    topic_key integer,
    doc_key integer,
    doc_id varchar,
    rank integer,
    is_tied_above boolean
)
"""
_ADD_RANKINGS = """
insert into new_rankings
select $run_id, collection_key, $run_key, topic_key, doc_key, doc_id, rank, is_tied_above
from intermediate.int_new_run_rankings($collection, 'new_run')
"""
# A document that no loaded run returns and nobody judged has a key below 0, another in each run.
_ONE_KEY_A_DOCUMENT = """
update new_rankings
set doc_key = numbered.doc_key
from (
    select distinct
        doc_id,
        -dense_rank() over (order by doc_id) as doc_key
    from new_rankings
    where doc_key < 0
) as numbered
where
    new_rankings.doc_id = numbered.doc_id
    and new_rankings.doc_key < 0
"""
# A topic that a run does not answer has no document that could be relevant.
_SCORES = """
select
    scores.*,
    coalesce(if_relevant.score, scores.score) as score_if_relevant
from int_scores_of_runs($collection, $measure, $runs, 'new_rankings') as scores
left join int_scores_if_relevant($collection, $measure, $runs, 'new_rankings') as if_relevant
    using (run_id, topic_id)
"""
# Bounds take more than half of the time.
_SCORES_WITHOUT_BOUNDS = """
select *, cast(null as double) as score_if_relevant
from int_scores_of_runs($collection, $measure, $runs, 'new_rankings')
"""
_WITHOUT_TOPIC = """
select run_id
from dim_runs
where collection_id = $collection and list_contains($runs, run_id) and n_topics = 0
order by run_id
"""
_CAVEAT = "select judging_caveat from dim_collections where collection_id = $collection"
_SQL = Path(__file__).with_suffix(".sql")
# What is wrong with a measure.
_PROBLEM = """
select coalesce(max(hint), max(problem))
from intermediate.int_measure_hints($measure)
having max(problem) is not null
"""
_VERSION = "select any_value(trec_eval_version) from dim_measures"
_WRITTEN = "select measure from int_written_measures($measure)"


def _check_loaded(asked: AskedRuns) -> None:
    """Raise PoolhouseError for a name that is no run of the collection, or of a run without scores.

    A loaded run that answers no judged topic has none.
    """
    known = run_ids_of(asked.connection, asked.collection)
    if unknown := [name for name in asked.loaded if name not in known]:
        raise PoolhouseError(
            f"run {unknown[0]!r} is neither a run of {asked.collection!r} nor a file"
            f"{did_you_mean(unknown[0], known)}"
        )
    for run_id in asked.ask(_WITHOUT_TOPIC, runs=asked.loaded)["run_id"]:
        mismatch = mismatches_of_loaded(asked.connection, asked.collection).get(run_id)
        raise PoolhouseError(f"{run_id}: {mismatch or 'none of its topics is judged'}")


def remarks_on_qrels(asked: AskedRuns, scores: pl.DataFrame) -> list[str]:
    """Return what the qrels cannot tell, and a remark on each run without a document in them.

    `scores` are those of `score_by_topic`.
    """
    caveats: list[str] = []
    if scores["n_unjudged"].has_nulls():  # the qrels list relevant documents only
        caveats = asked.ask(_CAVEAT)["judging_caveat"].to_list()
    judged = scores.filter(pl.col("n_unjudged") < pl.col("n_top_documents"))["run_id"].unique()
    mismatches: dict[str, str | None] = {**mismatches_of_loaded(asked.connection, asked.collection)}
    for each in asked.new:
        if each.run_id not in judged:
            asked.put(each)
            mismatches[each.run_id] = mismatch_of_new_run(asked.connection, asked.collection)
    return [
        *caveats,
        *(f"{name}: {mismatches[name]}" for name in asked.names if mismatches.get(name)),
    ]


def measures_named(connection: duckdb.DuckDBPyConnection, measures: Sequence[str]) -> list[str]:
    """Write measures as ir_measures does, also for names of trec_eval; each measure once."""
    make_macros(connection, "int_written_measures")
    written = [
        str(name)
        for measure in measures
        for (name,) in connection.execute(_WRITTEN, {"measure": measure}).fetchall()
    ]
    return list(dict.fromkeys(written))


def version_of(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the version of trec_eval whose rules the scores of the warehouse follow."""
    [(version,)] = connection.execute(_VERSION).fetchall()
    return int(version)


def score_by_topic(
    asked: AskedRuns, measures: Sequence[str], *, has_bounds: bool = True
) -> pl.DataFrame:
    """Score runs on each judged topic, by measures in any notation that `measures_named` knows.

    Return one row per measure, run and topic, with the columns of int_scores_of_runs, and with
    `score_if_relevant`, the score if the unjudged documents down to the cutoff were relevant; it
    is null without `has_bounds`. `n_unjudged` is null where the qrels list relevant documents only,
    because nobody can say which of the others are unjudged. The measures are in the given order.
    Raise PoolhouseError where the marts of the collection are not current, and where a run or a
    measure is unknown or a run answers no judged topic. Raise NotJudgedError or
    UnknownCollectionError as their names say.
    """
    written = _ranked(asked, measures)
    with explained():
        return pl.concat(_by_measure(asked, each, has_bounds=has_bounds) for each in written)


def score_and_count(asked: AskedRuns, measures: Sequence[str]) -> pl.DataFrame:
    """Score runs as `score_by_topic` does, without what only comparisons need.

    The measures are columns of one query, which the engine plans in a tenth of the time that it
    takes for one table macro a measure. Raise the same errors.
    """
    written = _ranked(asked, measures)
    # Imported only here: other readers of this module do without Jinja.
    from poolhouse.building.macros import macros_of  # noqa: PLC0415

    macros = macros_of(version_of(asked.connection))
    template = macros.from_string(_SQL.read_text(encoding="utf-8"))
    with explained():
        for measure in written:
            for problem in rows_of(asked.connection, _PROBLEM, {"measure": measure}).to_series():
                raise PoolhouseError(problem)
        about = rows_of(asked.connection, template.render(part="measures"), {"measures": written})
        at_once = about.filter(~pl.col("is_on_demand"))
        apart = [_by_measure(asked, measure) for measure in about.filter("is_on_demand")["measure"]]
        if at_once.is_empty():
            return pl.concat(apart)
        together = at_once["measure"].to_list()
        query = template.render(part="scores", measures=together)
        scores = asked.ask(query, runs=asked.loaded, measures=together)
        # Other unjudged documents count at each depth, and at a level above all grades.
        groups = at_once.group_by("depth", "level").agg("measure").rows()
        queries = (
            template.render(part="if relevant", measures=group, depth=depth, level=level)
            for depth, level, group in groups
        )
        bounds = pl.concat(asked.ask(query, runs=asked.loaded) for query in queries)
    # A topic that a run does not answer has no document that could be relevant.
    found = (
        scores.join(bounds, on=["run_id", "topic_id", "measure"], how="left")
        .with_columns(pl.coalesce("score_if_relevant", "score").alias("score_if_relevant"))
        .join(about.select("measure", "trec_eval_name", "has_bounds"), on="measure")
    )
    of_measures = pl.concat([found, *(each.select(found.columns) for each in apart)])
    return of_measures.sort(place_in("measure", written))


def place_in(column: str, order: Sequence[str]) -> pl.Expr:
    """Return the place of the values of a column in their order, from 0."""
    return pl.col(column).replace_strict(order, range(len(order)), return_dtype=pl.Int64)


def _ranked(asked: AskedRuns, measures: Sequence[str]) -> list[str]:
    """Check what is asked, rank the runs that are not loaded, and return the written measures.

    Raise the errors of `score_by_topic`.
    """
    connection = asked.connection
    check_built(connection, asked.collection)
    _check_loaded(asked)
    with explained():
        written = measures_named(connection, measures)
        make_macros(connection, "int_scores_of_runs", "int_scores_if_relevant")
        connection.execute(_NO_RANKINGS)
        for number, run in enumerate(asked.new, start=1):
            asked.put(run)
            values = {"collection": asked.collection, "run_id": run.run_id, "run_key": -number}
            with explained(f"{run.run_id}: "):
                connection.execute(_ADD_RANKINGS, values)
        if len(asked.new) > 1:
            connection.execute(_ONE_KEY_A_DOCUMENT)
    return written


def _by_measure(asked: AskedRuns, measure: str, *, has_bounds: bool = True) -> pl.DataFrame:
    query = _SCORES if has_bounds else _SCORES_WITHOUT_BOUNDS
    return asked.ask(query, measure=measure, runs=asked.loaded)
