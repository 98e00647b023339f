"""Which cases of a test are heavy (conftest.py): all but a few that stand for the others."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def heavy(cases: Iterable[Any]) -> Iterator[Any]:
    """Mark cases as heavy; a tuple is a case of several arguments."""
    for case in cases:
        yield pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.heavy)


def heavy_but(few: Iterable[str], cases: Iterable[str]) -> list[Any]:
    """Mark all cases as heavy but these few."""
    few = set(few)
    marked: list[Any] = []
    for case in cases:
        marked += [case] if case in few else heavy([case])
        few.discard(case)
    assert not few, f"no such case: {few}"
    return marked
