"""A simulated archive of collections whose sizes are spread evenly over orders of magnitude.

Only the number and the shape of the lines matter here. Larger collections have more topics, longer
runs and more of them. The documents of a topic are drawn as in `growth.py`: some are better for all
runs, and each run has its own errors. The seed of a collection is its number.
"""

import io
import json
import random
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

# From the smallest collection to the one with a thousand times as many lines.
N_TOPICS = (5, 50)
RUN_DEPTH = (20, 1000)
SPREAD = 1000

# The pool of a topic, and its candidates, for each line of a run.
POOLED_PLACES = 0.1
LEAST_POOL_DEPTH = 5
CANDIDATES = 15
RELEVANT = 0.126
RELEVANT_SIGNAL = 2.0
ERROR = 0.9
POOLED_SHARE = 0.55
RUNS_OF_ORGANIZATION = 3
N_DOCUMENTS = 528_155

_SEED = 7
_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """The shape of a collection; it has about as many lines as it was asked for."""

    n_topics: int
    n_runs: int
    run_depth: int

    @property
    def n_lines(self) -> int:
        """The number of lines of all run files."""
        return self.n_topics * self.n_runs * self.run_depth

    @property
    def pool_depth(self) -> int:
        """The depth to which the first runs are judged."""
        return max(LEAST_POOL_DEPTH, round(POOLED_PLACES * self.run_depth))


def shapes(n_collections: int, smallest: int, largest: int) -> list[Shape]:
    """Return the shapes of an archive; the logarithms of their lines have equal distances."""
    steps = max(1, n_collections - 1)
    ratios = ((largest / smallest) ** (number / steps) for number in range(n_collections))
    found = [_shape(round(smallest * ratio), smallest) for ratio in ratios]
    random.Random(_SEED).shuffle(found)  # noqa: S311 - of a benchmark
    return found


def simulate(folder: Path, archive: list[Shape]) -> Path:
    """Write the collections and the list of the archive, and return the path of the list."""
    entries = []
    for number, shape in enumerate(archive):
        name = f"simulated-{number:03}"
        _write(folder / name, shape, number)
        entry = {
            "collection": name,
            "runs": f"{name}/runs",
            "qrels": f"{name}/qrels.txt",
            "descriptions": f"{name}/runs.csv",
            "depth": shape.pool_depth,
        }
        entries.append(entry)
    path = folder / "archive.yml"
    path.write_text(json.dumps(entries))  # JSON is YAML
    return path


def _shape(n_lines: int, smallest: int) -> Shape:
    share = min(1.0, log(n_lines / smallest) / log(SPREAD))
    n_topics, depth = (round(low * (high / low) ** share) for low, high in (N_TOPICS, RUN_DEPTH))
    return Shape(n_topics, max(2, round(n_lines / n_topics / depth)), depth)


def _write(folder: Path, shape: Shape, number: int) -> None:
    (folder / "runs").mkdir(parents=True)
    draw = np.random.Generator(np.random.PCG64(number))
    size = shape.n_topics, CANDIDATES * shape.run_depth
    candidates = np.stack(
        [draw.choice(N_DOCUMENTS, size[1], replace=False) for _ in range(shape.n_topics)]
    )
    is_relevant = np.zeros(size, dtype=bool)
    is_relevant[:, : max(1, round(RELEVANT * shape.run_depth))] = True
    quality = draw.standard_normal(size) + RELEVANT_SIGNAL * is_relevant
    is_judged = np.zeros(size, dtype=bool)
    n_pooled = max(1, round(POOLED_SHARE * shape.n_runs))
    lines = ["run,organization,pooled"]
    for run in range(shape.n_runs):
        scores = quality + ERROR * draw.standard_normal(size)
        best = np.argsort(-scores, axis=1)[:, : shape.run_depth]
        is_pooled = run < n_pooled
        if is_pooled:
            np.put_along_axis(is_judged, best[:, : shape.pool_depth], values=True, axis=1)
        run_id = f"run{run:04}"
        lines.append(f"{run_id},org{run // RUNS_OF_ORGANIZATION:03},{'yes' if is_pooled else 'no'}")
        documents = np.take_along_axis(candidates, best, axis=1)
        of_best = np.take_along_axis(scores, best, axis=1)
        (folder / "runs" / run_id).write_bytes(_run_lines(documents, of_best, run_id))
    (folder / "qrels.txt").write_bytes(_qrels_lines(candidates, is_judged, is_relevant))
    (folder / "runs.csv").write_text("\n".join(lines))


def _run_lines(documents: _Numbers, scores: npt.NDArray[np.float64], run_id: str) -> bytes:
    n_topics, depth = documents.shape
    return _text(
        topic=np.repeat(np.arange(1, n_topics + 1), depth),
        q0=pl.repeat("Q0", documents.size, eager=True),
        document=_document_ids(documents.ravel()),
        rank=np.tile(np.arange(1, depth + 1), n_topics),
        score=scores.ravel().round(5),
        tag=pl.repeat(run_id, documents.size, eager=True),
    )


def _qrels_lines(
    candidates: _Numbers, is_judged: npt.NDArray[np.bool_], is_relevant: npt.NDArray[np.bool_]
) -> bytes:
    topics, _ = np.nonzero(is_judged)
    return _text(
        topic=topics + 1,
        iteration=np.zeros_like(topics),
        document=_document_ids(candidates[is_judged]),
        grade=is_relevant[is_judged].astype(int),
    )


def _document_ids(numbers: _Numbers) -> pl.Series:
    return pl.select(pl.format("SIM{}-{}", pl.lit(numbers % 7), pl.lit(numbers))).to_series()


def _text(**columns: npt.NDArray[np.generic] | pl.Series) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_csv(buffer, include_header=False, separator="\t")
    return buffer.getvalue()
