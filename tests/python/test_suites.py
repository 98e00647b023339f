"""Test the suites of expectations: each is about a figure, and its words and numbers agree."""

import csv
import json
import re
from collections import Counter
from typing import Any

import pytest

from poolhouse.building.project import project_folder
from poolhouse.expectations.importing import sparingly

SUITES = {
    file.stem: json.loads(file.read_text())
    for file in sorted((project_folder() / "expectations").glob("*.json"))
}
EXPECTATIONS = [(suite, each) for suite in SUITES for each in SUITES[suite]["expectations"]]
FIGURES = project_folder() / "seeds" / "quality_figures.csv"

_PERCENT = re.compile(r"(\d+)%")


def _figure(expectation: dict[str, Any]) -> str:
    condition = expectation["kwargs"]["row_condition"]
    assert condition["column"] == {"name": "figure"}
    return str(condition["parameter"])


def _bounds(expectation: dict[str, Any]) -> list[float]:
    kwargs = expectation["kwargs"]
    return [kwargs[name] for name in ("min_value", "max_value") if name in kwargs]


def test_a_suite_has_the_name_of_its_file() -> None:
    assert {name: suite["name"] for name, suite in SUITES.items()} == {
        name: name for name in ("models", "raw", "suspicions")
    }


def test_an_expectation_is_complete() -> None:
    for suite, each in EXPECTATIONS:
        assert each["description"], each
        assert all(each["notes"]), each
        assert each["severity"] == ("warning" if suite == "suspicions" else "critical"), each
    names = Counter(each["meta"]["name"] for _, each in EXPECTATIONS)
    assert [name for name, n in names.items() if n > 1] == []


def test_each_figure_has_an_expectation_and_each_expectation_a_figure() -> None:
    with FIGURES.open(newline="") as lines:
        listed = [row["figure"] for row in csv.DictReader(lines)]
    assert sorted(listed) == sorted(_figure(each) for _, each in EXPECTATIONS)


def test_values_alone_have_thresholds() -> None:
    """And each row of the figures is asked alone, as a check of all collections at once needs."""
    for _, each in EXPECTATIONS:
        assert each["type"] == "expect_column_values_to_be_between", each
        assert set(each["kwargs"]) <= {"column", "row_condition", "min_value", "max_value"}, each
        if each["kwargs"]["column"] == "n_unexpected":
            assert _bounds(each) == [0, 0], each
        else:
            assert each["kwargs"]["column"] == "value", each
            assert each["meta"]["threshold"], each


def test_a_threshold_in_words_is_the_number() -> None:
    in_words = [(each, int(n)) for _, each in EXPECTATIONS for n in _PERCENT.findall(str(each))]
    assert in_words
    for each, percent in in_words:
        # words may count what is expected, or the rest: all but 1%
        numbers = {round(100 * bound) for bound in _bounds(each)}
        assert percent in numbers | {100 - number for number in numbers}, each


@pytest.mark.heavy
def test_great_expectations_keeps_all_of_it() -> None:
    with sparingly():
        import great_expectations as gx  # noqa: PLC0415 - it takes seconds

    for suite in SUITES.values():
        kept: dict[str, Any] = gx.ExpectationSuite(**suite).to_json_dict()
        for ours, theirs in zip(suite["expectations"], kept["expectations"], strict=True):
            assert ours.items() <= theirs.items()
        assert suite["notes"] == kept["notes"]
        assert suite["meta"].items() <= kept["meta"].items()
