"""`poolhouse experiment`."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.figure_options import style_options
from poolhouse.command_line.options import (
    Numbers,
    collection_names,
    db_option,
    examples,
    format_option,
    input_path,
    say_next,
    work_options,
)
from poolhouse.option_values import EXPERIMENTS, LARGEST_UNKNOWN

if TYPE_CHECKING:
    from poolhouse.experiments.findings import Compared
    from poolhouse.figures.style import Style
    from poolhouse.warehouse.file import Warehouse

_from_1 = click.IntRange(min=1)


@click.command(
    short_help="Measure by experiment how far estimates are off on a collection.",
    epilog=examples(
        "experiment all --collection my-collection",
        "experiment bias --collection my-collection --samples 100",
        "experiment later --collection my-collection --judgements later.txt",
    ),
)
@click.argument("name", type=click.Choice([*EXPERIMENTS, "pools", "later", "left-out", "all"]))
@click.option(
    "--collection",
    required=True,
    help="The collection whose runs are drawn.",
    shell_complete=collection_names,
)
@click.option(
    "--samples", type=_from_1, help="Number of samples of runs.  [default: 1000; for `topics` 100]"
)
@click.option(
    "--topic-samples",
    type=_from_1,
    help="Number of samples of topics for each sample of runs, in `topics`.  [default: 200]",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the random draws.  [default: 2009]"
)
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
    "--budgets",
    type=Numbers(),
    help="Numbers of judgements, in `pools`.  [default: 5, 10, 25 and 50 % of the judgements]",
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    help="Pooling strategy, in `pools`. Repeatable.  [default: all of dim_pooling_strategies]",
)
@click.option(
    "--judgements",
    metavar="FILE|AUTHOR",
    help="Later judgements, in `later`: a file of qrels, or an author whose labels are loaded. "
    "Without them, the stored results are shown.",
)
@click.option(
    "--estimates",
    type=input_path,
    multiple=True,
    help="CSV of estimates by anybody (run_id,measure,estimate[,low,high][,estimator]) that are "
    "scored too, in `later` and `left-out`. Repeatable.",
)
@click.option(
    "--unknown",
    type=click.FloatRange(0, 1),
    default=LARGEST_UNKNOWN,
    show_default=True,
    help="In `later`, a run counts if at most this share of its weight is judged neither before "
    "nor later.",
)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the figure. The end of its name says the format: svg, pdf or png.  "
    "[default: beside the warehouse]",
)
@click.option(
    "--again", is_flag=True, help="Repeat the experiment, even if its results are stored already."
)
@style_options
@work_options
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
    budgets: tuple[int, ...] | None,
    strategies: tuple[str, ...],
    judgements: str | None,
    estimates: tuple[Path, ...],
    unknown: float,
    figure: Path | None,
    style: "Style",
    again: bool,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Run an experiment on a collection: how far are estimates off, what would pools have given.

    The first four are those of Webber & Park 2009, and `all` runs these four. Runs are drawn: one
    run counts as new, a few runs form the pool. `bias` measures how much the score of the new run
    differs (figure 1). `systems` adjusts the score by the loss that the pooled runs would have
    (table 1). `topics` adjusts the score by the loss of the new run on some topics on which it is
    judged in full (tables 2 to 4). `intervals` counts how often the intervals of this adjustment
    hold the true score.

    `pools` chooses documents by every pooling strategy and budget: which share of the relevant
    documents it finds, how its leaderboards agree with the full ones, and how far the score of a
    run is off when it leaves this pool.

    `later` holds the estimated scores of runs against judgements that were made later: how far the
    estimates are off, and how many of their intervals hold the truth. `left-out` holds anybody's
    estimates of runs, made without their organizations, against their scores in the whole pool.

    The stored results of a finished experiment are shown again.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.experiments import run_experiment, settings_of
    from poolhouse.experiments.findings import (
        TITLES,
        Compared,
        all_figures,
        draw_beside,
        draw_figure,
        findings,
    )

    _check_outputs(warehouse, name, figure)
    of_others = (samples, topic_samples, seed, depth, widths, common_topics, budgets, strategies)
    has_others = again or any(value not in (None, ()) for value in of_others)
    _check_of_later(name, judgements, estimates, unknown, has_others=has_others)
    if name in ("later", "left-out"):
        compared = Compared(collection, name, unknown)
        _later(warehouse, compared, judgements, estimates, figure, style, output)
        return
    if name == "pools" and (samples or topic_samples or widths or common_topics):
        raise click.UsageError("`pools` has no samples, widths or common topics")
    if name == "pools":
        given = {"budgets": budgets, "strategies": strategies, "seed": seed, "depth": depth}
        _pools(warehouse, collection, given, figure, style, output, again=again)
        return
    if budgets or strategies:
        raise click.UsageError("--budgets and --strategy belong to `pools`")

    objects: dict[str, list[dict[str, object]]] = {}
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
        with progress_bar(each) as bar:
            report = run_experiment(warehouse, collection, settings, bar.show, again=again)
        seconds = time.monotonic() - started
        for text in report.remarks:
            console.remark(f"note: {text}", "yellow")
        hint = ": --again repeats it" if report.stored_at else ""
        console.remark(f"{each}: {report.summary()}{hint} ({seconds:.1f} s)")
        shown = findings if output == "table" else all_figures
        result = shown(warehouse, collection, each)
        if output == "json" and name == "all":
            # Several lists one after the other would not be valid JSON.
            objects[each] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        else:
            title = f"{TITLES[each]}: {collection}"
            console.write_rows(result.columns, result.rows, output, title)
        # If standard output is closed, this line ends the command before a figure is drawn.
        sys.stdout.flush()
        if figure:
            draw_figure(warehouse, collection, each, figure, style)
        drawn = figure or draw_beside(warehouse, collection, each, report.stored_at)
        console.remark(f"figure: {drawn}")
    if objects:
        console.write_json(objects)
    if name in ("bias", "systems"):
        say_next("experiment", EXPERIMENTS[EXPERIMENTS.index(name) + 1], "--collection", collection)
    else:
        say_next("common-topics", "--collection", collection, "--standard-error", "0.01")


def _check_outputs(warehouse: "Warehouse", name: str, figure: Path | None) -> None:
    if figure and name == "all":
        raise click.UsageError("--figure works for one experiment; `all` names the files itself")
    if figure:
        # Takes most of a second to import.
        from poolhouse.figures.files import check_place

        check_place(figure, warehouse)


def _check_of_later(
    name: str,
    judgements: str | None,
    estimates: tuple[Path, ...],
    unknown: float,
    *,
    has_others: bool,
) -> None:
    """Raise UsageError where an experiment has options of others."""
    if name != "later" and (judgements or unknown != LARGEST_UNKNOWN):
        raise click.UsageError("--judgements and --unknown belong to `later`")
    if name not in ("later", "left-out"):
        if estimates:
            raise click.UsageError("--estimates belong to `later` and `left-out`")
    elif has_others:
        raise click.UsageError(f"`{name}` draws nothing: it takes files of judgements or estimates")
    elif name == "later" and estimates and judgements is None:
        raise click.UsageError("--estimates are held against later judgements: --judgements")


def _pools(
    warehouse: "Warehouse",
    collection: str,
    given: dict[str, Any],
    figure: Path | None,
    style: "Style",
    output: str,
    *,
    again: bool,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.experiments.findings import draw_pool_figure, pool_findings
    from poolhouse.experiments.pools import PoolSettings, run_pool_experiment

    settings = PoolSettings(
        **{option: value for option, value in given.items() if value is not None}
    )
    started = time.monotonic()
    with progress_bar("pools") as bar:
        report = run_pool_experiment(warehouse, collection, settings, bar.show, again=again)
    seconds = time.monotonic() - started
    for text in report.remarks:
        console.remark(f"note: {text}", "yellow")
    at = report.stored_at
    stored = f", stored on {at:%Y-%m-%d %H:%M:%S} UTC: --again repeats them" if at else ""
    console.remark(f"{report.n_samples} pools{stored} ({seconds:.1f} s)")
    result = pool_findings(warehouse, collection)
    console.write_rows(
        result.columns, result.rows, output, f"pools that would have been: {collection}"
    )
    sys.stdout.flush()
    console.remark(f"figure: {draw_pool_figure(warehouse, collection, figure, style)}")
    say_next("pool", "plan", collection)


def _later(
    warehouse: "Warehouse",
    compared: "Compared",
    judgements: str | None,
    estimates: tuple[Path, ...],
    figure: Path | None,
    style: "Style",
    output: str,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.experiments.findings import draw_later_figure, later_findings, later_tables
    from poolhouse.experiments.later import (
        LaterRequest,
        run_later_experiment,
        run_left_out_experiment,
        stored_judgements,
    )

    collection, name = compared.collection, compared.experiment
    started = time.monotonic()
    report = None
    if judgements is not None:
        report = run_later_experiment(warehouse, LaterRequest(collection, judgements, estimates))
    elif estimates:
        report = run_left_out_experiment(warehouse, collection, estimates)
    if report:
        seconds = time.monotonic() - started
        for text in report.remarks:
            console.remark(f"note: {text}", "yellow")
        console.remark(f"{name}: {report.n_samples} runs ({seconds:.1f} s)")
    of_file, is_current = stored_judgements(warehouse, collection, name)
    if not is_current:
        console.remark("note: the collection has changed since: give the file again", "yellow")
    result = later_findings(warehouse, compared)
    against = "the whole pool"
    if name == "later":
        against = f"{of_file}, with at most {100 * compared.unknown:g} % unknown"
        console.remark(
            "note: later judgements are of what later runs returned: the runs that count resemble "
            "these, and say little of others",
            "yellow",
        )
    title = f"estimates against {against}: {collection}"
    if output in ("csv", "json"):
        console.write_rows(result.columns, result.rows, output, title)
    else:
        console.write_tables(later_tables(result, title), output)
    sys.stdout.flush()
    drawn = draw_later_figure(warehouse, compared, figure, style)
    console.remark(f"figure: {drawn}")
