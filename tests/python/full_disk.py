"""Run commands on a file system that fills up, in a separate mount namespace.

The first argument of this script is the folder of a warehouse. The script mounts a small file
system over it, with the same files. The second argument is a JSON list of [bytes to leave free
(null: all), arguments of poolhouse]. The script prints a JSON list of the results.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from poolhouse.command_line import main as cli

# The file system has room for the warehouse, for the copy that a command changes, and for a third.
TIMES = 3


def main() -> None:
    """Mount the file system, run the commands, and print their results."""
    folder = Path(sys.argv[1])
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    size = TIMES * sum(map(len, files.values()))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)  # noqa: S607
    for name, content in files.items():
        (folder / name).write_bytes(content)
    print(json.dumps([attempt(folder, *each) for each in json.loads(sys.argv[2])]))


def attempt(folder: Path, n_free: int | None, arguments: list[str]) -> dict[str, object]:
    """Run a command with this many free bytes; return how it ended and which files it left."""
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
    """Return the files of the folder, without locks and the file that fills the disk."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and file.name != "filler" and not file.name.endswith(".lock")
    }


if __name__ == "__main__":
    main()
