"""Pooling orders: whether another order than the one by score explains more runs."""

from collections.abc import Iterable

import duckdb

_UNEXPLAINED = """
select collections.collection_id, list(runs.run_id)
from intermediate.int_pooled_states as states
inner join intermediate.int_depth_voters as voters on states.run_key = voters.run_key
inner join intermediate.int_runs as runs on states.run_key = runs.run_key
inner join intermediate.int_collections as collections
    on states.collection_key = collections.collection_key
where
    list_contains($built, collections.collection_id)
    and collections.pooling_order = 'score'
    and voters.has_vote
    and not states.looks_pooled
group by collections.collection_id
"""

_EXPLAINED = """
select pooling_order, n_explained, n_runs
from audits.pooling_orders($collection, of_runs := $runs)
order by n_explained desc, pooling_order = 'score' desc, pooling_order
"""


def better_orders(
    connection: duckdb.DuckDBPyConnection, built: Iterable[str]
) -> dict[str, tuple[str, int, int, int]]:
    """Return another order for each collection pooled by score whose runs it explains better.

    A value has the order, the number of runs that it explains, the number that the order by score
    explains, and the number of runs.
    """
    found = {}
    unexplained = connection.execute(_UNEXPLAINED, {"built": list(built)}).fetchall()
    for collection, runs in unexplained:
        # Few runs are tried first, because a try takes seconds where there are many.
        if not any(n for _, n, _ in _explained(connection, collection, runs)):
            continue
        orders = _explained(connection, collection, None)
        best, n_best, n_runs = orders[0]
        n_by_score = next(n for order, n, _ in orders if order == "score")
        if n_best > n_by_score:
            found[collection] = best, n_best, n_by_score, n_runs
    return found


def _explained(
    connection: duckdb.DuckDBPyConnection, collection: str, runs: list[str] | None
) -> list[tuple[str, int, int]]:
    values = {"collection": collection, "runs": runs}
    return connection.execute(_EXPLAINED, values).fetchall()
