"""Expected scores of a new run by measures whose weights do not add up, such as AP and nDCG@10."""

from collections.abc import Sequence
from typing import Any

import duckdb
import polars as pl

from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros

# The same for all measures, and for all runs.
UNJUDGED_GRADES = "select * from intermediate.int_unjudged_grades($collection)"

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
    "new_relevance": """
        select * from int_new_run_relevance($collection, 'new_run', $run_id, $organization)
    """,
    "new_scores": "select * from int_new_run_scores('new_rankings')",
    "unjudged_grades": UNJUDGED_GRADES,
}
# What measures with an ideal ranking or a number of relevant documents divide by.
_RELEVANT = """
select
    any_value(collections.n_relevant / collections.n_topics) as known,
    known + coalesce(sum(unjudged.probability), 0) / any_value(collections.n_topics)
        as expected,
    (
        select list(measure order by position) from dim_measures
        where is_recall_normalized and list_contains($estimated, measure)
    ) as measures
from dim_collections as collections
inner join intermediate.int_collections as keys using (collection_id)
left join intermediate.int_expected_documents as unjudged using (collection_key)
where collections.collection_id = $collection
"""
_SCORES = """
select *
from int_new_run_expected_scores(
    $collection, $measure, 'new_rankings', 'new_relevance', 'new_scores', 'unjudged_grades'
)
"""
_ESTIMATES = """
select * from int_new_run_expected_estimates($collection, $run_id, 'new_expected_scores')
"""


def expected_scores(
    connection: duckdb.DuckDBPyConnection,
    names: dict[str, Any],
    estimated: Sequence[str],
    main_measure: str,
) -> list[pl.DataFrame]:
    """Return the rows of `adjusted_scores` for the run of the table `new_run`, by other measures.

    `names` has the collection, the name of the run and its organization, and `estimated` the
    measures that `adjusted_scores` has. Raise PoolhouseError and duckdb.Error.
    """
    about = {"estimated": list(estimated), "main_measure": main_measure}
    measures = rows_of(connection, _MEASURES, about)["measure"].to_list()
    if not measures:
        return []
    make_macros(
        connection,
        *("int_new_run_relevance", "int_new_run_scores"),
        *("int_new_run_expected_scores", "int_new_run_expected_estimates"),
    )
    for table, query in _OF_THE_RUN.items():
        used = {name: value for name, value in names.items() if f"${name}" in query}
        connection.execute(f"create or replace temp table {table} as {query}", used)
    collection = {"collection": names["collection"]}
    by_measure = (
        rows_of(connection, _SCORES, {**collection, "measure": each}) for each in measures
    )
    put_table(connection, "new_expected_scores", pl.concat(by_measure))
    return [rows_of(connection, _ESTIMATES, {**collection, "run_id": names["run_id"]})]


def remarks_on_expected(
    connection: duckdb.DuckDBPyConnection, collection: str, scores: pl.DataFrame
) -> list[str]:
    """Return remarks on the documents that the estimates of these rows count with."""
    told = scores.filter(pl.col("upper_bound").is_null(), advice="estimated")["measure"]
    if told.is_empty():
        return []
    deepest = scores["measure"].str.extract("@([0-9]+)$").cast(pl.Int64).drop_nulls().sort()[-1]
    remarks = []
    if whole := [each for each in told.unique(maintain_order=True) if "@" not in each]:
        remarks.append(
            f"{', '.join(whole)}: documents below rank {deepest} are not estimated, and count as "
            "they are"
        )
    values = {"collection": collection, "estimated": told.to_list()}
    row = rows_of(connection, _RELEVANT, values).row(0, named=True)
    if row["measures"] and row["expected"] > row["known"]:
        remarks.append(
            f"{', '.join(row['measures'])}: if every document that the loaded runs return down to "
            f"rank {deepest} were judged, a topic would have about {row['expected']:.0f} relevant "
            f"documents instead of {row['known']:.0f}; compare such an estimate with if_judged of "
            "other runs (expected_scores), and not with their scores"
        )
    return remarks
