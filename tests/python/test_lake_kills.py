"""Test that a collection of a lake is the old or the new one after kills, for every reader."""

import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from attrs import evolve

from children import CONTEXT
from conftest import FIGURE
from crashing import Fate, received, run
from lake_archives import OTHER_QRELS
from lake_crashing import (
    Counts,
    Seen,
    State,
    assert_nothing_is_left,
    build_the_lake,
    read_lake_until,
    state_of_lake,
)
from page import write_collection
from poolhouse.lake.collection import DONE, Result, build_collection
from poolhouse.lake.layout import INCOMING
from poolhouse.lake.place import Place
from poolhouse.lake.publishing import Publisher, build_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.lake.request import LakeRequest
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from serving import started
from spark_servers import HERE, TWO_SLOTS, Cluster, cluster

__all__ = ["cluster"]

pytestmark = pytest.mark.heavy

# Each test run kills at other moments; the environment variable repeats a test run.
SEED = int(os.environ.get("POOLHOUSE_TEST_SEED", random.SystemRandom().randrange(10**6)))

# Few, because each test run kills at other moments.
N_KILLS_WHILE_PUBLISHING = 3
N_KILLS_OF_A_BUILD = 2
N_KILLS_OF_A_DRIVER = 1
N_KILLS_OF_A_SERVER = 1
N_KILLS_OF_A_WORKER = 2

NAMES = ("left", "right")
N_MARTS = 3
OLD, NEW = "old", "new"
OTHER = {OLD: NEW, NEW: OLD}
PUBLISHING = ("Publisher.", "Place.")


