"""Time builds that have little to do.

The builds are of collections of a page, alone in their file or beside a hundred others, of the
demo's collections, and of TREC-2 and TREC-8 where the archive is there. A build is timed as a whole
command, on a copy of a loaded file. A copy for a next build has the path of the file that was built
first, because the files that a build keeps in the cache may belong to a path.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from shutil import copyfile
from statistics import median

import click
import duckdb

from commands import ARCHIVE, build, load, run, run_python
from plain_statements import cpu_seconds, statements_of_build
from poolhouse.command_line import console
from poolhouse.demo.running import as_pooled
from poolhouse.demo.simulator import simulate
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import run_id_of
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from simulated_pages import SEED, Change, Pages, run_changed

COLLECTIONS = ("trec2-adhoc", "trec8-adhoc")

# A build may take this many times the time of its plain statements (F), and some CPU seconds more.
MOST_OF_PLAIN = 1.1
NEXT = 3
FIRST_IN_A_FILE = 4
FIRST_OF_ALL = 20

# A build beside other collections may take this many times the same build alone.
MOST_BESIDE_OTHERS = 1.2

IMPORTS = {"duckdb": "import duckdb", "dbt": "from dbt.cli.main import dbtRunner"}


@dataclass(frozen=True)
class Timed:
    """CPU seconds of each repeat, and a build's budget.

    `alone` is the time of the same build without other collections.
    """

    scenario: str
    cpu_seconds: list[float]
    plain: float | None = None
    allowance: int | None = None
    alone: "Timed | None" = None

    @property
    def median(self) -> float:
        """The median of the CPU seconds, which is compared with the budget."""
        return median(self.cpu_seconds)

    def row(self) -> tuple[object, ...]:
        """Return median, least, most, F, the budget, and the ratio to the same build alone."""
        spread = (self.median, min(self.cpu_seconds), max(self.cpu_seconds))
        plain = budget = ratio = ""
        is_kept = True
        if self.plain is not None and self.allowance is not None:
            most = MOST_OF_PLAIN * self.plain + self.allowance
            plain, budget = f"{self.plain:.2f}", f"{most:.2f}"
            is_kept = self.median <= most
        if self.alone:
            times = self.median / self.alone.median
            ratio = f"{times:.2f}"
            is_kept = is_kept and times <= MOST_BESIDE_OTHERS
        figures = (*(f"{value:.2f}" for value in spread), plain, budget, ratio)
        return self.scenario, *figures, "" if is_kept else "no"


@dataclass(frozen=True)
class Site:
    """A folder with one warehouse, and with copies of its earlier states."""

    folder: Path
    repeat: int

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse of the folder."""
        return Warehouse(self.folder / "warehouse.duckdb")

    def time_first(self, scenario: str) -> Timed:
        """Time the first build of the loaded collections, each time in a new file."""
        seconds = [self._build_elsewhere(number) for number in range(self.repeat)]
        return Timed(scenario, seconds, self._plain(), FIRST_IN_A_FILE)

    def time_first_of_all(self, scenario: str) -> Timed:
        """Time the first build of the loaded collections, each time with a new cache."""
        seconds = []
        for number in range(self.repeat):
            with tempfile.TemporaryDirectory() as cache, caches_in(cache):
                seconds.append(self._build_elsewhere(number))
        return Timed(scenario, seconds, self._plain(), FIRST_OF_ALL)

    def _build_elsewhere(self, number: int) -> float:
        with tempfile.TemporaryDirectory(prefix=f"first-{number}-", dir=self.folder) as folder:
            copy = Path(copyfile(self.warehouse.path, Path(folder) / self.warehouse.path.name))
            return time_build(copy)

    def build(self) -> None:
        """Build the loaded collections; next builds start from this state."""
        build(self.warehouse.path)
        self._keep("built")

    def time_next(
        self, scenario: str, change: Change, alone: Timed | None = None, allowance: int = NEXT
    ) -> Timed:
        """Time the build after a change to the built warehouse."""
        self._go_to("built")
        change(self.warehouse)
        self._keep("changed")
        seconds = []
        for _ in range(self.repeat):
            self._go_to("changed")
            seconds.append(time_build(self.warehouse.path))
        self._go_to("changed")
        return Timed(scenario, seconds, self._plain(), allowance, alone)

    def _plain(self) -> float:
        """Time the statements of the build of the stale tables, without Poolhouse."""
        with tempfile.TemporaryDirectory(prefix="plain-", dir=self.folder) as folder:
            copies = [Path(folder) / f"{name}.duckdb" for name in ("built", "poolhouse")]
            for copy in copies:
                copyfile(self.warehouse.path, copy)
            return cpu_seconds(copies[1], statements_of_build(copies[0]))

    def _keep(self, moment: str) -> None:
        copyfile(self.warehouse.path, self.folder / moment)

    def _go_to(self, moment: str) -> None:
        copyfile(self.folder / moment, self.warehouse.path)


