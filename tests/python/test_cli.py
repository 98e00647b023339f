"""The command line: formats, errors as one line, exit statuses."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conftest import ToyFiles
from poolhouse import cli
from poolhouse.cli import main
from poolhouse.warehouse import Warehouse


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def sql(warehouse: Warehouse, query: str, *options: str) -> Result:
    return run("sql", query, "--db", warehouse.path, *options)


def test_load_takes_files_as_a_shell_expands_them(
    warehouse: Warehouse, toy_files: ToyFiles
) -> None:
    files = sorted(toy_files.runs.iterdir())
    qrels = toy_files.qrels
    done = run("load", "toy", "--runs", *files, "--qrels", qrels, "--db", warehouse.path)
    assert done.exit_code == 0, done.output
    assert f"{len(files) + 1} files loaded" in done.stderr
    assert "lines rejected: 2" in done.stderr
    assert "next: poolhouse build" in done.stderr
    runs = sql(warehouse, "select count(*) as n from raw.runs", "--format", "csv")
    assert runs.stdout == f"n\n{len(files)}\n"


def test_the_warehouse_is_named_by_the_environment(loaded: Warehouse) -> None:
    done = CliRunner(env={"POOLHOUSE_DB": str(loaded.path)}).invoke(main, ["status"])
    assert done.exit_code == 0
    assert "toy" in done.stdout


def test_status_says_what_is_stale(loaded: Warehouse) -> None:
    (row,) = json.loads(run("status", "--format", "json", "--db", loaded.path).stdout)
    assert row["collection"] == "toy"
    assert row["runs"] == 3
    assert row["state"] == "not built yet"
    assert row["built_at"] is None


def test_json_and_csv_hold_the_same_values(loaded: Warehouse) -> None:
    query = "select 1 as one, 0.5 as half, null as none, 'a,\"b' as text, 1.5::decimal(4, 2) as d"
    (from_json,) = json.loads(sql(loaded, query, "--format", "json").stdout)
    assert from_json == {"one": 1, "half": 0.5, "none": None, "text": 'a,"b', "d": 1.5}
    (from_csv,) = csv.DictReader(io.StringIO(sql(loaded, query, "--format", "csv").stdout))
    assert from_csv == {"one": "1", "half": "0.5", "none": "", "text": 'a,"b', "d": "1.50"}


def test_json_has_no_word_for_nan(loaded: Warehouse) -> None:
    done = sql(loaded, "select 'nan'::double as x, 'infinity'::double as y", "--format", "json")
    assert json.loads(done.stdout) == [{"x": None, "y": None}]


def test_a_table_shows_no_terminal_codes_of_the_data(loaded: Warehouse) -> None:
    done = sql(loaded, "select '\x1b[31mred\x1b[0m [bold]not markup[/bold]' as text")
    assert "\x1b" not in done.stdout
    assert "[bold]not markup[/bold]" in done.stdout


def test_a_table_shows_scores_as_the_field_prints_them(loaded: Warehouse) -> None:
    done = sql(
        loaded, "select 0.25::double as a, 1.23456e-5 as b, -0.0004e0 as c, 'nan'::double as d"
    )
    assert done.stdout.splitlines()[3].split()[1::2] == ["0.2500", "1.23e-05", "-4.00e-04", "nan"]


def test_a_query_may_come_from_standard_input(loaded: Warehouse) -> None:
    done = run("sql", "-", "--db", loaded.path, "--format", "csv", stdin="select 42 as answer")
    assert done.stdout == "answer\n42\n"


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("select * from no_such_mart", "no_such_mart"),
        ("selec 1", "syntax error"),
        ("delete from raw.runs", "read-only"),
        ("create table t (i int)", "read-only"),
        ("select * from read_csv('/etc/hostname')", "disabled"),
        ("copy (select 1) to 'out.csv'", "disabled"),
        ("attach 'other.duckdb'", "disabled"),
        ("set enable_external_access = true", "locked"),
    ],
)
def test_what_sql_may_not_do(loaded: Warehouse, query: str, problem: str) -> None:
    done = sql(loaded, query)
    assert done.exit_code == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert problem in line


def test_an_interrupted_query_says_so(loaded: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the engine is at work comes as its own error."""

    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(cli, "run_query", interrupted)
    done = sql(loaded, "select 1")
    assert done.exit_code == 1
    assert done.stderr.split() == ["Aborted!"]


def test_errors_are_one_line_and_exit_status_1(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    for arguments in (["status"], ["build"], ["sql", "select 1"]):
        done = run(*arguments, "--db", warehouse.path)
        assert done.exit_code == 1
        (line,) = done.stderr.splitlines()
        assert f"{warehouse.path}: no warehouse here" in line
    toy_files.descriptions.write_text("run,organization,pooled\na,A,perhaps\n")
    done = run(
        *("load", "toy", "--runs", toy_files.runs, "--qrels", toy_files.qrels),
        *("--descriptions", toy_files.descriptions, "--db", warehouse.path),
    )
    assert done.exit_code == 1
    assert f"{toy_files.descriptions}:2: pooled is 'perhaps'" in done.stderr
    assert not warehouse.path.exists()


def test_wrong_usage_is_exit_status_2(toy_files: ToyFiles) -> None:
    assert run("load").exit_code == 2
    assert run("load", "toy", "--depth", "0").exit_code == 2
    assert run("sql", "select 1", "--format", "yaml").exit_code == 2
    assert run("no-such-command").exit_code == 2


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_is_documented_and_takes_the_warehouse(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "POOLHOUSE_DB" in done.stdout
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert f"poolhouse {command}" in readme
