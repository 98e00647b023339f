"""`poolhouse figure`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.commands.run_argument import runs_of
from poolhouse.command_line.figure_options import style_options
from poolhouse.command_line.options import (
    collection_option,
    examples,
    file_option,
    say_next,
    source_option,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import EXPERIMENTS, FIGURES

if TYPE_CHECKING:
    from poolhouse.figures.style import Style
    from poolhouse.warehouse.file import Warehouse

_OF_TWO_RUNS = "two_runs"


@click.command(
    short_help="Draw a figure of a collection, for a paper or for print.",
    epilog=examples(
        "figure left_out_scores --collection mine -o left_out.svg",
        "figure estimates --collection mine --width 84mm -o estimates.pdf",
        "figure two_runs --collection mine --runs run-a run-b -o two.svg",
    ),
)
@click.argument("name", type=click.Choice([*FIGURES, *EXPERIMENTS]), metavar="NAME")
@collection_option("The collection to draw.", required=True)
@file_option("Where to draw it; the end of the name says the format: svg, pdf or png.")
@click.option(
    "-m", "--measure", help="The measure, in figures that show one.  [default: AP or P@10]"
)
@click.option(
    "--runs",
    nargs=2,
    metavar="RUN RUN",
    help="The runs that `two_runs` compares: loaded runs, or run files.",
)
@style_options
@source_option
def figure(
    name: str,
    collection: str,
    file: Path,
    measure: str | None,
    runs: tuple[str, str] | None,
    style: "Style",
    warehouse: "Warehouse",
) -> None:
    """Draw the figure NAME of a collection into a file.

    The figures of a report are unjudged_and_scores, judged_by_rank, unique_relevant,
    left_out_scores, left_out_places, estimator_errors, estimates, expected_relevance, new_places
    and two_runs; with several authors of judgements author_verdicts, author_scores and
    filling_errors; and before anything is judged pool_sizes, topic_pool_sizes and
    run_contributions. The figures of experiments are bias, systems, topics and intervals. A report
    shows what each looks like, and how to read it.
    """
    from poolhouse.command_line import console

    if (name == _OF_TWO_RUNS) != (runs is not None):
        verb = "belongs to" if runs else "is needed for"
        raise click.UsageError(f"--runs RUN RUN {verb} the figure {_OF_TWO_RUNS}")
    if name in EXPERIMENTS:
        if measure is not None:
            raise PoolhouseError(f"{name} has no choice of a measure")
        from poolhouse.experiments.findings import draw_figure as draw_experiment
        from poolhouse.figures.files import check_place

        check_place(file, warehouse)
        draw_experiment(warehouse, collection, name, file, style)
    else:
        from poolhouse.figures.drawing import FigureRequest, draw_figure, values_of_two_runs

        values: dict[str, object] = {}
        remarks: list[str] = []
        with warehouse.read():  # stays open for all queries
            if runs:
                asked, remarks = runs_of(warehouse, [collection], runs)
                values = values_of_two_runs(warehouse, collection, asked)
            request = FigureRequest(name, collection, measure, values)
            told = draw_figure(warehouse, request, file, style)
        console.remark(told)
        console.notes(remarks)
    console.remark(f"figure: {file}")
    say_next("report", collection, "-o", "report.html")
