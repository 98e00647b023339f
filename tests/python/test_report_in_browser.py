"""The report in a real browser: nothing is cut on a screen or paper, and keys reach everything."""

import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from conftest import OF_DEV
from poolhouse.loading.request import LoadRequest
from poolhouse.report import writing
from poolhouse.report.contents import CollectionContents, Row, collections_of, contents_of
from poolhouse.report.page import Renderer
from poolhouse.report.rows import Rows
from poolhouse.report.vega import script
from poolhouse.report.writing import write_report
from poolhouse.warehouse.file import Warehouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright", reason=OF_DEV)
sys.path.append(str(Path(__file__).parents[2] / "scripts"))

from look_at_report import WIDTHS, above, beyond, browser, opened

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium here"),
]

PHONE, _, DESKTOP, _ = WIDTHS
N_RUNS, N_COLLECTIONS = 150, 8
LONG_NAME = "a" * 100
# Pixels between the margins of 12 mm: width and height.
PAPERS = {"A4": (703, 1031), "Letter": (725, 965)}


@pytest.fixture(scope="module")
def report(
    built_once: tuple[Path, LoadRequest, Warehouse],
    unjudged_once: Warehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Write the page of a judged collection of 150 runs, and of one before its judging."""
    judged, part = _only_collection(built_once[2])
    unjudged, planned = _only_collection(unjudged_once)
    assert part.leaderboard
    runs = part.leaderboard.rows
    names = [*runs["run_id"], LONG_NAME, *(f"run-{number:03}" for number in range(4, N_RUNS))]
    more = pl.concat([runs] * (N_RUNS // runs.height)).with_columns(
        pl.Series("run_id", names), pl.Series("rank", range(1, N_RUNS + 1), pl.Int32)
    )
    parts = [
        replace(part, leaderboard=replace(part.leaderboard, rows=more, n_runs=N_RUNS)),
        planned,
    ]
    overview = [judged] * (N_COLLECTIONS - 1) + [unjudged]
    file = tmp_path_factory.mktemp("report_in_browser") / "report.html"
    page = Renderer("w.duckdb", datetime(2026, 1, 1))
    file.write_text(page.of_all(overview, parts, script()), encoding="utf-8")
    return file


def _only_collection(warehouse: Warehouse) -> tuple[Row, CollectionContents]:
    rows = Rows(warehouse)
    overview = collections_of(warehouse, rows, ())
    (part,) = contents_of(warehouse, rows, overview)
    return overview[0], part


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def desktop(chromium: "Browser", report: Path) -> Iterator["Page"]:
    with opened(chromium, report, DESKTOP, "light") as (page, _):
        yield page


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_or_complained_of(chromium: "Browser", report: Path, width: int) -> None:
    """The share of unjudged documents stands beside the score that it is about."""
    with opened(chromium, report, width, "dark") as (page, complaints):
        assert page.locator(".chart svg").count() >= 11
        assert beyond(page) == []
        assert above(page) == []
        table = page.locator(".sortable")
        headings = table.locator("thead th").all_text_contents()
        assert headings[:4] == ["Place", "Run", "AP", "Unjudged"]
        assert set(headings[4:]) >= {"Organization", "Topics", "P@10", "nDCG@10", "R@1000"}
        for row in ("thead tr", "tbody tr:first-child"):
            boxes = [each.bounding_box() for each in table.locator(f"{row} > *").all()[:4]]
            assert all(boxes)
            assert len({box["y"] for box in boxes if box}) == 1
        # The screen reader's tree has the table also where the style shows it as boxes.
        tree = table.aria_snapshot()
        assert 'table "Runs of page, by AP"' in tree
        assert 'rowheader "a1"' in tree
        assert 'columnheader "Unjudged"' in tree
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 29)"
    assert complaints == []


def test_a_phone_shows_all_scores_of_a_chosen_run(chromium: "Browser", report: Path) -> None:
    with opened(chromium, report, PHONE, "light") as (page, _):
        row = page.locator(".sortable tbody tr").nth(1)
        last = row.locator("td").last
        assert not last.is_visible()
        row.get_by_role("button").click()
        assert last.is_visible()
        assert last.get_attribute("data-label") == "R@1000"
        assert row.locator("td").first.text_content() == "2"  # nothing is sorted by the click
        assert beyond(page) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_paper_begins_with_what_matters(chromium: "Browser", report: Path, paper: str) -> None:
    width, height = PAPERS[paper]
    with opened(chromium, report, DESKTOP, "dark") as (page, _):
        page.evaluate("n_prints = 0; addEventListener('beforeprint', () => { n_prints += 1; })")
        page.pdf(format=paper)
        assert page.evaluate("n_prints") == 1  # a browser that prints tells the page, which then
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.wait_for_timeout(300)  # draws its figures for paper
        top, bottom = "getBoundingClientRect().top", "getBoundingClientRect().bottom"
        first = page.locator(".collection").first
        front = first.locator(".front")
        assert front.locator("tbody tr").count() == 10
        assert front.locator(".chart svg").is_visible()
        assert front.evaluate(f"each => each.{bottom}") <= height
        assert first.locator(".verdict").first.evaluate(f"each => each.{bottom}") <= height
        # Then figures, none longer than a page; then all tables, also those that are folded.
        tables = first.locator(".tables").evaluate(f"each => each.{top}")
        figures = first.locator("figure").all()
        assert len(figures) >= 8
        for figure in figures:
            assert figure.evaluate(f"each => each.{bottom}") < tables
            assert figure.evaluate("each => each.offsetHeight") < height
            assert figure.evaluate("each => getComputedStyle(each).breakInside") == "avoid"
        long = first.locator(":scope > details table, :scope > .long table").all()
        assert len(long) > len(figures)
        for each in long:
            assert each.is_visible()
            assert each.evaluate(f"each => each.{top}") > tables
        assert first.locator(".sortable tbody tr").last.is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        assert beyond(page) == []


def test_tables_are_shown_without_a_script(chromium: "Browser", report: Path) -> None:
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": PHONE, "height": 900}
    )
    page = context.new_page()
    page.goto(report.absolute().as_uri())
    rows = page.locator(".sortable tbody tr")
    assert rows.count() == N_RUNS
    assert rows.last.locator("td").last.is_visible()
    assert not page.get_by_role("searchbox").is_visible()
    context.close()


def test_a_screen_reader_finds_its_way(desktop: "Page") -> None:
    levels = desktop.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5')].map(each => +each.tagName[1])"
    )
    assert levels[0] == 1
    assert all(lower <= upper + 1 for upper, lower in pairwise(levels))
    tree = desktop.locator("body").aria_snapshot()
    assert len(re.findall(r"- table\b", tree)) == len(re.findall(r'- table "', tree)) > 0
    assert len(re.findall(r"- figure\b", tree)) == len(re.findall(r'- figure "', tree)) >= 11
    assert desktop.locator("th:not([scope])").count() == 0
    for figure in desktop.locator("figure:has(.chart)").all():
        reading = figure.get_attribute("aria-describedby")
        assert desktop.locator(f"#{reading}").text_content()


def test_a_run_that_is_chosen_by_keys_stands_out_everywhere(desktop: "Page") -> None:
    button = desktop.locator("button[data-run-id='a1']")
    button.focus()
    pale = ".chart path[aria-roledescription][opacity='0.12']"
    paled = f'document.querySelectorAll("{pale}").length'
    for key, is_chosen in (("Enter", True), ("Space", False)):
        desktop.keyboard.press(key)
        assert button.get_attribute("aria-pressed") == str(is_chosen).lower()
        desktop.wait_for_function(f"({paled} > 0) === {str(is_chosen).lower()}")


def test_a_leaderboard_is_sorted_and_filtered_by_keys(desktop: "Page") -> None:
    names = "[...document.querySelectorAll('.sortable tbody tr')].filter(row => !row.hidden)"
    names += ".map(row => row.cells[1].textContent)"
    there = desktop.evaluate(names)
    sorted_by = desktop.locator("th[aria-sort]")
    assert (sorted_by.text_content(), sorted_by.get_attribute("aria-sort")) == (
        "Place",
        "ascending",
    )
    for key, order in (("Enter", "descending"), ("Space", "ascending")):
        desktop.get_by_role("button", name="Run", exact=True).focus()
        desktop.keyboard.press(key)
        assert desktop.evaluate(names) == sorted(there, reverse=order == "descending")
        assert (sorted_by.text_content(), sorted_by.get_attribute("aria-sort")) == ("Run", order)
    for expected in (range(N_RUNS, 0, -1), range(1, N_RUNS + 1)):
        desktop.get_by_role("button", name="Place", exact=True).press("Enter")
        places = desktop.locator(".sortable tbody td:first-child").all_text_contents()
        assert list(map(int, places)) == list(expected)
    desktop.get_by_role("searchbox").focus()
    desktop.keyboard.type("run-00")
    assert desktop.evaluate(names) == [f"run-{number:03}" for number in range(4, 10)]
    assert desktop.get_by_role("status").text_content() == f"6 of {N_RUNS} runs"
    desktop.get_by_role("searchbox").fill("")


def test_keys_skip_the_runs(desktop: "Page") -> None:
    desktop.get_by_role("searchbox").focus()
    focused = "document.activeElement"
    stops = []
    for _ in range(2):
        desktop.keyboard.press("Tab")
        stops.append(desktop.evaluate(f"{focused}.textContent.trim()"))
        assert desktop.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
        assert desktop.evaluate(f"getComputedStyle({focused}).opacity") == "1"
    assert stops[0] == "Skip the runs"
    assert stops[1].startswith("Runs of page, by AP")
    desktop.keyboard.press("Shift+Tab")
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Tab")
    assert desktop.evaluate(f"{focused}.textContent") == f"All {N_RUNS} rows as CSV"


def test_another_measure_is_shown_when_it_is_chosen(desktop: "Page") -> None:
    chart = desktop.locator("[data-specification$='left_out_scores']")
    before = chart.locator("svg").inner_html()
    chart.locator("select").select_option("RR")
    desktop.wait_for_timeout(200)
    assert chart.locator("svg").inner_html() != before


def test_pages_in_a_folder_share_the_script_that_draws(
    chromium: "Browser",
    built_once: tuple[Path, LoadRequest, Warehouse],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "MOST_COLLECTIONS", 0)
    write_report(built_once[2], tmp_path / "report.html")
    file = tmp_path / "report-collections" / "1-page.html"
    with opened(chromium, file, DESKTOP, "light") as (page, complaints):
        n_figures = page.locator("[data-specification]").count()
        assert page.locator(".chart svg").count() == n_figures > 0
    assert complaints == []
    (file.parent / "vega.js").unlink()
    with opened(chromium, file, DESKTOP, "light") as (page, complaints):
        assert page.locator(".chart svg").count() == 0
        assert "needs the file vega.js" in page.locator(".chart").first.inner_text()
        assert page.locator(".sortable tbody tr").count() > 0
    assert len(complaints) == 1
