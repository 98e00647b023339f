"""Scores that were computed elsewhere: NIST's page of results, and leaderboards of lines.

A line of a leaderboard has a run, a measure, a topic and a value, in this order or with the topic
before the measure; or it is a JSON object with these four. The topic `all` stands for all topics.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.nist_pages import (
    MOST_LABELS,
    OfficialFigure,
    figure_of,
    is_page,
    parse_results_page,
)
from poolhouse.loading.parsers.source import SourceFile

_ALL_TOPICS = "all"
# The title of figures that are computed here, from the values of topics.
_OF_TOPICS = "mean of its topics"
_KEYS = ("run_id", "measure", "topic_id", "value")


def parse_official_results(source: SourceFile) -> list[OfficialFigure]:
    """Parse a page of NIST, or a leaderboard.

    Of a run and measure without a value of all topics, the figure is the mean of its topics. Raise
    the errors of `parse_results_page`, and BadFileError, with the line, for a line of another form,
    two values of a run, measure and topic, and where nothing tells measures from topics.
    """
    first = source.data.decode().strip().split("\n", 1)[0]
    if is_page(source) or not (first.startswith("{") or len(first.split()) == len(_KEYS)):
        return parse_results_page(source)
    values: dict[tuple[str, str], dict[str, OfficialFigure]] = defaultdict(dict)
    for number, run_id, measure, topic_id, value in _lines_of(source):
        of_topics = values[run_id, measure]
        if topic_id in of_topics:
            which = f"{source.quoted(measure)} of topic {source.quoted(topic_id)}"
            before = f"in line {of_topics[topic_id].line_number} too"
            problem = f"run {source.quoted(run_id)} has {which} {before}"
            raise BadFileError(source.path, problem, number)
        of_topics[topic_id] = figure_of(source, number, (run_id, "", measure), value)
    if len({measure for _, measure in values}) > MOST_LABELS:
        problem = f"more than {MOST_LABELS:,} measures: are they topics?"
        raise BadFileError(source.path, problem)
    return [of_topics.get(_ALL_TOPICS) or _mean(of_topics) for of_topics in values.values()]


def _mean(of_topics: dict[str, OfficialFigure]) -> OfficialFigure:
    """Return the mean of topics with a number. It is as exact as the numbers are written."""
    first, *_ = of_topics.values()
    numbers = [each.value for each in of_topics.values() if each.value is not None]
    mean = math.fsum(numbers) / len(numbers) if numbers else None
    n_decimals = max(each.n_decimals for each in of_topics.values())
    return OfficialFigure(
        first.line_number, first.run_id, _OF_TOPICS, first.label, mean, n_decimals
    )


def _lines_of(source: SourceFile) -> Iterator[tuple[int, str, str, str, str]]:
    split = [
        (number, _of_json(source, number, line) if line.startswith("{") else line.split())
        for number, line in enumerate(map(str.strip, source.data.decode().split("\n")), start=1)
        if line
    ]
    for number, fields in split:
        if len(fields) != len(_KEYS):
            problem = f"{len(fields)} fields, expected run, measure, topic and value"
            raise BadFileError(source.path, problem, number)
    if split[0][1][-1] == _KEYS[-1]:
        del split[0]  # a header
    is_json = source.data.lstrip().startswith(b"{")
    topic_is_last = is_json or _topic_is_last(source, [fields for _, fields in split])
    for number, (run_id, one, other, value) in split:
        measure, topic_id = (one, other) if topic_is_last else (other, one)
        yield number, run_id, measure, topic_id, value


def _topic_is_last(source: SourceFile, lines: list[list[str]]) -> bool:
    """Return whether the topic stands after the measure."""
    # Its rules take a tenth of a second.
    from poolhouse.building.written_measures import written_measure  # noqa: PLC0415

    is_all = [any(fields[place] == _ALL_TOPICS for fields in lines) for place in (1, 2)]
    if is_all[0] == is_all[1] and lines:
        is_all = [written_measure(lines[0][place]) is not None for place in (2, 1)]
    if is_all[0] == is_all[1]:
        problem = (
            f"nothing tells measures from topics: add lines of the topic {_ALL_TOPICS!r}, or name "
            "a measure in the first line as ir_measures does"
        )
        raise BadFileError(source.path, problem)
    return is_all[1]


def _of_json(source: SourceFile, number: int, line: str) -> list[str]:
    try:
        found = json.loads(line)
        return [str(found[key]) for key in _KEYS]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        problem = f"not a JSON object with {', '.join(_KEYS)}"
        raise BadFileError(source.path, problem, number) from error
