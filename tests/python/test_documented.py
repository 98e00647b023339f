"""Run every command of README and docs, and their SQL, where a reader would type them."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from shutil import copytree

import click
import pytest
from click.testing import Result

from asking import invoke
from built_collections import kept_open
from documented import PAGES, ROOT, Block, Command, blocks, commands, mentions, statements
from documented_folder import WAREHOUSE, in_the_folder, named_as_in_the_folder
from poolhouse.command_line.main import main
from poolhouse.option_values import EXPERIMENTS
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

# First words of commands that are not run here.
NOT_RUN = {
    "pip install": "the tests run what is installed already",
    "poolhouse demo": "test_demo.py runs it, in half a minute",
    "poolhouse lake build archive.yml --to lake --spark": "test_lake_equality.py has a server",
    "poolhouse mcp": "it serves until its client ends; test_mcp.py has clients",
    "pytest": "these are the tests",
    "python benchmarks/": "minutes of measurement, by hand",
    "eval $(_POOLHOUSE_COMPLETE": "of a shell: test_commands_on_terminals.py completes names",
    "_POOLHOUSE_COMPLETE": "the same, of another shell",
}

# An experiment of a thousand samples does the same as one of three, and takes longer.
_FEWER: dict[tuple[str, ...], list[str]] = {
    ("experiment", name): ["--samples", "3"] for name in (*EXPERIMENTS, "all")
}

# These commands leave the warehouse unchanged.
_READERS = {
    *("sql", "status", "compare", "gate", "table", "adjust", "score", "cookbook", "common-topics"),
    *("report", "figure", "export"),
}

_IN_BLOCKS = [page for page in PAGES if any(commands(b) or statements(b) for b in blocks(page))]
_MENTIONED = [page for page in PAGES if mentions(page)]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def unchanged(documented_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Provide a copy for commands that change nothing, open, since opening takes long."""
    copy = copytree(documented_folder, tmp_path_factory.mktemp("documented") / "unchanged")
    for _ in kept_open(Warehouse(copy / WAREHOUSE)):
        yield copy


@pytest.mark.heavy
@pytest.mark.parametrize("page", _IN_BLOCKS, ids=_name)
def test_commands_of_a_page_run(
    page: Path,
    unchanged: Path,
    documented_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for section, (_, of_section) in enumerate(groupby(blocks(page), lambda block: block.section)):
        typed = list(of_section)
        run: Callable[..., Result] = _run_once
        here = unchanged
        if not _only_reads(typed):
            run, here = _run, _copied(typed, documented_folder, tmp_path / str(section))
        monkeypatch.chdir(here)
        for block in typed:
            for command in commands(block):
                for step in _run_here(command):
                    done = run(*step[1:])
                    assert done.exit_code == command.exit_status, (block, step, done.output)
            for query in statements(block):
                run_query(Warehouse(Path(WAREHOUSE)), named_as_in_the_folder(query))


@pytest.mark.parametrize("page", _MENTIONED, ids=_name)
def test_commands_in_running_text_are_there(page: Path) -> None:
    for mention in mentions(page):
        _, name, *words = mention.split()
        if name.isupper():
            continue  # it stands for any command
        command: click.Command = main
        assert name in main.commands, mention
        command = main.commands[name]
        known = {option for parameter in command.params for option in parameter.opts}
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert named - {"--help"} <= known, mention


def test_what_is_not_run_is_there() -> None:
    typed = [
        " ".join(step)
        for page in _IN_BLOCKS
        for block in blocks(page)
        for command in commands(block)
        for step in command.steps
    ]
    for beginning in NOT_RUN:
        assert any(each.startswith(beginning) for each in typed), beginning


def _run(*words: str) -> Result:
    return invoke(*words, *_FEWER.get(words[:2], []))


# Where nothing changes, a command of several pages is run once.
_run_once = cache(_run)


def _run_here(command: Command) -> Iterable[list[str]]:
    """Return the steps of a command that are run, with the names of the folder."""
    for step in command.steps:
        if not " ".join(step).startswith(tuple(NOT_RUN)):
            assert step[0] == "poolhouse", f"{command.text} is no command of Poolhouse"
            yield in_the_folder(step)


def _steps(typed: Iterable[Block]) -> list[list[str]]:
    return [step for block in typed for each in commands(block) for step in _run_here(each)]


def _only_reads(typed: Iterable[Block]) -> bool:
    return all(step[1] in _READERS for step in _steps(typed))


def _copied(typed: Iterable[Block], folder: Path, copy: Path) -> Path:
    """Copy the folder; it has no warehouse where the section first loads a collection."""
    copytree(folder, copy)
    _, command, *words = _steps(typed)[0]
    if command == "load" and {"--runs", "--archive"} & set(words):
        (copy / WAREHOUSE).unlink()
    return copy
