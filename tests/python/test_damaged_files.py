"""Test that every command reports a damaged warehouse (cut short, or changed bytes) in one line."""

import os
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from children import CONTEXT, run_commands
from conftest import FIGURE
from page import write_collection
from poolhouse.command_line.main import main
from poolhouse.loading.load import LoadRequest
from poolhouse.warehouse.file import Warehouse

SEED = int(os.environ.get("POOLHOUSE_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
N_FILES = 20
N_COMMANDS_A_FILE = 3

# Seconds that a command may take.
_PATIENCE = 120.0

_PAGE = 4096
_FIRST_BLOCK, _BLOCK = 3 * _PAGE, 64 * _PAGE


def cut(content: bytearray, dice: random.Random) -> None:
    del content[dice.randrange(len(content)) :]


def flip(content: bytearray, dice: random.Random) -> None:
    for _ in range(dice.choice([1, 10, 1000])):
        content[dice.randrange(len(content))] ^= dice.randrange(1, 256)


def blank(content: bytearray, dice: random.Random) -> None:
    start = dice.randrange(0, len(content), _PAGE)
    content[start : start + _PAGE] = bytes(len(content[start : start + _PAGE]))


def flip_head(content: bytearray, dice: random.Random) -> None:
    """Damage the engine's own headers; every other block has a checksum in a place of its own."""
    content[dice.randrange(3 * _PAGE)] ^= dice.randrange(1, 256)


DAMAGES = (cut, flip, blank, flip_head)

_QUERY = "select count(*), min(run_id), max(topic_id), avg(score) from fct_topic_scores"


def commands(folder: Path) -> list[list[str]]:
    run = folder / "new"
    run.write_text("1 Q0 d1 1 3 t\n1 Q0 d9 2 2 t\n")
    return [
        ["status"],
        ["sql", _QUERY],
        ["adjust", str(run), "--collection", "page"],
        ["score", str(run), "--collection", "page"],
        ["export", str(folder / "marts"), "--format", "csv", "--replace"],
        ["compare", str(run), "a1", "--collection", "page", "--measure", "P@2"],
        ["table", str(run), "a1", "--collection", "page", "--measure", "P@2"],
        ["common-topics", "--collection", "page", "--standard-error", "0.1"],
        ["experiment", "bias", "--collection", "page", "--samples", "2", "--widths", "2"],
        ["build"],
        ["remove", "page", "--run", "a2"],
        ["load", "page", str(run)],
    ]


def outcomes(content: bytes, folder: Path, asked: list[list[str]], what: str) -> Counter[str]:
    """Run the commands, and check that each ends in one line, or succeeds as on a whole file.

    They run in a child. If the engine aborts it, one test fails, and the test run goes on.
    """
    ours, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(
        target=run_commands, args=(theirs, content, folder, asked), daemon=True
    )
    process.start()
    theirs.close()
    found: Counter[str] = Counter()
    for arguments in asked:
        case = (f"POOLHOUSE_TEST_SEED={SEED}", what, arguments)
        assert ours.poll(_PATIENCE), (case, "it hangs")
        try:
            exit_code, stderr, raised = ours.recv()
        except EOFError:
            process.join(_PATIENCE)
            pytest.fail(f"{case}: the engine ended the process: {process.exitcode}")
        assert raised is None, (case, raised)
        assert exit_code in {0, 1}, (case, stderr)
        if exit_code:
            line = stderr.removesuffix("\n")
            assert line.startswith("Error: "), (case, stderr)
            assert line.isprintable(), (case, stderr)
        found["an error" if exit_code else "not noticed"] += 1
    process.join(_PATIENCE)
    assert process.exitcode is not None, (f"POOLHOUSE_TEST_SEED={SEED}", what, "it does not end")
    return found


def try_damages(
    built: Path, folder: Path, n_files: int, asked: list[list[str]] | None = None
) -> Counter[str]:
    """Damage files, and run these commands on each, or some commands in turns."""
    dice = random.Random(SEED)  # noqa: S311 - of test cases
    turns = cycle(commands(folder))
    whole = built.read_bytes()
    found: Counter[str] = Counter()
    for number in range(n_files):
        content = bytearray(whole)
        damage = DAMAGES[number % len(DAMAGES)]
        damage(content, dice)
        what = f"{damage.__name__}, file {number}"
        on_it = asked or list(islice(turns, N_COMMANDS_A_FILE))
        found += outcomes(bytes(content), folder / f"{number}", on_it, what)
    return found


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    return partial(record_property, FIGURE)


@pytest.fixture
def built(built_once: tuple[Path, LoadRequest, Warehouse]) -> Path:
    return built_once[0]


@pytest.mark.few
def test_a_few_damaged_files(built: Path, tmp_path: Path) -> None:
    assert try_damages(built, tmp_path, 4)["an error"]


@pytest.mark.heavy
def test_many_damaged_files(built: Path, tmp_path: Path, say: Callable[[str], None]) -> None:
    found = try_damages(built, tmp_path, N_FILES)
    # No command notices damage in a part that it does not read; a tenth is a cautious bound.
    assert found["an error"] > found.total() / 10
    say(f"seed {SEED}: {N_FILES} damaged files, {found.total()} commands: {dict(found)}")


@pytest.mark.heavy
def test_checks_of_damaged_files(built: Path, tmp_path: Path) -> None:
    """Checks have a test of their own, since they take many seconds where damage is not noticed."""
    assert try_damages(built, tmp_path, 4, [["check"]])


@pytest.mark.heavy
def test_every_cut_is_noticed(built: Path, tmp_path: Path) -> None:
    """The cuts are within the engine's headers, between them, and in the middle of the rest."""
    whole = built.read_bytes()
    for size in (0, 1, 11, 12, 100, _PAGE, 2 * _PAGE, 3 * _PAGE, 3 * _PAGE + 1, len(whole) // 2):
        found = outcomes(
            whole[:size], tmp_path / f"{size}", [["status"], ["sql", _QUERY]], str(size)
        )
        assert found == {"an error": 2}, size


def damaged_blocks(built: Path, folder: Path, step: int) -> Counter[str]:
    """Damage one block of each file; commands take turns, and one that reads it must find it."""
    whole = built.read_bytes()
    turns = cycle(each for each in commands(folder) if each[0] in ("status", "adjust", "remove"))
    found: Counter[str] = Counter()
    for start in [*range(_FIRST_BLOCK, len(whole), _BLOCK)][::step]:
        content = bytearray(whole)
        content[start + 1000 : start + 1100] = bytes(
            byte ^ 255 for byte in whole[start : start + 100]
        )
        found += outcomes(bytes(content), folder / f"{start}", [next(turns)], f"block at {start}")
    return found


@pytest.mark.few
def test_some_damaged_blocks(built: Path, tmp_path: Path) -> None:
    assert damaged_blocks(built, tmp_path, 26)["an error"]


@pytest.mark.heavy
def test_many_damaged_blocks(built: Path, tmp_path: Path) -> None:
    assert damaged_blocks(built, tmp_path, 3)["an error"]


def test_what_is_there_stays_as_it_was(built: Path, tmp_path: Path) -> None:
    """A damaged file is kept, because its undamaged part may be the only copy of the data."""
    content = bytearray(built.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    file = tmp_path / "poolhouse.duckdb"
    file.write_bytes(content)
    request = write_collection(tmp_path / "page")
    done = CliRunner().invoke(main, ["load", "page", *map(str, request.runs), "--db", str(file)])
    assert done.exit_code == 1
    assert file.read_bytes() == content
