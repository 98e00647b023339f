"""Test the command line: formats, errors in one line, and exit statuses."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest
from click.testing import CliRunner, Result

from conftest import ToyFiles
from poolhouse.command_line import console
from poolhouse.command_line.main import main
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def sql(warehouse: Warehouse, query: str, *options: str) -> Result:
    return run("sql", query, "--db", warehouse.path, *options)


@pytest.mark.heavy
def test_load_takes_files_as_a_shell_expands_them(
    warehouse: Warehouse, toy_files: ToyFiles
) -> None:
    files = sorted(toy_files.runs.iterdir())
    qrels = toy_files.qrels
    done = run("load", "toy", "--runs", *files, "--qrels", qrels, "--db", warehouse.path)
    assert done.exit_code == 0, done.output
    assert f"{len(files) + 1} files loaded" in done.stderr
    assert "note: input.blue.1: 1 of 5 lines rejected, line 4: score not a finite" in done.stderr
    assert "lines rejected in all: 2; after the build, audits.audit_rejected_lines" in done.stderr
    assert f"next: poolhouse build --db {warehouse.path}" in done.stderr
    runs = sql(warehouse, "select count(*) as n from raw.runs", "--format", "csv")
    assert runs.stdout == f"n\n{len(files)}\n"


def test_a_load_of_one_run_says_how_to_score_it(loaded: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "my.run").write_text("1 Q0 D1 1 1 my\n")
    done = run("load", "toy", "--runs", tmp_path / "my.run", "--db", loaded.path)
    score = f"after the build: poolhouse score my --collection toy --db {loaded.path}\n"
    assert done.stderr.endswith(f"{score}next: poolhouse build --db {loaded.path}\n")
    again = run("load", "toy", "--runs", tmp_path / "my.run", "--db", loaded.path)
    assert "after the build" not in again.stderr


def test_a_load_of_one_run_promises_no_score_without_judgements(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    (tmp_path / "my.run").write_text("1 Q0 D1 1 1 my\n")
    arguments = ("load", "new", "--runs", tmp_path / "my.run", "--unjudged")
    done = run(*arguments, "--db", warehouse.path)
    assert "after the build" not in done.stderr
    assert "next: poolhouse build" in done.stderr


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("'nan'::double", None),
        ("[1.5::decimal(4, 2), null]", [1.5, None]),
        ("{'a': 'nan'::double, 'b': [date '2020-01-02']}", {"a": None, "b": ["2020-01-02"]}),
        ("map {1: 'infinity'::double}", {"1": None}),
        ("time '10:00'", "10:00:00"),
        ("'ab'::blob", "b'ab'"),
        ("170141183460469231731687303715884105727::hugeint", 2**127 - 1),
        ("'x' || chr(27) || chr(155) || chr(8238) || chr(917505)", "x\x1b\x9b\u202e\U000e0001"),
        ("'caf' || chr(233) || chr(128512)", "caf\u00e9\U0001f600"),
        ("'two' || chr(10) || 'lines' || chr(127)", "two\nlines\x7f"),
    ],
)
def test_json_holds_odd_values(loaded: Warehouse, value: str, expected: object) -> None:
    done = sql(loaded, f"select {value} as x", "--format", "json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == [{"x": expected}]
    assert done.stdout.replace("\n", "").isprintable()


def test_json_keeps_columns_that_share_a_name(loaded: Warehouse) -> None:
    done = sql(loaded, "select 1 as a, 2 as a, 3 as a_1, 4 as a", "--format", "json")
    assert json.loads(done.stdout) == [{"a": 1, "a_1": 2, "a_1_1": 3, "a_2": 4}]


@pytest.mark.some(8)
@pytest.mark.parametrize(
    ("text", "cell"),
    [
        *((start + "1+A1", f"'{start}1+A1") for start in ("=", "@", "+", "-", "\t", "\r", "\n")),
        *((start + "cmd", f"'{start}cmd") for start in "\uff1d\uff0b\uff0d\uff20"),
        *(
            (number, number)
            for number in ("-5", "-0.5", "+3", "-1e-3", "-.5", "5", "a=b", "", " =1")
        ),
        *(("-5\n", "'-5\n"), ("-5+A1", "'-5+A1"), ("--5", "'--5"), ("-inf", "'-inf"), ("-", "'-")),
    ],
)
def test_no_spreadsheet_runs_a_text_of_the_data(loaded: Warehouse, text: str, cell: str) -> None:
    """The text is a value, and the name of a column; numbers stay numbers."""
    name = text or " "
    query = f"""select '{text}' as "{name}", -5 as n, -0.5::double as d, -1.5::decimal(3, 1) as e"""
    done = sql(loaded, query, "--format", "csv", "--spreadsheet-safe")
    assert done.exit_code == 0, done.output
    header, row = csv.reader(io.StringIO(done.stdout, newline=""))
    assert row == [cell, "-5", "-0.5", "-1.5"]
    assert header[0] == (cell or " ")
    # By default, identifiers are exactly as in the warehouse: otherwise, no join on them would
    # work.
    exact = sql(loaded, query, "--format", "csv").stdout
    header, row = csv.reader(io.StringIO(exact, newline=""))
    assert (header[0], row[0]) == (name, text)


@pytest.mark.parametrize("output", ["table", "json"])
def test_only_csv_is_for_spreadsheets(loaded: Warehouse, output: str) -> None:
    done = sql(loaded, "select 1", "--spreadsheet-safe", "--format", output)
    assert done.exit_code == 2
    assert "--spreadsheet-safe works only with --format csv" in done.stderr


CODES = "\x1b]0;owned\x07\x9b2J\u202e"
OBEYED = set("\x1b\x07\x9b\u202e\r")


def test_nothing_of_the_data_reaches_a_terminal_as_a_command(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f"""select '{CODES}' as "{CODES}", ['{CODES}'] as l, 'a' || chr(13) || 'b' as r"""
    shown = sql(loaded, query.replace("as r", "as r, '[bold]no markup[/bold]' as m")).stdout
    assert not OBEYED & set(shown)
    assert "[bold]no markup[/bold]" in shown
    assert not OBEYED & set(sql(loaded, query, "--format", "json").stdout)
    # A file gets the data unchanged; a terminal does not.
    assert CODES in sql(loaded, query, "--format", "csv").stdout
    monkeypatch.setattr(console, "_is_terminal", lambda: True)
    shown = sql(loaded, query, "--format", "csv").stdout
    assert not OBEYED & set(shown)
    assert shown.count("\n") == 2
    error = sql(loaded, f"""select "{CODES}" from raw.runs""")
    assert error.exit_code == 1
    assert error.stderr.replace("\n", "").isprintable()


def test_records_show_no_terminal_codes(loaded: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are the form in which a terminal shows wide rows."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    columns = ", ".join(f"""'{CODES}' as "{CODES}{number}" """ for number in range(9))
    done = sql(loaded, f"select {columns}")
    assert done.stdout.count("\n") == 9
    assert not OBEYED - {"\x1b"} & set(done.stdout)
    assert "\x1b]0" not in done.stdout


def test_a_remark_shows_no_terminal_codes_and_has_an_end(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    toy_files.descriptions.write_text(f'run,organization\n"{"z" * 50_000}{CODES}",b\n')
    done = run(
        *("load", "toy", "--db", loaded.path, "--descriptions", toy_files.descriptions),
    )
    assert done.exit_code == 0, done.output
    (line,) = (line for line in done.stderr.splitlines() if "described but not loaded" in line)
    assert line.isprintable()
    assert line.endswith(" more characters")
    assert len(line) < 2100


def test_a_table_shows_scores_as_the_field_prints_them(loaded: Warehouse) -> None:
    done = sql(
        loaded, "select 0.25::double as a, 1.23456e-5 as b, -0.0004e0 as c, 'nan'::double as d"
    )
    assert done.stdout.splitlines()[3].split()[1::2] == ["0.2500", "1.23e-05", "-4.00e-04", "nan"]


def test_a_query_may_come_from_standard_input(loaded: Warehouse) -> None:
    done = run("sql", "-", "--db", loaded.path, "--format", "csv", stdin="select 42 as answer")
    assert done.stdout == "answer\n42\n"


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "query",
    [
        "select 1 as a; select 2 as a",
        "select 1 as a;;select 2 as a -- x",
        "set threads = 1; select 1",
    ],
)
def test_two_statements_are_refused(loaded: Warehouse, query: str) -> None:
    """Otherwise, the result of the first statement would be lost without a message."""
    said = (
        1,
        "",
        "Error: the query is 2 statements: give one, since only one can have its result shown\n",
    )
    done = sql(loaded, query)
    assert (done.exit_code, done.stdout, done.stderr) == said
    done = run("sql", "-", "--db", loaded.path, stdin=query)
    assert (done.exit_code, done.stdout, done.stderr) == said


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "query",
    ["select 2 as a;", "select 2 as a ; ; -- ;", "/* ; */ select 2 as a;\n\n", "; select 2 as a"],
)
def test_one_statement_may_end_in_a_semicolon(loaded: Warehouse, query: str) -> None:
    for done in (
        sql(loaded, query, "--format", "csv"),
        run("sql", "-", "--db", loaded.path, "--format", "csv", stdin=query),
    ):
        assert (done.exit_code, done.stdout) == (0, "a\n2\n")


@pytest.mark.some(6)
@pytest.mark.parametrize(
    "query",
    [
        *("describe raw.runs", "show tables", "summarize raw.runs", "explain select 1", ""),
        *("explain analyze select 1", "pragma table_info('raw.runs')", "set variable a = 1"),
        *("pivot raw.runs on run_id using count(*)", "call duckdb_settings()", "/* nothing */"),
        "from (pivot raw.runs on run_id using count(*))",
        *("table raw.runs", "from raw.runs", "values (1)", "with a as (select 1) from a"),
    ],
)
def test_statements_of_every_kind_are_run(loaded: Warehouse, query: str) -> None:
    done = sql(loaded, query, "--format", "json")
    assert done.exit_code == 0, done.stderr
    json.loads(done.stdout)


def test_a_query_has_an_end(loaded: Warehouse) -> None:
    done = run("sql", "-", "--db", loaded.path, stdin=" " * (10**7 + 1))
    assert (done.exit_code, "a query has at most 10 MB" in done.stderr) == (2, True)


@pytest.mark.parametrize("stdin", [b"select '\xff' as x", b"\xff\xfe"])
def test_a_query_that_is_no_text_is_one_line(loaded: Warehouse, stdin: bytes) -> None:
    done = CliRunner().invoke(main, ["sql", "-", "--db", str(loaded.path)], input=stdin)
    assert (done.exit_code, done.stderr) == (1, "Error: the query is not UTF-8\n")
    done = sql(loaded, "select '\udcff' as x")
    assert (done.exit_code, done.stderr) == (1, "Error: the query is not UTF-8\n")


@pytest.mark.some(1)
@pytest.mark.parametrize("output", ["table", "csv", "json"])
def test_output_that_cannot_show_a_character_shows_its_code(loaded: Warehouse, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "poolhouse", "sql", "select 'caf\u00e9' as x", "--format", output],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "POOLHOUSE_DB": str(loaded.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ("caf\\u00e9" if output == "json" else "caf\\xe9") in done.stdout


@pytest.mark.some(6)
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
        ("select * from '/etc/hostname'", ""),
        ("select * from glob('/etc/*')", "disabled"),
        ("select * from read_text('https://example.com/')", "disabled"),
        ("install httpfs", "disabled"),
        ("load httpfs", "disabled"),
        ("select * from query", "does not exist"),  # a variable of Python is not found either
        ("export database 'somewhere'", "disabled"),
    ],
)
def test_what_sql_may_not_do(loaded: Warehouse, query: str, problem: str) -> None:
    done = sql(loaded, query)
    assert done.exit_code == 1
    assert done.stdout == ""
    line, *excerpt = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert problem in line
    assert [each.split()[0].rstrip("^") for each in excerpt] in ([], ["LINE", ""])


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


@pytest.mark.heavy
def test_strict_lets_a_bad_line_stop_the_load(
    warehouse: Warehouse, loaded_once: Path, toy_files: ToyFiles
) -> None:
    load = ("load", "toy", "--runs", toy_files.runs, "--qrels", toy_files.qrels)
    done = run(*load, "--strict", "--db", warehouse.path)
    assert done.exit_code == 1
    problem = 'line 5: too few fields: "2 0 D5" (--strict: nothing was loaded)'
    assert done.stderr == f"Error: {toy_files.qrels}: 1 of 5 lines rejected, {problem}\n"
    assert not warehouse.path.exists()
    toy_files.qrels.write_text("1 0 D1 1\n")
    done = run(*load, "--strict", "--db", warehouse.path)
    problem = (
        'line 4: score not a finite number: "2 Q0 D1 1 high blue" (--strict: nothing was loaded)'
    )
    assert done.stderr == f"Error: {toy_files.blue}: 1 of 5 lines rejected, {problem}\n"
    assert not warehouse.path.exists()
    # A line is as bad where it was loaded before.
    warehouse.path.parent.mkdir(exist_ok=True)
    copyfile(loaded_once, warehouse.path)
    again = ("load", "toy", "--strict", "--db", warehouse.path, "--runs")
    done = run(*again, toy_files.runs / "amber")
    assert (done.exit_code, "1 unchanged" in done.stderr) == (0, True)
    assert f"Error: {toy_files.blue}: 1 of 5 lines" in run(*again, toy_files.runs).stderr
    toy_files.blue.write_text("\n1 Q0 D1 1 2 t\n1 Q0 D1 1 2 t\n")  # blank and repeated are not bad
    assert run(*again, toy_files.runs).exit_code == 0


@pytest.mark.heavy
def test_remove_says_what_it_did_and_what_comes_next(loaded: Warehouse) -> None:
    done = run("remove", "toy", "--run", "amber", "--run", "green", "--db", loaded.path)
    assert done.exit_code == 0
    next_command = f"poolhouse build --db {loaded.path}"
    assert done.stderr == f"removed amber, green of toy\nnext: {next_command}\n"
    done = run("remove", "toy", "--run", "amber", "--db", loaded.path)
    assert done.exit_code == 1
    assert done.stderr == "Error: run 'amber' is not in collection 'toy'\n"
    assert run("remove", "toy", "--db", loaded.path).exit_code == 0
    assert json.loads(run("status", "--format", "json", "--db", loaded.path).stdout) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("option", ["--depth", "--threshold", "--highest-grade"])
def test_what_is_declared_has_32_bits(loaded: Warehouse, option: str) -> None:
    assert run("load", "toy", option, str(2**31 - 1), "--db", loaded.path).exit_code == 0
    assert run("load", "toy", option, str(2**31), "--db", loaded.path).exit_code == 2


@pytest.mark.parametrize("title", [" ", "a\x1b[2J", "\udcff"])
def test_a_title_that_cannot_be_printed_is_refused(loaded: Warehouse, title: str) -> None:
    done = run("load", "toy", "--title", title, "--db", loaded.path)
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: title ")
    assert "is empty or not printable" in done.stderr


def test_a_name_that_is_too_long_for_the_system_is_an_error(tmp_path: Path) -> None:
    done = run("status", "--db", tmp_path / ("x" * 300))
    assert done.exit_code == 1
    assert "cannot be opened: File name too long" in done.stderr


def test_a_bad_file_whose_name_is_that_of_an_error_is_a_bad_file(
    loaded: Warehouse, tmp_path: Path
) -> None:
    file = tmp_path / "No space left on device"
    file.write_text("nothing\n")
    done = run("load", "toy", file, "--db", loaded.path)
    assert f"{file}: holds no ranked document" in done.stderr


@pytest.mark.heavy
def test_a_removed_collection_shows_when_it_was_built(
    built_once: tuple[Path, LoadRequest, Warehouse], warehouse: Warehouse
) -> None:
    warehouse.path.parent.mkdir()
    copyfile(built_once[0], warehouse.path)
    assert run("remove", "page", "--db", warehouse.path).exit_code == 0
    [status] = json.loads(run("status", "--format", "json", "--db", warehouse.path).stdout)
    assert (status["collection"], status["state"]) == ("page", "removed since the build")
    assert status["built_at"] is not None


def test_wrong_usage_is_exit_status_2(toy_files: ToyFiles) -> None:
    assert run("load").exit_code == 2
    assert run("load", "toy", "--depth", "0").exit_code == 2
    assert run("sql", "select 1", "--format", "yaml").exit_code == 2
    assert run("no-such-command").exit_code == 2


# This command shows files of the installed package.
WITHOUT_WAREHOUSE = {"docs", "lake", "pool"}


# Results of these commands can be had for spreadsheets.
FOR_SPREADSHEETS = {"adjust", "check", "common-topics", "experiment", "sql", "status"}


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_is_documented_and_takes_the_warehouse(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "POOLHOUSE_DB" in done.stdout or command in WITHOUT_WAREHOUSE
    assert "--spreadsheet-safe" in done.stdout or command not in FOR_SPREADSHEETS
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert f"poolhouse {command}" in readme
