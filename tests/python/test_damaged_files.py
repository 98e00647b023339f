"""Test that every command reports a damaged warehouse (cut short, or changed bytes) in one line.

Where it does not notice the damage, it prints and writes what it does on the whole file.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from children import CONTEXT
from conftest import SEED
from crashing import Ended, run_in_folders
from every_command import arguments_of, write_run
from page import write_collection
from poolhouse.command_line.main import main
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

N_FILES = 8
N_COMMANDS_A_FILE = 3

# Seconds that a command may take.
_PATIENCE = 120.0

_PAGE = 4096
_FIRST_BLOCK, _BLOCK = 3 * _PAGE, 64 * _PAGE


def cut(content: bytearray, dice: random.Random) -> None:
    del content[dice.randrange(len(content) // 2) :]


def cut_end(content: bytearray, dice: random.Random) -> None:
    """Cut where a part may be that no command reads."""
    del content[dice.randrange(len(content) // 2, len(content)) :]


def flip(content: bytearray, dice: random.Random) -> None:
    for _ in range(dice.choice([1, 10, 1000])):
        content[dice.randrange(len(content))] ^= dice.randrange(1, 256)


def blank(content: bytearray, dice: random.Random) -> None:
    start = dice.randrange(0, len(content), _PAGE)
    content[start : start + _PAGE] = bytes(len(content[start : start + _PAGE]))


def flip_head(content: bytearray, dice: random.Random) -> None:
    """Damage the engine's own headers; every other block has a checksum in a place of its own."""
    content[dice.randrange(3 * _PAGE)] ^= dice.randrange(1, 256)


DAMAGES = (cut, flip, blank, flip_head, cut_end)

NAMES = (
    *("status", "sql", "adjust", "score", "export", "compare", "table", "common-topics"),
    *("experiment", "build", "remove", "load"),
)
_QUERY = "select count(*), min(run_id), max(topic_id), avg(score) from fct_topic_scores"


def ends(content: bytes, folder: Path, asked: list[list[str]], what: str) -> Iterator[Ended]:
    """Run each command on a file of its own with this content.

    They run in a child. If the engine aborts it, one test fails, and the test run goes on.
    """
    ours, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(
        target=run_in_folders, args=(theirs, content, folder, asked), daemon=True
    )
    process.start()
    theirs.close()
    for arguments in asked:
        case = (f"POOLHOUSE_TEST_SEED={SEED}", what, arguments)
        assert ours.poll(_PATIENCE), (case, "it hangs")
        try:
            yield ours.recv()
        except EOFError:
            process.join(_PATIENCE)
            pytest.fail(f"{case}: the engine ended the process: {process.exitcode}")
    process.join(_PATIENCE)
    assert process.exitcode is not None, (f"POOLHOUSE_TEST_SEED={SEED}", what, "it does not end")


