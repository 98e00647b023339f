"""The lock of a warehouse: one writer at a time, whose process other writers are told."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from poolhouse.errors import PoolhouseError, WarehouseBusyError

# How often and how long to wait for the name of a process that has the lock: it writes the name
# right after it gets the lock, and takes it out right before it gives the lock back.
_ATTEMPTS = 40
_SECONDS_BETWEEN = 0.05


@contextmanager
def locked(lock_path: Path, warehouse: Path) -> Iterator[TextIO]:
    """Hold the lock, and write the name of this process into it.

    Raise WarehouseBusyError where another process holds it. Raise PoolhouseError where the file
    system has no locks.
    """
    with lock_path.open("a+", encoding="utf-8") as lock:
        _acquire(lock, lock_path, warehouse)
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        try:
            yield lock
        finally:
            lock.truncate(0)


def is_that_of(lock: TextIO, lock_path: Path) -> bool:
    """Return whether the held lock still belongs to the file that other processes would lock."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), lock_path.stat())
    except FileNotFoundError:
        return False


def _acquire(lock: TextIO, lock_path: Path, warehouse: Path) -> None:
    for _ in range(_ATTEMPTS):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            if holder := lock.read().strip():
                raise WarehouseBusyError(warehouse, holder) from None
            time.sleep(_SECONDS_BETWEEN)
        except OSError as error:
            raise PoolhouseError(
                f"{lock_path}: cannot be locked: {error.strerror}; "
                "keep the warehouse on a file system that has locks, such as a local disk"
            ) from error
        else:
            return
    raise WarehouseBusyError(warehouse, "unknown")
