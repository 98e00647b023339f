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
    short_help="Remove a collection, or some of its runs or authors, from the warehouse.",
    epilog=examples(
        "remove my-collection --run my-run",
        "remove my-collection --author gpt",
        "remove my-collection",
    ),
)
@click.argument("collection", shell_complete=collection_names)
@click.option(
    "--run", "runs", multiple=True, metavar="RUN", help="Remove this run only; repeatable."
)
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="NAME",
    help="Remove the judgements of this author only; repeatable.",
)
@report_format_option
@db_option
def remove(
    collection: str,
    runs: tuple[str, ...],
    authors: tuple[str, ...],
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Remove COLLECTION, or some of its runs, or the judgements of some authors.

    The history of loads stays, and the declarations of authors stay. The judgements of the
    reference leave only with the collection.
    """
    from poolhouse.command_line import console
    from poolhouse.loading.removal import remove as remove_loaded

    remove_loaded(warehouse, collection, runs, authors)
    named = [*runs, *(f"the judgements of {author}" for author in authors)]
    what = f"{', '.join(named)} of {collection}" if named else collection
    console.remark(f"removed {what}")
    if output == "json":
        # Both lists are null where the whole collection was removed.
        removed = {"runs": list(runs) or None, "authors": list(authors) or None}
        console.write_json({"collection": collection, **removed})
    say_next("build")
