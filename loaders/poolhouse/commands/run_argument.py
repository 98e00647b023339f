"""The run that an argument of a command names."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.errors import SeveralRunsError

if TYPE_CHECKING:
    from poolhouse.line_files import LinesOfFile


def run_of(path: Path) -> "LinesOfFile":
    """Read the one run that is named.

    Errors: click's UsageError for a folder of several runs, BadFileError.
    """
    from poolhouse.line_files import read_run

    try:
        return read_run(path)
    except SeveralRunsError as error:
        raise click.UsageError(str(error)) from error
