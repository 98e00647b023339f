"""Test the warehouses that are kept for the next test run: which change makes them anew."""

from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import pytest

import kept
from archive_warehouses import make_marts
from kept import key_of, put_kept, sources_of
from poolhouse.building.plan import Plan
from poolhouse.warehouse.file import Warehouse

SOURCES = {
    "maker.py": "from poolhouse.loading import load\ndef make(_): ...",
    "poolhouse/__init__.py": "",
    "poolhouse/loading/__init__.py": "from poolhouse.errors import Error",
    "poolhouse/loading/load.py": "def load():\n    import poolhouse.parsers",
    "poolhouse/errors.py": "class Error: ...",
    "poolhouse/parsers.py": "",
    "poolhouse/report.py": "",
    "poolhouse/warehouse/raw_schema.sql": "create schema raw",
}


@pytest.fixture(autouse=True)
def _quick_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the key be of a plan without models: the project's own is long."""
    monkeypatch.setattr(kept, "plan_of", lambda _: Plan((), {}))


@pytest.fixture
def key(tmp_path: Path) -> Callable[[], str]:
    """Write what a warehouse is made from into the folder of the test; return its key."""
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "qrels").write_text("1 0 d1 1")
    make = run_path(str(tmp_path / "maker.py"))["make"]
    return lambda: key_of(make, [tmp_path / "qrels"], [tmp_path])


@pytest.mark.parametrize("name", [*SOURCES, "qrels"])
def test_a_change_of_a_file_gives_another_key_where_it_counts(
    key: Callable[[], str], tmp_path: Path, name: str
) -> None:
    before = key()
    with (tmp_path / name).open("a") as file:
        file.write("\n")
    assert (key() == before) == (name == "poolhouse/report.py")


def test_another_package_gives_another_key(
    key: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {key()}
    monkeypatch.setattr(kept, "distributions", list)
    keys.add(key())
    assert len(keys) == 2


def test_the_archives_are_made_from_loading_and_building_and_no_report() -> None:
    names = {"/".join(each.parts[-2:]) for each in sources_of(make_marts)}
    assert names > {
        *("python/archive.py", "loading/load.py", "parsers/qrels.py", "building/runner.py"),
        *("warehouse/raw_schema.sql", "warehouse/file.py"),
    }
    assert not {each for each in names if each.startswith(("report/", "commands/", "figures/"))}


@pytest.mark.heavy
def test_what_is_kept_is_made_once_and_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "CACHE", tmp_path / "cache")
    made = []

    def make(warehouse: Warehouse) -> None:
        made.append(warehouse)
        warehouse.path.write_text(f"made {len(made)}")

    def put(place: str, *files: Path) -> Path:
        warehouse = Warehouse(tmp_path / place / "poolhouse.duckdb")
        put_kept(warehouse, "toy", make, files)
        return warehouse.path

    first = put("first")
    # A change of a warehouse replaces its file.
    first.with_name("side").write_text("changed")
    first.with_name("side").replace(first)
    assert put("second").read_text() == "made 1"
    for number in (2, 3):
        file = tmp_path / f"{number}"
        file.touch()
        assert put(f"place {number}", file).read_text() == f"made {number}"
    # Of the three, the two that were used last are kept.
    assert put("third", tmp_path / "2").read_text() == "made 2"
    assert put("fourth").read_text() == "made 4"
    monkeypatch.setattr(kept, "plan_of", lambda _: Plan((), {"lipani_alpha": 0.5}))
    assert put("by another plan").read_text() == "made 5"
