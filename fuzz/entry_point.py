"""Run every command of poolhouse under conditions in which it cannot do its work.

    uv run python fuzz/entry_point.py --db demo.duckdb

A command succeeds, or it ends with one line and exit status 1 or 2. It never shows a trace of
Python, never dies of a signal, ends within two seconds after one, and leaves no unfinished file.
The script prints how many processes it tried, and every process that did otherwise.
"""

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import duckdb

_COLLECTION = ("--collection", "shallow-pool")
_RUNS = ("new.run", "agate1", *_COLLECTION, "-m", "P@5")

# Arguments of each command, whose outputs are below the current folder.
COMMANDS: dict[str, tuple[str, ...]] = {
    "status": ("status",),
    "sql": ("sql", "select count(*), avg(score) from fct_topic_scores"),
    "score": ("score", *_RUNS[:1], *_COLLECTION),
    "compare": ("compare", *_RUNS),
    "gate": ("gate", "new.run", "--baseline", *_RUNS[1:]),
    "table": ("table", *_RUNS),
    "adjust": ("adjust", "new.run", *_COLLECTION),
    "common-topics": ("common-topics", *_COLLECTION, "--standard-error", "0.1"),
    "cookbook": ("cookbook", "best_estimators", "--run"),
    "figure": ("figure", "pool_sizes", *_COLLECTION, "--output", "out.svg"),
    "report": ("report", "-o", "out.html"),
    "csv": ("export", "out", "--format", "csv"),
    "duckdb": ("export", "out", "--format", "duckdb"),
    "trec": ("export", "out", "--format", "trec"),
    "settings": ("settings", "trec_eval"),
    "pool": ("pool", "plan", "shallow-pool"),
    "experiment": ("experiment", "bias", *_COLLECTION, "--samples", "20", "--widths", "2"),
    "check": ("check", *_COLLECTION),
    "load": ("load", "shallow-pool", "new.run"),
    "remove": ("remove", "shallow-pool", "--run", "agate1"),
    "build": ("build",),
    "output": ("sql", "from dim_runs", "--format", "json", "--output", "out.json"),
    "demo": ("demo",),
    "lake": ("lake", "build", "archive.yml", "--to", "out"),
    "docs": ("docs", "commands"),
    "help": ("--help",),
}
_WITHOUT_WAREHOUSE = ("lake", "docs", "help")
_ARCHIVE = "- {collection: new, runs: [new.run], qrels: qrels.txt}\n"

_TOPICS = "select topic_id from dim_topics where collection_id = 'shallow-pool'"

_PATIENCE = 600.0
_MOST_SECONDS = 2.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_MEGABYTE = 2**20
_INPUTS = ("new.run", "qrels.txt", "archive.yml")
# A change may wait for its lock; the files of the demo are there to be loaded by hand.
_KEPT = {"w.duckdb", ".w.duckdb.lock", "w-files", "tmp", *_INPUTS}
# What Python, Rust, C++ and multiprocessing print when something was not caught.
_TRACES = ("Traceback", "Exception ignored", "panicked", "terminate called", "Warning:", '{"')


@dataclass(frozen=True)
class Case:
    """A command, and the condition under which it runs."""

    command: str
    condition: str
    folder: Path
    db: str = "w.duckdb"
    environment: dict[str, str | None] = field(default_factory=dict)
    limits: tuple[tuple[int, int], ...] = ()
    redirections: str = ""
    number: signal.Signals | None = None
    after: float = 0.0


@dataclass(frozen=True)
class End:
    """How the process of a case ended."""

    case: Case
    status: int | None
    stderr: str
    late: float
    left: list[str]

    @property
    def faults(self) -> list[str]:
        """What the process did and should not have done."""
        of_it = {
            "a trace": any(words in self.stderr for words in _TRACES),
            "hangs": self.status is None,
            "death by a signal": self.status is not None and self.status < 0,
            "late": self.late > _MOST_SECONDS,
            "leftovers": bool(self.left),
            "another status": self.status not in (0, 1, 2),
            "no word": self.status == 1
            and "2>" not in self.case.redirections
            and self.case.condition != "closed pipe"
            and not self.stderr.strip(),
        }
        return [name for name, is_so in of_it.items() if is_so]


