"""Test the documentation site: every link has a target, and no page fetches from another host."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from conftest import OF_DEV
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

pytest.importorskip("sphinx", reason=OF_DEV)
pytestmark = pytest.mark.heavy

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_site.py"

# A browser fetches the values of these attributes itself.
FETCHING = {"src", "srcset", "data", "poster", "background", "xlink:href", "action"}
# Only readers follow a `link` of such a kind.
WITHOUT_FETCHING = {"next", "prev", "search", "canonical", "author"}
OTHER_HOST = re.compile(r"^\s*(\w+:)?//")
IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""")

BuiltOnce = tuple[Path, LoadRequest, Warehouse]


@dataclass
class Page(HTMLParser):
    """The addresses that a page fetches, the targets of its links, and ids for links to name."""

    text: str
    fetched: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.ids.add(values.get("id", ""))
        self.fetched += [value for name, value in values.items() if name in FETCHING]
        self.fetched += IN_STYLES.findall(values.get("style", ""))
        target = values.get("href", "")
        if tag == "a":
            self.links.append(target)
        elif values.get("rel") not in WITHOUT_FETCHING:
            self.fetched.append(target)


@pytest.fixture(scope="module")
def site(built_once: BuiltOnce, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the site once, with dbt's documentation of a small warehouse."""
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--output", str(folder), "--db", str(built_once[0])],
        env={name: value for name, value in os.environ.items() if name != "POOLHOUSE_DB"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Read every page once."""
    return {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}


def test_nothing_is_fetched_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    fetched = [(file, each) for file, page in pages.items() for each in page.fetched]
    for file in site.rglob("*.css"):
        fetched += [(file, each) for each in IN_STYLES.findall(file.read_text(encoding="utf-8"))]
    assert len(fetched) > 0
    assert [(str(file), each) for file, each in fetched if OTHER_HOST.match(each)] == []


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    ids = {file.resolve(): page.ids for file, page in pages.items()}
    models = (site / "dbt" / "index.html").read_text(encoding="utf-8")

    def leads_somewhere(file: Path, link: str) -> bool:
        parts = urlsplit(link)
        target = (file.parent / unquote(parts.path) if parts.path else file).resolve()
        if not target.is_file():
            return False
        if parts.fragment.startswith("!/"):
            # The script of dbt's page shows the node of this name, which is in the page's data.
            return f'"{parts.fragment.rpartition("/")[2]}"' in models
        return not parts.fragment or parts.fragment in ids[target]

    of_pages = {(file, link) for file, page in pages.items() for link in page.links if link}
    inside = {
        (file, link)
        for file, link in of_pages
        if not urlsplit(link).scheme and file.parent.name != "dbt"
    }
    assert len(inside) > 0
    assert {each for each in inside if not leads_somewhere(*each)} == set()


def test_formulas_and_diagrams_are_drawn(site: Path) -> None:
    methods = Page((site / "docs" / "methods.html").read_text(encoding="utf-8"))
    assert {"math", "mfrac", "munder"} <= methods.tags
    assert r"\frac" not in methods.text
    front_page = Page((site / "README.html").read_text(encoding="utf-8"))
    assert "<svg" in front_page.text
    assert "flowchart LR" not in front_page.text


def test_dbt_shows_the_exposures_and_no_path_of_this_machine(site: Path) -> None:
    models = (site / "dbt" / "index.html").read_text(encoding="utf-8")
    assert '"exposure.poolhouse.report"' in models
    assert '"exposure.poolhouse.figure"' in models
    assert str(SCRIPT.parents[1]) not in models
    # Usage statistics are off, and there is no script to fetch for them.
    assert "cloudfront" not in models


def test_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    """Sphinx refuses it, with the settings of the site, in a project of one page."""
    (tmp_path / "README.md").write_text("# Page\n\n[nowhere](docs/nowhere.md)\n", encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet"),
            *("--conf-dir", str(SCRIPT.parent / "site"), "-D", "extensions=myst_parser"),
            *("-D", "html_math_renderer=mathjax", str(tmp_path), str(tmp_path / "out")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "nowhere" in done.stderr
