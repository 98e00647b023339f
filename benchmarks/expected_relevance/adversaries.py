"""Score new runs that are unlike the pool, or that are made to deceive, where the truth is known.

Eight similar organizations make the pool of each simulated collection. A new organization returns
lists that no search engine would. Each is scored as a new run.

What is expected to fail: the estimator knows how right a run is only from its documents that
others contributed, and takes the unjudged ones for documents like those of the pool.

- `random documents` and `unseen, not relevant` have few judged documents, or none. Their precisions
  are the pool's, so that the estimate is too high.
- `unseen, relevant` has no judged document either. It gets the same estimate as the run before,
  which is far too low. At most 60 % of the weight may be unjudged, so that none of these three runs
  should be advised to take an estimate.
- `best run, half unseen, not relevant` is half a good run, and this half speaks for the other one.
  The estimate is too high. Half of the weight is unjudged, which the limit allows. Only the support
  tells that no other run returns the documents.
- `best run, half unseen, relevant` gets the same estimate, which is far too low.
- `best run, half seen, not relevant` puts in documents that many runs return below the pool depth,
  and that are not relevant. Support speaks for them too, and the estimate is higher still. Who
  makes such a run knows the truth.
- `ordinary run` is the control. It searches as the pool does, and its interval should hold.

    uv run python -m benchmarks.expected_relevance.adversaries
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import click
import numpy as np
import polars as pl

from poolhouse.building.build import build
from poolhouse.command_line import console
from poolhouse.demo.archive import as_pooled
from poolhouse.demo.simulator import (
    CollectionRecipe,
    OrganizationRecipe,
    SimulatedCollection,
    simulate,
)
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.output.markdown import markdown
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse

POOL_DEPTHS = (10, 20)
COLLECTIONS = 5
SEED = 2009
N_ORGANIZATIONS = 8
NOISES = (0.3, 0.5, 0.7, 0.9)
RUN_DEPTH = 50
# Half of the relevant documents lack the words of the topic, so that pooled runs miss many.
KEYWORD_SHARE = 0.5
CONTROL = "ordinary run"
MEASURE, CUTOFF = "P@10", 10
_COLUMNS = ("run", "pool depth", "unjudged share", "unadjusted", "expected relevance")
_MORE_COLUMNS = ("95 % interval", "holds truth", "Webber & Park", "truth", "estimated", "advised")


def recipes(number: int) -> list[CollectionRecipe]:
    """Return this number of collections for each pool depth."""
    pooled = (
        OrganizationRecipe(f"pooled-{place}-", 2, noise=NOISES[place % len(NOISES)])
        for place in range(N_ORGANIZATIONS)
    )
    organizations = (*pooled, OrganizationRecipe("new-", 0, 1))
    return [
        CollectionRecipe(
            name=f"depth-{depth}-{place}",
            title="Eight similar organizations",
            document_prefix="D",
            first_topic=1,
            pool_depth=depth,
            n_documents=1500,
            run_depth=RUN_DEPTH,
            keyword_share=KEYWORD_SHARE,
            organizations=organizations,
        )
        for depth in POOL_DEPTHS
        for place in range(number)
    ]


def documents_of(collection: SimulatedCollection) -> pl.DataFrame:
    """Return every document of every topic: its grade, if it is judged, how many runs return it."""
    key = ["query", "docno"]
    pooled = pl.concat(_read_run(path) for path in sorted(collection.runs.glob("pooled-*")))
    returned = pooled.group_by(key).len("n_runs")
    judged = _read(collection.qrels, ("query", "iteration", "docno", "judged_grade"))
    return (
        _read(collection.truth, ("query", "iteration", "docno", "grade"))
        .select(*key, is_relevant=pl.col("grade").cast(pl.Int64) > 0)
        .join(returned, on=key, how="left")
        .join(judged.select(*key, is_judged=True), on=key, how="left")
        .with_columns(pl.col("n_runs").fill_null(0), pl.col("is_judged").fill_null(value=False))
        .sort(key)
    )


def new_runs(
    collection: SimulatedCollection, documents: pl.DataFrame, random: np.random.Generator
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the new runs by name, with query, docno and score."""
    shuffled = documents.with_columns(order=random.permutation(documents.height)).sort("order")
    unseen = shuffled.filter(n_runs=0)
    relevant, wrong = unseen.filter("is_relevant"), unseen.filter(~pl.col("is_relevant"))
    decoys = shuffled.filter(
        ~pl.col("is_relevant") & ~pl.col("is_judged") & (pl.col("n_runs") > 0)
    ).sort("n_runs", descending=True, maintain_order=True)
    best = _best_pooled_run(collection, documents)
    # after the last relevant one, a list goes on with documents that are not
    right = pl.concat([relevant, wrong])
    yield "random documents", _ranked(shuffled)
    yield "unseen, not relevant", _ranked(wrong)
    yield "unseen, relevant", _ranked(right)
    yield "best run, half unseen, not relevant", _every_second(best, wrong)
    yield "best run, half seen, not relevant", _every_second(best, pl.concat([decoys, wrong]))
    yield "best run, half unseen, relevant", _every_second(best, right)
    [control] = collection.runs.glob("new-*")
    yield CONTROL, _read_run(control)


def _best_pooled_run(collection: SimulatedCollection, documents: pl.DataFrame) -> pl.DataFrame:
    runs = [_read_run(path) for path in sorted(collection.runs.glob("pooled-*"))]
    return max(runs, key=lambda run: precision(run, documents))


