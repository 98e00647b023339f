"""Work that Ctrl-C ends, and the interrupt of a notebook, in a process that is not ours to end.

Python hears a signal between two of its steps, and a query of the engine is one step. A command
has a thread that hears it too (`ending.py`), and ends the process where the engine does not wake
up. Here the work is done by a thread, and the one that hears signals waits for it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from poolhouse.ending import interrupt

_SECONDS_BETWEEN = 0.05

_T = TypeVar("_T")


def interruptibly(work: Callable[[], _T]) -> _T:
    """Do work, and end it where the caller is interrupted.

    Errors: those of `work`; KeyboardInterrupt, when the work has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # which hears no signals
    done: Future[_T] = Future()

    def do() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    worker = threading.Thread(target=do)
    worker.start()
    try:
        # Not in one wait: another thread may have been given the signal.
        while worker.is_alive():
            worker.join(_SECONDS_BETWEEN)
        return done.result()
    except KeyboardInterrupt:
        while worker.is_alive():
            interrupt(worker.ident)
            worker.join(_SECONDS_BETWEEN)
        raise
