"""The archive of the demo: simulated, and loaded like a real one."""

from collections.abc import Sequence
from pathlib import Path

from poolhouse.building.choosing import standings
from poolhouse.building.staleness import collection_states
from poolhouse.demo.simulator import RECIPES, SimulatedCollection, simulate
from poolhouse.errors import PoolhouseError, WarehouseMissingError
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.progress import Progress
from poolhouse.warehouse.file import Warehouse

FINDINGS = (Path(__file__).parent / "demo_findings.sql").read_text(encoding="utf-8")
MEASURE = "P@10"
# The author of the labels of a simulated model.
_JUDGE = "model"


def simulated_requests(warehouse: Warehouse, seed: int) -> tuple[Path, list[LoadRequest]]:
    """Simulate collections, and return their folder, which is beside the warehouse, and requests.

    Raise PoolhouseError where the warehouse holds other collections, or its settings leave nothing
    to show.
    """
    warehouse.refuse_what_is_none()
    _refuse_others(warehouse)
    _refuse_without_measure(warehouse)
    folder = warehouse.path.with_name(f"{warehouse.path.stem}-files")
    return folder, [as_pooled(collection) for collection in simulate(folder, seed)]


def load_all(warehouse: Warehouse, requests: Sequence[LoadRequest], progress: Progress) -> None:
    """Load all collections in one change, since each change copies and opens the warehouse."""
    with warehouse.change() as change:
        with warehouse.side() as connection:
            reports = []
            for done, request in enumerate(requests):
                progress(request.collection, done, len(requests))
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
        if each.setting.name == "bias_measures" and MEASURE not in each.value:
            raise PoolhouseError(
                f"{warehouse.path}: the demo shows {MEASURE}, which bias_measures lacks here: add "
                f"it (poolhouse settings bias_measures --add {MEASURE}), or name another "
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
