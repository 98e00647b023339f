"""Suites of expectations in Great Expectations' own form: ours, and those of a user.

A suite is a file of JSON. Its `meta.relation` names the public relation that it is about. Our
suites are about `audits.fct_quality_figures`, and have the only copy of their thresholds.
"""

import json
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from poolhouse.building.project import project_folder
from poolhouse.errors import PoolhouseError

# Our suites in the order of a check.
_FILES = ("raw", "models", "suspicions")

# The name under which the tests of dbt are listed.
DBT_TESTS = "dbt tests"

# Names that a suite of a user cannot have.
OURS = (*_FILES, DBT_TESTS)

# The severity of a promise, in the words of Great Expectations. Anything else is a suspicion.
CRITICAL = "critical"

# The temporary table of the rows that are validated.
ROWS = "checked_rows"

# Rows of a sample, enough to see a common property.
SAMPLE_SIZE = 5

_SEVERITIES = (CRITICAL, "warning", "info")


@dataclass(frozen=True)
class Expectation:
    """One expectation: its name and texts, and its configuration for Great Expectations.

    `meaning` says what is expected, and `advice` why, or what to do. `needs` says which data are
    missing if there is nothing to look at. `figure` is the figure that it is about, or the column.
    """

    name: str
    severity: str
    meaning: str
    advice: str
    needs: str
    figure: str | None
    configuration: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_promise(self) -> bool:
        """Whether it is an error if the expectation does not hold."""
        return self.severity == CRITICAL

    @property
    def described(self) -> tuple[str, str | None, str, str, str]:
        """Its name, figure, severity, meaning and advice, as columns of a result."""
        return self.name, self.figure, self.severity, self.meaning, self.advice


@dataclass(frozen=True)
class Suite:
    """A named group of expectations about one relation, in the order of its file."""

    name: str
    relation: str
    expectations: tuple[Expectation, ...] = field(repr=False)
    content: Mapping[str, Any] = field(repr=False)


def own_suites() -> tuple[Suite, ...]:
    """Read the suites of this version."""
    return tuple(map(_read, _own_files()))


def suites_of(files: Collection[Path]) -> tuple[Suite, ...]:
    """Read the suites of a user. Raise PoolhouseError with the file, the problem and the remedy."""
    suites = tuple(map(_read, files))
    names = Counter([*OURS, *(suite.name for suite in suites)])
    for file, suite in zip(files, suites, strict=True):
        if names[suite.name] > 1:
            raise PoolhouseError(
                f"{file}: there is another suite {suite.name!r}: give this one a name of its own"
            )
    return suites


def write_suites(folder: Path) -> list[Path]:
    """Copy our suites into a folder. Raise PoolhouseError where a file is there already."""
    targets = [folder / file.name for file in _own_files()]
    if there := next((file for file in targets if file.exists()), None):
        raise PoolhouseError(f"{there} is there already: move it, or choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in zip(_own_files(), targets, strict=True):
            shutil.copyfile(source, target)
    except OSError as error:
        raise PoolhouseError(f"{folder}: cannot be written: {error.strerror}") from error
    return targets


def _own_files() -> list[Path]:
    return [project_folder() / "expectations" / f"{name}.json" for name in _FILES]


def _read(file: Path) -> Suite:
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PoolhouseError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise PoolhouseError(f"{file}: it is no JSON: {error}") from error
    try:
        return _suite(content)
    except PoolhouseError as error:
        raise PoolhouseError(f"{file}: {error}") from None


def _suite(content: Any) -> Suite:  # noqa: ANN401 - any JSON
    if not isinstance(content, dict) or not isinstance(content.get("expectations"), list):
        raise PoolhouseError(
            'it is no suite of Great Expectations: it needs "name" and a list "expectations"'
        )
    name, meta = content.get("name"), content.get("meta")
    relation = meta.get("relation") if isinstance(meta, dict) else None
    if not isinstance(name, str) or not name.isprintable() or not name:
        raise PoolhouseError('the suite has no name in one line: add "name": "my_suite"')
    if not isinstance(relation, str):
        raise PoolhouseError(
            'it does not say what it is about: add "meta": {"relation": "leaderboard"}'
        )
    expectations = tuple(_expectations(content["expectations"]))
    for each, n in Counter(each.name for each in expectations).items():
        if n > 1:
            raise PoolhouseError(
                f'two expectations are called {each!r}: give each a name, "meta": {{"name": ...}}'
            )
    configurations = [dict(each.configuration) for each in expectations]
    return Suite(name, relation, expectations, {**content, "expectations": configurations})


def _expectations(configurations: list[Any]) -> Iterator[Expectation]:
    for place, each in enumerate(configurations, start=1):
        if not isinstance(each, dict) or not isinstance(each.get("type"), str):
            raise PoolhouseError(f'expectation {place} has no "type"')
        kwargs, meta = each.get("kwargs") or {}, each.get("meta") or {}
        if not isinstance(kwargs, dict) or not isinstance(meta, dict):
            raise PoolhouseError(f'"kwargs" and "meta" of expectation {place} are objects of JSON')
        severity = each.get("severity") or CRITICAL
        if severity not in _SEVERITIES:
            raise PoolhouseError(
                f"severity of expectation {place} is one of {', '.join(_SEVERITIES)}"
            )
        column = kwargs["column"] if isinstance(kwargs.get("column"), str) else None
        name = meta.get("name") or " ".join(filter(None, (each["type"], column)))
        if not isinstance(name, str) or not name.isprintable():
            raise PoolhouseError(f"meta.name of expectation {place} is no text in one line")
        notes = each.get("notes") or ""
        others = {"kwargs": kwargs, "severity": severity, "meta": {**meta, "name": name}}
        given = {part: value for part, value in each.items() if value is not None}
        yield Expectation(
            name=name,
            severity=severity,
            meaning=str(each.get("description") or _in_words(name, kwargs)),
            advice=" ".join(map(str, notes)) if isinstance(notes, list) else str(notes),
            needs=str(meta.get("needs") or ""),
            figure=_figure(kwargs.get("row_condition")) or column,
            configuration={**given, **others},
        )


def _in_words(name: str, kwargs: Mapping[str, object]) -> str:
    bounds = (f"{part} {value}" for part, value in kwargs.items() if part != "column")
    return ", ".join((name.replace("_", " "), *bounds))


def _figure(condition: Any) -> str | None:  # noqa: ANN401 - any JSON
    """Return the figure that a condition on rows names: `figure == "topic_share"`."""
    match condition:
        case {"column": {"name": "figure"}, "operator": "==", "parameter": str(figure)}:
            return figure
    return None
