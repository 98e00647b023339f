"""What ir_metadata declares of the runs of a load: in their files, or in a file beside them."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.loading.inputs import Input
from poolhouse.loading.parsers import SourceFile, read_source
from poolhouse.loading.parsers.run_metadata import (
    METADATA_LIMIT,
    RunMetadata,
    metadata_at_head,
    parse_metadata,
)
from poolhouse.loading.reading import Load

_BESIDE = "ir-metadata.yml"


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
    found = dict(read)
    for given in runs:
        beside = _beside(load, given)
        if beside and (beside.tag == given.name or n_in_folder[given.path.parent] == 1):
            found[given.name] = beside
    if not found:
        return
    named = {name: metadata or RunMetadata() for name, metadata in found.items()}
    columns = ("organization", "run_type", "description")
    described = load.store.rows(
        """
        update raw.runs set
            organization = given.organization,
            run_type = given.run_type,
            description = given.description
        from (
            select
                unnest($2) as run_id,
                unnest(cast($3 as varchar [])) as organization,
                unnest(cast($4 as varchar [])) as run_type,
                unnest(cast($5 as varchar [])) as description
        ) as given
        where
            runs.collection_key = $1
            and runs.run_id = given.run_id
            and (runs.organization, runs.run_type, runs.description)
            is distinct from (given.organization, given.run_type, given.description)
        returning runs.organization is not null or runs.run_type is not null
            or runs.description is not null
        """,
        *(load.store.collection_key, list(named)),
        *([getattr(each, column) for each in named.values()] for column in columns),
    )
    load.report.n_described += sum(is_described for (is_described,) in described)


def _beside(load: Load, given: Input) -> RunMetadata | None:
    file = given.path.parent / _BESIDE
    if not file.is_file():
        return None
    try:
        source = read_source(file, METADATA_LIMIT, is_quotable=load.request.is_quotable)
        return parse_metadata(source)
    except BadFileError as error:
        load.report.remarks.append(f"no run is described by {error}")
        return None
