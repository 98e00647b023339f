"""The kinds of input files: table, parser and limit of each; and the files of a load."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    parse_authors,
    parse_descriptions,
    parse_official_results,
    parse_topic_attributes,
    parse_topics,
)
from poolhouse.loading.request import LoadRequest, Source
from poolhouse.loading.run_files import run_id_of


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


def inputs_of(request: LoadRequest) -> list[Input]:
    """List everything that a load reads."""
    singles = ("qrels", *WHOLE_TABLES, "title_words", "document_frequencies")
    return [
        *(Input("run", run_id_of(_path(source).name), source) for source in request.runs),
        *(Input(kind, kind, source) for kind in singles if (source := getattr(request, kind))),
        *(Input("common_topics", *of_run) for of_run in request.common_topics),
        *(Input("author_qrels", *of_author) for of_author in request.author_qrels),
        *(Input("texts", path.name, path) for path in request.texts),
    ]


def _path(source: Source) -> Path:
    return source.path if isinstance(source, SourceFile) else source
