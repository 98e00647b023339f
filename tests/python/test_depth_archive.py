"""Test the inferred depth of the real qrels, without declarations and with missing judgements."""

from collections.abc import Iterator

import duckdb
import pytest

from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from pool_inference import Inferred, infer
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.archive

# Ranks to which the tests look: at least twice the largest depth.
DEEPEST = 300
DEPTHS = {TREC2: 100, TREC8: 100, TREC_COVID: 7}
N_POOLED = {TREC2: 36, TREC8: 73}


@pytest.fixture(scope="module", params=DEPTHS, ids=lambda each: each.name)
def collection(request: pytest.FixtureRequest) -> ArchiveCollection:
    given: ArchiveCollection = request.param
    return given


@pytest.fixture(scope="module")
def undeclared(
    archives: Warehouse, collection: ArchiveCollection
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Inferred]]:
    """Copy the tables that the inference reads of a collection, without its declarations.

    Infer the pool from them.
    """
    with duckdb.connect() as connection:
        connection.execute("create schema intermediate")
        connection.execute(f"attach '{archives.path}' as archive (read_only)")
        [(key,)] = connection.execute(
            "select collection_key from archive.raw.collections where collection_id = ?",
            [collection.name],
        ).fetchall()
        for table, columns, rows in (
            ("int_collections", "* replace (null::integer as declared_pool_depth)", ""),
            ("int_runs", "* replace (null::boolean as is_declared_pooled)", ""),
            ("int_judgements", "*", ""),
            ("int_missing_runs", "*", "limit 0"),
            ("int_topic_attributes", "*", ""),
            ("int_listed_pools", "*", ""),
            ("int_rankings", "*", f"and pooling_rank <= {DEEPEST}"),
        ):
            connection.execute(
                f"create table intermediate.{table} as select {columns} "
                f"from archive.intermediate.{table} where collection_key = {key} {rows}"
            )
        whole = infer(connection)
        connection.execute("create table every_judgement as from intermediate.int_judgements")
        yield connection, whole


@pytest.mark.parametrize("percent", [0, 1, 2, 3])
def test_depth_and_pooled_runs(
    undeclared: tuple[duckdb.DuckDBPyConnection, Inferred],
    collection: ArchiveCollection,
    percent: int,
) -> None:
    """The depth is as published, also with missing judgements; all runs but two are the same."""
    connection, whole = undeclared
    inferred = whole
    if percent:
        connection.execute(
            f"""
            create or replace table intermediate.int_judgements as
            from every_judgement where hash(topic_key, doc_key) % 100 >= {percent}
            """
        )
        inferred = infer(connection)
    assert inferred.depth == DEPTHS[collection]
    assert inferred.confidence == 1
    if collection in N_POOLED:  # here pooled runs cannot be told from runs that overlap
        assert len(whole.pooled_runs) == N_POOLED[collection]
        assert len(whole.pooled_runs ^ inferred.pooled_runs) <= 2
