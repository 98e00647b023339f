"""Test runs of experiments: stopped, refused, beside others, published whole."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any, NamedTuple

import pytest

from asking import rows
from built_collections import load_together
from collection_files import write_files
from conftest import names_beside
from crashing import Contents, Fate, contents, run, spilling_experiment
from experiment_collections import HOSTILE_NAME, few_runs, random_collection
from plans import anew, as_built_by
from poolhouse.errors import PoolhouseError, WarehouseBusyError, WarehouseMissingError
from poolhouse.experiments import running
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import ExperimentReport, publish, run_experiment
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.option_values import EXPERIMENTS
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.schemas import EXPERIMENT_TABLES

# Two populations and two widths have six samples each, in parts of four: eight parts.
N_SAMPLES = 6
N_PARTS = 8
# An experiment of two parts, one for each population, where another one would show no more.
SHORT: dict[str, Any] = {"n_samples": 2, "widths": (2,)}

N_KILLED = 3


def copied(warehouse: Warehouse, folder: Path) -> Warehouse:
    """Copy a warehouse to a path that has to be quoted."""
    to = folder / "it's a folder"
    to.mkdir()
    return Warehouse(Path(copyfile(warehouse.path, to / 'a "ware" house.duckdb')))


@pytest.fixture
def built(experiments_once: Warehouse, tmp_path: Path) -> Warehouse:
    return copied(experiments_once, tmp_path)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SAMPLES_PER_PART", 4)


class Finished(NamedTuple):
    """A warehouse with results, the reports, and the parts that were told while it was the same."""

    warehouse: Warehouse
    report: ExperimentReport
    of_three_runs: ExperimentReport
    parts: list[tuple[int, int]]


@pytest.fixture(scope="module")
def finished(experiments_once: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Run experiments in a warehouse that tests only read."""
    warehouse = copied(experiments_once, tmp_path_factory.mktemp("finished"))
    before = warehouse.path.read_bytes()
    parts = []

    def look(_name: str, n_done: int, n_parts: int) -> None:
        assert warehouse.path.read_bytes() == before
        parts.append((n_done, n_parts))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "SAMPLES_PER_PART", 4)
        report = run_experiment(warehouse, "random", asked("bias"), look)
    assert warehouse.path.read_bytes() != before
    run_experiment(warehouse, "random", asked("systems", **SHORT))
    of_three_runs = run_experiment(warehouse, "three-runs", asked("bias"))
    return Finished(warehouse, report, of_three_runs, parts)


@pytest.fixture
def done(finished: Finished, tmp_path: Path) -> Warehouse:
    return copied(finished.warehouse, tmp_path)


def asked(experiment: str, **changes: Any) -> ExperimentSettings:  # noqa: ANN401 - any setting
    given: dict[str, Any] = {
        "n_samples": N_SAMPLES,
        "depth": 4,
        "widths": (2, 4),
        "common_topic_counts": (2, 5),
    }
    if experiment == "topics":
        given["n_topic_samples"] = 3
    return ExperimentSettings(experiment, **given | changes)


def results(warehouse: Warehouse) -> Contents:
    found = contents(warehouse, "experiments")
    assert len(found) == len(EXPERIMENT_TABLES)
    return found


def assert_nothing_is_left(warehouse: Warehouse) -> None:
    assert names_beside(warehouse) <= {warehouse.path.name, warehouse.lock_path.name}


# ------------------------------------------------------------------------------ stopped, and again


@pytest.mark.heavy
def test_a_stopped_experiment_leaves_nothing(built: Warehouse) -> None:
    published = built.path.read_bytes()

    def stop(_name: str, n_done: int, n_parts: int) -> None:
        if n_done == n_parts - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(built, "random", asked("bias", **SHORT), stop)
    assert built.path.read_bytes() == published
    assert_nothing_is_left(built)


