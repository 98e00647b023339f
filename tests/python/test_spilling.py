"""Test where the engine writes what does not fit into memory, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest
from click.testing import CliRunner, Result

from conftest import ToyFiles, names_beside
from crashing import Fate, at_the_prompt, run
from poolhouse.command_line.main import main
from poolhouse.errors import DiskFullError, PoolhouseError
from poolhouse.experiments.results import computing
from poolhouse.export.copies import writing
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.spilling import spilled_in

# Rows that do not fit into 100 MB: the engine writes some of them into its folder.
SORTED = "create temp table sorted as select range r from range(6000000) order by hash(range)"
TEMP = "select current_setting('temp_directory')"

# A process that says where it spills, and waits to be killed.
SPILLING = f"""
import os, sys, time
from pathlib import Path
from poolhouse.warehouse.file import Warehouse
with Warehouse(Path(sys.argv[1])).change(), Warehouse(Path(sys.argv[1])).side() as connection:
    connection.execute("set threads = 1")
    connection.execute("set enable_progress_bar = false")
    connection.execute("{SORTED}")
    print(connection.execute("{TEMP}").fetchone()[0], flush=True)
    time.sleep(60)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Provide the folder into which a command is told to spill."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def killed_while_it_spills(warehouse: Warehouse, place: Path | None) -> Path:
    """Kill a change that has spilled, and return the folder that it left."""
    rooms = {"POOLHOUSE_MEMORY": "100MB", **({"POOLHOUSE_SPILL": str(place)} if place else {})}
    process = subprocess.Popen(
        [sys.executable, "-c", SPILLING, str(warehouse.path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **rooms},
    )
    with process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
    assert sum(file.stat().st_size for file in folder.iterdir()) > 1_000_000
    return folder


def changed(warehouse: Warehouse) -> None:
    with warehouse.change() as change:
        change.abandoned = True


def test_a_change_spills_into_the_named_folder(
    loaded: Warehouse, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POOLHOUSE_SPILL", str(place))
    monkeypatch.setenv("POOLHOUSE_MEMORY", "100MB")
    with loaded.change() as change, loaded.side() as connection:
        connection.execute("set threads = 1")
        connection.execute(SORTED)
        limit = connection.execute("select current_setting('memory_limit')").fetchall()
        assert limit == [("95.3 MiB",)]
        [folder] = (each for each in place.iterdir() if each.is_dir())
        assert folder.stat().st_mode & 0o777 == 0o700
        assert connection.execute(TEMP).fetchall() == [(str(folder),)]
        assert sum(file.stat().st_size for file in folder.iterdir()) > 1_000_000
        change.abandoned = True
    assert not list(place.iterdir())
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


def test_without_a_folder_a_change_spills_beside_the_warehouse(loaded: Warehouse) -> None:
    with loaded.change() as change, loaded.side() as connection:
        assert connection.execute(TEMP).fetchall() == [(f"{loaded.side_path}.tmp",)]
        change.abandoned = True


def test_experiments_and_exports_spill_into_the_named_folder(
    loaded: Warehouse, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POOLHOUSE_SPILL", str(place))
    monkeypatch.setenv("POOLHOUSE_MEMORY", "100MB")
    for opened in (computing(loaded), writing(loaded, None, loaded.path.with_name("target"))):
        with opened as connection:
            [(folder, limit)] = connection.execute(
                f"{TEMP}, current_setting('memory_limit')"
            ).fetchall()
            assert Path(folder).parent == place
            assert limit == "95.3 MiB"
        assert not list(place.iterdir())


def test_an_export_spills_beside_its_target(loaded: Warehouse, place: Path) -> None:
    with writing(loaded, None, place / "target") as connection:
        [(folder,)] = connection.execute(TEMP).fetchall()
        assert Path(folder).parent == place
    assert not list(place.iterdir())


@pytest.mark.heavy
@pytest.mark.parametrize("is_named", [True, False])
def test_the_next_change_removes_what_a_killed_one_spilled(
    loaded: Warehouse, place: Path, is_named: bool
) -> None:
    """The next change need not name the folder."""
    folder = killed_while_it_spills(loaded, place if is_named else None)
    changed(loaded)
    assert not folder.exists()
    assert not list(place.iterdir())
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


@pytest.mark.heavy
def test_a_change_that_is_killed_after_its_publication_leaves_nothing(
    loaded: Warehouse, loaded_once: Path, place: Path, tmp_path: Path
) -> None:
    """The same command has nothing to change, so that it would not remove anything."""
    new = tmp_path / "new"
    new.write_text("1 Q0 D1 1 1 t\n")
    asked = ["load", "toy", str(new), "--spill", str(place)]
    points = run(at_the_prompt, loaded, asked, Fate(line=-1)).points
    by_function = {each.function: each.number for each in points}  # the last line of each
    renamed, cleared_up = by_function["SideFile.publish"], by_function["SideFile.discard"]
    assert renamed < cleared_up
    for line in range(renamed, cleared_up, (cleared_up - renamed) // 4):
        copyfile(loaded_once, loaded.path)
        assert run(at_the_prompt, loaded, asked, Fate(line=line)).was_killed
        assert loaded.path.read_bytes() != loaded_once.read_bytes()
        assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}, points[line]
        assert not list(place.iterdir())


@pytest.mark.heavy
def test_another_command_removes_what_a_killed_one_spilled_into_the_same_place(
    loaded: Warehouse, place: Path
) -> None:
    folder = killed_while_it_spills(loaded, place)
    with spilled_in(place):
        assert not folder.exists()


def test_a_command_leaves_the_folders_of_others(place: Path) -> None:
    (place / "thesis").mkdir()
    with spilled_in(place) as first:
        with spilled_in(place) as second:
            assert first != second
        assert first.is_dir()
    assert [each.name for each in place.iterdir()] == ["thesis"]


def test_a_note_of_another_folder_removes_nothing(loaded: Warehouse, place: Path) -> None:
    """The folder that a change removes has a name that only Poolhouse gives."""
    note = loaded.side_path.with_name(f"{loaded.side_path.name}.spilled")
    note.write_text(str(place))
    changed(loaded)
    assert place.is_dir()
    assert not note.exists()


def test_a_full_folder_is_named(
    loaded: Warehouse, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POOLHOUSE_SPILL", str(place))
    monkeypatch.setenv("POOLHOUSE_MEMORY", "100MB")
    free = rf"\({place}: \d+\.\d MB free\)"
    with (
        pytest.raises(DiskFullError, match=free),
        loaded.change(),
        loaded.side() as connection,
    ):
        connection.execute("set max_temp_directory_size = '1MB'")
        connection.execute("set threads = 1")
        connection.execute(SORTED)
    assert not list(place.iterdir())


# Every command that writes and may work long.
WORKS = (
    ("load", "k", "RUN", "--qrels", "QRELS", "--db", "DB"),
    ("build", "--db", "DB"),
    ("experiment", "bias", "--collection", "toy", "--db", "DB"),
    ("export", "NEW", "--format", "csv", "--db", "DB"),
    ("demo", "--db", "NEW"),
)


def invoke(work: tuple[str, ...], loaded: Warehouse, toy: ToyFiles, *options: str) -> Result:
    new = loaded.path.with_name("new")
    places = {
        "DB": str(loaded.path),
        "NEW": str(new),
        "RUN": str(toy.runs),
        "QRELS": str(toy.qrels),
    }
    done = CliRunner().invoke(main, [*(places.get(each, each) for each in work), *options])
    assert not new.exists()
    return done


@pytest.mark.parametrize(
    "wrong",
    [
        ("--spill", "no/such/folder", "a folder that exists"),
        ("--memory", "much", "a size, such as 3GB or 500MB"),
    ],
)
@pytest.mark.parametrize("work", WORKS, ids=lambda work: work[0])
def test_a_place_or_a_size_that_is_none_stops_before_any_work(
    loaded: Warehouse, toy_files: ToyFiles, work: tuple[str, ...], wrong: tuple[str, str, str]
) -> None:
    option, value, needed = wrong
    done = invoke(work, loaded, toy_files, option, value)
    said = f"Error: {option} is {value!r}: it must be {needed}\n"
    assert (done.exit_code, done.stderr) == (1, said)
    assert names_beside(loaded) == {loaded.path.name}


def test_a_folder_of_the_environment_is_checked_too(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POOLHOUSE_SPILL", "missing")
    with pytest.raises(PoolhouseError, match="POOLHOUSE_SPILL is 'missing': it must be a folder"):
        changed(loaded)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no such folder here")
def test_a_folder_that_cannot_be_written_is_named(loaded: Warehouse) -> None:
    """Not even the superuser may make a folder among the processes."""
    done = CliRunner().invoke(main, ["build", "--db", str(loaded.path), "--spill", "/proc/self"])
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: --spill is '/proc/self': it cannot be written: ")


@pytest.mark.heavy
def test_the_options_hold_for_one_command(
    loaded: Warehouse, place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("POOLHOUSE_SPILL", str(tmp_path))
    monkeypatch.delenv("POOLHOUSE_MEMORY", raising=False)
    copy = Warehouse(Path(copyfile(loaded.path, tmp_path / "copy.duckdb")))
    arguments = ["build", "--spill", str(place), "--memory", "800MB", "--db", str(copy.path)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert not list(place.iterdir())
    assert os.environ["POOLHOUSE_SPILL"] == str(tmp_path)
    assert "POOLHOUSE_MEMORY" not in os.environ
