"""Run processes that load, build and read, kill them, and check that the warehouse is whole."""

import atexit
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from click.testing import CliRunner

import poolhouse
from children import CONTEXT
from poolhouse.building.build import build
from poolhouse.building.plan import Plan, compiling
from poolhouse.building.status import collection_status
from poolhouse.command_line import entry
from poolhouse.command_line import main as cli
from poolhouse.errors import PoolhouseError, WarehouseMissingError
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from rounding import rounded

_PACKAGE = str(Path(poolhouse.__file__).parent)
_PATIENCE = 60.0

# The name of a compiled plan beside the folder of a cache.
COMPILED = "compiled.json"

# By table: the number of rows, and the sum of their hashes.
Contents = dict[str, tuple[int, int]]
Work = Callable[[Warehouse, Any], object]


class Point(NamedTuple):
    """A line of code that is about to be run, the n-th of the work."""

    number: int
    function: str
    line: int


def load(warehouse: Warehouse, request: LoadRequest) -> None:
    load_collection(warehouse, request)


def at_the_prompt(warehouse: Warehouse, arguments: list[str]) -> None:
    """Run the poolhouse command itself, without its messages."""
    with Path(os.devnull).open("w") as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
    sys.argv = ["poolhouse", *arguments, "--db", str(warehouse.path)]
    entry.main()


