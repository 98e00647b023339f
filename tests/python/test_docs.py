"""Test that everything that the pages of docs name exists."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TESTS = Path(__file__).parent

PAGES = sorted(DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[each.stem for each in PAGES])
def test_the_tests_that_a_page_names_are_there(page: Path) -> None:
    named = set(re.findall(r"\btest_\w+(?:\.py)?", page.read_text(encoding="utf-8")))
    files = {each.name: each.read_text(encoding="utf-8") for each in TESTS.glob("test_*.py")}
    functions = set(re.findall(r"^def (test_\w+)", "\n".join(files.values()), re.MULTILINE))
    assert named <= set(files) | functions


def test_pages_name_tests() -> None:
    assert any("test_" in each.read_text(encoding="utf-8") for each in PAGES)
