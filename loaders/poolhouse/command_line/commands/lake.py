"""`poolhouse lake`: build an archive as a lake of Parquet files, here or on Spark."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.options import (
    examples,
    format_option,
    input_path,
    report_format_option,
    work_options,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.lake.request import LakeRequest

if TYPE_CHECKING:
    from poolhouse.loading.request import LoadRequest


@click.group(
    short_help="Build an archive as a lake of Parquet files, here or on Spark.",
    epilog=examples(
        "lake build archive.yml --to lake",
        "lake build archive.yml --to s3://bucket/lake --spark sc://host",
        "lake status lake",
    ),
)
def lake() -> None:
    """Build, inspect and shorten a lake: the marts of many collections as Parquet files.

    A lake is a folder, or a folder of an object store. Each collection is built on its own, so an
    engine can spread them over many machines. `sql`, `report`, `export` and every other command
    that only reads take a lake with --lake.
    """


@lake.command(
    short_help="Build the changed collections of an archive.",
    epilog=examples(
        "lake build archive.yml --to lake",
        "lake build archive.yml --to lake --spark local[4]",
    ),
)
@click.argument("archive", type=input_path)
@options_of(LakeRequest)
@click.option(
    "--settings-of",
    "warehouse_of_settings",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="DB",
    help="Take the settings of the models from this warehouse.  [default: as in the previous "
    "build of the lake]",
)
@work_options
@report_format_option
@click.pass_context
def build(
    context: click.Context,
    /,
    archive: Path,
    lake: str,
    warehouse_of_settings: Path | None,
    output: str,
    **options: Any,  # noqa: ANN401 - fields of LakeRequest
) -> None:
    """Build the collections that ARCHIVE lists, and publish each of them when it is complete.

    ARCHIVE is a list of collections as `load --archive` reads it. A collection whose files, models
    and settings are unchanged is skipped. A collection that fails is named, keeps its earlier
    build, and stops no other one; the exit status is 1 then.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.command_line.without_pandas import allow_pandas
    from poolhouse.lake.publishing import build_lake

    if options["environment"] and not options["spark"]:
        raise click.UsageError("--environment is for the executors of --spark")
    if options["spark"]:
        allow_pandas()  # the client of Spark needs it
    started = time.monotonic()
    requests, broken, refused = _requests(archive)
    settings = _settings_of(warehouse_of_settings)
    with progress_bar("building") as bar:
        request = LakeRequest(lake, requests, settings=settings, broken=broken, **options)
        report = build_lake(request, bar.show)
    seconds = time.monotonic() - started
    failed = [*refused, *(f"{name}: {why}" for name, why in report.failed.items())]
    if output == "json":
        console.write_json({**asdict(report), "refused": refused, "seconds": round(seconds, 1)})
    parts = [
        f"{len(report.built)} collections built",
        f"{len(report.unchanged)} unchanged",
        *([f"{len(failed)} failed"] if failed else []),
    ]
    console.remark(f"{lake}: {', '.join(parts)} ({seconds:.1f} s)")
    console.notes(report.remarks)
    for text in failed:
        console.remark(f"Error: {text}", "red")
    console.remark(f"next: poolhouse lake status {lake}")
    if failed:
        context.exit(1)


def _requests(archive: Path) -> tuple[list["LoadRequest"], dict[str, str], list[str]]:
    """Return a request for each good entry of the archive, and the errors of the broken ones.

    Errors are by collection where the entry is the only one with this name; the rest is a list.
    """
    from poolhouse.command_line.archive_options import requests_of
    from poolhouse.command_line.commands.load import load, request_of
    from poolhouse.loading.archives import read_archive
    from poolhouse.loading.run_files import is_name

    # Tasks run in other folders and on other machines.
    path = archive.absolute()
    with load.make_context("load", ["--archive", str(path)]) as of_load:
        good, bad_entries = requests_of(of_load, read_archive(path), request_of)
    requests = [request for _, request in good]
    names = {each.collection for each in requests}
    broken, refused = {}, []
    for error in bad_entries:
        if error.collection and is_name(error.collection) and error.collection not in names:
            broken[error.collection] = str(error)
            names.add(error.collection)
        else:
            refused.append(str(error))
    return requests, broken, refused


def _settings_of(warehouse: Path | None) -> dict[str, object] | None:
    from poolhouse.building.settings import chosen_settings
    from poolhouse.warehouse.file import Warehouse

    if warehouse is None:
        return None
    with Warehouse(warehouse).read() as connection:
        return chosen_settings(connection)


@lake.command(
    short_help="Show what is built, stale or failed.",
    epilog=examples("lake status lake", "lake status lake --fail-on stale"),
)
@click.argument("address", metavar="LAKE")
@click.option(
    "--fail-on",
    type=click.Choice(["stale"]),
    help="Exit with status 1 also if a collection is stale.",
)
@format_option
@click.pass_context
def status(context: click.Context, address: str, fail_on: str | None, output: str) -> None:
    """Show the collections of LAKE: built, stale or failed, and why.

    A collection is stale if its files on this machine, the models or the settings changed. The exit
    status is 1 if a collection failed.
    """
    from poolhouse.command_line import console
    from poolhouse.lake.status import LakeState, lake_status

    found = lake_status(address)
    columns = ["collection", "state", "lines", "megabytes", "seconds", "built_at", "reason"]
    rows = []
    for each in found:
        published = each.published
        sizes = (
            [
                published.n_lines,
                round(published.n_bytes / 1e6, 1),
                published.seconds,
                published.built_at[:19].replace("T", " "),
            ]
            if published
            else [None] * 4
        )
        rows.append((each.collection, each.state.value, *sizes, each.reason))
    if output == "table":
        console.write_table(columns[:-1], [row[:-1] for row in rows])
        for each in found:
            if each.reason:
                console.remark(f"{each.collection}: {each.reason}", "yellow")
    else:
        console.write_rows(columns, rows, output)
    states = {each.state for each in found}
    if LakeState.FAILED in states or (fail_on and LakeState.STALE in states):
        context.exit(1)


@lake.command(
    short_help="Remove collections from a lake.", epilog=examples("lake remove lake my-collection")
)
@click.argument("address", metavar="LAKE")
@click.argument("collections", nargs=-1, required=True, metavar="COLLECTION...")
def remove(address: str, collections: tuple[str, ...]) -> None:
    """Remove each COLLECTION, with its files, from LAKE."""
    from poolhouse.command_line import console
    from poolhouse.lake.publishing import remove_from_lake

    remove_from_lake(address, collections)
    console.remark(f"{address}: removed {', '.join(collections)}")
