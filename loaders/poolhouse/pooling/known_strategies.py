"""The strategies, as the seed lists them."""

from typing import NamedTuple

import duckdb

from poolhouse.errors import PoolhouseError, did_you_mean


class Strategy(NamedTuple):
    """A row of dim_pooling_strategies."""

    name: str
    kind: str
    is_in_sql: bool
    needs_answers: bool
    has_seed: bool


def known_strategies(connection: duckdb.DuckDBPyConnection) -> dict[str, Strategy]:
    """Return the strategies by name, in the order of their positions."""
    rows = connection.execute(
        """
        select strategy, kind, is_in_sql, needs_answers, has_seed
        from dim_pooling_strategies
        order by position
        """
    )
    return {name: Strategy(name, *rest) for name, *rest in rows.fetchall()}


def strategy_named(connection: duckdb.DuckDBPyConnection, name: str) -> Strategy:
    """Return one strategy. Raise PoolhouseError for an unknown name."""
    known = known_strategies(connection)
    if name not in known:
        raise PoolhouseError(
            f"{name!r} is no pooling strategy: {', '.join(known)}{did_you_mean(name, known)}"
        )
    return known[name]
