"""The figures behind the page's plot: how much is judged, rank by rank, around the pool depth."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb


@dataclass(frozen=True)
class JudgedShares:
    """Share of judged documents by rank, from rank 1 to twice the pool depth.

    Each series holds pairs of rank and share; it is empty where there are no such runs.
    """

    pool_depth: int
    pooled: Sequence[tuple[int, float]]
    others: Sequence[tuple[int, float]]


def judged_shares(connection: duckdb.DuckDBPyConnection, collection_id: str) -> JudgedShares | None:
    """Read the shares of a built collection; None where it has no pool depth."""
    rows = connection.execute(
        """
        select is_pooled, pooling_rank, judged_share, is_within_pool_depth
        from audit_judged_ranks
        where collection_id = $1
        order by is_pooled, pooling_rank
        """,
        [collection_id],
    ).fetchall()
    depth = max((rank for _, rank, _, is_within in rows if is_within), default=0)
    if depth < 1:  # what breaks a promise of the models must not break the page that says so
        return None
    return JudgedShares(
        depth,
        [(rank, share) for is_pooled, rank, share, _ in rows if is_pooled],
        [(rank, share) for is_pooled, rank, share, _ in rows if not is_pooled],
    )
