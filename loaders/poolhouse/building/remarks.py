"""What a build remarks on: collections whose marts have less than a user may expect."""

import shlex
from collections.abc import Iterator

import duckdb

_REMARKS = """
select collection_id, position, remark
from intermediate.int_build_remarks
where list_contains($built, collection_id)
"""

# A better pooling order is said here among the other remarks.
_POSITION_OF_ORDERS = 4

_ORDERS = {"file": "line of the file", "rank": "given rank"}

_UNEXPLAINED = """
select collections.collection_id, any_value(pool_depths.pool_depth), list(runs.run_id)
from intermediate.int_pooled_states as states
inner join intermediate.int_depth_voters as voters on states.run_key = voters.run_key
inner join intermediate.int_runs as runs on states.run_key = runs.run_key
inner join intermediate.int_collections as collections
    on states.collection_key = collections.collection_key
inner join intermediate.int_pool_depths as pool_depths
    on states.collection_key = pool_depths.collection_key
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


def remarks_on(connection: duckdb.DuckDBPyConnection, built: list[str]) -> tuple[str, ...]:
    """Return the remarks on built collections, by collection. Raise duckdb.Error."""
    rows = connection.execute(_REMARKS, {"built": built}).fetchall()
    rows += _better_orders(connection, built)
    return tuple(f"{collection}: {remark}" for collection, _, remark in sorted(rows))


def _better_orders(
    connection: duckdb.DuckDBPyConnection, built: list[str]
) -> Iterator[tuple[str, int, str]]:
    """Name another order for each collection pooled by score whose runs it explains better."""
    for collection, depth, runs in connection.execute(_UNEXPLAINED, {"built": built}).fetchall():
        # Few runs are tried first, because a try takes seconds where there are many.
        if not any(n for _, n, _ in _explained(connection, collection, runs)):
            continue
        orders = _explained(connection, collection, None)
        best, n_best, n_runs = orders[0]
        n_by_score = next(n for order, n, _ in orders if order == "score")
        if n_best > n_by_score:
            yield (
                collection,
                _POSITION_OF_ORDERS,
                f"the qrels hold the first {depth} documents of {n_best} of {n_runs} runs by "
                f"{_ORDERS[best]}, and of {n_by_score} by score: if the runs were pooled so, "
                f"poolhouse load {shlex.quote(collection)} --pooling-order {best}",
            )


def _explained(
    connection: duckdb.DuckDBPyConnection, collection: str, runs: list[str] | None
) -> list[tuple[str, int, int]]:
    values = {"collection": collection, "runs": runs}
    return connection.execute(_EXPLAINED, values).fetchall()
