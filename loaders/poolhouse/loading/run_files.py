"""Run files, and the names that a run may have."""

import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.output.words import some_of

# Endings of packed files, and of run files. They are no part of the name of a run.
_PACKED = (".gz", ".xz", ".bz2", ".zst")
_ENDINGS = (".txt", ".run", ".trec", ".res", ".tsv", ".json")
# The description that ir_metadata puts beside a run.
METADATA = "ir-metadata.yml"


def run_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """List the run files that paths name, each once.

    A folder stands for the files in it and in its folders, without hidden ones. Raise BadFileError
    for a missing path, an empty folder, and for what is neither a file nor a folder.
    """
    files: dict[tuple[object, ...], Path] = {}
    for path in paths:
        for file in _files_of(path):
            files.setdefault(_identity(file), file)
    return tuple(files.values())


def run_id_of(name: str) -> str:
    """Return the id of a run: a name without a leading `input.`, and without the usual endings.

    These are one of a packed file, and before it one of a run file.
    """
    name = name.removeprefix("input.")
    for endings in (_PACKED, _ENDINGS):
        stem, dot, last = name.rpartition(".")
        name = stem if stem and f"{dot}{last}" in endings else name
    return name


def is_name(name: str) -> bool:
    """Return whether a text can name a run or a collection: not empty, and printable."""
    return bool(name.strip()) and name.isprintable()


def _files_of(path: Path) -> list[Path]:
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            return [path]
        found = list(_below(path))
    except FileNotFoundError as error:
        raise BadFileError(path, "no such file or folder") from error
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise BadFileError(path, f"cannot be read: {problem}") from error
    if odd := [str(entry.relative_to(path)) for entry in found if not entry.is_file()]:
        problem = f"holds what is neither a file nor a link to a file: {some_of(odd)}"
        raise BadFileError(path, f"{problem}; a folder of runs must hold run files only")
    if not found:
        raise BadFileError(path, "the folder holds no run files")
    return found


def _below(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name == METADATA:
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _below(entry)
        else:
            yield entry


def _identity(file: Path) -> tuple[object, ...]:
    """Return what two paths to the same file share, also where one has a link or `..`."""
    try:
        found = file.stat()
    except OSError:
        return (file.absolute(),)
    return found.st_dev, found.st_ino
