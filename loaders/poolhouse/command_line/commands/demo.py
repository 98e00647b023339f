"""`poolhouse demo`."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import demo_db_option, examples, format_option, work_options

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


# Commands to continue with: the pictures, the errors of the estimators, the collections.
_NEXT_COMMANDS = (
    "report -o report.html",
    "cookbook best_estimators --run",
    "cookbook compare_collections --run",
)
# Data of the user are loaded into another warehouse.
_OWN_DATA = "load my-collection --runs FOLDER --qrels FILE --descriptions FILE"


@click.command(
    short_help="Simulate, load and build a small archive, and show its findings.",
    epilog=examples("demo", "demo --seed 7 --db demo-7.duckdb"),
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=2026,
    show_default=True,
    help="Seed of the simulation.",
)
@work_options
@format_option
@demo_db_option
def demo(seed: int, output: str, warehouse: "Warehouse") -> None:
    """Simulate a small archive with known relevance, load and build it, and show the findings.

    The demo uses its own warehouse file. It refuses a warehouse that holds collections of yours.
    """
    from poolhouse.building.build import build
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.demo.archive import load_all, simulated_requests

    folder, requests = simulated_requests(warehouse, seed)
    console.remark(f"simulated {len(requests)} collections as run files and qrels in {folder}")
    with progress_bar("loading") as bar:
        load_all(warehouse, requests, bar.show)
    with progress_bar("building") as bar:
        report = build(warehouse, [request.collection for request in requests], bar.show)
    for text in report.failed:
        console.remark(f"Error: {text}", "red")
    _show(warehouse, folder, output)


def _show(warehouse: "Warehouse", folder: Path, output: str) -> None:
    from poolhouse.command_line import console
    from poolhouse.demo.archive import FINDINGS, MEASURE
    from poolhouse.warehouse.queries import run_query

    title = f"{MEASURE} when one organization at a time is left out of the pool"
    findings = run_query(warehouse, FINDINGS)
    if output != "table":
        console.write_rows(findings.columns, findings.rows, output, title)
        console.remark(f"warehouse: {warehouse.path}; its run files and qrels: {folder}")
        return
    # One column per collection, because the names of its figures are longer than their values.
    names, *figures = zip(*findings.rows, strict=True)
    rows = [(figure, *values) for figure, values in zip(findings.columns[1:], figures, strict=True)]
    console.write_table(["collection", *map(str, names)], rows, title)
    sys.stdout.write(
        "bias: score without the contributions of the run's organization, less the true score.\n"
        "error: distance of the estimate from the true score, which is known: each pool is\n"
        "deep enough to hold a run's top 10. Means over the pooled runs.\n\n"
        f"warehouse: {warehouse.path}   its run files and qrels: {folder}\n"
        f"continue with:\n{_next_commands(warehouse)}\n"
    )


def _next_commands(warehouse: "Warehouse") -> str:
    command = "uv run poolhouse" if "UV" in os.environ else "poolhouse"
    file = shlex.quote(str(warehouse.path))
    shown = "".join(f"  {command} {each} --db {file}\n" for each in _NEXT_COMMANDS)
    return f"{shown}  {command} {_OWN_DATA}"
