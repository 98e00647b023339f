"""The targets of exports: which may be replaced, and by a whole export only."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.whole import remove, whole

# A folder with this file is an export, and may be replaced by another export.
MARK = "README.txt"
_FIRST_LINE = "An export of Poolhouse"


def readme(*paragraphs: str) -> str:
    """Write the text that marks an exported folder."""
    return "\n\n".join([_FIRST_LINE, *paragraphs]) + "\n"


@contextmanager
def whole_target(target: Path, *, is_folder: bool, may_replace: bool) -> Iterator[Path]:
    """Yield a draft of the target: an empty folder, or the path of a file.

    Raise PoolhouseError where the target exists and may not be replaced, is no export, has a name
    that no export can have, another process exports to it, or the file system refuses.
    """
    target = Path(os.path.abspath(target))  # noqa: PTH100 - a link is replaced and not followed
    _refuse_name(target)
    busy = PoolhouseError(f"{target}: another export is writing there")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target, lambda _: busy) as draft:
            _refuse(target, is_folder=is_folder, may_replace=may_replace)
            begin_again(draft, is_folder=is_folder)
            yield draft
    except OSError as error:
        raise PoolhouseError(f"{target}: cannot be written: {error.strerror}") from error


def begin_again(draft: Path, *, is_folder: bool) -> None:
    """Empty a draft."""
    remove(draft)
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
