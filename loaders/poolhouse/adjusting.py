"""Adjusting: the scores of a run that is not in the warehouse, and what they would be in the pool.

The SQL is the table macro `adjusted_scores`, which a build leaves in the warehouse.
"""

from dataclasses import dataclass

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError, UnknownCollectionError
from poolhouse.queries import explanation
from poolhouse.staleness import State, collection_states
from poolhouse.warehouse import Warehouse

_ESTIMATORS = [
    "unadjusted",
    "webber_park_systems",
    "webber_park_systems_no_substitution",
    "lipani",
]

_NEEDED = {"query": pl.String, "docno": pl.String, "score": pl.Float64}
# What a run file has besides, and a collection that was not pooled by score is interested in.
_OPTIONAL = {"rank": pl.Int32, "line_number": pl.Int32}


@dataclass(frozen=True)
class Adjustment:
    """What there is to say of a new run.

    `scores` has one row per measure, treatment of unjudged documents and estimator; its columns are
    those of the table macro `adjusted_scores`. `remarks` say what to know before they are used.
    """

    scores: pl.DataFrame
    remarks: tuple[str, ...]


def adjust(
    warehouse: Warehouse, collection: str, run: pl.DataFrame, run_id: str | None = None
) -> Adjustment:
    """Score a run that was not pooled, and estimate what its unjudged documents would add.

    `run` has a row for each retrieved document, with `query`, `docno` and `score`, and `rank` and
    `line_number` as its file has them, where the collection was pooled by these. `run_id` is its
    name: a loaded run of that name is left out of the comparison. Errors: PoolhouseError where
    that is a pooled one, the run answers no judged topic, or the collection is not built as it is
    loaded; UnknownCollectionError; WarehouseMissingError.
    """
    frame = _checked(run)
    with warehouse.read() as connection:
        _check_built(connection, collection)
        is_known = _is_loaded(connection, collection, run_id)
        try:
            _put(connection, "new_run", frame)
            scores = _rows(
                connection,
                """
                select *
                from adjusted_scores($collection, 'new_run', except_run := $run_id)
                order by
                    split_part(measure, '@', 1),
                    cast(split_part(measure, '@', 2) as integer),
                    list_position($estimators, estimator)
                """,
                {"collection": collection, "run_id": run_id, "estimators": _ESTIMATORS},
            )
        except duckdb.Error as error:
            raise PoolhouseError(explanation(error)) from error
    if scores.is_empty():
        raise PoolhouseError(f"the run answers no topic that is judged in {collection!r}")
    remarks = _remarks(scores)
    if is_known:
        remarks.insert(0, f"{run_id} is loaded, not pooled: it is compared with the other runs")
    return Adjustment(scores, tuple(remarks))


def _checked(run: pl.DataFrame) -> pl.DataFrame:
    """Take the columns that are needed, of their types; refuse what a run file could not hold."""
    if missing := [name for name in _NEEDED if name not in run.columns]:
        raise PoolhouseError(f"the run has no column {missing[0]!r}")
    try:
        frame = run.select(
            pl.col(name).cast(kind)
            for name, kind in (_NEEDED | _OPTIONAL).items()
            if name in run.columns
        )
    except pl.exceptions.PolarsError as error:
        raise PoolhouseError(f"the run: {' '.join(str(error).split())}") from error
    if not frame.select(pl.col("score").is_finite().all(ignore_nulls=False)).item():
        raise PoolhouseError("the run has a score that is not a finite number")
    if frame.select(pl.any_horizontal(pl.col("query", "docno").has_nulls())).item():
        raise PoolhouseError("the run has a row without a topic or a document")
    if "line_number" not in frame.columns:
        frame = frame.with_row_index("line_number", offset=1)
    return frame


def _check_built(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Refuse a collection whose marts are not what is loaded."""
    states = {each.collection_id: each.state for each in collection_states(connection)}
    state = states.pop(collection, State.REMOVED)
    if state is State.REMOVED:
        known = [name for name, state in states.items() if state is not State.REMOVED]
        raise UnknownCollectionError(collection, known)
    if state is not State.CURRENT:
        raise PoolhouseError(f"collection {collection!r} is {state.value}: poolhouse build first")


def _is_loaded(connection: duckdb.DuckDBPyConnection, collection: str, run_id: str | None) -> bool:
    """Say whether a run of that name is loaded; one that was pooled is no new run."""
    found = connection.execute(
        "select is_pooled from dim_runs where collection_id = ? and run_id = ?",
        [collection, run_id],
    ).fetchall()
    if found == [(True,)]:
        raise PoolhouseError(
            f"run {run_id!r} is one of the pooled runs of {collection!r}: its estimates are in "
            "fct_adjusted_scores; a new run needs another name"
        )
    return bool(found)


def _put(connection: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    """Make a temporary table of a frame."""
    connection.register("frame", frame.to_arrow())
    connection.execute(f"create or replace temp table {table} as from frame")
    connection.unregister("frame")


def _rows(
    connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, object]
) -> pl.DataFrame:
    """Ask for a frame."""
    return pl.DataFrame(connection.sql(query, params=values).to_arrow_table())


def _remarks(scores: pl.DataFrame) -> list[str]:
    """Say what the scores are not."""
    first = scores.row(0, named=True)
    remarks = []
    if first["n_topics"] < first["n_judged_topics"]:
        remarks.append(
            f"it answers {first['n_topics']} of {first['n_judged_topics']} judged topics: scores "
            "are means over these, as those of the other runs over theirs"
        )
    if scores["estimator"].unique().to_list() == ["unadjusted"]:
        remarks.append("no run was pooled: there is nothing to learn an adjustment from")
    if (
        beyond := scores.filter("beyond_pool_depth")["measure"]
        .unique(maintain_order=True)
        .to_list()
    ):
        remarks.append(
            f"deeper than the pool, so that all runs have unjudged documents: {', '.join(beyond)}"
        )
    return remarks
