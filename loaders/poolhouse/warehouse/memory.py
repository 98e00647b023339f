"""The memory limit of the engine, in builds, experiments and for readers."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from poolhouse.errors import PoolhouseError

VARIABLE = "POOLHOUSE_MEMORY"
_DEFAULT = "3GB"  # profiles.yml has it too, for users who call dbt themselves

_UNITS = {
    f"{prefix}{ending}B": base ** (power + 1)
    for ending, base in (("", 1000), ("i", 1024))
    for power, prefix in enumerate("KMGT")
}
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?([KMGT]i?B)", re.IGNORECASE)


def memory_limit() -> str:
    """Return the limit in the format of the engine: 3GB, or the value of the environment.

    Raise PoolhouseError where the value of the environment is no size.
    """
    value = os.environ.get(VARIABLE) or _DEFAULT
    if not _bytes(value):
        raise PoolhouseError(_not_a_size(VARIABLE, value))
    return value


@contextmanager
def allowed(size: str | None) -> Iterator[None]:
    """Set the limit for the `with` block. None keeps the limit of the environment.

    Raise PoolhouseError where the text is no size.
    """
    if size is not None and not _bytes(size):
        raise PoolhouseError(_not_a_size("--memory", size))
    before = os.environ.get(VARIABLE)
    if size is not None:
        os.environ[VARIABLE] = size
    try:
        yield
    finally:
        if before is not None:
            os.environ[VARIABLE] = before
        elif size is not None:
            del os.environ[VARIABLE]


def limit_in_bytes() -> int:
    """Return the same limit as a number. Raise the errors of `memory_limit`."""
    return _bytes(memory_limit())


def too_much() -> str:
    """Return a message that the limit was reached, with advice."""
    return (
        f"it needs more than {memory_limit()} of memory: ask for less at a time, or allow "
        "more memory "
        f"(environment variable {VARIABLE})"
    )


def _not_a_size(name: str, value: str) -> str:
    return f"{name} is {value!r}: it must be a size, such as 3GB or 500MB"


def _bytes(size: str) -> int:
    """Return the bytes of a size, or 0 if the text is no size."""
    match = _SIZE.fullmatch(size)
    units = {unit.lower(): n_bytes for unit, n_bytes in _UNITS.items()}
    return int(float(match[1]) * units[match[2].lower()]) if match else 0
