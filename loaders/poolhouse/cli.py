"""The command line: a thin layer that turns options into calls and errors into one line."""

import io
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from poolhouse import __version__, console
from poolhouse.adjusting import adjust as adjust_run
from poolhouse.adjustment_tables import tables_of
from poolhouse.building import build as build_marts
from poolhouse.demo import run_demo
from poolhouse.errors import PoolhouseError
from poolhouse.experiments import EXPERIMENTS, run_experiment, settings_of
from poolhouse.line_files import parse_qrels_file, parse_run_file, rejection
from poolhouse.loading import (
    LARGEST_DECLARED,
    POOLING_ORDERS,
    CollectionSettings,
    LoadReport,
    LoadRequest,
    load_collection,
)
from poolhouse.parsers import DEFAULT_LIMIT, read_source, run_id_of
from poolhouse.planning import common_topics_needed
from poolhouse.queries import run_query
from poolhouse.removal import remove as remove_loaded
from poolhouse.run_files import run_files
from poolhouse.status import collection_status
from poolhouse.warehouse import Warehouse

_MEGABYTE = 1024**2
_REJECTIONS_SHOWN = 3


class _Group(click.Group):
    """Prints a PoolhouseError as one line, exit status 1; wrong usage is click's, status 2."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        try:
            return super().invoke(ctx)
        except PoolhouseError as error:
            raise click.ClickException(console.one_line(str(error))) from error
        except RuntimeError as error:
            if str(error) == "Query interrupted":  # the engine's word for Ctrl-C
                raise KeyboardInterrupt from error
            raise


def _as_warehouse(_ctx: click.Context, _option: click.Parameter, path: Path) -> Warehouse:
    return Warehouse(path)


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every command names the warehouse in the same way."""
    return click.option(
        "--db",
        "warehouse",
        type=click.Path(dir_okay=False, path_type=Path),
        default="poolhouse.duckdb",
        show_default=True,
        envvar="POOLHOUSE_DB",
        show_envvar=True,
        callback=_as_warehouse,
        help="The warehouse file.",
    )(command)


format_option = click.option(
    "--format",
    "output",
    type=click.Choice(console.FORMATS),
    default="table",
    show_default=True,
    help="How to print the result; in csv, text that a spreadsheet would run gets an apostrophe.",
)

# Loading looks for itself whether it can read a file: its errors are one line each.
_input_path = click.Path(readable=False, path_type=Path)
# A file's text and rows are in memory together, at about five times the text.
_MOST_MEGABYTES = 4000
_declared = click.IntRange(min=1, max=LARGEST_DECLARED)
_from_1 = click.IntRange(min=1)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="poolhouse")
def main() -> None:
    """Make pooling bias in test collections visible and correctable, in SQL."""
    # To be terminated is to be interrupted: what was begun is cleared away.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Data may hold characters that the terminal's encoding does not have.
            stream.reconfigure(errors="backslashreplace")