class Whole:
    """The undamaged file, the commands that are tried, and what they do on this file."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.content = file.read_bytes()
        run_file = write_run(folder)
        self.commands = {each: arguments_of(each, run_file) for each in (*NAMES, "check")}
        self.commands["sql"] = ["sql", _QUERY]
        self.commands["export"] = ["export", "marts", "--format", "csv"]
        self._folder = folder
        self._ends: dict[str, Ended] = {}

    def end_of(self, command: str) -> Ended:
        if command not in self._ends:
            folder, asked = self._folder / command, [self.commands[command]]
            [self._ends[command]] = ends(self.content, folder, asked, "the whole file")
            assert self._ends[command].exit_code == 0, self._ends[command]
        return self._ends[command]


def outcomes(
    content: bytes, folder: Path, asked: list[str], what: str, whole: Whole
) -> Counter[str]:
    """Run the commands, and check that each ends in one line, or succeeds as on the whole file."""
    found: Counter[str] = Counter()
    given = [whole.commands[each] for each in asked]
    for command, ended in zip(asked, ends(content, folder, given, what), strict=True):
        case = (f"POOLHOUSE_TEST_SEED={SEED}", what, command, ended)
        assert ended.raised is None, case
        if ended.exit_code:
            assert ended.exit_code == 1, case
            line = ended.stderr.removesuffix("\n")
            assert line.startswith("Error: "), case
            assert line.isprintable(), case
        else:
            as_whole = whole.end_of(command)
            assert _compared(ended) == _compared(as_whole), case
            # What the command did not read may be damaged still.
            assert ended.rows in (None, as_whole.rows), case
        found["an error" if ended.exit_code else "not noticed"] += 1
    return found


def _compared(ended: Ended) -> Ended:
    """Return what must be the same. A command may say how large the file is."""
    return ended._replace(rows=None, stderr=re.sub(r"[\d.]+ MB", "MB", ended.stderr))


def try_damages(
    whole: Whole, folder: Path, n_files: int, asked: list[str] | None = None
) -> Counter[str]:
    """Damage files, and run these commands on each, or some commands in turns."""
    dice = random.Random(SEED)  # noqa: S311 - of test cases
    turns = cycle(NAMES)
    found: Counter[str] = Counter()
    for number in range(n_files):
        content = bytearray(whole.content)
        damage = DAMAGES[number % len(DAMAGES)]
        damage(content, dice)
        what = f"{damage.__name__}, file {number}"
        on_it = asked or list(islice(turns, N_COMMANDS_A_FILE))
        found += outcomes(bytes(content), folder / f"{number}", on_it, what, whole)
    return found


@pytest.fixture(scope="module")
def whole(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path_factory: pytest.TempPathFactory
) -> Whole:
    return Whole(built_once[0], tmp_path_factory.mktemp("whole"))


@pytest.mark.few
def test_a_few_damaged_files(whole: Whole, tmp_path: Path) -> None:
    """The first of them has lost half of its bytes, which every command notices."""
    assert try_damages(whole, tmp_path, 4)["an error"] >= N_COMMANDS_A_FILE


@pytest.mark.heavy
def test_many_damaged_files(whole: Whole, tmp_path: Path, say: Callable[[str], None]) -> None:
    found = try_damages(whole, tmp_path, N_FILES)
    # Every command notices that half of the file is gone, and may not read what else is damaged.
    assert found["an error"] >= found.total() / len(DAMAGES)
    say(f"seed {SEED}: {N_FILES} damaged files, {found.total()} commands: {dict(found)}")


@pytest.mark.heavy
def test_checks_of_damaged_files(whole: Whole, tmp_path: Path) -> None:
    """Checks have a test of their own, since they take many seconds where damage is not noticed."""
    found = try_damages(whole, tmp_path, len(DAMAGES), ["check"])
    assert found["an error"] >= 1


@pytest.mark.heavy
def test_every_cut_is_noticed(whole: Whole, tmp_path: Path) -> None:
    """The cuts are within the engine's headers, between them, and in the middle of the rest."""
    n_bytes = len(whole.content)
    for size in (0, 1, 11, 12, 100, _PAGE, 2 * _PAGE, 3 * _PAGE, 3 * _PAGE + 1, n_bytes // 2):
        asked = ["status", "sql"]
        found = outcomes(whole.content[:size], tmp_path / f"{size}", asked, str(size), whole)
        assert found == {"an error": 2}, size


def damaged_blocks(whole: Whole, folder: Path, step: int) -> Counter[str]:
    """Damage one block of each file; commands take turns."""
    turns = cycle(("status", "adjust", "export", "remove"))
    found: Counter[str] = Counter()
    for start in [*range(_FIRST_BLOCK, len(whole.content), _BLOCK)][::step]:
        content = bytearray(whole.content)
        content[start + 1000 : start + 1100] = bytes(
            byte ^ 255 for byte in whole.content[start : start + 100]
        )
        what = f"block at {start}"
        found += outcomes(bytes(content), folder / f"{start}", [next(turns)], what, whole)
    return found


@pytest.mark.few
def test_some_damaged_blocks(whole: Whole, tmp_path: Path) -> None:
    assert damaged_blocks(whole, tmp_path, 26)["an error"]


@pytest.mark.heavy
def test_many_damaged_blocks(whole: Whole, tmp_path: Path, say: Callable[[str], None]) -> None:
    found = damaged_blocks(whole, tmp_path, 9)
    assert found["an error"]
    say(f"{found.total()} damaged blocks: {dict(found)}")


def test_what_is_there_stays_as_it_was(whole: Whole, tmp_path: Path) -> None:
    """A damaged file is kept, because its undamaged part may be the only copy of the data."""
    half = len(whole.content) // 2
    content = whole.content[:half] + bytes(len(whole.content) - half)
    file = tmp_path / "poolhouse.duckdb"
    file.write_bytes(content)
    request = write_collection(tmp_path / "page")
    done = CliRunner().invoke(main, ["load", "page", *map(str, request.runs), "--db", str(file)])
    assert done.exit_code == 1
    assert file.read_bytes() == content
