"""Test new runs on real collections: a pooled run is taken out with its unique contributions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import duckdb
import polars as pl
import pytest

from archive import TREC2
from conftest import ARCHIVE, FIGURE, NewWarehouse
from poolhouse.building.build import build
from poolhouse.estimating.adjusting import adjust
from poolhouse.loading.line_files import parse_run_file
from poolhouse.loading.load import CollectionSettings, LoadRequest, load_collection
from poolhouse.loading.parsers import DEFAULT_LIMIT, read_source, run_id_of
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

pytestmark = pytest.mark.archive

# The first run has the most unique relevant documents. The second has a rejected line. The third
# answers half of the topics. TREC-2's qrels hold documents that no run contributed. A sixth of its
# runs is enough, because a build merges every run with every other.
RUNS = ("citymf", "UREKA3", "rutcomb1")
N_RUNS = 7
FILES = {run_id_of(file.name): file for file in TREC2.request().runs} if ARCHIVE.is_dir() else {}


def whole() -> LoadRequest:
    """Return a request to load the three runs and some other runs."""
    chosen = [*RUNS, *(run for run in sorted(FILES) if run not in RUNS)][:N_RUNS]
    return replace(
        TREC2.request(),
        runs=tuple(FILES[run] for run in chosen),
        settings=CollectionSettings(pool_depth=100),
    )


def without(connection: duckdb.DuckDBPyConnection, run: str, folder: Path) -> LoadRequest:
    """Return a request for the collection without a run and its unique contributions."""
    judgements = connection.execute(
        """
        select topic_id || ' 0 ' || doc_id || ' ' || relevance as line from fct_judgements
        where collection_id = ? and sole_run is distinct from ?
        """,
        [TREC2.name, run],
    ).fetchall()
    pooled = connection.execute(
        """
        select list({'run': run_id, 'organization': organization,
            'pooled': case when is_pooled then 'yes' else 'no' end})
        from dim_runs where collection_id = ?
        """,
        [TREC2.name],
    ).fetchall()[0][0]
    folder.mkdir()
    qrels, descriptions = folder / "qrels.txt", folder / "runs.csv"
    qrels.write_text("".join(f"{line}\n" for (line,) in judgements))
    pl.DataFrame(pooled).write_csv(descriptions)
    request = whole()
    return replace(
        request,
        collection=run,
        runs=tuple(file for file in request.runs if file != FILES[run]),
        qrels=qrels,
        descriptions=descriptions,
    )


@pytest.fixture(scope="module")
def built(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide the whole collection, and collections that are named after the run that they lack."""
    folder = tmp_path_factory.mktemp("rest")
    warehouse = new_warehouse(folder)
    load_collection(warehouse, whole())
    build(warehouse)
    with warehouse.read() as connection:
        rest = [without(connection, run, folder / run) for run in RUNS]
    for request in rest:
        load_collection(warehouse, request)
    build(warehouse)
    return warehouse


@pytest.mark.parametrize("run", RUNS)
def test_estimates_are_those_of_the_marts(
    built: Warehouse, run: str, record_property: Callable[[str, object], None]
) -> None:
    started = perf_counter()
    parsed = parse_run_file(read_source(FILES[run], DEFAULT_LIMIT))
    scores = adjust(built, run, parsed.rows, run).scores
    seconds = perf_counter() - started
    # The marts have expected relevance only where the organization leaves with the run.
    scores = scores.filter(pl.col("estimator") != "expected_relevance")
    expected = run_query(
        built,
        """
        select
            unjudged, adjusted.measure, adjusted.estimator, adjusted.adjustment, scores.score
        from fct_adjusted_scores as adjusted
        inner join fct_run_scores as scores using (collection_id, run_id, measure, unjudged)
        where
            collection_id = $collection and run_id = $run and level = 'run' and subset = 'all'
            and judgement_set = 'without_run'
        """,
        {"collection": TREC2.name, "run": run},
    ).rows
    assert len(expected) == scores.height
    assert Counter(scores["unjudged"]) == {"nonrelevant": 23, "condensed": 18}
    found = {
        tuple(key): (adjustment, score)
        for *key, adjustment, score in scores.select(
            "unjudged", "measure", "estimator", "adjustment", "unadjusted_score"
        ).iter_rows()
    }
    off = [
        max(abs(a - b) for a, b in zip(found[tuple(row[:3])], row[3:], strict=True))
        for row in expected
    ]
    assert max(off) < 1e-9
    record_property(FIGURE, f"{seconds:.2f} s, off by {max(off):.1e} at most")
