"""Use warehouses of somebody else: no command runs, reads or writes what their catalogue says."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

import poolhouse
from every_command import COMMANDS, invoked, write_run
from poolhouse.errors import PoolhouseError
from poolhouse.export.exporting import export
from poolhouse.export.request import ExportRequest, Format
from poolhouse.loading.request import LoadRequest
from poolhouse.mcp_server.answers import text_of
from poolhouse.mcp_server.source import Folder, Source
from poolhouse.mcp_server.tools import tools_over
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

SECRET = "the-words-of-a-private-file"  # noqa: S105 - a text to look for

# Statements that somebody runs on the file before it is given to others. `written` stands for a
# statement that writes a file (within a text), `named` for the same within a name, `secret` for the
# path of a file.
WRITES = """
create macro main.duckdb_columns() as table
select
    own.* replace (
        case
            when own.column_name = 'title' then 'varchar); {written}; --' else own.data_type
        end as data_type
    )
from system.main.duckdb_columns() as own;
create macro main.duckdb_tables() as table
select own.* replace ('x; {written}; --' as table_name) from system.main.duckdb_tables() as own;
create macro main.current_database() as 'x; {written}; --';
create macro main.current_setting(name) as true;
{lists}
create view main.{path} as select 'x' as page;
create view main."a""b; {named}; --" as select 1 as page;
create schema "s; {named}; --";
create view "s; {named}; --".v as select 1 as page;
update ops.built_relations set own_macro = own_macro || '; {written}' where own_macro is not null;
insert into ops.built_relations (name, relation, definition, wording)
values
    ('x', 'staging.x; {written}; --', '', ''),
    ('y', 's; {written}; --.v', '', ''),
    ('z', 'main.a"b; {written}; --', '', '');
"""


def of_lists() -> str:
    """Return a macro with the name of the function behind brackets: it adds the folder of all."""
    overloads = ["() as system.main.list_value()"]
    for n in range(1, 60):
        names = ", ".join(f"a{number}" for number in range(n))
        texts = ", ".join(f"a{number} varchar" for number in range(n))
        if n < 4:
            overloads.append(f"({texts}) as system.main.list_value({names}, '/')")
        overloads.append(f"({names}) as system.main.list_value({names})")
    return f"create macro main.list_value{', '.join(overloads)};"


# What agents ask.
OF_AGENTS: dict[str, dict[str, object]] = {
    "list_collections": {},
    "search_tables": {"words": "verdict"},
    "describe_table": {"table": "dim_runs"},
    "run_sql": {"query": "from dim_runs"},
    "answer_question": {"question": "hardest_topics"},
    "score_runs": {"collection": "page", "runs": ["a1", "new"]},
    "compare_runs": {"collection": "page", "runs": ["a1", "a2"], "measures": ["P@2"]},
    "adjust_run": {"collection": "page", "run": "new"},
}
# A build has work, and drops the relations that are not of its models.
OUTDATED = "update ops.builds set models_version = 'of another version';"
READS = """
create or replace view main.dim_runs as
select columns.* replace ((select content from read_text({secret})) as organization)
from (from main.dim_runs_before) as columns;
create or replace view main.dim_collections as
select columns.* replace ((select content from read_text({secret})) as title)
from (from main.dim_collections_before) as columns;
"""
HOSTILE = {"writes": WRITES, "reads": READS}
# What a build reads.
READS_AS_LOADED = """
{lists}
create or replace view staging.stg_collections as
select columns.* replace ((select content from read_text({secret})) as title)
from (from staging.stg_collections_before) as columns;
update ops.builds set fingerprint = 'of other files';
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Provide a folder of private files."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    return folder


def given(built: Path, statements: str, outside: Path, folder: Path) -> Warehouse:
    """Return a warehouse as somebody gives it to others."""
    warehouse = Warehouse(Path(copyfile(built, folder / "given.duckdb")))
    written = f"copy (select 1) to '{outside / 'written'}'"
    with duckdb.connect(str(warehouse.path)) as connection:
        if "_before" in statements:
            for view in ("dim_runs", "dim_collections", "stg_collections"):
                [(definition,)] = connection.execute(
                    "select sql from duckdb_views() where view_name = ?", [view]
                ).fetchall()
                connection.execute(definition.replace(view, f"{view}_before", 1))
        connection.execute(
            statements.format(
                lists=of_lists(),
                named=written,
                written=written.replace("'", "''"),
                secret=quoted_text(str(outside / "secret")),
                path=quoted_name(str(outside / "view")),
            )
        )
    return warehouse


