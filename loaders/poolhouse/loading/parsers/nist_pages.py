"""NIST's pages about the runs of a track, in Markdown: descriptions of runs, and official results.

A page has a heading `#### run` for each run. Below it, the page of runs has a list of fields, and
the page of results has titled blocks of figures as trec_eval prints them.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.run_description import RunDescription, printable_words
from poolhouse.loading.parsers.source import SourceFile

_HEADING = re.compile(r"####[ \t](.+)")
_FIELD = re.compile(r"[-*][ \t]+(?::[\w-]+:[ \t]*)?\*\*([^*]+):\*\*(.*)")
_TITLE = re.compile(r"(?:\?\?\?\+?|!!!)[ \t]*[\w-]*[ \t]*\"?([^\"]*)\"?.*")
_FENCE = "```"
_NUMBER = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?")
_LEAST_DECIMALS = 4
_MOST_DECIMALS = 15
_ALL_TOPICS = "all"
# A page of results has a few dozen labels. A build compares each of them with every measure.
MOST_LABELS = 1_000
_FIELDS_READ = {"Run ID", "Participant", "Type", "Task", "Run description"}
_TYPES = {"auto": "automatic"}


@dataclass(frozen=True)
class OfficialFigure:
    """A published figure of a run, with the title of its block and the label of its line.

    `value` is None where the page has no number. `n_decimals` is the number of decimals that the
    figure was rounded to. trec_eval rounds to four, and a page may leave out zeros at the end.
    """

    line_number: int
    run_id: str
    title: str
    label: str
    value: float | None
    n_decimals: int


def is_page(source: SourceFile) -> bool:
    """Return whether a file begins like a page: with a heading, or with settings of the page."""
    return source.content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"#", b"---"))


def described_runs(source: SourceFile) -> Iterator[tuple[int, RunDescription]]:
    """Read a page of runs. Yield the line of each heading, and the run below it.

    Raise BadFileError, with the line, where a run has no id or participant, has a field twice, or
    has a name that is not printable.
    """
    heading, fields = 0, dict[str, str]()
    for number, line in _lines(source):
        if _HEADING.fullmatch(line):
            if heading:
                yield heading, _described(source, heading, fields)
            heading, fields = number, {}
        elif heading and (found := _FIELD.fullmatch(line)):
            name, text = found[1].strip(), found[2].strip()
            if name in fields:
                problem = f"the run has a second {source.quoted(name)}"
                raise BadFileError(source.path, problem, number)
            if name in _FIELDS_READ:
                fields[name] = text
    if heading:
        yield heading, _described(source, heading, fields)


def _described(source: SourceFile, heading: int, fields: dict[str, str]) -> RunDescription:
    for name in ("Run ID", "Participant"):
        if not fields.get(name):
            raise BadFileError(source.path, f"the run below this heading lacks its {name}", heading)
    for name in ("Run ID", "Participant", "Type", "Task"):
        _check_printable(source, name, fields.get(name, ""), heading)
    run_type = fields.get("Type") or None
    return RunDescription(
        fields["Run ID"],
        fields["Participant"],
        _TYPES.get(run_type or "", run_type),
        description=printable_words(fields.get("Run description", "")),
        task=fields.get("Task") or None,
    )


def parse_results_page(source: SourceFile) -> list[OfficialFigure]:
    """Parse a page of results: `label all value` a line, in blocks below the heading of a run.

    Raise BadFileError, with the line, where a line of a block has another form, a block is not
    closed or comes before the first run, a run has two figures with one title and label, a name is
    not printable, or the page has too many labels; and where the page has no figure.
    """
    labels: set[tuple[str, str]] = set()
    found: dict[tuple[str, str, str], OfficialFigure] = {}
    run_id, title, block = "", "", 0
    for number, line in _lines(source):
        if line.startswith(_FENCE):
            if not run_id:
                raise BadFileError(source.path, "a block of figures before the first run", number)
            block = 0 if block else number
        elif heading := _HEADING.fullmatch(line):
            if block:
                raise _not_closed(source, block)
            run_id, title = heading[1].strip(), ""
            _check_printable(source, "run", run_id, number)
        elif block and line:
            figure = _figure(source, number, run_id, title, line)
            key = (run_id, title, figure.label)
            if key in found:
                problem = (
                    f"run {source.quoted(run_id)} has {source.quoted(figure.label)} in line "
                    f"{found[key].line_number} too"
                )
                raise BadFileError(source.path, problem, number)
            found[key] = figure
            labels.add((title, figure.label))
            if len(labels) > MOST_LABELS:
                problem = f"more than {MOST_LABELS:,} labels: is it a page of results?"
                raise BadFileError(source.path, problem, number)
        elif not block and (titled := _TITLE.fullmatch(line)):
            title = titled[1].strip()
            _check_printable(source, "title", title, number)
    if block:
        raise _not_closed(source, block)
    if not found:
        # To accept it as results of no run would remove the results of earlier loads.
        problem = (
            'has no figures (expected: "#### run", and below it blocks of "label all value"; or '
            "lines of run, measure, topic and value)"
        )
        raise BadFileError(source.path, problem)
    return list(found.values())


def _figure(source: SourceFile, number: int, run_id: str, title: str, line: str) -> OfficialFigure:
    *words, topics, value = line.split() if len(line.split()) > 1 else ("", "", "")
    label = " ".join(words)
    if not label or topics != _ALL_TOPICS:
        problem = f"expected a label, {_ALL_TOPICS!r} and a value"
        raise BadFileError(source.path, problem, number)
    return figure_of(source, number, (run_id, title, label), value)


def figure_of(
    source: SourceFile, number: int, names: tuple[str, str, str], value: str
) -> OfficialFigure:
    """Return the figure of a line. `names` are its run, title and label. Raise BadFileError."""
    run_id, title, label = names
    for name, text in (("run", run_id), ("label", label)):
        _check_printable(source, name, text, number)
    if not _NUMBER.fullmatch(value) or not math.isfinite(float(value)):
        return OfficialFigure(number, run_id, title, label, None, _LEAST_DECIMALS)
    exponent = Decimal(value).as_tuple().exponent
    n_written = -exponent if isinstance(exponent, int) else 0
    n_decimals = min(max(n_written, _LEAST_DECIMALS), _MOST_DECIMALS)
    return OfficialFigure(number, run_id, title, label, float(value), n_decimals)


def _not_closed(source: SourceFile, block: int) -> BadFileError:
    return BadFileError(source.path, "the block that begins here is not closed", block)


def _check_printable(source: SourceFile, name: str, text: str, number: int) -> None:
    if not text.isprintable():
        raise BadFileError(source.path, f"{name} {source.quoted(text)} is not printable", number)


def _lines(source: SourceFile) -> Iterator[tuple[int, str]]:
    """Return each line with its number, without white space around it.

    Not by str.splitlines, which also splits at other characters.
    """
    for number, line in enumerate(source.data.decode().split("\n"), start=1):
        yield number, line.strip()
