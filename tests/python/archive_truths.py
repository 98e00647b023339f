"""TREC-8 with its pool cut at depth 10, built with each truth beyond the depth, and kept."""

from dataclasses import replace

from archive import TREC8
from kept import put_kept
from poolhouse.building.build import build
from poolhouse.building.choosing import change_setting, setting_named
from poolhouse.loading.load import load_collection
from poolhouse.option_values import How
from poolhouse.warehouse.file import Warehouse

TRUTHS = ("paper", "tool")
SHALLOW = replace(TREC8, pool_depth=10)


def put_truth(warehouse: Warehouse, truth: str) -> None:
    """Put TREC-8 of depth 10, built with this truth."""
    make = make_paper if truth == "paper" else make_tool
    put_kept(warehouse, f"trec8-adhoc by the truth of the {truth}", make, SHALLOW.request().paths)


def make_paper(warehouse: Warehouse) -> None:
    """Load and build it; the truth of the paper is the default."""
    load_collection(warehouse, SHALLOW.request())
    assert build(warehouse).built == (TREC8.name,)


def make_tool(warehouse: Warehouse) -> None:
    """Build the tables that are stale with the other truth."""
    put_truth(warehouse, "paper")
    change_setting(warehouse, setting_named("truth_beyond_depth"), How.SET, ["tool"])
    assert build(warehouse).built == (TREC8.name,)
