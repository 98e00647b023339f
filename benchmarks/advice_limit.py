"""Measure how far expected relevance and its intervals hold, where the truth is known.

The script simulates collections, loads and builds all of them, and prints the table of
docs/decisions/advice.md:

    uv run python benchmarks/advice_limit.py

Eight similar organizations make the pool of a collection. The new runs weigh the evidence from as
the pool does to quite otherwise. Each is estimated as if the advice had no limit. The simulated
grade of every document has the score that it would have had in the pool, and its score if every
document were judged. The scores are computed from the files, and not by the models.
"""

import math
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from poolhouse.building.build import build
from poolhouse.demo.archive import as_pooled
from poolhouse.demo.simulator import (
    CollectionRecipe,
    OrganizationRecipe,
    SimulatedCollection,
    simulate,
)
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of

SEED = 2009
POOL_DEPTHS = (5, 10, 20, 50)
# Shares of the relevant documents that the pooled runs can find by the words of the topic.
KEYWORD_SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
N_POOLED_ORGANIZATIONS = 8
N_NEW_RUNS = 14
# Weights of the pooled organizations, those of the simulator's own recipes.
KEYWORDS, MEANING = 1.0, 0.25
# Errors of the pooled organizations, in turn, and of the new runs.
NOISES = (0.3, 0.5, 0.7, 0.9)
NEW_NOISE = 0.5
CUTOFFS = (10, 20)
DEEP = 10
TOLERANCE = 1e-9
# Where the unjudged weight over the mean of the left-out runs is cut into rows of a table.
CUTS = (0.25, 0.5, 0.75, 1.0, 1.25, 2.0)

# The estimates of every new run with an unjudged document, by target.
ESTIMATES = """
    select
        board.collection_id,
        board.run_id,
        board.measure,
        recommended.pool_depth,
        intervals.target,
        intervals.unjudged_weight,
        recommended.mean_residual,
        recommended.largest_residual_if_judged as limit,
        board.score + intervals.expected_gain as estimate,
        board.score + intervals.ci_95_low as low,
        board.score + intervals.ci_95_high as high
    from adjusted_leaderboard as board
    inner join dim_recommended_estimators as recommended using (collection_id, measure)
    inner join intermediate.int_collections as collections using (collection_id)
    inner join intermediate.int_runs as runs
        on collections.collection_key = runs.collection_key and board.run_id = runs.run_id
    inner join intermediate.int_expected_intervals as intervals
        on
            runs.run_key = intervals.run_key
            and board.measure = intervals.measure
            and intervals.pool_key = 0
    where not board.is_pooled and intervals.unjudged_weight > 0
"""


def recipes() -> list[CollectionRecipe]:
    """Return a collection for each pool depth and share of relevant documents with the words."""
    return [
        CollectionRecipe(
            name=f"depth-{depth}-share-{share}",
            title=f"Depth {depth}, {share} of the relevant documents have the words",
            document_prefix="D",
            first_topic=1,
            pool_depth=depth,
            n_documents=1500,
            run_depth=50,
            keyword_share=share,
            organizations=organizations(),
        )
        for depth in POOL_DEPTHS
        for share in KEYWORD_SHARES
    ]


def organizations() -> tuple[OrganizationRecipe, ...]:
    """Return similar organizations that are pooled, and one for each new run.

    The new runs turn the weights, of the same size, to those of meaning alone. The steps widen, so
    that many runs are near the pool.
    """
    size, start = math.hypot(KEYWORDS, MEANING), math.atan2(MEANING, KEYWORDS)
    turn = math.pi / 2 - start
    angles = [start + turn * (number / (N_NEW_RUNS - 1)) ** 2 for number in range(N_NEW_RUNS)]
    return (
        *(
            OrganizationRecipe(
                f"pooled-{number}-",
                2,
                keywords=KEYWORDS,
                meaning=MEANING,
                noise=NOISES[number % len(NOISES)],
            )
            for number in range(N_POOLED_ORGANIZATIONS)
        ),
        *(
            OrganizationRecipe(
                f"new-{number}-",
                0,
                1,
                keywords=size * math.cos(angle),
                meaning=size * math.sin(angle),
                noise=NEW_NOISE,
            )
            for number, angle in enumerate(angles)
        ),
    )


