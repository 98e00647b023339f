"""The side file: the copy of a warehouse that a change works on until it is published."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from poolhouse.errors import WarehouseUnreadableError
from poolhouse.warehouse import schemas
from poolhouse.warehouse.confinement import confine
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.spilling import remove_spilled, spill_folder, spilled_in
from poolhouse.warehouse.sql_text import quoted_text
from poolhouse.warehouse.whole import SPILLED, SPILLED_ELSEWHERE, beside, draft_of, remove

# Files of DuckDB 2.0 cannot be opened by 1.5 clients, which many BI tools still ship. A table takes
# a block at least, and blocks of the engine's own size make a tiny warehouse four times as large.
STORAGE_VERSION = "v1.5.0"
NEW_FILES = {
    "storage_compatibility_version": STORAGE_VERSION,
    "default_block_size": "32768",
}

# The side file's name for the engine, which has reserved names and does not quote every name.
_SIDE = "poolhouse"


@dataclass(frozen=True)
class SideFile:
    """The side file of a published file, which need not exist yet. Errors name `warehouse`."""

    warehouse: Path
    published: Path

    @property
    def path(self) -> Path:
        """The place of the side file."""
        return draft_of(self.published)

    def copy(self) -> None:
        """Copy the published file. Only this user may read the copy."""
        self.path.touch(mode=0o600)
        shutil.copyfile(self.published, self.path)

    @contextmanager
    def connected(self, *folders: Path) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to the side file for writing; it has the schemas of this version.

        The engine can reach the published file, these folders, and nothing else. Raise
        WarehouseUnreadableError.
        """
        spilled = self._spilled()
        with closing(
            duckdb.connect(
                config={**NEW_FILES, "memory_limit": memory_limit(), "temp_directory": str(spilled)}
            )
        ) as connection:
            path = quoted_text(str(self.path))
            try:
                # Only a complete side file is published. So it needs no log, which would wait for
                # the disk after each transaction.
                connection.execute(f"attach {path} as {_SIDE} (recovery_mode 'no_wal_writes')")
                connection.execute(f"use {_SIDE}.main")
            except duckdb.Error as error:
                raise WarehouseUnreadableError(self.warehouse, first_line(error)) from error
            with interruptible(connection):
                confine(connection, [spilled, *folders], [self.published])
                connection.execute(schemas.ALL)
                yield connection
                # Closing does this too, but hides errors, such as a full disk.
                connection.execute("checkpoint")

    @contextmanager
    def spilling(self) -> Iterator[None]:
        """Have the engine spill into the folder that the user named, or beside the side file.

        Nothing of it is left when the change is published. After a kill that comes later, nobody
        would remove it: the same work finds its results, and changes nothing.
        """
        place = spill_folder()
        if place is None:
            yield
            return
        with spilled_in(place.absolute()) as folder:
            self._elsewhere.write_text(str(folder))
            yield
        self._elsewhere.unlink()

    def publish(self) -> None:
        """Replace the published file, and wait until this is on the disk."""
        if self.published.exists():
            _give_access_of(self.published, self.path)
        _flush(self.path)
        self.path.replace(self.published)
        with suppress(OSError):  # not every file system can do that with a folder
            _flush(self.published.parent)

    def discard(self) -> None:
        """Remove the side file and all that the engine has beside it and elsewhere."""
        remove_spilled(self._spilled())
        self._elsewhere.unlink(missing_ok=True)
        remove(self.path)

    @property
    def _elsewhere(self) -> Path:
        return beside(self.path, SPILLED_ELSEWHERE)

    def _spilled(self) -> Path:
        """Return the folder into which the change spills."""
        if self._elsewhere.exists():
            return Path(self._elsewhere.read_text())
        return beside(self.path, SPILLED)


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
