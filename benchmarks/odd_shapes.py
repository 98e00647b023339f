"""Time whole commands on odd shapes: many collections, topics or runs, or a very long run."""

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import polars as pl
import yaml

from commands import ARCHIVE, Cost, build, load, run
from poolhouse.command_line import console

SEED = 2026
N_ORGANIZATIONS = 20
POOL_DEPTH = 5
RUN_DEPTH = 10
# The first runs are pooled, except each third one.
MOST_POOLED, NOT_POOLED_OF = 90, 3
# Documents of a topic that runs may return, and how many of them are relevant.
N_CANDIDATES, N_RELEVANT = 40, 8
RELEVANT_SIGNAL = 1.0

# The collections of the archive with all three sizes of pools.
REAL = ("trec2-adhoc", "trec8-adhoc", "trec-covid-round1")

# The long run has these documents for each topic of a collection, and no other run returned them.
LONG_COLLECTION = "trec8-adhoc"
LONG_TOPICS = range(401, 451)
LONG_DEPTH = 100_000

GIGABYTE = 1024  # megabytes
# The engine's memory, unless the user names another limit.
MOST_MEMORY = 3 * GIGABYTE
SECONDS_OF_EXPORT = 20


@dataclass(frozen=True)
class Shape:
    """Simulated collections; each run returns so many documents for each topic."""

    n_collections: int
    n_runs: int
    n_topics: int
    run_depth: int = RUN_DEPTH


SHAPES: dict[str, Shape | None] = {
    "100 tiny collections": Shape(100, 5, 3),
    "400 tiny collections": Shape(400, 5, 3),
    "50,000 topics": Shape(1, 3, 50_000),
    "2,000 runs": Shape(1, 2000, 50),
    "TREC-2, TREC-8, TREC-COVID": None,
}


@dataclass(frozen=True)
class Case:
    """A command on a shape, with its budget in wall seconds and megabytes of its process."""

    shape: str
    command: str
    seconds: float = 60
    megabytes: float = GIGABYTE


def long_run(folder: Path) -> Path:
    """Write a run of 5 million lines."""
    file = folder / "long.run"
    of_topic = pl.DataFrame({"rank": np.arange(1, LONG_DEPTH + 1)}).select(
        pl.lit("Q0"),
        pl.format("none-{}", "rank").alias("document"),
        "rank",
        (LONG_DEPTH - pl.col("rank")).alias("score"),
        pl.lit("long").alias("tag"),
    )
    _write(file, pl.DataFrame({"topic": LONG_TOPICS}).join(of_topic, how="cross"))
    return file


# The arguments of each command, which reads and writes in a folder.
COMMANDS: dict[str, Callable[[Path], tuple[str, ...]]] = {
    "report": lambda folder: ("report", "-o", str(folder / "report.html")),
    "export csv": lambda folder: ("export", str(folder / "marts"), "--format", "csv"),
    "export parquet": lambda folder: ("export", str(folder / "marts"), "--format", "parquet"),
    "adjust": lambda folder: ("adjust", str(long_run(folder)), "--collection", LONG_COLLECTION),
}
CASES = [
    Case("100 tiny collections", "report"),
    Case("400 tiny collections", "report"),
    Case("50,000 topics", "report"),
    Case("2,000 runs", "report"),
    Case("TREC-2, TREC-8, TREC-COVID", "report"),
    *(
        Case(shape, f"export {format_}", SECONDS_OF_EXPORT, MOST_MEMORY)
        for shape in ("100 tiny collections", "400 tiny collections", "TREC-2, TREC-8, TREC-COVID")
        for format_ in ("csv", "parquet")
    ),
    Case("TREC-2, TREC-8, TREC-COVID", "adjust", 23, MOST_MEMORY),
]


def built(name: str, folder: Path) -> Path:
    """Return the built warehouse of a shape, which is simulated if the folder does not have it."""
    warehouse = folder / f"{name.replace(' ', '_').replace(',', '')}.duckdb"
    if not warehouse.exists():
        with tempfile.TemporaryDirectory(dir=folder) as files:
            draft = Path(files) / warehouse.name
            if shape := SHAPES[name]:
                run("load", "--archive", str(simulate(shape, Path(files))), "--db", str(draft))
            else:
                for collection in REAL:
                    load(ARCHIVE / collection, draft)
            build(draft)
            draft.rename(warehouse)
    return warehouse


