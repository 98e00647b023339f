"""`poolhouse build`."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_option,
    db_option,
    examples,
    report_format_option,
    say_next,
    work_options,
)

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Build the marts of the changed collections, and publish them.",
    epilog=examples("build", "build --collection my-collection"),
)
@collection_option("Build this collection only; repeatable.", "collections", multiple=True)
@work_options
@report_format_option
@db_option
@click.pass_context
def build(
    context: click.Context, collections: tuple[str, ...], output: str, warehouse: "Warehouse"
) -> None:
    """Build the marts of the collections that changed, and publish them together.

    A collection that cannot be built is named, and the exit status is 1. The other collections are
    still published.
    """
    from poolhouse.building.build import build as build_marts
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar

    started = time.monotonic()
    with progress_bar("building") as bar:
        report = build_marts(warehouse, collections, bar.show)
    seconds = time.monotonic() - started
    if output == "json":
        console.write_json({**asdict(report), "seconds": round(seconds, 1)})
    parts = [
        *([f"built {', '.join(report.built)}"] if report.built else []),
        *([f"removed {', '.join(report.removed)}"] if report.removed else []),
        *(["renewed descriptions"] if report.is_reworded else []),
    ]
    if not parts:
        console.remark("nothing to build: the marts are up to date")
        say_next("status")
        return
    console.remark(f"{'; '.join(parts)} ({seconds:.1f} s)")
    console.notes(report.remarks)
    for text in report.failed:
        console.remark(f"Error: {text}", "red")
    say_next("check")
    if report.failed:
        context.exit(1)
