"""Test macros of our own: their text is in the file, where another program could change it."""

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


@pytest.mark.parametrize(
    "text", [f"{MACRO}; create table main.t (n int)", "create table main.t (n int)", ""]
)
def test_any_other_text_is_refused(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    store(connection, text)
    with pytest.raises(PoolhouseError, match=r"has changed ops\.built_relations"):
        make_macros(connection, "asked")
    tables = "select 1 from duckdb_tables() where table_name = 't'"
    assert connection.execute(tables).fetchall() == []