def simulate(shape: Shape, folder: Path) -> Path:
    """Write the files of all collections, and return the archive that lists them."""
    draw = np.random.default_rng(SEED)
    entries = []
    for number in range(shape.n_collections):
        name = f"shape-{number:03}"
        _simulate_collection(shape, folder / name, draw)
        entries.append(
            {
                "collection": name,
                "runs": [f"{name}/runs"],
                "qrels": f"{name}/qrels.txt",
                "descriptions": f"{name}/runs.csv",
                "depth": POOL_DEPTH,
            }
        )
    archive = folder / "archive.yml"
    archive.write_text(yaml.safe_dump(entries))
    return archive


def _simulate_collection(shape: Shape, folder: Path, draw: np.random.Generator) -> None:
    """Write runs that see relevance with an error of their own."""
    (folder / "runs").mkdir(parents=True)
    size = shape.n_topics, N_CANDIDATES
    is_relevant = np.arange(N_CANDIDATES) < N_RELEVANT
    is_judged = np.zeros(size, dtype=bool)
    topics = np.arange(1, shape.n_topics + 1)
    answered = np.repeat(topics, shape.run_depth)
    ranks = np.tile(np.arange(1, shape.run_depth + 1), shape.n_topics)
    descriptions = ["run,organization,pooled"]
    for number in range(shape.n_runs):
        looks = draw.standard_normal(size, dtype=np.float32) + RELEVANT_SIGNAL * is_relevant
        best = np.argsort(-looks, axis=1)[:, : shape.run_depth]
        is_pooled = number < MOST_POOLED and (number + 1) % NOT_POOLED_OF != 0
        if is_pooled:
            np.put_along_axis(is_judged, best[:, :POOL_DEPTH], values=True, axis=1)
        name = f"run{number:04}"
        organization = number % min(N_ORGANIZATIONS, shape.n_runs)
        descriptions.append(f"{name},org{organization:02},{'yes' if is_pooled else 'no'}")
        _write(
            folder / "runs" / name,
            pl.DataFrame({"topic": answered, "document": best.ravel(), "rank": ranks}).select(
                "topic",
                pl.lit("Q0").alias("q0"),
                pl.format("d{}", "document"),
                "rank",
                (100 - pl.col("rank")).alias("score"),
                pl.lit(name).alias("tag"),
            ),
        )
    judged_topic, document = np.nonzero(is_judged)
    qrels = pl.DataFrame({"topic": topics[judged_topic], "document": document}).select(
        "topic",
        pl.lit(0).alias("iteration"),
        pl.format("d{}", "document"),
        (pl.col("document") < N_RELEVANT).cast(pl.Int8).alias("grade"),
    )
    _write(folder / "qrels.txt", qrels)
    (folder / "runs.csv").write_text("\n".join(descriptions))


def _write(file: Path, rows: pl.DataFrame) -> None:
    rows.write_csv(file, include_header=False, separator=" ")


def measure(case: Case, folder: Path) -> Cost:
    """Run the command of a case as a process of its own."""
    warehouse = built(case.shape, folder)
    with tempfile.TemporaryDirectory(dir=folder) as output:
        return run(*COMMANDS[case.command](Path(output)), "--db", str(warehouse))


def table(cases: list[Case], folder: Path) -> Iterator[tuple[object, ...]]:
    """Yield a row per case: what it took, and whether that is within its budget."""
    for case in cases:
        console.remark(f"{case.command}: {case.shape}")
        cost = measure(case, folder)
        is_kept = cost.seconds <= case.seconds and cost.megabytes <= case.megabytes
        yield (
            case.shape,
            case.command,
            *(f"{value:.1f}" for value in (cost.seconds, cost.cpu_seconds)),
            f"{cost.megabytes:.0f}",
            f"{case.seconds:.0f} s, {case.megabytes:.0f} MB",
            "" if is_kept else "no",
        )


@click.command()
@click.option("--only", default="", help="Time the cases whose shape or command has this text.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Keep the built warehouses here, and use those that are there.",
)
def main(only: str, folder: Path | None) -> None:
    """Time commands on warehouses of odd shapes."""
    cases = [case for case in CASES if only in f"{case.command}: {case.shape}"]
    if not ARCHIVE.is_dir():
        cases = [case for case in cases if SHAPES[case.shape]]
    with tempfile.TemporaryDirectory() as name:
        rows = list(table(cases, folder or Path(name)))
    columns = ["shape", "command", "seconds", "CPU s", "peak MB", "budget", "kept"]
    console.write_table(columns, rows, f"{os.cpu_count()} cores")


if __name__ == "__main__":
    main()