def found_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that hold the private words."""
    for file in folder.rglob("*"):
        if file.is_file() and SECRET.encode() in file.read_bytes():
            yield file


@pytest.mark.heavy
@pytest.mark.parametrize("statements", HOSTILE.values(), ids=HOSTILE)
def test_no_command_does_what_a_catalogue_says(
    statements: str, built_once: tuple[Path, LoadRequest, Warehouse], outside: Path, tmp_path: Path
) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    original = given(built_once[0], statements, outside, tmp_path)
    run_file = write_run(inside)
    n_succeeded = 0
    for command in COMMANDS:
        file = Path(copyfile(original.path, inside / "poolhouse.duckdb"))
        done = invoked(command, file, run_file)
        n_succeeded += done.exit_code == 0
        assert [each.name for each in outside.iterdir()] == ["secret"], command
        assert SECRET not in done.output, command
        assert list(found_in(inside)) == [], command
    tools = tools_over(Source(original, Folder.at(inside)))
    for tool, given_to_it in OF_AGENTS.items():
        with suppress(PoolhouseError):
            answer = text_of(tools[tool].answer(**given_to_it))
            n_succeeded += 1
            assert SECRET not in answer, tool
        assert [each.name for each in outside.iterdir()] == ["secret"], tool
    assert n_succeeded > 2  # so that the commands did come to their work


def test_a_build_drops_what_was_built_and_runs_no_name(
    built_once: tuple[Path, LoadRequest, Warehouse], outside: Path, tmp_path: Path
) -> None:
    warehouse = given(built_once[0], WRITES + OUTDATED, outside, tmp_path)
    assert invoked("build", warehouse.path, write_run(tmp_path)).exit_code == 0
    assert [each.name for each in outside.iterdir()] == ["secret"]
    with warehouse.read() as connection:
        asked = "select view_name from system.main.duckdb_views() where not internal"
        there = [name for (name,) in connection.execute(asked).fetchall()]
    assert "dim_runs" in there
    assert [name for name in there if "copy" in name] == []


def test_a_build_reads_no_file(
    built_once: tuple[Path, LoadRequest, Warehouse], outside: Path, tmp_path: Path
) -> None:
    warehouse = given(built_once[0], READS_AS_LOADED, outside, tmp_path)
    done = invoked("build", warehouse.path, write_run(tmp_path))
    assert (done.exit_code, "Permission Error" in done.stderr) == (1, True), done.stderr
    (outside / "secret").unlink()
    assert list(found_in(tmp_path)) == []


def test_a_reader_stays_locked_whatever_a_macro_says(
    built_once: tuple[Path, LoadRequest, Warehouse], outside: Path, tmp_path: Path
) -> None:
    warehouse = given(built_once[0], WRITES, outside, tmp_path)
    with warehouse.read() as connection, pytest.raises(duckdb.Error, match="has been locked"):
        connection.execute("set memory_limit = '1TB'")


@pytest.mark.heavy
@pytest.mark.parametrize("format_", Format)
def test_an_export_has_the_marts_of_this_version_alone(
    format_: Format,
    built_once: tuple[Path, LoadRequest, Warehouse],
    outside: Path,
    tmp_path: Path,
) -> None:
    warehouse = given(built_once[0], WRITES, outside, tmp_path)
    done = export(warehouse, ExportRequest(tmp_path / "exported", format_))
    left_out = [remark for remark in done.remarks if remark.endswith("and left out")]
    assert len(left_out) == 2
    assert left_out[0].startswith(repr(str(outside / "view")))
    assert [each.name for each in outside.iterdir()] == ["secret"]


# These open databases of their own, into which nobody else wrote.
OWN = {
    *("building/cached_databases.py", "building/plan/seeds.py", "building/plan/trying.py"),
    *("building/settings.py", "lake/collection.py", "scoring/files/scoring.py"),
    "building/written_measures.py",
    "lake/reading.py",  # the catalogue of a lake, which warehouse/file.py confines
}


def test_every_engine_with_a_warehouse_is_confined() -> None:
    project = Path(poolhouse.__file__).parent
    sources = {file: file.read_text(encoding="utf-8") for file in project.rglob("*.py")}
    opening = {
        str(file.relative_to(project)): text
        for file, text in sources.items()
        if "duckdb.connect(" in text
    }
    assert opening.keys() >= OWN
    not_confined = {name for name, text in opening.items() if "confine(" not in text}
    assert not_confined == OWN