def precision(run: pl.DataFrame, documents: pl.DataFrame) -> float:
    """Return the run's P@10, had it been pooled: then its documents would be judged so deep."""
    top = _numbered(run.sort("score", descending=True)).filter(pl.col("place") < CUTOFF)
    found = top.join(documents, on=["query", "docno"])["is_relevant"].sum()
    return float(found / (CUTOFF * documents["query"].n_unique()))


def _every_second(run: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Replace documents of a run, beginning with its second, by others that it does not return."""
    is_kept = pl.col("place") % 2 == 0
    kept = _numbered(run.sort("score", descending=True)).filter(is_kept)
    put_in = _numbered(others.join(run, on=["query", "docno"], how="anti")).with_columns(
        place=2 * pl.col("place") + 1
    )
    columns = ["query", "docno", "place"]
    return _ranked(pl.concat([kept.select(columns), put_in.select(columns)]).sort("place"))


def _numbered(documents: pl.DataFrame) -> pl.DataFrame:
    """Give each document of a topic its place from 0, in the order of the rows."""
    return documents.with_columns(place=pl.int_range(pl.len()).over("query").cast(pl.Int64))


def _ranked(documents: pl.DataFrame) -> pl.DataFrame:
    """Return a run of the first documents of each topic."""
    return (
        _numbered(documents)
        .filter(pl.col("place") < RUN_DEPTH)
        .select("query", "docno", score=-pl.col("place").cast(pl.Float64))
    )


def _read_run(path: Path) -> pl.DataFrame:
    lines = _read(path, ("query", "Q0", "docno", "rank", "score", "tag"))
    return lines.select("query", "docno", pl.col("score").cast(pl.Float64))


def _read(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    return pl.read_csv(
        path, has_header=False, separator=" ", new_columns=columns, infer_schema=False
    )


def figures_of(
    warehouse: Warehouse, collection: SimulatedCollection, random: np.random.Generator
) -> Iterator[dict[str, object]]:
    """Yield the figures of each new run of a collection."""
    documents = documents_of(collection)
    for name, run in new_runs(collection, documents, random):
        scores = adjust(warehouse, collection.name, run, "new-1").scores.filter(
            measure=MEASURE, unjudged="nonrelevant"
        )
        rows = {row["estimator"]: row for row in scores.iter_rows(named=True)}
        row, truth = rows["expected_relevance"], precision(run, documents)
        has_interval = row["ci_95_low"] is not None
        recommended = [each for each, other in rows.items() if other["is_recommended"]]
        yield {
            "run": name,
            "depth": collection.pool_depth,
            "unjudged": row["upper_bound_if_pooled"] - row["lower_bound"],
            "unadjusted": row["unadjusted_score"],
            "estimate": row["adjusted_score"],
            "low": row["ci_95_low"],
            "high": row["ci_95_high"],
            "holds": row["ci_95_low"] <= truth <= row["ci_95_high"] if has_interval else None,
            "webber_park": rows["webber_park_systems"]["adjusted_score"],
            "truth": truth,
            "is_estimated": row["advice"] == "estimated",
            "advised": recommended[0] if recommended else "none",
        }


def table(figures: pl.DataFrame) -> str:
    """Return a Markdown table of means over the collections of each pool depth."""
    means = ("unjudged", "unadjusted", "estimate", "low", "high", "webber_park", "truth")
    groups = figures.group_by("run", "depth", maintain_order=True).agg(
        *(pl.col(name).mean() for name in means),
        pl.col("holds", "is_estimated").sum(),
        pl.len(),
        pl.col("advised").unique().sort().str.join(", "),
    )
    rows = [
        (
            *(row["run"], str(row["depth"])),
            *(f"{row[name]:.3f}" for name in ("unjudged", "unadjusted", "estimate")),
            "none" if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}",
            f"{row['holds']} of {row['len']}",
            *(f"{row[name]:.3f}" for name in ("webber_park", "truth")),
            f"{row['is_estimated']} of {row['len']}",
            row["advised"],
        )
        for row in groups.sort("depth", maintain_order=True).iter_rows(named=True)
    ]
    title = f"{MEASURE} of new runs, means over simulated collections"
    return markdown([(title, [*_COLUMNS, *_MORE_COLUMNS], rows)])


def measured(collections: int, seed: int) -> pl.DataFrame:
    """Simulate collections of each pool depth, and score new runs on each; one row per run."""
    with tempfile.TemporaryDirectory() as folder:
        simulated = simulate(Path(folder), seed, recipes(collections))
        warehouse = Warehouse(Path(folder) / "benchmark.duckdb")
        for each in simulated:
            load_collection(warehouse, as_pooled(each))
        console.remark(f"loaded {len(simulated)} collections")
        if failed := build(warehouse).failed:
            raise PoolhouseError("; ".join(failed))
        random = np.random.default_rng(seed)
        figures = chain.from_iterable(figures_of(warehouse, each, random) for each in simulated)
        return pl.DataFrame(list(figures))


@click.command()
@click.option("--collections", type=click.IntRange(min=1), default=COLLECTIONS, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=SEED, show_default=True)
def main(collections: int, seed: int) -> None:
    """Score new runs on simulated collections, and print what is estimated and what is true.

    `--collections` is their number for each pool depth. `holds truth` counts the intervals that do,
    and `estimated` the runs that are advised to take an estimate, which is by the estimator
    `advised`.
    """
    sys.stdout.write(table(measured(collections, seed)))


if __name__ == "__main__":
    main()
