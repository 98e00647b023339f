"""Time a simulated archive as it grows: it holds one, four or sixteen collections of TREC-8's size.

Only the number and the shape of the lines matter here. The collections are therefore drawn more
simply than the demo's. Some documents are better for all runs. The runs of an organization share
errors, and each run has its own errors.
"""

import gzip
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import polars as pl

from commands import Cost, build, run
from poolhouse.command_line import console

# TREC-8 ad hoc: topics, runs, pooled runs, pool depth, organizations, lines a topic, documents.
N_TOPICS = 50
N_RUNS = 129
N_POOLED = 71
POOL_DEPTH = 100
N_ORGANIZATIONS = 41
RUN_DEPTH = 1000
N_DOCUMENTS = 528_155

# These figures give about as many documents a topic as TREC-8 has: 1,737 judged, 95 relevant.
N_CANDIDATES = 15_000
N_RELEVANT = 126
RELEVANT_SIGNAL = 2.0
SHARED_ERROR = 0.5
OWN_ERROR = 0.7

ANOTHER_MEASURE = "nDCG@15"
# The disk space of a collection: compressed files, and the warehouse with its side file.
MEGABYTES_A_COLLECTION = 600


@dataclass(frozen=True)
class SimulatedCollection:
    """A collection on disk; `added` is a run that is not yet in `runs`."""

    name: str
    folder: Path

    @property
    def runs(self) -> Path:
        """The folder of run files."""
        return self.folder / "runs"

    @property
    def added(self) -> Path:
        """The run that is added later."""
        return self.folder / "added.gz"

    def load(self, warehouse: Path) -> Cost:
        """Load the collection in its current state."""
        return run(
            "load",
            self.name,
            *("--runs", str(self.runs)),
            *("--qrels", str(self.folder / "qrels.txt")),
            *("--descriptions", str(self.folder / "runs.csv")),
            *("--depth", str(POOL_DEPTH)),
            *("--db", str(warehouse)),
        )


def simulate(folder: Path, number: int) -> SimulatedCollection:
    """Write a collection; its number is the seed of its random numbers."""
    collection = SimulatedCollection(f"simulated-{number:02}", folder / f"simulated-{number:02}")
    collection.runs.mkdir(parents=True)
    draw = np.random.Generator(np.random.PCG64(number))
    shape = N_TOPICS, N_CANDIDATES
    # The candidates of a topic: which documents they are, and how good they look to all runs.
    candidates = np.stack(
        [draw.choice(N_DOCUMENTS, N_CANDIDATES, replace=False) for _ in range(N_TOPICS)]
    )
    is_relevant = np.zeros(shape, dtype=bool)
    is_relevant[:, :N_RELEVANT] = True
    quality = draw.standard_normal(shape) + RELEVANT_SIGNAL * is_relevant
    shared_errors = SHARED_ERROR * draw.standard_normal((N_ORGANIZATIONS, *shape), dtype=np.float32)
    is_judged = np.zeros(shape, dtype=bool)
    descriptions = ["run,organization,pooled"]
    # Write one run more than the first load takes.
    for index in range(N_RUNS + 1):
        run_id, organization = f"run{index:03}", index % N_ORGANIZATIONS
        errors = OWN_ERROR * draw.standard_normal(shape)
        best, scores = _best(quality + shared_errors[organization] + errors)
        is_pooled = index < N_POOLED
        if is_pooled:
            np.put_along_axis(is_judged, best[:, :POOL_DEPTH], values=True, axis=1)
        descriptions.append(f"{run_id},org{organization:02},{'yes' if is_pooled else 'no'}")
        documents = np.take_along_axis(candidates, best, axis=1)
        path = collection.added if index == N_RUNS else collection.runs / f"{run_id}.gz"
        path.write_bytes(gzip.compress(_run_lines(documents, scores, run_id), 1))
    (collection.folder / "qrels.txt").write_bytes(_qrels_lines(candidates, is_judged, is_relevant))
    (collection.folder / "runs.csv").write_text("\n".join(descriptions))
    return collection


