"""Attributes of topics: a CSV with a column `topic`, and one column an attribute."""

from dataclasses import dataclass

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.parsers.whole_numbers import whole_number

_TOPIC = "topic"
_EXPECTED = "expected the header topic,ATTRIBUTE[,ATTRIBUTE]..."
# The attribute that the models read: to which depth the runs were pooled on the topic.
_POOL_DEPTH = "pool_depth"
_DEPTH = "a number of documents, or 0 where the runs were not pooled on the topic"


@dataclass(frozen=True)
class TopicAttribute:
    """The value of one attribute of one topic."""

    query: str
    attribute: str
    value: str


def parse_topic_attributes(source: SourceFile) -> list[TopicAttribute]:
    """Parse attributes of topics, one record per topic. An empty field means an unknown value.

    Raise BadFileError, with the line, where a column or a topic has no name, where a topic is
    repeated, where a `pool_depth` is no depth, and where no topic has an attribute. Raise the
    errors of `records`.
    """
    lines: dict[str, int] = {}
    found: list[TopicAttribute] = []
    for line, row in records(source, (_TOPIC,), _EXPECTED):
        topic_id = row.pop(_TOPIC, "")
        if not topic_id:
            raise BadFileError(source.path, "topic is empty", line)
        if topic_id in lines:
            problem = f"topic {source.quoted(topic_id)} is also in line {lines[topic_id]}"
            raise BadFileError(source.path, problem, line)
        lines[topic_id] = line
        if not all(name.isprintable() and name for name in row):
            raise BadFileError(source.path, "the header has a column without a printable name", 1)
        whole_number(source, line, (_POOL_DEPTH, row.get(_POOL_DEPTH)), _DEPTH, least=0)
        found += [TopicAttribute(topic_id, name, value) for name, value in row.items() if value]
    if not found:
        # To accept it as attributes of no topic would remove the attributes of earlier loads.
        raise BadFileError(source.path, f"has no line about a topic ({_EXPECTED})")
    return found
