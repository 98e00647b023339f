"""Test that models/exposures.yml is right about the readers of the marts outside dbt."""

import re
from pathlib import Path

import pytest
import yaml

from poolhouse.building.plan import plan_of
from poolhouse.experiments.findings import QUESTIONS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "loaders" / "poolhouse"
MARTS = {file.stem for file in (ROOT / "models").glob("**/marts/**/*.sql")}

OF_FIGURES = [
    *(PACKAGE / "figures" / "queries").glob("*.sql"),
    *(ROOT / "analyses" / "papers" / f"{names[0]}.sql" for names in QUESTIONS.values()),
]
OF_REPORTS = [
    *OF_FIGURES,
    *(PACKAGE / "report" / "queries").glob("*.sql"),
    PACKAGE / "expectations" / "queries" / "last_checks.sql",
]


def exposures() -> dict[str, set[str]]:
    """Return the marts that each exposure depends on."""
    text = (ROOT / "models" / "exposures.yml").read_text(encoding="utf-8")
    return {
        each["name"]: set(re.findall(r"ref\('(\w+)'\)", " ".join(each["depends_on"])))
        for each in yaml.safe_load(text)["exposures"]
    }


@pytest.mark.parametrize(("name", "files"), [("report", OF_REPORTS), ("figure", OF_FIGURES)])
def test_an_exposure_depends_on_the_marts_that_are_read(name: str, files: list[Path]) -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    relation = r"(?:audits\.|experiments\.|planning\.)?(\w+)"
    named = set(re.findall(rf"""(?:\b(?:from|join)\s+|["']){relation}""", text))
    assert exposures()[name] == named & MARTS


def test_a_plan_has_no_exposures() -> None:
    names = {node.name for node in plan_of({}).nodes}
    assert names >= MARTS
    assert names.isdisjoint(exposures())