def _best(
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the columns and scores of the documents that a run returns, best first."""
    some = np.argpartition(-scores, RUN_DEPTH, axis=1)[:, :RUN_DEPTH]
    order = np.argsort(-np.take_along_axis(scores, some, axis=1), axis=1)
    best = np.take_along_axis(some, order, axis=1)
    return best, np.take_along_axis(scores, best, axis=1)


def _document_ids(numbers: npt.NDArray[np.int64]) -> pl.Series:
    return pl.select(pl.format("SIM{}-{}", pl.lit(numbers % 7), pl.lit(numbers))).to_series()


def _topic_ids(n_lines: int) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(401, 401 + N_TOPICS), n_lines)


def _run_lines(
    documents: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], run_id: str
) -> bytes:
    ranks = np.tile(np.arange(1, RUN_DEPTH + 1), N_TOPICS)
    return _text(
        topic=_topic_ids(RUN_DEPTH),
        q0=pl.repeat("Q0", len(ranks), eager=True),
        document=_document_ids(documents.ravel()),
        rank=ranks,
        score=scores.ravel().round(5),
        tag=pl.repeat(run_id, len(ranks), eager=True),
    )


def _qrels_lines(
    candidates: npt.NDArray[np.int64],
    is_judged: npt.NDArray[np.bool_],
    is_relevant: npt.NDArray[np.bool_],
) -> bytes:
    topics, _ = np.nonzero(is_judged)
    return _text(
        topic=topics + 401,
        iteration=np.zeros_like(topics),
        document=_document_ids(candidates[is_judged]),
        grade=is_relevant[is_judged].astype(int),
    )


def _text(**columns: npt.NDArray[np.generic] | pl.Series) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_csv(buffer, include_header=False, separator="\t")
    return buffer.getvalue()


def measure(collections: Sequence[SimulatedCollection], warehouse: Path) -> dict[str, Cost]:
    """Load and build all collections, ask for one more measure, and add a run to one of them."""
    costs = {
        "load": total([collection.load(warehouse) for collection in collections]),
        "build": build(warehouse),
        "one more measure": run("sql", one_more_measure(collections), "--db", str(warehouse)),
    }
    changed = collections[0]
    place = changed.runs / f"run{N_RUNS:03}.gz"
    shutil.copyfile(changed.added, place)
    costs["add a run: load"] = changed.load(warehouse)
    costs["add a run: build"] = build(warehouse)
    place.unlink()
    return costs


def one_more_measure(collections: Sequence[SimulatedCollection]) -> str:
    """Return a query for the scores of every run and topic by a measure that no mart has."""
    scores = " union all ".join(
        f"select * from topic_scores('{collection.name}', '{ANOTHER_MEASURE}')"  # noqa: S608
        for collection in collections
    )
    return f"select unjudged, count(*), avg(score) from ({scores}) group by all"  # noqa: S608


def total(costs: Sequence[Cost]) -> Cost:
    """Add up commands that run one after the other."""
    return Cost(
        sum(each.seconds for each in costs),
        sum(each.cpu_seconds for each in costs),
        max(each.megabytes for each in costs),
    )


def table(measured: dict[int, dict[str, Cost]]) -> Iterator[tuple[object, ...]]:
    """Yield a row per size and step, with ratios to the smallest size: in all, per collection."""
    least = min(measured)
    for size, costs in measured.items():
        for step, cost in costs.items():
            ratio = cost.seconds / measured[least][step].seconds
            yield (
                size,
                step,
                *(f"{value:.1f}" for value in (cost.seconds, cost.cpu_seconds)),
                f"{cost.megabytes:.0f}",
                *(f"{value:.2f}" for value in (ratio, ratio * least / size)),
            )


def sizes(_context: click.Context, _parameter: click.Parameter, value: str) -> list[int]:
    """Read `1,4,16`."""
    try:
        numbers = sorted({int(each) for each in value.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 1:
        raise click.BadParameter("whole numbers above 0, separated by commas")
    return numbers


@click.command()
@click.option("--sizes", default="1,4,16", show_default=True, callback=sizes, help="Collections.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the temporary folder is made.",
)
def main(sizes: list[int], folder: Path | None) -> None:
    """Time archives of several sizes, in collections like TREC-8."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        needed, free = sizes[-1] * MEGABYTES_A_COLLECTION, shutil.disk_usage(name).free // 2**20
        if free < needed:
            sys.exit(f"{name}: {needed} MB are needed, {free} MB are free")
        # The plan is compiled again into this folder, and deleted with it.
        os.environ["XDG_CACHE_HOME"] = str(Path(name) / "cache")
        collections: list[SimulatedCollection] = []
        measured = {}
        for size in sizes:
            while len(collections) < size:
                collections.append(simulate(Path(name), len(collections) + 1))
            warehouse = Path(name) / f"growth-{size}.duckdb"
            measured[size] = measure(collections, warehouse)
            warehouse.unlink()
    columns = ["collections", "step", "seconds", "CPU s", "peak MB", "to least", "per collection"]
    console.write_table(columns, list(table(measured)), f"{os.cpu_count()} cores")


if __name__ == "__main__":
    main()
