"""The command line: the commands together, and their errors as one line."""

import io
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click

from poolhouse import __version__
from poolhouse.command_line.statuses import status_of_error
from poolhouse.command_line.without_pandas import without_pandas
from poolhouse.errors import PoolhouseError
from poolhouse.output.printable import one_line

_FOLDER = "poolhouse.command_line.commands"
# Each is in a module of its name.
_NAMES = (
    *("adjust", "build", "check", "common-topics", "compare", "cookbook", "demo", "docs"),
    *("experiment", "export", "figure", "gate", "lake", "load", "mcp", "pool", "remove", "report"),
    *("score", "settings", "sql", "status", "table"),
)


class _Commands(Mapping[str, click.Command]):
    """The commands by name. A module is imported when its command is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in _NAMES:
            raise KeyError(name)
        own = name.replace("-", "_")
        command: click.Command = getattr(import_module(f"{_FOLDER}.{own}"), own)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


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
    commands=_Commands(),
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
