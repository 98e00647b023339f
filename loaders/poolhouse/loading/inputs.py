"""What a load reads: a file or text, its kind, its name and its part of the limit."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Union

if TYPE_CHECKING:
    # No help text waits for the parsers.
    from poolhouse.loading.parsers import SourceFile

# A file, or text that was made in memory.
Source = Union[Path, "SourceFile"]

# The kinds of which a collection has one file. The limit of such a file is a part of that of a run
# file, because a small file needs much more memory than its text: one in so many.
SINGLES = {
    **{"qrels": 1, "leave_out": 1},
    **{"title_words": 16, "document_frequencies": 16},
    **{"descriptions": 16, "topics": 16, "topic_attributes": 16, "authors": 16},
    "pool": 16,
    "official_results": 64,
}


class Input(NamedTuple):
    """A file or text of a load. The name of a run is its id; of its judgements and texts, theirs.

    The name of a file of which a collection has one is its kind.
    """

    kind: str
    name: str
    source: Source

    @property
    def path(self) -> Path:
        """The file, or the origin of the text."""
        return path_of(self.source)

    def limit(self, of_runs: int) -> int:
        """Return the limit for the text, in bytes, from that for a run file."""
        return of_runs // SINGLES.get(self.kind, 1)


def path_of(source: Source) -> Path:
    """Return the file, or the origin of a text."""
    return source if isinstance(source, Path) else source.path