def run(case: Case, warehouse: Path) -> End:
    """Run the command of a case in a folder of its own."""
    case.folder.mkdir(parents=True, exist_ok=True)
    (case.folder / "tmp").mkdir(exist_ok=True)
    for name in _INPUTS:
        shutil.copyfile(warehouse.with_name(name), case.folder / name)
    if case.db == "w.duckdb" and not (case.folder / case.db).exists():
        os.link(warehouse, case.folder / case.db)
    environment = {**os.environ, "TMPDIR": str(case.folder / "tmp"), **case.environment}
    arguments = [*COMMANDS[case.command]]
    if case.command not in _WITHOUT_WAREHOUSE:
        arguments += ["--db", case.db]
    shell = ("/bin/sh", "-c", f'exec "$@" {case.redirections}', "sh")
    process = subprocess.Popen(
        [*shell, sys.executable, "-m", "poolhouse", *arguments],
        cwd=case.folder,
        env={name: value for name, value in environment.items() if value is not None},
        stdin=subprocess.DEVNULL,
        stdout=_closed_pipe() if case.condition == "closed pipe" else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: _prepare(case),  # noqa: PLW1509 - the threads here hold no lock of ours
    )
    asked_at = None
    if case.number:
        with suppress(subprocess.TimeoutExpired):
            process.wait(case.after)
        asked_at = time.monotonic()
        _wait_until_it_listens(process)
        asked_at = time.monotonic()
        process.send_signal(case.number)
    try:
        _, stderr = process.communicate(timeout=_PATIENCE)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, stderr = process.communicate()
        status = None
    late = time.monotonic() - asked_at if asked_at else 0.0
    done = End(case, status, stderr.decode(errors="replace"), late, _left(case, status))
    shutil.rmtree(case.folder, ignore_errors=True)
    return done


def _prepare(case: Case) -> None:
    for number in _SIGNALS:  # nohup ignores SIGHUP, and a shell's job SIGINT
        signal.signal(number, signal.SIG_DFL)
    for limit, most in case.limits:
        resource.setrlimit(limit, (most, most))


