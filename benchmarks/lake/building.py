"""Time the builds of an archive: in a warehouse, and as a lake on an engine."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from commands import Cost, run
from poolhouse.building.settings import plan_by_choice
from poolhouse.lake.manifest import Publication, read_manifest
from poolhouse.lake.place import Place

from .servers import Server
from .sessions import Watcher

PLAIN = "one warehouse"


@dataclass(frozen=True)
class Figures:
    """The cost of a build, and of the next one, for which nothing has changed.

    `collections` has the publications of a lake by the name of the collection.
    """

    engine: str
    first: Cost
    unchanged: Cost
    megabytes: float
    collections: dict[str, Publication] = field(default_factory=dict)

    def told(self) -> str:
        """Return the figures in a line."""
        return (
            f"{self.engine}: {self.first.seconds:.1f} s, {self.first.cpu_seconds:.1f} CPU s, "
            f"{self.megabytes:.1f} MB; unchanged {self.unchanged.seconds:.1f} s"
        )


def plain_figures(archive: Path, warehouse: Path) -> Figures:
    """Time `load --archive` and `build`, twice. The plan is compiled before."""
    plan_by_choice({}, lambda _: None)
    first, unchanged = (_loaded_and_built(archive, warehouse) for _ in range(2))
    return Figures(PLAIN, first, unchanged, warehouse.stat().st_size / 1e6)


def lake_figures(engine: str, archive: Path, lake: Path, server: Server | None) -> Figures:
    """Time `lake build`, twice."""
    first, unchanged = (_lake_built(archive, lake, server) for _ in range(2))
    manifest, _ = read_manifest(Place(str(lake)))
    n_bytes = sum(file.stat().st_size for file in _files(lake))
    return Figures(engine, first, unchanged, n_bytes / 1e6, manifest.published())


def _loaded_and_built(archive: Path, warehouse: Path) -> Cost:
    load = run("load", "--archive", str(archive), "--db", str(warehouse))
    build = run("build", "--db", str(warehouse))
    return Cost(
        load.seconds + build.seconds,
        load.cpu_seconds + build.cpu_seconds,
        max(load.megabytes, build.megabytes),
    )


def _lake_built(archive: Path, lake: Path, server: Server | None) -> Cost:
    options = ("--spark", server.url) if server else ()
    with Watcher(server.sessions if server else []) as watcher:
        cost = run("lake", "build", str(archive), "--to", str(lake), *options)
    return Cost(cost.seconds, cost.cpu_seconds + watcher.cpu_seconds, cost.megabytes)


def _files(lake: Path) -> Iterator[Path]:
    return (path for path in lake.rglob("*") if path.is_file())
