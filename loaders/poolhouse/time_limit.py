"""A limit to how long a query of a check may take: no wait is without an end."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from poolhouse import console
from poolhouse.errors import PoolhouseError

# The longest time for what is expected of one table. Tables of the largest collections take
# seconds: what takes longer than this does not come to an end.
DEFAULT_SECONDS = 600.0

# How long the engine has to obey an interruption, and how often it is told: it forgets one that
# comes between two queries.
_PATIENCE = 10.0
_BETWEEN = 0.1


@contextmanager
def time_limit(
    connection: duckdb.DuckDBPyConnection, seconds: float, subject: str
) -> Iterator[None]:
    """Interrupt the connection after so many seconds, and end the process if that is of no use.

    Errors: PoolhouseError, naming the subject. An engine that does not wake up again is left with
    the process: the same line is then printed, with exit status 1.
    """
    done, expired = threading.Event(), threading.Event()
    problem = (
        f"what is expected of {subject} was not compared within {seconds:g} seconds; "
        "nothing was recorded; to wait longer: check --timeout"
    )

    def watch() -> None:
        if done.wait(seconds):
            return
        expired.set()
        for _ in range(round(_PATIENCE / _BETWEEN)):
            connection.interrupt()
            if done.wait(_BETWEEN):
                return
        _end_process(problem)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        if expired.is_set():
            raise PoolhouseError(problem) from error
        raise
    finally:
        done.set()
        watcher.join()
    if expired.is_set():
        raise PoolhouseError(problem)


def _end_process(problem: str) -> None:
    """End the process whatever its other threads wait for."""
    console.remarks.show_cursor()  # a progress bar hides it
    console.remark(f"Error: {problem}")
    os._exit(1)
