"""`poolhouse report`: one file without requests, in which names are only text."""

import base64
import csv
import hashlib
import io
import json
import re
import shlex
from collections.abc import Sequence
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from shutil import copyfile

import pytest
import vl_convert
from attrs import evolve
from click.testing import Result

from asking import invoke, invoke_on
from built_collections import load_together
from conftest import NewWarehouse, ToyFiles, state_of
from poolhouse.building.build import build
from poolhouse.expectations.checking import check
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.report import contents, vega, writing
from poolhouse.report import page as report_page
from poolhouse.report import rows as report_rows
from poolhouse.report.page import Renderer
from poolhouse.report.sections import PLANNING, SECTIONS
from poolhouse.report.templates import environment
from poolhouse.warehouse.file import Warehouse

Built = tuple[Path, LoadRequest, Warehouse]

# Names that a page would obey if they were not escaped. Names of files cannot have a slash.
HOSTILE_RUNS = ("<img src=x onerror=alert(1)>", "=1+1", "{{ 7 * 7 }}", "a\"b'c&amp;", "x" * 200)
HOSTILE_COLLECTION = "</script><script>alert(2)</script>"
HOSTILE_ORGANIZATION = "=cmd|' /C calc'!A0</style>\x1b[31m\u202e"


class Page(HTMLParser):
    """The elements of a page and the texts of its scripts, as a browser reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[tuple[str | None, str]] = []
        self._type: str | None = None
        self._is_in_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._is_in_script = tag == "script"
        self._type = dict(attrs).get("type")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._is_in_script = False

    def handle_data(self, data: str) -> None:
        if self._is_in_script:
            self.scripts.append((self._type, data))
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    @property
    def programs(self) -> list[str]:
        return [text for type_, text in self.scripts if type_ is None]

    @property
    def specifications(self) -> list[dict[str, object]]:
        return [json.loads(text) for type_, text in self.scripts if type_ == "application/json"]

    def attributes(self, name: str) -> list[str]:
        return [value for _, each in self.elements if (value := each.get(name)) is not None]

    def tables_as_csv(self) -> list[list[list[str]]]:
        start = "data:text/csv;charset=utf-8;base64,"
        links = [each for each in self.attributes("href") if each.startswith(start)]
        texts = [base64.b64decode(each.removeprefix(start)).decode() for each in links]
        return [list(csv.reader(io.StringIO(text, newline=""))) for text in texts]


def reported(warehouse: Warehouse, file: Path, *arguments: str) -> Result:
    return invoke_on(warehouse, "report", *arguments, "-o", file)


def page_of(warehouse: Warehouse, folder: Path, *arguments: str) -> Page:
    file = folder / "report.html"
    assert reported(warehouse, file, *arguments).exit_code == 0
    return Page(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(built_once: Built, tmp_path_factory: pytest.TempPathFactory) -> Page:
    return page_of(built_once[2], tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def hostile(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """Report on a collection in which every name is hostile."""
    folder = tmp_path_factory.mktemp("hostile_report")
    (folder / "runs").mkdir()
    for place, name in enumerate(HOSTILE_RUNS):
        lines = (f"1 Q0 d{(rank * (place + 1)) % 7} {rank} {9 - rank} t\n" for rank in range(1, 6))
        (folder / "runs" / name).write_text("".join(lines))
    (folder / "qrels").write_text("".join(f"1 0 d{number} {number % 2}\n" for number in range(7)))
    with (folder / "qrels").open("a") as file:
        file.write("1 0 d7 -1\n")
    with (folder / "runs.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [(name, HOSTILE_ORGANIZATION) for name in HOSTILE_RUNS]
        csv.writer(file).writerows([("run", "organization"), *rows])
    (folder / "topics").write_text("1\t<svg onload=alert(3)>\n")
    warehouse = new_warehouse(folder)
    request = LoadRequest(
        HOSTILE_COLLECTION,
        [folder / "runs"],
        folder / "qrels",
        descriptions=folder / "runs.csv",
        topics=folder / "topics",
        depth=3,
    )
    load_collection(warehouse, request)
    build(warehouse)
    return page_of(warehouse, folder)


def test_every_section_is_there_and_linked(page: Page) -> None:
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    for name, title in SECTIONS.items():
        # The collection has one author of judgements.
        n_times = 0 if name == "judges" else 2
        assert page.text.count(title) == n_times  # in the contents, and above the section
    inside = [each for each in page.attributes("href") if each.startswith("#")]
    assert inside
    assert {each.removeprefix("#") for each in inside} <= set(ids)


def test_the_title_names_the_collections(page: Page, built_once: Built) -> None:
    """Reports on several collections are told apart in tabs and bookmarks."""
    assert page.text.startswith("Report on page ")  # the title
    assert page.text.count("Report on page ") == 2  # the heading too
    assert f"by poolhouse report, from {built_once[2].path.name}." in page.text


@pytest.mark.parametrize(
    ("n_collections", "title"),
    [
        (0, "Report on w.duckdb"),
        (2, "Report on c0 and c1"),
        (4, "Report on c0, c1, c2 and c3"),
        (6, "Report on c0, c1, c2, c3 and 2 more"),
    ],
)
def test_the_title_of_several_collections(n_collections: int, title: str) -> None:
    sizes = ("n_runs", "n_pooled_runs", "n_organizations", "n_topics", "n_judgements")
    about = ("n_relevant", "pool_depth", "verdict", "judging", "how_judged")
    nothing = dict.fromkeys((*sizes, *about))
    overview = [{**nothing, "collection_id": f"c{place}"} for place in range(n_collections)]
    page = Page(Renderer("w.duckdb", datetime(2026, 1, 1)).of_all(overview, [], ""))
    assert page.text.count(f"{title} ") == 2


def test_the_page_asks_for_nothing(page: Page) -> None:
    addresses = [*page.attributes("href"), *page.attributes("src")]
    assert addresses
    assert not [each for each in addresses if not each.startswith(("#", "data:"))]
    assert not [tag for tag, _ in page.elements if tag in {"link", "iframe", "object", "embed"}]


def test_only_our_scripts_may_run(page: Page) -> None:
    (policy,) = (
        str(each["content"])
        for tag, each in page.elements
        if tag == "meta" and each.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    digests = [hashlib.sha256(each.encode()).digest() for each in page.programs]
    allowed = re.findall(r"'sha256-([^']+)'", policy)
    assert allowed == [base64.b64encode(each).decode() for each in digests]
    # Vega, and the script of the page.
    assert len(allowed) == 2
    assert not [each for each in page.programs if "\r" in each]


def test_the_script_that_draws_is_kept_and_made_again_where_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "a </script> b")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = vega.script()
    assert made.endswith("a <\\/script> b")
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "c")
    assert vega.script() == made
    (kept,) = tmp_path.rglob("vega.js")
    for other in (b"/* another release */", b"\xff"):
        kept.write_bytes(other)
        assert vega.script().endswith("*/\nc")
    (tmp_path / "a file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a file"))
    assert vega.script().endswith("*/\nc")


def test_figures_have_titles_readings_and_rows(page: Page) -> None:
    assert len(page.specifications) >= 8
    drawn = page.attributes("data-specification")
    assert len(drawn) == len(page.specifications)
    captions = [tag for tag, _ in page.elements if tag == "figcaption"]
    assert len(captions) == len(drawn)
    assert page.text.count("Source: ") > len(drawn)


def test_a_leaderboard_is_whole_without_a_script(page: Page, built_once: Built) -> None:
    with built_once[2].read() as connection:
        rows = connection.execute("select run_id from leaderboard").fetchall()
    assert set(page.attributes("data-run-id")) == {run_id for (run_id,) in rows}


def test_the_verdict_is_said_with_its_reasons(page: Page, built_once: Built) -> None:
    with built_once[2].read() as connection:
        found = connection.execute("select verdict, verdict_reasons from audit_collections")
        ((verdict, reasons),) = found.fetchall()
    assert verdict in page.text
    assert all(each in page.text for each in (reasons or "").split("; "))


def test_every_value_of_a_template_is_escaped() -> None:
    template = environment().from_string("{{ name }}")
    assert template.render(name="<b>&\x1b") == "&lt;b&gt;&amp;\N{REPLACEMENT CHARACTER}"


@pytest.mark.heavy
def test_names_are_only_text(hostile: Page) -> None:
    assert len(hostile.programs) == 2
    assert not [tag for tag, _ in hostile.elements if tag in {"img", "svg", "b"}]
    assert not [name for _, each in hostile.elements for name in each if name.startswith("on")]
    assert HOSTILE_COLLECTION in hostile.text
    assert set(hostile.attributes("data-run-id")) == set(HOSTILE_RUNS)
    assert "{{ 7 * 7 }}" in hostile.text
    shown = [*hostile.texts, *hostile.attributes("aria-label")]
    assert not [each for each in shown if re.search("[\x1b\u202e]", each)]


@pytest.mark.heavy
def test_judgements_less_than_the_lines_of_the_qrels_are_explained(
    hostile: Page, page: Page
) -> None:
    explained = "The 7 judgements are the 8 documents in the qrels, less 1 with a negative grade"
    assert explained in hostile.text
    assert "with a negative grade" not in page.text


@pytest.mark.heavy
def test_rows_of_figures_end_no_element(hostile: Page) -> None:
    for specification in hostile.specifications:
        assert specification["datasets"]
    assert not [text for _, text in hostile.scripts if HOSTILE_COLLECTION in text]


@pytest.mark.heavy
def test_no_cell_of_a_table_is_a_formula(hostile: Page) -> None:
    tables = hostile.tables_as_csv()
    assert tables
    cells = [cell for table in tables for row in table for cell in row]
    texts = [each for each in cells if not re.fullmatch(r"-?[\d.]+(e-?\d+)?", each)]
    assert not [each for each in texts if each.startswith(("=", "+", "-", "@"))]
    assert "'=1+1" in cells


@pytest.mark.heavy
def test_a_large_collection_is_shown_in_part_and_not_tested(
    built_once: Built, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not shown is in the file."""
    monkeypatch.setattr(report_page, "MOST_ROWS", 1)
    monkeypatch.setattr(contents, "MOST_TESTED", 0)
    large = page_of(built_once[2], tmp_path)
    assert len(large.attributes("data-run-id")) == 1
    leaderboard = next(table for table in large.tables_as_csv() if "rr" in table[0])
    assert len(leaderboard) == 1 + len(built_once[1].runs)
    assert "Their difference is not tested here" in large.text
    assert "p-values" in page.text
    assert "p-values" not in large.text
    assert len(large.specifications) == len(page.specifications)


