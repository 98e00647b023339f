"""Portions of the runs of a large collection: a statement has no more rows than fit into memory."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import duckdb

from poolhouse.building.plan import Node, Rule

# The lines that a statement may read for a table with rows of single runs. TREC-8 has 6 million.
MOST_LINES = 30_000_000

# The lines that a statement may compare for a table with a row for each pair of runs: each line of
# a collection, once for each of its runs. TREC-8 has 0.8 billion. In the benchmark of a large
# collection, 3 billion spilled nothing with a limit of 3 GB, and 13 billion spilled.
MOST_COMPARED_LINES = 4_000_000_000


class Portion(NamedTuple):
    """Some runs, and the variable by which a model reads them."""

    variable: str
    runs: Sequence[int]


def portions_of(
    connection: duckdb.DuckDBPyConnection, node: Node, at_hand: str
) -> Iterator[Portion]:
    """Divide the runs of the collections at hand into portions of about the same size.

    Yield nothing where one statement can build the table. Neighbours are in different portions,
    because often the first runs are the pooled ones.
    """
    if not node.portions and node.rule is not Rule.BY_RUN:
        return
    [(runs, n_lines)] = connection.execute(
        f"""
        select
            (select list(run_key order by run_key) from raw.runs where {at_hand}),
            (select coalesce(sum(n_rows), 0) from ops.files where {at_hand})
        """  # noqa: S608 - a condition on our own variables
    ).fetchall()
    runs = runs or []
    if node.portions:
        variable = "candidates_at_hand"
        n_wanted = -(-int(n_lines) * len(runs) // MOST_COMPARED_LINES)
    else:
        variable = "runs_at_hand"
        n_wanted = -(-int(n_lines) // MOST_LINES)
    n_portions = min(n_wanted, len(runs))
    if n_portions > 1:
        for first in range(n_portions):
            yield Portion(variable, runs[first::n_portions])
