"""Files that are written beside their place and put there at once: whole, or not at all."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.ending import cleared
from poolhouse.warehouse.locking import is_that_of

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

DRAFT = ".next"

# What the engine adds to the name of a database that is open.
_ENGINE_SUFFIXES = ("", ".wal", ".wal.checkpoint", ".wal.recovery", ".tmp")


@contextmanager
def written_whole(file: Path) -> Iterator[TextIO]:
    """Write a text file, in UTF-8, that takes the place of an earlier one when all of it is there.

    Killed, it leaves the earlier one, and a draft that the next to write the file clears away.
    Raise PoolhouseError where the file system does not allow it.
    """
    with _refusals_in_words(file), _draft_of(file) as draft:
        yield draft
        draft.flush()
        Path(draft.name).replace(file)


def publish(file: Path, text: str) -> None:
    """Put a text in the place of an earlier one. Raise the errors of `written_whole`."""
    with written_whole(file) as draft:
        draft.write(text)


def publish_bytes(file: Path, content: bytes) -> None:
    """Put what is no text in the place of an earlier file. Raise what `written_whole` raises."""
    with written_whole(file) as draft:
        draft.buffer.write(content)


def refuse_unwritable(file: Path) -> None:
    """Say before the work that a file cannot be written. Raise PoolhouseError."""
    with _refusals_in_words(file), _draft_of(file):
        pass


def refuse_place_of_warehouse(file: Path, warehouse: "Warehouse", what: str) -> None:
    """Say before the work, not after it, that `what` cannot be written there.

    Raise PoolhouseError.
    """
    if _places(file) & _taken(warehouse):
        raise PoolhouseError(f"{file}: the {what} would replace a file of the warehouse")


def _places(file: Path) -> set[Path]:
    """Where it would be written: its own name where it is a link, which is replaced."""
    return {file.resolve(), file.parent.resolve() / file.name}


def _taken(warehouse: "Warehouse") -> set[Path]:
    """Names that Poolhouse and the engine use; a log beside a warehouse keeps everybody out."""
    files = {
        warehouse.path.parent.resolve() / warehouse.path.name,
        warehouse.path.resolve(),
        warehouse.side_path.resolve(),
        warehouse.lock_path.resolve(),
    }
    return {file.with_name(f"{file.name}{suffix}") for file in files for suffix in _ENGINE_SUFFIXES}


@contextmanager
def _draft_of(file: Path) -> Iterator[TextIO]:
    """Make the draft of a file, locked while its process lives; nothing is left of it."""
    if file.exists() and not file.is_file():
        # A device, a pipe or a folder: it is not to be replaced.
        raise PoolhouseError(f"{file}: cannot be written: it is not a regular file")
    path = file.with_name(f".{file.name}{DRAFT}")
    while True:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as draft:
            # Another process at the same file has it for as long as it takes to write it.
            fcntl.flock(draft, fcntl.LOCK_EX)
            if not is_that_of(draft, path):
                continue
            draft.truncate(0)
            with cleared(lambda: _remove(draft, path)):
                yield draft
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
