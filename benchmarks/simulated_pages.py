"""Simulate any number of collections of a page, and changes to a warehouse that holds them."""

import gzip
from collections.abc import Callable
from pathlib import Path

from poolhouse.demo.running import as_pooled
from poolhouse.demo.simulator import (
    CollectionRecipe,
    OrganizationRecipe,
    SimulatedCollection,
    simulate,
)
from poolhouse.loading.load import LoadRequest, load_collection
from poolhouse.loading.removal import remove
from poolhouse.warehouse.file import Warehouse

SEED = 2026

Change = Callable[[Warehouse], None]

_ORGANIZATIONS = (
    OrganizationRecipe("ash", pooled_runs=2, unpooled_runs=1),
    OrganizationRecipe("yew", pooled_runs=2),
)
_POOLED, _NOT_POOLED = "ash1", "ash3"


class Pages:
    """Simulated collections by number, written to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, warehouse: Warehouse, number: int) -> None:
        """Load a collection."""
        load_collection(warehouse, as_pooled(self._collection(number)))

    def changes(self, new: int) -> dict[str, Change]:
        """Return changes by name: of collection 0, and the addition of collection `new`."""
        page = self._collection(0)

        def load_qrels(warehouse: Warehouse) -> None:
            shortened = self.folder / "qrels.txt"
            shortened.write_bytes(_without_last_line(page.qrels.read_bytes()))
            load_collection(warehouse, LoadRequest(page.name, qrels=shortened))

        return {
            "a changed run, not pooled": run_changed(page.name, page.runs / f"{_NOT_POOLED}.gz"),
            "a changed run, pooled": run_changed(page.name, page.runs / f"{_POOLED}.gz"),
            "changed qrels": load_qrels,
            "a collection added": lambda warehouse: self.load(warehouse, new),
            "a collection removed": lambda warehouse: remove(warehouse, page.name),
        }

    def _collection(self, number: int) -> SimulatedCollection:
        """Write five runs of two organizations; each run has ten lines for each of three topics."""
        recipe = CollectionRecipe(
            name=f"page-{number:03}",
            title=f"Page {number}",
            document_prefix=f"P{number}",
            first_topic=1,
            pool_depth=4,
            organizations=_ORGANIZATIONS,
            n_topics=3,
            n_documents=40,
            run_depth=10,
            relevant=8,
        )
        [collection] = simulate(self.folder, SEED, [recipe])
        return collection


def run_changed(collection: str, file: Path) -> Change:
    """Load a run without the last line of its file, in place of the whole run."""

    def load_run(warehouse: Warehouse) -> None:
        shortened = warehouse.path.with_name(file.name)
        text = gzip.decompress(file.read_bytes())
        shortened.write_bytes(gzip.compress(_without_last_line(text), 1))
        load_collection(warehouse, LoadRequest(collection, (shortened,)))

    return load_run


def _without_last_line(text: bytes) -> bytes:
    return b"".join(text.splitlines(keepends=True)[:-1])
