"""Where the page of a check lies, and what killed checks left of it."""

import fcntl
import glob
import hashlib
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from poolhouse.warehouse.locking import is_that_of
from poolhouse.warehouse.whole_files import DRAFT

_KIND = ".quality"
_ENDING = ".html"

# A name that is one of a file wherever the page is taken, and tells its collections: others are
# told by a hash as well. Upper case is the same as lower case on some systems.
_PLAIN = re.compile(r"[a-z0-9_-]{1,60}")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_PART = 40
_DIGITS = 8


def page_beside(warehouse: Path, collections: Collection[str]) -> Path:
    """Return where the page lies unless told otherwise; that of some collections has their names.

    `collections` are the ones that were asked for, none where it is the page of all of them.
    """
    names = sorted(set(collections))
    of = f"-of-{'+'.join(map(_in_a_file_name, names))}" if names else ""
    if len(of) > 2 * _LONGEST_PART:
        of = f"-of-{len(names)}-collections-{_hash(*names)}"
    return warehouse.with_name(f"{warehouse.stem}{_KIND}{of}{_ENDING}")


def _in_a_file_name(collection: str) -> str:
    if _PLAIN.fullmatch(collection):
        return collection
    return f"{_NOT_PLAIN.sub('-', collection)[:_LONGEST_PART]}-{_hash(collection)}"


def _hash(*names: str) -> str:
    return hashlib.sha256("\0".join(names).encode(errors="surrogateescape")).hexdigest()[:_DIGITS]


def clear_drafts(warehouse: Path) -> None:
    """Remove what killed checks left of pages beside a warehouse, and no draft that is at work."""
    name = glob.escape(f".{warehouse.stem}{_KIND}")
    for draft in warehouse.parent.glob(f"{name}*{_ENDING}{DRAFT}"):
        with suppress(OSError), draft.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if is_that_of(file, draft):
                draft.unlink()
