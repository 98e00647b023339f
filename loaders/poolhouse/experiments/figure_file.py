"""Checking the file of a figure before any computation."""

import os
from pathlib import Path

from poolhouse.errors import PoolhouseError

# Formats that matplotlib writes without other programs.
_FORMATS = ("svg", "svgz", "pdf", "eps", "ps", "png", "jpg", "jpeg", "tif", "tiff", "webp")


def check_figure_file(file: Path) -> None:
    """Refuse a file that no figure can be drawn into.

    Raise PoolhouseError where the end of its name is no known format, or where it cannot be
    written.
    """
    if file.suffix.removeprefix(".").lower() not in _FORMATS:
        raise PoolhouseError(
            f"{file}: the name must end in the format of the figure: {', '.join(_FORMATS)}"
        )
    if not file.parent.is_dir():
        raise PoolhouseError(f"{file}: no such folder")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise PoolhouseError(f"{file}: the figure cannot be written there")
