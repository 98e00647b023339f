"""The dialect of SQLAlchemy through which Great Expectations queries the warehouse."""

import duckdb_sqlalchemy
from sqlalchemy.engine.cursor import FullyBufferedCursorFetchStrategy


class _BufferedContext(duckdb_sqlalchemy.Dialect.execution_ctx_cls):  # type: ignore[valid-type,misc]
    """Fetches every result at once, because Great Expectations first returns the connection."""

    def post_exec(self) -> None:
        super().post_exec()
        if self.cursor.description:
            self.cursor_fetch_strategy = FullyBufferedCursorFetchStrategy(
                self.cursor, initial_buffer=self.cursor.fetchall()
            )


class BufferedDialect(duckdb_sqlalchemy.Dialect):
    """duckdb-sqlalchemy's dialect, with results that outlive their connection."""

    execution_ctx_cls = _BufferedContext
    supports_statement_cache = False
