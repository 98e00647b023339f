"""The command line: a thin layer that turns options into calls and errors into one line."""

import io
import sys
import time
from pathlib import Path
from typing import Any

import click

from poolhouse import __version__, console
from poolhouse.building import build as build_marts
from poolhouse.demo import run_demo
from poolhouse.ending import DEFAULT_SECONDS, Signals
from poolhouse.errors import PoolhouseError
from poolhouse.estimating import adjust, experiment, plan
from poolhouse.loading import (
    LARGEST_DECLARED,
    POOLING_ORDERS,
    CollectionSettings,
    LoadReport,
    LoadRequest,
    load_collection,
)
from poolhouse.options import build_command, db_option, format_option, input_path
from poolhouse.parsers import DEFAULT_LIMIT
from poolhouse.queries import run_query
from poolhouse.removal import remove as remove_loaded
from poolhouse.run_files import run_files
from poolhouse.settings_command import settings
from poolhouse.status import collection_status, settings_note, stopped_experiments
from poolhouse.warehouse import Warehouse

_MEGABYTE = 1024**2
_REJECTIONS_SHOWN = 3


class _Group(click.Group):
    """Prints a PoolhouseError as one line, exit status 1; wrong usage is click's, status 2.

    Whatever an interrupted command makes of it, the command is aborted.
    """

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        with Signals() as signals:
            try:
                return super().invoke(ctx)
            except Exception as error:
                # The latter is the engine's word for Ctrl-C.
                if signals.were_heard or str(error) == "Query interrupted":
                    raise click.Abort from error
                if isinstance(error, PoolhouseError):
                    raise click.ClickException(console.one_line(str(error))) from error
                raise


