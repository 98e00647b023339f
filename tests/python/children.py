"""Child processes, forked from a process that has imported the package and done nothing else.

A child imports the module of its target. Targets are therefore in modules that import little.
"""

import multiprocessing
import pkgutil
from multiprocessing.connection import Connection
from pathlib import Path

from click.testing import CliRunner

import poolhouse
from poolhouse.command_line.main import main

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *(
            module.name
            for module in pkgutil.walk_packages(poolhouse.__path__, "poolhouse.")
            if not module.name.endswith("__main__")
        ),
        "click.testing",
    ]
)


def run_commands(pipe: Connection, content: bytes, folder: Path, asked: list[list[str]]) -> None:
    """Run each command on a file of its own with this content, and send how it ended."""
    for number, arguments in enumerate(asked):
        warehouse = folder / f"{number}" / "poolhouse.duckdb"
        warehouse.parent.mkdir(parents=True)
        warehouse.write_bytes(content)
        done = CliRunner().invoke(main, [*arguments, "--db", str(warehouse)])
        raised = done.exception if not isinstance(done.exception, SystemExit) else None
        pipe.send((done.exit_code, done.stderr, raised and repr(raised)))
