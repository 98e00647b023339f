"""The state of the collections of a lake, as far as this machine can see their files."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from poolhouse.building.settings import plan_by_choice
from poolhouse.file_digests import digest_of
from poolhouse.lake.completeness import missing_files
from poolhouse.lake.layout import version_of
from poolhouse.lake.manifest import Manifest, Publication, existing_manifest
from poolhouse.lake.place import Place
from poolhouse.lake.reading import LakeWarehouse


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
    manifest, _ = existing_manifest(place)
    version = version_of(plan_by_choice(manifest.settings))
    missing = missing_files(place, manifest.published())
    # A query needs all files.
    changed = {} if missing else _changed_files(address, manifest, version)
    found = []
    for name, entry in sorted(manifest.collections.items()):
        published = entry.published
        state, reason = LakeState.BUILT, ""
        if entry.failure is not None:
            state, reason = LakeState.FAILED, entry.failure
        elif published and published.models_version != version:
            state, reason = LakeState.STALE, "built by other models or settings"
        elif name in missing:
            state, reason = LakeState.STALE, f"missing files: {missing[name]}"
        elif name in changed:
            state, reason = LakeState.STALE, f"{changed[name]} changed since the build"
        found.append(LakeCollection(name, state, reason, published))
    return found


def _changed_files(address: str, manifest: Manifest, version: str) -> dict[str, str]:
    """Return a changed file of each collection that has one.

    A file that is not there may lie on another machine: a build says what it misses.
    """
    published = manifest.published()
    if all(each.models_version != version for each in published.values()):
        return {}
    with LakeWarehouse.at(address).read() as connection:
        files = connection.execute(
            "select collection_id, path, sha256, loaded_at from ops.files order by all desc"
        ).fetchall()
    changed = {}
    for collection, path, sha256, loaded_at in files:
        with suppress(OSError, ValueError):  # a lake of somebody else may name anything
            changed_at = datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
            if not Path(path).is_file():  # but a pipe, which nobody fills
                continue
            # Reading all files would take long, and a copied file may be as it was.
            if changed_at.replace(tzinfo=None) > loaded_at and digest_of(Path(path)) != sha256:
                changed[collection] = path
    return changed
