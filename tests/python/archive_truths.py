"""TREC-8 with its pool cut at depth 10, built with each truth beyond the depth, and kept."""

from archive import TREC8
from archive_warehouses import MARTS_OF, files_of, put_marts
from kept import put_kept
from poolhouse.building.build import build
from poolhouse.building.choosing import change_setting, setting_named
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove_from
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import How
from poolhouse.warehouse.file import Warehouse

TRUTHS = ("paper", "tool")


def put_truth(warehouse: Warehouse, truth: str) -> None:
    """Put TREC-8 of depth 10, built with this truth."""
    make = make_paper if truth == "paper" else make_tool
    put_kept(warehouse, f"trec8-adhoc by the truth of the {truth}", make, files_of(MARTS_OF))


def make_paper(warehouse: Warehouse) -> None:
    """Cut the pool of the kept TREC-8, and build what depends on it.

    The truth of the paper is the default.
    """
    put_marts(warehouse)
    with warehouse.change(), warehouse.side() as connection:
        for each in MARTS_OF:
            if each is not TREC8:
                remove_from(connection, each.name)
    load_collection(warehouse, LoadRequest(TREC8.name, depth=10))
    assert build(warehouse).built == (TREC8.name,)


def make_tool(warehouse: Warehouse) -> None:
    """Build the tables that are stale with the other truth."""
    put_truth(warehouse, "paper")
    change_setting(warehouse, setting_named("truth_beyond_depth"), How.SET, ["tool"])
    assert build(warehouse).built == (TREC8.name,)