def true_scores(collection: SimulatedCollection) -> pl.DataFrame:
    """Return P of each new run, had it been pooled (`if_pooled`) and fully judged (`if_judged`)."""
    lines = pl.concat(
        _read(path, ["query", "Q0", "docno", "rank", "score", "run_id"])
        for path in sorted(collection.runs.glob("new-*"))
    ).with_columns(pl.col("rank").cast(pl.Int64))
    judged = _read(collection.qrels, ["query", "iteration", "docno", "judged_grade"])
    truth = _read(collection.truth, ["query", "iteration", "docno", "grade"])
    key = ["query", "docno"]
    is_relevant = pl.col("grade").cast(pl.Int64) > 0
    is_in_pool = pl.col("judged_grade").is_not_null() | (pl.col("rank") <= collection.pool_depth)
    ranked = lines.join(truth, on=key).join(judged, on=key, how="left")
    n_topics = truth["query"].n_unique()
    return pl.concat(
        ranked.filter(pl.col("rank") <= cutoff)
        .group_by("run_id")
        .agg(
            if_pooled=(is_relevant & is_in_pool).sum() / (cutoff * n_topics),
            if_judged=is_relevant.sum() / (cutoff * n_topics),
        )
        .with_columns(measure=pl.lit(f"P@{cutoff}"), collection_id=pl.lit(collection.name))
        for cutoff in CUTOFFS
    )


def _read(path: Path, columns: list[str]) -> pl.DataFrame:
    return pl.read_csv(
        path, has_header=False, separator=" ", new_columns=columns, infer_schema=False
    )


def measured(folder: Path) -> pl.DataFrame:
    """Simulate, load and build; return the errors of each new run, in the order of its distance."""
    collections = simulate(folder, SEED, recipes())
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    for collection in collections:
        load_collection(warehouse, as_pooled(collection))
    build(warehouse)
    with warehouse.read() as connection:
        estimates: pl.DataFrame = frame_of(connection.sql(ESTIMATES))
    truth = pl.concat(map(true_scores, collections)).unpivot(
        ["if_pooled", "if_judged"],
        index=["collection_id", "run_id", "measure"],
        variable_name="target",
        value_name="truth",
    )
    key = ["collection_id", "run_id", "measure", "target"]
    return estimates.join(truth, on=key).with_columns(
        distance=pl.col("unjudged_weight") / pl.col("mean_residual"),
        error=(pl.col("estimate") - pl.col("truth")).abs(),
        is_covered=pl.col("truth").is_between(
            pl.col("low") - TOLERANCE, pl.col("high") + TOLERANCE
        ),
    )


def rows_of_table() -> dict[str, pl.Expr]:
    """Return which new runs a row is about: those in a span of distances, or inside a limit."""
    edges = (0.0, *CUTS, math.inf)
    spans = {
        # a limit itself is inside the domain
        _words(low, high): (pl.col("distance") > low) & (pl.col("distance") <= high)
        for low, high in pairwise(edges)
    }
    limit = {"**up to the limit**": pl.col("unjudged_weight") <= pl.col("limit")}
    return {**spans, **limit}


def _words(low: float, high: float) -> str:
    if low == 0:
        return f"up to {_figure(high)}"
    if math.isinf(high):
        return f"above {_figure(low)}"
    return f"{_figure(low)} to {_figure(high)}"


def _figure(value: float) -> str:
    return f"{value:g}".removeprefix("0")


def cell(runs: pl.DataFrame) -> str:
    """Return the number of runs, the mean error, and how many truths the intervals hold."""
    if runs.is_empty():
        return "0"
    error, covered = runs.select("error", "is_covered").mean().row(0)
    return f"{runs.height}; {f'{error:.3f}'.removeprefix('0')}; {covered:.0%}"


def main() -> None:
    """Print the table of the page."""
    with TemporaryDirectory() as folder:
        runs = measured(Path(folder))
    is_deep = pl.col("pool_depth") >= DEEP
    columns = {
        "P@10, depth 10 to 50": runs.filter(is_deep, measure="P@10", target="if_judged"),
        "P@10, depth 5, if pooled": runs.filter(~is_deep, measure="P@10", target="if_pooled"),
        "P@10, depth 5, if judged": runs.filter(~is_deep, measure="P@10", target="if_judged"),
        "P@20, depth 10, if judged": runs.filter(pool_depth=10, measure="P@20", target="if_judged"),
    }
    lines = [["unjudged weight over the mean", *columns], ["---"] * (len(columns) + 1)]
    for words, which in rows_of_table().items():
        lines.append([words, *(cell(each.filter(which)) for each in columns.values())])
    sys.stdout.write("".join(f"| {' | '.join(line)} |\n" for line in lines))


if __name__ == "__main__":
    main()
