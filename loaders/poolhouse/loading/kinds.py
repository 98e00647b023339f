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
    """A kind of file of which a collection has one, whose rows are a whole table.

    `parse` returns rows with the columns of the table. The limit of the file is a part of that of a
    run file, because a small file needs much more memory than its text: one in `n_parts`.
    """

    table: str
    parse: Callable[[SourceFile], ParsedFile | Sequence[object]]
    n_parts: int = 16


WHOLE_TABLES = {
    "descriptions": WholeTable("raw.descriptions", parse_descriptions),
    "topics": WholeTable("raw.topics", parse_topics),
    "topic_attributes": WholeTable("raw.topic_attributes", parse_topic_attributes),
    "authors": WholeTable("raw.authors", parse_authors),
    "official_results": WholeTable("raw.official_results", parse_official_results, n_parts=64),
}

# Kinds of which a collection has one file, too, whose rows depend on what else is loaded.
_OTHER_SINGLES = {"qrels": 1, "title_words": 16, "document_frequencies": 16}
_N_PARTS = _OTHER_SINGLES | {kind: each.n_parts for kind, each in WHOLE_TABLES.items()}


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
        return of_runs // _N_PARTS.get(self.kind, 1)


def inputs_of(request: LoadRequest) -> list[Input]:
    """List everything that a load reads."""
    return [
        *(Input("run", run_id_of(_path(source).name), source) for source in request.runs),
        *(Input(kind, kind, source) for kind in _N_PARTS if (source := getattr(request, kind))),
        *(Input("common_topics", *of_run) for of_run in request.common_topics),
        *(Input("author_qrels", *of_author) for of_author in request.author_qrels),
        *(Input("texts", path.name, path) for path in request.texts),
    ]


def _path(source: Source) -> Path:
    return source.path if isinstance(source, SourceFile) else source