@pytest.mark.heavy
def test_rows_that_are_not_in_the_file_are_counted(
    built_once: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_rows, "MOST_ROWS_OF_QUERY", 1)
    page = page_of(built_once[2], tmp_path)
    n_runs = len(built_once[1].runs)
    assert f"The first 1 of {n_runs} rows as CSV" in page.text
    assert f"1 of {n_runs} runs" in page.text
    assert [len(table) for table in page.tables_as_csv() if "rr" in table[0]] == [2]


# -------------------------------------------------------------------------- pages of their own


@pytest.mark.heavy
def test_many_collections_have_a_list_and_a_page_each(
    built_once: Built, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_COLLECTIONS", 0)
    overview = page_of(built_once[2], tmp_path)
    assert "each has a page of its own" in overview.text
    assert [each for each in overview.attributes("href") if not each.startswith("#")] == [
        "report-collections/1-page.html"
    ]
    assert overview.specifications == []
    assert len(overview.programs) == 1
    of_one = Page((tmp_path / "report-collections" / "1-page.html").read_text(encoding="utf-8"))
    assert "../report.html" in of_one.attributes("href")
    # The script that draws the figures stands once beside all pages.
    assert of_one.attributes("src") == ["vega.js"]
    assert (tmp_path / "report-collections" / "vega.js").read_text().startswith("/* Vega")
    assert not [each for each in of_one.programs if "/* Vega" in each]
    assert of_one.tables_as_csv() == page.tables_as_csv()
    assert len(of_one.specifications) == len(page.specifications)
    assert of_one.text.count(SECTIONS["compared"]) == 2
    # The tests of two runs take seconds for each collection.
    assert "Their difference is not tested here" in of_one.text
    assert "Their difference is not tested here" not in page.text
    # Its pages replace only those of a report.
    folder = tmp_path / "report-collections"
    (folder / "2-removed.html").touch()
    page_of(built_once[2], tmp_path)
    assert {each.name for each in folder.iterdir()} == {"1-page.html", "README.txt", "vega.js"}
    assert {each.name for each in tmp_path.iterdir()} == {"report.html", "report-collections"}
    (folder / "README.txt").unlink()
    (tmp_path / "report.html").unlink()
    done = reported(built_once[2], tmp_path / "report.html")
    assert "is not the folder of an export, and is not replaced" in done.stderr
    assert (folder / "1-page.html").exists()
    assert not (tmp_path / "report.html").exists()


@pytest.mark.heavy
def test_two_runs_of_our_choice_are_compared(built_once: Built, tmp_path: Path) -> None:
    page = page_of(built_once[2], tmp_path, "page", "--runs", "b1", "a1")
    assert "AP: nobody can tell which of b1 and a1 is better" in page.text
    assert "As judged, b1 scores 0.2222 higher" in page.text


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "collection 'nothing' is not in the warehouse"),
        (("page", "--runs", "a1", "nobody"), "nobody"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    built_once: Built, tmp_path: Path, arguments: Sequence[str], said: str
) -> None:
    done = reported(built_once[2], tmp_path / "report.html", *arguments)
    assert done.exit_code == 1
    assert said in done.stderr.splitlines()[-1]
    assert not (tmp_path / "report.html").exists()