def _closed_pipe() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def _wait_until_it_listens(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the first line of Poolhouse: what ends Python as it starts is not ours."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        with suppress(OSError, StopIteration):
            lines = status.read_text().splitlines()
            caught = next(line for line in lines if line.startswith("SigCgt"))
            if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
                return
        time.sleep(0.002)


def _left(case: Case, status: int | None) -> list[str]:
    """Return the files that the command left and should not have left."""
    there = {each.name for each in case.folder.iterdir()} - _KEPT - {case.db}
    results = {name for name in there if name.startswith("out")}
    # Experiments draw their figures beside the warehouse.
    results |= {name for name in there if not name.startswith(".") and status == 0}
    in_tmp = {f"tmp/{each.name}" for each in (case.folder / "tmp").iterdir()}
    return sorted(there - results | in_tmp)


# -------------------------------------------------------------------------------------- conditions


def broken(folder: Path, warehouse: Path) -> Iterator[tuple[str, Case]]:
    """Make files and folders that are no warehouses."""
    folder.mkdir()
    whole = warehouse.read_bytes()
    contents = {
        "cut": whole[: len(whole) // 2],
        "cut in the header": whole[:5000],
        "random": random.Random(1).randbytes(_MEGABYTE),  # noqa: S311 - no secret
        "empty": b"",
        "zero": bytes(_MEGABYTE),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    with sqlite3.connect(folder / "sqlite") as other:
        other.execute("create table t (n integer)")
    with duckdb.connect(str(folder / "duckdb")) as database:
        database.execute("create table t as select 1 as n")
    for file in sorted(folder.iterdir()):
        yield f"broken: {file.name}", Case("", "broken", folder, db=str(file))


def conditions(folder: Path, warehouse: Path) -> Iterator[tuple[str, Case]]:
    """Make the conditions other than signals, as cases without a command and a folder."""
    yield from broken(folder / "broken", warehouse)
    case = Case("", "", folder)
    for size in (0, 4096, _MEGABYTE, 40 * _MEGABYTE):
        limits = ((resource.RLIMIT_FSIZE, size),)
        yield f"full disk: {size}", replace(case, condition="full disk", limits=limits)
    yield "full disk: output", replace(case, condition="full output", redirections=">/dev/full")
    both = ">/dev/full 2>/dev/full"
    yield "full disk: both", replace(case, condition="full output", redirections=both)
    for size in (150, 300, 450, 600, 1000, 2000):
        limits = ((resource.RLIMIT_AS, size * _MEGABYTE),)
        yield f"no memory: {size} MB", replace(case, condition="no memory", limits=limits)
    homes: dict[str, dict[str, str | None]] = {
        "unset": {"HOME": None, "XDG_CACHE_HOME": None},
        "unwritable": {"HOME": "/dev/null", "XDG_CACHE_HOME": None},
        "cache unwritable": {"XDG_CACHE_HOME": "/dev/null/cache"},
    }
    for name, environment in homes.items():
        yield f"no home: {name}", replace(case, condition="no home", environment=environment)
    yield "closed pipe", replace(case, condition="closed pipe")
    for redirections in (">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"):
        yield (
            f"closed: {redirections}",
            replace(case, condition="closed", redirections=redirections),
        )


def signalled(folder: Path, seconds: float, n_moments: int) -> Iterator[tuple[str, Case]]:
    """Spread signals over the time that a command takes."""
    for number in _SIGNALS:
        for moment in range(n_moments):
            after = seconds * moment / n_moments
            yield (
                f"{number.name} after {after:.2f} s",
                Case("", "signal", folder, number=number, after=after),
            )


@click.command()
@click.option("--db", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--moments", type=int, default=20, show_default=True, help="Of each signal.")
@click.option("--command", "commands", multiple=True, type=click.Choice(list(COMMANDS)))
@click.option("--only", default="", help="Only conditions whose names begin like this.")
@click.option("--processes", type=int, default=os.cpu_count(), show_default=True)
def main(db: Path, moments: int, commands: tuple[str, ...], only: str, processes: int) -> None:
    """Run every command, or some, under every condition on copies of a built demo."""
    random.seed(1)
    with TemporaryDirectory(dir=db.parent) as place, ThreadPoolExecutor(processes) as pool:
        folder = Path(place)
        warehouse = folder / "w.duckdb"
        shutil.copyfile(db, warehouse)
        with duckdb.connect(str(db), read_only=True) as database:
            topics = database.execute(_TOPICS).fetchall()
        lines = [f"{topic} Q0 new1 1 2 new\n{topic} Q0 new2 2 1 new\n" for (topic,) in topics]
        warehouse.with_name("new.run").write_text("".join(lines))
        judged = [f"{topic} 0 new1 1\n{topic} 0 new2 0\n" for (topic,) in topics]
        warehouse.with_name("qrels.txt").write_text("".join(judged))
        warehouse.with_name("archive.yml").write_text(_ARCHIVE)
        given = list(conditions(folder, warehouse))
        cases: list[tuple[str, Case]] = []
        for command in commands or COMMANDS:
            started = time.monotonic()
            first = run(Case(command, "none", folder / "first"), warehouse)
            seconds = time.monotonic() - started
            if first.status or first.faults:
                click.echo(f"{command} fails by itself: {first}")
            of_it = [*given, *signalled(folder, seconds, moments)]
            cases += [
                (name, replace(case, command=command, folder=folder / f"{len(cases) + n}"))
                for n, (name, case) in enumerate(of_it)
                if name.lower().startswith(only.lower())
            ]
        try_: Callable[[tuple[str, Case]], tuple[str, End]] = lambda each: (  # noqa: E731
            each[0],
            run(each[1], warehouse),
        )
        tried: Counter[str] = Counter()
        faults: Counter[str] = Counter()
        latest = 0.0
        for name, end in pool.map(try_, cases):
            tried[end.case.condition] += 1
            latest = max(latest, end.late)
            for fault in end.faults:
                faults[fault] += 1
                click.echo(
                    f"{fault}: {end.case.command}, {name}: status {end.status}, {end.late:.2f} s, "
                    f"{end.left} {end.stderr[-600:]!r}"
                )
    click.echo(f"{tried.total()} processes: {dict(tried)}; latest end {latest:.2f} s")
    click.echo(f"faults: {dict(faults) or 'none'}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
