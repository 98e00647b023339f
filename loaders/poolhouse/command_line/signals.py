"""Signals that end a command, from its first moment to its last.

A command that its caller has ignore a signal, as nohup and shells do, goes on to ignore it.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from poolhouse.command_line.statuses import status_of_error

# The last one says that the terminal was closed.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_SHOW_CURSOR = b"\x1b[?25h"

_Handler = Callable[[int, FrameType | None], None]


def end_at_signals() -> None:
    """End the process at once at a signal, while it has nothing to clear up."""
    _handle(lambda _number, _frame: end())


def raise_at_signals() -> None:
    """Raise KeyboardInterrupt at a signal, so that unfinished files are removed."""
    sys.unraisablehook = _end_if_dropped
    _handle(_interrupt)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Defer signals to the end, because the engine's binding aborts at a signal while it loads.

    Only the main thread may call this, because only it may handle signals.
    """
    heard: list[int] = []
    handlers = _handle(lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if heard:
        raise KeyboardInterrupt


def end() -> NoReturn:
    """End the process at once."""
    say_aborted()
    os._exit(status_of_error(sys.argv[1] if sys.argv[1:] else None))


def say_aborted() -> None:
    """Say it on standard error, in the word of click, and show the cursor. Never fail."""
    # Not through Python's stream: the signal may have come while it was writing.
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + b"\nAborted!\n")


def _handle(handler: _Handler) -> dict[signal.Signals, "signal._HANDLER"]:
    """Handle the signals that are not ignored, and return their handlers before."""
    heard = [each for each in SIGNALS if signal.getsignal(each) != signal.SIG_IGN]
    return {number: signal.signal(number, handler) for number in heard}


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    # Once: a second signal would interrupt the main thread as it clears up.
    _handle(lambda _number, _frame: None)
    raise KeyboardInterrupt


def _end_if_dropped(unraisable: "sys.UnraisableHookArgs") -> None:
    """End the process after an interrupt that Python drops, as in a callback of its imports."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        end()
    sys.__unraisablehook__(unraisable)
