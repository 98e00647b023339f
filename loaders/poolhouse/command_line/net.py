"""The last net: an error that nothing else has caught is one line, and its trace is in a file.

The file is in the user's cache. The next such error of the same command replaces it.
"""

import errno
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from poolhouse import __version__
from poolhouse.building.project import cache_folder
from poolhouse.command_line.signals import say_aborted
from poolhouse.command_line.statuses import status_of_error
from poolhouse.output.printable import one_line
from poolhouse.warehouse.whole import publish

_PACKAGE = Path(__file__).parents[1]

# How the system, Python and the engine say that there is no memory.
_WORDS_OF_NO_MEMORY = (
    "can't start new thread",
    "failed to map segment",
    "Cannot allocate memory",
    "cannot allocate memory",
)
_NO_MEMORY = (
    "the system gives it no more memory: end other programs, raise the limit of the process "
    "(ulimit -v), or ask for less at a time"
)


def caught(error: BaseException, arguments: Sequence[str]) -> int:
    """Say what ended a command, and return its exit status."""
    status = status_of_error(arguments[0] if arguments else None)
    if isinstance(error, SystemExit):  # of a closed pipe
        return status if error.code else 0
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        with suppress(Exception):
            sys.stdout.flush()
        say_aborted()
        return status
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if not isinstance(error, BrokenPipeError):
        sys.stderr.write(f"Error: {one_line(_in_words(error, arguments))}\n")
    return status


def _in_words(error: BaseException, arguments: Sequence[str]) -> str:
    command = arguments[0] if arguments else "poolhouse"
    if _is_short_of_memory(error):
        problem = _NO_MEMORY
    else:
        first_line = str(error).strip().partition("\n")[0]
        problem = f"{type(error).__name__}: {first_line}"
    trace = "".join(traceback.format_exception(error))
    said = f"poolhouse {__version__}, {list(arguments)}\n\n{trace}"
    return f"{command} failed{_place(error)}: {problem}; {_kept(said, command)}"


def _is_short_of_memory(error: BaseException) -> bool:
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or type(error).__name__ == "OutOfMemoryException"  # the engine's, which may not be loaded
        or any(words in str(error) for words in _WORDS_OF_NO_MEMORY)
    )


def _place(error: BaseException) -> str:
    """Return the function of ours that was at work, with its place, if there is one."""
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(_PACKAGE):
            place = f" in {frame.f_code.co_name} ({file.relative_to(_PACKAGE)}, line {line})"
    return place


def _kept(trace: str, command: str) -> str:
    """Write the trace, and return where it is."""
    name = command if command.replace("-", "").isalnum() else "poolhouse"
    try:
        folder = cache_folder() / "errors"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.txt"
        publish(file, trace)
    except Exception as problem:
        return f"the full trace could not be written ({problem}): XDG_CACHE_HOME names its folder"
    return f"the full trace is in {file}"
