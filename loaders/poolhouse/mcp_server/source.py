"""What the tools read: a warehouse or a lake, and the folder of run files that the user named."""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Self

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.mcp_server.answers import MOST_COUNTED
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class Folder:
    """A folder of which no file outside is read; `path` has no links."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the folder at the path. Raise PoolhouseError where there is none."""
        if not path.is_dir():
            raise PoolhouseError(f"{path}: no folder here: name one that holds run files")
        return cls(path.resolve())

    def names(self) -> list[str]:
        """List the files within the folder, without those to which links lead out of it."""
        files = (each for each in sorted(self.path.rglob("*")) if self._within(each))
        return [each.relative_to(self.path).as_posix() for each in islice(files, MOST_COUNTED + 1)]

    def file(self, name: str) -> Path:
        """Return the file of a name, which is relative to the folder. Raise PoolhouseError."""
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise PoolhouseError(f"{name!r}: give a name that is relative to the folder of runs")
        file = self._within(self.path / name)
        if file is None:
            near = did_you_mean(name, self.names())
            raise PoolhouseError(f"no file {name!r} in the folder of runs (list_files){near}")
        return file

    def _within(self, path: Path) -> Path | None:
        try:
            file = Path(os.path.realpath(path))
            return file if file.is_relative_to(self.path) and file.is_file() else None
        except (OSError, ValueError):  # a name that is impossible for a file
            return None


@dataclass(frozen=True)
class Source:
    """What the tools read."""

    warehouse: Warehouse
    folder: Folder | None = None
