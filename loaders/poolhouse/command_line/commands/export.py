"""`poolhouse export`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.options import (
    examples,
    say_next,
    source_option,
    work_options,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.export.request import ExportRequest

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
@options_of(ExportRequest)
@work_options
@source_option
def export(
    target: Path,
    warehouse: "Warehouse",
    **options: Any,  # noqa: ANN401 - fields of ExportRequest
) -> None:
    """Write the public marts to TARGET, for people and tools without Poolhouse.

    TARGET appears only when the export is complete. Table macros, such as run_scores, are not
    exported, because they have rows only when they are called. Parquet and CSV have a file for each
    mart, with a datapackage.json and a croissant.json that describe the files.
    """
    import time

    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.export.exporting import export as export_marts
    from poolhouse.output.words import some_of

    start = time.monotonic()
    request = ExportRequest(target, **options)
    with progress_bar("exporting") as bar:
        done = export_marts(warehouse, request, bar.show)
    console.notes(done.remarks)
    of_marts = f"{len(done.marts)} marts of " if done.marts else ""
    console.remark(
        f"exported {of_marts}{some_of(done.collections)} to {target}: {done.n_files} files, "
        f"{done.n_bytes / 1e6:.1f} MB ({time.monotonic() - start:.1f} s)"
    )
    say_next("cookbook")
