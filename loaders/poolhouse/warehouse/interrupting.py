"""Work that Ctrl-C or the interrupt of a notebook ends, in a process that must go on.

Python hears a signal between two of its steps, and a query of the engine is one step. A command has
a thread that hears signals too (`ending.py`), and ends the process if the engine does not react.
Here a thread does the work, and the main thread, which hears signals, waits for it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from poolhouse.warehouse.ending import interrupt

_SECONDS_BETWEEN = 0.05

_T = TypeVar("_T")


def interruptibly(work: Callable[[], _T]) -> _T:
    """Do work, and end it if the caller is interrupted.

    Raise the errors of `work`. Raise KeyboardInterrupt when the interrupted work has ended.
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
        # Not in a single wait, because another thread may have got the signal. Not by joining the
        # thread, because Python up to 3.12 takes a thread for ended if the join is interrupted.
        while not is_done.wait(_SECONDS_BETWEEN):
            pass
    except KeyboardInterrupt:
        while not is_done.wait(_SECONDS_BETWEEN):
            interrupt(worker.ident)
        raise
    finally:
        worker.join()
    return result.result()
