"""Test runs of experiments: stopped, refused, beside others, published whole."""

import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from collection_files import write_files
from conftest import names_beside
from crashing import Contents, Fate, contents, run, spilling_experiment
from experiment_collections import HOSTILE_NAME, few_runs, random_collection
from plans import anew, as_built_by
from poolhouse.errors import (
    PoolhouseError,
    UnknownCollectionError,
    WarehouseBusyError,
    WarehouseMissingError,
)
from poolhouse.experiments import (
    EXPERIMENTS,
    ExperimentReport,
    ExperimentSettings,
    run_experiment,
    running,
    settings_of,
)
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.schemas import EXPERIMENT_TABLES

# Two populations and two widths have six samples each, in parts of four: eight parts.
N_SAMPLES = 6
N_PARTS = 8

N_KILLED = 4
N_LAST_LINES = 130  # of an experiment: it publishes the results, and clears up


@pytest.fixture
def built(experiments_once: Warehouse, tmp_path: Path) -> Warehouse:
    """Copy the collections to a path that has to be quoted."""
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    return Warehouse(Path(copyfile(experiments_once.path, folder / 'a "ware" house.duckdb')))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SAMPLES_PER_PART", 4)


def asked(experiment: str, **changes: Any) -> ExperimentSettings:  # noqa: ANN401 - any setting
    given = {"n_samples": N_SAMPLES, "depth": 4, "widths": (2, 4), "common_topic_counts": (2, 5)}
    if experiment == "topics":
        given["n_topic_samples"] = 3
    return settings_of(experiment, **given | changes)


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

    def stop(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == N_PARTS - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(built, "random", asked("bias"), stop)
    assert built.path.read_bytes() == published
    assert_nothing_is_left(built)


@pytest.mark.heavy
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_results_do_not_depend_on_the_parts(
    experiment: str, built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = run_experiment(built, "random", asked(experiment))
    assert report == ExperimentReport(4 * N_SAMPLES, N_PARTS)
    assert report.summary() == "24 samples in 8 parts"
    in_parts = results(built)
    monkeypatch.setattr(running, "SAMPLES_PER_PART", N_SAMPLES)
    at_once = run_experiment(built, "random", asked(experiment), again=True)
    assert at_once.n_parts == N_PARTS / 2
    assert results(built) == in_parts
    assert_nothing_is_left(built)


@pytest.mark.heavy
def test_finished_experiment_is_not_done_again(built: Warehouse) -> None:
    first = run_experiment(built, "random", asked("bias"))
    published = built.path.read_bytes()

    def refuse(*_: object) -> None:
        pytest.fail("a part is computed")

    stored = run_experiment(built, "random", asked("bias"), refuse)
    assert stored.stored_at is not None
    assert stored.summary().startswith("24 samples, stored on 20")
    assert (stored.n_samples, stored.remarks) == (first.n_samples, first.remarks)
    assert built.path.read_bytes() == published
    again = run_experiment(built, "random", asked("bias"), again=True)
    assert again == first
    with built.read() as connection:
        assert connection.execute(
            "select finished_at > ? from experiments.dim_experiments", [stored.stored_at]
        )


@pytest.mark.heavy
@pytest.mark.parametrize(
    "changes", [{"seed": 1}, {"n_samples": 7}, {"widths": (2,)}, {"depth": 5}], ids=str
)
def test_finished_by_other_settings_is_done_anew(changes: dict[str, Any], built: Warehouse) -> None:
    run_experiment(built, "random", asked("bias"))
    assert run_experiment(built, "random", asked("bias", **changes)).stored_at is None


@pytest.mark.heavy
def test_finished_by_other_models_is_done_anew(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_experiment(built, "random", asked("bias"))
    as_built_by(anew(), built, monkeypatch)
    assert run_experiment(built, "random", asked("bias")).stored_at is None


# This script dies when the first part is computed.
KILLED = """
    import os, signal, sys
    from pathlib import Path
    from poolhouse.experiments import run_experiment, settings_of
    from poolhouse.warehouse.file import Warehouse

    def die(_name, n_done, _n_parts):
        if n_done == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    settings = settings_of("bias", n_samples=6, depth=4, widths=(2, 4))
    run_experiment(Warehouse(Path(sys.argv[1])), "random", settings, die)
"""


@pytest.mark.heavy
def test_a_killed_experiment_leaves_nothing_beside_the_warehouse(built: Warehouse) -> None:
    published = built.path.read_bytes()
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(built.path)], check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert built.path.read_bytes() == published
    assert_nothing_is_left(built)


@pytest.mark.heavy
def test_the_repeat_of_a_killed_experiment_leaves_nothing(built: Warehouse, tmp_path: Path) -> None:
    """Half of the kills come while it publishes and clears up, and half of the repeats die too."""
    seed = random.SystemRandom().randrange(10**6)
    dice = random.Random(seed)  # noqa: S311 - of test cases
    place = tmp_path / "place"
    place.mkdir()
    old = Path(copyfile(built.path, tmp_path / "old"))
    given = (asked("bias", n_samples=2, widths=(2,)), place)
    n_lines = len(run(spilling_experiment, built, given, Fate(line=-1)).points)
    for number in range(N_KILLED):
        copyfile(old, built.path)
        lines = range(n_lines - N_LAST_LINES if number % 2 else 0, n_lines)
        killed_at = [dice.choice(lines) for _ in range(1 + number // 2 % 2)]
        for line in killed_at:
            run(spilling_experiment, built, given, Fate(line=line))
        assert run(spilling_experiment, built, given).exit_code == 0
        assert names_beside(built) == {built.path.name, built.lock_path.name}, (seed, killed_at)
        assert not list(place.iterdir()), (seed, killed_at)


# ------------------------------------------------------------------------------------- publishing


@pytest.mark.heavy
def test_results_take_the_place_of_earlier_ones(built: Warehouse) -> None:
    run_experiment(built, "random", asked("bias"))
    run_experiment(built, "random", asked("systems"))
    before = results(built)
    run_experiment(built, "random", asked("bias"), again=True)
    assert results(built) == before
    run_experiment(built, "random", asked("bias", seed=1, widths=(2,)))
    with built.read() as connection:
        assert connection.execute(
            "select experiment, seed, widths from experiments.dim_experiments order by all"
        ).fetchall() == [("bias", 1, [2]), ("systems", 2009, [2, 4])]
        assert connection.execute(
            "select experiment, max(width), count(*) from experiments.fct_experiment_samples"
            " group by all order by all"
        ).fetchall() == [
            ("bias", 2, 2 * N_SAMPLES * 3),
            ("systems", 4, 2 * N_SAMPLES * (3 + 5)),
        ]


@pytest.mark.heavy
def test_the_published_warehouse_stays_as_it_is_meanwhile(built: Warehouse) -> None:
    before = built.path.read_bytes()
    seen = []

    def look(_name: str, n_done: int, n_parts: int) -> None:
        assert built.path.read_bytes() == before
        seen.append((n_done, n_parts))

    run_experiment(built, "random", asked("bias"), look)
    assert seen == [(n_done, N_PARTS) for n_done in range(N_PARTS)]
    assert built.path.read_bytes() != before


@pytest.mark.heavy
def test_others_read_and_load_meanwhile(built: Warehouse, tmp_path: Path) -> None:
    """Another process loads another collection, which is not lost."""
    request = write_files(few_runs("new", ("a", "b")), tmp_path / "new")

    def load(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            load_at_the_prompt(built, "new", request.qrels)  # type: ignore[arg-type]

    run_experiment(built, "random", asked("bias"), load)
    with built.read() as connection:
        assert connection.execute(
            "select count(*) from experiments.dim_experiments"
        ).fetchall() == [(1,)]
        assert ("new",) in connection.execute(
            "select collection_id from raw.collections"
        ).fetchall()


def load_at_the_prompt(warehouse: Warehouse, collection: str, qrels: Path) -> None:
    command = [sys.executable, "-m", "poolhouse", "load", collection, "--db", str(warehouse.path)]
    files = ["--runs", str(qrels.parent / "runs"), "--qrels", str(qrels)]
    subprocess.run([*command, *files], check=True, capture_output=True)


@pytest.mark.heavy
def test_collection_that_is_built_anew_meanwhile_is_refused(
    built: Warehouse, tmp_path: Path
) -> None:
    other = random_collection("random", 3)

    def change(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            load_collection(built, write_files(other, tmp_path / "other"))
            mark_as_built(built)

    with pytest.raises(PoolhouseError, match=r"'random' was rebuilt meanwhile: run .* again"):
        run_experiment(built, "random", asked("bias"), change)
    assert all(n_rows == 0 for n_rows, _ in results(built).values())
    assert_nothing_is_left(built)


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
def test_collection_that_is_removed_meanwhile_is_refused(built: Warehouse) -> None:
    def take_away(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            remove(built, "random")

    with pytest.raises(PoolhouseError, match="'random' is removed since the build"):
        run_experiment(built, "random", asked("bias"), take_away)
    assert all(n_rows == 0 for n_rows, _ in results(built).values())


@pytest.mark.heavy
def test_a_removed_collection_takes_its_experiments_along(built: Warehouse) -> None:
    run_experiment(built, "random", asked("bias"))
    run_experiment(built, "three-runs", asked("bias"))
    remove(built, "random")
    with built.read() as connection:
        for table in results(built):
            assert connection.execute(
                f"""
                select distinct collection_id from {table}
                inner join intermediate.int_collections using (collection_key)
                """
            ).fetchall() in ([("three-runs",)], [])
        assert connection.execute(
            "select count(*) from experiments.dim_experiments"
        ).fetchall() == [(1,)]


@pytest.mark.heavy
def test_results_say_when_they_are_of_another_state(built: Warehouse, tmp_path: Path) -> None:
    run_experiment(built, "random", asked("bias"))
    load_collection(built, write_files(random_collection("random", 3), tmp_path / "other"))
    mark_as_built(built)
    with built.read() as connection:
        assert connection.execute(
            "select is_current from experiments.dim_experiments"
        ).fetchall() == [(False,)]


# ---------------------------------------------------------------------------------------- refused


@pytest.mark.heavy
def test_unknown_collection(built: Warehouse) -> None:
    with pytest.raises(UnknownCollectionError, match="'nowhere' is not in the warehouse"):
        run_experiment(built, "nowhere", asked("bias"))
    assert_nothing_is_left(built)


def test_no_warehouse(tmp_path: Path) -> None:
    with pytest.raises(WarehouseMissingError):
        run_experiment(Warehouse(tmp_path / "none.duckdb"), "random", asked("bias"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.heavy
def test_collection_that_is_not_built(built: Warehouse, tmp_path: Path) -> None:
    load_collection(built, write_files(few_runs("new", ("a", "b", "c")), tmp_path / "new"))
    with pytest.raises(PoolhouseError, match="'new' is not built yet: run poolhouse build first"):
        run_experiment(built, "new", asked("bias"))
    assert_nothing_is_left(built)


@pytest.mark.heavy
def test_collection_that_is_not_built_as_it_is_loaded(built: Warehouse, tmp_path: Path) -> None:
    load_collection(built, write_files(random_collection("random", 3), tmp_path / "other"))
    with pytest.raises(PoolhouseError, match="changed since the build: run poolhouse build first"):
        run_experiment(built, "random", asked("bias"))


def test_warehouse_on_which_nothing_was_ever_built(loaded: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match="'toy' is not built yet: run poolhouse build first"):
        run_experiment(loaded, "toy", asked("bias"))
    assert_nothing_is_left(loaded)


@pytest.mark.heavy
def test_too_few_runs_for_any_width(built: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match=r"'two-runs': no runs to draw: .*too few for width 2"):
        run_experiment(built, "two-runs", asked("bias"))
    assert_nothing_is_left(built)


@pytest.mark.heavy
def test_too_few_runs_for_a_width(built: Warehouse) -> None:
    report = run_experiment(built, "three-runs", asked("bias"))
    assert report.n_samples == N_SAMPLES
    assert report.remarks == (
        "population random: 2 runs to pool, too few for width 4",
        "population manual: no run of type manual",
    )


@pytest.mark.heavy
def test_no_automatic_runs(built: Warehouse) -> None:
    report = run_experiment(built, "all-manual", asked("bias"))
    assert report.remarks[1] == "population manual: 0 runs to pool, too few for width 2, 4"


@pytest.mark.heavy
def test_widest_pool_is_all_other_runs(built: Warehouse) -> None:
    report = run_experiment(built, "random", asked("bias", widths=(9, 22, 23)))
    assert report.remarks == (
        "population random: 22 runs to pool, too few for width 23",
        "population manual: 9 runs to pool, too few for width 22, 23",
    )


@pytest.mark.heavy
def test_too_few_topics(built: Warehouse) -> None:
    report = run_experiment(built, "random", asked("topics", common_topic_counts=(9, 10, 40)))
    assert report.remarks == ("9 judged topics, too few for 10, 40 common ones",)
    with pytest.raises(PoolhouseError, match=r"no runs to draw: .*1 judged topics, too few for 2"):
        run_experiment(built, "all-manual", asked("topics", common_topic_counts=(2,)))


@pytest.mark.heavy
def test_names_that_would_be_sql(built: Warehouse) -> None:
    """The names are of the collection, of its runs (`man|1`), of the folder and of the file."""
    for experiment in EXPERIMENTS:
        run_experiment(built, HOSTILE_NAME, asked(experiment))
    with built.read() as connection:
        assert connection.execute(
            "select distinct collection_id from experiments.dim_experiments"
        ).fetchall() == [(HOSTILE_NAME,)]
        assert ("man|1",) in connection.execute(
            "select run_id from experiments.fct_experiment_samples"
        ).fetchall()
    assert_nothing_is_left(built)


@pytest.mark.heavy
@pytest.mark.parametrize("memory", ["garbage", "1KB"])
def test_memory_that_is_none(
    memory: str, built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = built.path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setenv("POOLHOUSE_MEMORY", memory)
        with pytest.raises(PoolhouseError, match=r"(?i)memory") as refused:
            run_experiment(built, "random", asked("bias"))
    assert "\n" not in str(refused.value)
    assert built.path.read_bytes() == before
    run_experiment(built, "random", asked("bias"))
    assert_nothing_is_left(built)


# ------------------------------------------------------------------------------------- two at once


@pytest.mark.heavy
def test_two_at_once_publish_one_after_the_other(built: Warehouse) -> None:
    def run_another(_name: str, n_done: int, _n_parts: int) -> None:
        if n_done == 1:
            command = [sys.executable, "-m", "poolhouse", "experiment", "systems"]
            options = ["--collection", "random", "--samples", "2", "--widths", "2"]
            options += ["--db", str(built.path)]
            subprocess.run([*command, *options], check=True, capture_output=True)

    run_experiment(built, "random", asked("bias"), run_another)
    with built.read() as connection:
        found = connection.execute(
            "select experiment from experiments.dim_experiments order by all"
        )
        assert found.fetchall() == [("bias",), ("systems",)]


# This script holds the lock of a warehouse until its input is closed.
HOLDS = """
    import sys
    from pathlib import Path
    from poolhouse.warehouse.file import Warehouse

    with Warehouse(Path(sys.argv[1])).change() as change:
        change.abandoned = True
        print("locked", flush=True)
        sys.stdin.readline()
"""


@contextmanager
def held(warehouse: Warehouse) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the lock, until its input is closed or the test is over."""
    command = [sys.executable, "-c", textwrap.dedent(HOLDS), str(warehouse.path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        try:
            yield holder
        finally:
            holder.stdin.close()
            holder.wait(timeout=30)


@pytest.mark.heavy
def test_results_wait_for_another_change(built: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    with held(built) as holder:

        def free(_seconds: float) -> None:
            assert holder.stdin is not None
            holder.stdin.close()
            holder.wait(timeout=30)

        monkeypatch.setattr("poolhouse.warehouse.busy.sleep", free)
        run_experiment(built, "random", asked("bias"))
    assert any(n_rows for n_rows, _ in results(built).values())


@pytest.mark.heavy
def test_a_change_that_takes_too_long_is_named(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_PATIENCE", 0.0)
    with (
        held(built) as holder,
        pytest.raises(WarehouseBusyError, match=f"is running .process {holder.pid}"),
    ):
        run_experiment(built, "random", asked("bias"))
    assert_nothing_is_left(built)
