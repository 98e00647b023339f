"""Test the file of a killed experiment: it is kept while the experiment can go on, else cleared."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest
from click.testing import CliRunner

from collection_files import write_files
from conftest import names_beside
from experiment_collections import few_runs
from plans import anew, as_built_by
from poolhouse.command_line.main import main
from poolhouse.experiments import ExperimentSettings, run_experiment, settings_of
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.warehouse.file import Warehouse

SETTINGS = {"n_samples": 2, "depth": 4, "widths": (2, 4)}
N_PARTS = 4

# This script is killed when the named part is written and not yet committed, or before any part.
# Its last argument says which of the two.
KILLED = """
    import os, signal, sys
    from pathlib import Path
    from poolhouse.experiments import parts, run_experiment, settings_of
    from poolhouse.warehouse.file import Warehouse

    compute, n_left = parts._COMPUTE["bias"], int(sys.argv[2])

    def die(steps):
        global n_left
        compute(steps)
        n_left -= 1
        if n_left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    parts._COMPUTE["bias"] = die
    settings = settings_of("bias", n_samples=2, depth=4, widths=(2, 4))
    run_experiment(Warehouse(Path(sys.argv[1])), "random", settings)
"""

# This script holds the file until it is told to go on.
HELD = """
    import sys
    from pathlib import Path
    from poolhouse.experiments import run_experiment, settings_of
    from poolhouse.warehouse.file import Warehouse

    def wait(_name, n_done, _n_parts):
        if n_done == 1:
            print("at work", flush=True)
            sys.stdin.readline()

    settings = settings_of("bias", n_samples=2, depth=4, widths=(2, 4))
    run_experiment(Warehouse(Path(sys.argv[1])), "random", settings, wait)
