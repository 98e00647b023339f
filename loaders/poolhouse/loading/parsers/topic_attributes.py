"""Attributes of topics: a CSV with a column `topic`, and one column an attribute."""

from dataclasses import dataclass

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.source import SourceFile

_TOPIC = "topic"
_EXPECTED = "expected the header topic,ATTRIBUTE[,ATTRIBUTE]..."


@dataclass(frozen=True)
class TopicAttribute:
    """What one topic has of one attribute."""

    topic_id: str
    attribute: str
    value: str


def parse_topic_attributes(source: SourceFile) -> list[TopicAttribute]:
    """Parse attributes of topics, a record a topic; an empty field says nothing.

    Raise BadFileError, with the line, where a column or a topic has no name, a topic is named
    again, or what `records` refuses; and where no topic has any.
    """
    lines: dict[str, int] = {}
    found: list[TopicAttribute] = []
    for line, row in records(source, (_TOPIC,), _EXPECTED):
        topic_id = row.pop(_TOPIC, "")
        if not topic_id:
            raise BadFileError(source.path, "topic is empty", line)
        if topic_id in lines:
            problem = f"topic {topic_id!r} is also in line {lines[topic_id]}"
            raise BadFileError(source.path, problem, line)
        lines[topic_id] = line
        if not all(name.isprintable() and name for name in row):
            raise BadFileError(source.path, "the header has a column without a printable name", 1)
        found += [TopicAttribute(topic_id, name, value) for name, value in row.items() if value]
    if not found:
        # To take it for nobody's attributes would wipe out what was loaded before.
        raise BadFileError(source.path, f"has no line about a topic ({_EXPECTED})")
    return found
