"""The warehouse file: opened for reading as it was published, rewritten beside it, swapped at once.

A DuckDB file has one writer or many readers. So that readers never wait and never see half a
build, every change works on a side file and publishes it by an atomic rename (design, idea 7).
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from poolhouse.errors import (
    PoolhouseError,
    WarehouseBusyError,
    WarehouseMissingError,
    WarehouseUnreadableError,
)

# Files of DuckDB 2.0 cannot be opened by 1.5 clients, which many BI tools still ship.
STORAGE_VERSION = "v1.5.0"

# What readers may not do: reach other files or the network, write (the engine lets `copy ... to`
# reach the path of an open database, even a read-only one), or change any of this. That also keeps
# their queries from spilling to disk.
_CONFINEMENT = """
    set disabled_filesystems = 'LocalFileSystem';
    set lock_configuration = true;
"""

# A table that every warehouse has, and no other DuckDB file.
_MARK_OF_A_WAREHOUSE = "select collection_key from ops.builds limit 0"

_RAW_SCHEMA = (Path(__file__).parent / "raw_schema.sql").read_text(encoding="utf-8")


@dataclass
class Change:
    """A change under way; abandon it where there turned out to be nothing to publish."""

    abandoned: bool = False


@dataclass(frozen=True)
class Warehouse:
    """Where a warehouse lies: the published file, and what stands beside it during a change."""

    path: Path

    @property
    def side_path(self) -> Path:
        """The file that a change works on; constant, since dbt parses anew for another path."""
        return self.path.with_name(f".{self.path.name}.next")

    @property
    def lock_path(self) -> Path:
        """The file whose lock says that a change is under way."""
        return self.path.with_name(f".{self.path.name}.lock")

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the published file, read-only, unable to reach any other file or the network.

        Errors: WarehouseMissingError, WarehouseUnreadableError.
        """
        if not self.path.is_file():
            raise WarehouseMissingError(self.path)
        try:
            connection = duckdb.connect(
                str(self.path), read_only=True, config={"enable_external_access": False}
            )
        except duckdb.Error as error:
            raise WarehouseUnreadableError(self.path, first_line(error)) from error
        with closing(connection):
            try:
                connection.execute(_MARK_OF_A_WAREHOUSE)
            except duckdb.Error as error:
                raise WarehouseUnreadableError(self.path, "it is another database") from error
            _confine(connection)
            yield connection

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Hold the lock and prepare the side file; publish it on success, discard it on failure.

        Errors: WarehouseBusyError where another process holds the lock, WarehouseUnreadableError
        where the file is no warehouse, PoolhouseError where the folder or disk does not allow it.
        """
        with self._without_raw_errors(), self._locked():
            self._discard_side()
            try:
                if self.path.is_file():
                    with self.read():
                        pass  # refuses what is no warehouse before anything is added to it
                    shutil.copyfile(self.path, self.side_path)
                with self.side() as connection:
                    connection.execute(_RAW_SCHEMA)
                change = Change()
                yield change
                if not change.abandoned:
                    self._publish()
            finally:
                self._discard_side()

    @contextmanager
    def side(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the side file for writing; its configuration is the one dbt uses too."""
        try:
            connection = duckdb.connect(
                str(self.side_path), config={"storage_compatibility_version": STORAGE_VERSION}
            )
        except duckdb.Error as error:
            raise WarehouseUnreadableError(self.path, first_line(error)) from error
        with closing(connection):
            yield connection

    @contextmanager
    def _without_raw_errors(self) -> Iterator[None]:
        """Turn what the file system or the memory refuses into one line."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            yield
        except OSError as error:
            place = f" ({error.filename})" if error.filename else ""
            problem = f"{self.path}: cannot be written: {error.strerror or error}{place}"
            raise PoolhouseError(problem) from error
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            problem = f"{self.path}: nothing was published: {first_line(error)}"
            raise PoolhouseError(problem) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self.lock_path.open("a+", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                lock.seek(0)
                raise WarehouseBusyError(self.path, lock.read().strip() or "unknown") from error
            lock.truncate(0)
            lock.write(f"process {os.getpid()}")
            lock.flush()
            try:
                yield
            finally:
                lock.truncate(0)

    def _publish(self) -> None:
        log = self._beside_side(".wal")
        if log.exists():
            raise PoolhouseError(f"{log}: the side file was not closed; nothing was published")
        with self.side_path.open("rb") as file:
            os.fsync(file.fileno())
        self.side_path.replace(self.path)

    def _discard_side(self) -> None:
        for file in (self.side_path, self._beside_side(".wal")):
            file.unlink(missing_ok=True)
        shutil.rmtree(self._beside_side(".tmp"), ignore_errors=True)  # what DuckDB spilled

    def _beside_side(self, suffix: str) -> Path:
        return self.side_path.with_name(f"{self.side_path.name}{suffix}")


def _confine(connection: duckdb.DuckDBPyConnection) -> None:
    # Connections of one process to one file share their configuration.
    is_confined = connection.execute("select current_setting('lock_configuration')").fetchall()
    if is_confined != [(True,)]:
        connection.execute(_CONFINEMENT)


def first_line(error: Exception) -> str:
    """Cut an engine's message to its first line."""
    return str(error).strip().partition("\n")[0]
