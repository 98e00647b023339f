"""Test new runs on real collections: a pooled run is taken out with its unique contributions."""

from collections import Counter
from collections.abc import Callable
from time import perf_counter

import polars as pl
import pytest

from archive import TREC2
from archive_left_out import FILES, RUNS, make_left_out
from kept import put_kept
from poolhouse.loading.line_files import parse_run_file
from poolhouse.loading.parsers import DEFAULT_LIMIT, read_source
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

pytestmark = pytest.mark.archive


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide the whole collection, and collections that are named after the run that they lack."""
    warehouse = Warehouse(tmp_path_factory.mktemp("rest") / "poolhouse.duckdb")
    put_kept(warehouse, "left out", make_left_out, TREC2.request().paths)
    return warehouse


@pytest.mark.parametrize("run", RUNS)
def test_estimates_are_those_of_the_marts(
    built: Warehouse, run: str, say: Callable[[str], None]
) -> None:
    started = perf_counter()
    parsed = parse_run_file(read_source(FILES[run], DEFAULT_LIMIT))
    scores = adjust(built, run, parsed.rows, run).scores
    seconds = perf_counter() - started
    # The marts have expected relevance only where the organization leaves with the run, and no
    # adjustments by measures without bounds.
    scores = scores.filter(
        pl.col("estimator") != "expected_relevance", pl.col("upper_bound").is_not_null()
    )
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
    say(f"{seconds:.2f} s, off by {max(off):.1e} at most")
