"""Load and build one simulated collection; write what each model took as CSV."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import polars as pl

from poolhouse.command_line import console
from poolhouse.warehouse.file import Warehouse

from . import simulated
from .storage import bytes_of_tables

_SHOWN = 12
_LOAD = "load"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--runs", default=simulated.N_RUNS, show_default=True, help="Number of runs.")
@click.option("--topics", default=simulated.N_TOPICS, show_default=True, help="Number of topics.")
@click.option("--memory", default="3GB", show_default=True, help="Limit of the engine.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the temporary folder is made.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the figures as CSV.",
)
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the loaded warehouse here, before its build.",
)
@click.option(
    "--loaded",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Build a copy of this loaded warehouse. Nothing is simulated.",
)
def main(
    runs: int,
    topics: int,
    memory: str,
    folder: Path | None,
    output: Path,
    keep: Path | None,
    loaded: Path | None,
) -> None:
    """Time one collection of RUNS times TOPICS times 1000 lines."""
    output.mkdir(parents=True, exist_ok=True)
    os.environ["POOLHOUSE_MEMORY"] = memory
    with TemporaryDirectory(dir=folder) as name:
        warehouse = Warehouse(Path(name) / "large.duckdb")
        spill = Path(name) / "spilled"
        spill.mkdir()
        if loaded:
            shutil.copyfile(loaded, warehouse.path)
            steps = []
        else:
            collection = simulated.simulate(Path(name) / "files", runs, topics)
            console.remark(f"{collection.n_lines} lines, {collection.n_judgements} judgements")
            steps = [_load(warehouse, collection)]
            shutil.rmtree(collection.folder)
        if keep:
            shutil.copyfile(warehouse.path, keep)
        steps += _built(warehouse, spill)
        with warehouse.read() as connection:
            stored = bytes_of_tables(connection)
    shape = pl.lit(runs).alias("runs"), pl.lit(topics).alias("topics")
    figures = pl.DataFrame(steps).with_columns(*shape).sort("cpu_seconds", descending=True)
    figures.write_csv(output / f"steps_{runs}_{topics}.csv")
    stored.with_columns(*shape).write_csv(output / f"tables_{runs}_{topics}.csv")
    for frame in (figures, stored):
        some = frame.head(_SHOWN)
        console.write_table(some.columns, some.rows(), f"{runs} runs, {topics} topics")


def _load(warehouse: Warehouse, collection: simulated.SimulatedCollection) -> dict[str, object]:
    started = time.perf_counter()
    arguments = (*collection.arguments(), "--db", str(warehouse.path))
    process = subprocess.Popen(
        [sys.executable, "-m", "poolhouse", "load", *arguments], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("the load failed")
    return {
        "name": _LOAD,
        "seconds": time.perf_counter() - started,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_megabytes": usage.ru_maxrss * 1024 / 1e6,
        "spilled_megabytes": 0.0,
        "rows": collection.n_lines,
    }


def _built(warehouse: Warehouse, spill: Path) -> list[dict[str, object]]:
    """Build in a process of its own, whose memory holds nothing else."""
    command = [sys.executable, "-m", f"{__package__}.building", str(warehouse.path), str(spill)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit("the build failed")
    steps: list[dict[str, object]] = json.loads(done.stdout)
    return steps


if __name__ == "__main__":
    main()
