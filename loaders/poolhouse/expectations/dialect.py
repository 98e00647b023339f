"""The dialect of SQLAlchemy through which Great Expectations speaks to the warehouse."""

import duckdb_engine
from sqlalchemy.engine.cursor import FullyBufferedCursorFetchStrategy


class _BufferedContext(duckdb_engine.Dialect.execution_ctx_cls):  # type: ignore[valid-type,misc]
    """Fetches every result at once: Great Expectations reads it when the next query has run."""

    def post_exec(self) -> None:
        super().post_exec()
        if self.cursor.description:
            self.cursor_fetch_strategy = FullyBufferedCursorFetchStrategy(
                self.cursor, initial_buffer=self.cursor.fetchall()
            )


class BufferedDialect(duckdb_engine.Dialect):
    """duckdb-engine's dialect, with results that outlive the query after them."""

    execution_ctx_cls = _BufferedContext
    supports_statement_cache = False
