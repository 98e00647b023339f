"""What a build makes at a time: the rows of one collection, or of several small ones together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from poolhouse.building.changes import ChangedRuns

# To plan the statements of a build takes longer than to run them on fewer lines than this. Nor does
# it take more memory for several collections that have so many lines together than for one.
MOST_LINES = 50_000


@dataclass(frozen=True)
class Work:
    """What is to be made of collections, names by key: the rows of these tables.

    Of one collection, it may be the rows of some runs. `touched` are other relations and sources
    that show something else than before.
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
    """Put small collections together of which the same is to be made, and of all their runs.

    Each of the works is one collection's; `n_lines` says of a collection how many lines it has.
    """
    together: list[Work] = []
    # What is made of collections: its last place above, and the lines of the collections there.
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
