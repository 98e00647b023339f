"""`poolhouse remove`."""

from typing import TYPE_CHECKING

import click

from poolhouse.options import build_command, db_option

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse


@click.command()
@click.argument("collection")
@click.option("--run", "runs", multiple=True, metavar="RUN", help="This run only; repeatable.")
@db_option
def remove(collection: str, runs: tuple[str, ...], warehouse: "Warehouse") -> None:
    """Take COLLECTION, or some of its runs, out of the warehouse; the history of loads stays."""
    from poolhouse import console
    from poolhouse.removal import remove as remove_loaded

    remove_loaded(warehouse, collection, runs)
    what = f"{', '.join(runs)} of {collection}" if runs else collection
    console.remark(f"removed {what}")
    console.remark(f"next: {build_command()}")
