"""CPU seconds of SQL statements alone: in one process, on a warehouse, without dbt or Poolhouse.

    python benchmarks/plain_statements.py WAREHOUSE STATEMENTS

runs the statements, a JSON list of texts, and writes to WAREHOUSE. Starting Python, importing
duckdb and opening the file are not counted.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any
from unittest.mock import patch

import duckdb

from poolhouse.building import build as building
from poolhouse.building.runner import Runner
from poolhouse.warehouse.file import Warehouse

# What makes seeds, models and rows, and tests them: not what is said about them.
_COUNTED = ("create", "insert", "delete", "select", "(from", "set", "reset")


def statements_of_build(warehouse: Path) -> list[str]:
    """Build what is stale, and list the statements that make it and test it.

    The warehouse is built: give a copy of it.
    """
    statements: list[str] = []

    class Recorded(Runner):
        """Writes down what it runs."""

        def __init__(self, plan: Any, connection: Any, *rest: Any) -> None:  # noqa: ANN401
            super().__init__(plan, _Recording(connection, statements), *rest)  # type: ignore[arg-type]

    with patch.object(building, "Runner", Recorded):
        building.build(Warehouse(warehouse))
    return statements


class _Recording:
    """A connection that writes down its statements."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, statements: list[str]) -> None:
        self._connection = connection
        self._statements = statements

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._connection, name)

    def execute(self, statement: str, values: Sequence[int] = ()) -> duckdb.DuckDBPyConnection:
        """Run a statement; its values, which are keys, are written into what is recorded."""
        text = statement.strip()
        for value in values:
            text = text.replace("?", str(value), 1)
        if text.startswith(_COUNTED):
            self._statements.append(text)
        return self._connection.execute(statement, list(values))


def cpu_seconds(warehouse: Path, statements: Sequence[str]) -> float:
    """Run statements on a warehouse in a new process: CPU seconds of its threads together.

    The warehouse is written to: give a copy of it. Errors: subprocess.CalledProcessError.
    """
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
        json.dump(list(statements), file)
        file.flush()
        command = [sys.executable, __file__, str(warehouse), file.name]
        finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(finished.stdout)


def _used() -> float:
    usage = getrusage(RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main(warehouse: str, statements: str) -> None:
    """Run the statements of a file, and print the CPU seconds that they took."""
    texts = json.loads(Path(statements).read_text(encoding="utf-8"))
    with duckdb.connect(warehouse) as connection:
        before = _used()
        for text in texts:
            connection.execute(text).fetchall()
        used = _used() - before
    sys.stdout.write(f"{used:.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
