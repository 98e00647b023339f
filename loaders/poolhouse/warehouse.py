"""The warehouse file: opened for reading as it was published, rewritten beside it, swapped at once.

A DuckDB file has one writer or many readers. So that readers never wait and never see half a
build, every change works on a side file and publishes it by an atomic rename (design, idea 7).
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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

# What readers may not do: reach other files or the network, or change that.
_CONFINED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "lock_configuration": True,
}

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
            connection = duckdb.connect(str(self.path), read_only=True, config=_CONFINED)
            connection.execute("select collection_key from ops.builds limit 0")
        except duckdb.Error as error:
            raise WarehouseUnreadableError(self.path, first_line(error)) from error
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Hold the lock and prepare the side file; publish it on success, discard it on failure.

        Errors: WarehouseBusyError where another process holds the lock.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._discard_side()
            if self.path.is_file():
                shutil.copyfile(self.path, self.side_path)
            try:
                with self.side() as connection:
                    connection.execute(_RAW_SCHEMA)
                change = Change()
                yield change
                if not change.abandoned:
                    self._publish()
            except OSError as error:
                raise PoolhouseError(f"{self.side_path}: {error.strerror or error}") from error
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
        try:
            yield connection
        finally:
            connection.close()

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
            yield
            lock.truncate(0)

    def _publish(self) -> None:
        log = self.side_path.with_name(f"{self.side_path.name}.wal")
        if log.exists():
            raise PoolhouseError(f"{log}: the side file was not closed; nothing was published")
        with self.side_path.open("rb") as file:
            os.fsync(file.fileno())
        self.side_path.replace(self.path)

    def _discard_side(self) -> None:
        # The side file, its write-ahead log and DuckDB's folder of spilled data.
        for leftover in self.path.parent.glob(f"{self.side_path.name}*"):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def first_line(error: Exception) -> str:
    """Cut an engine's message to its first line."""
    return str(error).strip().partition("\n")[0]
