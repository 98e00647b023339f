"""Provide fixtures: a toy collection that fits on a page, and a warehouse to load it into."""

import gzip
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import pytest
from attrs import evolve
from hypothesis import is_hypothesis_test, settings

from archive_warehouses import put_marts
from built_collections import kept_open, load_together, only_built
from documented_folder import write_documented_folder
from experiment_collections import write_experiment_collections
from experiments_done import Done, run_every_experiment
from kept import share_plans
from page import write_collection
from poolhouse.building.build import BuildReport, build
from poolhouse.building.defining import define_models
from poolhouse.building.empty import empty_folder
from poolhouse.building.plan import plan_of
from poolhouse.export.exporting import export
from poolhouse.export.request import ExportRequest, Format
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from reference import Reference

pytest_plugins = ["cpu_seconds"]

# A function that puts a warehouse into a folder. The warehouse has its models, and no collection.
NewWarehouse = Callable[[Path], Warehouse]

_MOST_PROCESSES = 4

# The first test of the archives builds all of them: 230 CPU seconds, which took 13 minutes on a
# machine of two cores where ten other processes ran.
_SECONDS_OF_ARCHIVE = 1800

# Why a test is skipped whose package is in the group `dev` alone.
OF_DEV = "the group `dev` is not installed: uv sync --group dev"

# Name of the property in which a test reports the figure that it measured.
FIGURE = "figure"

# Tests that draw moments and places draw others each time; the variable repeats a test run.
SEED = int(os.environ.get("POOLHOUSE_TEST_SEED", random.SystemRandom().randrange(1, 10**6)))

ARCHIVE = Path(__file__).parents[2].parent / "shared" / "archive"

