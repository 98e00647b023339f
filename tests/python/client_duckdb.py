"""Read a database with a client of another version, in an environment that has only DuckDB.

The script prints one JSON object: the client's version, the number of rows of each mart, missing
comments, the number of keys of each kind, and the rows of a query, if one is given.
"""

import json
import sys

import duckdb

with duckdb.connect(sys.argv[1], read_only=True) as database:

    def rows(query: str) -> list[tuple[object, ...]]:
        return list(database.execute(query).fetchall())

    marts = "select table_name from information_schema.tables where table_schema = 'main'"
    without_comment = (
        f"select count(*) from {catalogue}() where not internal and comment is null "
        "and schema_name in ('main', 'audits', 'planning', 'papers')"
        for catalogue in ("duckdb_views", "duckdb_columns", "duckdb_functions")
    )
    keys = "select constraint_type, count(*) from duckdb_constraints() group by all"
    seen = {
        "version": duckdb.__version__,
        "rows": {mart: len(rows(f'from "{mart}"')) for (mart,) in rows(marts)},
        "without_comment": [rows(each)[0][0] for each in without_comment],
        "keys": {str(kind): n_keys for kind, n_keys in rows(keys)},
        "answer": [row for query in sys.argv[2:] for row in rows(query)],
    }

print(json.dumps(seen))
