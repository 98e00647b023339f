"""Warehouses of the real collections, made as a user would, and kept."""

from archive import TREC2, TREC8, TREC_COVID
from kept import put_kept
from poolhouse.building.build import build
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse

MARTS_OF = (TREC2, TREC8, TREC_COVID)


def put_marts(warehouse: Warehouse) -> None:
    """Put all three collections, loaded and built."""
    files = [file for each in MARTS_OF for file in each.request().paths]
    put_kept(warehouse, "archives", make_marts, files)


def make_marts(warehouse: Warehouse) -> None:
    """Load and build all three collections."""
    for each in MARTS_OF:
        load_collection(warehouse, each.request())
    assert build(warehouse).failed == ()
