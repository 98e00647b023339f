"""Archives: the collections that one YAML file lists, loaded together and published at once.

The file is a list. Each entry names a collection and its files and settings. Paths are relative to
the file. Values are text, as on a command line, and no value of a YAML type is constructed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import yaml

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.load import LoadReport, LoadRequest, load_into
from poolhouse.loading.parsers import read_source
from poolhouse.warehouse.file import Warehouse

# Bytes of a file that lists a few thousand collections. Reading takes a second for 100 KB.
_LIMIT = 1024**2

# The list, an entry, a list of values, and pairs in it.
_DEEPEST = 5

_OF_YAML = "tag:yaml.org,2002:"
_NULL = f"{_OF_YAML}null"
# Tags of values without quotes. Such a value is text here, whatever type YAML would give it.
_TAGS = {f"{_OF_YAML}{name}" for name in ("str", "int", "float", "bool", "timestamp", "value")}

# One value, several, or several tuples of them.
Value = str | list["Value"]
# The current step: the collection and its number from 1, and the name of a file.
Progress = Callable[[str, int, str], None]


class BadEntryError(PoolhouseError):
    """An entry that cannot be loaded. Other entries may be loadable."""

    def __init__(self, archive: Path, line: int, name: str, problem: str) -> None:
        super().__init__(f"{archive}:{line}: {name}: {problem}")


@dataclass(frozen=True)
class Setting:
    """The value of one key of an entry."""

    line: int
    value: Value


@dataclass(frozen=True)
class Entry:
    """One entry of an archive: its number from 1, its line, and its settings by key.

    `problem` says why the entry cannot be read, and in which line. Such an entry has no settings.
    """

    archive: Path
    number: int
    line: int
    settings: dict[str, Setting] = field(default_factory=dict)
    problem: tuple[int, str] | None = None

    @property
    def name(self) -> str:
        """The name of the entry in messages."""
        named = self.settings.get("collection")
        if named and isinstance(named.value, str):
            return f"collection {named.value!r}"
        return f"entry {self.number}"

    def refused(self, problem: str, line: int | None = None) -> BadEntryError:
        """Return the entry with this problem."""
        return BadEntryError(self.archive, line or self.line, self.name, problem)


class _ProblemError(Exception):
    """A problem of an entry, and its line."""

    def __init__(self, node: yaml.Node, problem: str) -> None:
        super().__init__(_line(node), problem)


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Composes nodes with their lines.

    Refuses aliases, because an alias can stand for any number of nodes.
    """

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: object) -> yaml.Node:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            problem = "aliases (*name) are not read: write out what they stand for"
            raise yaml.composer.ComposerError(None, None, problem, event.start_mark)
        if self.depth == _DEEPEST:
            problem = "lists within lists: an archive has none so deep"
            raise yaml.composer.ComposerError(None, None, problem, event.start_mark)
        self.depth += 1
        node: yaml.Node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def read_archive(path: Path) -> list[Entry]:
    """Read the entries of an archive. An entry that cannot be read has a problem and no settings.

    Raise BadFileError, with the line if it is known, where the file is no list in YAML, because the
    entries are then unknown.
    """
    root = _composed(path)
    if not isinstance(root, yaml.SequenceNode) or not root.value:
        problem = "expected a list of collections, each an entry that begins with '- collection:'"
        raise BadFileError(path, problem, _line(root) if root else None)
    entries = []
    for number, node in enumerate(root.value, start=1):
        try:
            entries.append(Entry(path, number, _line(node), _settings(node)))
        except _ProblemError as error:
            entries.append(Entry(path, number, _line(node), problem=error.args))
    return entries


def _composed(path: Path) -> yaml.Node | None:
    source = read_source(path, _LIMIT)
    if len(source.stored) > _LIMIT:
        problem = f"holds more than {_LIMIT / 1024**2:g} MB, the limit for an archive; split it"
        raise BadFileError(path, problem)
    try:
        text = source.content.decode("utf-8-sig") if source.data else ""
    except UnicodeDecodeError as error:
        at = source.content.count(b"\n", 0, error.start) + 1
        raise BadFileError(path, "is not in UTF-8", at) from error
    try:
        loader = _Loader(text)
        try:
            node: yaml.Node | None = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise BadFileError(path, f"not an archive in YAML: {error.problem}", line) from error
    except yaml.reader.ReaderError as error:
        at = text.count("\n", 0, error.position) + 1
        raise BadFileError(path, f"not YAML: {error.reason}", at) from error
    return node


def _settings(node: yaml.Node) -> dict[str, Setting]:
    if not isinstance(node, yaml.MappingNode):
        raise _ProblemError(node, "expected keys and values, such as collection: NAME")
    settings: dict[str, Setting] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _ProblemError(key_node, "expected a key and its value, such as collection: NAME")
        key = key_node.value
        if key in settings:
            raise _ProblemError(key_node, f"{key} is in line {settings[key].line} too")
        settings[key] = Setting(_line(key_node), _value(key, value_node))
    return settings


def _value(key: str, node: yaml.Node) -> Value:
    if isinstance(node, yaml.SequenceNode) and node.tag == f"{_OF_YAML}seq":
        return [_value(key, each) for each in node.value]
    if isinstance(node, yaml.MappingNode):
        raise _ProblemError(node, f"{key}: expected a value, or a list of values")
    if node.tag == _NULL or node.value == "":
        raise _ProblemError(node, f"{key} has no value: leave it out, or give it one")
    if node.tag not in _TAGS:
        raise _ProblemError(node, f"{key}: tags are not supported ({node.tag})")
    return str(node.value)


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
    progress: Progress = lambda _, __, ___: None,
    *,
    keeps_going: bool = False,
) -> ArchiveReport:
    """Load the collections of these requests, and publish all of them at once.

    No row is kept of a collection that cannot be loaded. It stops the load, and nothing is
    published. With `keeps_going`, the other collections are published. Raise BadEntryError and
    WarehouseBusyError.
    """
    report = ArchiveReport()
    with warehouse.change() as change:
        with warehouse.side() as connection:
            for number, (entry, request) in enumerate(requests, start=1):

                def say(file: str, at: int = number, of: str = request.collection) -> None:
                    progress(of, at, file)

                started = monotonic()
                try:
                    loaded = load_into(connection, request, say)
                except PoolhouseError as error:
                    connection.rollback()
                    refused = entry.refused(str(error))
                    if not keeps_going:
                        raise refused from error
                    report.refused.append(refused)
                else:
                    seconds = monotonic() - started
                    report.loaded.append(Loaded(request.collection, loaded, seconds))
        change.abandoned = not report.changed
    return report
