"""The kinds of input files: table, parser and limit of each; and the files of a load."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    parse_authors,
    parse_descriptions,
    parse_official_results,
    parse_topic_attributes,
    parse_topics,
    run_id_of,
)

if TYPE_CHECKING:
    from poolhouse.loading.request import LoadRequest

# A file, or text that was made in memory.
Source = Path | SourceFile


@dataclass(frozen=True)
class WholeTable:
    """A kind of file of which a collection has one, which is a whole table.

    `parse` returns rows with the columns of the table.
    """

    table: str
    parse: Callable[[SourceFile], ParsedFile | Sequence[object]]


WHOLE_TABLES = {
    "descriptions": WholeTable("raw.descriptions", parse_descriptions),
    "topics": WholeTable("raw.topics", parse_topics),
    "topic_attributes": WholeTable("raw.topic_attributes", parse_topic_attributes),
    "authors": WholeTable("raw.authors", parse_authors),
    "official_results": WholeTable("raw.official_results", parse_official_results),
}

# The limit of a file is this part of the limit for run files. A kind that is not named has all of
# it. Small files and tables of words need much more memory than their text.
_PART_OF_LIMIT = {
    **dict.fromkeys((*WHOLE_TABLES, "title_words", "document_frequencies"), 16),
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
        return _path(self.source)

    def limit(self, of_runs: int) -> int:
        """Return the limit for the text, in bytes, from that for a run file."""
        return of_runs // _PART_OF_LIMIT.get(self.kind, 1)


def inputs_of(request: "LoadRequest") -> list[Input]:
    """List everything that a load reads."""
    made = request.made
    singles = {kind: getattr(request, kind) for kind in ("qrels", *WHOLE_TABLES)}
    singles["qrels"] = singles["qrels"] or made.qrels
    singles["topics"] = singles["topics"] or made.topics
    runs: tuple[Source, ...] = (*request.runs, *made.runs)
    authors: tuple[tuple[str, Source], ...] = (*request.author_qrels, *made.author_qrels)
    return [
        *(run_input(source) for source in runs),
        *(Input(kind, kind, source) for kind, source in singles.items() if source),
        *(Input("common_topics", run_id, path) for run_id, path in request.common_topics),
        *(Input("author_qrels", author, source) for author, source in authors),
        *(Input(*each) for each in request.title_words.by_kind()),
    ]


def run_input(source: Source) -> Input:
    """Return a file or text as a run. Its name gives the id of the run."""
    return Input("run", run_id_of(_path(source).name), source)


def _path(source: Source) -> Path:
    return source.path if isinstance(source, SourceFile) else source
