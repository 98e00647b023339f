"""Progress of work, on standard error: a bar on a terminal, elsewhere a line each minute.

The time left is not estimated, because steps differ too much in size: most tables of a build take a
moment, and a few take most of its time.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column

from poolhouse.command_line.console import remark, remarks
from poolhouse.output.printable import printable

_BAR_WIDTH = 20
# Few, because drawing a bar slows the work.
_DRAWN_A_SECOND = 4
_BETWEEN_LINES = 60.0
_SECONDS_A_MINUTE = 60
_SECONDS_BEFORE_WAITING = 2.0


@contextmanager
def progress_bar(description: str) -> Iterator["Bar"]:
    """Show the progress of the work in the `with` block, and its current step.

    A full bar stays on the terminal after the work. If standard error is not a terminal, work of
    less than a minute prints nothing.
    """
    with _drawn(description) if remarks.is_terminal else _told(description) as bar:
        yield bar


@contextmanager
def waiting(description: str) -> Iterator[None]:
    """Show on a terminal that work without steps takes long, and for how long it has run."""
    line = Progress(
        TextColumn("{task.description}"), TimeElapsedColumn(), console=remarks, transient=True
    )
    line.add_task(description)
    begin = threading.Timer(_SECONDS_BEFORE_WAITING, line.start)
    if remarks.is_terminal:
        begin.start()
    try:
        yield
    finally:
        if remarks.is_terminal:
            begin.cancel()
            begin.join()
            line.stop()


class Bar:
    """Progress of one piece of work. Its total may become known, and may grow, during the work."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.item, self.done, self.total = "", 0, 0

    def show(self, item: str, done: int, total: int) -> None:
        """Show the current step and the number of done steps; a total of 0 is not known yet."""
        self.item, self.done, self.total = item, done, total


class _DrawnBar(Bar):
    def __init__(self, description: str, progress: Progress) -> None:
        super().__init__(description)
        self._progress = progress
        self._task: TaskID = progress.add_task(description, total=None, item="")

    def show(self, item: str, done: int, total: int) -> None:
        super().show(item, done, total)
        self._progress.update(
            self._task, completed=done, total=total or None, item=escape(printable(item))
        )


@contextmanager
def _drawn(description: str) -> Iterator[Bar]:
    whole = Column(no_wrap=True)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    columns = (
        TextColumn("{task.description}", table_column=whole),
        BarColumn(bar_width=_BAR_WIDTH, table_column=whole),
        MofNCompleteColumn(table_column=whole),
        TimeElapsedColumn(table_column=whole),
        TextColumn("{task.fields[item]}", table_column=rest),
    )
    with Progress(
        *columns, console=remarks, refresh_per_second=_DRAWN_A_SECOND, expand=True
    ) as progress:
        bar = _DrawnBar(description, progress)
        try:
            yield bar
            bar.show("", bar.total, bar.total)
        finally:
            # Without a total there was nothing to do, or the work was refused: remove the bar.
            progress.live.transient = not bar.total


@contextmanager
def _told(description: str) -> Iterator[Bar]:
    bar = Bar(description)
    is_over = threading.Event()
    started = time.monotonic()

    def tell() -> None:
        while not is_over.wait(_BETWEEN_LINES):
            remark(_in_words(bar, time.monotonic() - started))

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield bar
    finally:
        is_over.set()
        teller.join()


def _in_words(bar: Bar, seconds: float) -> str:
    under_way = f"{bar.item} is under way" if bar.item else "under way"
    if not bar.total:
        return f"{bar.description}: {under_way}"
    minutes = round(seconds / _SECONDS_A_MINUTE)
    return f"{bar.description}: {bar.done} of {bar.total} steps done in {minutes} min; {under_way}"
