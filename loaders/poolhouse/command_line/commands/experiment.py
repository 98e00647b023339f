"""`poolhouse experiment`."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
from click.core import ParameterSource

from poolhouse.command_line.figure_options import style_options
from poolhouse.command_line.options import (
    Numbers,
    collection_option,
    db_option,
    examples,
    format_option,
    say_next,
    work_options,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.experiments.requests import (
    Compared,
    ExperimentSettings,
    LaterRequest,
    PoolSettings,
)
from poolhouse.option_values import EXPERIMENTS

if TYPE_CHECKING:
    from poolhouse.figures.style import Style
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Measure by experiment how far estimates are off on a collection.",
    epilog=examples(
        "experiment all --collection my-collection",
        "experiment bias --collection my-collection --samples 100",
        "experiment later --collection my-collection --judgements later.txt",
    ),
)
@click.argument("name", type=click.Choice([*EXPERIMENTS, "pools", "later", "left-out", "all"]))
@collection_option("The collection whose runs are drawn.", required=True)
@options_of(ExperimentSettings, widths={"type": Numbers()}, common_topic_counts={"type": Numbers()})
@options_of(PoolSettings, budgets={"type": Numbers(), "multiple": False})
@options_of(LaterRequest, judgements={"required": False})
@options_of(Compared, unknown={"type": click.FloatRange(0, 1)})
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
@click.pass_context
def experiment(
    context: click.Context,
    /,
    name: str,
    collection: str,
    judgements: str | None,
    estimates: tuple[Path, ...],
    unknown: float,
    figure: Path | None,
    style: "Style",
    again: bool,
    output: str,
    warehouse: "Warehouse",
    **options: Any,  # noqa: ANN401 - fields of ExperimentSettings and PoolSettings
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
    from poolhouse.experiments.findings import (
        TITLES,
        all_figures,
        draw_beside,
        draw_figure,
        findings,
    )
    from poolhouse.experiments.running import run_experiment

    _check_outputs(warehouse, name, figure)
    _refuse_options_of_others(context, name)
    if name == "later" and estimates and judgements is None:
        raise click.UsageError("--estimates are held against later judgements: --judgements")
    if name in ("later", "left-out"):
        compared = Compared(collection, name, unknown)
        _later(warehouse, compared, judgements, estimates, figure, style, output)
        return
    if name == "pools":
        settings_of_pools = PoolSettings(**_fields(PoolSettings, options))
        _pools(warehouse, collection, settings_of_pools, figure, style, output, again=again)
        return

    objects: dict[str, list[dict[str, object]]] = {}
    for each in EXPERIMENTS if name == "all" else (name,):
        settings = ExperimentSettings(each, **_fields(ExperimentSettings, options))
        started = time.monotonic()
        with progress_bar(each) as bar:
            report = run_experiment(warehouse, collection, settings, bar.show, again=again)
        seconds = time.monotonic() - started
        console.notes(report.remarks)
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


def _fields(request: type[attrs.AttrsInstance], options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are fields of a request."""
    return {name: options[name] for name in attrs.fields_dict(request) if name in options}


def _refuse_options_of_others(context: click.Context, name: str) -> None:
    """Raise UsageError where an experiment has options of others."""
    own = {
        "pools": {*attrs.fields_dict(PoolSettings), "again"},
        "later": {"judgements", "estimates", "unknown"},
        "left-out": {"estimates"},
    }.get(name, {*attrs.fields_dict(ExperimentSettings), "again"})
    every = {"again", "judgements", "estimates", "unknown"}.union(
        *(attrs.fields_dict(each) for each in (ExperimentSettings, PoolSettings))
    )
    for each in context.command.params:
        is_given = context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
        if is_given and each.name in every - own:
            raise click.UsageError(f"`{name}` has no option {max(each.opts, key=len)}")


def _pools(
    warehouse: "Warehouse",
    collection: str,
    settings: PoolSettings,
    figure: Path | None,
    style: "Style",
    output: str,
    *,
    again: bool,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.experiments.findings import draw_pool_figure, pool_findings
    from poolhouse.experiments.pools import run_pool_experiment

    started = time.monotonic()
    with progress_bar("pools") as bar:
        report = run_pool_experiment(warehouse, collection, settings, bar.show, again=again)
    seconds = time.monotonic() - started
    console.notes(report.remarks)
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
    compared: Compared,
    judgements: str | None,
    estimates: tuple[Path, ...],
    figure: Path | None,
    style: "Style",
    output: str,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.experiments.findings import draw_later_figure, later_findings, later_tables
    from poolhouse.experiments.later import (
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
        console.notes(report.remarks)
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
