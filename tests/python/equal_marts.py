"""Compare every mart of two databases that hold the same collections, built apart."""

from collections.abc import Collection, Iterator
from itertools import permutations

import duckdb
import polars as pl
from polars.testing import assert_frame_equal

from rounding import DECIMALS, rounded

# These rows say when and from where files were loaded.
OF_LOADS = {"audit_load_history", "audit_verdict_changes"}

# Where a value lies where rounding turns, the two rows that differ are compared with each other.
ROUNDED = {"abs_tol": 1.5 * 10**-DECIMALS, "rel_tol": 10**-DECIMALS}

# A share of a residual that is all but zero has no digits that mean anything.
WITHOUT_DIGITS = "in_percent"
MEANS_NOTHING = "measure = 'RBPResidual(p=0.8)'"

DATABASES = ("one", "other")

MARTS = """
select
    schema_name || '.' || table_name as mart,
    list(column_name order by column_index),
    list(data_type order by column_index)
from duckdb_columns()
where
    database_name = 'one'
    and schema_name in ('main', 'audits')
    and table_name in (select view_name from duckdb_views() where database_name = 'one')
    -- a lake without --raw has no lines of runs to compute it from
    and table_name <> 'fct_quality_figures'
group by all
order by all
"""


def connected() -> duckdb.DuckDBPyConnection:
    """Connect to no database. The caller attaches both."""
    connection = duckdb.connect()
    connection.execute("set memory_limit = '6GB'")
    return connection


def differing(
    connection: duckdb.DuckDBPyConnection,
    collection: str = "",
    without: Collection[str] = (),
) -> dict[str, str]:
    """Return the difference of each mart that differs, of one collection or of all.

    Columns `without` may differ.
    """
    found, n_rows = {}, 0
    marts = connection.execute(MARTS).fetchall()
    assert len(marts) > 40
    for mart, names, types in marts:
        if mart.partition(".")[2] in OF_LOADS:
            continue
        columns = {
            name: type_
            for name, type_ in zip(names, types, strict=True)
            if f"{mart.partition('.')[2]}.{name}" not in without
        }
        only = f" where collection_id = '{collection}'" if "collection_id" in columns else ""
        one, other = differing_rows(connection, mart + only * bool(collection), columns)
        try:
            assert_frame_equal(one, other, **ROUNDED)
        except AssertionError as error:
            found[mart] = str(error)
        [(n_of_mart,)] = connection.execute(f"select count(*) from one.{mart}").fetchall()
        n_rows += n_of_mart
    assert n_rows > 10_000
    return found


def differing_rows(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: dict[str, str]
) -> Iterator[pl.DataFrame]:
    """Yield the rounded rows that only one of the databases has, ordered by what is no float."""

    def selected(name: str) -> str:
        value = rounded(f'"{name}"', columns[name])
        if columns[name] == "DOUBLE" and "measure" in columns and WITHOUT_DIGITS in name:
            value = f"if({MEANS_NOTHING}, null, {value})"
        return f'{value} as "{name}"'

    # The columns that are no floats are the first.
    ordered = sorted(columns, key=lambda name: columns[name] == "DOUBLE")
    row = ", ".join(map(selected, ordered))
    # A mart that is computed again may have other last digits.
    for database in DATABASES:
        connection.execute(
            f"create or replace temp table of_{database} as select {row} from {database}.{rows}"
        )
    for here, there in permutations(DATABASES):
        yield connection.sql(f"from of_{here} except all from of_{there} order by all").pl()
