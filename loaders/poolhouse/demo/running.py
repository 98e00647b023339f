"""The demo: a simulated archive, loaded and built like a real one."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from poolhouse.building.build import build
from poolhouse.building.choosing import standings
from poolhouse.building.staleness import collection_states
from poolhouse.command_line import console
from poolhouse.command_line.progress import progress_bar
from poolhouse.demo.simulator import RECIPES, SimulatedCollection, simulate
from poolhouse.errors import PoolhouseError, WarehouseMissingError
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

FINDINGS = (Path(__file__).parent / "demo_findings.sql").read_text(encoding="utf-8")
_MEASURE = "P@10"
# The author of the labels of a simulated model.
_JUDGE = "model"

_TITLE = f"{_MEASURE} when one organization at a time is left out of the pool"

# Commands to continue with: the pictures, the errors of the estimators, the collections.
_NEXT_COMMANDS = (
    "report -o report.html",
    "cookbook best_estimators --run",
    "cookbook compare_collections --run",
)
# Data of the user are loaded into another warehouse.
_OWN_DATA = "load my-collection --runs FOLDER --qrels FILE --descriptions FILE"


def run_demo(warehouse: Warehouse, seed: int, output: str = "table") -> None:
    """Simulate, load, build, and print the findings and the next commands.

    The simulated files are kept in a folder beside the warehouse. Raise PoolhouseError where the
    warehouse holds other collections, or its settings leave nothing to show.
    """
    warehouse.refuse_what_is_none()
    _refuse_others(warehouse)
    _refuse_without_measure(warehouse)
    folder = warehouse.path.with_name(f"{warehouse.path.stem}-files")
    simulated = simulate(folder, seed)
    console.remark(f"simulated {len(simulated)} collections as run files and qrels in {folder}")
    requests = [as_pooled(collection) for collection in simulated]
    _load(warehouse, requests)
    with progress_bar("building") as bar:
        report = build(warehouse, [request.collection for request in requests], bar.show)
    for text in report.failed:
        console.remark(f"Error: {text}", "red")
    _show(warehouse, folder, output)


def _load(warehouse: Warehouse, requests: Sequence[LoadRequest]) -> None:
    """Load all collections in one change, since each change copies and opens the warehouse."""
    with warehouse.change() as change:
        with warehouse.side() as connection, progress_bar("loading") as bar:
            reports = []
            for done, request in enumerate(requests):
                bar.show(request.collection, done, len(requests))
                reports.append(load_into(connection, request))
        change.abandoned = not any(report.changed for report in reports)


def _refuse_others(warehouse: Warehouse) -> None:
    """Refuse a warehouse or a folder that is not the demo's own."""
    try:
        with warehouse.read() as connection:
            states = collection_states(connection)
    except WarehouseMissingError:
        return
    own = {each.name for each in RECIPES}
    if others := [each.collection_id for each in states if each.collection_id not in own]:
        raise PoolhouseError(
            f"{warehouse.path}: holds collections that are not of the demo, such as {others[0]!r}: "
            "name another file with --db, or leave out --db"
        )


def _refuse_without_measure(warehouse: Warehouse) -> None:
    """Refuse a warehouse whose settings leave nothing to show."""
    for each in standings(warehouse):
        if each.setting.name == "bias_measures" and _MEASURE not in each.value:
            raise PoolhouseError(
                f"{warehouse.path}: the demo shows {_MEASURE}, which bias_measures lacks here: add "
                f"it (poolhouse settings bias_measures --add {_MEASURE}), or name another "
                "warehouse with --db"
            )


def as_pooled(collection: SimulatedCollection) -> LoadRequest:
    """Load the runs with the judgements of the pool, as a campaign publishes them."""
    return LoadRequest(
        collection.name,
        [collection.runs],
        collection.qrels,
        descriptions=collection.descriptions,
        topics=collection.topics,
        title=collection.title,
        depth=collection.pool_depth,
        author_qrels=((_JUDGE, collection.judge),) if collection.judge else (),
        texts=[collection.texts],
        document_frequencies=collection.document_frequencies,
    )


def _show(warehouse: Warehouse, folder: Path, output: str) -> None:
    findings = run_query(warehouse, FINDINGS)
    if output != "table":
        console.write_rows(findings.columns, findings.rows, output, _TITLE)
        console.remark(f"warehouse: {warehouse.path}; its run files and qrels: {folder}")
        return
    # One column per collection, because the names of its figures are longer than their values.
    names, *figures = zip(*findings.rows, strict=True)
    rows = [(title, *values) for title, values in zip(findings.columns[1:], figures, strict=True)]
    console.write_table(["collection", *map(str, names)], rows, _TITLE)
    sys.stdout.write(
        "bias: score without the contributions of the run's organization, less the true score.\n"
        "error: distance of the estimate from the true score, which is known: each pool is\n"
        "deep enough to hold a run's top 10. Means over the pooled runs.\n\n"
        f"warehouse: {warehouse.path}   its run files and qrels: {folder}\n"
        f"continue with:\n{_next_commands(warehouse)}\n"
    )


def _next_commands(warehouse: Warehouse) -> str:
    command = "uv run poolhouse" if "UV" in os.environ else "poolhouse"
    file = shlex.quote(str(warehouse.path))
    shown = "".join(f"  {command} {each} --db {file}\n" for each in _NEXT_COMMANDS)
    return f"{shown}  {command} {_OWN_DATA}"
