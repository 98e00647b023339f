"""`poolhouse compare`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.commands.run_argument import first_new, ids_of, runs_of
from poolhouse.command_line.figure_options import style_options
from poolhouse.command_line.options import (
    examples,
    format_option,
    say_next,
    source_option,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.option_values import DOCUMENT_FORMATS

if TYPE_CHECKING:
    from poolhouse.figures.style import Style
    from poolhouse.warehouse.file import Warehouse

_LEAST_RUNS = 2


@click.command(
    short_help="Compare runs topic by topic: can the difference be trusted?",
    epilog=examples(
        "compare run-a run-b --collection my-collection -m AP",
        "compare run-a my.run --collection mine -m AP --format latex",
    ),
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@options_of(ComparisonRequest)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for a figure of the differences. The end of its name says the format: svg, pdf or "
    "png.",
)
@style_options
@format_option
@source_option
def compare(
    runs: tuple[str, ...],
    collection: str,
    baseline: tuple[str, ...],
    figure: Path | None,
    style: "Style",
    output: str,
    warehouse: "Warehouse",
    **options: Any,  # noqa: ANN401 - fields of ComparisonRequest
) -> None:
    """Compare runs topic by topic, and say whether the difference can be trusted.

    RUN is a loaded run, or else a run file. For each measure and pair the command shows the mean
    difference with its interval, the effect size, the paired t-test, the randomization test and
    Tukey's test of all pairs. The p-values of the first two tests are also corrected for all
    comparisons by the measure (Holm, Bonferroni). The command names the topics that decide the
    difference, and says whether unjudged documents or the order of tied documents could reverse the
    difference. csv and json have a row for each measure and pair. `poolhouse table` makes one table
    of many runs for a paper.
    """
    from poolhouse.command_line import console
    from poolhouse.comparing.comparison import compare as compare_runs
    from poolhouse.comparing.comparison_tables import tables_of
    from poolhouse.comparing.comparison_words import conclusions_of
    from poolhouse.warehouse.sql_text import quoted_text

    if len(runs) < _LEAST_RUNS:
        raise click.UsageError("name two runs or more: a single run cannot be compared")
    if figure:
        # Takes most of a second to import.
        from poolhouse.figures.files import check_place

        check_place(figure, warehouse)
    with warehouse.read():  # stays open for all queries
        asked, remarks = runs_of(warehouse, [collection], runs)
        named = ids_of(baseline, runs, asked)
        request = ComparisonRequest(collection, asked, baseline=named, **options)
        comparison = compare_runs(warehouse, request)
    if output in ("table", *DOCUMENT_FORMATS):
        console.write_paragraphs(conclusions_of(comparison), output)
        console.write_tables(tables_of(comparison), output)
    else:
        console.write_rows(comparison.rows.columns, comparison.rows.rows(), output)
    console.notes([*remarks, *comparison.remarks])
    if figure:
        # If standard output is closed, this line ends the command before a figure is drawn.
        sys.stdout.flush()
        from poolhouse.figures.comparison import TITLE, specification
        from poolhouse.figures.files import write_figure

        write_figure(specification(comparison.rows), TITLE, collection, style, figure)
        console.remark(f"figure: {figure}")
    can_be_adjusted = comparison.rows["n_unjudged"].count() > 0
    if can_be_adjusted and (file := first_new(runs, asked)):
        say_next("adjust", file, "--collection", collection)
        return
    name = quoted_text(collection)
    say_next("sql", f"from audit_runs select run_id, remarks where collection_id = {name}")
