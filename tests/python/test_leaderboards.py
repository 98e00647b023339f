"""Test the leaderboards: they have the full marts' rows without a filter, and adjusted places."""

from pathlib import Path

import polars as pl
import pytest

from asking import rows
from built_collections import few_and_many, only_built
from conftest import NewWarehouse
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.estimating.advice import advised
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference

TOLERANCE = 1e-9

# Collections with runs that were not pooled, and with several organizations that were.
FEW = (0, 13)
# Every kind of random collection, beside them: deep, long, with one organization, or not declared.
MANY = (*FEW, 1, 4, 5, 6, 10, 19)

ADJUSTED = """
select
    collection_id,
    run_id,
    measure,
    score * n_judged_topics / n_topics as unadjusted_score,
    if_judged * n_judged_topics / n_topics as if_judged,
    upper_bound * n_judged_topics / n_topics as upper_bound,
    upper_bound_if_pooled * n_judged_topics / n_topics as upper_bound_if_pooled,
    advice,
    estimator
from adjusted_leaderboard
where n_topics > 0
"""


def test_columns_are_the_names_of_measures(page: Warehouse) -> None:
    """Each column holds the measure of its name, from the measure's column of the full mart."""
    names = rows(page, "select measure from dim_measures")
    known = {str(measure).lower().replace("@", "_"): measure for (measure,) in names}
    columns = run_query(page, "select * from leaderboard limit 0").columns
    scores = columns[columns.index("n_judged_topics") + 1 : columns.index("unjudged_10")]
    assert len(scores) > 10
    different = " union all ".join(
        f"""
        select '{column}' as leaderboard_column, run_id from leaderboard
        inner join fct_run_scores using (collection_id, run_id)
        where
            judgement_set = 'full'
            and unjudged = 'nonrelevant'
            and measure = '{known[column]}'
            and {column} is distinct from score_all_topics
        """
        for column in scores
    )
    assert rows(page, different) == []


def test_nothing_is_counted_twice(page: Warehouse) -> None:
    [counts] = rows(
        page,
        """
        select
            (select count(*) from dim_runs),
            (select count(*) from leaderboard),
            (select count(*) from topic_leaderboard),
            (select sum(n_judged_topics) from leaderboard)
        """,
    )
    n_runs, n_rows, n_topic_rows, n_cells = counts
    assert n_rows == n_runs != 0
    assert n_topic_rows == n_cells


def test_scores_are_means_of_those_by_topic(page: Warehouse) -> None:
    found = rows(
        page,
        """
        select run_id, abs(any_value(leaderboard.ap) - avg(topic_leaderboard.ap))
        from leaderboard inner join topic_leaderboard using (collection_id, run_id)
        group by run_id
        """,
    )
    assert found
    assert max(float(str(difference)) for _, difference in found) < TOLERANCE


@pytest.mark.heavy
@pytest.mark.parametrize("numbers", few_and_many(FEW, MANY))
def test_estimates_are_those_of_new_runs(
    numbers: tuple[int, ...], new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """Each run that was not pooled is scored as if it came from a file."""
    references = [Reference(Generator(number).collection()) for number in numbers]
    collections = [reference.collection for reference in references]
    warehouse = only_built(collections, new_warehouse(tmp_path), tmp_path)
    n_compared = 0
    with warehouse.read() as connection:
        rows_by_run = frame_of(connection.sql(ADJUSTED)).partition_by(
            "collection_id", "run_id", include_key=False, as_dict=True
        )
    for reference in references:
        collection = reference.collection
        for run in sorted(set(collection.runs) - set(reference.pooled_runs)):
            if (found := rows_by_run.get((collection.name, run))) is None:
                # The mart has no mean over no topics, and `adjust` says so.
                assert not reference.rankings[run]
                continue
            lines = pl.DataFrame(
                [(x.topic, x.document, x.score, x.rank) for x in collection.runs[run]],
                schema=["query", "docno", "score", "rank"],
                orient="row",
            ).with_row_index("line_number", offset=1)
            expected = advised(adjust(warehouse, collection.name, lines, run).scores)
            assert_same(found, expected)
            n_compared += found.filter(advice="estimated").height
    assert n_compared > 0


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    both = found.join(expected, on=["measure", "advice"], suffix="_new")
    assert both.height == found.height
    is_told = pl.col("advice") != "cannot be told"
    is_estimated = pl.col("advice") == "estimated"
    assert both.filter(
        is_estimated, pl.col("estimator") != pl.col("if_judged_estimator")
    ).is_empty()
    assert both.filter(is_told)["if_judged"].null_count() == 0
    assert both.filter(~is_told)["if_judged"].count() == 0
    for column in ("unadjusted_score", "upper_bound", "upper_bound_if_pooled", "if_judged"):
        off = both.select((pl.col(column) - pl.col(f"{column}_new")).abs()).to_series()
        assert (off.drop_nulls() < TOLERANCE).all(), column
