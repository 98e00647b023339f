"""`poolhouse remove`."""

from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_names,
    db_option,
    examples,
    report_format_option,
    say_next,
)

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Remove a collection, or some of its runs, from the warehouse.",
    epilog=examples("remove my-collection --run my-run", "remove my-collection"),
)
@click.argument("collection", shell_complete=collection_names)
@click.option(
    "--run", "runs", multiple=True, metavar="RUN", help="Remove this run only; repeatable."
)
@report_format_option
@db_option
def remove(collection: str, runs: tuple[str, ...], output: str, warehouse: "Warehouse") -> None:
    """Remove COLLECTION, or some of its runs, from the warehouse. The history of loads stays."""
    from poolhouse.command_line import console
    from poolhouse.loading.removal import remove as remove_loaded

    remove_loaded(warehouse, collection, runs)
    what = f"{', '.join(runs)} of {collection}" if runs else collection
    console.remark(f"removed {what}")
    if output == "json":
        # `runs` is null where the whole collection was removed.
        console.write_json({"collection": collection, "runs": list(runs) or None})
    say_next("build")
