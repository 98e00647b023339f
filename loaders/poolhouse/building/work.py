"""A unit of work of a build: the rows of one collection, or of several small collections."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from poolhouse.building.changes import ChangedRuns

# With fewer lines, planning the statements of a build takes longer than running them. Several
# collections with this many lines together take no more memory than one such collection.
MOST_LINES = 1_000_000


@dataclass(frozen=True)
class Work:
    """The rows to build: those of `collections` (names by key) in `tables`.

    The work may be limited to the rows of some runs of each collection. `touched` holds other
    relations and sources whose content changed.
    """

    collections: Mapping[int, str]
    tables: frozenset[str]
    touched: frozenset[str]
    changed_runs: Mapping[int, ChangedRuns] | None = None

    def __str__(self) -> str:
        n = len(self.collections)
        return f"{n} collections" if n > 1 else next(iter(self.collections.values()))

    @property
    def run_keys(self) -> list[int] | None:
        """The runs whose rows are built, or None for all runs."""
        if self.changed_runs is None:
            return None
        return [key for changed in self.changed_runs.values() for key in changed.run_keys]

    @property
    def only_adds_runs(self) -> bool:
        """Whether no run of these was there before."""
        changed = self.changed_runs
        return changed is not None and all(each.are_new for each in changed.values())

    def halves(self) -> tuple["Work", "Work"]:
        """Return the same work of the first half of the collections, and of the second."""
        keys = list(self.collections)
        middle = len(keys) // 2
        return self._of(keys[:middle]), self._of(keys[middle:])

    def _of(self, keys: list[int]) -> "Work":
        runs = self.changed_runs
        return replace(
            self,
            collections={key: self.collections[key] for key in keys},
            changed_runs=None if runs is None else {key: runs[key] for key in keys},
        )

    def and_of(self, other: "Work") -> "Work":
        """Return the work of these collections and of others, in the same tables."""
        return replace(
            self,
            collections={**self.collections, **other.collections},
            changed_runs=self.changed_runs and {**self.changed_runs, **(other.changed_runs or {})},
        )


def put_together(works: Iterable[Work], n_lines: Mapping[int, int]) -> list[Work]:
    """Join the work of small collections that need the same tables, for all or some of their runs.

    Each of the works is about one collection. `n_lines` is the number of lines of each collection.
    """
    together: list[Work] = []
    # By kind of work: its last place in `together`, and the number of lines at that place.
    last: dict[object, tuple[int, int]] = {}
    for work in works:
        [key] = work.collections
        what = (work.tables, work.touched, work.changed_runs is None)
        place, n_before = last.get(what, (-1, MOST_LINES))
        n = n_before + n_lines.get(key, 0)
        if place >= 0 and n <= MOST_LINES:
            together[place] = together[place].and_of(work)
            last[what] = place, n
        else:
            last[what] = len(together), n_lines.get(key, 0)
            together.append(work)
    return together