# A file's text and rows are in memory together, at about five times the text.
_MOST_MEGABYTES = 4000
_declared = click.IntRange(min=1, max=LARGEST_DECLARED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="poolhouse")
def main() -> None:
    """Make pooling bias in test collections visible and correctable, in SQL."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Data may hold characters that the terminal's encoding does not have.
            stream.reconfigure(errors="backslashreplace")


@main.command()
@click.argument("collection")
@click.argument("more_runs", nargs=-1, type=input_path, metavar="[RUN_FILE]...")
@click.option(
    "--runs",
    multiple=True,
    type=input_path,
    metavar="DIR|FILE...",
    help="Run files, or a folder of them; a file's name is the run's id.",
)
@click.option("--qrels", type=input_path, help="Relevance judgements.")
@click.option(
    "--descriptions",
    type=input_path,
    help="CSV run,organization[,type][,pooled], or the XML of <runs> with <tag>, <organization>.",
)
@click.option("--topics", type=input_path, help="Topic titles: id, tab, title.")
@click.option(
    "--common-topics",
    type=(str, input_path),
    multiple=True,
    metavar="RUN QRELS",
    help="Judgements of topics on which this run was judged too; repeatable.",
)
@click.option("--title", help="What the collection is called in reports.")
@click.option("--depth", type=_declared, help="Pool depth, where known; else it is inferred.")
@click.option(
    "--threshold",
    type=_declared,
    help="Lowest relevance grade that counts as relevant.  [default: as before, at first 1]",
)
@click.option(
    "--pooling-order",
    type=click.Choice(POOLING_ORDERS),
    help="What ordered the runs when they were pooled: the score (ties by document id "
    "descending, as trec_eval), the line in the file, or the given rank.  [default: as before, at "
    "first score]",
)
@click.option("--strict", is_flag=True, help="Let any malformed line stop the load.")
@click.option(
    "--max-file-size",
    type=click.IntRange(min=1, max=_MOST_MEGABYTES),
    default=DEFAULT_LIMIT // _MEGABYTE,
    show_default=True,
    metavar="MB",
    help="Limit for the text in one file, decompressed; for descriptions and topics a 16th of it.",
)
@click.option(
    "--highest-grade",
    type=_declared,
    help="Highest grade of the relevance scale, which `check` then expects.",
)
@db_option
def load(
    collection: str,
    more_runs: tuple[Path, ...],
    runs: tuple[Path, ...],
    qrels: Path | None,
    descriptions: Path | None,
    topics: Path | None,
    common_topics: tuple[tuple[str, Path], ...],
    title: str | None,
    depth: int | None,
    threshold: int | None,
    pooling_order: str | None,
    highest_grade: int | None,
    strict: bool,
    max_file_size: int,
    warehouse: Warehouse,
) -> None:
    """Load run files and qrels as COLLECTION, or add to it.

    A file that is loaded already is passed over, a changed one replaces its old rows. A malformed
    line is set aside (audit_rejected_lines lists them after the next build); a bad file stops the
    load, and nothing of that load is kept.
    """
    files = (more_runs, runs, qrels, descriptions, topics, common_topics)
    if not any((*files, title, depth, threshold, pooling_order, highest_grade)):
        raise click.UsageError("nothing to load: name files, or something to declare")
    request = LoadRequest(
        collection,
        run_files([*runs, *more_runs]),
        qrels,
        descriptions,
        topics,
        CollectionSettings(title, depth, threshold, pooling_order, highest_grade),
        strict,
        max_file_size * _MEGABYTE,
        common_topics=common_topics,
    )
    started = time.monotonic()
    n_files = len(request.runs) + len(common_topics) + sum(map(bool, (qrels, descriptions, topics)))
    with console.progress_bar("loading") as bar:
        counted = iter(range(n_files))
        report = load_collection(
            warehouse, request, lambda name: bar.show(name, next(counted, n_files), n_files)
        )
    seconds = time.monotonic() - started
    parts = [
        f"{report.n_files - report.n_unchanged} files loaded, {report.n_unchanged} unchanged",
        f"{report.n_rows} lines",
        *([f"{report.n_described} runs described"] if report.n_described else []),
        *([f"{report.n_blank} blank lines"] if report.n_blank else []),
        *([f"{report.n_duplicates} repeated documents"] if report.n_duplicates else []),
    ]
    name = f"{collection} (new)" if report.is_new else collection
    console.remark(f"{name}: {', '.join(parts)} ({seconds:.1f} s)")
    for text in [*_some_rejections(report), *report.remarks]:
        console.remark(f"note: {text}", "yellow")
    console.remark(f"next: {build_command()}" if report.changed else "nothing new")


def _some_rejections(report: LoadReport) -> list[str]:
    shown = report.rejections[:_REJECTIONS_SHOWN]
    if not shown:
        return []
    n_more = len(report.rejections) - len(shown)
    more = f"and {n_more} more files; " if n_more else ""
    all_of_them = f"{more}lines rejected in all: {report.n_rejected}"
    return [*shown, f"{all_of_them}; after the build, audit_rejected_lines lists them"]


@main.command()
@click.option(
    "--collection", "collections", multiple=True, help="Build this collection only; repeatable."
)
@db_option
@click.pass_context
def build(context: click.Context, collections: tuple[str, ...], warehouse: Warehouse) -> None:
    """Make the marts of the collections that changed, and publish them at once.

    A collection that cannot be built is named, and the others are published all the same: exit
    status 1.
    """
    started = time.monotonic()
    with console.progress_bar("building") as bar:
        report = build_marts(warehouse, collections, bar.show)
    if not report.built and not report.removed:
        console.remark("nothing to build: the marts are up to date")
        return
    seconds = time.monotonic() - started
    parts = [
        *([f"built {', '.join(report.built)}"] if report.built else []),
        *([f"removed {', '.join(report.removed)}"] if report.removed else []),
    ]
    console.remark(f"{'; '.join(parts)} ({seconds:.1f} s)")
    for text in report.remarks:
        console.remark(f"note: {text}", "yellow")
    for text in report.failed:
        console.remark(f"Error: {text}", "red")
    if report.failed:
        context.exit(1)


@main.command()
@click.argument("collection")
@click.option("--run", "runs", multiple=True, metavar="RUN", help="This run only; repeatable.")
@db_option
def remove(collection: str, runs: tuple[str, ...], warehouse: Warehouse) -> None:
    """Take COLLECTION, or some of its runs, out of the warehouse; the history of loads stays."""
    remove_loaded(warehouse, collection, runs)
    what = f"{', '.join(runs)} of {collection}" if runs else collection
    console.remark(f"removed {what}")
    console.remark(f"next: {build_command()}")


@main.command()
@click.option(
    "--collection", "collections", multiple=True, help="Check this collection only; repeatable."
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the page.  [default: beside the warehouse, .quality.html, or "
    ".quality-of-COLLECTION.html]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Longest time for what is expected of one table.",
)
@format_option
@db_option
@click.pass_context
def check(
    context: click.Context,
    collections: tuple[str, ...],
    page: Path | None,
    timeout: float,
    output: str,
    warehouse: Warehouse,
) -> None:
    """Check what files and models promise, and show what makes a collection suspicious.

    Prints what does not hold, writes a page and adds every result to fct_quality_results. A broken
    promise is exit status 1, a suspicion is not. It waits a minute for a load or build to end; then
    it says that nothing was recorded, with exit status 1.
    """
    # Great Expectations takes seconds to import.
    from poolhouse.expectations import check as check_warehouse  # noqa: PLC0415

    started = time.monotonic()
    with console.progress_bar("checking") as bar:
        report = check_warehouse(warehouse, collections, page, bar.show, timeout)
    columns, rows = report.shortcomings()
    if rows or output != "table":
        console.write_rows(columns, rows, output)
    for text in report.remarks:
        console.remark(f"note: {text}", "yellow")
    style = "red" if report.n_broken else "yellow" if report.n_suspicions else ""
    console.remark(f"{report.summary()} ({time.monotonic() - started:.1f} s)", style)
    console.remark(f"page: {report.page}")
    if report.not_recorded:
        raise PoolhouseError(
            f"the results are on that page, and not recorded: {report.not_recorded}"
        )
    if report.n_broken:
        context.exit(1)


@main.command()
@click.argument("query")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="End the query after so many seconds.  [default: never]",
)
@format_option
@db_option
def sql(query: str, timeout: float | None, output: str, warehouse: Warehouse) -> None:
    """Run a read-only QUERY, one statement, on the published warehouse.

    `-` reads it from standard input. It may take as much memory as a build (3GB, or the environment
    variable POOLHOUSE_MEMORY).
    """
    if query == "-":
        query = click.get_binary_stream("stdin").read().decode(errors="surrogateescape")
    result = run_query(warehouse, query, seconds=timeout)
    console.write_rows(result.columns, result.rows, output)


@main.command()
@format_option
@db_option
def status(output: str, warehouse: Warehouse) -> None:
    """Show what is loaded and built, and what is stale."""
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


@main.command()
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=2026,
    show_default=True,
    help="Seed of the simulation.",
)
@db_option
def demo(seed: int, warehouse: Warehouse) -> None:
    """Simulate a small archive with known relevance, load and build it, show the findings."""
    run_demo(warehouse, seed)


for _command in (adjust, experiment, plan, settings):
    main.add_command(_command)
