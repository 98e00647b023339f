"""`poolhouse compare`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.commands.run_argument import runs_of
from poolhouse.command_line.options import (
    collection_names,
    db_option,
    examples,
    format_option,
    say_next,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import DOCUMENT_FORMATS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

_LEAST_RUNS = 2


@click.command(
    short_help="Compare runs topic by topic: can the difference be trusted?",
    epilog=examples(
        "compare run-a run-b --collection my-collection --measure AP",
        "compare run-a my.run --collection mine --measure AP --format latex",
    ),
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option(
    "--collection",
    required=True,
    help="The collection whose topics the runs answer.",
    shell_complete=collection_names,
)
@click.option(
    "--measure",
    "measures",
    required=True,
    multiple=True,
    help="A measure that is a mean over topics, such as AP or nDCG@10; may be repeated.",
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="Compare every other run with this run.  [default: every pair]",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    help="Number of sign flips that the randomization test draws.  [default: 100000]",
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the flips.  [default: 2009]")
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the differences into this file; the end of its name says the format.",
)
@format_option
@db_option
def compare(
    runs: tuple[str, ...],
    collection: str,
    measures: tuple[str, ...],
    baseline: str | None,
    repetitions: int | None,
    seed: int | None,
    figure: Path | None,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Compare runs topic by topic, and say whether the difference can be trusted.

    RUN is a loaded run, or else a run file. For each measure and pair of runs, the command prints
    the mean difference with its interval, and the effect size. It prints the paired t-test and the
    randomization test, corrected for all comparisons by the measure (Holm, Bonferroni). It names
    the topics that decide the difference, and says whether unjudged or tied documents could reverse
    it. csv and json have a row for each measure and pair.
    """
    from poolhouse.command_line import console
    from poolhouse.experiments.figure_file import check_figure_file
    from poolhouse.scores.comparing import REPETITIONS, SEED, ComparisonRequest
    from poolhouse.scores.comparing import compare as compare_runs
    from poolhouse.scores.comparison_tables import figure_rows, tables_of
    from poolhouse.scores.scored_runs import NewRun
    from poolhouse.warehouse.sql_text import quoted_text

    if len(runs) < _LEAST_RUNS:
        raise click.UsageError("name two runs or more: one has nothing to be compared with")
    if figure:
        check_figure_file(figure)
    if sys.stdout is None:
        raise PoolhouseError("standard output is closed: there is nowhere to show the result")
    asked, remarks = runs_of(warehouse, collection, runs)
    names = {
        text: run.run_id if isinstance(run, NewRun) else run
        for text, run in zip(runs, asked, strict=True)
    }
    request = ComparisonRequest(
        collection,
        asked,
        measures,
        # A file may be named as it was among the runs.
        names.get(baseline, baseline) if baseline is not None else None,
        repetitions=REPETITIONS if repetitions is None else repetitions,
        seed=SEED if seed is None else seed,
    )
    comparison = compare_runs(warehouse, request)
    if output in ("table", *DOCUMENT_FORMATS):
        console.write_tables(tables_of(comparison), output)
    else:
        console.write_rows(comparison.rows.columns, comparison.rows.rows(), output)
    for text in [*remarks, *comparison.remarks]:
        console.remark(f"note: {text}", "yellow")
    if figure:
        # Where nobody reads the result, this ends the command, and no figure is drawn of it.
        sys.stdout.flush()
        # Takes most of a second to import.
        from poolhouse.scores.comparison_figure import draw

        draw(figure_rows(comparison), collection, figure)
        console.remark(f"figure: {figure}")
    name = quoted_text(collection)
    say_next("sql", f"from audit_runs select run_id, remarks where collection_id = {name}")
