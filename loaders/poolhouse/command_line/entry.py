"""The process of a command, from its first moment to its last.

It handles signals before anything is imported that takes time. Otherwise, a signal would end the
process by itself, and not with the exit status that the docs promise.
"""

import os
import sys
from typing import NoReturn

from poolhouse.command_line.signals import SIGNALS, end, end_at_signals, raise_at_signals


def main() -> NoReturn:
    """Run the command line of this process, and end the process."""
    end_at_signals()
    try:
        try:
            status = _run()
        except BaseException as error:
            status = _caught(error)
        _end(status)
    except KeyboardInterrupt as error:  # a signal came after the command, before the end
        _end(_caught(error))


def _run() -> int:
    """Run the command, and return its exit status."""
    from poolhouse.command_line.streams import open_streams  # noqa: PLC0415
    from poolhouse.warehouse.interrupting import queries_end_at  # noqa: PLC0415

    open_streams()
    from poolhouse.command_line.main import main as command_line  # noqa: PLC0415

    raise_at_signals()
    with queries_end_at(*SIGNALS, at_last=end):
        status = command_line.main(prog_name="poolhouse", standalone_mode=False)
        sys.stdout.flush()
    return status or 0


def _caught(error: BaseException) -> int:
    """Say what ended the command, and return its exit status."""
    from poolhouse.command_line.net import caught  # noqa: PLC0415

    return caught(error, sys.argv[1:])


def _end(status: int) -> NoReturn:
    """End the process before Python clears up, when it no longer handles signals.

    An interrupted engine has threads that may still ask for Python's lock. If Python ended in the
    meantime, they would abort the process with "FATAL: exception not rethrown".
    """
    import atexit  # noqa: PLC0415

    end_at_signals()
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(status)
