"""Where the runs stand while a pool is being judged."""

from dataclasses import dataclass

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.output.words import counted
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.queries import explained


@dataclass(frozen=True)
class Interim:
    """The rows of interim_leaderboard, best first, and what is to be said about them."""

    measure: str
    rows: pl.DataFrame
    remarks: list[str]


def interim_leaderboard(
    warehouse: Warehouse, collection: str, measure: str | None = None
) -> Interim:
    """Return where the runs stand by a measure, or by the main measure.

    Raise PoolhouseError where the marts are not current, the measure has no expected score, or the
    pool is not known; UnknownCollectionError.
    """
    with warehouse.read() as connection:
        check_built(connection, collection)
        measure = measure or _main_measure(connection, collection)
        with explained():
            rows = rows_of(
                connection,
                """
                select * exclude (collection_id, measure)
                from planning.interim_leaderboard($collection, $measure)
                order by rank nulls last, score desc, run_id
                """,
                {"collection": collection, "measure": measure},
            )
        progress = _progress(connection, collection)
    return Interim(measure, rows, [*progress, _places(rows, measure)])


def _main_measure(connection: duckdb.DuckDBPyConnection, collection: str) -> str:
    [(measure,)] = connection.execute(
        "select main_measure from dim_collections where collection_id = ?", [collection]
    ).fetchall()
    return str(measure)


def _progress(connection: duckdb.DuckDBPyConnection, collection: str) -> list[str]:
    rows = connection.execute(
        "select how_judged from dim_collections where collection_id = ?", [collection]
    )
    return [f"{collection}: {how_judged}" for (how_judged,) in rows.fetchall() if how_judged]


def _places(rows: pl.DataFrame, measure: str) -> str:
    """Say how much of the order is sure."""
    told = rows.filter(pl.col("rank").is_not_null())
    n_sure = told.filter(pl.col("best_rank") == pl.col("worst_rank")).height
    n_pairs, n_apart = told.height * (told.height - 1) // 2, (told["best_rank"] - 1).sum()
    said = f"{n_sure} of {counted(told.height, 'place')} are sure, and {n_apart} of {n_pairs} pairs"
    if n_untold := rows.height - told.height:
        return f"{said}; {counted(n_untold, 'run')} cannot be told by {measure} yet"
    return said
