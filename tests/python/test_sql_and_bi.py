"""Test the pages for analysts: filters and joins are the models' keys, and programs run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from conftest import OF_DEV
from documented import ROOT, blocks, statements
from documented_folder import WAREHOUSE
from poolhouse.documentation import filters
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

PAGE = ROOT / "docs" / "joins.md"
TOOLS = ROOT / "docs" / "sql-and-bi.md"

# Columns that identify the subject of a row. Nobody sums over several subjects by mistake. Filters
# choose among the variants of a row.
SUBJECTS = {"collection_id", "run_id", "topic_id", "doc_id", "organization"}

# The keys of these views follow from the keys of their tables, and are not declared again; a check
# would compute all figures of quality again for a test of their key.
UNDECLARED = {
    "fct_topic_scores": {"collection_id", "run_id", "topic_id"},
    "fct_quality_figures": {"collection_id", "object"},
    "fct_titlestats": {"collection_id"},
    "fct_topic_titlestats": {"collection_id", "topic_id"},
    "fct_word_titlestats": {"collection_id", "topic_id"},
}
IN_AUDITS = {"fct_quality_figures", "fct_topic_titlestats", "fct_word_titlestats"}
INTERVALS = "fct_experiment_intervals"

Columns = frozenset[str]


def models() -> dict[str, tuple[Columns, list[Columns]]]:
    """Return the columns and the declared keys of every mart."""
    found = {}
    for file in (ROOT / "models").glob("**/marts/**/*.yml"):
        for model in yaml.safe_load(file.read_text()).get("models", ()):
            tests = [
                test["rows"]["arguments"] for test in model.get("data_tests", ()) if "rows" in test
            ]
            keys = [frozenset(test["key"]) for test in tests if "key" in test]
            columns = frozenset(column["name"] for column in model.get("columns", ()))
            found[model["name"]] = columns, keys
    return found


@pytest.mark.heavy
def test_columns_are_bare_words() -> None:
    """BI tools that parse SQL, such as Superset, read each column without quotes as a column."""
    sqlglot = pytest.importorskip("sqlglot", reason=OF_DEV)
    found = models()
    assert "leaderboard" in found
    for mart, (columns, _) in found.items():
        for column in columns:
            parsed = sqlglot.parse_one(
                f"select max({column}) from {mart} order by {column}", dialect="duckdb"
            )
            words = [each.name for each in parsed.find_all(sqlglot.exp.Column)]
            assert words == [column] * 2, (mart, column)


def test_filters_are_the_rest_of_the_keys() -> None:
    declared = {
        name: sorted(keys[0] - SUBJECTS)
        for name, (_, keys) in models().items()
        if keys and name.startswith(("fct_", "adjusted_leaderboard"))
    }
    needed = {name: columns for name, columns in declared.items() if columns}
    of_others = {*UNDECLARED, INTERVALS}
    listed = {name: sorted(columns) for name, (columns, _) in filters().items()}
    assert {name: each for name, each in listed.items() if name not in of_others} == needed
    assert of_others <= set(listed)
    # One row per row of those estimates, estimator, method and confidence.
    intervals = needed["fct_experiment_topic_estimates"] + ["estimator", "method", "confidence"]
    assert listed[INTERVALS] == sorted(intervals)


def test_marts_that_need_none_are_not_listed() -> None:
    [(_, [key])] = [each for name, each in models().items() if name == "leaderboard"]
    assert key == {"collection_id", "run_id"}
    assert not {"leaderboard", "topic_leaderboard", "fct_judgements"} & set(filters())


@pytest.mark.heavy
@pytest.mark.parametrize("mart", UNDECLARED)
def test_filters_name_one_row(mart: str, documented_folder: Path) -> None:
    assert rows_of_a_key(Warehouse(documented_folder / WAREHOUSE), mart, UNDECLARED[mart]) == 1


def rows_of_a_key(warehouse: Warehouse, mart: str, subject: set[str]) -> object:
    """Return the largest number of rows for one value of subject and filters."""
    key = ", ".join(sorted(subject | set(filters()[mart][0])))
    relation = f"audits.{mart}" if mart in IN_AUDITS else mart
    query = f"select max(n) from (select count(*) as n from {relation} group by {key})"
    [(most,)] = run_query(warehouse, query).rows
    return most


@pytest.mark.heavy
def test_joins_are_by_keys() -> None:
    [diagram] = [block.text for block in blocks(PAGE) if block.language == "mermaid"]
    lines = re.findall(r'^ +(\w+) \|\|--(o\{|o\||\|\|) (\w+) : "(.+)"$', diagram, re.MULTILINE)
    assert len(lines) == len(diagram.splitlines()) - 1
    marts = models()
    for one, how, other, by in lines:
        columns = frozenset(by.split(", "))
        assert columns in marts[one][1], f"{by} is no key of {one}"
        assert columns <= marts[other][0], f"{other} lacks {by}"
        assert (columns in marts[other][1]) == (how != "o{"), f"{one}, {other}: how many rows"


def test_there_are_ten_queries() -> None:
    section = "Ten queries"
    assert len([s for b in blocks(PAGE) if b.section == section for s in statements(b)]) == 10


@pytest.mark.heavy
def test_programs_run(documented_folder: Path) -> None:
    programs = [block.text for block in blocks(TOOLS) if block.language == "python"]
    assert len(programs) == 4
    for program in programs:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=documented_folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
