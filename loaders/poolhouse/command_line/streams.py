"""The standard streams of a process: each is open, and says in words why it cannot be written."""

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

_CLOSED = "standard output is closed: there is nowhere to show the result"


def open_streams() -> None:
    """Open the closed standard streams, and wrap the two that are written.

    An error of standard output ends the command in one line, and a closed pipe without one. What
    standard error does not take is lost, as there is nowhere to say so.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The next opened file would take this number, and messages would be written into it.
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0)  # noqa: SIM115 - until the process ends
    sys.stdout = _text(_Output(1, "w"), sys.stdout) if sys.stdout else _Closed()
    sys.stderr = _text(_Messages(2, "w"), sys.stderr)


def _text(stream: io.FileIO, before: TextIO | None) -> io.TextIOWrapper:
    """Return a stream of text as Python had made it, or of messages if it had made none."""
    return io.TextIOWrapper(
        io.BufferedWriter(stream),
        encoding=before.encoding if before else "utf-8",
        errors=before.errors if before else "backslashreplace",
        line_buffering=not before or bool(before.line_buffering),
    )


class _Output(io.FileIO):
    """Standard output."""

    def write(self, content: Any) -> int:  # noqa: ANN401 - any buffer
        try:
            return super().write(content)
        except BrokenPipeError:
            raise  # click ends the command without a word
        except OSError as error:
            from click import ClickException  # noqa: PLC0415 - few commands need it

            problem = f"standard output cannot be written: {error.strerror}"
            raise ClickException(problem) from error


class _Closed(io.TextIOBase):
    """Standard output where it is closed."""

    def writable(self) -> bool:
        return False

    def write(self, _: str) -> int:
        from click import ClickException  # noqa: PLC0415 - few commands need it

        raise ClickException(_CLOSED)


class _Messages(io.FileIO):
    """Standard error."""

    def write(self, content: Any) -> int:  # noqa: ANN401 - any buffer
        with suppress(OSError):
            return super().write(content)
        return len(content)
