"""What commands have in common: options that are written alike, and the command that comes next."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from poolhouse.option_values import (
    DEFAULT_WAREHOUSE,
    DEMO_WAREHOUSE,
    FORMATS,
    REPORT_FORMATS,
    SPREADSHEET,
    TREC_EVAL,
)
from poolhouse.warehouse.ending import undisturbed

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

# What a shell does not take as it is between double quotes.
_OBEYED_IN_QUOTES = set('"$`\\!')

# Loading looks for itself whether it can read a file: its errors are one line each.
input_path = click.Path(readable=False, path_type=Path)


def _as_warehouse(_ctx: click.Context, _option: click.Parameter, path: Path) -> "Warehouse":
    with undisturbed():
        # No help text waits for the engine.
        from poolhouse.warehouse.file import Warehouse  # noqa: PLC0415

    return Warehouse(path)


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every command names the warehouse in the same way."""
    return _warehouse_option(
        command,
        default=DEFAULT_WAREHOUSE,
        envvar="POOLHOUSE_DB",
        show_envvar=True,
        help="The warehouse file.",
    )


def demo_db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Name a warehouse of the demo's own, unless another is named on the command line."""
    return _warehouse_option(
        command,
        default=DEMO_WAREHOUSE,
        help="The warehouse file, without your own collections; POOLHOUSE_DB does not count.",
    )


def _warehouse_option(command: Callable[..., Any], **attributes: Any) -> Callable[..., Any]:  # noqa: ANN401 - click's
    return click.option(
        "--db",
        "warehouse",
        type=click.Path(dir_okay=False, path_type=Path),
        show_default=True,
        callback=_as_warehouse,
        **attributes,
    )(command)


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every command that has a table prints it in the same formats, or writes it to a file."""
    return _with_format_option(FORMATS, command)


def score_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Print scores as trec_eval does, too."""
    return _with_format_option((*FORMATS, TREC_EVAL), command)


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
    @_output_option
    @wraps(command)
    def with_output(
        *arguments: object,
        output: str,
        is_for_spreadsheet: bool,
        result_file: Path | None,
        **options: object,
    ) -> Any:  # noqa: ANN401 - what a command gives
        if is_for_spreadsheet:
            if output != "csv":
                raise click.UsageError("--spreadsheet-safe is for --format csv")
            output = SPREADSHEET
        with _results_in(result_file, options):
            return command(*arguments, output=output, **options)

    return with_output


def report_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Say what was done, to people on standard error or as JSON: for a command without a table."""

    @click.option(
        "--format",
        "output",
        type=click.Choice(REPORT_FORMATS),
        default="text",
        show_default=True,
        help="How to say what was done: text on standard error, or json on standard output.",
    )
    @_output_option
    @wraps(command)
    def with_output(
        *arguments: object, output: str, result_file: Path | None, **options: object
    ) -> Any:  # noqa: ANN401 - what a command gives
        if result_file and output != "json":
            raise click.UsageError("--output is for --format json: text has no result")
        with _results_in(result_file, options):
            return command(*arguments, output=output, **options)

    return with_output


def _output_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--output",
        "result_file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the result to a file, whole or not at all, and not to standard output.",
    )(command)


@contextmanager
def _results_in(file: Path | None, options: Mapping[str, object]) -> Iterator[None]:
    """Lead standard output into a file, where one is named."""
    if file is None:
        yield
        return
    from poolhouse.warehouse.whole_files import refuse_place_of_warehouse, written_whole  # noqa: PLC0415

    warehouse: Any = options.get("warehouse")
    if warehouse is not None:
        refuse_place_of_warehouse(file, warehouse, "result")
    is_over: click.exceptions.Exit | None = None
    with written_whole(file) as draft, redirect_stdout(draft):
        try:
            yield
        except click.exceptions.Exit as end:
            is_over = end  # the result is whole: it is what the exit status is about
    if is_over is not None:
        raise is_over


def examples(*command_lines: str) -> str:
    """Write the end of a help text: command lines as one types them, less their `poolhouse`."""
    title = "Example" if len(command_lines) == 1 else "Examples"
    return "\n".join(["\b", f"{title}:", *(f"  poolhouse {each}" for each in command_lines)])


def collection_names(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Complete the name of a collection: those of the warehouse, as far as a shell takes them.

    Names that would have to be quoted are left out. Where the warehouse cannot be read there are
    none.
    """
    from poolhouse.errors import PoolhouseError  # noqa: PLC0415 - no help text waits for it

    warehouse: Any = context.params.get("warehouse")
    if warehouse is None:
        return []
    try:
        with warehouse.read() as connection:
            rows = connection.execute(
                "select collection_id from raw.collections order by all"
            ).fetchall()
    except PoolhouseError:
        return []
    return [name for (name,) in rows if name.startswith(incomplete) and shlex.quote(name) == name]


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
    return next_command("build")


def next_command(*arguments: str) -> str:
    """Spell a command for the same warehouse, as one types it in a shell."""
    context = click.get_current_context()
    named = context.get_parameter_source("warehouse") is ParameterSource.COMMANDLINE
    option = ["--db", str(context.params["warehouse"].path)] if named else []
    return " ".join(map(_quoted, ["poolhouse", *arguments, *option]))


def _quoted(argument: str) -> str:
    """Quote an argument for a shell; SQL, which has apostrophes, so that it can still be read."""
    is_plain = "'" in argument and not set(argument) & _OBEYED_IN_QUOTES
    return f'"{argument}"' if is_plain else shlex.quote(argument)


def say_next(*arguments: str) -> None:
    """End a command with the one that comes next, for the same warehouse."""
    from poolhouse.command_line import console  # noqa: PLC0415 - no help text waits for it

    console.remark(f"next: {next_command(*arguments)}")
