"""Read a warehouse with a client of another version, in an environment that has only DuckDB.

The script prints one JSON object: the client's version, the marts that it reads, missing comments,
and scores.
"""

import json
import sys

import duckdb

with duckdb.connect(sys.argv[1], read_only=True) as warehouse:
    marts = [
        name
        for (name,) in warehouse.execute(
            "select view_name from duckdb_views() where schema_name = 'main' and not internal"
        ).fetchall()
    ]
    for mart in marts:
        warehouse.execute(f'select * from "{mart}"').fetchall()
    without_comment = [
        warehouse.execute(
            f"select count(*) from {catalogue}() "
            "where schema_name in ('main', 'audits', 'papers') and not internal and comment is null"
        ).fetchall()[0][0]
        for catalogue in ("duckdb_views", "duckdb_columns", "duckdb_functions")
    ]
    scores = warehouse.execute(
        "select run_id, score from run_scores('page', 'nDCG@10') order by run_id"
    ).fetchall()

print(
    json.dumps(
        {
            "version": duckdb.__version__,
            "marts": sorted(marts),
            "without_comment": without_comment,
            "scores": scores,
        }
    )
)
