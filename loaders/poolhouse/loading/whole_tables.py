"""The kinds of files of which a collection has one, whose rows are a whole table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    parse_authors,
    parse_descriptions,
    parse_official_results,
    parse_topic_attributes,
    parse_topics,
)


@dataclass(frozen=True)
class WholeTable:
    """The table of a kind, and its parser, which returns rows with the columns of the table."""

    table: str
    parse: Callable[[SourceFile], ParsedFile | Sequence[object]]


WHOLE_TABLES = {
    "descriptions": WholeTable("raw.descriptions", parse_descriptions),
    "topics": WholeTable("raw.topics", parse_topics),
    "topic_attributes": WholeTable("raw.topic_attributes", parse_topic_attributes),
    "authors": WholeTable("raw.authors", parse_authors),
    "official_results": WholeTable("raw.official_results", parse_official_results),
}
