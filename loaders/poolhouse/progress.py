"""A bar on standard error while work goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from poolhouse.console import remarks
from poolhouse.printable import printable


@contextmanager
def progress_bar(description: str) -> Iterator["Bar"]:
    """Show a bar on standard error while work goes on; nothing where that is no terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[item]}"),
    )
    with Progress(
        *columns, console=remarks, transient=True, disable=not remarks.is_terminal
    ) as progress:
        yield Bar(progress, description)


class Bar:
    """One progress bar; its total may become known, and grow, on the way."""

    def __init__(self, progress: Progress, description: str) -> None:
        self.progress = progress
        self.task = progress.add_task(description, total=None, item="")

    def show(self, item: str, done: int, total: int) -> None:
        """Say what was reached."""
        self.progress.update(
            self.task, completed=done, total=total or None, item=escape(printable(item))
        )
