"""Exported files and folders are written beside their place and put there at once."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.ending import cleared

# A folder that has it was exported, and may be replaced by another export.
MARK = "README.txt"
_FIRST_LINE = "An export of Poolhouse"


def readme(*paragraphs: str) -> str:
    """Write the text by which an exported folder is known."""
    return "\n\n".join([_FIRST_LINE, *paragraphs]) + "\n"


@contextmanager
def whole_target(target: Path, *, is_folder: bool, may_replace: bool) -> Iterator[Path]:
    """Return a place beside the target, and put what was written there into its place at the end.

    Killed, it leaves the target as it was, and a draft whose name begins with a dot; the next
    export to the same place clears it away. Raise PoolhouseError where the target is there and
    may not be replaced, is no export, another process exports there, or the file system refuses.
    """
    target = Path(os.path.abspath(target))  # noqa: PTH100 - a link is replaced and not followed
    draft = target.with_name(f".{target.name}.next")
    old = target.with_name(f".{target.name}.old")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _only_one(target), cleared(lambda: _remove(draft)):
            if old.exists() and not target.exists():
                old.rename(target)  # killed between the two renames below
            _refuse(target, is_folder=is_folder, may_replace=may_replace)
            _remove(draft)
            _remove(old)
            if is_folder:
                draft.mkdir()
            yield draft
            if target.exists() and is_folder:
                target.rename(old)
            draft.rename(target)
            _remove(old)
    except OSError as error:
        raise PoolhouseError(f"{target}: cannot be written: {error.strerror}") from error


@contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Keep a second export to the same place out."""
    lock = target.with_name(f".{target.name}.lock")
    with lock.open("a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PoolhouseError(f"{target}: another export is writing there") from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def _refuse(target: Path, *, is_folder: bool, may_replace: bool) -> None:
    if not target.exists() and not target.is_symlink():
        return
    if not may_replace:
        raise PoolhouseError(f"{target}: exists already; --replace replaces it")
    if is_folder and not _is_export(target):
        raise PoolhouseError(f"{target}: is not the folder of an export, and is not replaced")
    if not is_folder and not target.is_file():
        raise PoolhouseError(f"{target}: is not a file, and is not replaced")


def _is_export(folder: Path) -> bool:
    with suppress(OSError, UnicodeDecodeError):
        return (folder / MARK).read_text(encoding="utf-8").startswith(_FIRST_LINE)
    return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
        # What the engine keeps beside a database that it writes.
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