@main.command()
@click.argument("collection")
@click.argument("more_runs", nargs=-1, type=_input_path, metavar="[RUN_FILE]...")
@click.option(
    "--runs",
    multiple=True,
    type=_input_path,
    metavar="DIR|FILE...",
    help="Run files, or a folder of them; a file's name is the run's id.",
)
@click.option("--qrels", type=_input_path, help="Relevance judgements.")
@click.option(
    "--descriptions",
    type=_input_path,
    help="CSV run,organization[,type][,pooled], or the XML of <runs> with <tag>, <organization>.",
)
@click.option("--topics", type=_input_path, help="Topic titles: id, tab, title.")
@click.option(
    "--common-topics",
    type=(str, _input_path),
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
    console.remark(f"next: {_build_command()}" if report.changed else "nothing new")


def _some_rejections(report: LoadReport) -> list[str]:
    shown = report.rejections[:_REJECTIONS_SHOWN]
    if not shown:
        return []
    n_more = len(report.rejections) - len(shown)
    more = f"and {n_more} more files; " if n_more else ""
    all_of_them = f"{more}lines rejected in all: {report.n_rejected}"
    return [*shown, f"{all_of_them}; after the build, audit_rejected_lines lists them"]


def _build_command() -> str:
    """Spell the command that comes next, for the same warehouse."""
    context = click.get_current_context()
    if context.get_parameter_source("warehouse") is not ParameterSource.COMMANDLINE:
        return "poolhouse build"
    return f"poolhouse build --db {shlex.quote(str(context.params['warehouse'].path))}"


@main.command()
@click.option(
    "--collection", "collections", multiple=True, help="Build this collection only; repeatable."
)
@db_option
def build(collections: tuple[str, ...], warehouse: Warehouse) -> None:
    """Make the marts of the collections that changed, and publish them at once."""
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


@main.command()
@click.argument("collection")
@click.option("--run", "runs", multiple=True, metavar="RUN", help="This run only; repeatable.")
@db_option
def remove(collection: str, runs: tuple[str, ...], warehouse: Warehouse) -> None:
    """Take COLLECTION, or some of its runs, out of the warehouse; the history of loads stays."""
    remove_loaded(warehouse, collection, runs)
    what = f"{', '.join(runs)} of {collection}" if runs else collection
    console.remark(f"removed {what}")
    console.remark(f"next: {_build_command()}")


@main.command()
@click.option(
    "--collection", "collections", multiple=True, help="Check this collection only; repeatable."
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the page.  [default: beside the warehouse, .quality.html]",
)
@format_option
@db_option
@click.pass_context
def check(
    context: click.Context,
    collections: tuple[str, ...],
    page: Path | None,
    output: str,
    warehouse: Warehouse,
) -> None:
    """Check what files and models promise, and show what makes a collection suspicious.

    Prints what does not hold, adds every result to fct_quality_results and writes a page. A broken
    promise is exit status 1, a suspicion is not.
    """
    # Great Expectations takes seconds to import.
    from poolhouse.expectations import check as check_warehouse  # noqa: PLC0415

    started = time.monotonic()
    with console.progress_bar("checking") as bar:
        report = check_warehouse(warehouse, collections, page, bar.show)
    columns, rows = report.shortcomings()
    if rows or output != "table":
        console.write_rows(columns, rows, output)
    for text in report.remarks:
        console.remark(f"note: {text}", "yellow")
    style = "red" if report.n_broken else "yellow" if report.n_suspicions else ""
    console.remark(f"{report.summary()} ({time.monotonic() - started:.1f} s)", style)
    console.remark(f"page: {report.page}")
    if report.n_broken:
        context.exit(1)


class _Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them."""

    name = "N,N,..."

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, ...]:
        """Read them."""
        try:
            return tuple(int(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers, such as 2,4,10", param, ctx)


@main.command()
@click.argument("name", type=click.Choice([*EXPERIMENTS, "all"]))
@click.option("--collection", required=True, help="The collection to draw from.")
@click.option("--samples", type=_from_1, help="Samples of runs.  [default: 1000; topics 100]")
@click.option(
    "--topic-samples", type=_from_1, help="Samples of topics for each, in `topics`.  [default: 200]"
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the lots.  [default: 2009]")
@click.option(
    "--depth", type=_from_1, help="Pool depth, and cutoff of the measures.  [default: 10]"
)
@click.option("--widths", type=_Numbers(), help="Pool widths in runs.  [default: 2,4,10,20,40]")
@click.option(
    "--common-topics",
    type=_Numbers(),
    help="Numbers of common topics.  [default: 5,10,20,30,40]",
)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to draw the figure; its name says the format.  [default: beside the warehouse]",
)
@format_option
@db_option
def experiment(
    name: str,
    collection: str,
    samples: int | None,
    topic_samples: int | None,
    seed: int | None,
    depth: int | None,
    widths: tuple[int, ...] | None,
    common_topics: tuple[int, ...] | None,
    figure: Path | None,
    output: str,
    warehouse: Warehouse,
) -> None:
    """Run an experiment of Webber & Park 2009 on a collection: how far are estimates off.

    Runs are drawn: one counts as new, a few as the pool. `bias`: how its score differs (figure 1).
    `systems`: adjusted by what the pooled runs would lose (table 1). `topics`: adjusted by what it
    loses on some topics on which it is judged in full (tables 2 to 4). `intervals`: how often the
    intervals about that hold the truth. Interrupted, it goes on where it was.
    """
    # Plots take half a second to import.
    from poolhouse.experiments.findings import (  # noqa: PLC0415
        all_figures,
        draw_figure,
        findings,
    )

    if figure and name == "all":
        raise click.UsageError("--figure is for one experiment; `all` names the files itself")

    for each in EXPERIMENTS if name == "all" else (name,):
        settings = settings_of(
            each,
            n_samples=samples,
            n_topic_samples=topic_samples if each == "topics" else None,
            seed=seed,
            depth=depth,
            widths=widths,
            common_topic_counts=common_topics,
        )
        started = time.monotonic()
        with console.progress_bar(each) as bar:
            report = run_experiment(warehouse, collection, settings, bar.show)
        seconds = time.monotonic() - started
        for text in report.remarks:
            console.remark(f"note: {text}", "yellow")
        console.remark(f"{each}: {report.summary()} ({seconds:.1f} s)")
        shown = findings if output == "table" else all_figures
        result = shown(warehouse, collection, each)
        console.write_rows(result.columns, result.rows, output)
        console.remark(f"figure: {draw_figure(warehouse, collection, each, figure)}")


@main.command()
@click.option("--collection", required=True, help="The collection to plan for.")
@click.option(
    "--standard-error",
    required=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Of the adjusted score, in units of the measure: 0.01.",
)
@format_option
@db_option
def plan(collection: str, standard_error: float, output: str, warehouse: Warehouse) -> None:
    """Say how many common topics a new run needs to be adjusted to a standard error.

    That is, topics for which it is judged as the pooled runs are. Taken from the pooled runs: how
    many each would have needed, had it not been pooled (common_topics_needed in SQL).
    """
    result = common_topics_needed(warehouse, collection, standard_error)
    console.write_rows(result.columns, result.rows, output)


@main.command()
@click.argument("query")
@format_option
@db_option
def sql(query: str, output: str, warehouse: Warehouse) -> None:
    """Run a read-only QUERY on the published warehouse; `-` reads it from standard input."""
    if query == "-":
        query = click.get_binary_stream("stdin").read().decode(errors="surrogateescape")
    result = run_query(warehouse, query)
    console.write_rows(result.columns, result.rows, output)


@main.command()
@click.argument("run_file", type=_input_path)
@click.option("--collection", required=True, help="The collection whose topics the run answers.")
@click.option(
    "--common-topics",
    type=_input_path,
    metavar="QRELS",
    help="Judgements of topics on which this run was judged too: what it gains there is expected "
    "of it everywhere.",
)
@click.option("--keep", is_flag=True, help="Load the run as well, as one that was not pooled.")
@format_option
@db_option
def adjust(
    run_file: Path,
    collection: str,
    common_topics: Path | None,
    keep: bool,
    output: str,
    warehouse: Warehouse,
) -> None:
    """Score the run of RUN_FILE, which need not be loaded, as if it had been in the pool.

    For each measure whose bias is estimated: the score as it is, what its unjudged documents leave
    open (lower and upper bound), what each estimator makes of it, and the place that this would
    have among the collection's runs. With --common-topics, estimates from these as well, with
    intervals of 68 and 95 % by the normal distribution, Student's t and the bootstrap. csv and
    json have a row for each measure, treatment of unjudged documents and estimator.
    """
    path, *others = run_files([run_file])
    if others:
        raise click.UsageError(f"{run_file} holds {len(others) + 1} runs: name one of them")
    run_id = run_id_of(path.name)
    parsed = parse_run_file(read_source(path, DEFAULT_LIMIT))
    files = [(path, parsed)]
    if common_topics:
        files.append((common_topics, parse_qrels_file(read_source(common_topics, DEFAULT_LIMIT))))
    judgements = files[1][1].rows if common_topics else None
    adjustment = adjust_run(warehouse, collection, parsed.rows, run_id, judgements)
    if output == "table":
        for title, columns, rows in tables_of(adjustment, run_id, collection):
            console.write_table(columns, rows, title)
    else:
        scores = adjustment.scores
        console.write_rows(scores.columns, scores.rows(), output)
    rejections = [
        f"{file.name}: {rejection(each)}" for file, each in files if not each.rejected.is_empty()
    ]
    for text in [*rejections, *adjustment.remarks]:
        console.remark(f"note: {text}", "yellow")
    if keep:
        report = load_collection(warehouse, LoadRequest(collection, (path,), are_after_pool=True))
        if common_topics:
            console.remark("note: the judgements of common topics are not kept", "yellow")
        kept = f"kept {run_id} as a run of {collection} that was not pooled"
        console.remark(kept if report.changed else f"{run_id} is kept already")
        console.remark(f"next: {_build_command()}" if report.changed else "nothing new")


@main.command()
@format_option
@db_option
def status(output: str, warehouse: Warehouse) -> None:
    """Show what is loaded and built, and what is stale."""
    columns, rows = collection_status(warehouse)
    console.write_rows(columns, rows, output)
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
