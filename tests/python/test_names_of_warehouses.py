"""Test names of warehouses and folders: every command works, or refuses the name in one line."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from page import write_collection
from poolhouse.building.build import build
from poolhouse.command_line.main import main
from poolhouse.loading.load import LoadRequest, load_collection
from poolhouse.warehouse.file import Warehouse

# The engine uses most of these names for itself; the others are only odd.
NAMES = (
    *("temp", "main", "system", "memory", "default", "pg_catalog", "information_schema"),
    *("poolhouse", "warehouse", "unfinished", "select", "1", ".hidden", "x.wal", ""),
    *("it's", 'q"uote', "a;b", "a b", "a.b", "a,b", "a:b", "md:x", "sqlite:x", "100%", "$HOME"),
    *("{{ 1 }}", "{{", "*", "[x]", "~", "-x", "\u00e9", "\u65e5\u672c", "a\nb", "a\tb"),
    *("it's/p", 'q"/p', "a;b/p", "100%/p", "a b/p", "{{ 1 }}/p", "*/p", "\u00e9/p", "a\nb/p"),
    *("s3:/p", "temp/temp"),
)
REFUSED = (
    "a?b",
    "?",
    "f?x/p",
    "a#b",
    "f#x/p",
    "a\\b",
    "f\\x/p",
    "raw",
    "ops",
    "staging",
    "Temp",
    "SYSTEM",
)

# RUN is a file. These commands open the warehouse to read, and to write beside it and rename. The
# others do so in the same way, and take longer: they are tried on the first name, and take turns on
# the other names.
QUICK_COMMANDS = (
    ("status",),
    ("sql", "select count(*) from fct_run_scores"),
    ("load", "page", "RUN"),
)
OTHER_COMMANDS = (
    ("adjust", "RUN", "--collection", "page"),
    ("score", "RUN", "--collection", "page"),
    ("compare", "RUN", "a1", "--collection", "page", "--measure", "P@2"),
    ("table", "RUN", "a1", "--collection", "page", "--measure", "P@2"),
    ("common-topics", "--collection", "page", "--standard-error", "0.1"),
    ("experiment", "bias", "--collection", "page", "--samples", "2", "--widths", "2"),
    ("build",),
    ("remove", "page", "--run", "a2"),
    ("check",),
)
COMMANDS = (*QUICK_COMMANDS, *OTHER_COMMANDS, ("demo",))


def place(folder: Path, name: str) -> Path:
    file = folder / "w" / f"{name}.duckdb"
    file.parent.mkdir(parents=True)
    return file


def run(command: tuple[str, ...], file: Path, run_file: Path) -> Result:
    arguments = [str(run_file) if each == "RUN" else each for each in command]
    done = CliRunner().invoke(main, [*arguments, "--db", str(file)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    file = tmp_path / "new"
    file.write_text("1 Q0 d1 1 3 t\n1 Q0 d9 2 2 t\n")
    return file


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_name_that_works(
    built_once: tuple[Path, LoadRequest, Warehouse],
    tmp_path: Path,
    run_file: Path,
    name: str,
) -> None:
    file = place(tmp_path, name)
    shutil.copyfile(built_once[0], file)
    turn = NAMES.index(name)
    others = (OTHER_COMMANDS[turn % len(OTHER_COMMANDS)],) if turn else OTHER_COMMANDS
    for command in (*others, *QUICK_COMMANDS):
        done = run(command, file, run_file)
        assert done.exit_code == 0, (command, done.stderr)


@pytest.mark.some(6)
@pytest.mark.parametrize("name", REFUSED, ids=repr)
def test_a_name_that_is_refused(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path, run_file: Path, name: str
) -> None:
    """Every command prints the same line, whether such a file exists or not."""
    file = place(tmp_path, name)
    for is_there in (False, True):
        if is_there:
            shutil.copyfile(built_once[0], file)
        before = sorted(each.name for each in file.parent.iterdir())
        said = set()
        for command in COMMANDS:
            done = run(command, file, run_file)
            assert done.exit_code == 1, command
            (line,) = done.stderr.splitlines()
            said.add(line)
        (line,) = said
        assert line.startswith(f"Error: {file}: ")
        assert "give the file" in line
        assert sorted(each.name for each in file.parent.iterdir()) == before


@pytest.mark.heavy
@pytest.mark.parametrize(
    "name",
    [
        *("temp", "main", "system", "it's", 'q"uote', "pg_catalog", "memory", "a;b/p", "{{ 1 }}"),
        "a\nb/p",
    ],
    ids=repr,
)
def test_a_name_that_can_be_built(tmp_path: Path, name: str) -> None:
    warehouse = Warehouse(place(tmp_path, name))
    load_collection(warehouse, write_collection(tmp_path / "page"))
    assert build(warehouse).built == ("page",)


def test_the_folder_that_a_command_is_called_from_counts(
    loaded_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path without a folder is no address of another service, either."""
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(loaded_once, "md:x.duckdb")
    done = CliRunner().invoke(main, ["status", "--db", "md:x.duckdb"])
    assert done.exit_code == 0, done.stderr
    (tmp_path / "what?").mkdir()
    monkeypatch.chdir("what?")
    done = CliRunner().invoke(main, ["status", "--db", "p.duckdb"])
    assert done.exit_code == 1
    assert "path has '?'" in done.stderr
