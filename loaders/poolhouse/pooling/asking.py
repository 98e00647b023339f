"""What a pool is asked for: its runs, topics and budget, and the answers that are known."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Self

import duckdb
import numpy as np

from poolhouse.building.staleness import State, loaded_states
from poolhouse.errors import NotBuiltError, PoolhouseError
from poolhouse.pooling.budgets import Counts, equal_shares
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import explanation

# Whether a document is relevant, by topic and document; None if it cannot be judged. Documents
# without an answer are missing.
Known = Mapping[str, Mapping[str, bool | None]]


@dataclass(frozen=True)
class PoolRequest:
    """The runs and topics of a pool, and its budget: of all topics together, or of each topic.

    `runs` is None for the pooled runs of a judged collection, or the declared runs of another one
    (int_planned_runs). With `is_of_every_topic`, topics that nobody judged have a pool too where
    others are judged.
    """

    collection: str
    budget: int
    is_per_topic: bool = False
    runs: tuple[str, ...] | None = None
    is_of_every_topic: bool = False
    seed: int = 0

    @property
    def of_runs(self) -> list[str] | None:
        """The runs, as the models take them."""
        return None if self.runs is None else list(self.runs)

    def of_campaign(self, warehouse: Warehouse) -> Self:
        """Return the same request with the runs of the campaign: the declared runs, or all.

        Answers do not change these runs, as they may change the runs that look pooled. Raise
        UnknownCollectionError and the errors of the warehouse.
        """
        with asked_of(warehouse, self) as connection:
            return replace(self, runs=_runs_of_campaign(connection, self.collection))

    def shares_left(self, available: Counts, n_known: Counts, n_unjudgeable: Counts) -> Counts:
        """Return how many documents of each topic may still be judged, where so many are known.

        Of the known documents, `n_unjudgeable` take nothing from the budget.
        """
        n_judged: Counts = n_known - n_unjudgeable
        if self.is_per_topic:
            return np.clip(self.budget - n_judged, 0, available - n_known)
        return equal_shares(max(self.budget - int(n_judged.sum()), 0), available - n_known)

    def shares(self, available: Counts) -> Counts:
        """Return the number of documents of each topic, of which so many are available."""
        if self.is_per_topic:
            return np.minimum(available, self.budget)
        return equal_shares(self.budget, available)


def ask_for(connection: duckdb.DuckDBPyConnection, request: PoolRequest) -> None:
    """Name the pool that the next statements read.

    The planner sees the value of a variable, which it does not of a parameter: with parameters, the
    lines of the runs take twenty times as long.
    """
    for name, kind, value in (
        ("pool_collection", "varchar", request.collection),
        ("pool_is_per_topic", "boolean", request.is_per_topic),
        ("pool_runs", "varchar[]", request.of_runs),
        ("pool_every_topic", "boolean", request.is_of_every_topic),
    ):
        connection.execute(f"set variable {name} = cast(? as {kind})", [value])


@contextmanager
def asked_of(warehouse: Warehouse, request: PoolRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse for a request (`ask_for`), whose runs are built.

    Raise UnknownCollectionError, the errors of the warehouse, and PoolhouseError where the
    collection has other runs than at its build, or a macro refuses its arguments.
    """
    with warehouse.read() as connection:
        check_runs_built(connection, request.collection)
        ask_for(connection, request)
        try:
            yield connection
        except duckdb.InvalidInputException as error:
            raise PoolhouseError(explanation(error)) from error


_LOADED_AND_BUILT = """
select
    list(loaded.run_id order by loaded.run_id) filter (where built.run_id is null),
    list(built.run_id order by built.run_id) filter (where loaded.run_id is null)
from staging.stg_runs as loaded
full join intermediate.int_runs as built using (collection_key, run_key, sha256)
where collection_key = (
    select collection_key from staging.stg_collections where collection_id = $collection
)
"""


def check_runs_built(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Raise an error where the collection has other runs than at its build.

    Its judgements may have changed. Raise UnknownCollectionError or PoolhouseError.
    """
    [state] = loaded_states(connection, [collection])
    if state.state is State.NEW and state.problem:
        raise PoolhouseError(state.problem)
    [(added, removed)] = connection.execute(
        _LOADED_AND_BUILT, {"collection": collection}
    ).fetchall()
    if added or removed:
        raise NotBuiltError(f"collection {collection!r} has other runs than at its build")


def _runs_of_campaign(connection: duckdb.DuckDBPyConnection, collection: str) -> tuple[str, ...]:
    rows = connection.execute(
        """
        select run_id
        from intermediate.int_runs
        inner join intermediate.int_collections using (collection_key)
        where collection_id = $collection
        qualify coalesce(is_declared_pooled, bool_or(is_declared_pooled) over () is not true)
        order by run_id
        """,
        {"collection": collection},
    )
    return tuple(run_id for (run_id,) in rows.fetchall())


def known_answers(connection: duckdb.DuckDBPyConnection, collection: str) -> Known:
    """Return the loaded judgements, built or not: of several grades, the highest counts."""
    return _answers(connection, collection, are_judgements=True)


def unjudgeable(connection: duckdb.DuckDBPyConnection, collection: str) -> Known:
    """Return the documents whose grade says that they cannot be judged."""
    return _answers(connection, collection, are_judgements=False)


def _answers(
    connection: duckdb.DuckDBPyConnection, collection: str, *, are_judgements: bool
) -> Known:
    known: dict[str, dict[str, bool | None]] = {}
    rows = connection.execute(
        """
        select
            topic_id, doc_id,
            case when $are_judgements then max(grade) >= any_value(relevance_threshold) end
        from staging.stg_qrels
        inner join staging.stg_collections using (collection_key)
        where collection_id = $collection
        group by topic_id, doc_id
        -- staging counts a grade from judged_from on as 0
        having (max(grade) >= 0) = $are_judgements
        """,
        {"collection": collection, "are_judgements": are_judgements},
    )
    for topic_id, doc_id, is_relevant in rows.fetchall():
        known.setdefault(topic_id, {})[doc_id] = is_relevant
    return known