@pytest.mark.heavy
def test_a_finished_experiment_is_not_done_again(finished: Finished) -> None:
    warehouse, report, of_three_runs, parts = finished
    assert parts == [(n_done, N_PARTS) for n_done in range(N_PARTS)]
    assert report == ExperimentReport(4 * N_SAMPLES, N_PARTS)
    assert report.summary() == "24 samples in 8 parts"
    assert_nothing_is_left(warehouse)
    published = warehouse.path.read_bytes()
    stored = run_experiment(warehouse, "random", asked("bias"), begun)
    assert stored.stored_at is not None
    assert stored.summary().startswith("24 samples, stored on 20")
    of_few = run_experiment(warehouse, "three-runs", asked("bias"), begun)
    for again, first in ((stored, report), (of_few, of_three_runs)):
        assert (again.n_samples, again.remarks) == (first.n_samples, first.remarks)
    assert warehouse.path.read_bytes() == published


class BegunError(Exception):
    """A part is about to be computed."""


def begun(*_: object) -> None:
    raise BegunError


@pytest.mark.heavy
@pytest.mark.parametrize(
    "changes", [{"seed": 1}, {"n_samples": 7}, {"widths": (2,)}, {"depth": 5}], ids=str
)
def test_finished_by_other_settings_is_done_anew(
    changes: dict[str, Any], finished: Finished
) -> None:
    with pytest.raises(BegunError):
        run_experiment(finished.warehouse, "random", asked("bias", **changes), begun)


