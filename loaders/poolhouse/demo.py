"""The demo: a simulated archive, loaded and built like a real one, beside what is true of it."""

import os
import sys
from pathlib import Path

import polars as pl

from poolhouse import console
from poolhouse.building import build
from poolhouse.choosing import standings
from poolhouse.errors import PoolhouseError
from poolhouse.loading import CollectionSettings, LoadRequest, load_collection
from poolhouse.progress import progress_bar
from poolhouse.queries import run_query
from poolhouse.run_files import run_files
from poolhouse.simulator import SimulatedCollection, simulate
from poolhouse.title_words import TitleWordFiles
from poolhouse.warehouse import Warehouse

FINDINGS = (Path(__file__).parent / "demo_findings.sql").read_text(encoding="utf-8")
_MEASURE = "P@10"
_TRUTH_SUFFIX = "-truth"

# What to go on with: how far the estimators are off, which runs suffer most, one's own data.
_NEXT_COMMANDS = (
    'sql "select collection_id, estimator, mae, sre from fct_estimator_errors where '
    "level = 'organization' and subset = 'all' and unjudged = 'nonrelevant' and measure = 'P@10' "
    'order by all"',
    "sql \"select run_id, error from fct_adjusted_scores where estimator = 'unadjusted' and "
    "level = 'organization' and subset = 'all' and unjudged = 'nonrelevant' and measure = 'P@10' "
    'order by error limit 5"',
    "load my-collection --runs FOLDER --qrels FILE --descriptions FILE",
)


def run_demo(warehouse: Warehouse, seed: int) -> None:
    """Simulate, load, build, and print the findings and how to go on.

    The simulated files are kept in a folder beside the warehouse.
    """
    warehouse.refuse_what_is_none()
    _refuse_without_measure(warehouse)
    folder = warehouse.path.with_name(f"{warehouse.path.stem}-demo")
    simulated = simulate(folder, seed)
    console.remark(f"simulated {len(simulated)} collections as run files and qrels in {folder}")
    requests = [
        request
        for collection in simulated
        for request in (as_pooled(collection), as_truth(collection))
    ]
    with progress_bar("loading") as bar:
        for done, request in enumerate(requests):
            bar.show(request.collection, done, len(requests))
            load_collection(warehouse, request)
    with progress_bar("building") as bar:
        report = build(warehouse, [request.collection for request in requests], bar.show)
    for text in report.failed:
        console.remark(f"Error: {text}", "red")
    _show(warehouse, folder)


def _refuse_without_measure(warehouse: Warehouse) -> None:
    """Say so where the settings of the warehouse leave nothing to show."""
    for each in standings(warehouse):
        if each.setting.name == "bias_measures" and _MEASURE not in each.value:
            raise PoolhouseError(
                f"{warehouse.path}: the demo shows {_MEASURE}, which bias_measures lacks here: add "
                f"it (poolhouse settings bias_measures --add {_MEASURE}), or name another "
                "warehouse with --db"
            )


def as_pooled(collection: SimulatedCollection) -> LoadRequest:
    """Load what a campaign would publish: the judgements of the pool."""
    return LoadRequest(
        collection.name,
        run_files([collection.runs]),
        collection.qrels,
        collection.descriptions,
        collection.topics,
        CollectionSettings(title=collection.title, pool_depth=collection.pool_depth),
        title_words=_title_words(collection),
    )


def as_truth(collection: SimulatedCollection) -> LoadRequest:
    """Load the same runs with the judgement of every document: none was pooled or is missing."""
    descriptions = collection.truth.with_name("truth_descriptions.csv")
    described = pl.read_csv(collection.descriptions)
    described.with_columns(pooled=pl.lit(value=False)).write_csv(descriptions)
    return LoadRequest(
        f"{collection.name}{_TRUTH_SUFFIX}",
        run_files([collection.runs]),
        collection.truth,
        descriptions,
        collection.topics,
        CollectionSettings(title=f"{collection.title}: every document judged"),
        title_words=_title_words(collection),
    )


def _title_words(collection: SimulatedCollection) -> TitleWordFiles:
    return TitleWordFiles((collection.texts,), document_frequencies=collection.document_frequencies)


def _show(warehouse: Warehouse, folder: Path) -> None:
    findings = run_query(warehouse, FINDINGS)
    # A collection a column: its figures have longer names than values.
    names, *figures = zip(*findings.rows, strict=True)
    rows = [(title, *values) for title, values in zip(findings.columns[1:], figures, strict=True)]
    title = f"{_MEASURE} when one organization at a time is left out of the pool"
    console.write_table(["collection", *map(str, names)], rows, title)
    command = "uv run poolhouse" if "UV" in os.environ else "poolhouse"
    option = "" if warehouse.path == Path("poolhouse.duckdb") else f" --db {warehouse.path}"
    commands = "\n".join(
        f"  {command} {name}{option} {rest}"
        for name, _, rest in (each.partition(" ") for each in _NEXT_COMMANDS)
    )
    sys.stdout.write(
        "bias: score without the contributions of the run's organization, less the score\n"
        "with its own. error: distance of the estimate from the score under the judgement of\n"
        "every document, which only a simulation knows. Means over the pooled runs.\n\n"
        f"warehouse: {warehouse.path}   its run files and qrels: {folder}\n"
        f"go on with:\n{commands}\n"
    )
