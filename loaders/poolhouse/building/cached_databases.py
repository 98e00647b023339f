"""Databases in the user's cache, which any process makes when it first needs them."""

from collections.abc import Callable
from pathlib import Path

import duckdb

from poolhouse.warehouse import schemas
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.side import NEW_FILES
from poolhouse.warehouse.whole import drafted, locked


def made_once(file: Path, define: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    """Make a database with the schemas of a warehouse, and what `define` adds, if it is not there.

    One process makes it, and other processes that need it wait. Raise OSError, duckdb.Error and the
    errors of `define`.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(file.parent / "making.lock"):
        if file.exists():
            return
        with (
            drafted(file) as draft,
            duckdb.connect(str(draft), config={**NEW_FILES, "threads": 1}) as connection,
            interruptible(connection),
        ):
            connection.execute(schemas.ALL)
            define(connection)
