"""The warehouse file: reading the published file, and replacing it by a changed copy at once.

A DuckDB file has one writer or many readers. Every change works on a side file and publishes it by
an atomic rename (design, idea 7), so that readers never wait and never see half a build. A change
that is killed leaves the old file or the new file. The next change removes the remaining files.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

import duckdb

from poolhouse.errors import (
    BuildFailedError,
    DiskFullError,
    PoolhouseError,
    WarehouseBusyError,
    WarehouseMissingError,
    WarehouseUnreadableError,
)
from poolhouse.warehouse import schemas
from poolhouse.warehouse.confinement import LOCKING, LOG, confine
from poolhouse.warehouse.engine_errors import first_line, in_one_line, is_full_disk
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.side import SideFile
from poolhouse.warehouse.spilling import room_to_spill
from poolhouse.warehouse.sql_text import quoted_text
from poolhouse.warehouse.whole import beside, is_that_of, lock_of, locked

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
_MARK_OF_A_WAREHOUSE = "select n_documents_left_out from raw.runs limit 0"
_NO_WAREHOUSE = (
    "it is another database, or the warehouse of an earlier version; "
    "load the files into a new one (--db)"
)

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
        return self._side.path

    @property
    def _side(self) -> SideFile:
        return SideFile(self.path, self._file)

    @property
    def lock_path(self) -> Path:
        """The file whose lock says that a change is running.

        The file is never removed. Otherwise one process could hold the lock of the old file, and
        another process the lock of a new file.
        """
        return lock_of(self._file)

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
        side = self._side
        with self._without_raw_errors():
            self._check_name()
            self._published()  # no lock file is made beside a file that is no warehouse
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.lock_path, self._busy) as lock, ExitStack() as at_the_end:
                side.discard()  # of a change that was killed
                at_the_end.callback(side.discard)
                before = self._published()
                with side.spilling():
                    if before:
                        side.copy()
                    else:
                        with side.connected():
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

    def side(self, *folders: Path) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """Connect to the side file of the running change for writing (`SideFile.connected`)."""
        return self._side.connected(*folders)

    @contextmanager
    def _without_raw_errors(self) -> Iterator[None]:
        """Turn an error of the file system or the engine into one line."""
        try:
            yield
        except (OSError, duckdb.Error, BuildFailedError, WarehouseUnreadableError) as error:
            if is_full_disk(error):
                problem = f"{in_one_line(error)}{room_to_spill()}"
                raise DiskFullError(self.path, problem, *self._room()) from error
            if isinstance(error, OSError):
                problem = f"{self.path}: cannot be written: {in_one_line(error)}"
                raise PoolhouseError(problem) from error
            if isinstance(error, duckdb.Error):
                problem = f"{self.path}: nothing was published: {first_line(error)}"
                raise PoolhouseError(problem) from error
            raise

    def _busy(self, holder: str) -> WarehouseBusyError:
        return WarehouseBusyError(self.path, holder)

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
        log = beside(self._file, LOG)
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
        self._side.publish()
        self._opened.add(self._state())
