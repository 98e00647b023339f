"""Compare variants of the estimator `expected_relevance`, leaving out one organization at a time.

The first variant is the estimator itself: its estimates must be the estimates of the warehouse.

    uv run python -m benchmarks.expected_relevance.variants WAREHOUSE...
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import duckdb
import numpy as np

from poolhouse.building.staleness import check_built
from poolhouse.command_line import console
from poolhouse.errors import PoolhouseError
from poolhouse.output.markdown import markdown
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

from .arrays import Floats, Pool, collections, pool_of, weights
from .estimator import Estimates, Terms

MEASURES = ("P@10", "RBP(p=0.8)@10")
FULL = "full"
VARIANTS = {
    FULL: Terms(),
    "without rare precision": Terms(rare_precision=False),
    "without topic precision": Terms(topic_precision=False),
    "without support (one class)": Terms(n_classes=1),
    "support alone": Terms(rare_precision=False, topic_precision=False),
    "one share for all documents": Terms(rare_precision=False, topic_precision=False, n_classes=1),
    "3 classes": Terms(n_classes=3),
    "10 classes": Terms(n_classes=10),
    "prior of 2 documents": Terms(prior=2),
    "prior of 5 documents": Terms(prior=5),
    "prior of 20 documents": Terms(prior=20),
    "support down to rank 100": Terms(deepest_support=100),
    "precisions without the leaving organization": Terms(precisions_without_leaver=True),
    "examples keep the leaving organization": Terms(examples_with_leaver=True),
}
_TOLERANCE = 1e-9
# What each run is expected to gain from its unjudged documents, and what it does gain.
_FIGURES = """
    select run_id, adjustment, true_score - unpooled_score as gain
    from fct_adjusted_scores
    where
        collection_id = $collection
        and measure = $measure
        and level = 'organization'
        and subset = 'all'
        and unjudged = 'nonrelevant'
        and estimator = 'expected_relevance'
"""


@dataclass(frozen=True)
class Errors:
    """The mean absolute errors of one measure on one collection, by variant."""

    collection: str
    unadjusted: float
    variants: dict[str, float]


def errors_of(
    connection: duckdb.DuckDBPyConnection, pool: Pool, measures: Sequence[str]
) -> Iterator[Errors]:
    """Yield the errors of each measure. Raise PoolhouseError where the warehouse differs."""
    estimates = {name: Estimates(pool, terms) for name, terms in VARIANTS.items()}
    for measure in measures:
        of_ranks = weights(connection, measure)
        names = {"collection": pool.collection, "measure": measure}
        rows = {run: rest for run, *rest in rows_of(connection, _FIGURES, names).iter_rows()}
        adjustment, gain = zip(*(rows[run] for run in pool.run_ids), strict=True)
        gains = {name: each.gains(of_ranks) for name, each in estimates.items()}
        _refuse_differences(pool.collection, measure, gains[FULL] - np.array(adjustment))
        yield Errors(
            pool.collection,
            float(np.abs(gain).mean()),
            {name: float(np.abs(each - np.array(gain)).mean()) for name, each in gains.items()},
        )


def _refuse_differences(collection: str, measure: str, differences: Floats) -> None:
    largest = float(np.abs(differences).max())
    if largest > _TOLERANCE:
        raise PoolhouseError(
            f"{collection}, {measure}: the warehouse's estimates differ by up to {largest:.2g}"
        )
    console.remark(f"{collection}, {measure}: as in the warehouse, but for {largest:.1g}")


def table(measure: str, found: Sequence[Errors]) -> str:
    """Return a Markdown table of errors with their ratios to the unadjusted scores."""
    columns = ["variant", *(each.collection for each in found), "ratio to unadjusted"]
    # without a loss there is nothing to adjust, and no ratio
    lossy = [each for each in found if each.unadjusted > 0]
    rows: list[tuple[str, ...]] = [
        ("unadjusted", *(f"{each.unadjusted:.4f}" for each in found), "1.000")
    ]
    for name in VARIANTS:
        ratios = [each.variants[name] / each.unadjusted for each in lossy]
        mean = float(np.exp(np.log(ratios).mean()))
        rows.append((name, *(f"{each.variants[name]:.4f}" for each in found), f"{mean:.3f}"))
    title = f"Mean absolute error of {measure}; the ratio is a geometric mean"
    return markdown([(title, columns, rows)])


def measured(warehouses: Iterable[Warehouse]) -> dict[str, list[Errors]]:
    """Return the errors by each measure on every pool of the warehouses."""
    found: dict[str, list[Errors]] = {measure: [] for measure in MEASURES}
    for warehouse in warehouses:
        with warehouse.read() as connection:
            for key, collection in collections(connection):
                check_built(connection, collection)
                pool = pool_of(connection, key, collection)
                for measure, errors in zip(
                    MEASURES, errors_of(connection, pool, MEASURES), strict=True
                ):
                    found[measure].append(errors)
    return found


def tables(found: Mapping[str, Sequence[Errors]]) -> str:
    """Return the tables of all measures in Markdown."""
    return "\n".join(table(measure, errors) for measure, errors in found.items())


@click.command()
@click.argument(
    "warehouses",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
def main(warehouses: tuple[Path, ...]) -> None:
    """Print the errors of all variants on every pool of the built warehouses."""
    sys.stdout.write(tables(measured(map(Warehouse, warehouses))))


if __name__ == "__main__":
    main()
