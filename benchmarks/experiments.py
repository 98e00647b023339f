"""Time the experiments of Webber & Park 2009, and `poolhouse common-topics`, on TREC-8."""

import os
import tempfile
from pathlib import Path

import click

from commands import ARCHIVE, Cost, build, load, run
from poolhouse.command_line import console
from poolhouse.option_values import EXPERIMENTS


@click.command()
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the collections.",
)
def main(archive: Path) -> None:
    """Load and build TREC-8, then time each experiment with its default settings."""
    collection = archive / "trec8-adhoc"
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "benchmark.duckdb"
        load(collection, warehouse)
        build(warehouse)
        of_it = ("--collection", collection.name, "--db", str(warehouse))
        costs = {name: run("experiment", name, *of_it) for name in EXPERIMENTS}
        costs["all of them"] = Cost(
            sum(cost.seconds for cost in costs.values()),
            sum(cost.cpu_seconds for cost in costs.values()),
            max(cost.megabytes for cost in costs.values()),
        )
        costs["common-topics"] = run("common-topics", "--standard-error", "0.01", *of_it)
    rows = [
        (name, f"{cost.seconds:.1f}", f"{cost.cpu_seconds:.1f}", f"{cost.megabytes:.0f}")
        for name, cost in costs.items()
    ]
    columns = ["experiment", "wall s", "CPU s", "peak MB"]
    console.write_table(columns, rows, f"{collection.name}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
