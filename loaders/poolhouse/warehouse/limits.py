"""Limits of a query: its time, and the memory of the process."""

import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.interrupting import interrupt
from poolhouse.warehouse.memory import limit_in_bytes, too_much

_SECONDS_BETWEEN = 0.05

# The longest time for a query of Poolhouse itself. Such a query takes seconds on the largest
# collections, so a query that takes longer than this does not end.
DEFAULT_SECONDS = 600.0

# The pages of the process, on Linux: all, and those in memory.
_STATE = Path("/proc/self/statm")

# Returns a line about the exceeded limit, or nothing.
Limit = Callable[[], str]


def time_limit(seconds: float, problem: str) -> Limit:
    """Make a limit of this many seconds from now."""
    last = time.monotonic() + seconds
    return lambda: problem if time.monotonic() > last else ""


def memory_limit_of_process() -> Limit:
    """Make a limit of the memory of this process: the limit of the engine, for its results."""
    most, before = limit_in_bytes(), _memory_taken()
    return lambda: too_much() if _memory_taken() - before > most else ""


@contextmanager
def limited(*limits: Limit) -> Iterator[None]:
    """End the queries of this thread when a limit is exceeded.

    Raise PoolhouseError with the line of the limit.
    """
    is_over = threading.Event()
    problems: list[str] = []
    caller = threading.get_ident()

    def watch() -> None:
        while not is_over.wait(_SECONDS_BETWEEN):
            problems[:] = problems or filter(None, (limit() for limit in limits))
            if problems:
                interrupt(caller)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        if problems:
            raise PoolhouseError(problems[0]) from error
        raise
    finally:
        is_over.set()
        watcher.join()
    if problems:  # and there was nothing to interrupt any more
        raise PoolhouseError(problems[0])


def _memory_taken() -> int:
    """Return the number of bytes that this process has in memory; on macOS, the most it has had.

    In a server, what one query took must not be free for the next.
    """
    if _STATE.exists():
        return int(_STATE.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
