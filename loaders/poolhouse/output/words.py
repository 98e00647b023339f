"""Words of sentences: lists, and counted things."""

from collections.abc import Sequence


def in_a_list(words: Sequence[str]) -> str:
    """Join words as a sentence has them: a, b and c."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def some_of(names: Sequence[str], at_most: int = 5) -> str:
    """Name the first things, and count the others."""
    more = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + more


def counted(count: int, thing: str) -> str:
    """Return a number of things, such as 1 run or 2 runs."""
    return f"{count} {thing}{'' if count == 1 else 's'}"
