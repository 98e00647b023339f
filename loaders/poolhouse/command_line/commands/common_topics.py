"""`poolhouse common-topics`."""

from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import (
    collection_option,
    examples,
    format_option,
    say_next,
    source_option,
)

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    "common-topics",
    short_help="Say how many common topics a new run needs.",
    epilog=examples("common-topics --collection my-collection --standard-error 0.01"),
)
@collection_option("The collection of the new run.", required=True)
@click.option(
    "--standard-error",
    required=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Standard error of the adjusted score, in units of the measure, such as 0.01.",
)
@format_option
@source_option
def common_topics(
    collection: str, standard_error: float, output: str, warehouse: "Warehouse"
) -> None:
    """Say how many common topics a new run needs so that its adjusted score has a standard error.

    Common topics are topics on which the new run is judged as the pooled runs are. The number is
    inferred from the pooled runs: how many common topics each of them would have needed, had it not
    been pooled (planning.common_topics_needed in SQL). Webber & Park (2009, section 3.1) call such
    an inference from some systems to another system doubtful.
    """
    from poolhouse.command_line import console
    from poolhouse.scoring.estimating.common_topics_needed import DOUBT, common_topics_needed

    result = common_topics_needed(warehouse, collection, standard_error)
    title = f"common topics for a standard error of {standard_error:g} on {collection}"
    console.write_rows(result.columns, result.rows, output, title)
    console.notes([DOUBT])
    say_next(
        *("adjust", "RUN_FILE", "--collection", collection, "--common-topics", "QRELS"),
    )
