"""The folder in which the engine writes what does not fit into memory: it spills."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.whole import beside, locked

VARIABLE = "POOLHOUSE_SPILL"
# A place may be shared by many commands: each one has a folder of its own there.
_PREFIX = ".poolhouse-spilled-"
_LOCK = ".lock"


def spill_folder() -> Path | None:
    """Return the folder of the environment. With None, a command spills beside what it writes.

    Raise PoolhouseError where the value of the environment is no folder that can be written.
    """
    value = os.environ.get(VARIABLE)
    return _checked(VARIABLE, Path(value)) if value else None


def room_to_spill() -> str:
    """Return a note on the free bytes of the folder of the environment, empty without a folder."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return ""
    return f" ({folder}: {shutil.disk_usage(folder).free / 1e6:.1f} MB free)"


@contextmanager
def spilling_to(folder: Path | None) -> Iterator[None]:
    """Set the folder for the `with` block. None keeps the folder of the environment.

    Raise PoolhouseError where it is no folder that can be written.
    """
    before = os.environ.get(VARIABLE)
    if folder is not None:
        os.environ[VARIABLE] = str(_checked("--spill", folder).absolute())
    try:
        spill_folder()
        yield
    finally:
        if before is not None:
            os.environ[VARIABLE] = before
        elif folder is not None:
            del os.environ[VARIABLE]


@contextmanager
def spilled_in(place: Path) -> Iterator[Path]:
    """Make a folder in a place, and remove it at the end.

    A killed command leaves its folder. The next command that spills into the place removes it.
    Raise OSError.
    """
    _clear(place)
    folder = place / f"{_PREFIX}{token_hex(8)}"
    with locked(beside(folder, _LOCK)):
        try:
            folder.mkdir(mode=0o700)
            yield folder
        finally:
            remove_spilled(folder)


def remove_spilled(folder: Path) -> None:
    """Remove a folder that `spilled_in` made, and its lock. Never fail."""
    if folder.name.startswith(_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            beside(folder, _LOCK).unlink()


def _checked(name: str, folder: Path) -> Path:
    if not folder.is_dir():
        raise PoolhouseError(f"{name} is '{folder}': it must be a folder that exists")
    try:
        with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder):
            pass
    except OSError as error:
        problem = f"{name} is '{folder}': it cannot be written: {error.strerror}"
        raise PoolhouseError(problem) from error
    return folder


def _clear(place: Path) -> None:
    """Remove the folders of killed commands: nobody holds their locks."""
    for lock in place.glob(f"{_PREFIX}*{_LOCK}"):
        # Folders of other users and of commands at work stay.
        with suppress(OSError):
            if lock.lstat().st_uid == os.getuid():
                with locked(lock, BlockingIOError):
                    remove_spilled(lock.with_suffix(""))
