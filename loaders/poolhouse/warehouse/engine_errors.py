"""Errors of the engine and of the file system, in one line."""

import errno
import os

import duckdb

from poolhouse.warehouse.memory import too_much

# The engine repeats the words of the system. It has words of its own for a full disk when it
# spills.
_WORDS_OF_A_FULL_DISK = (
    *map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)),
    "max_temp_directory_size",
)


def is_full_disk(error: Exception) -> bool:
    """Return whether an error of the system or the engine says that the disk is full."""
    return any(words in str(error) for words in _WORDS_OF_A_FULL_DISK)


def first_line(error: Exception) -> str:
    """Cut a message of the engine to its first line. If memory was short, add advice."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return too_much()
    return str(error).strip().partition("\n")[0]


def in_one_line(error: Exception) -> str:
    """Do the same, and name the file of an error of the file system."""
    if not isinstance(error, OSError):
        return first_line(error)
    place = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{place}"
