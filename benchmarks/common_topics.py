"""Measure bias, error and coverage of the estimates from common topics, where the truth is known.

Every document of the simulated collections is judged. The experiment `intervals` draws a few runs
as the pool, one more run as the new run, and some topics as common topics. There are three kinds of
new runs. The first is like the runs of the pool. The second finds relevant documents that these
runs miss. The third finds documents that these runs miss, too, but they are noise.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import polars as pl

from poolhouse.building.build import build
from poolhouse.command_line import console
from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe, simulate
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

COMMON_TOPICS = (5, 10, 20)
WIDTHS = (2, 8)
_ALIKE = tuple(
    OrganizationRecipe(name, 2, noise=noise)
    for name, noise in {
        "crane": 0.6,
        "egret": 0.5,
        "finch": 0.9,
        "heron": 0.8,
        "stork": 0.6,
        "wren": 0.7,
    }.items()
)
# Where a collection has manual runs, the new run is manual, and the pool's runs are automatic.
_NEW = {
    "like the pool": (),
    "finds what the pool does not": (
        OrganizationRecipe("owl", 3, keywords=0.25, meaning=1.0, noise=0.5, run_type="manual"),
    ),
    "its own finds are noise": (
        OrganizationRecipe("rook", 3, keywords=0.5, meaning=0.1, noise=2.0, run_type="manual"),
    ),
}
_ESTIMATES = """
    select
        collection_id,
        population,
        width,
        n_common_topics,
        estimator,
        avg(error) as bias,
        avg(abs(error)) as mae,
        avg(cast(is_fallback as integer)) as fallback
    from (
        select
            *,
            unnest([
                {'estimator': 'webber_park_topics', 'error': adjusted_score - true_score,
                    'is_fallback': null},
                {'estimator': 'ratio_common_topics', 'error': ratio_score - true_score,
                    'is_fallback': is_ratio_fallback},
                {'estimator': 'regression_common_topics', 'error': regression_score - true_score,
                    'is_fallback': is_regression_fallback}
            ], recursive := true)
        from experiments.fct_experiment_topic_estimates
        where unjudged = 'nonrelevant' and measure like 'RBP%'
    )
    group by all
"""
_COVERAGE = """
    select
        collection_id,
        population,
        width,
        n_common_topics,
        estimator,
        avg(cast(holds_true_score as integer)) filter (where confidence = 0.68) as cover_68,
        avg(cast(holds_true_score as integer)) filter (where confidence = 0.95) as cover_95,
        avg(upper_bound - lower_bound) filter (where confidence = 0.95) as width_95
    from experiments.fct_experiment_intervals
    where unjudged = 'nonrelevant' and measure like 'RBP%' and method = 't'
    group by all
"""
_KEY = ("collection_id", "population", "width", "n_common_topics", "estimator")


@click.command()
@click.option("--collections", type=click.IntRange(min=2), default=12, help="Of each kind.")
@click.option("--samples", type=click.IntRange(min=2), default=250, help="Of runs, in each.")
def main(collections: int, samples: int) -> None:
    """Simulate collections, and repeat the experiment on each; print means with standard errors."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder) / "benchmark.duckdb")
        kinds = dict(_collections(Path(folder), collections))
        for name, request in kinds.values():
            console.remark(f"{request.collection}: {name}")
            load_collection(warehouse, request)
        build(warehouse)
        settings = ExperimentSettings(
            "intervals", n_samples=samples, widths=WIDTHS, common_topic_counts=COMMON_TOPICS
        )
        for collection in kinds:
            run_experiment(warehouse, collection, settings)
            console.remark(f"{collection} is done")
        with warehouse.read() as connection:
            estimates, coverage = (rows_of(connection, query) for query in (_ESTIMATES, _COVERAGE))
    found = estimates.join(coverage, on=_KEY).with_columns(
        pl.col("collection_id")
        .replace_strict({name: kind for name, (kind, _) in kinds.items()})
        .alias("new run")
    )
    wanted = (pl.col("population") == "manual") | (pl.col("new run") == "like the pool")
    shown = _summed_up(found.filter(wanted))
    console.write_table(shown.columns, shown.rows(), f"RBP(p=0.8)@10, {collections} collections")


def _collections(folder: Path, number: int) -> Iterator[tuple[str, tuple[str, LoadRequest]]]:
    """Write collections, and yield requests that load them with the truth as their qrels."""
    for place, (kind, odd) in enumerate(_NEW.items()):
        for seed in range(1, number + 1):
            recipe = replace(_RECIPE, name=f"kind{place}-{seed}", organizations=(*_ALIKE, *odd))
            [written] = simulate(folder, seed, [recipe])
            request = LoadRequest(
                recipe.name,
                run_files([written.runs]),
                written.truth,
                descriptions=written.descriptions,
                depth=recipe.pool_depth,
            )
            yield recipe.name, (kind, request)


_RECIPE = CollectionRecipe(
    name="",
    title="Every document is judged",
    document_prefix="CT",
    first_topic=301,
    pool_depth=10,
    n_topics=50,
    n_documents=600,
    run_depth=20,
    relevant=40,
    keyword_share=0.5,
    organizations=_ALIKE,
)


def _summed_up(found: pl.DataFrame) -> pl.DataFrame:
    """Return means over the collections of a kind, each with its standard error in brackets."""
    figures = {"bias": 4, "mae": 4, "cover_68": 3, "cover_95": 3, "width_95": 3}
    order = ("webber_park_topics", "ratio_common_topics", "regression_common_topics")
    groups = (
        found.with_columns(
            pl.col("new run").cast(pl.Enum(list(_NEW))), pl.col("estimator").cast(pl.Enum(order))
        )
        .group_by("new run", "width", "n_common_topics", "estimator")
        .agg(
            *(pl.col(name).mean().alias(name) for name in (*figures, "fallback")),
            *((pl.col(name).std() / pl.len().sqrt()).alias(f"{name}_error") for name in figures),
        )
        .sort("new run", "width", "n_common_topics", "estimator")
    )
    return groups.select(
        pl.col("new run").cast(pl.String),
        "width",
        pl.col("n_common_topics").alias("common"),
        pl.col("estimator").cast(pl.String).str.replace("_common_topics", ""),
        *(
            pl.format(
                "{} ({})", *(_rounded(each, digits) for each in (name, f"{name}_error"))
            ).alias(name)
            for name, digits in figures.items()
        ),
        pl.col("fallback").round(3),
    )


def _rounded(name: str, digits: int) -> pl.Expr:
    """Return a column as text with the given number of decimals, including zeros at the end."""
    shape = "{:." + str(digits) + "f}"
    return pl.col(name).map_elements(shape.format, return_dtype=pl.String)


if __name__ == "__main__":
    main()
