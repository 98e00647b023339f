"""What commands have in common: options that are written alike, and the command that comes next."""

import shlex
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from poolhouse.ending import undisturbed
from poolhouse.option_values import DOCUMENT_FORMATS, FORMATS, SPREADSHEET

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse

# Loading looks for itself whether it can read a file: its errors are one line each.
input_path = click.Path(readable=False, path_type=Path)


def _as_warehouse(_ctx: click.Context, _option: click.Parameter, path: Path) -> "Warehouse":
    with undisturbed():
        # No help text waits for the engine.
        from poolhouse.warehouse import Warehouse  # noqa: PLC0415

    return Warehouse(path)


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every command names the warehouse in the same way."""
    return click.option(
        "--db",
        "warehouse",
        type=click.Path(dir_okay=False, path_type=Path),
        default="poolhouse.duckdb",
        show_default=True,
        envvar="POOLHOUSE_DB",
        show_envvar=True,
        callback=_as_warehouse,
        help="The warehouse file.",
    )(command)


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every command that has a result prints it in the same formats."""
    return _with_format_option(FORMATS, command)


def document_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Print the result in formats of documents as well: for a command whose result is for them."""
    return _with_format_option((*FORMATS, *DOCUMENT_FORMATS), command)


def _with_format_option(formats: Sequence[str], command: Callable[..., Any]) -> Callable[..., Any]:
    @click.option(
        "--spreadsheet-safe",
        "is_for_spreadsheet",
        is_flag=True,
        help="With csv: put an apostrophe before text that a spreadsheet would run as a formula. "
        "Identifiers that begin like one are no longer what they are in the warehouse.",
    )
    @click.option(
        "--format",
        "output",
        type=click.Choice(formats),
        default="table",
        show_default=True,
        help="How to print the result; csv and json hold every value as it is.",
    )
    @wraps(command)
    def with_output(
        *arguments: object, output: str, is_for_spreadsheet: bool, **options: object
    ) -> Any:  # noqa: ANN401 - what a command gives
        if is_for_spreadsheet:
            if output != "csv":
                raise click.UsageError("--spreadsheet-safe is for --format csv")
            output = SPREADSHEET
        return command(*arguments, output=output, **options)

    return with_output


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them."""

    name = "N,N,..."

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, ...]:
        """Read them."""
        try:
            return tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers, such as 2,4,10", param, ctx)


def build_command() -> str:
    """Spell the command that comes next, for the same warehouse."""
    context = click.get_current_context()
    if context.get_parameter_source("warehouse") is not ParameterSource.COMMANDLINE:
        return "poolhouse build"
    return f"poolhouse build --db {shlex.quote(str(context.params['warehouse'].path))}"
