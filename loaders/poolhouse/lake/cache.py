"""The databases of lakes in the user's cache."""

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from poolhouse.building.project import cache_folder

# Opening a database takes less, and so does making one on a busy machine.
_SECONDS_OF_USE = 300


def lakes_folder() -> Path:
    """Return the folder of these databases."""
    return cache_folder() / "lakes"


def remove_unused(folders: Iterable[Path]) -> None:
    """Remove folders that nobody has touched for some minutes.

    Another process may be making a younger one, or be about to open it.
    """
    for folder in folders:
        with suppress(OSError):  # removed in the meantime
            if time.time() - folder.stat().st_mtime > _SECONDS_OF_USE:
                shutil.rmtree(folder)
