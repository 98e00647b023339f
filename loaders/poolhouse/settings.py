"""What a user may choose of the models: kept in the warehouse, beside what is built by it."""

import json
from typing import Any

import duckdb


def chosen_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Give the settings of a warehouse that differ from the project's own, by name."""
    try:
        rows = connection.execute("select name, value from ops.settings order by name").fetchall()
    except duckdb.CatalogException:  # of an earlier version, and only read
        return {}
    return {name: json.loads(value) for name, value in rows}
