"""Unfinished experiments: a file beside the warehouse with the finished parts.

An experiment reads the published warehouse, as every reader does, and blocks no load or build. Its
results are copied into the warehouse when they are complete.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.ending import interruptible
from poolhouse.warehouse.file import STORAGE_VERSION, Warehouse, first_line
from poolhouse.warehouse.leftovers import (
    clear_experiments,
    discard,
    is_in_use,
    open_here,
    spilled_beside,
)
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.schemas import EXPERIMENT_TABLES, EXPERIMENTS

# One row per finished part of an experiment.
_DONE = """
    create table if not exists experiments.done (
        collection_key integer not null,
        experiment varchar not null,
        population varchar not null,
        width integer not null,
        first_sample integer not null
    )
"""
_OF_ONE = "where collection_key = ? and experiment = ?"


@contextmanager
def unfinished(warehouse: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to the file, as database `unfinished`, and to the published warehouse, read-only.

    Raise WarehouseMissingError. Raise PoolhouseError for an error of the engine, or where another
    process has the file open.
    """
    file = warehouse.experiments_path
    with warehouse.read() as published:  # raises the right error for the warehouse
        clear_experiments(file, published)
    spilled = spilled_beside(file)
    settings: dict[str, Any] = {
        "memory_limit": memory_limit(),
        "temp_directory": str(spilled),
    }
    is_empty = False
    try:
        with (
            open_here(file),
            closing(duckdb.connect(":memory:", config=settings)) as connection,
            interruptible(connection),
        ):
            _attach_both(connection, file, warehouse.path)
            try:
                yield connection
            finally:
                is_empty = _is_empty(connection)
    except duckdb.Error as error:
        problem = first_line(error)
        hint = (
            "another experiment runs on this warehouse"
            if is_in_use(error)
            else f"the finished parts are kept in {file}; run the experiment again to continue"
        )
        raise PoolhouseError(
            f"{warehouse.path}: the experiment stopped: {problem} ({hint})"
        ) from error
    finally:
        shutil.rmtree(spilled, ignore_errors=True)
        if is_empty:
            discard(file)


def _attach_both(connection: duckdb.DuckDBPyConnection, file: Path, warehouse: Path) -> None:
    connection.execute(f"{_attach(file)} as unfinished (storage_version '{STORAGE_VERSION}')")
    connection.execute("use unfinished")
    connection.execute(EXPERIMENTS)
    connection.execute(_DONE)
    # The models name no database, so their views and macros are found in the current database.
    connection.execute(f"{_attach(warehouse)} as warehouse (read_only)")
    connection.execute("use warehouse")


def _is_empty(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether there are no unfinished experiments.

    An unreadable file counts as not empty.
    """
    with suppress(duckdb.Error):
        return not connection.execute(
            "select 1 from unfinished.experiments.done limit 1"
        ).fetchall()
    return False


def copy_to_side(warehouse: Warehouse, collection_key: int, experiment: str) -> None:
    """Replace the results of an earlier run in the side file by the finished parts."""
    with warehouse.side() as side:
        side.execute(f"{_attach(warehouse.experiments_path)} as unfinished (read_only)")
        side.begin()
        for table in EXPERIMENT_TABLES:
            key = [collection_key, experiment]
            side.execute(f"delete from {table} {_OF_ONE}", key)  # noqa: S608 - own words
            done = f"from unfinished.{table} {_OF_ONE}"
            side.execute(f"insert into {table} {done}", key)
        side.commit()
        side.execute("detach unfinished")


def _attach(file: Path) -> str:
    # A path cannot be a parameter here.
    return "attach '{}'".format(str(file.absolute()).replace("'", "''"))
