"""Parsers of the formats in which evaluation campaigns keep their data."""

from poolhouse.loading.parsers.authors import AuthorDeclaration, parse_authors
from poolhouse.loading.parsers.descriptions import parse_descriptions
from poolhouse.loading.parsers.estimates import StatedEstimate, parse_estimates
from poolhouse.loading.parsers.lines import ParsedFile, RejectReason
from poolhouse.loading.parsers.nist_pages import OfficialFigure
from poolhouse.loading.parsers.official_results import parse_official_results
from poolhouse.loading.parsers.pairs import parse_pairs
from poolhouse.loading.parsers.pool_records import PoolRecord, parse_pool
from poolhouse.loading.parsers.preferences import parse_preferences
from poolhouse.loading.parsers.qrels import parse_qrels
from poolhouse.loading.parsers.run_description import RunDescription
from poolhouse.loading.parsers.runs import parse_run
from poolhouse.loading.parsers.source import SourceFile, read_source
from poolhouse.loading.parsers.texts import parse_texts
from poolhouse.loading.parsers.topic_attributes import TopicAttribute, parse_topic_attributes
from poolhouse.loading.parsers.topics import parse_topics
from poolhouse.loading.parsers.word_tables import parse_document_frequencies, parse_title_words
from poolhouse.loading.parsers.words import words_of
from poolhouse.option_values import DEFAULT_LIMIT

__all__ = [
    "DEFAULT_LIMIT",
    "AuthorDeclaration",
    "OfficialFigure",
    "ParsedFile",
    "PoolRecord",
    "RejectReason",
    "RunDescription",
    "SourceFile",
    "StatedEstimate",
    "TopicAttribute",
    "parse_authors",
    "parse_descriptions",
    "parse_document_frequencies",
    "parse_estimates",
    "parse_official_results",
    "parse_pairs",
    "parse_pool",
    "parse_preferences",
    "parse_qrels",
    "parse_run",
    "parse_texts",
    "parse_title_words",
    "parse_topic_attributes",
    "parse_topics",
    "read_source",
    "words_of",
]
