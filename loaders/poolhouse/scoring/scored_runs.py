"""Scores of loaded and new runs of a collection, by any measure and topic."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.mismatches import mismatch_of_new_run, mismatches_of_loaded
from poolhouse.scoring.estimating.adjusting import as_run
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explanation

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


@dataclass(frozen=True)
class NewRun:
    """A run that is not loaded: its name, and rows as for `adjusting.adjust`."""

    run_id: str
    rows: pl.DataFrame


def loaded_runs(warehouse: Warehouse, collections: Sequence[str]) -> set[str]:
    """Return the built runs of any of the collections, or none if nothing is built.

    Raise WarehouseMissingError.
    """
    with warehouse.read() as connection:
        if not connection.execute(
            "select 1 from duckdb_views() where schema_name = 'main' and view_name = 'dim_runs'"
        ).fetchall():
            return set()  # the error is raised later, where the collection is used
        return {name for each in collections for name in run_ids_of(connection, each)}


def file_of(text: str, loaded: Collection[str]) -> Path | None:
    """Return the file that a text names, or None if it names a loaded run or nothing."""
    if text in loaded:
        return None
    path = Path(text)
    try:
        return path if path.exists() else None
    except (OSError, ValueError):  # a name that is impossible for a file
        return None


def run_ids_of(
    connection: duckdb.DuckDBPyConnection, collection: str, *, are_scored: bool = False
) -> set[str]:
    """Return the built runs of a collection, or those that answer a judged topic."""
    found = connection.execute(
        "select run_id from dim_runs where collection_id = ? and n_topics >= ?",
        [collection, int(are_scored)],
    ).fetchall()
    return {run_id for (run_id,) in found}


def _check_loaded(
    connection: duckdb.DuckDBPyConnection, collection: str, names: Sequence[str]
) -> None:
    """Raise PoolhouseError for a name that is not a run of the collection."""
    known = run_ids_of(connection, collection)
    if unknown := [name for name in names if name not in known]:
        raise PoolhouseError(
            f"run {unknown[0]!r} is neither a run of {collection!r} nor a file"
            f"{did_you_mean(unknown[0], known)}"
        )


def _check_answers(
    connection: duckdb.DuckDBPyConnection, collection: str, names: Sequence[str]
) -> None:
    """Raise PoolhouseError for a loaded run that answers no judged topic: it has no score."""
    found = connection.execute(_WITHOUT_TOPIC, {"collection": collection, "runs": list(names)})
    for (run_id,) in found.fetchall():
        mismatch = mismatches_of_loaded(connection, collection).get(run_id)
        raise PoolhouseError(f"{run_id}: {mismatch or 'none of its topics is judged'}")


def remarks_on_qrels(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    scores: pl.DataFrame,
) -> list[str]:
    """Return what the qrels cannot tell, and a remark on each run without a document in them.

    `scores` are those of `score_by_topic`.
    """
    caveats: list[str] = []
    if scores["n_unjudged"].has_nulls():  # the qrels list relevant documents only
        found = rows_of(connection, _CAVEAT, {"collection": collection})
        caveats = found["judging_caveat"].to_list()
    judged = scores.filter(pl.col("n_unjudged") < pl.col("n_top_documents"))["run_id"].unique()
    mismatches = _mismatches(connection, collection, runs, judged.to_list())
    return [*caveats, *mismatches]


def _mismatches(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    judged: Sequence[str],
) -> list[str]:
    """Return a remark on each run of which no document is in the qrels.

    The runs `judged` are known to have one.
    """
    found: dict[str, str | None] = dict(mismatches_of_loaded(connection, collection))
    for each in runs:
        if isinstance(each, NewRun) and each.run_id not in judged:
            put_table(connection, "new_run", as_run(each.rows))
            found[each.run_id] = mismatch_of_new_run(connection, collection)
    return [f"{name}: {found[name]}" for name in names_of(runs) if found.get(name)]


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


def names_of(runs: Sequence["str | NewRun"]) -> list[str]:
    """Return the names of loaded and new runs."""
    return [each if isinstance(each, str) else each.run_id for each in runs]


def loaded_of(runs: Sequence["str | NewRun"]) -> list[str]:
    """Return the names of the loaded runs among the runs."""
    return [each for each in runs if isinstance(each, str)]


def score_by_topic(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    measures: Sequence[str],
    *,
    has_bounds: bool = True,
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
    written = _ranked(connection, collection, runs, measures)
    try:
        return pl.concat(
            _by_measure(connection, collection, runs, measure, has_bounds=has_bounds)
            for measure in written
        )
    except duckdb.Error as error:
        raise PoolhouseError(explanation(error)) from error


def score_and_count(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    measures: Sequence[str],
) -> pl.DataFrame:
    """Score runs as `score_by_topic` does, without what only comparisons need.

    The measures are columns of one query, which the engine plans in a tenth of the time that it
    takes for one table macro a measure. Raise the same errors.
    """
    written = _ranked(connection, collection, runs, measures)
    # Imported only here: other readers of this module do without Jinja.
    from poolhouse.building.macros import macros_of  # noqa: PLC0415

    template = macros_of(version_of(connection)).from_string(_SQL.read_text(encoding="utf-8"))
    values = {"collection": collection, "runs": loaded_of(runs)}
    try:
        for measure in written:
            for (problem,) in connection.execute(_PROBLEM, {"measure": measure}).fetchall():
                raise PoolhouseError(problem)
        about = rows_of(connection, template.render(part="measures"), {"measures": written})
        at_once = about.filter(~pl.col("is_on_demand"))
        apart = [
            _by_measure(connection, collection, runs, measure)
            for measure in about.filter("is_on_demand")["measure"]
        ]
        if at_once.is_empty():
            return pl.concat(apart)
        together = at_once["measure"].to_list()
        query = template.render(part="scores", measures=together)
        scores = rows_of(connection, query, {**values, "measures": together})
        # Other unjudged documents count at each depth, and at a level above all grades.
        groups = at_once.group_by("depth", "level").agg("measure").rows()
        queries = (
            template.render(part="if relevant", measures=group, depth=depth, level=level)
            for depth, level, group in groups
        )
        bounds = pl.concat(rows_of(connection, query, values) for query in queries)
    except duckdb.Error as error:
        raise PoolhouseError(explanation(error)) from error
    # A topic that a run does not answer has no document that could be relevant.
    found = (
        scores.join(bounds, on=["run_id", "topic_id", "measure"], how="left")
        .with_columns(pl.coalesce("score_if_relevant", "score").alias("score_if_relevant"))
        .join(about.select("measure", "trec_eval_name", "has_bounds"), on="measure")
    )
    of_measures = pl.concat([found, *(each.select(found.columns) for each in apart)])
    return of_measures.sort(
        pl.col("measure").replace_strict(written, range(len(written)), return_dtype=pl.Int64)
    )


def _ranked(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    measures: Sequence[str],
) -> list[str]:
    """Check what is asked, rank the runs that are not loaded, and return the written measures.

    Raise the errors of `score_by_topic`.
    """
    check_built(connection, collection)
    loaded = loaded_of(runs)
    _check_loaded(connection, collection, loaded)
    _check_answers(connection, collection, loaded)
    try:
        written = measures_named(connection, measures)
        _put_rankings(connection, collection, [each for each in runs if isinstance(each, NewRun)])
    except duckdb.Error as error:
        raise PoolhouseError(explanation(error)) from error
    return written


def _by_measure(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    runs: Sequence["str | NewRun"],
    measure: str,
    *,
    has_bounds: bool = True,
) -> pl.DataFrame:
    return rows_of(
        connection,
        _SCORES if has_bounds else _SCORES_WITHOUT_BOUNDS,
        {"collection": collection, "measure": measure, "runs": loaded_of(runs)},
    )


def _put_rankings(
    connection: duckdb.DuckDBPyConnection, collection: str, runs: Sequence[NewRun]
) -> None:
    """Rank the documents of runs that are not loaded.

    Raise PoolhouseError where a run answers no judged topic. Raise duckdb.Error.
    """
    make_macros(connection, "int_scores_of_runs", "int_scores_if_relevant")
    connection.execute(_NO_RANKINGS)
    for number, each in enumerate(runs, start=1):
        _add_rankings(connection, collection, each, -number)
    if len(runs) > 1:
        connection.execute(_ONE_KEY_A_DOCUMENT)


def _add_rankings(
    connection: duckdb.DuckDBPyConnection, collection: str, run: NewRun, run_key: int
) -> None:
    put_table(connection, "new_run", as_run(run.rows))
    values = {"collection": collection, "run_id": run.run_id, "run_key": run_key}
    try:
        connection.execute(_ADD_RANKINGS, values)
    except duckdb.Error as error:
        raise PoolhouseError(f"{run.run_id}: {explanation(error)}") from error
