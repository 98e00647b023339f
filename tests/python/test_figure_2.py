"""Test Figure 2 of Lipani et al. 2015 over many collections: the correlations are scipy's."""

import duckdb
import numpy as np
import polars as pl
import pytest
from scipy import stats

from layout_models import give, make
from questions import question

PUBLISHED = ("published_lipani_2015_figure_2",)


def correlations(
    number: int, n_collections: int
) -> tuple[tuple[float | None, ...], tuple[float, ...]]:
    """Draw collections; return the correlations with E rho^2 and Phi, by the mart and by scipy.

    Changes and coefficients are coarse, so that some tie.
    """
    drawn = np.random.default_rng(number)
    before = drawn.integers(1, 4, n_collections) / 64
    after = before * drawn.integers(1, 7, n_collections) / 4
    coefficients = drawn.integers(80, 90, (2, n_collections)) / 100
    names = [f"collection {each}" for each in range(n_collections)]
    errors = pl.DataFrame({"collection_id": names, "unadjusted": before, "lipani": after}).unpivot(
        index="collection_id", variable_name="estimator", value_name="mae"
    )
    with duckdb.connect() as connection:
        give(
            connection,
            "fct_generalizability",
            pl.DataFrame(
                {
                    "collection_id": names,
                    "measure": "P@10",
                    "n_runs": 2,
                    "n_topics": 2,
                    "generalizability": coefficients[0],
                    "dependability": coefficients[1],
                }
            ),
            schema="audits",
        )
        give(
            connection,
            "fct_estimator_errors",
            errors.with_columns(
                level=pl.lit("organization"),
                subset=pl.lit("top_75"),
                measure=pl.lit("P@10"),
                unjudged=pl.lit("nonrelevant"),
            ),
            schema="main",
        )
        make(connection, PUBLISHED)
        [found] = connection.execute(
            f"""
            select distinct generalizability_correlation, dependability_correlation
            from {question("lipani_figure_2")}
            """
        ).fetchall()
    changes = (after - before) / before
    return found, tuple(stats.spearmanr(changes, each).statistic for each in coefficients)


@pytest.mark.parametrize("number", range(5))
def test_correlations_are_scipys(number: int) -> None:
    found, expected = correlations(number, n_collections=(5, 8, 15, 40, 100)[number])
    assert found == pytest.approx(expected, abs=1e-9)


def test_four_collections_are_too_few() -> None:
    found, _ = correlations(number=0, n_collections=4)
    assert found == (None, None)
