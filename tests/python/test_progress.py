"""Test the display of progress: the current step on a terminal, and a line a minute elsewhere."""

import io
import re
import time
from collections.abc import Callable

import pytest
from rich.console import Console

from poolhouse.command_line import console, progress
from poolhouse.command_line.progress import progress_bar

WIDTH = 80
# Codes by which a terminal goes back and draws a line again.
_DRAWN_ANEW = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]|\r")


def on(monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool) -> io.StringIO:
    """Return the output to standard error, which is a terminal or is none."""
    file = io.StringIO()
    remarks = Console(
        file=file, width=WIDTH, force_terminal=is_terminal, color_system=None, highlight=False
    )
    for module in (console, progress):
        monkeypatch.setattr(module, "remarks", remarks)
    return file


def drawn(file: io.StringIO) -> list[str]:
    return [line.rstrip() for line in _DRAWN_ANEW.sub("\n", file.getvalue()).splitlines() if line]


def test_the_step_under_way_is_named_and_the_bar_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    file = on(monkeypatch, is_terminal=True)
    with progress_bar("building") as bar:
        for done, step in enumerate(("first", "second [bold]", "x" * 200)):
            bar.show(step, done, 3)
            _wait_for(file, step[:9])
            assert f"{done}/3" in drawn(file)[-1]
            assert max(map(len, drawn(file))) <= WIDTH
    assert drawn(file)[-1].startswith("building ")
    assert "3/3" in drawn(file)[-1]


@pytest.mark.heavy
def test_the_time_left_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten steps, nine took no time: the time so far says nothing about the tenth."""
    file = on(monkeypatch, is_terminal=True)
    with progress_bar("building") as bar:
        for done in range(10):
            bar.show("step", done, 10)
        _wait_for(file, "9/10")
        before = drawn(file)[-1]
        _wait_until(lambda: "0:00:01" in drawn(file)[-1])
    assert "0:00:00" in before
    assert "--:--" not in file.getvalue()


def test_where_nothing_was_done_no_bar_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    file = on(monkeypatch, is_terminal=True)
    with progress_bar("building"):
        pass
    # the line is erased
    assert file.getvalue().rstrip("\n").endswith("\x1b[2K")


def test_what_failed_is_still_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    file = on(monkeypatch, is_terminal=True)
    with pytest.raises(ValueError, match="no"), progress_bar("loading") as bar:
        bar.show("third.gz", 2, 5)
        raise ValueError("no")
    assert "third.gz" in drawn(file)[-1]
    assert "2/5" in drawn(file)[-1]


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    file = on(monkeypatch, is_terminal=False)
    monkeypatch.setattr(progress, "_BETWEEN_LINES", 0.02)
    with progress_bar("building") as bar:
        bar.show("a plan", 0, 0)
        _wait_for(file, "building: a plan is under way\n")
        bar.show("int_rankings", 30, 120)
        _wait_for(
            file,
            "building: 30 of 120 steps done in 0 min; int_rankings is under way\n",
        )
    said = file.getvalue()
    time.sleep(0.1)
    assert file.getvalue() == said


def _wait_for(file: io.StringIO, line: str) -> None:
    _wait_until(lambda: line in file.getvalue())


def _wait_until(condition: Callable[[], bool]) -> None:
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < 20
        time.sleep(0.01)


def test_what_takes_no_minute_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    file = on(monkeypatch, is_terminal=False)
    with progress_bar("building") as bar:
        bar.show("int_rankings", 30, 120)
    assert file.getvalue() == ""
