"""Expected scores of a new run by measures whose weights do not add up, such as AP and nDCG@10."""

from collections.abc import Sequence
from typing import Any

import duckdb
import polars as pl

from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.own_macros import make_macros

# The measures of the leaderboard that have an expected score, and the main measure of the
# collection, where the marts contain them. Relevance is estimated down to the deepest cutoff of the
# measures that are estimated already.
_MEASURES = """
select measure
from dim_measures
where
    has_expected_score
    and (is_on_leaderboard or measure = $main_measure)
    and not list_contains($estimated, measure)
    and coalesce(
        cutoff <= (
            select max(deepest.cutoff)
            from dim_measures as deepest
            where list_contains($estimated, deepest.measure)
        ),
        true
    )
order by measure = $main_measure desc, position
"""
# Each is read once for all measures.
_OF_THE_RUN = {
    "new_rankings": """
        select coalesce($run_id, 'the run') as run_id, *
        from intermediate.int_new_run_rankings($collection, 'new_run')
    """,
    "new_relevance": "select * from int_new_run_relevance($collection, 'new_run', $run_id)",
    "new_scores": "select * from int_new_run_scores('new_rankings')",
}
_SCORES = """
select *
from int_new_run_expected_scores(
    $collection, $measure, $run_id, 'new_rankings', 'new_relevance', 'new_scores'
)
"""


def expected_scores(
    connection: duckdb.DuckDBPyConnection,
    names: dict[str, Any],
    estimated: Sequence[str],
    main_measure: str,
) -> list[pl.DataFrame]:
    """Return the rows of `adjusted_scores` for the run of the table `new_run`, by other measures.

    `names` has the collection and the name of the run, and `estimated` the measures that
    `adjusted_scores` has. Raise PoolhouseError and duckdb.Error.
    """
    about = {"estimated": list(estimated), "main_measure": main_measure}
    measures = rows_of(connection, _MEASURES, about)["measure"].to_list()
    if not measures:
        return []
    make_macros(
        connection, "int_new_run_relevance", "int_new_run_scores", "int_new_run_expected_scores"
    )
    for table, query in _OF_THE_RUN.items():
        used = {name: value for name, value in names.items() if f"${name}" in query}
        connection.execute(f"create or replace temp table {table} as {query}", used)
    return [rows_of(connection, _SCORES, {**names, "measure": each}) for each in measures]