def test_a_report_takes_no_place_of_the_warehouse(built_once: Built, tmp_path: Path) -> None:
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "w.duckdb")))
    before = state_of(warehouse.path)
    assert "would replace a file of the warehouse" in reported(warehouse, warehouse.path).stderr
    assert state_of(warehouse.path) == before


@pytest.mark.heavy
def test_an_empty_warehouse_says_what_to_do(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    page = page_of(new_warehouse(tmp_path), tmp_path)
    assert "No collection is loaded. Load one with poolhouse load" in page.text
    assert page.specifications == []


@pytest.mark.heavy
def test_checks_and_experiments_are_shown(built_once: Built, page: Page, tmp_path: Path) -> None:
    assert "was not checked" in page.text
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "w.duckdb")))
    report = check(warehouse)
    assert report.has_marts
    run_experiment(warehouse, "page", ExperimentSettings("bias", n_samples=3, widths=(2,), depth=2))
    page = page_of(warehouse, tmp_path)
    assert f"All {report.n_kept} promises are kept." in page.text
    for each in report.suspicions:
        assert each.meaning in page.text
    assert f"All {len(report.results)} results" in page.text
    assert "since its last check" not in page.text
    assert len([each for each in page.attributes("src") if each.startswith("data:image/svg")]) == 1


