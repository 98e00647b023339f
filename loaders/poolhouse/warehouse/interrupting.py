"""Work that Ctrl-C ends, and the interrupt of a notebook, in a process that is not ours to end.

Python hears a signal between two of its steps, and a query of the engine is one step. A command
has a thread that hears it too (`ending.py`), and ends the process where the engine does not wake
up. Here the work is done by a thread, and the one that hears signals waits for it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from poolhouse.warehouse.ending import interrupt

_SECONDS_BETWEEN = 0.05

_T = TypeVar("_T")


def interruptibly(work: Callable[[], _T]) -> _T:
    """Do work, and end it where the caller is interrupted.

    Raise the errors of `work`; KeyboardInterrupt, when the work has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # which hears no signals
    result: Future[_T] = Future()
    is_done = threading.Event()

    def do() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)
        is_done.set()

    worker = threading.Thread(target=do)
    worker.start()
    try:
        # Not in one wait: another thread may have been given the signal. And not for the thread,
        # which Python up to 3.12 takes for ended where the wait for it is interrupted.
        while not is_done.wait(_SECONDS_BETWEEN):
            pass
    except KeyboardInterrupt:
        while not is_done.wait(_SECONDS_BETWEEN):
            interrupt(worker.ident)
        raise
    finally:
        worker.join()
    return result.result()
