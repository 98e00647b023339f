"""Test data frames to and from the engine: without pyarrow, and with the engine's errors."""

import subprocess
import sys

import duckdb
import polars as pl
import pytest

from poolhouse.warehouse.frames import frame_of, put_table, registered, rows_of

FRAME = pl.DataFrame(
    {"text": ["a", None, "ö"], "number": [1, 2, None], "list": [[1.5], [], None]},
    schema_overrides={"number": pl.Int32},
)


def test_a_frame_comes_back() -> None:
    with duckdb.connect() as connection:
        put_table(connection, "kept", FRAME)
        assert rows_of(connection, "from kept").equals(FRAME)
        with registered(connection, "once", FRAME):
            found = rows_of(connection, "select text from once where number = $n", {"n": 1})
        assert found.rows() == [("a",)]


# The value that fails is far behind the first rows, or among them.
@pytest.mark.parametrize("row", [1, 3_000_000])
def test_an_error_has_its_class(row: int) -> None:
    query = (
        f"select cast(case when i = {row} then 'x' else '1' end as int) from range(3000001) t(i)"
    )
    error = duckdb.ConversionException
    with duckdb.connect() as connection, pytest.raises(error, match="Could not convert"):
        frame_of(connection.sql(query))


def test_pyarrow_is_not_asked() -> None:
    """The engine would ask for it where it is installed, with warnings of other libraries."""
    script = """
import sys
import duckdb, polars as pl
from poolhouse.warehouse.frames import put_table, rows_of
with duckdb.connect() as connection:
    put_table(connection, "kept", pl.DataFrame({"a": [1]}))
    assert rows_of(connection, "from kept").rows() == [(1,)]
assert "pyarrow" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
