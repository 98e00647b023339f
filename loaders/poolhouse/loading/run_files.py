"""Run files, and the names that a run may have."""

import stat
from collections.abc import Iterable
from pathlib import Path

from poolhouse.errors import BadFileError

_NO_RUN_FILE = (
    "neither a file nor a link to a file: a folder of runs must hold run files only "
    "(and hidden files)"
)


def run_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """List the run files that paths name. A folder stands for its files without hidden files.

    Raise BadFileError for a missing path, an empty folder, or a second file for a run.
    """
    files: dict[str, Path] = {}
    for path in paths:
        for file in _files_of(path):
            run_id = run_id_of(file.name)
            if not is_name(run_id):
                problem = f"the name of the file gives the run the id {run_id!r}; rename the file"
                raise BadFileError(file, problem)
            if run_id in files and not _are_one(files[run_id], file):
                raise BadFileError(
                    file, f"{files[run_id]} is also run {run_id!r}; rename one of the files"
                )
            files[run_id] = file
    return tuple(files.values())


def run_id_of(file_name: str) -> str:
    """Return the id of a run: its file name without a leading `input.` and a trailing `.gz`.

    The tag column is not the id, because tags repeat (in TREC-2, prc1 and prc2 have the same tag).
    """
    return file_name.removeprefix("input.").removesuffix(".gz")


def is_name(name: str) -> bool:
    """Return whether a text can name a run or a collection: not empty, and printable."""
    return bool(name.strip()) and name.isprintable()


def _files_of(path: Path) -> list[Path]:
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            return [path]
        files = [entry for entry in sorted(path.iterdir()) if not entry.name.startswith(".")]
        for entry in files:
            if not entry.is_file():
                raise BadFileError(entry, _NO_RUN_FILE)
    except FileNotFoundError as error:
        raise BadFileError(path, "no such file or folder") from error
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise BadFileError(path, f"cannot be read: {problem}") from error
    if not files:
        raise BadFileError(path, "the folder holds no run files")
    return files


def _are_one(path: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file, also through a link or `..`."""
    try:
        return path.absolute() == other.absolute() or path.samefile(other)
    except OSError:
        return False
