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

import duckdb


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
