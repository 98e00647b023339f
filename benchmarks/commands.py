"""Time whole poolhouse commands from outside."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ARCHIVE = Path(__file__).parents[2] / "shared" / "archive"

_OPTIONS = {"trec8-adhoc": ("--depth", "100")}


@dataclass(frozen=True)
class Cost:
    """The cost of a command: wall and CPU seconds, and its largest process's peak memory in MB."""

    seconds: float
    cpu_seconds: float
    megabytes: float


def run(*arguments: str) -> Cost:
    """Run poolhouse as a user would, and show its messages only where it fails."""
    return run_python("-m", "poolhouse", *arguments)


def run_python(*arguments: str) -> Cost:
    """Run this Python in a new process, and show its output only where it fails."""
    return run_program(sys.executable, *arguments)


def run_program(*command: str, env: Mapping[str, str] | None = None) -> Cost:
    """Run a program, and show its output only where it fails."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        # wait4 has reaped the process; Popen must not wait for it again.
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            sys.exit(f"{' '.join(command)}\n{messages.read().decode()}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def arguments_of_load(collection: Path) -> tuple[str, ...]:
    """Return the arguments that load a collection of the archive."""
    return (
        collection.name,
        *("--runs", str(collection / "runs")),
        *("--qrels", str(collection / "qrels.txt.gz")),
        *("--descriptions", str(collection / "runs.csv")),
        *_OPTIONS.get(collection.name, ()),
    )


def load(collection: Path, warehouse: Path) -> Cost:
    """Load a collection of the archive."""
    return run("load", *arguments_of_load(collection), "--db", str(warehouse))


def build(warehouse: Path) -> Cost:
    """Build the tables that are stale."""
    return run("build", "--db", str(warehouse))
