"""A seed as a query: the rows of the file, with the types that dbt gives them."""

from pathlib import Path
from typing import Any

from poolhouse.sql_text import quoted_text


def seed_query(seed: Any, project: Path) -> str:  # noqa: ANN401 - dbt's node has no stable type
    """Write the rows of a seed as SQL; its columns have the types that dbt's own seeding gives."""
    from dbt.adapters.duckdb.impl import DuckDBAdapter  # noqa: PLC0415 - takes seconds to import
    from dbt_common.clients.agate_helper import from_csv  # noqa: PLC0415

    told = seed.config.column_types
    table = from_csv(project / seed.original_file_path, list(told), seed.config.delimiter)
    types = [
        told.get(name) or DuckDBAdapter.convert_type(table, index)
        for index, name in enumerate(table.column_names)
    ]
    columns = ", ".join(
        f'cast("{name}" as {type_}) as "{name}"'
        for name, type_ in zip(table.column_names, types, strict=True)
    )
    rows = ",\n".join(f"({', '.join(map(_literal, row))})" for row in table.rows)
    names = ", ".join(f'"{name}"' for name in table.column_names)
    return f"select {columns} from (values\n{rows}\n) as seed ({names})"


def _literal(value: object) -> str:
    return "null" if value is None else quoted_text(str(value))
