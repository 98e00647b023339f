"""Figures for the plot of the page: the share of documents in the qrels, by rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import duckdb

from poolhouse.expectations.figures import CHECKED


@dataclass(frozen=True)
class RankCount:
    """Documents at one rank, over runs and topics, and the number of them in the qrels."""

    rank: int
    n_documents: int
    n_in_qrels: int


@dataclass(frozen=True)
class InQrelsShares:
    """Documents in the qrels from rank 1 to twice the pool depth, of pooled and of other runs.

    Each series is in the order of the ranks. A series without runs is empty.
    """

    pool_depth: int
    pooled: Sequence[RankCount]
    others: Sequence[RankCount]


def in_qrels_shares(connection: duckdb.DuckDBPyConnection) -> dict[str, InQrelsShares]:
    """Return the figures of the checked collections that have a pool depth, by collection id.

    The conditions leave out rows that break a promise of the models, since the page that shows the
    broken promise must be written.
    """
    rows = connection.execute(
        f"""
        select
            collections.collection_id,
            collections.pool_depth,
            ranks.is_pooled,
            ranks.pooling_rank,
            ranks.n_documents,
            ranks.n_in_qrels
        from {CHECKED} as checked
        inner join main.dim_collections as collections
            on checked.checked_collection_id = collections.collection_id
        inner join main.audit_ranks_in_qrels as ranks
            on collections.collection_id = ranks.collection_id
        where
            collections.pool_depth >= 1
            and ranks.pooling_rank >= 1
            -- twice the largest depth is no integer
            and ranks.pooling_rank - collections.pool_depth <= collections.pool_depth
            and ranks.n_documents >= 1
        order by collections.collection_id, ranks.pooling_rank
        """  # noqa: S608 - constant
    ).fetchall()
    return {
        name: _shares([figures for _, *figures in of_it])
        for name, of_it in groupby(rows, key=itemgetter(0))
    }


def _shares(rows: Sequence[Sequence[Any]]) -> InQrelsShares:
    return InQrelsShares(
        rows[0][0],
        [RankCount(*figures) for _, is_pooled, *figures in rows if is_pooled],
        [RankCount(*figures) for _, is_pooled, *figures in rows if not is_pooled],
    )