"""


@pytest.fixture
def built(experiments_once: Warehouse, tmp_path: Path) -> Warehouse:
    folder = tmp_path / "built"
    folder.mkdir()
    return Warehouse(Path(copyfile(experiments_once.path, folder / "poolhouse.duckdb")))


def asked() -> ExperimentSettings:
    return settings_of("bias", **SETTINGS)


def kill(warehouse: Warehouse, n_done: int) -> None:
    """Kill an experiment when the given number of its parts are done."""
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(warehouse.path), str(n_done)],
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert warehouse.experiments_path.exists()


def change_something(warehouse: Warehouse, folder: Path) -> None:
    """Load another collection: this is the next command that changes the warehouse."""
    load_collection(warehouse, write_files(few_runs("new", ("a", "b")), folder / "new"))


def leftovers(warehouse: Warehouse) -> set[str]:
    return {name for name in names_beside(warehouse) if ".experiments" in name}


@pytest.mark.heavy
def test_nothing_done_is_cleared_by_the_next_change(built: Warehouse, tmp_path: Path) -> None:
    kill(built, 0)
    assert leftovers(built)
    change_something(built, tmp_path)
    assert not leftovers(built)


@pytest.mark.heavy
@pytest.mark.parametrize("suffix", ["", ".wal", ".tmp"])
def test_what_is_left_alone_is_cleared(built: Warehouse, tmp_path: Path, suffix: str) -> None:
    """Leftovers are an empty file, a log without its file, and a folder of spilled data."""
    left = built.experiments_path.with_name(f"{built.experiments_path.name}{suffix}")
    if suffix == ".tmp":
        left.mkdir()
        (left / "spilled").write_bytes(b"x")
    else:
        left.write_bytes(b"" if not suffix else b"log")
    change_something(built, tmp_path)
    assert not leftovers(built)


@pytest.mark.heavy
@pytest.mark.parametrize("n_done", [1, 3])
def test_what_can_go_on_is_kept_and_named(built: Warehouse, tmp_path: Path, n_done: int) -> None:
    kill(built, n_done)
    change_something(built, tmp_path)
    assert leftovers(built)
    before = built.experiments_path.read_bytes()
    said = CliRunner().invoke(main, ["status", "--db", str(built.path)]).stderr
    assert f"experiment bias on random was stopped after {n_done} parts" in said
    assert built.experiments_path.read_bytes() == before
    assert run_experiment(built, "random", asked()).n_found_done == n_done
    assert not leftovers(built)
    said = CliRunner().invoke(main, ["status", "--db", str(built.path)]).stderr
    assert "was stopped" not in said


@pytest.mark.heavy
def test_of_a_removed_collection_it_is_cleared(built: Warehouse) -> None:
    kill(built, 1)
    remove(built, "three-runs")
    assert leftovers(built)
    remove(built, "random")
    assert not leftovers(built)


@pytest.mark.heavy
def test_of_another_state_it_is_cleared(built: Warehouse, tmp_path: Path) -> None:
    kill(built, 1)
    with built.change(), built.side() as side:
        side.execute("update ops.builds set fingerprint = 'another'")
    assert not leftovers(built)


@pytest.mark.heavy
def test_of_other_models_it_is_cleared(built: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    kill(built, 1)
    as_built_by(anew(), built, monkeypatch)
    assert not leftovers(built)


@pytest.mark.heavy
def test_damaged_it_is_cleared(built: Warehouse, tmp_path: Path) -> None:
    """No command could continue with the damaged file, or begin beside it."""
    kill(built, 1)
    size = built.experiments_path.stat().st_size
    built.experiments_path.write_bytes(os.urandom(size))
    assert run_experiment(built, "random", asked()).n_found_done == 0
    assert not leftovers(built)


@pytest.mark.heavy
@pytest.mark.parametrize("error", [duckdb.IOException, duckdb.InterruptException])
def test_it_is_kept_where_something_else_is_wrong(
    built: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[duckdb.Error]
) -> None:
    """The warehouse cannot be read, or the query is interrupted."""

    def fail(*_: object) -> None:
        raise error("not now")

    kill(built, 1)
    part = "_known" if error is duckdb.IOException else "_sorted_out"
    with monkeypatch.context() as patch:
        patch.setattr(f"poolhouse.warehouse.leftovers.{part}", fail)
        change_something(built, tmp_path)
    assert run_experiment(built, "random", asked()).n_found_done == 1


@pytest.mark.heavy
def test_killed_when_it_was_published_already(built: Warehouse, tmp_path: Path) -> None:
    """All parts are done, and their results are in the warehouse: there is nothing to continue."""
    kill(built, N_PARTS - 1)
    copies = [
        Path(copyfile(file, tmp_path / file.name))
        for file in built.path.parent.iterdir()
        if ".experiments" in file.name
    ]
    run_experiment(built, "random", asked())
    with built.read() as connection:
        [(finished_at,)] = connection.execute(
            "select finished_at from experiments.settings"
        ).fetchall()
    for copy in copies:
        copyfile(copy, built.path.with_name(copy.name))
    with duckdb.connect(str(built.experiments_path)) as connection:
        connection.execute("update experiments.settings set finished_at = ?", [finished_at])
    change_something(built, tmp_path)
    assert not leftovers(built)


@pytest.fixture
def at_work(built: Warehouse) -> Iterator[Warehouse]:
    """Provide a warehouse on which another process runs an experiment, until the test ends."""
    command = [sys.executable, "-c", textwrap.dedent(HELD), str(built.path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "at work\n"
        yield built
        holder.communicate("go on\n", timeout=120)
        assert holder.returncode == 0
    with built.read() as connection:
        assert connection.execute("select count(*) from dim_experiments").fetchall() == [(1,)]
    assert not leftovers(built)


@pytest.mark.heavy
def test_in_use_it_is_not_touched(at_work: Warehouse, tmp_path: Path) -> None:
    """The experiment goes on, and publishes its results."""
    left = leftovers(at_work)
    change_something(at_work, tmp_path)
    assert leftovers(at_work) == left != set()
    assert CliRunner().invoke(main, ["status", "--db", str(at_work.path)]).exit_code == 0


# ------------------------------------------------------------------------- figures, at the prompt


def prompt(warehouse: Warehouse, *options: str) -> list[str]:
    command = [sys.executable, "-m", "poolhouse", "experiment", "bias", "--collection", "random"]
    drawn = ["--samples", "2", "--depth", "4", "--widths", "2,4", "--db", str(warehouse.path)]
    return [*command, *drawn, *options]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("figure", "status", "message"),
    [
        ("x.nonsense", 1, "the name must end in the format of the figure: svg, "),
        ("x", 1, "the name must end in the format of the figure: svg, "),
        ("nowhere/x.svg", 1, "no such folder"),
        ("folder.svg", 2, "is a directory"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused_first(
    built: Warehouse, figure: str, status: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (built.path.parent / "folder.svg").mkdir()
    monkeypatch.setattr("poolhouse.experiments.run_experiment", pytest.fail)
    options = prompt(built, "--figure", str(built.path.parent / figure))[3:]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == status, done.output
    assert message in done.stderr
    assert done.stderr.startswith("Usage: ") or len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.heavy
def test_a_figure_in_a_folder_that_may_not_be_written(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poolhouse.experiments.run_experiment", pytest.fail)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != built.path.parent)
    done = CliRunner().invoke(main, prompt(built, "--figure", str(built.path.parent / "x.svg"))[3:])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "the figure cannot be written there" in done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize("output", ["table", "csv", "json"])
def test_no_figure_is_drawn_of_a_result_that_nobody_reads(built: Warehouse, output: str) -> None:
    """The reader of the pipe that gets the result has closed it."""
    figure = built.path.parent / "x.svg"
    command = prompt(built, "--figure", str(figure), "--format", output)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert not figure.exists()
    assert "Traceback" not in done.stderr
    assert "figure:" not in done.stderr
    # the computed results are published all the same; another command shows and draws them
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "stored on" in shown.stderr
    assert f"figure: {figure}" in shown.stderr.splitlines()
    assert figure.exists()


@pytest.mark.heavy
def test_without_standard_output_nothing_is_begun(built: Warehouse) -> None:
    figure = built.path.parent / "x.svg"
    shell = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *prompt(built, "--figure", str(figure))],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (shell.returncode, figure.exists()) == (1, False)
    assert shell.stderr == "Error: standard output is closed: there is nowhere to show the result\n"


@pytest.mark.heavy
def test_what_is_stored_is_shown_without_drawing_it_again(built: Warehouse) -> None:
    """The library for figures, whose import takes longest, is not imported either."""
    first = subprocess.run(prompt(built), capture_output=True, text=True, check=True)
    [named] = [line for line in first.stderr.splitlines() if line.startswith("figure: ")]
    figure = Path(named.removeprefix("figure: "))
    before = figure.stat().st_mtime_ns
    command = prompt(built)
    traced = [command[0], "-X", "importtime", *command[1:]]
    again = subprocess.run(traced, capture_output=True, text=True, check=True)
    assert again.stdout == first.stdout
    assert f"figure: {figure}" in again.stderr.splitlines()
    assert "matplotlib" not in again.stderr
    assert figure.stat().st_mtime_ns == before
    figure.unlink()
    subprocess.run(command, capture_output=True, check=True)
    assert figure.exists()
    os.utime(figure, (0, 0))
    subprocess.run(command, capture_output=True, check=True)
    assert figure.stat().st_mtime > 1
