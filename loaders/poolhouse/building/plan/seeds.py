"""A seed as a query for the rows of the file, with the types of dbt's loading."""

from glob import escape
from pathlib import Path
from typing import Any

import duckdb

from poolhouse.errors import PlanError
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.sql_text import quoted_name, quoted_text


def seed_query(seed: Any, project: Path) -> str:  # noqa: ANN401 - dbt's node has no stable type
    """Write the rows of a seed as SQL, with the same types as dbt's own seeds.

    Raise PlanError where a value does not have the type of its column.
    """
    from dbt.adapters.duckdb.impl import DuckDBAdapter  # noqa: PLC0415 - takes seconds to import
    from dbt_common.clients.agate_helper import from_csv  # noqa: PLC0415

    file, told = project / seed.original_file_path, seed.config.column_types
    table = from_csv(file, list(told), seed.config.delimiter)
    types = {
        name: told.get(name) or DuckDBAdapter.convert_type(table, index)
        for index, name in enumerate(table.column_names)
    }
    try:
        rows = _rows(file, seed.config.delimiter, types)
    except duckdb.Error as error:
        raise PlanError(f"{seed.original_file_path}: {first_line(error)}") from error
    columns = ", ".join(
        f"cast({quoted_name(name)} as {type_}) as {quoted_name(name)}"
        for name, type_ in types.items()
    )
    # A seed without rows has columns too.
    values = ",\n".join(_values(row) for row in rows) or _values((None,) * len(types))
    names = ", ".join(map(quoted_name, types))
    limit = "" if rows else " limit 0"
    return f"select {columns} from (values\n{values}\n) as seed ({names}){limit}"


def _rows(file: Path, delimiter: str, types: dict[str, str]) -> list[tuple[str | None, ...]]:
    """Read a file by the engine, as dbt does; dbt's own reader has other nulls."""
    columns = ", ".join(f"{quoted_name(name)} {type_}" for name, type_ in types.items())
    with duckdb.connect() as connection:
        connection.execute(f"create table seed ({columns})")
        connection.execute(
            f"""
            copy seed from {quoted_text(escape(str(file)))}
            (format csv, header true, delimiter {quoted_text(delimiter)})
            """
        )
        return connection.execute("select cast(columns(*) as varchar) from seed").fetchall()


def _values(row: tuple[str | None, ...]) -> str:
    texts = ("null" if value is None else quoted_text(value) for value in row)
    return f"({', '.join(texts)})"