def load_half_copied(warehouse: Warehouse, request: LoadRequest) -> None:
    """Load, and die in the middle of the copy of the warehouse."""

    def half_a_copy(source: Path, target: Path) -> None:
        content = source.read_bytes()
        target.write_bytes(content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    shutil.copyfile = half_a_copy  # type: ignore[assignment]
    load_collection(warehouse, request)


def spilling_experiment(warehouse: Warehouse, given: tuple[ExperimentSettings, Path]) -> None:
    """Run an experiment that spills into the given folder."""
    settings, place = given
    os.environ["POOLHOUSE_SPILL"] = str(place)
    run_experiment(warehouse, "random", settings)


def build_all(warehouse: Warehouse, _: object) -> None:
    build(warehouse)


def build_half_compiled(warehouse: Warehouse, cache: Path) -> None:
    """Build, and die while the compiled plan is written."""

    def die_writing(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.rename" and str(arguments[0]).endswith(".json.next"):
            draft = Path(arguments[0])
            os.truncate(draft, draft.stat().st_size // 2)
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(die_writing)
    build_by_cache(warehouse, cache)


def build_by_cache(warehouse: Warehouse, cache: Path) -> None:
    """Build with the plans of another cache; the one that dbt would compile lies beside them."""
    os.environ["XDG_CACHE_HOME"] = str(cache)
    _, _, text = (cache / COMPILED).read_text().partition("\n")
    compiling.compile_plan = lambda *_: Plan.from_json(text)
    build(warehouse)


# --------------------------------------------------------------------------------------- processes


@dataclass(frozen=True)
class Fate:
    """The end of a child: by a signal at its n-th line, or some seconds after its start.

    With a line and seconds, the kernel ends the child that many seconds after the line. The time
    may be as short as a microsecond. A child never reaches line -1.
    """

    line: int | None = None
    after: float | None = None
    signal: int = signal.SIGKILL


def _worker(pipe: Connection, work: Work, warehouse: Warehouse, given: object, fate: Fate) -> None:
    points: list[Point] = []

    def on_line(frame: FrameType) -> None:
        points.append(Point(len(points), frame.f_code.co_qualname, frame.f_lineno))
        if len(points) - 1 != fate.line:
            return
        if fate.after is None:
            os.kill(os.getpid(), fate.signal)
        else:
            signal.setitimer(signal.ITIMER_REAL, fate.after)  # SIGALRM, which has no handler

    def local(frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401 - as Python declares it
        if event == "line":
            on_line(frame)
        return local

    if fate.line is None:
        pipe.send("started")
    else:
        sys.settrace(lambda frame, _, __: local if _is_ours(frame) else None)
    # The poolhouse command ends the process itself, and a function does not.
    atexit.register(pipe.send, points)
    try:
        work(warehouse, given)
    finally:
        sys.settrace(None)
        pipe.send(points)


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_PACKAGE)


@dataclass(frozen=True)
class Run:
    """The end of a child: its exit code (-9 where it was killed), its time, the lines it ran."""

    exit_code: int
    seconds: float
    points: list[Point]

    @property
    def was_killed(self) -> bool:
        return self.exit_code in (-signal.SIGKILL, -signal.SIGALRM)


def received(pipe: Connection) -> Any:  # noqa: ANN401 - a child may send anything
    """Return the object that a child sends; a child that hangs makes the test fail."""
    assert pipe.poll(_PATIENCE), "it hangs"
    return pipe.recv()


def run(work: Work, warehouse: Warehouse, given: object = None, fate: Fate = Fate()) -> Run:
    """Do the work in a child, end the child by its fate, and return how it ended."""
    ours, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=_worker, args=(theirs, work, warehouse, given, fate))
    process.start()
    theirs.close()
    points: list[Point] = []
    try:
        if fate.line is None:
            assert received(ours) == "started"
        started = time.monotonic()
        if fate.line is None and fate.after is not None:
            time.sleep(fate.after)
            with suppress(ProcessLookupError):
                os.kill(process.pid or 0, fate.signal)
        with suppress(EOFError, ConnectionResetError):  # killed
            points = received(ours)
        process.join(_PATIENCE)
        assert process.exitcode is not None, "it hangs"
        return Run(process.exitcode, time.monotonic() - started, points)
    finally:
        process.kill()
        process.join()


# ------------------------------------------------------------------------------------ what is whole


# Times and durations differ from one load or build to the next.
_NOT_COMPARED = ("loaded_at", "seconds", "built_at", "finished_at")


def contents(warehouse: Warehouse, schema: str | None = None) -> Contents:
    """Return the number and the hash of the rows of every table, without times and durations.

    Floats are rounded.
    """
    with warehouse.read() as connection:
        tables = connection.execute(
            """
            select
                format('{}.{}', schema_name, table_name),
                list((column_name, data_type) order by column_index)
            from duckdb_columns()
            inner join duckdb_tables() using (database_name, schema_name, table_name)
            where
                not duckdb_tables.internal
                and not temporary
                and schema_name = coalesce(?, schema_name)
                and not list_contains(?, column_name)
            group by all
            """,
            [schema, list(_NOT_COMPARED)],
        ).fetchall()
        return {
            table: connection.execute(
                f"select count(*), coalesce(sum(hash({_selected(columns)})), 0) from {table}"
            ).fetchall()[0]
            for table, columns in tables
        }


def _selected(columns: list[tuple[str, str]]) -> str:
    return ", ".join(rounded(f'"{name}"', data_type) for name, data_type in columns)


# One row per file whose number of stored lines differs from its account.
_WRONG_ACCOUNTS = """
with stored as (
    select collection_key, 'run' as kind, run_id as name, count(*) as n_rows
    from raw.run_lines inner join raw.runs using (collection_key, run_key)
    group by all
    union all
    select collection_key, 'qrels', 'qrels', count(*) from raw.qrels_lines group by all
)

select kind, name, files.n_rows, stored.n_rows
from (from ops.files where kind in ('run', 'qrels')) as files
full join stored using (collection_key, kind, name)
where files.n_rows is distinct from stored.n_rows
"""


def state_of(warehouse: Warehouse, states: dict[str, Contents]) -> str:
    """Check that the published file holds one of these states completely, and return its name.

    A missing file has the state that has no contents.
    """
    try:
        collection_status(warehouse)
    except WarehouseMissingError:
        found = {}
    else:
        with warehouse.read() as connection:
            assert connection.execute(_WRONG_ACCOUNTS).fetchall() == []
        found = contents(warehouse)
    same = [name for name, expected in states.items() if expected == found]
    assert same, {
        name: [table for table in {**found, **expected} if found.get(table) != expected.get(table)]
        for name, expected in states.items()
    }
    return same[0]


# ---------------------------------------------------------------------------------- several at once


class Reads(NamedTuple):
    """The result of a reader: how often it read, the states that it saw, and the errors."""

    n_reads: int
    states: set[str]
    errors: list[str]
    torn: list[str]


# One row: the first letters of the documents (one letter in each whole state) and the account.
_ONE_STATE = """
select
    (select string_agg(distinct docno[1], '' order by docno[1]) from raw.run_lines),
    (select string_agg(distinct docno[1], '' order by docno[1]) from raw.qrels_lines),
    (select count(*) from raw.run_lines),
    (select sum(n_rows)::bigint from ops.files where kind = 'run')
"""


def read_until(stop: Event, pipe: Connection, warehouse: Warehouse) -> None:
    """Read repeatedly, with several statements for each connection, until the event is set."""
    n_reads, states, errors, torn = 0, set(), [], []
    while not stop.wait(0.01):  # the writer needs a core too
        n_reads += 1
        try:
            with warehouse.read() as connection:
                first, second = (connection.execute(_ONE_STATE).fetchall() for _ in range(2))
                wrong = connection.execute(_WRONG_ACCOUNTS).fetchall()
        except Exception as error:  # every error is counted
            errors.append(repr(error))
            continue
        [(run_letter, qrels_letter, n_stored, n_accounted)] = first
        is_whole = run_letter == qrels_letter and len(run_letter) == 1 and n_stored == n_accounted
        if first != second or not is_whole or wrong:
            torn.append(f"{first} {second} {wrong}")
        states.add(run_letter)
    pipe.send(Reads(n_reads, states, errors, torn))


class Attempt(NamedTuple):
    """The result of a writer's command."""

    process: int
    exit_code: int
    stderr: str


def write_in_rounds(
    barrier: Barrier, pipe: Connection, warehouse: Warehouse, rounds: list[list[str]]
) -> None:
    """Run one command in each round, when every writer is ready for it."""
    attempts = []
    for arguments in rounds:
        barrier.wait(_PATIENCE)
        attempts.append(run_command(warehouse, *arguments))
    pipe.send(attempts)


def run_command(warehouse: Warehouse, *arguments: str) -> Attempt:
    done = CliRunner().invoke(cli.main, [*arguments, "--db", str(warehouse.path)])
    return Attempt(os.getpid(), done.exit_code, done.stderr)


class Ended(NamedTuple):
    """The end of a command: what it said, and the exports and the rows that it left."""

    exit_code: int
    stdout: str
    stderr: str
    raised: str | None
    exports: dict[str, bytes]
    rows: Contents | None


# Commands that change the warehouse.
_WRITERS = ("build", "experiment", "load", "remove")
_TIMES = re.compile(r"\d+\.\d+ s\b")


def run_in_folders(pipe: Connection, content: bytes, folder: Path, asked: list[list[str]]) -> None:
    """Run each command in a folder of its own, on a file with this content; send how it ended.

    The rows are missing where the command left the file as it was, or they cannot be read.
    """
    for number, arguments in enumerate(asked):
        here = folder / f"{number}"
        here.mkdir(parents=True)
        os.chdir(here)
        warehouse = Warehouse(Path("poolhouse.duckdb"))
        warehouse.path.write_bytes(content)
        done = CliRunner().invoke(cli.main, [*arguments, "--db", str(warehouse.path)])
        raised = None
        if done.exception and not isinstance(done.exception, SystemExit):
            raised = repr(done.exception)
        rows = None
        if arguments[0] in _WRITERS and not done.exit_code:
            with suppress(PoolhouseError):
                rows = contents(warehouse)
        exports = {str(file): file.read_bytes() for file in sorted(Path().rglob("*.csv"))}
        stdout, stderr = (_TIMES.sub("", each) for each in (done.stdout, done.stderr))
        pipe.send(Ended(done.exit_code, stdout, stderr, raised, exports, rows))
        shutil.rmtree(here)


def run_limited(pipe: Connection, warehouse: Warehouse, arguments: list[str], limit: int) -> None:
    """Run a command that may make no file longer than the given number of bytes."""
    import resource  # noqa: PLC0415 - only this process needs it

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    pipe.send(run_command(warehouse, *arguments))
