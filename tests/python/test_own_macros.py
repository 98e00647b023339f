"""Test macros of our own, whose text is in the file (test_foreign_warehouses.py: another text)."""

from collections.abc import Iterator

import duckdb
import pytest

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse import schemas
from poolhouse.warehouse.own_macros import make_macros

MACRO = "create or replace temp macro asked(n) as table select n + 1 as m"


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(schemas.ALL)
        yield connection


def store(connection: duckdb.DuckDBPyConnection, text: str | None) -> None:
    connection.execute("insert into ops.built_relations values ('asked', '', '', '', ?)", [text])


def test_a_macro_is_called_by_its_bare_name(connection: duckdb.DuckDBPyConnection) -> None:
    store(connection, f"{MACRO}\n-- a comment; with a semicolon\n")
    make_macros(connection, "asked")
    assert connection.execute("from asked(1)").fetchall() == [(2,)]


def test_before_a_build_there_is_none(connection: duckdb.DuckDBPyConnection) -> None:
    store(connection, None)
    with pytest.raises(PoolhouseError, match="run poolhouse build first"):
        make_macros(connection, "asked")
