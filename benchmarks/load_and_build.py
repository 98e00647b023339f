"""Time load, build, and a build that has nothing to do, for whole TREC collections."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import click

from commands import ARCHIVE, Cost, build, load
from poolhouse.command_line import console


def measure(collection: Path, folder: Path) -> dict[str, Cost]:
    """Load and build one collection into a new warehouse in `folder`."""
    warehouse = folder / "benchmark.duckdb"
    loaded = load(collection, warehouse)
    built = build(warehouse)
    return {
        "load": loaded,
        "build": built,
        "load + build": Cost(
            loaded.seconds + built.seconds,
            loaded.cpu_seconds + built.cpu_seconds,
            max(loaded.megabytes, built.megabytes),
        ),
        "build, nothing changed": build(warehouse),
    }


def summarize(collection: str, measured: Sequence[dict[str, Cost]]) -> list[tuple[object, ...]]:
    """Return a row per step: median, least and most seconds, and most memory."""
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
    default=ARCHIVE,
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
