"""`poolhouse table`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.commands.run_argument import ids_of, runs_of
from poolhouse.command_line.options import (
    examples,
    format_option,
    say_next,
    source_option,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.comparing.requests import TableRequest, TestedRuns
from poolhouse.option_values import DOCUMENT_FORMATS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Make one table of runs by measures, ready for a paper.",
    epilog=examples(
        "table run-a run-b --collection mine -m AP -m P@10 --format latex",
        "table run-a my.run --collection mine -m AP --baseline run-a",
        "table run-a run-b run-c --collection mine -m AP --test tukey",
    ),
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@options_of(
    TestedRuns,
    level={"type": click.FloatRange(0, 1, min_open=True, max_open=True)},
)
@click.option(
    "--intervals",
    "has_intervals",
    is_flag=True,
    help="Show the confidence interval of each difference to a baseline, or without --baseline of "
    "each score.",
)
@click.option(
    "--effect-sizes",
    "has_effect_sizes",
    is_flag=True,
    help="Show Cohen's d_z of each difference to a baseline.",
)
@options_of(TableRequest, own=True)
@click.option(
    "--column",
    "is_column",
    is_flag=True,
    help="Fit the table of latex into a column of an article with two columns.",
)
@format_option
@source_option
def table(
    runs: tuple[str, ...],
    collections: tuple[str, ...],
    measures: tuple[str, ...],
    baseline: tuple[str, ...],
    *,
    has_intervals: bool,
    has_effect_sizes: bool,
    is_column: bool,
    output: str,
    warehouse: "Warehouse",
    **asked: Any,  # noqa: ANN401 - fields of TableRequest
) -> None:
    """Make one table of runs by measures, ready for a paper.

    RUN is a loaded run, or else a run file. The best score of each column is bold. With --baseline,
    a letter with an arrow marks each score that is significantly higher or lower than the score of
    the baseline with this letter. With --test and without --baseline, each score has the letters of
    the runs that it beats. Where unjudged documents matter, brackets and a dagger tell apart what
    is significant only as judged, and only if every document were judged, as estimated. The caption
    says which test and correction were taken, and what marks mean. csv and json have a row for each
    collection, measure, run and compared run, with p-values and intervals.
    """
    from poolhouse.command_line import console
    from poolhouse.comparing.paper_table import paper_table
    from poolhouse.comparing.table_layout import Layout, label_of, laid_out

    if has_effect_sizes and not baseline:
        raise click.UsageError("--effect-sizes needs --baseline: they are sizes of differences")
    if is_column and output != "latex":
        raise click.UsageError("--column needs --format latex")
    if asked["estimated"] and has_intervals:
        raise click.UsageError("--estimated has intervals of its own: leave --intervals out")
    with warehouse.read():  # stays open for all queries
        new_or_loaded, remarks = runs_of(warehouse, collections, runs)
        request = TableRequest(
            new_or_loaded,
            collections,
            measures,
            baseline=ids_of(baseline, runs, new_or_loaded),
            **asked,
        )
        made = paper_table(warehouse, request)
    if output in ("table", *DOCUMENT_FORMATS):
        bold = "between stars" if output == "table" else "bold"
        shown = laid_out(made, Layout(has_intervals, has_effect_sizes, bold))
        console.write_tables([shown], output, label_of(made), is_column=is_column)
    else:
        console.write_rows(made.rows.columns, made.rows.rows(), output)
    sys.stdout.flush()
    console.notes([*remarks, *made.remarks])
    command = ("compare", *runs[:2]) if len(runs) > 1 else ("score", *runs)
    say_next(*command, "--collection", collections[0], "-m", measures[0])
