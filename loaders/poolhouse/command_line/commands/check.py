"""`poolhouse check`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_names,
    db_option,
    examples,
    format_option,
    say_next,
)
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.ending import DEFAULT_SECONDS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


# What comes after a check: what it means for those who use the collection.
_VERDICTS = "select collection_id, verdict, verdict_reasons from audit_collections"


@click.command(
    short_help="Check what files and models promise; show suspicions.",
    epilog=examples("check", "check --collection my-collection --fail-on suspicion --format json"),
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    help="Check this collection only; repeatable.",
    shell_complete=collection_names,
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the page.  [default: beside the warehouse, .quality.html, or "
    ".quality-of-COLLECTION.html]",
)
@click.option(
    "--fail-on",
    type=click.Choice(["promise", "suspicion"]),
    default="promise",
    show_default=True,
    help="Exit with status 1 for a broken promise, or for a suspicion as well.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Longest time for the expectations of one table.",
)
@format_option
@db_option
@click.pass_context
def check(
    context: click.Context,
    collections: tuple[str, ...],
    page: Path | None,
    fail_on: str,
    timeout: float,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Check what files and models promise, and show what makes a collection suspicious.

    The command prints each promise and expectation that does not hold, with its meaning. It writes
    a page, and adds every result to fct_quality_results. A broken promise ends it with exit status
    1. It waits a minute for a load or build of another process; after that the results are not
    recorded, and the exit status is 1.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.expectations import check as check_warehouse
    from poolhouse.expectations.tables import explanations_of, tables_of

    started = time.monotonic()
    with progress_bar("checking") as bar:
        report = check_warehouse(warehouse, collections, page, bar.show, timeout)
    if output == "table":
        console.write_tables(tables_of(report.results), output)
        console.write_explanations(explanations_of(report.results))
    else:
        console.write_rows(*report.shortcomings(), output)
    for text in report.remarks:
        console.remark(f"note: {text}", "yellow")
    style = "red" if report.n_broken else "yellow" if report.n_suspicions else ""
    console.remark(f"{report.summary()} ({time.monotonic() - started:.1f} s)", style)
    console.remark(f"page: {report.page}")
    if report.not_recorded:
        raise PoolhouseError(
            f"the results are on that page, and not recorded: {report.not_recorded}"
        )
    say_next("sql", _VERDICTS)
    if report.n_broken or (report.n_suspicions and fail_on == "suspicion"):
        context.exit(1)