@pytest.mark.heavy
def test_finished_by_other_models_is_done_anew(
    done: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_built_by(anew(), done, monkeypatch)
    with pytest.raises(BegunError):
        run_experiment(done, "random", asked("bias"), begun)


@pytest.mark.heavy
def test_a_killed_experiment_and_its_repeat_leave_nothing(built: Warehouse, tmp_path: Path) -> None:
    """Every second kill comes while it publishes and clears up, and its repeat dies there too."""
    seed = random.SystemRandom().randrange(10**6)
    dice = random.Random(seed)  # noqa: S311 - of test cases
    place = tmp_path / "place"
    place.mkdir()
    old = Path(copyfile(built.path, tmp_path / "old"))
    given = (asked("bias", **SHORT), place)
    points = run(spilling_experiment, built, given, Fate(line=-1)).points
    n_lines = len(points)
    n_computing = next(point.number for point in points if point.function == publish.__qualname__)
    for number in range(N_KILLED):
        copyfile(old, built.path)
        lines = range(n_computing, n_lines) if number % 2 else range(n_computing)
        killed_at = [dice.choice(lines) for _ in range(1 + number % 2)]
        for line in killed_at:
            run(spilling_experiment, built, given, Fate(line=line))
        if lines[0] == 0:
            assert built.path.read_bytes() == old.read_bytes(), (seed, killed_at)
            assert_nothing_is_left(built)
        assert run(spilling_experiment, built, given).exit_code == 0
        assert names_beside(built) == {built.path.name, built.lock_path.name}, (seed, killed_at)
        assert not list(place.iterdir()), (seed, killed_at)


# ------------------------------------------------------------------------------------- publishing


@pytest.mark.heavy
def test_results_take_the_place_of_earlier_ones(done: Warehouse, finished: Finished) -> None:
    when = "select finished_at from experiments.dim_experiments where experiment = 'bias'"
    of_random = f"{when} and collection_id = 'random'"
    before, [(first,)] = results(done), rows(done, of_random)
    assert run_experiment(done, "random", asked("bias"), again=True) == finished.report
    assert results(done) == before
    [(second,)] = rows(done, of_random)
    assert first < second
    run_experiment(done, "random", asked("bias", seed=1, widths=(2,)))
    of_each = """
        select {} from experiments.{} where collection_id = 'random' group by all order by all
    """
    assert rows(done, of_each.format("experiment, seed, widths", "dim_experiments")) == [
        ("bias", 1, [2]),
        ("systems", 2009, [2]),
    ]
    counted = """
        select experiment, max(width), count(*)
        from experiments.samples inner join intermediate.int_collections using (collection_key)
        where collection_id = 'random' group by all order by all
    """
    assert rows(done, counted) == [("bias", 2, 2 * N_SAMPLES * 3), ("systems", 2, 2 * 2 * 3)]


@pytest.mark.heavy
def test_others_load_and_publish_meanwhile(built: Warehouse, tmp_path: Path) -> None:
    """Another process loads another collection, and another experiment ends before this one."""
    request = write_files(few_runs("new", ("a", "b")), tmp_path / "new")

    def meanwhile(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            load_at_the_prompt(built, "new", request.qrels)  # type: ignore[arg-type]
            run_experiment(built, "random", asked("systems", **SHORT))

    run_experiment(built, "random", asked("bias", **SHORT), meanwhile)
    assert rows(
        built, "select experiment from experiments.dim_experiments order by finished_at"
    ) == [("systems",), ("bias",)]
    assert ("new",) in rows(built, "select collection_id from raw.collections")


def load_at_the_prompt(warehouse: Warehouse, collection: str, qrels: Path) -> None:
    command = [sys.executable, "-m", "poolhouse", "load", collection, "--db", str(warehouse.path)]
    files = ["--runs", str(qrels.parent / "runs"), "--qrels", str(qrels)]
    subprocess.run([*command, *files], check=True, capture_output=True)


@pytest.mark.heavy
def test_collection_that_is_built_anew_meanwhile_is_refused(
    done: Warehouse, tmp_path: Path
) -> None:
    """The results of the earlier state stay, and say that they are of another state."""
    before = results(done)

    def change(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            load_collection(done, write_files(random_collection("random", 3), tmp_path / "other"))
            mark_as_built(done)

    with pytest.raises(PoolhouseError, match=r"'random' was rebuilt meanwhile: run .* again"):
        run_experiment(done, "random", asked("bias", **SHORT), change)
    assert results(done) == before
    assert_nothing_is_left(done)
    assert rows(
        done,
        "select distinct collection_id, is_current from experiments.dim_experiments order by 1",
    ) == [("random", False), ("three-runs", True)]


def mark_as_built(warehouse: Warehouse) -> None:
    """Record a build as a build does at its end; the marts stay the old ones."""
    with warehouse.change(), warehouse.side() as side:
        side.execute(
            """
            update ops.builds set fingerprint = loaded.fingerprint
            from ops.collection_fingerprints as loaded
            where builds.collection_key = loaded.collection_key
            """
        )


@pytest.mark.heavy
def test_collection_that_is_removed_meanwhile_is_refused(done: Warehouse) -> None:
    """It takes its own experiments along, and no others."""
    tables = results(done)

    def take_away(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            remove(done, "random")

    with pytest.raises(PoolhouseError, match="'random' is not in the warehouse"):
        run_experiment(done, "random", asked("bias", **SHORT), take_away)
    for table in tables:
        of_table = rows(
            done,
            f"""
            select distinct collection_id from {table}
            inner join intermediate.int_collections using (collection_key)
            """,
        )
        assert of_table in ([("three-runs",)], [])
    assert rows(done, "select experiment from experiments.dim_experiments") == [("bias",)]


# ---------------------------------------------------------------------------------------- refused


@pytest.fixture(scope="module")
def partly_loaded(finished: Finished, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide a warehouse with a collection that is not built, and one that changed since."""
    folder = tmp_path_factory.mktemp("partly_loaded")
    warehouse = copied(finished.warehouse, folder)
    load_together(
        warehouse,
        (
            write_files(few_runs("new", ("a", "b", "c")), folder / "new"),
            write_files(few_runs("three-runs", ("a", "b")), folder / "other"),
        ),
    )
    return warehouse


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("collection", "settings", "message"),
    [
        ("nowhere", asked("bias"), "'nowhere' is not in the warehouse"),
        ("new", asked("bias"), "'new' is not built yet: run poolhouse build first"),
        ("three-runs", asked("bias"), "changed since the build: run poolhouse build first"),
        ("two-runs", asked("bias"), r"'two-runs': no runs to draw: .*too few for width 2"),
        ("all-manual", asked("topics"), r"no runs to draw: .*1 judged topics, too few for 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    collection: str, settings: ExperimentSettings, message: str, partly_loaded: Warehouse
) -> None:
    with pytest.raises(PoolhouseError, match=message):
        run_experiment(partly_loaded, collection, settings, begun)
    assert_nothing_is_left(partly_loaded)


def test_no_warehouse(tmp_path: Path) -> None:
    with pytest.raises(WarehouseMissingError):
        run_experiment(Warehouse(tmp_path / "none.duckdb"), "random", asked("bias"))
    assert list(tmp_path.iterdir()) == []


def test_warehouse_on_which_nothing_was_ever_built(loaded: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match="'toy' is not built yet: run poolhouse build first"):
        run_experiment(loaded, "toy", asked("bias"))
    assert_nothing_is_left(loaded)


@pytest.mark.heavy
def test_too_few_runs_for_a_width(finished: Finished) -> None:
    assert finished.of_three_runs.n_samples == N_SAMPLES
    assert finished.of_three_runs.remarks == (
        "population random: 2 runs to pool, too few for width 4",
        "population manual: no run of type manual",
    )


@pytest.mark.heavy
def test_no_automatic_runs(built: Warehouse) -> None:
    report = run_experiment(built, "all-manual", asked("bias", n_samples=1))
    assert report.remarks[1] == "population manual: 0 runs to pool, too few for width 2, 4"


@pytest.mark.heavy
def test_widest_pool_is_all_other_runs(built: Warehouse) -> None:
    few = {"n_samples": 1, "n_topic_samples": 1, "common_topic_counts": (9, 10, 40)}
    report = run_experiment(built, "random", asked("topics", widths=(9, 22, 23), **few))
    assert report.remarks == (
        "population random: 22 runs to pool, too few for width 23",
        "population manual: 9 runs to pool, too few for width 22, 23",
        "9 judged topics, too few for 10, 40 common ones",
    )


@pytest.mark.heavy
def test_names_that_would_be_sql(built: Warehouse) -> None:
    """The names are of the collection, of its runs (`man|1`), of the folder and of the file."""
    for experiment in EXPERIMENTS:
        # The widest pool has every run.
        widths = (22,) if experiment == "bias" else (2,)
        run_experiment(built, HOSTILE_NAME, asked(experiment, n_samples=1, widths=widths))
    assert rows(built, "select distinct collection_id from experiments.dim_experiments") == [
        (HOSTILE_NAME,)
    ]
    drawn = "from experiments.samples inner join intermediate.int_runs using (run_key)"
    assert ("man|1",) in rows(built, f"select run_id {drawn}")
    assert_nothing_is_left(built)


@pytest.mark.heavy
@pytest.mark.parametrize("memory", ["garbage", "1KB"])
def test_memory_that_is_none(
    memory: str, finished: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = finished.warehouse.path.read_bytes()
    monkeypatch.setenv("POOLHOUSE_MEMORY", memory)
    with pytest.raises(PoolhouseError, match=r"(?i)memory") as refused:
        run_experiment(finished.warehouse, "random", asked("bias", seed=1), begun)
    assert "\n" not in str(refused.value)
    assert finished.warehouse.path.read_bytes() == before
    assert_nothing_is_left(finished.warehouse)


# ------------------------------------------------------------------------------------- two at once


@contextmanager
def held(warehouse: Warehouse) -> Iterator[ExitStack]:
    """Hold the lock of a warehouse, as another process would, until the stack is closed."""
    with ExitStack() as holder:
        holder.enter_context(warehouse.change()).abandoned = True
        yield holder


@pytest.mark.heavy
def test_results_wait_for_another_change(built: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    with held(built) as holder:
        monkeypatch.setattr("poolhouse.warehouse.busy.sleep", lambda _seconds: holder.close())
        run_experiment(built, "random", asked("bias", **SHORT))
    assert any(n_rows for n_rows, _ in results(built).values())


@pytest.mark.heavy
def test_a_change_that_takes_too_long_is_named(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_PATIENCE", 0.0)
    with held(built), pytest.raises(WarehouseBusyError, match=f"is running .process {os.getpid()}"):
        run_experiment(built, "random", asked("bias", **SHORT))
    assert_nothing_is_left(built)
