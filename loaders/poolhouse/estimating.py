"""Commands about estimates: those of a new run, how far they are off, what makes them better."""

import sys
import time
from pathlib import Path

import click

from poolhouse import console
from poolhouse.adjusting import adjust as adjust_run
from poolhouse.adjustment_tables import tables_of
from poolhouse.errors import PoolhouseError
from poolhouse.experiments import EXPERIMENTS, run_experiment, settings_of
from poolhouse.experiments.figure_file import check_figure_file
from poolhouse.experiments.findings import all_figures, draw_figure, findings
from poolhouse.keeping import keep_run
from poolhouse.line_files import parse_qrels_file, parse_run_file, rejection
from poolhouse.options import Numbers, build_command, db_option, format_option, input_path
from poolhouse.parsers import DEFAULT_LIMIT, read_source, run_id_of
from poolhouse.planning import common_topics_needed
from poolhouse.run_files import run_files
from poolhouse.warehouse import Warehouse

_from_1 = click.IntRange(min=1)


@click.command()
@click.argument("run_file", type=input_path)
@click.option("--collection", required=True, help="The collection whose topics the run answers.")
@click.option(
    "--common-topics",
    type=input_path,
    metavar="QRELS",
    help="Judgements of topics on which this run was judged too: what it gains there is expected "
    "of it everywhere.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Load the run as well, as one that was not pooled, unless the descriptions that are "
    "loaded say that it was.",
)
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
        kept = keep_run(warehouse, collection, run_id, path, common_topics)
        for text in kept.remarks:
            console.remark(text)
        console.remark(f"next: {build_command()}" if kept.is_new else "nothing new")


@click.command()
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
@click.option("--widths", type=Numbers(), help="Pool widths in runs.  [default: 2,4,10,20,40]")
@click.option(
    "--common-topics",
    type=Numbers(),
    help="Numbers of common topics.  [default: 5,10,20,30,40]",
)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to draw the figure; its name says the format.  [default: beside the warehouse]",
)
@click.option("--again", is_flag=True, help="Do it anew, where its results are stored already.")
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
    again: bool,
    output: str,
    warehouse: Warehouse,
) -> None:
    """Run an experiment of Webber & Park 2009 on a collection: how far are estimates off.

    Runs are drawn: one counts as new, a few as the pool. `bias`: how its score differs (figure 1).
    `systems`: adjusted by what the pooled runs would lose (table 1). `topics`: adjusted by what it
    loses on some topics on which it is judged in full (tables 2 to 4). `intervals`: how often the
    intervals about that hold the truth. Interrupted, it goes on where it was; finished, it is shown
    as it is stored.
    """
    if figure and name == "all":
        raise click.UsageError("--figure is for one experiment; `all` names the files itself")
    if figure:
        check_figure_file(figure)
    if sys.stdout is None:
        raise PoolhouseError("standard output is closed: there is nowhere to show the result")

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
            report = run_experiment(warehouse, collection, settings, bar.show, again=again)
        seconds = time.monotonic() - started
        for text in report.remarks:
            console.remark(f"note: {text}", "yellow")
        hint = ": --again does it anew" if report.stored_at else ""
        console.remark(f"{each}: {report.summary()}{hint} ({seconds:.1f} s)")
        shown = findings if output == "table" else all_figures
        result = shown(warehouse, collection, each)
        console.write_rows(result.columns, result.rows, output)
        # Where nobody reads the result, this ends the command, and no figure is drawn of it.
        sys.stdout.flush()
        drawn = draw_figure(warehouse, collection, each, figure, stored_at=report.stored_at)
        console.remark(f"figure: {drawn}")


@click.command()
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
