"""`poolhouse adjust`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.option_values import DEFAULT_LIMIT, DOCUMENT_FORMATS
from poolhouse.options import (
    collection_names,
    db_option,
    examples,
    format_option,
    input_path,
    say_next,
)

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse


@click.command(
    short_help="Score a run that was not pooled, as if it had been.",
    epilog=examples(
        "adjust my.run --collection my-collection",
        "adjust my.run --collection my-collection --format csv",
    ),
)
@click.argument("run_file", type=input_path)
@click.option(
    "--collection",
    required=True,
    help="The collection whose topics the run answers.",
    shell_complete=collection_names,
)
@click.option(
    "--common-topics",
    type=input_path,
    metavar="QRELS",
    help="Judgements of topics on which this run was judged too: what it gains there is expected "
    "of it everywhere.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Load the run as well, as one that was not pooled, unless the descriptions that are "
    "loaded say that it was.",
)
@format_option
@db_option
def adjust(
    run_file: Path,
    collection: str,
    common_topics: Path | None,
    keep: bool,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Score the run of RUN_FILE, which need not be loaded, as if it had been in the pool.

    For each measure whose bias is estimated: the score as it is, what its unjudged documents leave
    open (lower and upper bound), what each estimator makes of it, and the place that this would
    have among the pooled runs; beside it that among all runs, a mixture, since those that were
    not pooled are not adjusted. With --common-topics, estimates from these as well, with
    intervals of 68 and 95 % by the normal distribution, Student's t and the bootstrap. csv and
    json have a row for each measure, treatment of unjudged documents and estimator.
    """
    from poolhouse import console
    from poolhouse.adjusting import adjust as adjust_run
    from poolhouse.adjustment_tables import tables_of
    from poolhouse.keeping import keep_run
    from poolhouse.line_files import parse_qrels_file, parse_run_file, rejection
    from poolhouse.parsers import read_source, run_id_of
    from poolhouse.run_files import run_files

    path, *others = run_files([run_file])
    if others:
        raise click.UsageError(f"{run_file} holds {len(others) + 1} runs: name one of them")
    run_id = run_id_of(path.name)
    parsed = parse_run_file(read_source(path, DEFAULT_LIMIT))
    files = [(path, parsed)]
    if common_topics:
        files.append((common_topics, parse_qrels_file(read_source(common_topics, DEFAULT_LIMIT))))
    judgements = files[1][1].rows if common_topics else None
    adjustment = adjust_run(warehouse, collection, parsed.rows, run_id, judgements)
    if output in ("table", *DOCUMENT_FORMATS):
        console.write_tables(tables_of(adjustment, run_id, collection), output)
    else:
        scores = adjustment.scores
        console.write_rows(scores.columns, scores.rows(), output)
    rejections = [
        f"{file.name}: {rejection(each)}" for file, each in files if not each.rejected.is_empty()
    ]
    for text in [*rejections, *adjustment.remarks]:
        console.remark(f"note: {text}", "yellow")
    if keep:
        kept = keep_run(warehouse, collection, run_id, path, common_topics)
        for text in kept.remarks:
            console.remark(text)
        if not kept.is_new:
            console.remark("nothing new")
        say_next("build" if kept.is_new else "status")
    else:
        say_next("adjust", str(run_file), "--collection", collection, "--keep")
