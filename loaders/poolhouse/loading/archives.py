"""Archives: the collections that one YAML file lists, loaded together and published at once.

The file is a list. Each entry names a collection and its files and settings. Paths are relative to
the file. Values are text, as on a command line, and no value of a YAML type is constructed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import yaml

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.load import load_into
from poolhouse.loading.parsers import read_source
from poolhouse.loading.parsers.yaml_text import readable_yaml
from poolhouse.loading.reading import LoadReport
from poolhouse.loading.request import LoadRequest
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse

# Bytes of a file that lists a few thousand collections. Reading takes a second for 100 KB.
_LIMIT = 1024**2


class BadEntryError(PoolhouseError):
    """An entry that cannot be loaded. Other entries may be loadable.

    `collection` is the name in the entry, if it has one.
    """

    def __init__(self, message: str, collection: str | None = None) -> None:
        """Keep the name beside the message."""
        super().__init__(message)
        self.collection = collection


@dataclass(frozen=True)
class Entry:
    """One entry of an archive: its number from 1, its line, and its values by key.

    A value is text, or a list or mapping of such values. `problem` says why an entry has none.
    """

    archive: Path
    number: int
    line: int
    values: dict[str, Any] = field(default_factory=dict)
    problem: str = ""

    def refused(self, problem: str) -> BadEntryError:
        """Return an error that names the entry and its problem."""
        name = self.values.get("collection")
        is_named = isinstance(name, str)
        named = f"collection {name!r}" if is_named else f"entry {self.number}"
        return BadEntryError(
            f"{self.archive}:{self.line}: {named}: {problem}", name if is_named else None
        )


def read_archive(path: Path) -> list[Entry]:
    """Read the entries of an archive. An entry that cannot be read has a problem and no values.

    Raise BadFileError, with the line if it is known, where the file is no list in YAML, because the
    entries are then unknown.
    """
    source = read_source(path, _LIMIT)
    if len(source.stored) > _LIMIT:
        problem = f"holds more than {_LIMIT / 1024**2:g} MB, the limit for an archive; split it"
        raise BadFileError(path, problem)
    # YAML refuses the marks that stand for bytes that are not UTF-8.
    text = source.content.decode("utf-8-sig", "surrogateescape") if source.data else ""
    with readable_yaml(path, text, "an archive in YAML and UTF-8"):
        loader = yaml.BaseLoader(text)
        root = loader.get_single_node()
        if not isinstance(root, yaml.SequenceNode) or not root.value:
            problem = (
                "expected a list of collections, each an entry that begins with '- collection:'"
            )
            raise BadFileError(path, problem, _line(root) if root else None)
        return [
            _entry(path, number, node, loader.construct_object(node, deep=True))
            for number, node in enumerate(root.value, start=1)
        ]


def _entry(path: Path, number: int, node: yaml.Node, values: object) -> Entry:
    if not isinstance(values, dict):
        problem = "expected keys and values, such as collection: NAME"
        return Entry(path, number, _line(node), problem=problem)
    twice = _repeated(node)
    for key, each in node.value:
        if isinstance(each, yaml.MappingNode) and (names := _repeated(each)):
            twice.append(f"{names[0]} in {key.value}")
    return Entry(path, number, _line(node), values, f"{twice[0]} occurs twice" if twice else "")


def _repeated(node: yaml.MappingNode) -> list[str]:
    """Return the keys of a mapping that occur more than once."""
    keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
    return [key for key in dict.fromkeys(keys) if keys.count(key) > 1]


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


# ---------------------------------------------------------------------------------------- loading


@dataclass(frozen=True)
class Loaded:
    """A collection that was loaded, with the report of its load and the time that it took."""

    collection: str
    report: LoadReport
    seconds: float


@dataclass
class ArchiveReport:
    """The result of loading an archive: loaded collections, and entries that were not loaded."""

    loaded: list[Loaded] = field(default_factory=list)
    refused: list[PoolhouseError] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether anything was loaded."""
        return any(each.report.changed for each in self.loaded)


def load_archive(
    warehouse: Warehouse,
    requests: Sequence[tuple[Entry, LoadRequest]],
    progress: Progress = no_progress,
    *,
    keeps_going: bool = False,
) -> ArchiveReport:
    """Load the collections of these requests, and publish all of them at once.

    No row is kept of a collection that cannot be loaded. It stops the load, and nothing is
    published. With `keeps_going`, the other collections are published. Raise BadEntryError and
    WarehouseBusyError.
    """
    report = ArchiveReport()
    n_files, n_done = sum(request.n_files for _, request in requests), 0
    with warehouse.change() as change:
        with warehouse.side() as connection:
            for number, (entry, request) in enumerate(requests, start=1):
                place = f"{number} of {len(requests)}, {request.collection}"
                started = monotonic()
                try:
                    loaded = load_into(
                        connection, request, _of_all(progress, place, n_done, n_files)
                    )
                except PoolhouseError as error:
                    connection.rollback()
                    refused = entry.refused(str(error))
                    if not keeps_going:
                        raise refused from error
                    report.refused.append(refused)
                else:
                    seconds = monotonic() - started
                    report.loaded.append(Loaded(request.collection, loaded, seconds))
                n_done += request.n_files
        change.abandoned = not report.changed
    return report


def _of_all(progress: Progress, place: str, n_before: int, n_files: int) -> Progress:
    """Return the progress of one load among the files of all."""
    return lambda file, done, _: progress(f"{place}: {file}", n_before + done, n_files)
