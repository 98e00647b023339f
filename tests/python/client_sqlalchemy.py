"""Reflect a warehouse by SQLAlchemy, in any environment that has SQLAlchemy and the dialect.

The script prints one JSON object. It has SQLAlchemy's version, and for each mart the comment, the
columns (name, type, comment), the key and the foreign keys.
"""

import json
import sys
from importlib.metadata import version
from typing import Any

import sqlalchemy

Marts = dict[str, dict[str, Any]]


def reflect(file: str) -> Marts:
    """Reflect every mart, as a tool that lists marts does."""
    engine = sqlalchemy.create_engine(f"duckdb:///{file}?access_mode=read_only")
    inspector = sqlalchemy.inspect(engine)
    found: Marts = {}
    for mart in inspector.get_view_names(schema="main"):
        table = sqlalchemy.Table(mart, sqlalchemy.MetaData(), schema="main", autoload_with=engine)
        found[mart] = {
            "comment": table.comment,
            "columns": {
                column.name: [column.type.compile(engine.dialect), column.comment]
                for column in table.columns
            },
            "key": [column.name for column in table.primary_key.columns],
            "foreign_keys": [str(each) for each in table.foreign_keys],
        }
    engine.dispose()
    return found


if __name__ == "__main__":
    print(json.dumps({"version": version("sqlalchemy"), "marts": reflect(sys.argv[1])}))
