"""Time the cookbook's queries on a warehouse, as `poolhouse cookbook NAME --run` asks them."""

import time
from pathlib import Path

import click
import numpy as np

from poolhouse.command_line import console
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import entries
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

# A query that takes longer than these seconds should be looked at.
BUDGET = 5.0
N_SLOWEST = 8


def measure(warehouse: Warehouse, repeat: int) -> dict[tuple[str, str], float]:
    """Return the median seconds of each entry on each collection.

    They run from the values of the parameters to the rows of the result.
    """
    judged = "select collection_id from dim_collections where is_judged order by all"
    collections = [str(name) for (name,) in run_query(warehouse, judged).rows]
    seconds = {}
    for entry in entries():
        is_of_one = "collection" in entry.parameters
        for collection in collections if is_of_one else ["all of them"]:
            given = {"collection": collection} if is_of_one else {}
            taken = []
            for _ in range(repeat):
                started = time.perf_counter()
                answer(warehouse, entry, given)
                taken.append(time.perf_counter() - started)
            seconds[entry.name, collection] = float(np.median(taken))
    return seconds


@click.command()
@click.option("--db", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True)
def main(db: Path, repeat: int) -> None:
    """Time every question on every judged collection of a built warehouse."""
    seconds = measure(Warehouse(db), repeat)
    slowest = sorted(seconds, key=lambda asked: seconds[asked], reverse=True)
    rows = [(*asked, f"{seconds[asked]:.2f}") for asked in slowest[:N_SLOWEST]]
    console.write_table(["name", "collection", "seconds"], rows, "the slowest")
    taken = list(seconds.values())
    p50, p95 = np.percentile(taken, [50, 95])
    figures = [
        (len(taken), f"{p50:.2f}", f"{p95:.2f}", f"{max(taken):.2f}", f"{BUDGET:.2f}"),
    ]
    console.write_table(["answers", "p50 s", "p95 s", "max s", "budget s"], figures, "all")


if __name__ == "__main__":
    main()
