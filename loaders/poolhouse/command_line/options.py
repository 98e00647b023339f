"""What commands have in common: shared options, and the line that names the next command."""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from poolhouse.command_line.signals import undisturbed
from poolhouse.option_values import (
    DEFAULT_WAREHOUSE,
    DEMO_WAREHOUSE,
    FORMATS,
    GX,
    REPORT_FORMATS,
    SCORE_FORMATS,
    SPREADSHEET,
)

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

# The place of the lake's address in the context of a command.
_LAKE = "poolhouse.lake"

# Characters to which a shell gives a meaning between double quotes.
_OBEYED_IN_QUOTES = set('"$`\\!')

# click does not check whether a file can be read: the errors of a load are one line each.
input_path = click.Path(readable=False, path_type=Path)


def _as_warehouse(ctx: click.Context, option: click.Parameter, path: Path) -> "Warehouse":
    with undisturbed():
        # No help text waits for the engine.
        from poolhouse.warehouse.file import Warehouse  # noqa: PLC0415

    if (address := ctx.meta.get(_LAKE)) is None:
        return Warehouse(path)
    if ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--db and --lake both say what to read: give one of them")
    from poolhouse.command_line import console  # noqa: PLC0415
    from poolhouse.lake.reading import LakeWarehouse  # noqa: PLC0415

    lake = LakeWarehouse.at(address)
    console.notes(lake.remarks())
    return lake


def _remember_lake(ctx: click.Context, _option: click.Parameter, address: str | None) -> None:
    if address is not None:
        ctx.meta[_LAKE] = address


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --db, which every command has in the same form."""
    return _warehouse_option(
        command,
        default=DEFAULT_WAREHOUSE,
        envvar="POOLHOUSE_DB",
        show_envvar=True,
        help="The warehouse file.",
    )


def source_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --db and --lake, for commands that only read."""
    return click.option(
        "--lake",
        metavar="LAKE",
        is_eager=True,  # known when --db is read
        expose_value=False,
        callback=_remember_lake,
        help="Read this lake instead of a warehouse file (poolhouse lake --help).",
    )(db_option(command))


def demo_db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --db with a default file that only the demo uses."""
    return _warehouse_option(
        command,
        default=DEMO_WAREHOUSE,
        help="The warehouse file. It must not hold collections of yours; POOLHOUSE_DB is ignored.",
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


def memory_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --memory, for commands that read. Readers cannot spill."""

    @click.option(
        "--memory",
        metavar="SIZE",
        help="Most memory for the engine and its results, such as 500MB.  [default: the "
        "environment variable POOLHOUSE_MEMORY, or 3GB]",
    )
    @wraps(command)
    def with_memory(*arguments: object, memory: str | None, **options: object) -> Any:  # noqa: ANN401 - what a command gives
        from poolhouse.warehouse.memory import allowed  # noqa: PLC0415 - no help text waits for it

        with allowed(memory):
            return command(*arguments, **options)

    return with_memory


def work_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --memory and --spill, for commands that write and may work long."""

    @memory_option
    @click.option(
        "--spill",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Folder in which the engine writes what does not fit into memory.  [default: the "
        "environment variable POOLHOUSE_SPILL, or beside what the command writes]",
    )
    @wraps(command)
    def with_room(*arguments: object, spill: Path | None, **options: object) -> Any:  # noqa: ANN401 - what a command gives
        from poolhouse.warehouse.spilling import spilling_to  # noqa: PLC0415 - no help text waits

        with spilling_to(spill):
            return command(*arguments, **options)

    return with_room


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the format and the file of a result, for commands that print a table."""
    return _with_format_option(FORMATS, command)


def score_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of format_option, with formats that other tools read as well."""
    return _with_format_option(SCORE_FORMATS, command)


def check_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of format_option, with the format of Great Expectations as well."""
    return _with_format_option((*FORMATS, GX), command)


