"""Where the page of a check lies, and how it gets there: whole, or not at all."""

import fcntl
import glob
import hashlib
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from poolhouse.errors import PoolhouseError
from poolhouse.locking import is_that_of

_KIND = ".quality"
_ENDING = ".html"
_DRAFT = ".next"

# A name that is one of a file wherever the page is taken, and tells its collections: others are
# told by a hash as well. Upper case is the same as lower case on some systems.
_PLAIN = re.compile(r"[a-z0-9_-]{1,60}")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_PART = 40
_DIGITS = 8


def page_beside(warehouse: Path, collections: Collection[str]) -> Path:
    """Tell where the page lies unless told otherwise; that of some collections has their names.

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


def refuse_unwritable(page: Path) -> None:
    """Say before the work that the page cannot be written. Errors: PoolhouseError."""
    with _refusals_in_words(page), _draft_of(page):
        pass


def publish(page: Path, text: str) -> None:
    """Put a page in the place of an earlier one.

    Errors: PoolhouseError where the file system does not allow it.
    """
    with _refusals_in_words(page), _draft_of(page) as draft:
        draft.write(text)
        draft.flush()
        Path(draft.name).replace(page)


def clear_drafts(warehouse: Path) -> None:
    """Remove what killed checks left of pages beside a warehouse, and no draft that is at work."""
    name = glob.escape(f".{warehouse.stem}{_KIND}")
    for draft in warehouse.parent.glob(f"{name}*{_ENDING}{_DRAFT}"):
        with suppress(OSError), draft.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if is_that_of(file, draft):
                draft.unlink()


@contextmanager
def _draft_of(page: Path) -> Iterator[TextIO]:
    """Make the draft of a page, locked while its process lives; nothing is left of it."""
    path = page.with_name(f".{page.name}{_DRAFT}")
    while True:
        with path.open("a", encoding="utf-8") as draft:
            # Another check at the same page has it for as long as it takes to write it.
            fcntl.flock(draft, fcntl.LOCK_EX)
            if not is_that_of(draft, path):
                continue
            draft.truncate(0)
            try:
                yield draft
            finally:
                if is_that_of(draft, path):
                    path.unlink()
            return


@contextmanager
def _refusals_in_words(page: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PoolhouseError(f"{page}: cannot be written: {error.strerror}") from error
