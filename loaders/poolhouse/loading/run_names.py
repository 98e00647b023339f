"""Where the name of a run is."""

from io import BytesIO
from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.loading.run_files import is_name, run_id_of
from poolhouse.option_values import RUN_NAMES
from poolhouse.request_fields import option

# TIRA puts the run of SYSTEM into SYSTEM/output.
_FOLDER_OF_TIRA = "output"
_FIELDS_BEFORE_TAG = 5  # topic Q0 docno rank score


def run_name_option(prefix: str = "") -> str:
    """Return the field of a request that says where the name of a run is."""
    name: str = option(
        f"{prefix}Where the name of a run is: the name of its file, of its folder (as in "
        "SYSTEM/run.txt, or TIRA's SYSTEM/output/run.txt), or the tag in its first line.",
        "--run-id",
        default=RUN_NAMES[0],
        among=RUN_NAMES,
        shows_default=True,
    )
    return name


def run_name(file: Path, named_by: str = RUN_NAMES[0]) -> str:
    """Return the id of the run of a file. `named_by` is one of RUN_NAMES.

    Raise BadFileError where the name cannot be the id of a run, and where the first line has no
    tag.
    """
    if named_by == "tag":
        name = _tag_of(file)
    elif named_by == "folder":
        folder = file.absolute().parent
        name = folder.parent.name if folder.name == _FOLDER_OF_TIRA else folder.name
    else:
        name = file.name
    run_id = run_id_of(name)
    if not is_name(run_id):
        problem = f"the name of its {named_by} gives the run the id {run_id!r}; rename the file"
        raise BadFileError(file, problem)
    return run_id


def _tag_of(file: Path) -> str:
    # No help text waits for the parsers.
    from poolhouse.loading.parsers.json_lists import is_json  # noqa: PLC0415
    from poolhouse.loading.parsers.lines import COMMENT_MARK  # noqa: PLC0415
    from poolhouse.loading.parsers.source import read_source  # noqa: PLC0415

    source = read_source(file)
    for line in BytesIO(b"" if is_json(source) else source.data):
        fields = line.decode().split(maxsplit=_FIELDS_BEFORE_TAG)
        if fields and not fields[0].startswith(COMMENT_MARK):
            break
    else:
        fields = []
    if len(fields) <= _FIELDS_BEFORE_TAG:
        raise BadFileError(file, "has no tag in its first line: name its run by file or folder")
    return fields[-1].strip()
