"""Test TREC-8 with its pool cut at depth 10: errors by either truth, computed independently.

The truths are equal at P@10 and at level run. They differ at P@20 and P@30. There, unique
contributions of a run's siblings are below the run's own depth.
"""

import polars as pl
import pytest

from archive import EXPECTED
from archive_truths import TRUTHS, put_truth
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

pytestmark = pytest.mark.archive

KEY = ["level", "subset", "measure", "estimator"]
# The file has 4 decimals. A figure rounds to one of them if it differs by at most half of the last.
NOISE = 1e-9
ROUNDING = 0.00005 + NOISE


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Provide the errors by each truth."""
    errors = {}
    for truth in TRUTHS:
        warehouse = Warehouse(tmp_path_factory.mktemp(truth) / "poolhouse.duckdb")
        put_truth(warehouse, truth)
        errors[truth] = errors_of(warehouse)
    return errors


def errors_of(warehouse: Warehouse) -> pl.DataFrame:
    with warehouse.read() as connection:
        pooled = connection.execute("select pool_depth, n_pooled_runs from dim_collections")
        assert pooled.fetchall() == [(10, 71)]
        return rows_of(
            connection,
            """
            select level, subset, measure, estimator, mae, sre
            from fct_estimator_errors where unjudged = 'nonrelevant'
            """,
        )


@pytest.mark.parametrize("truth", TRUTHS)
def test_errors(truth: str, computed: dict[str, pl.DataFrame]) -> None:
    expected = pl.read_csv(EXPECTED / "trec8-adhoc-depth-10-truth.csv").filter(truth=truth)
    both = expected.join(computed[truth], on=KEY, suffix="_computed")
    assert both.height == expected.height == 36
    off = both.filter(
        ((pl.col("mae_computed") - pl.col("mae")).abs() > ROUNDING)
        | (pl.col("sre_computed") != pl.col("sre"))
    )
    assert off.is_empty(), off


def test_the_truths_differ_beyond_the_depth_alone(computed: dict[str, pl.DataFrame]) -> None:
    both = computed["paper"].join(computed["tool"], on=KEY, suffix="_tool")
    assert both.height == len(computed["paper"])
    apart = both.filter((pl.col("mae") - pl.col("mae_tool")).abs() > NOISE)
    assert set(apart["level"]) == {"organization"}
    assert set(apart["measure"]) == {"P@20", "P@30", "P@100"}
