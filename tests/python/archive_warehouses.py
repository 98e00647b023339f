"""Warehouses of the real collections, made as a user would, and kept."""

from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from archive import DL_2021, TREC2, TREC8, TREC_COVID, ArchiveCollection
from kept import put_kept
from poolhouse.building.build import build
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

MARTS_OF = (TREC2, TREC8, TREC_COVID)


def put_marts(warehouse: Warehouse) -> None:
    """Put all three collections, loaded and built."""
    put_kept(warehouse, "archives", make_marts, files_of(MARTS_OF))


def make_marts(warehouse: Warehouse) -> None:
    """Load and build all three collections."""
    for each in MARTS_OF:
        load_collection(warehouse, each.request())
    assert build(warehouse).failed == ()


def put_dl_2021(warehouse: Warehouse) -> None:
    """Put the passages of the Deep Learning track of 2021, with the pages of NIST."""
    put_kept(warehouse, DL_2021.name, make_dl_2021, dl_2021().paths)


def make_dl_2021(warehouse: Warehouse) -> None:
    """Load and build them."""
    load_collection(warehouse, dl_2021())
    build(warehouse)


def dl_2021() -> LoadRequest:
    """Return a request to load them."""
    return evolve(DL_2021.request(), descriptions=DL_2021.folder / "nist" / "runs.md")


def files_of(collections: Iterable[ArchiveCollection]) -> list[Path]:
    """Return the files that are loaded of these collections."""
    return [file for each in collections for file in each.request().paths]
