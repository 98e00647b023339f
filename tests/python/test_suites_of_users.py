"""Suites of a user: what they find, what of them is refused, and our own as their beginning."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from poolhouse.command_line.main import main
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

Built = tuple[Path, LoadRequest, Warehouse]

EXPECTED: list[dict[str, Any]] = [
    {
        "type": "expect_column_values_to_be_between",
        "kwargs": {"column": "unjudged_10", "max_value": 0},
        "severity": "warning",
        "description": "every first document is judged",
        "notes": ["Judge them."],
        "meta": {"name": "first_documents_are_judged"},
    },
    {"type": "expect_column_values_to_not_be_null", "kwargs": {"column": "run_id"}},
    {"type": "expect_table_row_count_to_be_between", "kwargs": {"min_value": 100}},
    {
        "type": "expect_compound_columns_to_be_unique",
        "kwargs": {"column_list": ["collection_id", "run_id"]},
        "notes": None,
    },
]


@pytest.fixture
def built(built_once: Built, tmp_path: Path) -> Warehouse:
    return Warehouse(Path(shutil.copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))


def suite(**changes: object) -> dict[str, object]:
    content = {"name": "ours", "meta": {"relation": "leaderboard"}, "expectations": EXPECTED}
    return {**content, **changes}


def checked(warehouse: Path, content: object, folder: Path, *options: str) -> Result:
    file = folder / "suite.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    command = ["check", "--db", str(warehouse), "--suite", str(file), *options]
    return CliRunner().invoke(main, command)


@pytest.mark.heavy
def test_a_suite_over_a_mart_is_checked_recorded_and_shown(
    built: Warehouse, tmp_path: Path
) -> None:
    done = checked(built.path, suite(), tmp_path, "--format", "gx")
    assert done.exit_code == 1, done.output  # too few rows, which is critical by default
    validations = {each["suite_name"]: each for each in json.loads(done.stdout)}
    assert set(validations) == {"raw", "models", "suspicions", "ours"}
    assert validations["ours"]["meta"]["collection_id"] == "page"
    assert validations["ours"]["statistics"]["unsuccessful_expectations"] == 2
    recorded = run_query(
        built,
        """
        select expectation, figure, severity, success, observed, unexpected_count, sample, advice
        from fct_quality_results where suite = 'ours' and subject = 'main.leaderboard'
        """,
    ).rows
    runs = run_query(built, "select run_id, unjudged_10 from leaderboard order by all").rows
    unjudged = [{"run_id": run, "unjudged_10": share} for run, share in runs if share]
    assert 0 < len(unjudged) < len(runs)
    n_runs, n = len(runs), len(unjudged)
    [sample] = [
        json.loads(str(row[6])) for row in recorded if row[0] == "first_documents_are_judged"
    ]
    assert sorted(sample, key=lambda row: row["run_id"]) == unjudged
    assert {tuple(row) for row in recorded} == {
        (
            *("first_documents_are_judged", "unjudged_10", "warning", False),
            *(f"{n} of {n_runs}", n, json.dumps(sample), "Judge them."),
        ),
        (
            *("expect_column_values_to_not_be_null run_id", "run_id", "critical", True),
            *(f"0 of {n_runs}", 0, "[]", ""),
        ),
        (
            *("expect_table_row_count_to_be_between", None, "critical", False),
            *(str(n_runs), 1, "[]", ""),
        ),
        (
            *("expect_compound_columns_to_be_unique", None, "critical", True),
            *(f"0 of {n_runs}", 0, "[]", ""),
        ),
    }


@pytest.mark.heavy
def test_a_copy_of_ours_has_thresholds_of_its_own(built: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "suites"
    written = CliRunner().invoke(main, ["check", "--write-suites", str(folder)])
    names = [folder / f"{name}.json" for name in ("raw", "models", "suspicions")]
    assert written.stdout.splitlines() == [str(name) for name in names]
    content = json.loads(names[-1].read_text())
    content["name"] = "strict"
    of_topics = [each for each in content["expectations"] if "topic_share" in json.dumps(each)][:1]
    of_topics[0]["kwargs"]["min_value"] = 1.5
    of_topics[0]["severity"] = "critical"
    done = checked(built.path, {**content, "expectations": of_topics}, tmp_path)
    assert done.exit_code == 1, done.output
    query = """
        select distinct suite, subject
        from fct_quality_results
        where severity = 'critical' and not success
    """
    assert [tuple(row) for row in run_query(built, query).rows] == [
        ("strict", "audits.fct_quality_figures")
    ]
    again = CliRunner().invoke(main, ["check", "--write-suites", str(folder)])
    assert again.exit_code == 1
    assert "raw.json is there already: move it, or choose another folder" in again.stderr


REFUSED = {
    "suite.json: it is no JSON: ": "{",
    "suite.json: it is no JSON: maximum recursion depth exceeded": "[" * 100_000,
    "suite.json: it is no suite of Great Expectations": [],
    'suite.json: the suite has no name in one line: add "name"': suite(name=None),
    'suite.json: it does not say what it is about: add "meta": {"relation"': suite(meta={}),
    "suite.json: there is another suite 'raw'": suite(name="raw"),
    'suite.json: expectation 1 has no "type"': suite(expectations=[{}]),
    "severity of expectation 1 is one of critical, warning, info": suite(
        expectations=[{**EXPECTED[1], "severity": "high"}]
    ),
    "two expectations are called 'expect_column_values_to_not_be_null run_id'": suite(
        expectations=[EXPECTED[1], EXPECTED[1]]
    ),
    "suite ours: there is no mart 'leaderbord'": suite(meta={"relation": "leaderbord"}),
    "suite ours: there is no audits.leaderboard: write main.leaderboard": suite(
        meta={"relation": "audits.leaderboard"}
    ),
    "suite ours: dim_measures has no column collection_id": suite(
        meta={"relation": "dim_measures"}
    ),
    "meta.name of expectation 1 is no text in one line": suite(
        expectations=[{**EXPECTED[1], "meta": {"name": "a\nb"}}]
    ),
}


@pytest.mark.parametrize("problem", REFUSED)
def test_a_suite_that_cannot_be_read_is_refused_with_a_remedy(
    problem: str, built_once: Built, tmp_path: Path
) -> None:
    """Before Great Expectations is imported, which takes seconds."""
    done = checked(built_once[0], REFUSED[problem], tmp_path)
    assert done.exit_code == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert problem in line


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("expectation", "problem"),
    [
        (
            {"type": "expect_the_best", "kwargs": {}},
            "Great Expectations refuses it: it makes no expectation 'expect_the_best'",
        ),
        (
            {
                "type": "expect_column_max_to_be_between",
                "kwargs": {"column": "map", "max_value": {"$PARAMETER": "no_such"}},
            },
            "Great Expectations refuses it: ",
        ),
        (
            {"type": "expect_column_values_to_not_be_null", "kwargs": {"column": "no_such"}},
            "of suite ours cannot be evaluated on leaderboard: ",
        ),
        (
            {
                "type": "unexpected_rows_expectation",
                "kwargs": {"unexpected_rows_query": "select * from read_text('/etc/passwd')"},
            },
            "of suite ours cannot be evaluated on leaderboard: ",
        ),
    ],
    ids=["type", "parameter", "column", "file"],
)
def test_an_expectation_that_raises_is_an_error(
    built: Warehouse, tmp_path: Path, expectation: dict[str, object], problem: str
) -> None:
    done = checked(built.path, suite(expectations=[expectation]), tmp_path)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert problem in line
    assert run_query(built, "select count(*) from fct_quality_results").rows == [(0,)]
