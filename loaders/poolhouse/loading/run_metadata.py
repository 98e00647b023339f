"""What ir_metadata declares of the runs of a load: in their files, or in a file beside them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import SourceFile, read_source
from poolhouse.loading.parsers.run_metadata import (
    METADATA_LIMIT,
    RunMetadata,
    metadata_at_head,
    parse_metadata,
)
from poolhouse.loading.reading import Load
from poolhouse.loading.run_files import METADATA

_DESCRIBE = """
update raw.runs set organization = $3, run_type = $4, description = $5
where
    collection_key = $1
    and run_id = $2
    and (organization, run_type, description) is distinct from ($3, $4, $5)
returning run_id
"""


def metadata_of(load: Load, source: SourceFile) -> RunMetadata | None:
    """Return the metadata at the head of a run file. A remark says why it cannot be read."""
    try:
        return metadata_at_head(source)
    except BadFileError as error:
        load.report.remarks.append(f"no run is described by {error}")
        return None


def describe_runs(load: Load, read: Mapping[str, RunMetadata | None]) -> None:
    """Record what metadata declares of runs. Descriptions that are loaded count more.

    `read` has the runs whose files were read, each with the metadata in its file. A file of
    metadata beside a run counts more. It is about the run of its tag, or the only one in the
    folder. Without a word, an unchanged run keeps its metadata.
    """
    runs = [given for given in load.inputs("run") if isinstance(given.source, Path)]
    n_in_folder = Counter(given.path.parent for given in runs)
    in_folder = {folder: _metadata_in(load, folder) for folder in n_in_folder}
    found = dict(read)
    for given in runs:
        folder = given.path.parent
        beside = in_folder[folder]
        if beside and (beside.tag == given.name or n_in_folder[folder] == 1):
            found[given.name] = beside
    replaced = set(load.report.replaced_runs)
    for name, metadata in found.items():
        if not metadata and name not in replaced:
            continue
        described = astuple(metadata or RunMetadata())[1:]
        changed = load.store.rows(_DESCRIBE, load.store.collection_key, name, *described)
        load.report.n_described += bool(changed and metadata)


def _metadata_in(load: Load, folder: Path) -> RunMetadata | None:
    file = folder / METADATA
    if not file.is_file():
        return None
    try:
        source = read_source(file, METADATA_LIMIT, is_quotable=load.request.is_quotable)
        return parse_metadata(source)
    except BadFileError as error:
        load.report.remarks.append(f"no run is described by {error}")
        return None
