"""Test names of warehouses and folders: every command works, or refuses the name in one line."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from every_command import COMMANDS, LONG, invoked, write_run
from page import write_collection
from poolhouse.building.build import build
from poolhouse.building.plan import plan_of
from poolhouse.command_line.main import main
from poolhouse.command_line.statuses import status_of_error
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import SCHEMAS, Warehouse

Built = tuple[Path, LoadRequest, Warehouse]

# Every character that ends a text, a name or a statement, or stands for others somewhere.
ODD = "it's q\"uote; a,b:c {{ 1 }} {{ [x] * 100% \u00e9 \u65e5\u672c\n\t"
# The engine uses most of these names for itself; the others begin or end as an address, an option
# or another kind of file does.
NAMES = (
    *("temp", "main", "system", "memory", "default", "pg_catalog", "information_schema"),
    *("poolhouse", "warehouse", "unfinished", "select", "1", ".hidden", "x.wal", "", "a.b"),
    *("md:x", "sqlite:x", "$HOME", "~", "-x", "s3:/p", "temp/temp"),
)
REFUSED = (
    *("a?b", "?", "f?x/p", "a#b", "f#x/p", "a\\b", "f\\x/p"),
    *("raw", "Ops", "planning", "Temp", "SYSTEM"),
)

# The first opens the warehouse to read, as most commands do, and the second writes beside it and
# renames.
QUICK_COMMANDS = ("sql", "load")
# These attach the warehouse to another connection, read it twice, or take longer: they are all
# tried on the odd name, and take turns on the other names.
OTHER_COMMANDS = (
    *("status", "adjust", "score", "compare", "table", "common-topics", "experiment", "export"),
    *("build", "remove", "check"),
)


def place(folder: Path, name: str) -> Path:
    file = folder / "w" / f"{name}.duckdb"
    file.parent.mkdir(parents=True)
    return file


@pytest.mark.heavy
@pytest.mark.parametrize("name", [ODD, *NAMES], ids=repr)
def test_a_name_that_works(built_once: Built, tmp_path: Path, name: str) -> None:
    file, run_file = place(tmp_path, name), write_run(tmp_path)
    shutil.copyfile(built_once[0], file)
    others: tuple[str, ...] = OTHER_COMMANDS
    if name != ODD:
        turn = NAMES.index(name) % len(OTHER_COMMANDS)
        others = OTHER_COMMANDS[turn : turn + 1]
    for command in (*others, *QUICK_COMMANDS):
        done = invoked(command, file, run_file)
        assert done.exit_code == 0, (command, done.stderr)


@pytest.mark.parametrize("name", REFUSED, ids=repr)
def test_a_name_that_is_refused(loaded_once: Path, tmp_path: Path, name: str) -> None:
    """The same is said wherever a warehouse is opened, and whether such a file exists or not."""
    warehouse = Warehouse(place(tmp_path, name))
    for is_there in (False, True):
        if is_there:
            shutil.copyfile(loaded_once, warehouse.path)
        before = sorted(each.name for each in warehouse.path.parent.iterdir())
        said = set()
        for opened in (warehouse.read, warehouse.change):
            with pytest.raises(PoolhouseError) as error, opened():
                pass
            said.add(str(error.value))
        with pytest.raises(PoolhouseError) as error:
            warehouse.refuse_what_is_none()
        (line,) = said | {str(error.value)}
        assert line.startswith(f"{warehouse.path}: ")
        assert "give the file" in line
        assert sorted(each.name for each in warehouse.path.parent.iterdir()) == before


def test_every_command_refuses_a_name(built_once: Built, tmp_path: Path) -> None:
    file, run_file = place(tmp_path, "raw"), write_run(tmp_path)
    shutil.copyfile(built_once[0], file)
    line = f"Error: {file}: 'raw' is the name of a schema in the warehouse, or of a "
    for command in (*COMMANDS, *LONG):
        done = invoked(command, file, run_file)
        assert (done.exit_code, done.stderr) == (
            status_of_error(command),
            f"{line}database of the engine; give the file another name\n",
        ), command
    assert [each.name for each in file.parent.iterdir()] == ["raw.duckdb"]


def test_every_schema_but_main_is_a_refused_name() -> None:
    of_plan = {node.relation.partition(".")[0] for node in plan_of({}).relations}
    assert of_plan - {"main"} <= SCHEMAS


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["temp", f"{ODD}/{ODD}"], ids=repr)
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
