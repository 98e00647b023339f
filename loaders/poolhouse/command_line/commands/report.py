"""`poolhouse report`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_names,
    examples,
    file_option,
    say_next,
    source_option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from poolhouse.warehouse.file import Warehouse

_MEGABYTE = 1_000_000
# What a paper would have first.
_USUAL = "left_out_scores"


@click.command(
    short_help="Write a report on collections as one HTML file.",
    epilog=examples(
        "report -o report.html",
        "report my-collection -o mine.html",
        "report my-collection --runs run-a run-b -o two-runs.html",
    ),
)
@click.argument("collections", nargs=-1, metavar="[COLLECTION...]", shell_complete=collection_names)
@file_option("Where to write the page.")
@click.option(
    "--runs",
    nargs=2,
    metavar="RUN RUN",
    help="The runs that are compared, of one collection.  [default: the best runs of the two best "
    "organizations]",
)
@source_option
def report(
    collections: tuple[str, ...],
    file: Path,
    runs: tuple[str, str] | None,
    warehouse: "Warehouse",
) -> None:
    """Write a report on each COLLECTION, or on all of them, as one HTML file.

    The page says whether the judgements of a collection can be reused, ranks its runs, and shows
    the pool, the effect of leaving an organization out, the errors of the estimators, experiments,
    two runs compared, and the last check. Of a collection that is not judged, it shows what a pool
    would cost. It needs no network, and can be printed.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.report.writing import write_report

    started = time.monotonic()
    with progress_bar("report") as bar:
        written = write_report(warehouse, file, collections, runs, bar.show)
    files = [file, *(written.pages.iterdir() if written.pages else ())]
    size = sum(each.stat().st_size for each in files) / _MEGABYTE
    seconds = time.monotonic() - started
    names = [facts["collection_id"] for facts in written.overview]
    subject = names[0] if len(names) == 1 else f"{len(names)} collections"
    console.remark(f"report on {subject}: {size:.1f} MB ({seconds:.1f} s)")
    if written.pages:
        console.remark(f"a page of each collection: {written.pages}")
    console.remark(f"open it in a browser: {file}")
    say_next(*_next(written.figures))


def _next(figures: "Mapping[str, Sequence[str]]") -> tuple[str, ...]:
    """Propose a figure that has rows, of the first collection that has one."""
    if not figures:
        return ("load", "--help")
    for collection, names in figures.items():
        if names:
            name = _USUAL if _USUAL in names else names[0]
            return ("figure", name, "--collection", collection, "-o", f"{name}.svg")
    return ("status",)
