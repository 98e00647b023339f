"""The raw schema, as loading writes it: one collection's rows, and the account of its files."""

from collections.abc import Sequence
from typing import Any

import duckdb
import polars as pl

from poolhouse.parsers import ParsedFile, RunDescription, SourceFile


class RawStore:
    """One collection in the raw schema; it is declared when the store is made."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, collection: str) -> None:
        self.connection = connection
        self.collection = collection
        connection.execute(
            "insert into raw.collections (collection_id) values (?) on conflict do nothing",
            [collection],
        )
        self.collection_key: int = self._rows(
            "select collection_key from raw.collections where collection_id = ?", collection
        )[0][0]

    def declare(
        self,
        title: str | None,
        pool_depth: int | None,
        relevance_threshold: int | None,
        pooling_order: str | None,
    ) -> None:
        """Set what is declared of the collection; None leaves what is there."""
        self.connection.execute(
            """
            update raw.collections
            set
                title = coalesce(?, title),
                declared_pool_depth = coalesce(?, declared_pool_depth),
                relevance_threshold = coalesce(?, relevance_threshold),
                pooling_order = coalesce(?, pooling_order)
            where collection_key = ?
            """,
            [title, pool_depth, relevance_threshold, pooling_order, self.collection_key],
        )

    def has(self, kind: str) -> bool:
        """Say whether a file of this kind is loaded."""
        return bool(self._of_collection("select 1 from ops.files", "kind = ?", kind))

    def holds(self, source: SourceFile, kind: str, name: str) -> bool:
        """Say whether the content of this very file is loaded."""
        known = self._of_collection(
            "select sha256 from ops.files", "kind = ? and name = ?", kind, name
        )
        return known == [(source.sha256,)]

    def replace_descriptions(self, source: SourceFile, runs: Sequence[RunDescription]) -> None:
        """Put these descriptions in the place of all earlier ones."""
        self._forget("raw.descriptions")
        if runs:
            self.connection.executemany(
                "insert into raw.descriptions values (?, ?, ?, ?, ?)",
                [
                    (self.collection_key, run.run_id, run.organization, run.run_type, run.is_pooled)
                    for run in runs
                ],
            )
        self._record(source, "descriptions", "descriptions", len(runs))

    def replace_topics(self, source: SourceFile, topics: pl.DataFrame) -> None:
        """Put these titles (query, title) in the place of all earlier ones."""
        self._forget("raw.topics")
        self._append("raw.topics", topics, "query, title")
        self._record(source, "topics", "topics", topics.height)

    def replace_qrels(self, source: SourceFile, parsed: ParsedFile) -> None:
        """Put these judgements in the place of all earlier ones."""
        self._forget("raw.qrels_lines")
        self._append("raw.qrels_lines", parsed.rows, "line_number, query, iteration, docno, grade")
        self._account(source, "qrels", "qrels", parsed)

    def replace_runs(self, runs: Sequence[tuple[str, SourceFile, ParsedFile]]) -> None:
        """Add runs by id, each in the place of an earlier one of that id."""
        lines = pl.concat(
            parsed.rows.with_columns(run_key=pl.lit(self._run_key(run_id), pl.Int32))
            for run_id, _, parsed in runs
        )
        columns = "run_key, line_number, query, docno, rank, score, tag"
        self._append("raw.run_lines", lines, columns)
        for run_id, source, parsed in runs:
            self._account(source, "run", run_id, parsed)

    def unmatched_runs(self) -> tuple[list[str], list[str]]:
        """List loaded runs that are not described, and described ones that are not loaded."""
        undescribed, not_loaded = self._rows(
            """
            select
                list(runs.run_id order by runs.run_id) filter (where described.run_id is null),
                list(described.run_id order by described.run_id) filter (where runs.run_id is null)
            from (from raw.runs where collection_key = $1) as runs
            full join (from raw.descriptions where collection_key = $1) as described
                on runs.run_id = described.run_id
            """,
            self.collection_key,
        )[0]
        return undescribed or [], not_loaded or []

    def _run_key(self, run_id: str) -> int:
        """Give a new run its key; a known one keeps its own and loses its old lines."""
        known = self._of_collection("select run_key from raw.runs", "run_id = ?", run_id)
        if known:
            self.connection.execute("delete from raw.run_lines where run_key = ?", known[0])
            return int(known[0][0])
        new = self._rows(
            "insert into raw.runs (collection_key, run_id) values (?, ?) returning run_key",
            *(self.collection_key, run_id),
        )
        return int(new[0][0])

    def _account(self, source: SourceFile, kind: str, name: str, parsed: ParsedFile) -> None:
        """Record a file of lines, and the lines of it that were set aside."""
        self.connection.execute(
            "delete from raw.rejected_lines where collection_key = ? and kind = ? and name = ?",
            [self.collection_key, kind, name],
        )
        rejected = parsed.rejected.with_columns(kind=pl.lit(kind), name=pl.lit(name))
        self._append("raw.rejected_lines", rejected, "kind, name, line_number, reason, text")
        self._record(source, kind, name, parsed.rows.height, parsed)

    def _record(
        self,
        source: SourceFile,
        kind: str,
        name: str,
        n_rows: int,
        parsed: ParsedFile | None = None,
    ) -> None:
        self.connection.execute(
            "delete from ops.files where collection_key = ? and kind = ? and name = ?",
            [self.collection_key, kind, name],
        )
        self.connection.execute(
            """
            insert into ops.files (
                collection_key, kind, name, path, sha256, n_bytes,
                n_lines, n_rows, n_blank, n_rejected
            )
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                self.collection_key,
                kind,
                name,
                str(source.path.absolute()),
                source.sha256,
                len(source.stored),
                parsed.n_lines if parsed else None,
                n_rows,
                parsed.n_blank if parsed else None,
                parsed.rejected.height if parsed else None,
            ],
        )

    def _forget(self, table: str) -> None:
        self.connection.execute(
            f"delete from {table} where collection_key = ?",  # noqa: S608 - own table names
            [self.collection_key],
        )

    def _append(self, table: str, frame: pl.DataFrame, columns: str) -> None:
        self.connection.register("frame", frame.to_arrow())
        self.connection.execute(
            f"insert into {table} (collection_key, {columns}) select ?, {columns} from frame",  # noqa: S608
            [self.collection_key],
        )
        self.connection.unregister("frame")

    def _of_collection(self, select: str, condition: str, *values: object) -> list[tuple[Any, ...]]:
        return self._rows(
            f"{select} where collection_key = ? and {condition}", self.collection_key, *values
        )

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        # All of them: DuckDB 2.0 refuses other work while a result is not read to its end.
        return self.connection.execute(sql, values).fetchall()
