"""A script: commands on a file system that fills up, in a mount namespace of its own.

Arguments: the folder of a warehouse, over which a small file system is mounted with the same files
in it; then a JSON list of [bytes to leave free (null: all), arguments of poolhouse]. Prints a JSON
list of what came of each.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from poolhouse.command_line import main as cli

# Room for the warehouse, for the copy that a change works on, and for as much again.
TIMES = 3


def main() -> None:
    """Mount, fill, run, report."""
    folder = Path(sys.argv[1])
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    size = TIMES * sum(map(len, files.values()))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)  # noqa: S607
    for name, content in files.items():
        (folder / name).write_bytes(content)
    print(json.dumps([attempt(folder, *each) for each in json.loads(sys.argv[2])]))


def attempt(folder: Path, n_free: int | None, arguments: list[str]) -> dict[str, object]:
    """Run a command with so much room, and say what it ended in and what it left."""
    filler = folder / "filler"
    if n_free is not None:
        there = os.statvfs(folder)
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, there.f_bavail * there.f_bsize - n_free)
    before = contents(folder)
    done = CliRunner().invoke(cli.main, arguments)
    after = contents(folder)
    filler.unlink(missing_ok=True)
    return {
        "exit_code": done.exit_code,
        "stderr": done.stderr,
        "is_unchanged": before == after,
        "names": sorted(after),
    }


def contents(folder: Path) -> dict[str, bytes]:
    """Read what lies in the folder, locks and filler aside."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and file.name != "filler" and not file.name.endswith(".lock")
    }


if __name__ == "__main__":
    main()
