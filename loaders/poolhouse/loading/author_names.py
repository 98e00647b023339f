"""Names of authors of judgements, and the files that a load gives for them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from poolhouse.errors import PoolhouseError

REFERENCE = "reference"
"""The author of the qrels where no name is given; it stands for this author in every collection."""

BETWEEN_AUTHORS = ", else "
"""What is between two authors of a mixture."""


def check_author(name: str) -> None:
    """Raise PoolhouseError where the text cannot be the name of an author."""
    if not (name.strip() and name.isprintable()):
        raise PoolhouseError(f"the name of an author is {name!r}: empty or not printable")
    if name != name.strip():
        raise PoolhouseError(f"the name of an author is {name!r}: leave out the blanks at its ends")
    if BETWEEN_AUTHORS in name:
        raise PoolhouseError(
            f"author {name!r} holds {BETWEEN_AUTHORS!r}, which is between two authors of a mixture"
        )
    if name != REFERENCE and name.casefold() == REFERENCE:
        raise PoolhouseError(
            f"author {name!r}: {REFERENCE!r} is the author of the qrels in every collection, and "
            "other spellings of it name nobody"
        )


def check_authors(names: Iterable[str], known: Iterable[str] = ()) -> None:
    """Raise PoolhouseError for a bad name, and where two names are one but for case.

    A name may be in `known`, which are the names of earlier loads.
    """
    seen: dict[str, str] = {}
    for name in names:
        check_author(name)
        if name in seen.values():
            raise PoolhouseError(
                f"author {name!r} is named twice: put all judgements of an author into one file"
            )
        _refuse_other_case(name, seen)
        seen[name.casefold()] = name
    before = {name.casefold(): name for name in known}
    for name in seen.values():
        if name not in before.values():
            _refuse_other_case(name, before)


def _refuse_other_case(name: str, others: Mapping[str, str]) -> None:
    if other := others.get(name.casefold()):
        raise PoolhouseError(
            f"authors {other!r} and {name!r} differ only in case: if they are one author, write "
            f"{other!r}; otherwise give one of them another name"
        )


def named_file(text: str, folder: Path = Path()) -> tuple[str | None, Path]:
    """Return the author and the file that `FILE` or `NAME=FILE` means; no author for FILE.

    A text that is an existing file in the folder is a FILE, because a path may contain `=`.
    """
    name, mark, file = text.partition("=")
    if not mark or _exists(folder / text):
        return None, folder / text
    return name, folder / file


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a folder that cannot be read, a NUL byte
        return False