@dataclass(frozen=True)
class Prepared:
    """Requests of two states of the same collections, their finished tasks, and their rows.

    `marts` have other numbers of rows in the two states, which `whole` tells apart.
    """

    folder: Path
    requests: dict[str, tuple[LoadRequest, ...]]
    states: dict[str, State]
    marts: tuple[str, ...]
    whole: dict[Counts, str]

    def request(self, lake: Path, state: str, n_changed: int = len(NAMES)) -> LakeRequest:
        """Return a request for a state, of which the other collections are in the old one."""
        others = self.requests[OLD][n_changed:]
        return LakeRequest(str(lake), (*self.requests[state][:n_changed], *others))

    def expected(self, state: str, n_changed: int = len(NAMES)) -> State:
        """Return the rows that the build of this request makes."""
        changed = {f"collection_id={name}" for name in NAMES[:n_changed]}
        return {
            path: self.states[state if Path(path).name in changed else OLD][path]
            for path in self.states[OLD]
        }

    def let_wait(self, lake: Path, state: str) -> None:
        """Put finished tasks of a state into the lake, as a killed build leaves them."""
        waiting = lake / INCOMING / "killed"
        shutil.copytree(self.folder / state / INCOMING, waiting)
        for file in waiting.rglob(DONE):
            result = Result.from_json(file.read_bytes())
            assert result.publication
            published = replace(result.publication, built_at=datetime.now(UTC).isoformat())
            folder = str(file.parent.relative_to(lake))
            file.write_text(replace(result, folder=folder, publication=published).to_json())


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Build both states, undisturbed, and keep their tasks before they are published."""
    folder = tmp_path_factory.mktemp("prepared")
    requests, states = {}, {}
    for state in (OLD, NEW):
        requests[state] = tuple(_written(folder / "files" / state / name, state) for name in NAMES)
        lake = folder / state
        request = LakeRequest(str(lake), requests[state])
        for task in Publisher(Place(str(lake)), None).tasks(request):
            assert build_collection(task).publication
        published = folder / f"{state}-published"
        shutil.copytree(lake, published)
        build_lake(evolve(request, lake=str(published)))
        states[state] = state_of_lake(published)
    lines = {state: _n_rows(folder / f"{state}-published") for state in (OLD, NEW)}
    marts = tuple(
        each
        for each, n_old in lines[OLD].items()
        # a reader sees no collection without rows
        if 0 < n_old != lines[NEW][each] > 0
    )[:N_MARTS]
    assert len(marts) == N_MARTS
    whole = {tuple(of_state[each] for each in marts): state for state, of_state in lines.items()}
    return Prepared(folder, requests, states, marts, whole)


def _written(folder: Path, state: str) -> LoadRequest:
    request = write_collection(folder)
    if state == NEW:
        (folder / "qrels.txt").write_text(OTHER_QRELS)
    return evolve(request, collection=folder.name)


def _n_rows(lake: Path) -> dict[str, int]:
    """Return the number of rows of each mart of a collection, by schema and name."""
    query = "select view_name, schema_name || '.' || view_name from duckdb_views()"
    with LakeWarehouse.at(str(lake)).read() as connection:
        relations = dict(connection.execute(query).fetchall())
    files = sorted(lake.glob(f"marts/*/collection_id={NAMES[0]}/*"))
    return {relations[each.parents[1].name]: pl.read_parquet(each).height for each in files}


@pytest.fixture
def lake(prepared: Prepared, tmp_path: Path) -> Path:
    """Provide a lake in the old state."""
    return Path(shutil.copytree(prepared.folder / f"{OLD}-published", tmp_path / "lake"))


@pytest.fixture
def spill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder for scratch, where nobody else leaves any."""
    folder = tmp_path / "spilled"
    folder.mkdir()
    monkeypatch.setenv("POOLHOUSE_SPILL", str(folder))
    return folder


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Keep a figure for the summary, which shows it where tests pass, too."""
    return partial(record_property, FIGURE)


@pytest.fixture
def dice() -> random.Random:
    print(f"POOLHOUSE_TEST_SEED={SEED}")  # shown where a test fails
    return random.Random(SEED)  # noqa: S311 - of test cases


@contextmanager
def read_meanwhile(lake: Path, prepared: Prepared) -> Iterator[list[Seen]]:
    """Read the lake in a process, and check at the end that it saw whole collections only."""
    stop = CONTEXT.Event()
    ours, theirs = CONTEXT.Pipe()
    arguments = (stop, theirs, lake, prepared.marts, prepared.whole)
    CONTEXT.Process(target=read_lake_until, args=arguments, daemon=True).start()
    found: list[Seen] = []
    try:
        yield found
    finally:
        stop.set()
    found.append(received(ours))
    assert found[0].torn == []
    assert found[0].errors == []
    assert found[0].n_reads > 2
    assert found[0].states <= set(prepared.whole)


def told(outcomes: Counter[str], seen: list[Seen]) -> str:
    [reads] = seen
    return (
        f"seed {SEED}: {dict(outcomes)}; {reads.n_reads} reads and {reads.n_of_folders} of "
        f"folders: none torn, no error, {reads.n_overtaken} overtaken by two builds"
    )


def _published_states(lake: Path, prepared: Prepared) -> set[str]:
    counts = ", ".join(
        f"(select count(*) from {mart} where collection_id = c.collection_id)"
        for mart in prepared.marts
    )
    with LakeWarehouse.at(str(lake)).read() as connection:
        rows = connection.execute(f"select {counts} from dim_collections as c").fetchall()
    return {prepared.whole[row] for row in rows}


# ------------------------------------------------------------------------------------ the driver


def test_a_build_killed_while_it_publishes(
    prepared: Prepared, lake: Path, spill: Path, dice: random.Random, say: Callable[[str], None]
) -> None:
    """Finished tasks of a killed build wait, and the next build is killed as it publishes them."""
    prepared.let_wait(lake, NEW)
    place = Warehouse(lake)
    given = {state: (prepared.request(lake, state), spill) for state in (OLD, NEW)}
    points = run(build_the_lake, place, given[NEW], Fate(line=-1)).points
    moves = [each.number for each in points if each.function.startswith(PUBLISHING)]
    assert state_of_lake(lake) == prepared.expected(NEW)
    outcomes: Counter[str] = Counter()
    state = NEW
    with read_meanwhile(lake, prepared) as seen:
        for _ in range(N_KILLS_WHILE_PUBLISHING):
            state = OTHER[state]
            prepared.let_wait(lake, state)
            ended = run(build_the_lake, place, given[state], Fate(line=dice.choice(moves)))
            if ended.was_killed:
                left = _published_states(lake, prepared)
                outcomes["both" if len(left) > 1 else "new" if state in left else "old"] += 1
            else:
                outcomes["done before"] += 1
            build_lake(given[state][0])
            assert state_of_lake(lake) == prepared.expected(state)
            assert_nothing_is_left(lake, spill)
    say(f"killed at {outcomes.total()} of the {len(moves)} lines: {told(outcomes, seen)}")


def test_a_build_killed_after_a_while(
    prepared: Prepared, lake: Path, spill: Path, dice: random.Random, say: Callable[[str], None]
) -> None:
    """The kill may come in the load, in the build, while files are written, or between moves."""
    given = {state: (prepared.request(lake, state, 1), spill) for state in (OLD, NEW)}
    seconds = run(build_the_lake, Warehouse(lake), given[NEW]).seconds
    outcomes: Counter[str] = Counter()
    state = NEW
    with read_meanwhile(lake, prepared) as seen:
        for _ in range(N_KILLS_OF_A_BUILD):
            state = OTHER[state]
            fate = Fate(after=dice.uniform(0, seconds))
            ended = run(build_the_lake, Warehouse(lake), given[state], fate)
            outcomes["killed" if ended.was_killed else "done before"] += 1
            build_lake(given[state][0])
            assert state_of_lake(lake) == prepared.expected(state, 1)
            assert_nothing_is_left(lake, spill)
    say(f"killed within {seconds:.1f} s: {told(outcomes, seen)}")


# --------------------------------------------------------------------------------------- engines


@contextmanager
def killable_sail() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run Sail, and yield its address and its process, in which its tasks run too."""
    pytest.importorskip("pysail", reason="the group `dev` is not installed: uv sync --group dev")
    server = started("sail_server.py", **TWO_SLOTS)
    assert server.stdin
    assert server.stdout
    try:
        host, port = server.stdout.readline().split()
        yield f"sc://{host}:{port}", server
    finally:
        server.kill()
        server.wait()
        server.stdin.close()
        server.stdout.close()


