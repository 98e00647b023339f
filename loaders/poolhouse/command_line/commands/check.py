"""`poolhouse check`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    check_format_option,
    collection_option,
    db_option,
    examples,
    memory_option,
    say_next,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import GX
from poolhouse.warehouse.limits import DEFAULT_SECONDS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Check the promises of files and models, and show suspicions.",
    epilog=examples(
        "check",
        "check --collection my-collection --fail-on suspicion --format json",
        "check --suite my_suite.json",
    ),
)
@collection_option("Check this collection only; repeatable.", "collections", multiple=True)
@click.option(
    "--suite",
    "suite_files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Check this suite of Great Expectations, too: a file of JSON whose meta.relation names a "
    "mart; repeatable.",
)
@click.option(
    "--write-suites",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the suites of Poolhouse into this folder, and check nothing.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["promise", "suspicion"]),
    default="promise",
    show_default=True,
    help="When to exit with status 1: at a broken promise, or at a suspicion as well.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Longest time for one step, such as the figures of a table.",
)
@memory_option
@check_format_option
@db_option
@click.pass_context
def check(
    context: click.Context,
    collections: tuple[str, ...],
    suite_files: tuple[Path, ...],
    folder: Path | None,
    fail_on: str,
    timeout: float,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Check the promises of files and models, and show what makes a collection suspicious.

    Prints the expectations that do not hold, with their meaning. Adds every result to
    fct_quality_results, and poolhouse report shows the last ones. A promise is an expectation of
    severity critical, and any other is a suspicion. The exit status is 1 after a broken promise,
    and after a suspicion only with --fail-on suspicion. With --format gx the result is what Great
    Expectations says of every suite, to which the tests of views do not belong. The command waits
    a minute for a running load or build to end. If the load or build still runs then, the command
    says that nothing was recorded, and the exit status is 1.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.command_line.without_pandas import allow_pandas
    from poolhouse.expectations import check as check_warehouse
    from poolhouse.expectations.suites import suites_of, write_suites
    from poolhouse.expectations.tables import explanations_of, tables_of

    if folder is not None:
        if suite_files or collections:
            raise click.UsageError("--write-suites checks nothing: leave out the other options")
        console.write_lines(map(str, write_suites(folder)))
        return
    suites = suites_of(suite_files)
    allow_pandas()  # Great Expectations needs it
    started = time.monotonic()
    with progress_bar("checking") as bar:
        report = check_warehouse(warehouse, collections, suites, bar.show, timeout)
    if output == "table":
        console.write_tables(tables_of(report), output)
        console.write_explanations(explanations_of(report.results))
    elif output == GX:
        console.write_json(report.validations)
    else:
        console.write_rows(*report.shortcomings(), output)
    console.notes(report.remarks)
    style = "red" if report.broken else "yellow" if report.suspicions else ""
    console.remark(f"{report.summary()} ({time.monotonic() - started:.1f} s)", style)
    if report.not_recorded:
        raise PoolhouseError(
            f"the results were shown, but were not recorded: {report.not_recorded}"
        )
    say_next(*(("report", *collections, "-o", "report.html") if report.has_marts else ("build",)))
    if report.broken or (report.suspicions and fail_on == "suspicion"):
        context.exit(1)
