"""Compare simulated runs whose true difference is 0, and count the differences that are found.

Eight organizations are pooled, and eight runs are not. All weigh the evidence in the same way, with
errors of the same size, so that no run is better than another one.
"""

from pathlib import Path

import polars as pl
from scipy import special

from poolhouse.building.build import build
from poolhouse.demo.archive import as_pooled
from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe, simulate
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

from .left_out import MEASURES
from .stars import LEVEL

SEED, N_COLLECTIONS, N_TOPICS = 12, 6, 50
DEPTHS = (5, 10)
_N_ORGANIZATIONS = 8
_NEW = "new"
_PAIRS = """
    select plain.run_id, plain.other_run_id, plain.n_topics, plain.paired_t, expected.*
    from run_comparisons($collection, $measure) as plain
    inner join expected_comparisons($collection, $measure) as expected
        using (run_id, other_run_id)
"""


def recipe(depth: int, number: int) -> CollectionRecipe:
    """Return a collection of equally good runs."""
    pooled = [OrganizationRecipe(f"old-{n}-", 2, noise=0.5) for n in range(_N_ORGANIZATIONS)]
    new = [OrganizationRecipe(f"{_NEW}-{n}-", 0, 1, noise=0.5) for n in range(_N_ORGANIZATIONS)]
    return CollectionRecipe(
        name=f"depth-{depth}-{number}",
        title="Equally good runs",
        document_prefix="D",
        first_topic=1,
        pool_depth=depth,
        n_topics=N_TOPICS,
        n_documents=1500,
        run_depth=100,
        run_variation=0,
        organizations=(*pooled, *new),
    )


def false_alarms(folder: Path) -> pl.DataFrame:
    """Simulate, load and build; return how often each test finds a difference."""
    recipes = [recipe(depth, number) for depth in DEPTHS for number in range(N_COLLECTIONS)]
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    collections = simulate(folder, SEED, recipes)
    for collection in collections:
        load_collection(warehouse, as_pooled(collection))
    build(warehouse)
    with warehouse.read() as connection:
        found = [
            rows_of(
                connection, _PAIRS, {"collection": collection.name, "measure": measure}
            ).with_columns(
                pl.lit(measure).alias("measure"), pl.lit(collection.pool_depth).alias("depth")
            )
            for collection in collections
            for measure in MEASURES
        ]
    pairs = pl.concat(found)
    n_new = pl.sum_horizontal(pl.col(_RUNS).str.starts_with(_NEW).cast(pl.Int32))
    return (
        pairs.with_columns(
            n_new.replace_strict(_KINDS, return_dtype=pl.String).alias("pair"),
            _is_found(pairs, "paired_t", pairs["n_topics"] - 1.0).alias("plain"),
            _is_found(pairs, "t_if_judged", pairs["degrees_of_freedom_if_judged"]).alias(
                "estimated"
            ),
        )
        .group_by("pair", "measure", "depth")
        .agg(
            pl.len().alias("pairs"),
            pl.max_horizontal("unjudged_weight", "other_unjudged_weight").mean().alias("unjudged"),
            pl.col("plain", "estimated").mean(),
        )
        .sort("pair", "measure", "depth")
    )


_RUNS = ["run_id", "other_run_id"]
_KINDS = {0: "both pooled", 1: "one pooled", 2: "none pooled"}


def _is_found(pairs: pl.DataFrame, t: str, degrees: pl.Series) -> pl.Series:
    tails = special.stdtr(degrees.to_numpy(), -pairs[t].abs().to_numpy())
    return pl.Series(2 * tails < LEVEL)
