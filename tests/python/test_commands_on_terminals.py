"""Test the output of every command on a terminal of 80 columns, and rules for all commands."""

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from every_command import (
    COMMANDS,
    LONG,
    OF_PAGE,
    SERVING,
    WITHOUT_WAREHOUSE,
    invoked,
    write_run,
)
from poolhouse.command_line.main import main
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import EXPERIMENTS
from poolhouse.warehouse.file import Warehouse

WIDTH = 80
_OWN_CODES = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")

RUN_ELSEWHERE = {"report", "check", "export", "score", "compare", "adjust", "remove"}

# This command has no next step to suggest.
WITHOUT_NEXT = {"sql"}


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def page(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Copy the warehouse for commands that change nothing that other tests see."""
    folder = tmp_path_factory.mktemp("a warehouse")
    return Path(copyfile(built_once[0], folder / "it's.duckdb"))


def run(
    command: str, file: Path, run_file: Path, *options: str, width: int | None = None
) -> Result:
    terminal = {"FORCE_COLOR": "1", "COLUMNS": str(width)} if width else {}
    done = invoked(command, file, run_file, *options, **terminal)
    # nobody can tell of a single topic which run is better
    assert done.exit_code == (3 if command == "gate" else 0), done.output
    return done


def test_every_command_is_looked_at() -> None:
    assert COMMANDS.keys() | LONG | SERVING | WITHOUT_WAREHOUSE == set(main.commands)


@pytest.mark.parametrize(
    "command",
    # Other modules run these commands in the first tier.
    [pytest.param(each, marks=[pytest.mark.heavy] * (each in RUN_ELSEWHERE)) for each in COMMANDS],
)
def test_a_command_keeps_to_a_terminal_and_says_what_comes_next(
    page: Path, run_file: Path, tmp_path: Path, command: str
) -> None:
    file = page
    if command in ("load", "build", "remove"):
        file = Path(copyfile(page, tmp_path / "it's.duckdb"))
    done = run(command, file, run_file, width=WIDTH)
    lines = _OWN_CODES.sub("", done.stdout).splitlines()
    assert max(map(cell_len, lines), default=0) <= WIDTH
    assert not any(re.match(r"-- \d+ of \d+ --", line) for line in lines)
    last = _OWN_CODES.sub("", done.stderr).rstrip("\n").rpartition("\n")[2]
    if command in WITHOUT_NEXT:
        assert not last
    else:
        assert last.startswith("next: poolhouse ")
        words = shlex.split(last.removeprefix("next: "))
        assert words[-2:] == ["--db", str(file)]
        assert_is_a_command(words)


def assert_is_a_command(words: list[str]) -> None:
    """Parse a command line without running it."""
    assert words[0] == "poolhouse"
    if "<" in words:  # `<` is standard input, which a shell would remove
        words = words[: words.index("<")]
    name, *rest = words[1:]
    if "--help" not in rest:
        main.commands[name].make_context(name, rest)


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_has_examples_that_are_commands(command: str) -> None:
    done = CliRunner().invoke(main, [command, "--help"], terminal_width=WIDTH)
    _, title, examples = done.stdout.partition("\n  Example")
    assert title, "no example"
    lines = examples.splitlines()[1:]
    assert lines
    for line in lines:
        assert len(line) <= WIDTH
        words = shlex.split(line)
        assert words[1] == command
        assert_is_a_command(words)


def test_no_summary_of_a_command_is_cut() -> None:
    shown = CliRunner().invoke(main, ["--help"], terminal_width=WIDTH).stdout
    _, _, commands = shown.partition("\nCommands:\n")
    assert commands
    assert "..." not in commands
    assert max(map(len, shown.splitlines())) <= WIDTH
    for name in main.commands:
        assert len([line for line in shown.splitlines() if line.startswith(f"  {name} ")]) == 1


# Commands that change nothing here, with the types of their results in JSON.
RESULTS: Mapping[str, type] = {
    "status": list,
    "sql": list,
    "adjust": list,
    "compare": list,
    "table": list,
    "common-topics": list,
    "experiment": list,
    "check": list,
    "settings": list,
    "cookbook": list,
    "load": dict,
    "build": dict,
}


@pytest.mark.some(2)
@pytest.mark.parametrize("command", RESULTS)
def test_json_is_json_all_the_way_down(
    page: Path, run_file: Path, tmp_path: Path, command: str
) -> None:
    file = Path(copyfile(page, tmp_path / "poolhouse.duckdb")) if command == "load" else page
    result = json.loads(run(command, file, run_file, "--format", "json").stdout)
    assert isinstance(result, RESULTS[command])
    for text in texts_in(result):
        assert not text.startswith(("{", "[{", '["')), text


def texts_in(value: Any) -> list[str]:  # noqa: ANN401 - whatever JSON has
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts_in(part)]
    if isinstance(value, list):
        return [text for part in value for text in texts_in(part)]
    return [value] if isinstance(value, str) else []


@pytest.mark.heavy
def test_all_experiments_are_one_json(experiments_once: Warehouse, tmp_path: Path) -> None:
    file = copyfile(experiments_once.path, tmp_path / "poolhouse.duckdb")
    arguments = ["experiment", "all", "--collection", "random", "--samples", "2", "--widths", "2"]
    arguments += ["--common-topics", "2", "--format", "json", "--db", str(file)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert list(found) == list(EXPERIMENTS)
    assert all(found.values())


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("output", "begins"),
    [("markdown", "| ---"), ("latex", r"\begin{tabular}"), ("html", "<table>\n")],
)
@pytest.mark.parametrize("command", ["status", "adjust", "compare", "table", "common-topics"])
def test_tables_are_parts_of_documents(
    page: Path, run_file: Path, command: str, output: str, begins: str
) -> None:
    assert begins in run(command, page, run_file, "--format", output).stdout


@pytest.mark.heavy
def test_a_result_goes_to_a_file(page: Path, run_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    expected = run("adjust", page, run_file, "--format", "csv").stdout
    done = run("adjust", page, run_file, "--format", "csv", "--output", str(file))
    assert done.stdout == ""
    assert file.read_text() == expected
    assert list(tmp_path.iterdir()) == [file]


def test_a_command_that_fails_leaves_the_file_as_it_was(page: Path, tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("before")
    for query, exit_code in (("selec 1", 1), ("select error('no')", 1)):
        done = CliRunner().invoke(main, ["sql", query, "--output", str(file), "--db", str(page)])
        assert done.exit_code == exit_code
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_result_has_its_place(page: Path, tmp_path: Path) -> None:
    before = page.read_bytes()
    for place in (page, page.with_name(f"{page.name}.wal"), tmp_path / "none" / "x", "/dev/null"):
        arguments = ["sql", "select 1", "--output", str(place), "--db", str(page)]
        done = CliRunner().invoke(main, arguments)
        assert (done.exit_code, done.stdout) == (1, "")
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"Error: {place}: ")
    assert page.read_bytes() == before
    done = CliRunner().invoke(main, ["sql", "select 1", "--output", str(tmp_path)])
    assert done.exit_code == 2
    assert "is a directory" in done.stderr


@pytest.mark.heavy
def test_a_check_may_fail_on_suspicions(page: Path, tmp_path: Path) -> None:
    file = tmp_path / "check.json"
    arguments = ["check", "--db", str(page), "--format", "json", "--output", str(file)]
    done = CliRunner().invoke(main, [*arguments, "--fail-on", "suspicion"])
    assert done.exit_code == 1
    found = json.loads(file.read_text())  # the result is complete, whatever the exit status is
    assert {each["suite"] for each in found} == {"suspicions"}
    assert all(each["meaning"] and isinstance(each["sample"], list) for each in found)


@pytest.mark.heavy
def test_a_check_explains_what_it_found(page: Path, run_file: Path) -> None:
    shown = run("check", page, run_file, width=WIDTH).stdout
    words = " ".join(_OWN_CODES.sub("", shown).split())
    assert "suspicions: what does not hold" in words
    assert words.count("Expected: ") == 3


def test_status_may_fail_on_what_is_stale(page: Path, loaded: Warehouse, run_file: Path) -> None:
    assert run("status", page, run_file, "--fail-on", "stale").exit_code == 0
    stale = ["status", "--fail-on", "stale", "--db", str(loaded.path)]
    done = CliRunner().invoke(main, stale)
    assert done.exit_code == 1
    assert f"next: poolhouse build --db {loaded.path}" in done.stderr


def test_an_error_in_a_query_shows_the_place(page: Path) -> None:
    query = "select run_id,\n  no_such_column from dim_runs"
    done = CliRunner().invoke(main, ["sql", query, "--db", str(page)])
    error, line, caret = done.stderr.splitlines()
    assert error.startswith("Error: Binder Error: ")
    assert line.startswith("LINE 2: ")
    assert line[caret.index("^") :].startswith("no_such_column")
    hostile = CliRunner().invoke(main, ["sql", "select \x1b[2J\x9b,, 1", "--db", str(page)])
    assert hostile.stderr.replace("\n", "").isprintable()


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["stauts"], "status"),
        (["status", "--formt", "csv"], "--format"),
        (["common-topics", "--collection", "pag", "--standard-error", "1"], "page"),
        (["remove", "page", "--run", "b11"], "b1"),
        (["compare", "a1", "a22", *OF_PAGE, "--measure", "AP"], "a2"),
        (["sql", "select * from dim_run"], "dim_runs"),
        (["settings", "mesures"], "measures"),
    ],
)
def test_a_name_that_is_nearly_right_is_asked_for(
    page: Path, arguments: list[str], meant: str
) -> None:
    done = CliRunner(env={"POOLHOUSE_DB": str(page)}).invoke(main, arguments)
    assert done.exit_code in (1, 2)
    assert re.search(rf"(?i)(did you mean|the nearest is)[^?]*{meant}", done.stderr), done.stderr


def completed(line: str, **environment: str) -> list[str]:
    """Return the completions that bash would ask for."""
    asked = {
        "_POOLHOUSE_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        **environment,
    }
    done = CliRunner(env=asked).invoke(main, [], prog_name="poolhouse")
    return [each.partition(",")[2] for each in done.stdout.split()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_told_how_to_complete(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # click would ask the machine's bash for its version
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda *_: None)
    asked = {"_POOLHOUSE_COMPLETE": f"{shell}_source"}
    done = CliRunner(env=asked).invoke(main, [], prog_name="poolhouse")
    assert f"_POOLHOUSE_COMPLETE={shell}_complete" in done.stdout


def test_names_are_completed(page: Path, tmp_path: Path) -> None:
    assert completed("poolhouse sta") == ["status"]
    assert completed("poolhouse plan") == []
    assert completed("poolhouse cookbook best_") == [
        *("best_of_organizations", "best_runs", "best_estimators")
    ]
    assert "plan" not in completed("poolhouse plan ")
    assert completed("poolhouse common-topics --collection ", POOLHOUSE_DB=str(page)) == ["page"]
    assert completed("poolhouse remove pa", POOLHOUSE_DB=str(page)) == ["page"]
    assert completed("poolhouse remove x", POOLHOUSE_DB=str(page)) == []
    assert completed("poolhouse remove ", POOLHOUSE_DB=str(tmp_path / "none.duckdb")) == []


def test_the_demo_keeps_away_from_other_collections(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = loaded.path.read_bytes()
    done = CliRunner().invoke(main, ["demo", "--db", str(loaded.path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "holds collections that are not of the demo, such as 'toy'" in done.stderr
    assert loaded.path.read_bytes() == before
    monkeypatch.setenv("POOLHOUSE_DB", str(loaded.path))
    asked = main.commands["demo"].make_context("demo", [])
    assert asked.params["warehouse"].path == Path("poolhouse-demo.duckdb")
