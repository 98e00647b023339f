"""`poolhouse adjust`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.commands.run_argument import run_of
from poolhouse.command_line.options import (
    collection_option,
    examples,
    format_option,
    input_path,
    say_next,
    source_option,
)
from poolhouse.option_values import DOCUMENT_FORMATS

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Score a run that was not pooled, as if it had been pooled.",
    epilog=examples(
        "adjust my.run --collection my-collection",
        "adjust my.run --collection my-collection --format csv",
    ),
)
@click.argument("run_file", type=input_path)
@collection_option("The collection whose topics the run answers.", required=True)
@click.option(
    "--common-topics",
    type=input_path,
    metavar="QRELS",
    help="Judgements of the common topics: topics on which this run was judged too. The gain of "
    "the run on these topics is expected on all topics.",
)
@click.option(
    "--organization",
    metavar="NAME",
    help="The organization that made the run, if runs of it are loaded. What they alone "
    "contributed says less of this run.  [default: the one of the loaded run of the same name]",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Load the run as well. It counts as not pooled, unless the loaded descriptions say that "
    "it was pooled.",
)
@click.option(
    "--all",
    "all_estimates",
    is_flag=True,
    help="Also show the estimates of every estimator.",
)
@format_option
@source_option
def adjust(
    run_file: Path,
    collection: str,
    common_topics: Path | None,
    organization: str | None,
    keep: bool,
    all_estimates: bool,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Score the run of RUN_FILE, which need not be loaded, as if every document were judged.

    For each measure whose bias is estimated, the command shows the score as it is, the scores
    that judging all documents above the cutoff could give, and the score that is expected then,
    with its interval or its expected error; or it says that the score cannot be told. The place
    is among the pooled runs, for the score that is expected if this run is pooled too. --all shows
    every estimate of that score, and the place among all runs; this place is a mixture, since the
    other runs that were not pooled are not adjusted.

    With --common-topics the command also shows estimates from these topics, with intervals of
    95 % by Student's t. A table shows an estimate outside of the possible scores as the nearest of
    these, and says `above` or `below`. The possible scores are the scores that pooling could give
    (`if pooled`), or, for estimates from common topics, that full judgements could (`if judged`).

    csv and json have a row for each measure, treatment of unjudged documents and estimator, with
    the estimates as they are (adjusted_score) and inside the possible scores (clipped_score), and
    their intervals of 68 and 95 % (ci); estimates from common topics have intervals by the normal
    distribution, Student's t and the bootstrap. if_judged is the score if every document is judged.
    """
    from poolhouse.command_line import console
    from poolhouse.loading.line_files import read_qrels
    from poolhouse.scoring.estimating.adjusting import adjust as adjust_run
    from poolhouse.scoring.estimating.adjustment_tables import tables_of

    run = run_of(run_file)
    judged = read_qrels(common_topics) if common_topics else None
    judgements = judged.rows if judged else None
    adjustment = adjust_run(
        warehouse, collection, run.rows, run.run_id, judgements, organization=organization
    )
    if output in ("table", *DOCUMENT_FORMATS):
        tables = tables_of(adjustment, run.run_id, collection, all_estimates=all_estimates)
        console.write_tables(tables, output)
    else:
        scores = adjustment.scores
        console.write_rows(scores.columns, scores.rows(), output)
    rejections = [*run.remarks, *(judged.remarks if judged else ())]
    console.notes([*rejections, *adjustment.remarks])
    console.remark(adjustment.advice, "bold")
    if keep:
        from poolhouse.loading.keeping import keep_run

        kept = keep_run(warehouse, collection, run.run_id, run.path, common_topics)
        for text in kept.remarks:
            console.remark(text)
        if not kept.is_new:
            console.remark("nothing new")
        say_next("build" if kept.is_new else "status")
    elif not adjustment.is_loaded:
        say_next("adjust", str(run_file), "--collection", collection, "--keep")
