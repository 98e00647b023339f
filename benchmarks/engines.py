"""Compare releases of the engine: load and build of TREC-8, and the demo, in CPU seconds.

The last table has the steps of TREC-8's build that differ most. Each release is installed into a
folder of its own, which comes first on the path of the timed processes. So the project's ranges do
not count, and releases can be tried that they exclude.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from statistics import median
from time import process_time

import click

from commands import ARCHIVE, Cost, build, load, run, run_python
from poolhouse.building.build import build as build_here
from poolhouse.building.plan.storage import plan_of
from poolhouse.command_line import console
from poolhouse.warehouse.file import Warehouse

COLLECTION = "trec8-adhoc"
N_STEPS = 12

# CPU seconds by part (load, build, ...), or by step of a build.
Seconds = dict[str, float]


def install(release: str, folder: Path) -> Path:
    """Install a release of the engine into a folder, and return the folder."""
    target = folder / release
    command = ["uv", "pip", "install", "--quiet", "--no-config", "--no-deps"]
    subprocess.run([*command, "--target", str(target), f"duckdb=={release}"], check=True)
    return target


@contextmanager
def on(engine: Path) -> Iterator[None]:
    """Let new processes take the engine from this folder."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(engine)
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


def measure(archive: Path, folder: Path) -> dict[str, Cost]:
    """Load and build TREC-8, and run the demo, as whole commands."""
    warehouse, steps = folder / "benchmark.duckdb", folder / "steps.json"
    loaded = load(archive / COLLECTION, warehouse)
    copyfile(warehouse, folder / "again.duckdb")
    built = build(warehouse)
    run_python(__file__, "--steps-of", str(folder / "again.duckdb"), "--into", str(steps))
    demo = run("demo", "--db", str(folder / "demo.duckdb"))
    return {f"{COLLECTION}: load": loaded, f"{COLLECTION}: build": built, "demo": demo}


def seconds_of_steps(warehouse: Path) -> Seconds:
    """Build a loaded warehouse in this process, and return the CPU seconds of every step."""
    seconds: defaultdict[str, float] = defaultdict(float)
    last: list[tuple[str, float]] = []

    def progress(name: str, _done: int, _total: int) -> None:
        now = process_time()
        if last:
            begun, since = last.pop()
            seconds[begun] += now - since
        last.append((name.rpartition(": ")[2], now))

    build_here(Warehouse(warehouse), progress=progress)
    progress("", 0, 0)
    return dict(seconds)


def _table(first: str, releases: Iterable[str], rows: Iterable[tuple[str, list[float]]]) -> None:
    columns = [first, *releases, "ratio of the first to the last"]
    shown = [
        (name, *(f"{value:.2f}" for value in values), f"{values[0] / values[-1]:.2f}")
        for name, values in rows
    ]
    console.write_table(columns, shown, f"CPU seconds, medians, {os.cpu_count()} cores")


@click.command()
@click.argument("releases", nargs=-1)
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the collections.",
)
@click.option("--repeat", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--steps-of", type=click.Path(path_type=Path), hidden=True)
@click.option("--into", type=click.Path(path_type=Path), hidden=True)
def main(
    releases: tuple[str, ...],
    archive: Path,
    repeat: int,
    steps_of: Path | None,
    into: Path | None,
) -> None:
    """Compare RELEASES of DuckDB (default: 1.5.6 and 2.0.0)."""
    if steps_of and into:
        into.write_text(json.dumps(seconds_of_steps(steps_of)))
        return
    names = releases or ("1.5.6", "2.0.0")
    plan_of({})  # compiled before the first build, which would take the time
    whole: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    steps: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as scratch:
        engines = {name: install(name, Path(scratch)) for name in names}
        for _ in range(repeat):
            for name, engine in engines.items():
                with on(engine), tempfile.TemporaryDirectory() as folder:
                    for part, cost in measure(archive, Path(folder)).items():
                        whole[part][name].append(cost.cpu_seconds)
                    for step, used in json.loads((Path(folder) / "steps.json").read_text()).items():
                        steps[step][name].append(used)
    _table("command", names, _medians(whole, names))
    most = sorted(_medians(steps, names), key=_difference, reverse=True)[:N_STEPS]
    _table(f"step of {COLLECTION}'s build", names, most)


def _difference(row: tuple[str, list[float]]) -> float:
    _, seconds = row
    return abs(seconds[0] - seconds[-1])


def _medians(
    seconds: dict[str, defaultdict[str, list[float]]], names: Iterable[str]
) -> Iterator[tuple[str, list[float]]]:
    for part, by_release in seconds.items():
        yield part, [median(by_release[name]) for name in names]


if __name__ == "__main__":
    sys.exit(main())
