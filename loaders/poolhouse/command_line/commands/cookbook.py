"""`poolhouse cookbook`."""

import sys
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
    from poolhouse.cookbook.entries import Entry
    from poolhouse.warehouse.file import Warehouse


def _names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of entries that begin with the incomplete text, for a shell."""
    from poolhouse.cookbook.entries import entries

    return [each.name for each in entries() if each.name.startswith(incomplete)]


@click.command(
    short_help="Questions that evaluators ask, and their SQL.",
    epilog=examples(
        "cookbook",
        "cookbook hardest_topics",
        "cookbook hardest_topics --collection my-collection",
        "cookbook run_by_topic --run-id my-run --format csv",
    ),
)
@click.argument("name", required=False, shell_complete=_names)
@click.option("--run", "is_run", is_flag=True, help="Run the SQL on the warehouse.")
@collection_option("The collection to ask about.  [default: the only judged collection]")
@click.option(
    "--run-id",
    metavar="RUN",
    help="The run to ask about, if the question is about a run.  [default: the best]",
)
@click.option("-m", "--measure", help="The measure to ask about, if the question has one.")
@click.option(
    "--value",
    "others",
    metavar="NAME=VALUE",
    multiple=True,
    help="The value of any other parameter of the question.",
)
@format_option
@source_option
def cookbook(
    name: str | None,
    is_run: bool,
    collection: str | None,
    run_id: str | None,
    measure: str | None,
    others: tuple[str, ...],
    output: str,
    warehouse: "Warehouse",
) -> None:
    """List the questions that evaluators ask, show the SQL that answers one, or run the SQL.

    Without a NAME the questions are listed. With a NAME the command shows notes, the SQL and a
    sample of the answer; the sample is from the demo. With --run, or with a value of a parameter,
    such as --collection, the SQL is run on the warehouse.
    """
    from poolhouse.cookbook.entries import entry_named

    asked = {"collection": collection, "run_id": run_id, "measure": measure}
    given = {parameter: value for parameter, value in asked.items() if value is not None}
    for other in others:
        parameter, mark, value = other.partition("=")
        if not mark:
            raise click.BadParameter(f"{other!r} is not NAME=VALUE", param_hint="--value")
        given[parameter] = value
    if name is None and (is_run or given):
        option = "run" if is_run else "value" if others else next(iter(given)).replace("_", "-")
        raise click.UsageError(f"--{option} needs the name of a question")
    if name is None:
        _list(output)
    elif is_run or given:
        _answer(warehouse, entry_named(name), given, output)
    else:
        _show(entry_named(name), output)


def _list(output: str) -> None:
    from poolhouse.command_line import console
    from poolhouse.cookbook.entries import entries

    rows = [(each.name, each.question, each.about) for each in entries()]
    columns = ("name", "question", "about")
    if output == "table":
        # The rows are in the order of `about` already; a third column would not fit 80 characters.
        console.write_rows(columns[:2], [row[:2] for row in rows], output)
    else:
        console.write_rows(columns, rows, output)
    say_next("cookbook", entries()[0].name)


def _show(entry: "Entry", output: str) -> None:
    from poolhouse.building.plan import plan_of
    from poolhouse.command_line import console
    from poolhouse.cookbook.entries import PAPERS, compiled

    if entry.about == PAPERS:
        entry = compiled(entry, plan_of({}, console.remark))
    if output == "table":
        sys.stdout.write(entry.text)
    else:
        parts = {
            "name": entry.name,
            "about": entry.about,
            "question": entry.question,
            "notes": entry.notes,
            "parameters": dict(entry.parameters),
            "sql": entry.sql,
            "sample": entry.sample,
        }
        console.write_rows(list(parts), [list(parts.values())], output)
    named = ("--collection", "COLLECTION") if "collection" in entry.parameters else ("--run",)
    say_next("cookbook", entry.name, *named)


def _answer(warehouse: "Warehouse", entry: "Entry", given: dict[str, str], output: str) -> None:
    from poolhouse.command_line import console
    from poolhouse.cookbook.answers import answer

    result = answer(warehouse, entry, given)
    console.write_rows(result.columns, result.rows, output, entry.question)
    console.notes([entry.notes])
    say_next("cookbook", entry.name)
