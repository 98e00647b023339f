"""What a stopped experiment leaves beside the warehouse: kept while it can go on, else cleared.

The file holds the parts that are done of experiments under way (poolhouse.experiments.unfinished).
A part counts for one state of a collection and one version of the models, until its experiment is
published.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from poolhouse.warehouse.schemas import EXPERIMENT_TABLES

# The engine's locks keep other processes out, and not this one.
_OPEN_HERE: set[Path] = set()

_SAYS_NOTHING_OF_THE_FILE = (duckdb.InterruptException, duckdb.OutOfMemoryException)

_DONE = """
    select settings.collection_key, settings.experiment, settings.fingerprint,
        settings.models_version, settings.finished_at, count(*)
    from experiments.settings as settings
    inner join experiments.done using (collection_key, experiment)
    group by all
    order by all
"""


@dataclass(frozen=True)
class Unfinished:
    """An experiment that was stopped, and how many of its parts are done."""

    collection_id: str
    experiment: str
    n_done: int


@dataclass(frozen=True)
class _Known:
    """Names of collections by key, state and models; experiments published, and when finished."""

    names: dict[tuple[int, str, str], str]
    finished: frozenset[tuple[object, ...]]


@contextmanager
def open_here(file: Path) -> Iterator[None]:
    """Keep a file from being cleared away by this process."""
    _OPEN_HERE.add(file)
    try:
        yield
    finally:
        _OPEN_HERE.discard(file)


def clear_experiments(file: Path, published: duckdb.DuckDBPyConnection) -> None:
    """Drop what no experiment can go on with, and the file where nothing else is in it.

    `published` is a connection to the warehouse. What another process has open is left alone.
    """
    if file in _OPEN_HERE:
        return
    if file.exists():
        # Asked first: what is wrong with the warehouse is no reason to remove anything.
        known = _known(published)
        try:
            with closing(duckdb.connect(str(file))) as connection:
                unfinished, dead = _sorted_out(connection, known)
                for collection_key, experiment in dead:
                    forget(connection, collection_key, experiment)
            if unfinished:
                return
        except duckdb.Error as error:
            is_whole = is_in_use(error) or isinstance(error, _SAYS_NOTHING_OF_THE_FILE)
            if is_whole or not os.access(file, os.R_OK | os.W_OK):
                return
            # Damaged, or nothing was written into it yet: nothing can go on with it.
    discard(file)


def unfinished_experiments(file: Path, published: duckdb.DuckDBPyConnection) -> list[Unfinished]:
    """List the stopped experiments that can go on; none while one is under way."""
    if file in _OPEN_HERE or not file.exists():
        return []
    known = _known(published)
    try:
        with closing(duckdb.connect(str(file), read_only=True)) as connection:
            return _sorted_out(connection, known)[0]
    except duckdb.Error:
        return []


def has_leftovers(file: Path) -> bool:
    """Return whether there is such a file, or what the engine keeps beside it."""
    return any(each.exists() for each in (file, _log_beside(file), spilled_beside(file)))


def is_in_use(error: duckdb.Error) -> bool:
    """Return whether an error is that another process has the file open."""
    return "Could not set lock" in str(error)


def discard(file: Path) -> None:
    """Remove the file, and what the engine keeps beside it."""
    # The log first: without its file, it would be taken for that of the next one.
    _log_beside(file).unlink(missing_ok=True)
    file.unlink(missing_ok=True)
    shutil.rmtree(spilled_beside(file), ignore_errors=True)


def spilled_beside(file: Path) -> Path:
    """Name the folder for what does not fit into memory."""
    return file.with_name(f"{file.name}.tmp")


def _log_beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.wal")


def forget(connection: duckdb.DuckDBPyConnection, collection_key: int, experiment: str) -> None:
    """Drop what is done of an experiment on a collection, in the database that is in use."""
    connection.begin()
    for table in ("experiments.done", *EXPERIMENT_TABLES):
        connection.execute(
            f"delete from {table} where collection_key = ? and experiment = ?",  # noqa: S608 - own words
            [collection_key, experiment],
        )
    connection.commit()


def _known(published: duckdb.DuckDBPyConnection) -> _Known:
    """Ask the warehouse which states are built, and which experiments are published."""
    built = published.execute(
        """
        select collection_id, collection_key, builds.fingerprint, builds.models_version
        from ops.builds as builds
        inner join raw.collections using (collection_key)
        """
    ).fetchall()
    finished = published.execute(
        "select collection_key, experiment, finished_at from experiments.settings"
    ).fetchall()
    return _Known({tuple(built_as): name for name, *built_as in built}, frozenset(finished))


def _sorted_out(
    connection: duckdb.DuckDBPyConnection, known: _Known
) -> tuple[list[Unfinished], list[tuple[int, str]]]:
    """List the experiments that can go on, and the keys of those that cannot or need not."""
    unfinished, dead = [], []
    for key, experiment, fingerprint, version, finished_at, n_done in connection.execute(
        _DONE
    ).fetchall():
        name = known.names.get((key, fingerprint, version))
        is_published = (key, experiment, finished_at) in known.finished
        if name is None or is_published:
            dead.append((key, experiment))
        else:
            unfinished.append(Unfinished(name, experiment, n_done))
    return unfinished, dead
