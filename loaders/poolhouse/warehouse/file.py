"""The warehouse file: reading the published file, and replacing it by a changed copy at once.

A DuckDB file has one writer or many readers. Every change works on a side file and publishes it by
an atomic rename (design, idea 7), so that readers never wait and never see half a build. A change
that is killed leaves the old file or the new file. The next change removes the remaining files.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

import duckdb

from poolhouse.errors import (
    BuildFailedError,
    DiskFullError,
    PoolhouseError,
    WarehouseMissingError,
    WarehouseUnreadableError,
)
from poolhouse.warehouse import schemas
from poolhouse.warehouse.confinement import LOCKING, LOG, confine
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.locking import is_that_of, locked
from poolhouse.warehouse.memory import memory_limit, too_much
from poolhouse.warehouse.spilling import remove_spilled, room_to_spill, spill_folder, spilled_in
from poolhouse.warehouse.sql_text import quoted_text

# Files of DuckDB 2.0 cannot be opened by 1.5 clients, which many BI tools still ship. A table takes
# a block at least, and blocks of the engine's own size make a tiny warehouse four times as large.
STORAGE_VERSION = "v1.5.0"
NEW_FILES = {
    "storage_compatibility_version": STORAGE_VERSION,
    "default_block_size": "32768",
}

# Restrictions of readers, who run anybody's statements. (The engine lets `copy ... to` write to the
# path of an open database, even a read-only one.) So their queries cannot spill to disk.
_WITHOUT_FILES = "set disabled_filesystems = 'LocalFileSystem'"

# Bytes. For readers of a smaller file, two threads of the engine need more time to share the work
# than they save: commands took 10 to 20 % less CPU time with one.
_MOST_OF_ONE_THREAD = 30_000_000

# Held by the thread that sets the restrictions, because locked settings cannot be set again.
_confining = Lock()

_OF_THE_ENGINE = ("temp", "system")
# A column that only warehouses of this version have.
_MARK_OF_A_WAREHOUSE = "select severity from ops.quality_results limit 0"
_NO_WAREHOUSE = (
    "it is another database, or the warehouse of an earlier version; "
    "load the files into a new one (--db)"
)

# The side file's name for the engine, which has reserved names and does not quote every name.
_SIDE = "poolhouse"

# The engine's message if a program, such as a notebook, has connected to the file itself.
_OTHER_SETTINGS = "different configuration"

# Characters of a path that the engine does not take as a part of a name.
_NOT_IN_A_PATH = "?#\\"

# After the checksum of the first block.
_MARK_OF_DUCKDB = b"DUCK"

# The name of a file without its ending is the name of the database.
SCHEMAS = {
    *schemas.LOADED,
    *("experiments", "seeds", "staging", "intermediate", "audits", "papers", "planning"),
}

_WHEN_DAMAGED = "take a copy of it, or load the files into a new one (--db)"

# Files of the engine beside its file: the log, two more during a checkpoint, spilled data.
_ENGINE_FILES = (LOG, f"{LOG}.checkpoint", f"{LOG}.recovery")
_SPILLED = ".tmp"
# The path of a folder elsewhere into which a change spills. The next change reads it after a kill.
_SPILLED_ELSEWHERE = ".spilled"

# The engine repeats the words of the system. It has words of its own for a full disk when it
# spills.
_WORDS_OF_A_FULL_DISK = (
    *map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)),
    "max_temp_directory_size",
)


# The inode, the time of the last change in nanoseconds, and the size of a file.
_State = tuple[int, int, int]


@dataclass
class Change:
    """A change that is running. Abandon it if there is nothing to publish."""

    abandoned: bool = False


@dataclass(frozen=True)
class Warehouse:
    """The place of a warehouse: the published file, and the files beside it during a change."""

    path: Path
    # States of the file in which it was opened: it is a warehouse then.
    _opened: set[_State] = field(default_factory=set, init=False, repr=False, compare=False)

    @cached_property
    def _file(self) -> Path:
        """The file itself if the path is a link. A change replaces the file, and never the link."""
        return Path(os.path.realpath(self.path))

    @property
    def side_path(self) -> Path:
        """The file that a change works on."""
        return self._file.with_name(f".poolhouse.{self._file.name}.next")

    @property
    def lock_path(self) -> Path:
        """The file whose lock says that a change is running.

        The file is never removed. Otherwise one process could hold the lock of the old file, and
        another process the lock of a new file.
        """
        return self._file.with_name(f".{self._file.name}.lock")

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the published file read-only, without access to other files or the network.

        Raise WarehouseMissingError or PoolhouseError. Raise WarehouseUnreadableError where the file
        is no warehouse, or the engine cannot interpret it.
        """
        self._check_name()
        try:
            is_there = self._file.is_file()
            if is_there:
                self._refuse_other_kinds()
                state = self._state()
        except OSError as error:
            raise PoolhouseError(f"{self.path}: cannot be opened: {error.strerror}") from error
        if not is_there:
            raise WarehouseMissingError(self.path)
        try:
            connection = self._connect()
        except duckdb.Error as error:
            if _OTHER_SETTINGS in str(error):
                raise PoolhouseError(
                    f"{self.path}: this process has the file open by another connection: "
                    "close that connection"
                ) from error
            if "Could not set lock" in str(error):
                raise PoolhouseError(
                    f"{self.path}: another program has the file open for writing: close it "
                    "there, or "
                    f"open it there with read_only=True ({first_line(error)})"
                ) from error
            raise WarehouseUnreadableError(self.path, first_line(error)) from error
        with closing(connection), interruptible(connection):
            try:
                self._confine(connection)
                connection.execute(_MARK_OF_A_WAREHOUSE)
            except (duckdb.CatalogException, duckdb.BinderException) as error:
                raise WarehouseUnreadableError(self.path, _NO_WAREHOUSE) from error
            except duckdb.Error as error:
                raise WarehouseUnreadableError(self.path, first_line(error)) from error
            self._opened.add(state)
            try:
                yield connection
            except duckdb.OutOfMemoryException as error:
                raise PoolhouseError(f"{self.path}: {first_line(error)}") from error
            except (duckdb.Error, UnicodeDecodeError) as error:
                # The statements come from the callers, or their errors explain themselves.
                raise WarehouseUnreadableError(
                    self.path, f"{first_line(error)} (it may be damaged: {_WHEN_DAMAGED})"
                ) from error

    def _connect(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(
            str(self._file),
            read_only=True,
            # Spilling needs other files.
            config={"memory_limit": memory_limit(), "temp_directory": ""},
        )

    def _confine(self, connection: duckdb.DuckDBPyConnection) -> None:
        # Connections of one process to one file share their configuration.
        with _confining:
            asked = "select system.main.current_setting('lock_configuration')"
            if connection.execute(asked).fetchall() != [(True,)]:
                confine(connection, self.reached)
                connection.execute(_WITHOUT_FILES)
                if self._file.stat().st_size < _MOST_OF_ONE_THREAD:
                    connection.execute("set threads = 1")
                connection.execute(LOCKING)

    @property
    def reached(self) -> tuple[str, ...]:
        """The folders beside the file that an engine needs which reads the warehouse."""
        return ()

    def attach(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        """Attach the published file read-only under a name. Raise duckdb.Error.

        Then the engine must be confined.
        """
        path = quoted_text(str(self.path.resolve()))
        connection.execute(f"attach {path} as {name} (read_only)")

    def refuse_what_is_none(self) -> None:
        """Raise an error before any work if the file exists and is no warehouse.

        Raise the errors of `change`.
        """
        self._check_name()
        self._published()

    def _refuse_other_kinds(self) -> None:
        """Raise WarehouseUnreadableError for other kinds of files; the engine would read some."""
        with self._file.open("rb") as file:
            if file.read(12)[8:] != _MARK_OF_DUCKDB:
                raise WarehouseUnreadableError(self.path, "it is no DuckDB file")

    def _check_name(self) -> None:
        """Refuse a path that the engine would misunderstand."""
        name = self._file.stem
        # The engine tells a file from its own database of the same name only in lower case.
        if name.lower() in SCHEMAS or name != name.lower() in _OF_THE_ENGINE:
            raise PoolhouseError(
                f"{self.path}: {name!r} is the name of a schema in the warehouse, or of a database "
                "of the engine; give the file another name"
            )
        if odd := [character for character in _NOT_IN_A_PATH if character in str(self._file)]:
            raise PoolhouseError(
                f"{self._file}: the database engine cannot keep a file whose path has {odd[0]!r}; "
                "give the file, or its folder, another name"
            )

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Hold the lock and prepare the side file; publish it on success, discard it on failure.

        Raise WarehouseBusyError where another process holds the lock, WarehouseUnreadableError
        where the file is no warehouse, DiskFullError, PoolhouseError where the folder does not
        allow it or another program wrote to the file.
        """
        with self._without_raw_errors():
            self._check_name()
            self._published()  # no lock file is made beside a file that is no warehouse
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.lock_path, self.path) as lock, ExitStack() as at_the_end:
                self._discard_side()  # of a change that was killed
                at_the_end.callback(self._discard_side)
                before = self._published()
                with self._spilling():
                    if before:
                        _copy_privately(self._file, self.side_path)
                    else:
                        with self.side():
                            pass  # a warehouse without rows, for any change
                    change = Change()
                    yield change
                if not change.abandoned:
                    if not is_that_of(lock, self.lock_path) or self._published() != before:
                        raise PoolhouseError(
                            f"{self.path}: changed by another program in the meantime; "
                            "nothing was published, try again"
                        )
                    self._publish()

    @contextmanager
    def side(self, *folders: Path) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the side file for writing; it has the schemas of this version.

        The engine can reach the published file, these folders, and nothing else.
        """
        spilled = self._spilled()
        with closing(
            duckdb.connect(
                config={**NEW_FILES, "memory_limit": memory_limit(), "temp_directory": str(spilled)}
            )
        ) as connection:
            path = quoted_text(str(self.side_path))
            try:
                # Only a complete side file is published. So it needs no log, which would wait for
                # the disk after each transaction.
                connection.execute(f"attach {path} as {_SIDE} (recovery_mode 'no_wal_writes')")
                connection.execute(f"use {_SIDE}.main")
            except duckdb.Error as error:
                raise WarehouseUnreadableError(self.path, first_line(error)) from error
            with interruptible(connection):
                confine(connection, [spilled, *folders], [self._file])
                connection.execute(schemas.ALL)
                yield connection
                # Closing does this too, but hides errors, such as a full disk.
                connection.execute("checkpoint")

    @contextmanager
    def _spilling(self) -> Iterator[None]:
        """Have the engine spill into the folder that the user named, or beside the side file.

        Nothing of it is left when the change is published. After a kill that comes later, nobody
        would remove it: the same work finds its results, and changes nothing.
        """
        place = spill_folder()
        if place is None:
            yield
            return
        elsewhere = _beside(self.side_path, _SPILLED_ELSEWHERE)
        with spilled_in(place.absolute()) as folder:
            elsewhere.write_text(str(folder))
            yield
        elsewhere.unlink()

    def _spilled(self) -> Path:
        """Return the folder into which the running change spills."""
        elsewhere = _beside(self.side_path, _SPILLED_ELSEWHERE)
        if elsewhere.exists():
            return Path(elsewhere.read_text())
        return _beside(self.side_path, _SPILLED)

    @contextmanager
    def _without_raw_errors(self) -> Iterator[None]:
        """Turn an error of the file system or the engine into one line."""
        try:
            yield
        except (OSError, duckdb.Error, BuildFailedError, WarehouseUnreadableError) as error:
            if is_full_disk(error):
                problem = f"{_in_one_line(error)}{room_to_spill()}"
                raise DiskFullError(self.path, problem, *self._room()) from error
            if isinstance(error, OSError):
                problem = f"{self.path}: cannot be written: {_in_one_line(error)}"
                raise PoolhouseError(problem) from error
            if isinstance(error, duckdb.Error):
                problem = f"{self.path}: nothing was published: {first_line(error)}"
                raise PoolhouseError(problem) from error
            raise

    def _room(self) -> tuple[int, int]:
        """Return the bytes of the published file, and the free bytes beside it."""
        taken = self._file.stat().st_size if self._file.exists() else 0
        return taken, shutil.disk_usage(self._file.parent).free

    def _published(self) -> _State | None:
        """Return the state of the published file, or None if there is no file yet.

        A file in a state in which it was opened is not opened again, because opening takes as long
        as ten statements of a small build. Raise WarehouseUnreadableError where the file is no
        warehouse. Raise PoolhouseError where a log lies beside the file, because its content would
        be lost, and a new file beside it could not be opened.
        """
        log = _beside(self._file, LOG)
        if log.exists():
            raise PoolhouseError(
                f"{log}: another program writes to the warehouse, or was killed while it wrote; "
                "close the warehouse there, or open and close it once with DuckDB"
            )
        if not self._file.exists():
            return None
        if not self._file.is_file():
            raise WarehouseUnreadableError(self.path, "it is not a file")
        state = self._state()
        if state not in self._opened:
            with self.read():
                pass
        return state

    def _state(self) -> _State:
        there = self._file.stat()
        return there.st_ino, there.st_mtime_ns, there.st_size

    def _publish(self) -> None:
        with Warehouse(self.side_path).read():
            pass  # complete, and not open in a writing process
        if self._file.exists():
            _give_access_of(self._file, self.side_path)
        _flush(self.side_path)
        self.side_path.replace(self._file)
        self._opened.add(self._state())
        with suppress(OSError):  # not every file system can do that with a folder
            _flush(self._file.parent)

    def _discard_side(self) -> None:
        remove_spilled(self._spilled())
        for suffix in ("", *_ENGINE_FILES, _SPILLED_ELSEWHERE):
            _beside(self.side_path, suffix).unlink(missing_ok=True)
        shutil.rmtree(_beside(self.side_path, _SPILLED), ignore_errors=True)


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(f"{file.name}{suffix}")


def _copy_privately(old: Path, new: Path) -> None:
    """Copy a file into a file that only this user may read; the published file may be public."""
    new.touch(mode=0o600)
    shutil.copyfile(old, new)


def _give_access_of(old: Path, new: Path) -> None:
    """Set the owner, the group and the permissions of a file to those of another, where allowed."""
    there = old.stat()
    for owner, group in ((there.st_uid, -1), (-1, there.st_gid)):
        with suppress(OSError):
            os.chown(new, owner, group)
    new.chmod(stat.S_IMODE(there.st_mode))


def _flush(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_full_disk(error: Exception) -> bool:
    """Return whether an error of the system or the engine says that the disk is full."""
    return any(words in str(error) for words in _WORDS_OF_A_FULL_DISK)


def _in_one_line(error: Exception) -> str:
    if not isinstance(error, OSError):
        return first_line(error)
    place = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{place}"


def first_line(error: Exception) -> str:
    """Cut a message of the engine to its first line. If memory was short, add advice."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return too_much()
    return str(error).strip().partition("\n")[0]
