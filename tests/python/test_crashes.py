"""Test that a warehouse is the old or the new one after kills, on a full disk, beside others."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from children import CONTEXT
from conftest import SEED, ToyFiles, names_beside, write_toy_files
from conftest import state_of as bytes_of
from crashing import (
    COMPILED,
    Attempt,
    Contents,
    Fate,
    Reads,
    build_all,
    build_by_cache,
    build_half_compiled,
    contents,
    load,
    load_half_copied,
    read_until,
    received,
    run,
    run_limited,
    state_of,
    write_in_rounds,
)
from poolhouse.building.build import build
from poolhouse.building.plan.storage import name_of
from poolhouse.building.project import cache_folder
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling.answers import load_answers
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

N_LINES = 20_000  # lines of one run: the engine works for a while on them
N_KILLS_AT_LINES = 3  # during copy and rename, and as many other lines
N_KILLS_AFTER_DELAYS = 4
N_KILLS_WHILE_PUBLISHING = 4
N_KILLS_OF_A_BUILD = 3
N_PUBLISHES = 12
N_READERS = 2
N_WRITERS = 3
N_ROUNDS = 5

# The functions between the published file and its successor.
COPY_AND_RENAME = ("SideFile.copy", "SideFile.publish", "_flush")


def write_letters(folder: Path, letter: str, n_lines: int = N_LINES) -> LoadRequest:
    """Write the toy collection and a long run; every document's id begins with the same letter."""
    files = write_toy_files(folder)
    for file in (files.blue, files.runs / "amber", files.qrels):
        file.write_text(re.sub(r"\bD(?=\d)", letter, file.read_text()))
    (files.runs / "green.gz").unlink()
    lines = (f"{n % 50} Q0 {letter}{n} {n} {-n} long\n" for n in range(n_lines))
    (files.runs / "long").write_text("".join(lines))
    return files.request(replace=True)


@dataclass(frozen=True)
class Step:
    """A warehouse, and a load that replaces its old contents by new ones."""

    warehouse: Warehouse
    old: Path | None
    request: LoadRequest
    states: dict[str, Contents]
    files: ToyFiles

    def back(self) -> None:
        """Restore the old warehouse."""
        if self.old is None:
            self.warehouse.path.unlink(missing_ok=True)
        else:
            shutil.copyfile(self.old, self.warehouse.path)

    def outcome(self) -> str:
        """Return the state that a kill left, after a check that the next load works from it."""
        left = state_of(self.warehouse, self.states)
        load_collection(self.warehouse, self.request)
        assert state_of(self.warehouse, self.states) == "new"
        assert_nothing_is_left(self.warehouse)
        return left


def step(folder: Path, *, is_first: bool) -> Step:
    """Provide a step: from no warehouse, or from a collection of which every row changes."""
    warehouse = Warehouse(folder / "warehouse" / "poolhouse.duckdb")
    warehouse.path.parent.mkdir()
    old = None
    states: dict[str, Contents] = {"old": {}}
    if not is_first:
        load_collection(warehouse, write_letters(folder / "old", "A"))
        states["old"] = contents(warehouse)
        old = Path(shutil.copyfile(warehouse.path, folder / "old.duckdb"))
    request = write_letters(folder / "new", "B")
    load_collection(warehouse, request)
    states["new"] = contents(warehouse)
    return Step(warehouse, old, request, states, ToyFiles(folder / "new"))


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Step]:
    """Provide the first load, and a later one."""
    folder = tmp_path_factory.mktemp
    return {each: step(folder("step"), is_first=each) for each in (True, False)}


@pytest.fixture
def later(steps: dict[bool, Step]) -> Step:
    steps[False].back()
    return steps[False]


def assert_nothing_is_left(warehouse: Warehouse) -> None:
    assert names_beside(warehouse) <= {warehouse.path.name, warehouse.lock_path.name}


# ------------------------------------------------------------------------------------------ killed


