"""`poolhouse status`."""

from typing import TYPE_CHECKING

import click

from poolhouse.options import db_option, format_option

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse


@click.command()
@format_option
@db_option
def status(output: str, warehouse: "Warehouse") -> None:
    """Show what is loaded and built, and what is stale."""
    from poolhouse import console
    from poolhouse.status import collection_status, settings_note, stopped_experiments

    columns, rows = collection_status(warehouse)
    console.write_rows(columns, rows, output)
    if note := settings_note(warehouse):
        console.remark(f"note: {note}", "yellow")
    for each in stopped_experiments(warehouse):
        console.remark(
            f"note: experiment {each.experiment} on {each.collection_id} was stopped after "
            f"{each.n_done} parts; by the same settings it goes on (with --again, where it was "
            "finished before)",
            "yellow",
        )
    size = warehouse.path.stat().st_size / 1e6
    console.remark(f"{warehouse.path}: {size:.1f} MB")
