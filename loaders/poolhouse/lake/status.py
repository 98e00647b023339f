"""The state of the collections of a lake, as far as this machine can see their files."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from poolhouse.building.plan import known_version
from poolhouse.errors import PoolhouseError
from poolhouse.lake.manifest import Publication, read_manifest
from poolhouse.lake.place import Place


class LakeState(StrEnum):
    """The state of a collection of a lake; people read the value."""

    BUILT = "built"
    STALE = "stale"
    FAILED = "failed"


@dataclass(frozen=True)
class LakeCollection:
    """A collection, its state and the reason, and its publication.

    A collection that failed may still have the files of an earlier build.
    """

    collection: str
    state: LakeState
    reason: str
    published: Publication | None


def lake_status(address: str) -> list[LakeCollection]:
    """List the collections of a lake, by name. Raise PoolhouseError where there is no lake."""
    place = Place(address)
    manifest, text = read_manifest(place)
    if not text:
        raise PoolhouseError(f"{place.address}: no lake here (poolhouse lake build --help)")
    version = known_version(manifest.settings)
    found = []
    for name, entry in sorted(manifest.collections.items()):
        published = entry.published
        state, reason = LakeState.BUILT, ""
        if entry.failure is not None:
            state, reason = LakeState.FAILED, entry.failure
        elif published and (reason := _why_stale(published, version)):
            state = LakeState.STALE
        found.append(LakeCollection(name, state, reason, published))
    return found


def _why_stale(published: Publication, version: str | None) -> str:
    if version is not None and published.models_version != version:
        return "built by other models or settings"
    for path, (n_bytes, changed_at) in published.sources.items():
        try:
            there = Path(path).stat()
        except OSError:
            continue  # on another machine, or moved: a build says what it misses
        if (there.st_size, there.st_mtime_ns) != (n_bytes, changed_at):
            return f"{path} changed since the build"
    return ""
