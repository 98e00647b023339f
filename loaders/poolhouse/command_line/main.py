"""The command line: the commands together, and their errors as one line."""

import io
import sys
from typing import Any

import click

from poolhouse import __version__
from poolhouse.command_line.commands.adjust import adjust
from poolhouse.command_line.commands.build import build
from poolhouse.command_line.commands.check import check
from poolhouse.command_line.commands.common_topics import common_topics
from poolhouse.command_line.commands.compare import compare
from poolhouse.command_line.commands.cookbook import cookbook
from poolhouse.command_line.commands.demo import demo
from poolhouse.command_line.commands.docs import docs
from poolhouse.command_line.commands.experiment import experiment
from poolhouse.command_line.commands.export import export
from poolhouse.command_line.commands.figure import figure
from poolhouse.command_line.commands.gate import gate
from poolhouse.command_line.commands.lake import lake
from poolhouse.command_line.commands.load import load
from poolhouse.command_line.commands.pool import pool
from poolhouse.command_line.commands.remove import remove
from poolhouse.command_line.commands.report import report
from poolhouse.command_line.commands.score import score
from poolhouse.command_line.commands.settings import settings
from poolhouse.command_line.commands.sql import sql
from poolhouse.command_line.commands.status import status
from poolhouse.command_line.commands.table import table
from poolhouse.command_line.statuses import status_of_error
from poolhouse.command_line.without_pandas import without_pandas
from poolhouse.errors import PoolhouseError
from poolhouse.output.printable import one_line


class _GateError(click.ClickException):
    exit_code = status_of_error("gate")


class _Group(click.Group):
    """Prints a PoolhouseError as one line, with exit status 1, or 4 of `gate`.

    Wrong usage is left to click, with exit status 2. Signals and all other errors are left to
    `entry.py`.
    """

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        try:
            with without_pandas():
                return super().invoke(ctx)
        except PoolhouseError as error:
            kind = _GateError if ctx.invoked_subcommand == "gate" else click.ClickException
            raise kind(_in_words(error)) from error


def _in_words(error: PoolhouseError) -> str:
    lines = [str(error), *error.excerpt.split("\n")] if error.excerpt else [str(error)]
    return "\n".join(map(one_line, lines))


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\n".join(
        [
            "\b",
            "Begin with:",
            "  poolhouse demo",
            "  poolhouse load --help",
            "Let your shell (bash, zsh or fish) complete names (docs/commands.md):",
            '  eval "$(_POOLHOUSE_COMPLETE=bash_source poolhouse)"',
        ]
    ),
)
@click.version_option(__version__, prog_name="poolhouse")
def main() -> None:
    """Make pooling bias in test collections visible and correctable, in SQL."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Data may hold characters that the terminal's encoding does not have.
            stream.reconfigure(errors="backslashreplace")


for _command in (
    *(adjust, build, check, common_topics, compare, cookbook, demo, docs, experiment, export),
    *(figure, gate, lake, load, pool, remove, report, score, settings, sql, status, table),
):
    main.add_command(_command)
