"""The runs that the arguments of a command name."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.errors import SeveralRunsError

if TYPE_CHECKING:
    from poolhouse.loading.line_files import LinesOfFile
    from poolhouse.scoring.asked_runs import NewRun
    from poolhouse.warehouse.file import Warehouse


def run_of(path: Path) -> "LinesOfFile":
    """Read and return the one run at the path.

    Raise click's UsageError for a folder of several runs, and BadFileError for a bad file.
    """
    from poolhouse.loading.line_files import read_run

    try:
        return read_run(path)
    except SeveralRunsError as error:
        raise click.UsageError(str(error)) from error


def runs_of(
    warehouse: "Warehouse", collections: Sequence[str], texts: Sequence[str]
) -> tuple[list["str | NewRun"], list[str]]:
    """Return a run for each text, the id of a loaded run or a read file, and remarks on lines.

    A loaded run is a run of any of the collections.
    """
    from poolhouse.file_digests import digest_of
    from poolhouse.scoring.asked_runs import NewRun, file_of, loaded_runs

    loaded = loaded_runs(warehouse, collections)
    runs: list[str | NewRun] = []
    remarks: list[str] = []
    for text in texts:
        if file := file_of(text, loaded):
            run = run_of(file)
            runs.append(NewRun(run.run_id, run.rows, digest_of(run.path)))
            remarks += run.remarks
        else:
            runs.append(text)
    return runs, remarks


def first_new(texts: Sequence[str], runs: Sequence["str | NewRun"]) -> str | None:
    """Return the text that names the first run file, or None where every run is loaded."""
    pairs = zip(texts, runs, strict=True)
    return next((text for text, run in pairs if not isinstance(run, str)), None)


def ids_of(texts: Sequence[str], named: Sequence[str], runs: Sequence["str | NewRun"]) -> list[str]:
    """Return the run's id for each text that is one of the named runs; other texts as they are."""
    from poolhouse.scoring.asked_runs import names_of

    ids = dict(zip(named, names_of(runs), strict=True))
    return [ids.get(text, text) for text in texts]
