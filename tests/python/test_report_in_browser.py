"""The report in a real browser: figures are drawn and linked, and leaderboards are sorted."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from conftest import OF_DEV
from poolhouse.command_line.main import main
from poolhouse.loading.load import LoadRequest
from poolhouse.warehouse.file import Warehouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason=OF_DEV)
sys.path.append(str(Path(__file__).parents[2] / "scripts"))

from look_at_report import SCHEMES, WIDTHS, browser, opened, overflow

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium here"),
]

Built = tuple[Path, LoadRequest, Warehouse]


@pytest.fixture(scope="module")
def report(built_once: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report_in_browser") / "report.html"
    arguments = ["report", "-o", str(file), "--db", str(built_once[2].path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    return file


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    with browser() as started:
        yield started


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_complained_of(
    chromium: "Browser", report: Path, width: int, scheme: str
) -> None:
    with opened(chromium, report, width, scheme) as (page, complaints):
        assert page.locator(".chart svg").count() >= 8
        assert overflow(page) == 0
    assert complaints == []


@pytest.mark.parametrize("width", WIDTHS)
def test_pools_before_judging_are_drawn(
    chromium: "Browser", unjudged_once: Warehouse, tmp_path: Path, width: int
) -> None:
    file = tmp_path / "report.html"
    arguments = ["report", "-o", str(file), "--db", str(unjudged_once.path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    with opened(chromium, file, width, "dark") as (page, complaints):
        assert page.locator(".chart svg").count() == 3
        assert overflow(page) == 0
    assert complaints == []


def test_a_run_that_is_chosen_stands_out_everywhere(chromium: "Browser", report: Path) -> None:
    with opened(chromium, report, WIDTHS[-1], "light") as (page, _):
        button = page.locator("button[data-run-id='a1']")
        button.focus()
        page.keyboard.press("Enter")
        assert button.get_attribute("aria-pressed") == "true"
        pale = ".chart path[aria-roledescription][opacity='0.12']"
        paled = f'document.querySelectorAll("{pale}").length'
        page.wait_for_function(f"{paled} > 0")
        button.click()
        page.wait_for_function(f"{paled} === 0")
        assert button.get_attribute("aria-pressed") == "false"


def test_a_leaderboard_is_sorted_and_filtered(chromium: "Browser", report: Path) -> None:
    with opened(chromium, report, WIDTHS[-1], "light") as (page, _):
        names = "[...document.querySelectorAll('.sortable tbody tr')].filter(row => !row.hidden)"
        names += ".map(row => row.cells[1].textContent)"
        there = page.evaluate(names)
        page.get_by_role("button", name="Run", exact=True).click()
        assert page.evaluate(names) == sorted(there, reverse=True)
        page.get_by_role("button", name="Run", exact=True).click()
        assert page.evaluate(names) == sorted(there)
        assert page.locator("th[aria-sort='ascending']").text_content() == "Run"
        page.get_by_role("searchbox").fill("a1")
        assert page.evaluate(names) == ["a1"]
        assert page.get_by_role("status").text_content() == f"1 of {len(there)} runs"


def test_another_measure_is_shown_when_it_is_chosen(chromium: "Browser", report: Path) -> None:
    with opened(chromium, report, WIDTHS[-1], "light") as (page, _):
        chart = page.locator("[data-specification$='left_out_scores']")
        before = chart.locator("svg").inner_html()
        chart.locator("select").select_option("RR")
        page.wait_for_timeout(200)
        assert chart.locator("svg").inner_html() != before
