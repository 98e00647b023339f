"""`poolhouse score`."""

import sys
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.commands.run_argument import runs_of
from poolhouse.command_line.options import (
    collection_names,
    db_option,
    examples,
    say_next,
    score_format_option,
)
from poolhouse.option_values import DOCUMENT_FORMATS, TREC_EVAL, USUAL_MEASURES

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Score a run by any measure, without loading it.",
    epilog=examples(
        "score my.run --collection my-collection",
        "score my.run --collection my-collection -m AP -m P@5 --by-topic",
        "score my.run --collection my-collection -m map --format trec_eval",
    ),
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--collection",
    required=True,
    help="The collection whose topics the runs answer.",
    shell_complete=collection_names,
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    default=USUAL_MEASURES,
    show_default=True,
    help="A measure, such as nDCG@10, or its name in trec_eval, such as ndcg_cut_10; may be "
    "repeated.",
)
@click.option("--by-topic", is_flag=True, help="Show each topic as well, as trec_eval -q does.")
@click.option(
    "--complete",
    "is_complete",
    is_flag=True,
    help="With trec_eval: count topics that the run does not answer as empty rankings, as "
    "trec_eval -c does. The other formats show both means.",
)
@score_format_option
@db_option
def score(
    runs: tuple[str, ...],
    collection: str,
    measures: tuple[str, ...],
    by_topic: bool,
    is_complete: bool,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Score runs by any measure, as trec_eval does.

    RUN is a loaded run, or else a run file, which need not be loaded. Unjudged documents count as
    not relevant; each score is shown with the number of unjudged documents down to the cutoff, and
    with the score if all of these were relevant. `poolhouse adjust` estimates what the unjudged
    documents would add. csv and json have a row for each run and measure; with --by-topic they have
    a row for each judged topic too.
    """
    from poolhouse.command_line import console
    from poolhouse.scores.score_tables import tables_of, trec_eval_lines
    from poolhouse.scores.scoring import score_runs
    from poolhouse.warehouse.sql_text import quoted_text

    if is_complete and output != TREC_EVAL:
        raise click.UsageError("--complete works only with --format trec_eval")
    asked, remarks = runs_of(warehouse, collection, runs)
    scores = score_runs(warehouse, collection, asked, measures)
    if output == TREC_EVAL:
        console.write_lines(trec_eval_lines(scores, by_topic=by_topic, is_complete=is_complete))
    elif output in ("table", *DOCUMENT_FORMATS):
        console.write_tables(tables_of(scores, collection, by_topic=by_topic), output)
    else:
        rows = scores.by_topic if by_topic else scores.over_topics
        console.write_rows(rows.columns, rows.rows(), output)
    for text in [*remarks, *scores.remarks]:
        console.remark(f"note: {text}", "yellow")
    sys.stdout.flush()
    if isinstance(asked[0], str):  # a loaded run
        run, name = quoted_text(asked[0]), quoted_text(collection)
        say_next(
            "sql", f"from adjusted_leaderboard where collection_id = {name} and run_id = {run}"
        )
    else:
        say_next("adjust", runs[0], "--collection", collection)