# Examples have no deadline: their time depends on the machine more than on the code.
settings.register_profile("all", max_examples=50, deadline=None)
settings.register_profile("quick", max_examples=20, deadline=None)
# `just fuzz` uses this profile.
settings.register_profile("fuzz", max_examples=20_000, deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run heavy tests and the real archives")
    parser.addoption("--rest", action="store_true", help="run what the quick suite leaves out")


def pytest_configure(config: pytest.Config) -> None:
    if runs_all(config) and find_spec("statsmodels") is None:
        raise pytest.UsageError(OF_DEV)
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("all" if runs_all(config) else "quick")


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("--rest"):
        return "the tests that the quick suite leaves out, or takes with fewer examples"
    return "all tests" if runs_all(config) else "heavy tests are left out: --all runs them too"


def runs_all(config: pytest.Config) -> bool:
    """Return whether heavy tests are run."""
    return bool(config.getoption("--all") or config.getoption("--rest"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of processes for `-n auto`; a single file of tests needs no second one."""
    is_one_file = len(config.args) == 1 and ".py" in config.args[0]
    # Some heavy tests wait for children and servers: then one more process uses the core.
    n_processes = (os.cpu_count() or 1) + runs_all(config)
    return 0 if is_one_file else min(_MOST_PROCESSES, n_processes)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the figures that tests measured."""
    for report in terminalreporter.getreports("passed"):
        for name, figure in report.user_properties:
            if name == FIGURE:
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {figure}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that are not run."""
    left_out = _among_others(items) if runs_all(config) else _heavy(items)
    if config.getoption("--rest"):
        left_out |= set(items) - _heavy(items) - _with_examples(items)
    on_spark = {item for item in items if item.get_closest_marker("spark")}
    # Who asks for them means the heavy ones, too.
    left_out = left_out - on_spark if "spark" in config.option.markexpr else left_out | on_spark
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    no_archive = pytest.mark.skip(reason="the real archives are not beside the checkout")
    for item in items:
        if "archive" in item.keywords:
            item.add_marker(pytest.mark.timeout(_SECONDS_OF_ARCHIVE))
            if not ARCHIVE.is_dir():
                item.add_marker(no_archive)


def _among_others(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that stand in for heavy ones."""
    return {item for item in items if "few" in item.keywords}


def _with_examples(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the tests of properties: the quick suite gives them few examples."""
    return {
        item for item in items if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)
    }


def _heavy(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the heavy tests, and the cases that are left out because other cases are enough."""
    heavy = {item for item in items if {"archive", "heavy"} & set(item.keywords)}
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item not in heavy and item.get_closest_marker("some"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for of_test in cases.values():
        [n_taken] = of_test[0].get_closest_marker("some").args  # type: ignore[union-attr]
        taken = {number * len(of_test) // n_taken for number in range(n_taken)}
        heavy |= {item for number, item in enumerate(of_test) if number not in taken}
    return heavy


@pytest.fixture(scope="session", autouse=True)
def _own_cache(pytestconfig: pytest.Config) -> Iterator[None]:
    """Keep the files of the product's cache in pytest's cache; all checkouts share the plans."""
    folder = pytestconfig.cache.mkdir("poolhouse")
    share_plans(folder / "poolhouse")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield


@pytest.fixture(scope="session", autouse=True)
def _hears_hangups() -> None:
    """Let commands hear SIGHUP, which they inherit as ignored from `nohup` and some CI services.

    A handler is not inherited, and with one, the tests themselves outlive a closed terminal.
    """
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda _number, _frame: None)


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Keep a figure for the summary, which shows it where tests pass, too."""
    return partial(record_property, FIGURE)


@pytest.fixture
def dice() -> random.Random:
    print(f"POOLHOUSE_TEST_SEED={SEED}")  # shown where a test fails
    return random.Random(SEED)  # noqa: S311 - of test cases


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Delete the logs of builds that failed: their warehouses no longer exist."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        logs = session.config.cache.mkdir("poolhouse") / "poolhouse" / "builds"
        shutil.rmtree(logs, ignore_errors=True)


# Blue has a tie and a rejected line. Green has a blank line and Windows line ends, and is
# compressed.
BLUE = """\
1 Q0 D1 1 3.5 blue
1 Q0 D2 2 2.0 blue
1 Q0 D3 3 2.0 blue
2 Q0 D1 1 high blue
2 Q0 D4 2 0.25 blue
"""
GREEN = "1 Q0 D2 1 9 green\r\n\r\n2 Q0 D4 1 8 green\r\n"
AMBER = "2 Q0 D5 1 1e-3 amber two words\n"
QRELS = """\
1 0 D1 1
1 0 D2 0
1 0 D3 -1
2 0 D4 2
2 0 D5
"""
DESCRIPTIONS = """\
run,organization,type,pooled
blue.1,sky,automatic,yes
green,meadow,,
"""
TOPICS = "1\tfirst topic\n2\tsecond topic\n"


@dataclass(frozen=True)
class ToyFiles:
    """The paths of the toy collection's files; its runs are blue.1, green and amber."""

    folder: Path

    @property
    def runs(self) -> Path:
        """The folder of the run files."""
        return self.folder / "runs"

    @property
    def blue(self) -> Path:
        """A run file: its run is blue.1."""
        return self.runs / "input.blue.1"

    @property
    def qrels(self) -> Path:
        """The judgements."""
        return self.folder / "qrels.txt"

    @property
    def descriptions(self) -> Path:
        """Organizations of blue.1 and green; amber is not described."""
        return self.folder / "runs.csv"

    @property
    def topics(self) -> Path:
        """The titles."""
        return self.folder / "topics.tsv"

    def request(self, **changes: Any) -> LoadRequest:  # noqa: ANN401 - fields of LoadRequest
        """Return a request to load all files, with the given changes."""
        everything = LoadRequest(
            "toy",
            run_files([self.runs]),
            self.qrels,
            descriptions=self.descriptions,
            topics=self.topics,
        )
        return evolve(everything, **changes)


def state_of(file: Path) -> tuple[bytes, int, int]:
    """Return the bytes, the time and the inode of a file: one differs after a write or a move."""
    return file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino


def names_beside(warehouse: Warehouse) -> set[str]:
    """Return the names in the folder of a warehouse: they show the files that a change leaves."""
    return {entry.name for entry in warehouse.path.parent.iterdir()}


def write_toy_files(folder: Path) -> ToyFiles:
    files = ToyFiles(folder)
    files.runs.mkdir(parents=True)
    files.blue.write_text(BLUE)
    (files.runs / "green.gz").write_bytes(gzip.compress(GREEN.encode(), mtime=0))
    (files.runs / "amber").write_text(AMBER)
    files.qrels.write_text(QRELS)
    files.descriptions.write_text(DESCRIPTIONS)
    files.topics.write_text(TOPICS)
    return files


@pytest.fixture
def toy_files(tmp_path: Path) -> ToyFiles:
    return write_toy_files(tmp_path / "toy")


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Provide a warehouse whose file does not exist yet."""
    return Warehouse(tmp_path / "warehouse" / "poolhouse.duckdb")


@pytest.fixture(scope="session")
def loaded_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Load the toy collection into a warehouse file, which the tests copy."""
    folder = tmp_path_factory.mktemp("loaded_once")
    original = Warehouse(folder / "poolhouse.duckdb")
    load_collection(original, write_toy_files(folder / "toy").request())
    return original.path


@pytest.fixture
def loaded(warehouse: Warehouse, loaded_once: Path) -> Warehouse:
    """Provide the warehouse with the toy collection; the test's own files have the same content."""
    warehouse.path.parent.mkdir()
    copyfile(loaded_once, warehouse.path)
    return warehouse


@pytest.fixture(scope="session")
def built_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, LoadRequest, Warehouse]]:
    """Build the collection on a page once; provide warehouse file, request, and a copy to read."""

    def make(warehouse: Warehouse) -> None:
        load_collection(warehouse, write_collection(warehouse.path.parent / "page"))
        assert build(warehouse) == BuildReport(("page",))

    once = made_by_one("page", tmp_path_factory, make).path
    folder = tmp_path_factory.mktemp("built_once")
    copy = Path(copyfile(once, folder / "poolhouse.duckdb"))
    for warehouse in kept_open(Warehouse(copy)):
        yield once, write_collection(folder / "page"), warehouse


@pytest.fixture(scope="session")
def page(built_once: tuple[Path, LoadRequest, Warehouse]) -> Warehouse:
    """Provide the built collection on a page, for tests that only read."""
    return built_once[2]


@pytest.fixture(scope="module")
def built(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    """Build the collections of the references that a module provides."""
    folder = tmp_path_factory.mktemp("of_references")
    collections = (each.collection for each in references)
    yield from kept_open(only_built(collections, new_warehouse(folder), folder))


@pytest.fixture(scope="session")
def exported_once(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Export the collection on a page once for Superset: its folder has a database of all marts."""
    folder = tmp_path_factory.mktemp("superset") / "it's a folder"
    export(built_once[2], ExportRequest(folder, Format.SUPERSET))
    return folder


@pytest.fixture(scope="session")
def unjudged_once(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Build the collection on a page without its judgements once, for tests that only read."""

    def make(warehouse: Warehouse) -> None:
        request = write_collection(warehouse.path.parent / "page")
        load_collection(warehouse, evolve(request, qrels=None, unjudged=True))
        build(warehouse)

    return made_by_one("unjudged", tmp_path_factory, make)


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide all three collections of the archive, loaded and built as a user would."""
    return made_by_one("archive", tmp_path_factory, put_marts)


@pytest.fixture(scope="session")
def marts(archives: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    """Provide them open for reading."""
    with archives.read() as connection:
        yield connection


@pytest.fixture(scope="session")
def experiments_once(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide a built warehouse of invented collections, which tests copy before experiments."""

    def make(warehouse: Warehouse) -> None:
        load_together(warehouse, write_experiment_collections(warehouse.path.parent))
        build(warehouse)

    return made_by_one("made-up", tmp_path_factory, make)


@pytest.fixture(scope="session")
def experiments_done(experiments_once: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Run every experiment on the random collection."""
    copy = tmp_path_factory.mktemp("experiments") / "poolhouse.duckdb"
    warehouse = Warehouse(Path(copyfile(experiments_once.path, copy)))
    run_every_experiment(warehouse)
    return Done(warehouse)


@pytest.fixture(scope="session")
def with_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a warehouse file that has the models and holds no collection."""

    def make(warehouse: Warehouse) -> None:
        with warehouse.change(), warehouse.side(empty_folder()) as side:
            define_models(side, plan_of({}))

    return made_by_one("with_models", tmp_path_factory, make).path


@pytest.fixture(scope="session")
def new_warehouse(with_models: Path) -> NewWarehouse:
    """Provide a function that puts a built warehouse without a collection into a folder."""
    return lambda folder: Warehouse(Path(copyfile(with_models, folder / "poolhouse.duckdb")))


@pytest.fixture(scope="session")
def documented_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder that README and docs describe; tests copy it before they change it."""

    def make(warehouse: Warehouse) -> None:
        write_documented_folder(warehouse.path.parent)

    return made_by_one("documented", tmp_path_factory, make).path.parent


def made_by_one(
    name: str, tmp_path_factory: pytest.TempPathFactory, make: Callable[[Warehouse], None]
) -> Warehouse:
    """Make a warehouse in the first test process that asks for it; the other processes wait."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # all processes of this test run share it
    warehouse = Warehouse(folder / name / "poolhouse.duckdb")
    with (folder / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not warehouse.path.exists():
            new = Warehouse(tmp_path_factory.mktemp("new") / "poolhouse.duckdb")
            make(new)
            new.path.parent.rename(warehouse.path.parent)
    return warehouse
