"""New runs on real collections: one that was pooled, taken out with what it alone contributed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import duckdb
import polars as pl
import pytest

from archive import TREC2, ArchiveCollection
from conftest import FIGURE, NewWarehouse
from poolhouse.adjusting import adjust
from poolhouse.building import build
from poolhouse.line_files import parse_run_file
from poolhouse.loading import CollectionSettings, LoadRequest, load_collection
from poolhouse.parsers import DEFAULT_LIMIT, read_source, run_id_of
from poolhouse.warehouse import Warehouse

pytestmark = pytest.mark.archive

# The one that alone contributed most relevant documents, one with a rejected line, one that answers
# half of the topics. TREC-2 builds faster than TREC-8, and its qrels hold what no run contributed.
COLLECTION = TREC2
RUNS = ("citymf", "UREKA3", "rutcomb1")


def without(
    marts: duckdb.DuckDBPyConnection, collection: ArchiveCollection, run: str, folder: Path
) -> LoadRequest:
    """Take a run and what it alone contributed out of a collection, and declare the rest of it."""
    judgements = marts.execute(
        """
        select topic_id || ' 0 ' || doc_id || ' ' || relevance as line from fct_judgements
        where collection_id = ? and sole_run is distinct from ?
        """,
        [collection.name, run],
    ).fetchall()
    depth, pooled = marts.execute(
        """
        select any_value(pool_depth), list({'run': run_id, 'organization': organization,
            'pooled': case when is_pooled then 'yes' else 'no' end})
        from dim_runs inner join dim_collections using (collection_id) where collection_id = ?
        """,
        [collection.name],
    ).fetchall()[0]
    folder.mkdir()
    qrels, descriptions = folder / "qrels.txt", folder / "runs.csv"
    qrels.write_text("".join(f"{line}\n" for (line,) in judgements))
    pl.DataFrame(pooled).write_csv(descriptions)
    request = collection.request()
    return replace(
        request,
        collection=run,
        runs=tuple(file for file in request.runs if run_id_of(file.name) != run),
        qrels=qrels,
        descriptions=descriptions,
        settings=CollectionSettings(pool_depth=depth),
    )


@pytest.fixture(scope="module")
def rest(
    marts: duckdb.DuckDBPyConnection,
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Warehouse:
    """Provide collections, each named by the run that is not in it."""
    folder = tmp_path_factory.mktemp("rest")
    warehouse = new_warehouse(folder)
    for run in RUNS:
        load_collection(warehouse, without(marts, COLLECTION, run, folder / run))
    build(warehouse)
    return warehouse


@pytest.mark.parametrize("run", RUNS)
def test_estimates_are_those_of_the_marts(
    marts: duckdb.DuckDBPyConnection,
    rest: Warehouse,
    run: str,
    record_property: Callable[[str, object], None],
) -> None:
    (file,) = (each for each in COLLECTION.request().runs if run_id_of(each.name) == run)
    started = perf_counter()
    parsed = parse_run_file(read_source(file, DEFAULT_LIMIT))
    scores = adjust(rest, run, parsed.rows, run).scores
    seconds = perf_counter() - started
    expected = marts.execute(
        """
        select adjusted.measure, adjusted.estimator, adjusted.adjustment, scores.score
        from fct_adjusted_scores as adjusted
        inner join fct_run_scores as scores using (collection_id, run_id, measure, unjudged)
        where
            collection_id = ? and run_id = ? and level = 'run' and subset = 'all'
            and judgement_set = 'without_run' and unjudged = 'nonrelevant'
        """,
        [COLLECTION.name, run],
    ).fetchall()
    assert len(expected) == scores.height == 23
    found = {
        (measure, estimator): rest
        for measure, estimator, *rest in scores.select(
            "measure", "estimator", "adjustment", "unadjusted_score"
        ).iter_rows()
    }
    off = [
        max(abs(a - b) for a, b in zip(found[measure, estimator], values, strict=True))
        for measure, estimator, *values in expected
    ]
    assert max(off) < 1e-9
    record_property(FIGURE, f"{seconds:.2f} s, off by {max(off):.1e} at most")
