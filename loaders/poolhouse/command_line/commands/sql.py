"""`poolhouse sql`."""

from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import examples, format_option, memory_option, source_option

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

# The engine takes thirty times as much memory to read a text that holds one.
_LONGEST = 10**7  # bytes


@click.command(
    short_help="Run a read-only query on the published warehouse.",
    epilog=examples(
        'sql "select * from dim_collections"',
        'sql "from dim_runs" --format csv --output runs.csv',
        "sql - < question.sql",
    ),
)
@click.argument("query")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop the query after this time.  [default: never]",
)
@memory_option
@format_option
@source_option
def sql(query: str, timeout: float | None, output: str, warehouse: "Warehouse") -> None:
    """Run a read-only QUERY, one statement, on the published warehouse.

    With `-` as QUERY the query is read from standard input. Without --memory it may take as much
    memory as a build (3GB, or the environment variable POOLHOUSE_MEMORY).

    A terminal shows only the first rows of a long result; a pipe or a file gets all rows.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import waiting
    from poolhouse.warehouse.queries import run_query

    if query == "-":
        given = click.get_binary_stream("stdin").read(_LONGEST + 1)
        if len(given) > _LONGEST:
            raise click.UsageError(f"a query has at most {_LONGEST // 10**6} MB")
        query = given.decode(errors="surrogateescape")
    with waiting("the query is running (Ctrl-C ends it)"):
        result = run_query(warehouse, query, seconds=timeout)
    console.write_rows(result.columns, result.rows, output)
