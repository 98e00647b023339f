"""Test the process of a command: its streams, its signals, and its last net."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poolhouse.warehouse.file import Warehouse

COMMAND = [sys.executable, "-m", "poolhouse"]
# The command line, with an error that nothing expects.
_BROKEN = """
from poolhouse.command_line import entry
from poolhouse.command_line.commands import docs

def broken():
    raise ValueError("two\\nlines")

import poolhouse.documentation
poolhouse.documentation.pages = broken
entry.main()
"""
# The command line, whose imports take long.
_SLOW = """
import sys, time

class Slow:
    def find_spec(self, name, *_):
        if name == "click":
            print("begun", flush=True)
            time.sleep(60)

sys.meta_path.insert(0, Slow())
from poolhouse.command_line.entry import main
main()
"""
# The command line, to which a signal comes after the command and before the end.
_LATE = """
import os
from poolhouse.command_line import entry

end = entry._end

def late(status):
    entry._end = end
    os.kill(os.getpid(), {number})
    end(status)

entry._end = late
entry.main()
"""


def said(*arguments: str | Path, redirected: str = "", **options: object) -> tuple[int, str]:
    """Run a command with redirections of a shell, and return its status and its messages."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirected}', "sh", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=300,
        **options,  # type: ignore[call-overload]
    )
    return done.returncode, done.stderr


def test_an_error_that_nothing_expects_is_one_line_and_its_trace_is_kept() -> None:
    status, line = said(sys.executable, "-c", _BROKEN, "docs")
    trace = Path(os.environ["XDG_CACHE_HOME"]) / "poolhouse" / "errors" / "docs.txt"
    assert status == 1
    assert line.startswith("Error: docs failed in docs (command_line/commands/docs.py, line ")
    assert line.endswith(f"): ValueError: two; the full trace is in {trace}\n")
    assert "Traceback (most recent call last)" in trace.read_text()
    assert "two\nlines" in trace.read_text()


def test_the_line_says_where_a_trace_could_not_be_written() -> None:
    unwritable = {**os.environ, "XDG_CACHE_HOME": "/dev/null/cache"}
    status, line = said(sys.executable, "-c", _BROKEN, "docs", env=unwritable)
    assert status == 1
    assert "ValueError: two; the full trace could not be written (" in line
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("redirected", "problem"),
    [
        (">&-", "standard output is closed: there is nowhere to show the result"),
        (">/dev/full", "standard output cannot be written: No space left on device"),
    ],
)
def test_output_that_cannot_be_written_is_named(redirected: str, problem: str) -> None:
    assert said(*COMMAND, "docs", redirected=redirected) == (1, f"Error: {problem}\n")


def test_messages_that_cannot_be_written_are_lost(loaded: Warehouse, tmp_path: Path) -> None:
    """No file of the warehouse takes the number of a closed stream, and has messages in it."""
    before = loaded.path.read_bytes()
    run = tmp_path / "new"
    run.write_text("1 Q0 D1 1 high t\n1 Q0 D2 2 1 t\n")
    load = ("load", "toy", run, "--db", loaded.path)
    assert said(*COMMAND, *load, redirected="<&- >&- 2>&-") == (0, "")
    assert loaded.path.read_bytes() != before
    with loaded.read() as connection:
        assert connection.execute("select count(*) from raw.runs").fetchall() == [(4,)]
    assert said(*COMMAND, "nothing", redirected="2>/dev/full") == (2, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_the_imports_is_handled(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SLOW, "status"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == b"begun\n"
        started = time.monotonic()
        process.send_signal(number)
        try:
            process.wait(20)
        finally:
            process.kill()
        assert time.monotonic() - started < 2
        assert (process.returncode, process.stderr.read().split()) == (1, [b"Aborted!"])


@pytest.mark.parametrize("arguments", [("docs",), ("docs", "nothing")])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_after_the_command_is_handled(
    number: signal.Signals, arguments: tuple[str, ...]
) -> None:
    status, messages = said(sys.executable, "-c", _LATE.format(number=int(number)), *arguments)
    assert status == 1
    assert messages.splitlines()[-1] == "Aborted!"
    assert "Traceback" not in messages
