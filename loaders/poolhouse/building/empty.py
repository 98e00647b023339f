"""Databases without rows of collections that have all relations of a plan.

Creating the relations and their comments takes most of the time of a first build, and does not
depend on what is built. So it is done once for each plan, and a first build copies the result.
"""

import os
from contextlib import suppress
from pathlib import Path

import duckdb

from poolhouse.building.cached_databases import made_once
from poolhouse.building.execution import Execution
from poolhouse.building.plan import Plan
from poolhouse.building.project import cache_folder
from poolhouse.building.relations import define
from poolhouse.errors import BuildFailedError
from poolhouse.warehouse import schemas

# Each has some megabytes.
_MOST_KEPT = 5


def empty_folder() -> Path:
    """Return the folder of these databases. An engine that copies one must reach it."""
    return cache_folder() / "empty"


def kept_empty(plan: Plan) -> Path | None:
    """Return the empty database of a plan in the user's cache, made where there is none.

    None stands for a plan that has none, because the cache cannot be written, or the engine refuses
    the plan.
    """
    file = empty_folder() / f"{plan.worded_version}.duckdb"
    try:
        with suppress(FileNotFoundError):
            os.utime(file)  # it is in use
        if not file.exists():
            made_once(file, lambda connection: _define(plan, connection))
            _clear_unused()
    except (OSError, duckdb.Error, BuildFailedError):
        return None
    return file


def _define(plan: Plan, connection: duckdb.DuckDBPyConnection) -> None:
    define(Execution(connection, Path(os.devnull)), plan, plan.whole)
    # Every warehouse has these before its first build.
    for schema in schemas.LOADED:
        connection.execute(f"drop schema {schema} cascade")
    for table in schemas.EXPERIMENT_TABLES:
        connection.execute(f"drop table {table}")


def _clear_unused() -> None:
    used_first = sorted(empty_folder().glob("*.duckdb"), key=lambda each: each.stat().st_mtime)
    for unused in used_first[:-_MOST_KEPT]:
        unused.unlink(missing_ok=True)  # another process may clear them too
