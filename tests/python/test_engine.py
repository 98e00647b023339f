"""Run the queries that DuckDB 2.0.0 does not answer (docs/decisions/engine.md).

A release that fails here must stay out of the range in pyproject.toml.
"""

import sys

import duckdb
import pytest

from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.limits import limited, memory_limit_of_process, time_limit
from poolhouse.warehouse.memory import VARIABLE

_SECONDS = 20
_NEVER_ENDED = f"DuckDB {duckdb.__version__} does not end this query: exclude the release"


@pytest.mark.parametrize("join", ["inner join", "left join"])
def test_a_large_cte_that_is_named_twice_ends_under_a_limit(join: str) -> None:
    query = f"""
        with numbers as materialized (select range as number from range(100000))

        select * from numbers as one {join} numbers as other using (number) limit 5
    """
    with (
        duckdb.connect() as connection,
        interruptible(connection),
        limited(time_limit(_SECONDS, _NEVER_ENDED)),
    ):
        assert len(connection.execute(query).fetchall()) == 5


@pytest.mark.archive
def test_an_analyst_joins_the_judgements_with_themselves(
    marts: duckdb.DuckDBPyConnection,
) -> None:
    """TREC-8 has 86,830 judgements, more than the 65,536 rows from which on 2.0.0 never ends."""
    query = """
        with j as (
            select topic_id, doc_id, relevance from fct_judgements
            where collection_id = 'trec8-adhoc'
        )

        select a.topic_id, a.doc_id, b.relevance
        from j a join j b using (topic_id, doc_id) limit 10
    """
    with limited(time_limit(_SECONDS, _NEVER_ENDED)):
        assert len(marts.execute(query).fetchall()) == 10


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the most counts that was ever taken")
def test_memory_that_is_free_again_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a server that lives on, each query may take as much as the first one."""
    monkeypatch.setenv(VARIABLE, "100MB")
    for _ in range(2):
        is_over = memory_limit_of_process()
        assert not is_over()
        block = b"x" * 200_000_000
        assert is_over()
        del block
        assert not is_over()