def time_build(warehouse: Path) -> float:
    """Build the stale tables, and return the CPU seconds; exit where no table was stale."""
    before = warehouse.stat().st_ino
    cost = build(warehouse)
    if warehouse.stat().st_ino == before:
        sys.exit(f"{warehouse}: nothing was published, so that nothing was timed")
    return cost.cpu_seconds


@contextmanager
def caches_in(folder: str) -> Iterator[None]:
    """Let commands keep their caches in this folder."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = folder
    try:
        yield
    finally:
        os.environ.pop("XDG_CACHE_HOME")
        if before is not None:
            os.environ["XDG_CACHE_HOME"] = before


def set_alpha(warehouse: Warehouse) -> None:
    """Change a setting."""
    run("settings", "lipani_alpha", "0.5", "--db", str(warehouse.path))


def new_site(folder: Path, repeat: int) -> Site:
    """Make the folder of a site."""
    folder.mkdir()
    return Site(folder, repeat)


def time_imports(repeat: int) -> Iterator[Timed]:
    """Time the import of a package that every build needs, and of one that it need not import."""
    for name, statement in IMPORTS.items():
        seconds = [run_python("-c", statement).cpu_seconds for _ in range(repeat)]
        yield Timed(f"importing {name}", seconds)


def time_pages(folder: Path, repeat: int, n_others: int) -> Iterator[Timed]:
    """Time builds of a collection of a page alone in its file, then beside other collections."""
    pages = Pages(folder / "pages")
    changes = pages.changes(new=n_others + 1)
    site = new_site(folder / "alone", repeat)
    pages.load(site.warehouse, 0)
    yield site.time_first_of_all("page: the first of all, empty caches")
    yield site.time_first("page: the first in a new file")
    site.build()
    alone = {}
    for name, change in changes.items():
        alone[name] = site.time_next(f"page: {name}", change)
        yield alone[name]
    with tempfile.TemporaryDirectory() as cache, caches_in(cache):
        once = replace(site, repeat=1)  # the second time, the plan is compiled already
        yield once.time_next("page: a changed setting", set_alpha, allowance=FIRST_OF_ALL)
    if n_others:
        site = new_site(folder / "beside", repeat)
        for number in range(n_others + 1):
            pages.load(site.warehouse, number)
        site.build()
        for name, change in changes.items():
            yield site.time_next(f"page beside {n_others}: {name}", change, alone[name])


def time_demo(folder: Path, repeat: int) -> Iterator[Timed]:
    """Time the build of the demo's collections."""
    site = new_site(folder / "demo", repeat)
    simulated = simulate(site.folder / "files", SEED)
    for collection in simulated:
        load_collection(site.warehouse, as_pooled(collection))
    yield site.time_first(f"demo, {len(simulated)} collections: the first in a new file")


def time_collection(collection: Path, folder: Path, repeat: int) -> Iterator[Timed]:
    """Time the build of a collection of the archive, and the next build after a run changed."""
    site = new_site(folder / collection.name, repeat)
    load(collection, site.warehouse.path)
    yield site.time_first(f"{collection.name}: the first in a new file")
    site.build()
    for is_pooled, name in ((False, "a changed run, not pooled"), (True, "a changed run, pooled")):
        with duckdb.connect(str(site.warehouse.path), read_only=True) as connection:
            [(run_id,)] = connection.execute(
                "select min(run_id) from dim_runs where is_pooled = ?", [is_pooled]
            ).fetchall()
        files = {run_id_of(file.name): file for file in run_files([collection / "runs"])}
        change = run_changed(collection.name, files[run_id])
        yield site.time_next(f"{collection.name}: {name}", change)


@click.command()
@click.option(
    "--archive",
    type=click.Path(file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the TREC collections; passed over where there is none.",
)
@click.option("--no-archive", is_flag=True, help="Pass it over.")
@click.option(
    "--others", type=click.IntRange(min=0), default=100, show_default=True, help="Collections."
)
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True)
def main(archive: Path, no_archive: bool, others: int, repeat: int) -> None:
    """Time builds of simulated collections of a page, of the demo, and of TREC-2 and TREC-8."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = [
            time_imports(repeat),
            time_pages(folder, repeat, others),
            time_demo(folder, repeat),
        ]
        if archive.is_dir() and not no_archive:
            parts += [time_collection(archive / each, folder, repeat) for each in COLLECTIONS]
        with caches_in(str(folder / "cache")):
            for timed in chain(*parts):
                console.remark(f"{timed.scenario}: {timed.median:.2f} s")
                rows.append(timed.row())
    ratio = f"to alone (most {MOST_BESIDE_OTHERS})"
    columns = ["", "median CPU s", "least", "most", "F", "budget", ratio, "kept"]
    console.write_table(columns, rows, f"{os.cpu_count()} cores, {repeat} repeats")


if __name__ == "__main__":
    main()
