"""The results of a running experiment, in a database of its own until they are complete.

An experiment reads the published warehouse, as every reader does, and blocks no load or build.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.confinement import LOCKING, confine
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import registered, rows_of
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.schemas import EXPERIMENT_TABLES, EXPERIMENTS
from poolhouse.warehouse.spilling import spill_folder, spilled_in


@contextmanager
def computing(warehouse: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to an empty database of results, `memory`, and to the published warehouse, read-only.

    Raise WarehouseMissingError, and PoolhouseError for an error of the engine.
    """
    with warehouse.read():
        pass  # raises the right error for the warehouse
    try:
        with (
            spilled_in(spill_folder() or Path(gettempdir())) as spilled,
            closing(
                duckdb.connect(
                    ":memory:",
                    config={"memory_limit": memory_limit(), "temp_directory": str(spilled)},
                )
            ) as connection,
            interruptible(connection),
        ):
            connection.execute(EXPERIMENTS)
            warehouse.attach(connection, "warehouse")
            # Confined while its own database is the current one, whose macros would be called.
            confine(connection, [spilled, *warehouse.reached])
            connection.execute(LOCKING)
            # The models name no database: their views and macros are found in the current one.
            connection.execute("use warehouse")
            yield connection
    except duckdb.Error as error:
        problem = f"{warehouse.path}: the experiment stopped: {first_line(error)}"
        raise PoolhouseError(problem) from error


Results = Mapping[str, pl.DataFrame]


def computed_results(connection: duckdb.DuckDBPyConnection) -> Results:
    """Return the computed rows, by the name of their table."""
    return {table: rows_of(connection, f"from memory.{table}") for table in EXPERIMENT_TABLES}


def store_settings(connection: duckdb.DuckDBPyConnection, settings: Mapping[str, object]) -> None:
    """Store the settings of an experiment beside its results, by column, with the time."""
    values = ", ".join(f"${name} as {name}" for name in settings)
    connection.execute(
        f"""
        insert into memory.experiments.settings by name
        select {values}, current_timestamp at time zone 'UTC' as finished_at
        """,
        settings,
    )


def stored_at(
    connection: duckdb.DuckDBPyConnection, settings: Mapping[str, object]
) -> datetime | None:
    """Return when an experiment with these settings was finished, if it is stored."""
    same = " and ".join(f"{name} is not distinct from ${name}" for name in settings)
    found = connection.execute(
        f"select finished_at from experiments.settings where {same}",  # noqa: S608 - own words
        settings,
    ).fetchone()
    return found[0] if found else None


def replace_results(
    side: duckdb.DuckDBPyConnection, results: Results, collection_key: int, experiment: str
) -> None:
    """Replace the results of an earlier run in the side file by the computed ones."""
    side.begin()
    for table, rows in results.items():
        side.execute(
            f"delete from {table} where collection_key = ? and experiment = ?",  # noqa: S608 - own words
            [collection_key, experiment],
        )
        with registered(side, "computed", rows):
            side.execute(f"insert into {table} by name from computed")
    side.commit()
