"""Portions of the runs of a large collection, for tables with a row for each pair of runs."""

from collections.abc import Sequence

import duckdb

# The lines that a statement may compare: each line of a collection, once for each of its runs.
# TREC-8 has 0.8 billion. At 4 billion, the pairs of runs need about 2.5 GB of memory, and more is
# written to the disk, or does not fit.
MOST_COMPARED_LINES = 4_000_000_000


def portions_of(connection: duckdb.DuckDBPyConnection, at_hand: str) -> Sequence[Sequence[int]]:
    """Divide the runs of the collections at hand into portions of about the same size.

    A small collection has one portion. Neighbours are in different portions, because often the
    first runs are the pooled ones.
    """
    [(runs, n_lines)] = connection.execute(
        f"""
        select
            (select list(run_key order by run_key) from raw.runs where {at_hand}),
            (select coalesce(sum(n_rows), 0) from ops.files where {at_hand})
        """  # noqa: S608 - a condition on our own variables
    ).fetchall()
    runs = runs or []
    n_wanted = -(-int(n_lines) * len(runs) // MOST_COMPARED_LINES)
    n_portions = max(1, min(n_wanted, len(runs)))
    return [runs[first::n_portions] for first in range(n_portions)]
