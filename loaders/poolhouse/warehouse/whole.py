"""Files and folders that appear at once, or not at all, and the locks of those who write them.

The draft of NAME is .NAME.next beside it, and its lock is .NAME.lock. A process that is killed
leaves both, and the next one that writes NAME removes them.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from poolhouse.errors import PoolhouseError

# Endings that the engine adds to the name of a database: spilled data, the log, and two more
# during a checkpoint.
SPILLED = ".tmp"
_OF_THE_ENGINE = (SPILLED, ".wal", ".wal.checkpoint", ".wal.recovery")
# The path of a folder elsewhere into which a change spills. The next change reads it after a kill.
SPILLED_ELSEWHERE = ".spilled"

_SECONDS_BETWEEN = 0.05

# Makes the error for a lock that another process holds, from the name of the process.
Busy = Callable[[str], Exception]


def draft_of(target: Path) -> Path:
    """Return the place of a draft. The engine gives both the same name as databases."""
    return target.with_name(f".{target.name}.next")


def lock_of(target: Path) -> Path:
    """Return the file whose lock says that somebody writes the target."""
    return target.with_name(f".{target.name}.lock")


def beside(file: Path, suffix: str) -> Path:
    """Return the file whose name has a suffix more."""
    return file.with_name(f"{file.name}{suffix}")


@contextmanager
def locked(lock_path: Path, busy: Busy | None = None) -> Iterator[TextIO]:
    """Hold a lock, whose file then names this process. Without `busy`, wait for other processes.

    Raise the error of `busy` where another process holds the lock. Raise OSError where the file
    cannot be written, or the file system has no locks.
    """
    while True:
        with lock_path.open("a+", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
            except BlockingIOError:
                if busy is None:
                    raise
                lock.seek(0)
                if holder := lock.read():
                    raise busy(holder) from None
                time.sleep(_SECONDS_BETWEEN)  # it has just got the lock, or gives it back
                continue
            except OSError as error:
                problem = f"{error.strerror}: use a file system that has locks, as a local disk has"
                raise OSError(error.errno, problem, str(lock_path)) from error
            if not is_that_of(lock, lock_path):
                continue  # removed by the process that held it
            lock.truncate(0)
            lock.write(f"process {os.getpid()}")
            lock.flush()
            try:
                yield lock
            finally:
                lock.truncate(0)
            return


def is_that_of(lock: TextIO, lock_path: Path) -> bool:
    """Return whether the held lock still belongs to the file that other processes would lock."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), lock_path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def whole(target: Path, busy: Busy | None = None) -> Iterator[Path]:
    """Yield the path of a draft, a file or a folder, which replaces the target at the end.

    Other processes that write the same target wait, or get the error of `busy`. Raise OSError.
    """
    with locked(lock_of(target), busy):
        try:
            with drafted(target) as draft:
                yield draft
        finally:
            lock_of(target).unlink(missing_ok=True)


@contextmanager
def drafted(target: Path) -> Iterator[Path]:
    """Do the same for a target that nobody else writes."""
    draft, old = draft_of(target), target.with_name(f".{target.name}.old")
    if old.exists() and not target.exists():
        old.rename(target)  # killed between the two renames below
    for left in (draft, old):
        remove(left)
    try:
        yield draft
        if draft.is_dir() and target.exists():
            target.rename(old)
        draft.replace(target)
        remove(old)
    finally:
        remove(draft)


def remove(path: Path) -> None:
    """Remove a file or folder with the engine's files beside it, if they are there."""
    for suffix in ("", *_OF_THE_ENGINE):
        each = beside(path, suffix)
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink(missing_ok=True)


# ------------------------------------------------------------------------- files that users name


@contextmanager
def written_whole(file: Path) -> Iterator[TextIO]:
    """Write a text file in UTF-8, which replaces an earlier file when it is complete.

    Raise PoolhouseError where the file system does not allow it.
    """
    with (
        _checked(file),
        whole(file) as draft,
        draft.open("w", encoding="utf-8", errors="backslashreplace") as text,
    ):
        yield text


def publish(file: Path, text: str) -> None:
    """Replace a file by this text. Raise the errors of `written_whole`."""
    with written_whole(file) as draft:
        draft.write(text)


def publish_bytes(file: Path, content: bytes) -> None:
    """Replace a file by these bytes. Raise the errors of `written_whole`."""
    with _checked(file), whole(file) as draft:
        draft.write_bytes(content)


def refuse_unwritable(file: Path) -> None:
    """Raise PoolhouseError, before the work, if a file cannot be written."""
    with _checked(file), locked(lock_of(file)):
        lock_of(file).unlink()


def refuse_place_of_warehouse(file: Path, warehouse: Path, what: str) -> None:
    """Refuse, before the work, a place in which `what` cannot be written.

    Raise PoolhouseError.
    """
    if _places(file) & _taken(warehouse):
        raise PoolhouseError(f"{file}: the {what} would replace a file of the warehouse")


def _places(file: Path) -> set[Path]:
    """Return the paths that a file would replace: itself, and the target of a link."""
    return {file.resolve(), file.parent.resolve() / file.name}


def _taken(warehouse: Path) -> set[Path]:
    """Return the names that Poolhouse and the engine use beside a warehouse."""
    file = warehouse.resolve()
    files = (warehouse.parent.resolve() / warehouse.name, file, draft_of(file), lock_of(file))
    endings = ("", *_OF_THE_ENGINE, SPILLED_ELSEWHERE)
    return {beside(each, ending) for each in files for ending in endings}


@contextmanager
def _checked(file: Path) -> Iterator[None]:
    if file.exists() and not file.is_file():
        # A device, a pipe or a folder must not be replaced.
        raise PoolhouseError(f"{file}: cannot be written: it is not a regular file")
    try:
        yield
    except OSError as error:
        raise PoolhouseError(f"{file}: cannot be written: {error.strerror}") from error
