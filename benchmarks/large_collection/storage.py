"""How many bytes the file has for each table."""

import duckdb
import polars as pl


def bytes_of_tables(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Return the rows and the megabytes of each table, the largest first.

    Blocks that several columns share are counted once, for the first of them.
    """
    [(block_size,)] = connection.execute("select block_size from pragma_database_size()").fetchall()
    tables = connection.execute(
        """
        select schema_name, table_name, estimated_size from duckdb_tables()
        where not internal and estimated_size > 0
        """
    ).fetchall()
    rows = []
    for schema, table, n_rows in tables:
        [(n_blocks,)] = connection.execute(
            f"""
            select count(distinct block) from (
                select block_id as block from pragma_storage_info('{schema}.{table}')
                union all
                select unnest(additional_block_ids) from pragma_storage_info('{schema}.{table}')
            ) where block >= 0
            """  # noqa: S608 - names of our own tables
        ).fetchall()
        rows.append((f"{schema}.{table}", n_rows, n_blocks * block_size / 1e6))
    frame = pl.DataFrame(rows, schema=["table", "rows", "megabytes"], orient="row")
    return frame.sort("megabytes", descending=True)
