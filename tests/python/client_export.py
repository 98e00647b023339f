"""Read an export with a client of another version, in an environment that has only DuckDB.

The script prints one JSON object: the client's version, the number of rows of each table, missing
comments, and the number of keys of each kind.
"""

import json
import sys

import duckdb

with duckdb.connect(sys.argv[1], read_only=True) as export:
    tables = export.execute("select table_name from duckdb_tables()").fetchall()
    rows = {table: len(export.execute(f'from "{table}"').fetchall()) for (table,) in tables}
    [(without_comment,)] = export.execute(
        "select count(*) from duckdb_columns() where not internal and comment is null"
    ).fetchall()
    keys = export.execute(
        "select constraint_type, count(*) from duckdb_constraints() group by all"
    ).fetchall()

print(
    json.dumps(
        {
            "version": duckdb.__version__,
            "rows": rows,
            "without_comment": without_comment,
            "keys": dict(keys),
        }
    )
)