def _with_format_option(formats: Sequence[str], command: Callable[..., Any]) -> Callable[..., Any]:
    @click.option(
        "--spreadsheet-safe",
        "is_for_spreadsheet",
        is_flag=True,
        help="With csv: put an apostrophe before text that a spreadsheet would run as a formula. "
        "Identifiers that begin like a formula then differ from the warehouse.",
    )
    @click.option(
        "--format",
        "output",
        type=click.Choice(formats),
        default="table",
        show_default=True,
        help="Format of the result. csv and json hold every value unrounded.",
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
                raise click.UsageError("--spreadsheet-safe works only with --format csv")
            output = SPREADSHEET
        with _results_in(result_file, options):
            sys.stdout.write("")  # refused, before the work, where it is closed
            return command(*arguments, output=output, **options)

    return with_output


def report_format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the format and the file of a report, for commands without a table."""

    @click.option(
        "--format",
        "output",
        type=click.Choice(REPORT_FORMATS),
        default="text",
        show_default=True,
        help="Format of the report: text on standard error, or json on standard output.",
    )
    @_output_option
    @wraps(command)
    def with_output(
        *arguments: object, output: str, result_file: Path | None, **options: object
    ) -> Any:  # noqa: ANN401 - what a command gives
        if result_file and output != "json":
            raise click.UsageError("--output works only with --format json: text has no result")
        with _results_in(result_file, options):
            return command(*arguments, output=output, **options)

    return with_output


def _output_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--output",
        "result_file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the result to this file instead of standard output. The file appears only when "
        "the result is complete.",
    )(command)


@contextmanager
def _results_in(file: Path | None, options: Mapping[str, object]) -> Iterator[None]:
    """Redirect standard output to the file, if there is one."""
    if file is None:
        yield
        return
    from poolhouse.warehouse.whole import refuse_place_of_warehouse, written_whole  # noqa: PLC0415

    warehouse: Any = options.get("warehouse")
    if warehouse is not None:
        refuse_place_of_warehouse(file, warehouse.path, "result")
    is_over: click.exceptions.Exit | None = None
    with written_whole(file) as draft, redirect_stdout(draft):
        try:
            yield
        except click.exceptions.Exit as end:
            is_over = end  # the result is complete, so the file is kept
    if is_over is not None:
        raise is_over


def examples(*command_lines: str) -> str:
    """Return the end of a help text: examples of command lines, given without `poolhouse`."""
    title = "Example" if len(command_lines) == 1 else "Examples"
    return "\n".join(["\b", f"{title}:", *(f"  poolhouse {each}" for each in command_lines)])


def collection_names(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the collections of the warehouse that begin with the incomplete text, for a shell.

    Names that would have to be quoted are left out. Return no names if the warehouse cannot be
    read.
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


def collection_option(text: str, *names: str, **attributes: Any) -> Callable[..., Any]:  # noqa: ANN401 - click's
    """Return the option --collection, whose values a shell completes."""
    return click.option(
        "--collection", *names, help=text, shell_complete=collection_names, **attributes
    )


def file_option(text: str) -> Callable[..., Any]:
    """Return the option -o, which names the file that the command writes."""
    return click.option(
        *("-o", "--output", "file"),
        required=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help=text,
    )


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them."""

    name = "N,N,..."

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, ...]:
        """Return the numbers of a text such as 2,4,10. Fail as click does on any other text."""
        if isinstance(value, tuple):  # the default
            return value
        try:
            return tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers, such as 2,4,10", param, ctx)


def build_command() -> str:
    """Return the command line of a build of the same warehouse."""
    return next_command("build")


def next_command(*arguments: str) -> str:
    """Return the command line of a command for the same warehouse, as one types it in a shell."""
    context = click.get_current_context()
    if (address := context.meta.get(_LAKE)) is not None:
        option = ["--lake", address]
    elif context.get_parameter_source("warehouse") is ParameterSource.COMMANDLINE:
        option = ["--db", str(context.params["warehouse"].path)]
    else:
        option = []
    return " ".join(map(_quoted, ["poolhouse", *arguments, *option]))


def _quoted(argument: str) -> str:
    """Quote an argument for a shell; use double quotes for SQL, which has apostrophes."""
    is_plain = "'" in argument and not set(argument) & _OBEYED_IN_QUOTES
    return f'"{argument}"' if is_plain else shlex.quote(argument)


def say_next(*arguments: str) -> None:
    """Print the command to run next, for the same warehouse."""
    from poolhouse.command_line import console  # noqa: PLC0415 - no help text waits for it

    console.remark(f"next: {next_command(*arguments)}")
