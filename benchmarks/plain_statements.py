"""Time SQL statements alone: in one process, on a warehouse, without dbt or Poolhouse.

    python benchmarks/plain_statements.py WAREHOUSE STATEMENTS

The command runs the statements, a JSON list of texts, and writes to WAREHOUSE. It prints CPU
seconds. They leave out the start of Python, the import of duckdb and the opening of the file.
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

# First words of statements that make or test seeds, models and rows. Comments on them do not count.
_COUNTED = ("create", "insert", "delete", "select", "(from", "set", "reset")


def statements_of_build(warehouse: Path) -> list[str]:
    """Build the stale tables, and return the statements that make and test them.

    The function changes the warehouse: pass a copy.
    """
    statements: list[str] = []

    class Recorded(Runner):
        """A runner that records its statements."""

        def __init__(self, plan: Any, connection: Any, *rest: Any) -> None:  # noqa: ANN401
            super().__init__(plan, _Recording(connection, statements), *rest)  # type: ignore[arg-type]

    with patch.object(building, "Runner", Recorded):
        building.build(Warehouse(warehouse))
    return statements


class _Recording:
    """A connection that records its statements."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, statements: list[str]) -> None:
        self._connection = connection
        self._statements = statements

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._connection, name)

    def execute(self, statement: str, values: Sequence[int] = ()) -> duckdb.DuckDBPyConnection:
        """Run a statement, and record it with its values, which are keys, in its text."""
        text = statement.strip()
        for value in values:
            text = text.replace("?", str(value), 1)
        if text.startswith(_COUNTED):
            self._statements.append(text)
        return self._connection.execute(statement, list(values))


def cpu_seconds(warehouse: Path, statements: Sequence[str]) -> float:
    """Run statements on a warehouse in a new process, and return the CPU seconds of all threads.

    The function changes the warehouse: pass a copy. Raise subprocess.CalledProcessError where the
    process fails.
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
