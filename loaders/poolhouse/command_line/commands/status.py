"""`poolhouse status`."""

from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import db_option, examples, format_option, say_next

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Show what is loaded and built, and what is stale.",
    epilog=examples("status", "status --fail-on stale --format json"),
)
@click.option(
    "--fail-on",
    type=click.Choice(["stale"]),
    help="Exit with status 1 if something must be built.",
)
@format_option
@db_option
@click.pass_context
def status(
    context: click.Context, fail_on: str | None, output: str, warehouse: "Warehouse"
) -> None:
    """Show what is loaded and built, and what is stale.

    csv and json also have the number of lines of the runs and the time of the last load.
    """
    from poolhouse.building.status import (
        SHOWN,
        collection_status,
        is_stale,
        notes_on_collections,
        settings_note,
        shown,
        verdicts,
    )
    from poolhouse.command_line import console

    with warehouse.read():  # stays open for all questions: opening takes most of the time
        columns, rows = collection_status(warehouse)
        notes = [*notes_on_collections(warehouse), settings_note(warehouse)]
        worth = verdicts(warehouse)
        has_work = is_stale(warehouse)
    if output == "table":
        console.write_table(SHOWN, shown(rows))
    else:
        console.write_rows(columns, rows, output)
    console.notes(filter(None, notes))
    for text in worth:
        console.remark(text)
    size = warehouse.path.stat().st_size / 1e6
    console.remark(f"{warehouse.path}: {size:.1f} MB")
    say_next(*(["build"] if has_work else ["check"] if rows else ["load", "--help"]))
    if has_work and fail_on:
        context.exit(1)