def build_by(url: str, request: LakeRequest, folder: Path, after: float | None = None) -> int:
    """Build on an engine in a program, kill it after these seconds, and return its exit status.

    The client of Spark does not work in a child that has no program.
    """
    file = folder / "request"
    file.write_bytes(pickle.dumps(evolve(request, spark=url)))
    program = [sys.executable, "-W", "ignore", str(HERE / "lake_crashing.py"), str(file)]
    with subprocess.Popen(program, stderr=subprocess.DEVNULL) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(after or 120)
        process.kill()
        return process.wait()


def test_a_killed_server_of_sail(
    prepared: Prepared, lake: Path, spill: Path, dice: random.Random, say: Callable[[str], None]
) -> None:
    """The server runs the tasks too. The driver gives up, and the next build needs no server."""
    outcomes: Counter[str] = Counter()
    state = OLD
    with read_meanwhile(lake, prepared) as seen:
        for _ in range(N_KILLS_OF_A_SERVER):
            state = OTHER[state]
            request = prepared.request(lake, state)
            with killable_sail() as (url, server):
                timer = threading.Timer(dice.uniform(2, 10), server.kill)
                timer.start()
                status = build_by(url, request, spill.parent)
                timer.join()
            assert status in {0, 1}
            outcomes["driver gave up" if status else "done before"] += 1
            build_lake(request)
            assert state_of_lake(lake) == prepared.expected(state)
            assert_nothing_is_left(lake, spill)
    say(told(outcomes, seen))


def test_a_killed_driver_of_sail(
    prepared: Prepared, lake: Path, spill: Path, dice: random.Random, say: Callable[[str], None]
) -> None:
    """Its tasks run on, and the next build asks the same server for them again."""
    outcomes: Counter[str] = Counter()
    state = OLD
    with killable_sail() as (url, _), read_meanwhile(lake, prepared) as seen:
        for _ in range(N_KILLS_OF_A_DRIVER):
            state = OTHER[state]
            request = prepared.request(lake, state)
            status = build_by(url, request, spill.parent, after=dice.uniform(1, 6))
            outcomes["killed" if status == -signal.SIGKILL else "done before"] += 1
            assert build_by(url, request, spill.parent) == 0
            assert state_of_lake(lake) == prepared.expected(state)
    # A task of a killed driver may end after the next build.
    build_lake(prepared.request(lake, state))
    assert state_of_lake(lake) == prepared.expected(state)
    assert_nothing_is_left(lake, spill)
    say(told(outcomes, seen))


@pytest.mark.spark
def test_a_killed_worker_of_spark(  # noqa: PLR0913, PLR0917 - fixtures
    cluster: Cluster,
    prepared: Prepared,
    lake: Path,
    spill: Path,
    dice: random.Random,
    say: Callable[[str], None],
) -> None:
    """Spark runs the task again in a new process of Python."""
    outcomes: Counter[str] = Counter()
    state = OLD
    with read_meanwhile(lake, prepared) as seen:
        for _ in range(N_KILLS_OF_A_WORKER):
            state = OTHER[state]
            request = prepared.request(lake, state)
            killed: list[int] = []
            timer = threading.Timer(dice.uniform(3, 8), partial(_kill_a_worker, killed))
            timer.start()
            assert build_by(cluster.connect, request, spill.parent) == 0
            timer.join()
            outcomes["killed" if killed else "done before"] += 1
            assert state_of_lake(lake) == prepared.expected(state)
            build_lake(request)
            assert_nothing_is_left(lake, spill)
    say(told(outcomes, seen))


def _kill_a_worker(killed: list[int]) -> None:
    """Kill a process of Python that may run a task of Spark, as soon as there is one."""
    until = time.monotonic() + 10
    while not killed and time.monotonic() < until:
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (process / "cmdline").read_bytes()
                parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
                of_parent = Path("/proc", parent, "cmdline").read_bytes()
                # The daemon forks a process for each task.
                if b"pyspark.daemon" in command and b"pyspark.daemon" in of_parent:
                    os.kill(int(process.name), signal.SIGKILL)
                    killed.append(int(process.name))
                    return
        time.sleep(0.05)
