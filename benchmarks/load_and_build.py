"""Time load, build and a build with nothing to do, for whole TREC collections."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from poolhouse import console

_OPTIONS = {"trec2-adhoc": (), "trec8-adhoc": ("--depth", "100"), "trec-covid-round1": ()}


@dataclass(frozen=True)
class Cost:
    """What a command took: wall seconds, and peak memory in MB of its largest process."""

    seconds: float
    megabytes: float


def run(*arguments: str) -> Cost:
    """Run poolhouse as a user would; its messages are shown only where it fails."""
    command = [sys.executable, "-m", "poolhouse", *arguments]
    started = time.perf_counter()
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        # wait4 has reaped the process; Popen must not wait for it again.
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            sys.exit(f"{' '.join(command)}\n{messages.read().decode()}")
    return Cost(seconds, usage.ru_maxrss / 1024)


def measure(collection: Path, folder: Path) -> dict[str, Cost]:
    """Load and build one collection into a new warehouse in `folder`."""
    db = ("--db", str(folder / "benchmark.duckdb"))
    load = run(
        "load",
        collection.name,
        *("--runs", str(collection / "runs")),
        *("--qrels", str(collection / "qrels.txt.gz")),
        *("--descriptions", str(collection / "runs.csv")),
        *_OPTIONS.get(collection.name, ()),
        *db,
    )
    build = run("build", *db)
    return {
        "load": load,
        "build": build,
        "load + build": Cost(load.seconds + build.seconds, max(load.megabytes, build.megabytes)),
        "build, nothing changed": run("build", *db),
    }


def summarize(collection: str, measured: Sequence[dict[str, Cost]]) -> list[tuple[object, ...]]:
    """Give a row per step: median, least and most seconds, and most memory."""
    rows: list[tuple[object, ...]] = []
    for step in measured[0]:
        costs = [each[step] for each in measured]
        seconds = [cost.seconds for cost in costs]
        memory = max(cost.megabytes for cost in costs)
        spread = [f"{value:.1f}" for value in (median(seconds), min(seconds), max(seconds))]
        rows.append((collection, step, *spread, f"{memory:.0f}"))
    return rows


@click.command()
@click.argument("collections", nargs=-1)
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(__file__).parents[2] / "shared" / "archive",
    help="Folder of the collections.",
)
@click.option("--repeat", type=click.IntRange(min=1), default=1, show_default=True)
def main(collections: tuple[str, ...], archive: Path, repeat: int) -> None:
    """Time COLLECTIONS (default: TREC-2 and TREC-8)."""
    rows: list[tuple[object, ...]] = []
    for name in collections or ("trec2-adhoc", "trec8-adhoc"):
        measured = []
        for _ in range(repeat):
            with tempfile.TemporaryDirectory() as folder:
                measured.append(measure(archive / name, Path(folder)))
        rows += summarize(name, measured)
    columns = ["collection", "step", "median s", "least s", "most s", "peak MB"]
    console.write_table(columns, rows, f"{os.cpu_count()} cores, {repeat} repeats")


if __name__ == "__main__":
    main()
