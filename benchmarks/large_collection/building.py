"""Build a warehouse in this process, and print what each model took, as JSON.

A build that fails prints its steps too; the last one is the step that failed.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.spilling import spilling_to

from .watching import Watcher

_ROWS = """
    select table_name, estimated_size from duckdb_tables()
    where schema_name not in ('raw', 'ops', 'experiments')
"""


def main(warehouse: Warehouse, spill: Path) -> None:
    """Build, and print the steps with the rows of their tables."""
    with spilling_to(spill), Watcher(spill) as watcher:
        try:
            build(warehouse, progress=watcher.show)
        except PoolhouseError as error:
            sys.stderr.write(f"{error}\n")
    with warehouse.read() as connection:
        n_rows = dict(connection.execute(_ROWS).fetchall())
    steps = [{**asdict(step), "rows": n_rows.get(step.name, 0)} for step in watcher.steps.values()]
    json.dump(steps, sys.stdout)


if __name__ == "__main__":
    main(Warehouse(Path(sys.argv[1])), Path(sys.argv[2]))
