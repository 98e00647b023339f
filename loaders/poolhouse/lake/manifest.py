"""The manifest of a lake: the small file that names the current files of each collection.

A change of the lake is the replacement of this file. Files that it does not name are not there for
a reader.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from poolhouse.building.settings import known_settings
from poolhouse.errors import PoolhouseError
from poolhouse.lake.addresses import MANIFEST
from poolhouse.lake.place import Place

# The version of the layout of a lake. A reader refuses any other version.
_FORMAT = 1
_NAME = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class Keys:
    """The integer keys of a collection and its runs, which no other collection of the lake has.

    The runs have the `n_runs` keys from `first_run` on.
    """

    collection: int
    first_run: int
    n_runs: int

    def meet(self, other: "Keys") -> bool:
        """Return whether both have a key in common."""
        return self.collection == other.collection or (
            self.first_run < other.first_run + other.n_runs
            and other.first_run < self.first_run + self.n_runs
        )


@dataclass(frozen=True)
class Publication:
    """The current files of a collection, all with the same name, and what they were made of.

    `name` is a hash of the contents of the files. `fingerprint` is a hash of the files that were
    loaded, their settings, the models and the version of Poolhouse.
    """

    keys: Keys
    name: str
    fingerprint: str
    models_version: str
    built_at: str
    seconds: float
    n_lines: int
    n_bytes: int
    n_files: int
    has_raw: bool

    @classmethod
    def from_json(cls, what: Mapping[str, Any]) -> Self:
        """Read the result of `dataclasses.asdict`. Raise ValueError, KeyError or TypeError."""
        read = cls(**{**what, "keys": Keys(**what["keys"])})
        for part in (read, read.keys):
            for each in fields(part):
                if not isinstance(getattr(part, each.name), _accepted(each.type)):
                    raise TypeError(each.name)
        # The name becomes a part of paths.
        if not _NAME.fullmatch(read.name):
            raise ValueError(read.name)
        return read


def _accepted(type_: Any) -> Any:  # noqa: ANN401 - as a field has it
    """Return the types of a value in JSON that a field takes."""
    return (int, float) if type_ is float else type_


@dataclass(frozen=True)
class Entry:
    """A collection of a lake: its publication, and why its last build failed, where it did."""

    published: Publication | None = None
    failure: str | None = None


@dataclass(frozen=True)
class Manifest:
    """The collections of a lake, by name, and the settings of the models that built them."""

    collections: Mapping[str, Entry] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def published(self) -> dict[str, Publication]:
        """Return the collections that have files, by name and in the order of their keys."""
        there = {name: each.published for name, each in self.collections.items() if each.published}
        return dict(sorted(there.items(), key=lambda item: item[1].keys.collection))

    def with_entry(self, collection: str, entry: Entry | None) -> "Manifest":
        """Return the manifest with another entry of a collection, or without it."""
        others = {name: each for name, each in self.collections.items() if name != collection}
        return replace(self, collections=others if entry is None else {**others, collection: entry})

    def to_json(self) -> bytes:
        """Write the manifest; `read_manifest` reads it."""
        what = {"format": _FORMAT, **asdict(self)}
        # A reason may hold the name of a file that is not UTF-8, which JSON can escape.
        return f"{json.dumps(what, indent=1, sort_keys=True)}\n".encode()


def read_manifest(place: Place) -> tuple[Manifest, bytes]:
    """Return the manifest and its text; both are empty where there is no lake yet.

    Raise PoolhouseError where the file is no manifest, or is one of another version.
    """
    text = place.read(MANIFEST)
    if text is None:
        return Manifest(), b""
    try:
        what = json.loads(text)
        format_ = what["format"]
        if format_ != _FORMAT:
            raise PoolhouseError(
                f"{place.address}: is a lake of format {format_}, and this version of Poolhouse "
                f"reads format {_FORMAT}"
            )
        collections = {
            name: Entry(
                each["published"] and Publication.from_json(each["published"]),
                each["failure"] and str(each["failure"]),
            )
            for name, each in what["collections"].items()
        }
        manifest = Manifest(collections, dict(what["settings"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PoolhouseError(
            f"{place.address}/{MANIFEST}: is not the manifest of a lake; take a copy of it, or "
            "build the lake again in an empty folder"
        ) from error
    if unknown := sorted(manifest.settings.keys() - known_settings().keys()):
        raise PoolhouseError(
            f"{place.address}: has the setting {unknown[0]!r}, which this version of Poolhouse "
            "does not have: read the lake with the version that built it"
        )
    return manifest, text


def existing_manifest(place: Place) -> tuple[Manifest, bytes]:
    """Return the same of a lake. Raise PoolhouseError also where there is none."""
    manifest, text = read_manifest(place)
    if not text:
        raise PoolhouseError(f"{place.address}: no lake here (poolhouse lake build --help)")
    return manifest, text
