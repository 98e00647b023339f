"""Writing exported files and folders beside their target, and renaming them at the end."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from poolhouse.errors import PoolhouseError

# A folder with this file is an export, and may be replaced by another export.
MARK = "README.txt"
_FIRST_LINE = "An export of Poolhouse"


def readme(*paragraphs: str) -> str:
    """Write the text that marks an exported folder."""
    return "\n\n".join([_FIRST_LINE, *paragraphs]) + "\n"


@contextmanager
def whole_target(target: Path, *, is_folder: bool, may_replace: bool) -> Iterator[Path]:
    """Yield a draft beside the target, and rename it to the target at the end.

    If the process is killed, the target is unchanged, and a draft with a name that begins with a
    dot remains. The next export to the same target removes it. Raise PoolhouseError where the
    target exists and may not be replaced, is no export, has a name that no export can have, another
    process exports to it, or the file system refuses.
    """
    target = Path(os.path.abspath(target))  # noqa: PTH100 - a link is replaced and not followed
    _refuse_name(target)
    draft = target.with_name(f".{target.name}.next")
    old = target.with_name(f".{target.name}.old")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _only_one(target), ExitStack() as at_the_end:
            at_the_end.callback(_remove, draft)
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


def begin_again(draft: Path, *, is_folder: bool) -> None:
    """Empty a draft."""
    _remove(draft)
    if is_folder:
        draft.mkdir()


def _refuse_name(target: Path) -> None:
    """Refuse the root, which has no name, and a name that the engine cannot take."""
    if not target.name:
        raise PoolhouseError(f"{target}: name a file or a folder within it")
    try:
        str(target).encode()
    except UnicodeEncodeError as error:
        shown = os.fsencode(target).decode(errors="backslashreplace")
        raise PoolhouseError(f"{shown}: is not UTF-8: give the export another name") from error


@contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Refuse a second export to the same target."""
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
        # Files of the engine beside a database that it writes.
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
