"""The runs of a question: loaded runs by their names, and runs that are not loaded."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.passages import of_documents
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of

_PASSAGES = "select passage_mark from dim_collections where collection_id = $collection"
MAIN_MEASURE = "select main_measure from dim_collections where collection_id = $collection"

Schema = Mapping[str, type[pl.DataType]]
_RUN: Schema = {"query": pl.String, "docno": pl.String, "score": pl.Float64}
# Other columns of a run file, which matter if the collection was not pooled by score.
_ORDER: Schema = {"rank": pl.Int32, "line_number": pl.Int32}


@dataclass(frozen=True)
class NewRun:
    """A run that is not loaded: its name, and a row for each retrieved document (`as_run`).

    `sha256` is the hash of its file, if it has one.
    """

    run_id: str
    rows: pl.DataFrame
    sha256: str | None = None


@dataclass(frozen=True)
class AskedRuns:
    """Runs of a collection, and the open warehouse. Text is the name of a loaded run."""

    connection: duckdb.DuckDBPyConnection
    collection: str
    runs: Sequence[str | NewRun]

    @property
    def names(self) -> list[str]:
        """The names of all runs."""
        return names_of(self.runs)

    @property
    def loaded(self) -> list[str]:
        """The names of the loaded runs."""
        return [each for each in self.runs if isinstance(each, str)]

    @property
    def new(self) -> list[NewRun]:
        """The runs that are not loaded."""
        return [each for each in self.runs if isinstance(each, NewRun)]

    def put(self, run: NewRun) -> None:
        """Fill the table `new_run`, which macros read, with a run. Raise PoolhouseError."""
        [(mark,)] = self.ask(_PASSAGES).rows()
        put_table(self.connection, "new_run", of_documents(as_run(run.rows), mark))

    def ask(self, query: str, **values: object) -> pl.DataFrame:
        """Return the rows of a query about the collection. Raise duckdb.Error."""
        return rows_of(self.connection, query, {"collection": self.collection, **values})


def names_of(runs: Sequence[str | NewRun]) -> list[str]:
    """Return the names of loaded and new runs."""
    return [each if isinstance(each, str) else each.run_id for each in runs]


def repeated_in(names: Sequence[str]) -> str | None:
    """Return the first name that occurs twice, or None."""
    return next((name for name in names if names.count(name) > 1), None)


def run_ids_of(
    connection: duckdb.DuckDBPyConnection, collection: str, *, are_scored: bool = False
) -> set[str]:
    """Return the built runs of a collection, or those that answer a judged topic."""
    found = connection.execute(
        "select run_id from dim_runs where collection_id = ? and n_topics >= ?",
        [collection, int(are_scored)],
    ).fetchall()
    return {run_id for (run_id,) in found}


def loaded_runs(warehouse: Warehouse, collections: Sequence[str]) -> set[str]:
    """Return the built runs of any of the collections, or none if nothing is built.

    Raise WarehouseMissingError.
    """
    with warehouse.read() as connection:
        if not connection.execute(
            "select 1 from duckdb_views() where schema_name = 'main' and view_name = 'dim_runs'"
        ).fetchall():
            return set()  # the error is raised later, where the collection is used
        return {name for each in collections for name in run_ids_of(connection, each)}


def file_of(text: str, loaded: Collection[str]) -> Path | None:
    """Return the file that a text names, or None if it names a loaded run or nothing."""
    if text in loaded:
        return None
    path = Path(text)
    try:
        return path if path.exists() else None
    except (OSError, ValueError):  # a name that is impossible for a file
        return None


def as_run(frame: pl.DataFrame) -> pl.DataFrame:
    """Select the columns of a run. Refuse values that a run file cannot hold."""
    order = {name: kind for name, kind in _ORDER.items() if name in frame.columns}
    run = columns_of(frame, {**_RUN, **order}, "the run")
    if not run.select(pl.col("score").is_finite().all(ignore_nulls=False)).item():
        raise PoolhouseError("the run has a score that is not a finite number")
    return run if "line_number" in order else run.with_row_index("line_number", offset=1)


def columns_of(frame: pl.DataFrame, schema: Schema, what: str) -> pl.DataFrame:
    """Select columns with the expected types. Raise PoolhouseError that begins with `what`."""
    if missing := [name for name in schema if name not in frame.columns]:
        raise PoolhouseError(f"{what}: there is no column {missing[0]!r}")
    try:
        taken = frame.select(pl.col(name).cast(kind) for name, kind in schema.items())
    except pl.exceptions.PolarsError as error:
        raise PoolhouseError(f"{what}: {' '.join(str(error).split())}") from error
    if taken.select(pl.any_horizontal(pl.col("query", "docno").has_nulls())).item():
        raise PoolhouseError(f"{what}: there is a row without a topic or a document")
    return taken