@pytest.mark.heavy
def test_another_state_is_not_shown_as_it_was_built_or_checked(
    built_once: Built, toy_files: ToyFiles, tmp_path: Path
) -> None:
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "w.duckdb")))
    check(warehouse)
    load_collection(warehouse, toy_files.request())  # is not built
    load_collection(warehouse, LoadRequest("page", depth=1))
    page = page_of(warehouse, tmp_path)
    text = page.text
    assert text.count("poolhouse build first") == 2
    assert page.specifications == []
    assert "was loaded or built again since its last check" in text
    assert "promises are kept" not in text
    assert "was not checked" in text
    check(warehouse)
    text = page_of(warehouse, tmp_path).text
    assert "since its last check" not in text
    assert text.count("Only the raw files were checked") == 2
    build(warehouse)
    text = page_of(warehouse, tmp_path).text
    assert text.count("was loaded or built again since its last check") == 2
    assert "Only the raw files were checked" not in text


# ------------------------------------------------------------------------------ before judging


@pytest.fixture(scope="module")
def of_unjudged(
    unjudged_once: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Page, str]:
    """Report on a collection that is not judged; return its page and what is said."""
    file = tmp_path_factory.mktemp("unjudged") / "report.html"
    done = reported(unjudged_once, file)
    assert done.exit_code == 0, done.output
    return Page(file.read_text(encoding="utf-8")), done.stderr


