"""How far work is, on standard error: a bar on a terminal, elsewhere a line a minute."""

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
    TimeRemainingColumn,
)
from rich.table import Column

from poolhouse.command_line.console import remark, remarks
from poolhouse.output.printable import printable

_BAR_WIDTH = 20
# To draw a bar takes time from the work.
_DRAWN_A_SECOND = 4
_BETWEEN_LINES = 60.0
_SECONDS_A_MINUTE = 60


@contextmanager
def progress_bar(description: str) -> Iterator["Bar"]:
    """Show how far the work is that goes on meanwhile, and the step that is under way.

    What is done when the work is, stays on the terminal. Where standard error is none, work that
    takes less than a minute says nothing.
    """
    with _drawn(description) if remarks.is_terminal else _told(description) as bar:
        yield bar


class Bar:
    """How far one piece of work is; its total may become known, and grow, on the way."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.item, self.done, self.total = "", 0, 0

    def show(self, item: str, done: int, total: int) -> None:
        """Show the current step, and how many steps of how many are done; 0 means not known yet."""
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
        # The time left, and when all is done the time that it took.
        TimeRemainingColumn(compact=True, elapsed_when_finished=True, table_column=whole),
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
            # There was nothing to do, or it was refused.
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
    left = ""
    if bar.done:
        minutes = seconds / bar.done * (bar.total - bar.done) / _SECONDS_A_MINUTE
        left = f", about {max(1, round(minutes))} min left"
    return f"{bar.description}: {bar.done} of {bar.total} steps done{left}; {under_way}"
