"""A simulated collection of any number of runs and topics, as large for each as TREC-8.

Only the number and the shape of the lines matter here. The documents of a topic are drawn as in
`growth.py`: some are better for all runs, runs of an organization share errors, and each run has
its own errors. Topics are drawn in portions, so that a large collection fits into memory.
"""

import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

# TREC-8 ad hoc: topics, runs, pooled runs, pool depth, runs of an organization, lines a topic.
N_TOPICS = 50
N_RUNS = 129
POOLED_SHARE = 71 / 129
POOL_DEPTH = 100
RUNS_OF_ORGANIZATION = 3
RUN_DEPTH = 1000
N_DOCUMENTS = 528_155

# These figures give about as many documents a topic as TREC-8 has: 1,737 judged, 95 relevant.
N_CANDIDATES = 15_000
N_RELEVANT = 126
RELEVANT_SIGNAL = 2.0
SHARED_ERROR = 0.5
OWN_ERROR = 0.7

_PORTION = 25
_FIRST_TOPIC = 401

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SimulatedCollection:
    """The files of a collection, and how many lines its runs and its judgements have."""

    folder: Path
    n_runs: int
    n_topics: int
    n_lines: int
    n_judgements: int

    def arguments(self) -> Iterator[str]:
        """Yield the arguments of `poolhouse load`."""
        yield "large"
        yield from ("--runs", str(self.folder / "runs"))
        yield from ("--qrels", str(self.folder / "qrels.txt"))
        yield from ("--descriptions", str(self.folder / "runs.csv"))
        yield from ("--depth", str(POOL_DEPTH))


def simulate(folder: Path, n_runs: int, n_topics: int) -> SimulatedCollection:
    """Write a collection. Every portion of topics is a member of the compressed files."""
    runs = folder / "runs"
    runs.mkdir(parents=True)
    n_pooled = round(POOLED_SHARE * n_runs)
    n_organizations = -(-n_runs // RUNS_OF_ORGANIZATION)
    lines = ["run,organization,pooled"]
    for run in range(n_runs):
        is_pooled = "yes" if run < n_pooled else "no"
        lines.append(f"run{run:05},org{run % n_organizations:05},{is_pooled}")
    (folder / "runs.csv").write_text("\n".join(lines))
    n_judgements = 0
    for first in range(0, n_topics, _PORTION):
        topics = np.arange(first, min(first + _PORTION, n_topics))
        n_judgements += _write_portion(folder, topics, n_runs, n_pooled, n_organizations)
    return SimulatedCollection(
        folder, n_runs, n_topics, n_runs * n_topics * RUN_DEPTH, n_judgements
    )


def _write_portion(
    folder: Path, topics: _Numbers, n_runs: int, n_pooled: int, n_organizations: int
) -> int:
    """Add these topics to every run and to the judgements; return how many are judged."""
    draw = np.random.Generator(np.random.PCG64([int(topics[0]), n_runs]))
    shape = len(topics), N_CANDIDATES
    candidates = np.stack([draw.choice(N_DOCUMENTS, N_CANDIDATES, replace=False) for _ in topics])
    is_relevant = np.zeros(shape, dtype=bool)
    is_relevant[:, :N_RELEVANT] = True
    quality = draw.standard_normal(shape, dtype=np.float32) + RELEVANT_SIGNAL * is_relevant
    quality = quality.astype(np.float32)
    is_judged = np.zeros(shape, dtype=bool)
    for organization in range(n_organizations):
        shared = quality + SHARED_ERROR * draw.standard_normal(shape, dtype=np.float32)
        for run in range(organization, n_runs, n_organizations):
            scores = shared + OWN_ERROR * draw.standard_normal(shape, dtype=np.float32)
            best, best_scores = _best(scores)
            if run < n_pooled:
                np.put_along_axis(is_judged, best[:, :POOL_DEPTH], values=True, axis=1)
            documents = np.take_along_axis(candidates, best, axis=1)
            text = _run_lines(topics, documents, best_scores, f"run{run:05}")
            with (folder / "runs" / f"run{run:05}.gz").open("ab") as file:
                file.write(gzip.compress(text, 1))
    with (folder / "qrels.txt").open("ab") as qrels:
        qrels.write(_qrels_lines(topics, candidates, is_judged, is_relevant))
    return int(is_judged.sum())


def _best(scores: npt.NDArray[np.float32]) -> tuple[_Numbers, npt.NDArray[np.float32]]:
    """Return the columns and scores of the documents that a run returns, best first."""
    some = np.argpartition(-scores, RUN_DEPTH, axis=1)[:, :RUN_DEPTH]
    order = np.argsort(-np.take_along_axis(scores, some, axis=1), axis=1)
    best = np.take_along_axis(some, order, axis=1)
    return best, np.take_along_axis(scores, best, axis=1)


def _document_ids(numbers: _Numbers) -> pl.Series:
    return pl.select(pl.format("SIM{}-{}", pl.lit(numbers % 7), pl.lit(numbers))).to_series()


def _run_lines(
    topics: _Numbers, documents: _Numbers, scores: npt.NDArray[np.float32], run_id: str
) -> bytes:
    ranks = np.tile(np.arange(1, RUN_DEPTH + 1), len(topics))
    return _text(
        topic=np.repeat(topics + _FIRST_TOPIC, RUN_DEPTH),
        q0=pl.repeat("Q0", len(ranks), eager=True),
        document=_document_ids(documents.ravel()),
        rank=ranks,
        score=scores.ravel().round(5),
        tag=pl.repeat(run_id, len(ranks), eager=True),
    )


def _qrels_lines(
    topics: _Numbers,
    candidates: _Numbers,
    is_judged: npt.NDArray[np.bool_],
    is_relevant: npt.NDArray[np.bool_],
) -> bytes:
    rows, _ = np.nonzero(is_judged)
    return _text(
        topic=topics[rows] + _FIRST_TOPIC,
        iteration=np.zeros_like(rows),
        document=_document_ids(candidates[is_judged]),
        grade=is_relevant[is_judged].astype(int),
    )


def _text(**columns: npt.NDArray[np.generic] | pl.Series) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_csv(buffer, include_header=False, separator="\t")
    return buffer.getvalue()