@pytest.fixture
def unjudged(of_unjudged: tuple[Page, str]) -> Page:
    return of_unjudged[0]


@pytest.mark.heavy
def test_sections_of_planning_are_there_and_linked(unjudged: Page) -> None:
    ids = unjudged.attributes("id")
    assert len(ids) == len(set(ids))
    for title in (*(each.title for each in PLANNING), SECTIONS["quality"]):
        assert unjudged.text.count(title) == 2  # in the contents, and above the section
    assert {each[1:] for each in unjudged.attributes("href") if each.startswith("#")} <= set(ids)
    assert not [title for title in list(SECTIONS.values())[:-1] if title in unjudged.text]


@pytest.mark.heavy
def test_pools_are_shown_by_depth_topic_and_run(unjudged: Page) -> None:
    assert len(unjudged.specifications) == 3
    sizes, budgets, topics, overlaps, runs = unjudged.tables_as_csv()
    assert sizes[2] == ["5", "3", "6", "6.0", "6", "6", "4", "4"]
    # Six documents are returned, and the first budget allows them all.
    assert budgets[1:] == [["1000", "3", "6", ""]]
    # At the declared depth 2, d3 is of a2 alone, d4 of b1 alone, and d1 of one organization.
    assert topics[1:] == [["1", "", "2", "3", "4", "3", "2"]]
    assert [row[:4] for row in overlaps[1:]] == [
        ["1", "a1", "A", "a2"],
        ["2", "a1", "A", "b1"],
        ["3", "a2", "A", "b1"],
    ]
    assert [(row[0], row[-1]) for row in runs[1:]] == [("a2", "1"), ("b1", "1"), ("a1", "0")]


@pytest.mark.heavy
def test_where_no_pool_can_be_told(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """A single run overlaps with nothing, and without a pooled run there is no pool."""
    (tmp_path / "run").write_text("1 Q0 d1 1 1 t\n")
    (tmp_path / "runs.csv").write_text("run,organization,pooled\nrun,A,no\n")
    warehouse = new_warehouse(tmp_path)
    alone = LoadRequest("alone", (tmp_path / "run",), unjudged=True)
    unpooled = evolve(alone, collection="unpooled", descriptions=tmp_path / "runs.csv")
    load_together(warehouse, (alone, unpooled))
    build(warehouse)
    page = page_of(warehouse, tmp_path)
    assert [each.title for each in PLANNING if each.title not in page.text] == [
        "Which runs bring the same documents?"
    ]
    assert len(page.specifications) == 3
    assert "every run of 'unpooled' is declared as not pooled" in page.text


def test_a_column_that_no_row_has_is_left_out() -> None:
    rows = [("a", None, None), ("b", 0.5, None)]
    assert report_page.without_empty(["Author", "Kappa", "Kappa of persons"], rows) == (
        ["Author", "Kappa"],
        [["a", None], ["b", 0.5]],
    )


@pytest.mark.heavy
def test_the_next_command_draws_what_there_is(of_unjudged: tuple[Page, str]) -> None:
    next_ = of_unjudged[1].splitlines()[-1]
    assert next_.startswith("next: poolhouse figure pool_sizes --collection page ")


@pytest.mark.heavy
def test_the_next_command_draws_no_empty_figure(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """No run is pooled, so that no organization can be left out of the pool."""
    (tmp_path / "run").write_text("1 Q0 d1 1 1 t\n")
    (tmp_path / "qrels").write_text("1 0 d1 1\n")
    (tmp_path / "runs.csv").write_text("run,organization,pooled\nrun,A,no\n")
    warehouse = new_warehouse(tmp_path)
    request = LoadRequest(
        "unpooled", (tmp_path / "run",), tmp_path / "qrels", descriptions=tmp_path / "runs.csv"
    )
    load_collection(warehouse, request)
    build(warehouse)
    done = reported(warehouse, tmp_path / "report.html")
    command = shlex.split(done.stderr.splitlines()[-1].removeprefix("next: poolhouse "))
    command[command.index("-o") + 1] = str(tmp_path / "figure.svg")
    drawn = invoke(*command)
    assert (command[0], drawn.exit_code) == ("figure", 0), drawn.stderr
