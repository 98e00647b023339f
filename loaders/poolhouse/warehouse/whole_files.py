"""Files that are written beside their place and then renamed: complete, or not at all."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.locking import is_that_of

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

DRAFT = ".next"

# Endings that the engine and a change add to the name of an open database.
_ENGINE_SUFFIXES = ("", ".wal", ".wal.checkpoint", ".wal.recovery", ".tmp", ".spilled")


@contextmanager
def written_whole(file: Path) -> Iterator[TextIO]:
    """Write a text file in UTF-8, which replaces an earlier file when it is complete.

    If the process is killed, the earlier file is kept, and the next writer of the file removes the
    draft. Raise PoolhouseError where the file system does not allow it.
    """
    with _refusals_in_words(file), _draft_of(file) as draft:
        yield draft
        draft.flush()
        Path(draft.name).replace(file)


def publish(file: Path, text: str) -> None:
    """Replace a file by this text. Raise the errors of `written_whole`."""
    with written_whole(file) as draft:
        draft.write(text)


def publish_bytes(file: Path, content: bytes) -> None:
    """Replace a file by these bytes. Raise the errors of `written_whole`."""
    with written_whole(file) as draft:
        draft.buffer.write(content)


def refuse_unwritable(file: Path) -> None:
    """Raise PoolhouseError, before the work, if a file cannot be written."""
    with _refusals_in_words(file), _draft_of(file):
        pass


def refuse_place_of_warehouse(file: Path, warehouse: "Warehouse", what: str) -> None:
    """Refuse, before the work, a place in which `what` cannot be written.

    Raise PoolhouseError.
    """
    if _places(file) & _taken(warehouse):
        raise PoolhouseError(f"{file}: the {what} would replace a file of the warehouse")


def _places(file: Path) -> set[Path]:
    """Return the paths that a file would replace: itself, and the target of a link."""
    return {file.resolve(), file.parent.resolve() / file.name}


def _taken(warehouse: "Warehouse") -> set[Path]:
    """Return the names that Poolhouse and the engine use beside a warehouse."""
    files = {
        warehouse.path.parent.resolve() / warehouse.path.name,
        warehouse.path.resolve(),
        warehouse.side_path.resolve(),
        warehouse.lock_path.resolve(),
    }
    return {file.with_name(f"{file.name}{suffix}") for file in files for suffix in _ENGINE_SUFFIXES}


@contextmanager
def _draft_of(file: Path) -> Iterator[TextIO]:
    """Make the draft of a file. The process holds its lock, and removes it at the end."""
    if file.exists() and not file.is_file():
        # A device, a pipe or a folder must not be replaced.
        raise PoolhouseError(f"{file}: cannot be written: it is not a regular file")
    path = file.with_name(f".{file.name}{DRAFT}")
    while True:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as draft:
            # Another process that writes the same file holds the lock until it has written it.
            fcntl.flock(draft, fcntl.LOCK_EX)
            if not is_that_of(draft, path):
                continue
            draft.truncate(0)
            try:
                yield draft
            finally:
                _remove(draft, path)
            return


def _remove(draft: TextIO, path: Path) -> None:
    if is_that_of(draft, path):
        path.unlink()


@contextmanager
def _refusals_in_words(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PoolhouseError(f"{file}: cannot be written: {error.strerror}") from error
