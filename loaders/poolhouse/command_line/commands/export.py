"""`poolhouse export`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_names,
    examples,
    say_next,
    source_option,
    work_options,
)
from poolhouse.option_values import EXPORT_FORMATS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Write the marts as a database, a dashboard, or files.",
    epilog=examples(
        "export marts.duckdb --format duckdb",
        "export marts --format parquet --collection my-collection",
        "export tables --format csv --mart leaderboard --mart dim_runs",
        "export trec --format trec",
        "export superset --format superset",
    ),
)
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(EXPORT_FORMATS),
    required=True,
    help="duckdb: a database for any DuckDB client from version 1.1 on. parquet, csv: a folder of "
    "such files with their description. trec: a folder of scores, pools and qrels as TREC files. "
    "superset: a folder with a database, and a dashboard that Superset imports.",
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    help="Export this collection only; may be repeated.  [default: all built collections]",
    shell_complete=collection_names,
)
@click.option(
    "--mart",
    "marts",
    multiple=True,
    help="Export this mart only; may be repeated.  [default: all]",
)
@click.option("--replace", is_flag=True, help="Replace an earlier export at TARGET.")
@work_options
@source_option
def export(
    target: Path,
    format_: str,
    collections: tuple[str, ...],
    marts: tuple[str, ...],
    replace: bool,
    warehouse: "Warehouse",
) -> None:
    """Write the public marts to TARGET, for people and tools without Poolhouse.

    TARGET appears only when the export is complete. Table macros, such as run_scores, are not
    exported, because they have rows only when they are called. Parquet and CSV have a file for each
    mart, with a datapackage.json and a croissant.json that describe the files.
    """
    import time

    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.export.exporting import ExportRequest, Format
    from poolhouse.export.exporting import export as export_marts
    from poolhouse.output.words import some_of

    start = time.monotonic()
    request = ExportRequest(target, Format(format_), collections, marts, replace)
    with progress_bar("exporting") as bar:
        done = export_marts(warehouse, request, bar.show)
    for remark in done.remarks:
        console.remark(f"note: {remark}", "yellow")
    of_marts = f"{len(done.marts)} marts of " if done.marts else ""
    console.remark(
        f"exported {of_marts}{some_of(done.collections)} to {target}: {done.n_files} files, "
        f"{done.n_bytes / 1e6:.1f} MB ({time.monotonic() - start:.1f} s)"
    )
    say_next("cookbook")
