"""`poolhouse plan`."""

from typing import TYPE_CHECKING

import click

from poolhouse.options import db_option, format_option

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse


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
def plan(collection: str, standard_error: float, output: str, warehouse: "Warehouse") -> None:
    """Say how many common topics a new run needs to be adjusted to a standard error.

    That is, topics for which it is judged as the pooled runs are. Taken from the pooled runs: how
    many each would have needed, had it not been pooled (common_topics_needed in SQL). That is an
    inference from systems to another one, which Webber & Park (2009, section 3.1) call doubtful.
    """
    from poolhouse import console
    from poolhouse.planning import DOUBT, common_topics_needed

    result = common_topics_needed(warehouse, collection, standard_error)
    console.write_rows(result.columns, result.rows, output)
    console.remark(f"note: {DOUBT}", "yellow")
