"""A unit of work of a build: the rows of one collection, or of several small collections."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from poolhouse.building.changes import ChangedRuns

# With fewer lines, planning the statements of a build takes longer than running them. Several
# collections with this many lines together take no more memory than one such collection.
MOST_LINES = 50_000


@dataclass(frozen=True)
class Work:
    """The rows to build: those of `collections` (names by key) in `tables`.

    For a single collection the work may be limited to the rows of some runs. `touched` holds other
    relations and sources whose content changed.
    """

    collections: Mapping[int, str]
    tables: frozenset[str]
    touched: frozenset[str]
    changed_runs: ChangedRuns | None = None

    def __str__(self) -> str:
        n = len(self.collections)
        return f"{n} collections" if n > 1 else next(iter(self.collections.values()))

    def halves(self) -> tuple["Work", "Work"]:
        """Return the same work of the first half of the collections, and of the second."""
        items = list(self.collections.items())
        middle = len(items) // 2
        return (
            replace(self, collections=dict(items[:middle])),
            replace(self, collections=dict(items[middle:])),
        )


def put_together(works: Iterable[Work], n_lines: Mapping[int, int]) -> list[Work]:
    """Join the work of small collections that need the same tables, for all their runs.

    Each of the works is about one collection. `n_lines` is the number of lines of each collection.
    """
    together: list[Work] = []
    # By kind of work: its last place in `together`, and the number of lines at that place.
    last: dict[object, tuple[int, int]] = {}
    for work in works:
        [key] = work.collections
        what = (work.tables, work.touched)
        place, n_before = last.get(what, (-1, MOST_LINES))
        n = n_before + n_lines.get(key, 0)
        if work.changed_runs is None and place >= 0 and n <= MOST_LINES:
            others = together[place].collections
            together[place] = replace(work, collections={**others, **work.collections})
            last[what] = place, n
            continue
        if work.changed_runs is None:
            last[what] = len(together), n_lines.get(key, 0)
        together.append(work)
    return together
