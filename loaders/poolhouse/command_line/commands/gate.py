"""`poolhouse gate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.commands.run_argument import runs_of
from poolhouse.command_line.options import (
    examples,
    next_command,
    say_next,
    source_option,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.comparing.requests import GateRequest

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse

_file = click.Path(dir_okay=False, path_type=Path)
_from_0 = click.FloatRange(min=0)


@click.command(
    short_help="Pass or fail a run against a baseline, for continuous integration.",
    epilog=examples(
        "gate my.run --baseline run-a --collection my-collection -m nDCG@10",
        "gate my.run --baseline old --collection mine -m AP --max-loss .02",
    ),
)
@click.argument("run")
@options_of(GateRequest, max_loss={"type": _from_0}, min_gain={"type": _from_0})
@click.option("--json", "json_file", type=_file, metavar="FILE", help="File for all figures.")
@click.option("--junit", "junit_file", type=_file, metavar="FILE", help="File for a JUnit report.")
@click.option(
    "--markdown",
    "markdown_file",
    type=_file,
    metavar="FILE",
    help="File for a pull request.",
)
@click.option(
    "--to-judge",
    "list_file",
    type=_file,
    metavar="FILE",
    help="If nobody can tell, and judgements would: file for a list of documents to judge, as of "
    "pool make --settle. It must not exist.",
)
@source_option
@click.pass_context
def gate(
    context: click.Context,
    /,
    run: str,
    baseline: str,
    collection: str,
    measures: tuple[str, ...],
    json_file: Path | None,
    junit_file: Path | None,
    markdown_file: Path | None,
    list_file: Path | None,
    warehouse: "Warehouse",
    **allowed: Any,  # noqa: ANN401 - fields of GateRequest
) -> None:
    """Say whether RUN passes, or is worse than the baseline if every document were judged.

    RUN and the baseline are loaded runs, or else run files. Without --max-loss and --min-gain, RUN
    fails if it is significantly worse, as judged and if every document were judged. With one of
    them, the interval of the difference decides. Several measures make the intervals wider, so that
    a run without a change fails by any of them in at most 5 % of cases.

    The exit status is 0 if RUN passes, 1 if it fails, and 3 if nobody can tell. It is 2 for wrong
    usage, and 4 for an error. The files are written in each of the first three cases.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.commands.settling_lists import USUAL_BUDGET, write_settling_list
    from poolhouse.comparing.gate_reports import as_markdown, as_object, junit, lines_of
    from poolhouse.comparing.gating import gate as gate_run
    from poolhouse.output.cells import json_text
    from poolhouse.pooling.assessing import refuse_existing
    from poolhouse.pooling.settling import SettlingRequest
    from poolhouse.scoring.asked_runs import NewRun, names_of
    from poolhouse.warehouse.whole import publish, refuse_place_of_warehouse

    for file in filter(None, (json_file, junit_file, markdown_file)):
        refuse_place_of_warehouse(file, warehouse.path, "result")
    if list_file:
        refuse_existing(list_file)
    (asked, other), remarks = runs_of(warehouse, [collection], [run, baseline])
    if isinstance(asked, NewRun) and run != baseline and [asked.run_id] == names_of([other]):
        # Two versions of a system often have files of one name.
        asked = NewRun(run, asked.rows)
    request = GateRequest(asked, other, collection=collection, measures=measures, **allowed)
    result = gate_run(warehouse, request)
    to_settle: tuple[str, ...] = ()
    if measure := result.measure_to_settle:
        to_settle = ("pool", "make", collection, "--settle", run, baseline, "-m", measure)
        to_settle += ("--budget", str(USUAL_BUDGET), "-o", "FILE")
    command = next_command(*to_settle) if to_settle else None
    if json_file:
        publish(json_file, f"{json_text(as_object(request, result, command), indent=2)}\n")
    if junit_file:
        publish(junit_file, junit(request, result))
    if markdown_file:
        publish(markdown_file, as_markdown(request, result, command))
    console.write_sentences(lines_of(result))
    console.notes([*remarks, *result.remarks])
    style = {0: "green", 1: "red"}.get(result.exit_status, "yellow")
    console.remark(f"{result.verdict} (exit status {result.exit_status})", style)
    if measure and list_file:
        pair = [asked, other]
        to_judge = SettlingRequest(collection, pair, USUAL_BUDGET, measure)
        write_settling_list(warehouse, to_judge, list_file)
    elif to_settle:
        say_next(*to_settle)
    else:
        say_next("compare", run, baseline, "--collection", collection, "-m", measures[0])
    context.exit(result.exit_status)
