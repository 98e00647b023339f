"""Whether a lake has the files that its manifest names: somebody may remove one."""

from collections import Counter
from collections.abc import Mapping

from poolhouse.lake.layout import COLLECTION, FOLDERS, KEY, Stored
from poolhouse.lake.manifest import Publication
from poolhouse.lake.place import Place


def ends_of(collection: str, publication: Publication) -> set[str]:
    """Return the ends of the paths of the files of a collection, below the folders of relations."""
    key, name = publication.keys.collection, publication.name
    return {
        Stored("", "", partition).path(collection, key, name).removeprefix("/")
        for partition in (COLLECTION, KEY)
    }


def missing_files(place: Place, published: Mapping[str, Publication]) -> dict[str, int]:
    """Return the number of missing files of each collection that lacks some."""
    owners = {end: name for name, each in published.items() for end in ends_of(name, each)}
    n_found = Counter(
        owners.get(path.split("/", 2)[-1]) for folder in FOLDERS for path in place.paths(folder)
    )
    return {
        name: each.n_files - n_found[name]
        for name, each in published.items()
        if n_found[name] < each.n_files
    }