@pytest.mark.parametrize("is_first", [False, True], ids=["later load", "first load"])
def test_a_load_killed_at_a_line(
    steps: dict[bool, Step], dice: random.Random, say: Callable[[str], None], is_first: bool
) -> None:
    made = steps[is_first]
    made.back()
    points = run(load, made.warehouse, made.request, Fate(line=-1)).points
    copy_and_rename = [each for each in points if each.function in COPY_AND_RENAME]
    others = [each for each in points if each.function not in COPY_AND_RENAME]
    assert is_first or {each.function for each in copy_and_rename} == set(COPY_AND_RENAME)
    n_kills = N_KILLS_AT_LINES // (1 + is_first)
    outcomes: Counter[str] = Counter()
    for point in [*dice.sample(copy_and_rename, n_kills), *dice.sample(others, n_kills)]:
        made.back()
        ended = run(load, made.warehouse, made.request, Fate(line=point.number))
        assert ended.was_killed, (SEED, point)
        outcomes[made.outcome()] += 1
    say(f"seed {SEED}: killed at {outcomes.total()} of the {len(points)} lines: {dict(outcomes)}")


@pytest.mark.parametrize("is_first", [False, True], ids=["later load", "first load"])
def test_a_load_killed_after_a_while(
    steps: dict[bool, Step], dice: random.Random, say: Callable[[str], None], is_first: bool
) -> None:
    """The kill may come in the engine, in its checkpoint, or in the copy."""
    made = steps[is_first]
    made.back()
    seconds = run(load, made.warehouse, made.request).seconds
    outcomes: Counter[str] = Counter()
    for _ in range(N_KILLS_AFTER_DELAYS // (1 + is_first)):
        made.back()
        fate = Fate(after=dice.uniform(0, seconds))
        ended = run(load, made.warehouse, made.request, fate)
        outcomes[made.outcome() if ended.was_killed else "done before"] += 1
    say(f"seed {SEED}: killed within {seconds:.2f} s: {dict(outcomes)}")


def test_a_load_killed_while_it_publishes(
    later: Step, dice: random.Random, say: Callable[[str], None]
) -> None:
    """The kill comes within lines, where a copy in place of the rename would be half done."""
    points = run(load, later.warehouse, later.request, Fate(line=-1)).points
    flushed = next(each.number for each in points if each.function == "_flush")
    rename = next(each for each in points[flushed:] if each.function == "SideFile.publish")
    outcomes: Counter[str] = Counter()
    for _ in range(N_KILLS_WHILE_PUBLISHING):
        later.back()
        fate = Fate(line=rename.number, after=dice.uniform(1e-6, 0.001))
        ended = run(load, later.warehouse, later.request, fate)
        outcomes[later.outcome() if ended.was_killed else "done before"] += 1
    say(f"seed {SEED}: killed while it publishes: {dict(outcomes)}")


def test_a_load_killed_in_the_midst_of_the_copy(later: Step) -> None:
    assert run(load_half_copied, later.warehouse, later.request).was_killed
    assert later.warehouse.side_path.exists()
    assert later.outcome() == "old"


@pytest.fixture
def stale(built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path) -> Warehouse:
    """Provide a built warehouse in which a file has changed since the build."""
    copy, request, _ = built_once
    (tmp_path / "built").mkdir()
    warehouse = Warehouse(Path(shutil.copyfile(copy, tmp_path / "built" / "poolhouse.duckdb")))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d1 1\n1 0 d2 1\n1 0 d3 1\n1 0 d4 1\n")
    load_collection(warehouse, LoadRequest(request.collection, qrels=qrels, replace=True))
    return warehouse


def test_a_killed_build(
    stale: Warehouse, tmp_path: Path, dice: random.Random, say: Callable[[str], None]
) -> None:
    names = names_beside(stale)
    old = Path(shutil.copyfile(stale.path, tmp_path / "old.duckdb"))
    states = {"old": contents(stale)}
    seconds = run(build_all, stale).seconds
    states["new"] = contents(stale)
    outcomes: Counter[str] = Counter()
    for _ in range(N_KILLS_OF_A_BUILD):
        shutil.copyfile(old, stale.path)
        ended = run(build_all, stale, fate=Fate(after=dice.uniform(0, seconds)))
        outcomes[state_of(stale, states) if ended.was_killed else "done before"] += 1
    build(stale)
    assert state_of(stale, states) == "new"
    assert names_beside(stale) == names
    say(f"seed {SEED}: build killed within {seconds:.1f} s: {dict(outcomes)}")


def test_a_build_killed_while_it_keeps_its_plan(stale: Warehouse, tmp_path: Path) -> None:
    """The build compiles a plan because the kept one is damaged; half a plan must never be used."""
    cache = tmp_path / "cache"
    shutil.copytree(cache_folder(), cache / "poolhouse")
    kept = cache / "poolhouse" / "plans"
    whole = {plan.name: plan.read_bytes() for plan in kept.glob("*.json")}
    for name, content in whole.items():
        (kept / name).write_bytes(content[:-1000])
    (cache / COMPILED).write_bytes(whole[name_of({})])
    old = Path(shutil.copyfile(stale.path, tmp_path / "old.duckdb"))
    build(stale)
    states = {"old": contents(Warehouse(old)), "new": contents(stale)}
    shutil.copyfile(old, stale.path)
    assert run(build_half_compiled, stale, cache).was_killed
    assert state_of(stale, states) == "old"
    [draft] = kept.glob(".*.next")
    assert run(build_by_cache, stale, cache).exit_code == 0
    assert state_of(stale, states) == "new"
    assert not draft.exists()
    plan = draft.with_name(draft.stem.removeprefix("."))
    assert plan.read_bytes() == whole[plan.name]


# ------------------------------------------------------------------------------ several at one time


def test_readers_see_no_error_and_no_torn_state(tmp_path: Path, say: Callable[[str], None]) -> None:
    requests = [write_letters(tmp_path / letter, letter, 500) for letter in "AB"]
    warehouse = Warehouse(tmp_path / "warehouse" / "poolhouse.duckdb")
    load_collection(warehouse, requests[1])
    stop = CONTEXT.Event()
    readers = [CONTEXT.Pipe() for _ in range(N_READERS)]
    for _, theirs in readers:
        CONTEXT.Process(target=read_until, args=(stop, theirs, warehouse), daemon=True).start()
    n_publishes = 0
    try:
        for number in range(N_PUBLISHES):
            n_publishes += load_collection(warehouse, requests[number % 2]).changed
    finally:
        stop.set()
    seen: list[Reads] = [received(ours) for ours, _ in readers]
    n_reads = sum(each.n_reads for each in seen)
    errors = [error for each in seen for error in each.errors]
    torn = [state for each in seen for state in each.torn]
    say(
        f"{n_reads} reads by {N_READERS} processes, {n_publishes} publishes: "
        f"{len(errors)} errors, {len(torn)} torn"
    )
    assert n_publishes == N_PUBLISHES
    assert n_reads > N_PUBLISHES
    assert set.union(*(each.states for each in seen)) == {"A", "B"}
    assert errors == []
    assert torn == []


def test_writers_at_once_lose_nothing(
    loaded: Warehouse, tmp_path: Path, say: Callable[[str], None]
) -> None:
    """Each writer gets its turn, or says who has it; in the end, all that was loaded is there."""
    barrier = CONTEXT.Barrier(N_WRITERS)
    writers = [CONTEXT.Pipe() for _ in range(N_WRITERS)]
    for writer, (_, theirs) in enumerate(writers):
        rounds = []
        for number in range(N_ROUNDS):
            file = tmp_path / f"run-{writer}-{number}"
            file.write_text("1 Q0 D1 1 1 x\n")
            rounds.append(["load", "toy", str(file)])
        arguments = (barrier, theirs, loaded, rounds)
        CONTEXT.Process(target=write_in_rounds, args=arguments, daemon=True).start()
    attempts: list[list[Attempt]] = [received(ours) for ours, _ in writers]
    processes = {each[0].process for each in attempts}
    stored = {"blue.1", "green", "amber"}
    n_refused = 0
    for number in range(N_ROUNDS):
        of_round = {
            f"run-{writer}-{number}": attempts[writer][number] for writer in range(N_WRITERS)
        }
        winners = {run_id for run_id, each in of_round.items() if each.exit_code == 0}
        assert winners
        stored |= winners
        for each in of_round.values():
            if each.exit_code == 0:
                continue
            n_refused += 1
            (line,) = each.stderr.splitlines()
            said = re.fullmatch(
                r"Error: (.*): another load, .* is running \(process (\d+)\); try again later",
                line,
            )
            assert said, line
            assert said[1] == str(loaded.path)
            assert int(said[2]) in processes - {each.process}
    with loaded.read() as connection:
        runs = connection.execute("select run_id from raw.runs").fetchall()
    assert {run_id for (run_id,) in runs} == stored
    assert_nothing_is_left(loaded)
    say(f"{N_WRITERS} writers, {N_ROUNDS} rounds: {len(stored) - 3} loaded, {n_refused} refused")


# -------------------------------------------------------------------------------------- a full disk


def load_arguments(files: ToyFiles) -> list[str]:
    return ["load", "toy", "--replace", "--runs", str(files.runs), "--qrels", str(files.qrels)]


FULL = re.compile(
    r"Error: (?P<path>.*): disk or quota full, nothing was published: .*"
    r"\(\d+\.\d MB now, \d+\.\d MB free there\) and needs room for that and for what it adds"
)


# The bytes that a file may have beyond the size of the warehouse. They are too few for the copy,
# for the stored rows, or for the checkpoint.
@pytest.mark.parametrize("more", [-400_000, 0, 30_000])
def test_a_quota_gives_a_clear_error(later: Step, more: int) -> None:
    before = bytes_of(later.warehouse.path)
    ours, theirs = CONTEXT.Pipe()
    limit = len(before[0]) + more
    arguments = (theirs, later.warehouse, load_arguments(later.files), limit)
    CONTEXT.Process(target=run_limited, args=arguments, daemon=True).start()
    done: Attempt = received(ours)
    (line,) = done.stderr.splitlines()
    assert FULL.fullmatch(line), line
    assert done.exit_code == 1
    assert bytes_of(later.warehouse.path) == before
    assert_nothing_is_left(later.warehouse)
    assert later.outcome() == "old"


# Commands, each with the free bytes that it finds; None stands for all.
Steps = Sequence[tuple[int | None, list[str]]]


def on_a_full_disk(folder: Path, steps: Steps) -> list[dict[str, Any]]:
    """Run commands with so many free bytes on a small file system, mounted over the folder."""
    own_namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*own_namespace, "true"], check=False).returncode
    ):
        pytest.skip("mounting is not permitted here")
    script = str(Path(__file__).with_name("full_disk.py"))
    done = subprocess.run(
        [*own_namespace, sys.executable, script, str(folder), json.dumps(steps)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)
    return results


def test_a_full_file_system_gives_a_clear_error(stale: Warehouse, tmp_path: Path) -> None:
    write_letters(tmp_path / "new", "B", 60_000)
    load = [*load_arguments(ToyFiles(tmp_path / "new")), "--db", str(stale.path)]
    load[1] = "page"
    build = ["build", "--db", str(stale.path)]
    size = stale.path.stat().st_size
    # The disk is full at the lock file, the copy, the stored rows, their checkpoint, or the build.
    # Then all commands work again.
    frees = [0, size // 2, size + 50_000, size + 600_000]
    steps = [*((free, load) for free in frees), (size + 300_000, build), (None, load)]
    *refused, last = on_a_full_disk(stale.path.parent, steps)
    for each in refused:
        assert each["exit_code"] == 1, each
        (line,) = each["stderr"].splitlines()
        assert FULL.fullmatch(line), line
        assert each["is_unchanged"]
    assert last["exit_code"] == 0, last


def test_answers_outlast_a_full_disk(stale: Warehouse, tmp_path: Path) -> None:
    """Without --replace, no load takes them away; with it, a load does so wholly or not at all."""
    (tmp_path / "list").write_text("1 0 d5 1\n1 0 d6 0\n")
    load_answers(stale, "page", (tmp_path / "list",))
    load = ["load", "page", "--qrels", str(tmp_path / "qrels.txt"), "--db", str(stale.path)]
    size = stale.path.stat().st_size
    frees = [size * level // 11 for level in range(20)]
    steps: Steps = [(free, [*load, *more]) for free in frees for more in ([], ["--replace"])]
    for (free, arguments), each in zip(
        steps, on_a_full_disk(stale.path.parent, steps), strict=True
    ):
        if each["exit_code"] == 0:
            assert "--replace" in arguments
            break  # the answers are gone, as asked
        (line,) = each["stderr"].splitlines()
        assert each["is_unchanged"], free
        assert FULL.fullmatch(line) or "to which answers were added" in line, line
    else:
        pytest.fail("no disk was large enough")
