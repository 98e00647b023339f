"""The process of a command, from its first moment to its last.

The first lines handle signals, before anything is imported that takes time. Without them, a signal
would end the process by itself, and not with the exit status that the docs promise.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from poolhouse.command_line.statuses import status_of_error

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> NoReturn:
    """Run the command line of this process, and end the process."""
    for number in _SIGNALS:
        # nohup and shells have a process ignore signals, and it goes on to do so.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end_at_once)
    try:
        try:
            status = _run()
        except BaseException as error:
            status = _caught(error)
        _end(status)
    except KeyboardInterrupt as error:  # a signal came after the command, before the end
        _end(_caught(error))


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    """End the process while it has done nothing but import."""
    try:
        os.write(2, b"\nAborted!\n")
    finally:
        os._exit(status_of_error(sys.argv[1] if sys.argv[1:] else None))


def _run() -> int:
    """Run the command, and return its exit status."""
    from poolhouse.command_line.streams import open_streams  # noqa: PLC0415
    from poolhouse.warehouse.ending import hear_signals  # noqa: PLC0415

    open_streams()
    hear_signals()
    from poolhouse.command_line.main import main as command_line  # noqa: PLC0415

    status = command_line.main(prog_name="poolhouse", standalone_mode=False)
    sys.stdout.flush()
    return status or 0


def _caught(error: BaseException) -> int:
    """Say what ended the command, and return its exit status."""
    from poolhouse.command_line.net import caught  # noqa: PLC0415

    return caught(error, sys.argv[1:])


def _end(status: int) -> NoReturn:
    """End the process before Python clears up, when it no longer handles signals."""
    import atexit  # noqa: PLC0415

    from poolhouse.warehouse.ending import end_at_signals  # noqa: PLC0415

    end_at_signals()
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(status)
