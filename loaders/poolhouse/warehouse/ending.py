"""The early end of a command, by a signal or by the limit of a query.

Python hears a signal between two of its steps, and a query of the engine is one step. So a thread
hears it too. The thread interrupts the engine. If this does not help, the thread ends the process.
"""

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn, Protocol

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.memory import limit_in_bytes, too_much

# The last one says that the terminal was closed.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# The word of click for a command that a signal ended.
_ABORTED = "Aborted!"

# A command ends within two seconds. It has this time to clear up before it is ended.
_SECONDS_TO_CLEAR_UP = 1.3
_SECONDS_BETWEEN = 0.05

# The longest time for a query of Poolhouse itself. Such a query takes seconds on the largest
# collections, so a query that takes longer than this does not end.
DEFAULT_SECONDS = 600.0

# The unit in which the system reports the memory of a process.
_BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024

_SHOW_CURSOR = "\x1b[?25h"


class Interruptible(Protocol):
    """A connection to the engine. Importing the engine here would delay help texts."""

    def interrupt(self) -> None:
        """End the query that runs on the connection."""


# Connections, with the thread that opened each.
_connections: list[tuple[int, Interruptible]] = []
_remains: list[Callable[[], None]] = []
# Warehouses that the command changed, with the inode of the file that takes the place of the old.
_changed: dict[Path, int] = {}


@contextmanager
def interruptible(connection: Interruptible) -> Iterator[None]:
    """Let a signal end the query on this connection."""
    opened = (threading.get_ident(), connection)
    _connections.append(opened)
    try:
        yield
    finally:
        _connections.remove(opened)


def interrupt(thread: int | None = None) -> None:
    """End queries on the open connections, or on the connections that this thread opened."""
    for opener, connection in tuple(_connections):
        if thread in (None, opener):
            with suppress(Exception):  # closed in the meantime
                connection.interrupt()


@contextmanager
def cleared(clear: Callable[[], None]) -> Iterator[None]:
    """Remove the unfinished files of a change, also if the process is ended during the change."""
    _remains.append(clear)
    try:
        yield
    finally:
        # Until it is done, because a signal may come in the midst of it.
        clear()
        _remains.remove(clear)


def clear_up() -> None:
    """Remove the unfinished files that are left because the work ended in the midst of something.

    A signal may come while the error of an interrupted query unwinds the work.
    """
    for clear in reversed(tuple(_remains)):
        with suppress(OSError):
            clear()


def about_to_publish(changed: Path, warehouse: Path) -> None:
    """Remember which file takes the place of the warehouse, for the last words of the command."""
    _changed[warehouse] = changed.stat().st_ino


def last_words() -> str:
    """Return what an aborted command says. A change may be published before the signal comes."""
    published = (
        f"{path}: the change was published before"
        for path, inode in _changed.items()
        if path.exists() and path.stat().st_ino == inode
    )
    return "\n".join((_ABORTED, *published))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Defer signals to the end, because the engine's binding aborts at a signal while it loads.

    Only the main thread may call this, because only it may handle signals.
    """
    heard: list[int] = []

    def put_off(number: int, _: object) -> None:
        heard.append(number)

    handlers = {number: signal.signal(number, put_off) for number in _heard_signals()}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if heard:
        raise KeyboardInterrupt


_was_heard = threading.Event()


def hear_signals() -> None:
    """Hear the signals that end a command, from now until the process ends.

    A signal raises KeyboardInterrupt in the main thread, so that unfinished files are removed.
    """
    reading, writing = os.pipe()
    threading.Thread(target=_hear, args=(reading,), daemon=True).start()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    sys.unraisablehook = _leave_unsaid
    _handle(_interrupt)


def end_at_signals() -> None:
    """End the process at once at a signal: the command is over, and Python clears up."""
    _handle(lambda _number, _frame: end_process(last_words()))


def was_interrupted(error: BaseException) -> bool:
    """Return whether a signal led to this error. An interrupted command raises any error."""
    # The engine raises an error of its own after Ctrl-C.
    is_of_signal = isinstance(error, KeyboardInterrupt) or str(error) == "Query interrupted"
    return is_of_signal or _was_heard.is_set()


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in _heard_signals():
        signal.signal(number, handler)


def _heard_signals() -> list[signal.Signals]:
    """Return the signals that end a command, without those that its caller has it ignore."""
    return [each for each in _SIGNALS if signal.getsignal(each) != signal.SIG_IGN]


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    """Interrupt the main thread once. A second signal would interrupt it as it clears up."""
    _handle(lambda _number, _frame: None)
    raise KeyboardInterrupt


def _leave_unsaid(unraisable: "sys.UnraisableHookArgs") -> None:
    """Show no trace of an interrupt that Python drops, as in a callback of its imports.

    The thread that hears signals ends the process then.
    """
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _hear(reading: int) -> None:
    """Wait for a signal. The main thread has a while to end the process itself."""
    while os.read(reading, 1)[0] not in _SIGNALS:
        pass
    _was_heard.set()
    _end(last_words, threading.Event())


def _end(message: Callable[[], str], is_over: threading.Event) -> None:
    """Interrupt the engine. If it does not end soon, clear up and end the process.

    The message is made and printed before the process ends.
    """
    last = time.monotonic() + _SECONDS_TO_CLEAR_UP
    while time.monotonic() < last:
        interrupt()
        if is_over.wait(_SECONDS_BETWEEN):
            return
    clear_up()
    end_process(message())


def end_process(message: str) -> NoReturn:
    """Print the message on standard error, and end the process at once, with exit status 1.

    An interrupted engine has threads that may still ask for Python's lock. If Python ends in the
    meantime, they abort the process with "FATAL: exception not rethrown".
    """
    say_at_the_end(message)
    os._exit(1)


def say_at_the_end(message: str) -> None:
    """Print the message on standard error, as the last one of an aborted command."""
    # Not through Python's stream, because a hanging thread may hold its lock.
    shown = _SHOW_CURSOR if os.isatty(2) else ""
    with suppress(OSError):
        os.write(2, f"{shown}\n{message}\n".encode(errors="backslashreplace"))


# Returns a line about the exceeded limit, or None.
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
    """End queries on the open connections when a limit is exceeded.

    Raise PoolhouseError with the line of the limit. If the engine does not react, the process is
    ended with the same line.
    """
    done = threading.Event()
    problems: list[str] = []

    def watch() -> None:
        while not done.wait(_SECONDS_BETWEEN):
            if exceeded := next(filter(None, (limit() for limit in limits)), ""):
                problems.append(exceeded)
                _end(lambda: f"Error: {problems[0]}", done)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        if problems:
            raise PoolhouseError(problems[0]) from error
        raise
    finally:
        done.set()
        watcher.join()
    if problems:  # and there was nothing to interrupt any more
        raise PoolhouseError(problems[0])


def _memory_taken() -> int:
    """Return the largest number of bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_PER_UNIT
