"""The early end of a query, by a signal or by a limit.

Python hears a signal between two of its steps, and a query of the engine may be one step: with one
thread, as readers of small files have, the engine never looks for signals. So a thread listens.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TypeVar

_SECONDS_BETWEEN = 0.05
# A command ends within two seconds of a signal.
_SECONDS_TO_CLEAR_UP = 1.3

_T = TypeVar("_T")


class Interruptible(Protocol):
    """A connection to the engine. Importing the engine here would delay help texts."""

    def interrupt(self) -> None:
        """End the query that runs on the connection."""


# Open connections, with the thread that opened each.
_connections: list[tuple[int, Interruptible]] = []


@contextmanager
def interruptible(connection: Interruptible) -> Iterator[None]:
    """Let signals and limits end the query on this connection."""
    opened = (threading.get_ident(), connection)
    _connections.append(opened)
    try:
        yield
    finally:
        _connections.remove(opened)


def interrupt(thread: int) -> None:
    """End the queries on the connections that this thread opened."""
    for opener, connection in tuple(_connections):
        if opener == thread:
            with suppress(Exception):  # closed in the meantime
                connection.interrupt()


@contextmanager
def queries_end_at(
    *signals: signal.Signals, at_last: Callable[[], object] | None = None
) -> Iterator[None]:
    """End the queries of this thread, and raise KeyboardInterrupt, when one of the signals comes.

    The handlers of the signals are called as always. Only the main thread hears signals. `at_last`
    is called if the work has not ended a while later: some libraries ignore KeyboardInterrupt.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, is_over = threading.Event(), threading.Event()
    main = threading.get_ident()
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def listen() -> None:
        while number := os.read(reading, 1):
            if before >= 0:  # of an event loop, which waits meanwhile
                with suppress(OSError):
                    os.write(before, number)
            if number[0] in signals:
                heard.set()
                break
        last = time.monotonic() + _SECONDS_TO_CLEAR_UP
        # More than once, because the next query may be about to begin.
        while heard.is_set() and not is_over.is_set():
            interrupt(main)
            is_over.wait(_SECONDS_BETWEEN)
            if at_last and time.monotonic() > last:
                at_last()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            is_over.set()
            os.close(writing)
            listener.join()
            os.close(reading)
    except Exception as error:
        if heard.is_set():  # interrupted work raises any error
            raise KeyboardInterrupt from error
        raise


def interruptibly(work: Callable[[], _T]) -> _T:
    """Do work that Ctrl-C or the interrupt of a notebook ends. Raise its errors."""
    with queries_end_at(signal.SIGINT):
        return work()
