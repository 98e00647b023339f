"""Warnings of the Python API, at the line of the user's program that made them."""

import inspect
import warnings
from collections.abc import Iterable
from pathlib import Path

from poolhouse.errors import PoolhouseWarning

_API = str(Path(__file__).parent)


def warn(remarks: Iterable[str]) -> None:
    """Issue a warning for each remark, at the line that calls the API."""
    level, frame = 1, inspect.currentframe()
    while frame and _is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    for text in remarks:
        warnings.warn(text, PoolhouseWarning, stacklevel=level)


def _is_ours(file: str) -> bool:
    # attrs writes the constructors of requests.
    return file.startswith((_API, "<attrs generated"))
