"""Files of interrupted experiments beside the warehouse: kept or removed.

The file holds the finished parts of running and interrupted experiments
(poolhouse.experiments.unfinished). A part is valid for one state of a collection and one version of
the models, until its experiment is published.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from poolhouse.warehouse.schemas import EXPERIMENT_TABLES

# The engine's locks exclude other processes, and not this process.
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
    """An interrupted experiment, and the number of its finished parts."""

    collection_id: str
    experiment: str
    n_done: int


@dataclass(frozen=True)
class _Known:
    """Names of collections by key, state and models; published experiments with their times."""

    names: dict[tuple[int, str, str], str]
    finished: frozenset[tuple[object, ...]]


@contextmanager
def open_here(file: Path) -> Iterator[None]:
    """Prevent this process from removing a file."""
    _OPEN_HERE.add(file)
    try:
        yield
    finally:
        _OPEN_HERE.discard(file)


def clear_experiments(file: Path, published: duckdb.DuckDBPyConnection) -> None:
    """Remove parts of experiments that cannot continue, and the file if it is empty then.

    `published` is a connection to the warehouse. A file that another process has open is kept.
    """
    if file in _OPEN_HERE:
        return
    if file.exists():
        # Read first, because an error of the warehouse is no reason to remove anything.
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
            # The file is damaged or empty, so that no experiment can continue with it.
    discard(file)


def unfinished_experiments(file: Path, published: duckdb.DuckDBPyConnection) -> list[Unfinished]:
    """List the interrupted experiments that can continue.

    The list is empty while one is running.
    """
    if file in _OPEN_HERE or not file.exists():
        return []
    known = _known(published)
    try:
        with closing(duckdb.connect(str(file), read_only=True)) as connection:
            return _sorted_out(connection, known)[0]
    except duckdb.Error:
        return []


def has_leftovers(file: Path) -> bool:
    """Return whether there is such a file, or a file of the engine beside it."""
    return any(each.exists() for each in (file, _log_beside(file), spilled_beside(file)))


def is_in_use(error: duckdb.Error) -> bool:
    """Return whether an error says that another process has the file open."""
    return "Could not set lock" in str(error)


def discard(file: Path) -> None:
    """Remove the file, and the files of the engine beside it."""
    # The log is removed first. Without its file, it would be taken for the log of the next file.
    _log_beside(file).unlink(missing_ok=True)
    file.unlink(missing_ok=True)
    shutil.rmtree(spilled_beside(file), ignore_errors=True)


def spilled_beside(file: Path) -> Path:
    """Return the folder for data that does not fit into memory."""
    return file.with_name(f"{file.name}.tmp")


def _log_beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.wal")


def forget(connection: duckdb.DuckDBPyConnection, collection_key: int, experiment: str) -> None:
    """Remove the parts of an experiment on a collection from the current database."""
    connection.begin()
    for table in ("experiments.done", *EXPERIMENT_TABLES):
        connection.execute(
            f"delete from {table} where collection_key = ? and experiment = ?",  # noqa: S608 - own words
            [collection_key, experiment],
        )
    connection.commit()


def _known(published: duckdb.DuckDBPyConnection) -> _Known:
    """Read the built states and the published experiments from the warehouse."""
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
    """List the experiments that can continue, and the keys of all other experiments."""
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
