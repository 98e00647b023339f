"""Run the examples of docs/python.md and the notebooks, and compare their results."""

import doctest
import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import NewWarehouse
from poolhouse.demo.simulator import RECIPES, simulate

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "python.md"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The reader's own run: a run of the collection that was not pooled.
OWN = "jasper2"


@pytest.fixture
def _files(tmp_path: Path, new_warehouse: NewWarehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide the files that the page names, in the folder where its examples run."""
    new_warehouse(tmp_path).path.rename(tmp_path / "w.duckdb")
    [recipe] = [each for each in RECIPES if each.name == "shallow-pool"]
    [simulated] = simulate(tmp_path, 7, [recipe])
    own = simulated.runs / f"{OWN}.gz"
    (tmp_path / "my.run").write_bytes(gzip.decompress(own.read_bytes()))
    own.unlink()
    simulated.runs.rename(tmp_path / "runs")
    simulated.qrels.rename(tmp_path / "qrels.txt")
    simulated.descriptions.rename(tmp_path / "runs.csv")
    monkeypatch.chdir(tmp_path)


@pytest.mark.heavy
@pytest.mark.usefixtures("_files")
# A run is described and not loaded, which does not matter here.
@pytest.mark.filterwarnings("ignore::poolhouse.PoolhouseWarning")
def test_every_example_gives_what_the_page_shows() -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(verbose=False)
    failures: list[str] = []
    values: dict[str, object] = {}
    page = PAGE.read_text(encoding="utf-8")
    for block in BLOCK.finditer(page):
        line = page.count("\n", 0, block.start()) + 1
        examples = parser.get_doctest(block[1], values, PAGE.name, PAGE.name, line)
        runner.run(examples, out=failures.append, clear_globs=False)
        values = examples.globs
    assert runner.summarize(verbose=False).attempted > 20
    assert not failures, "".join(failures)


@pytest.mark.heavy
def test_notebooks_show_what_they_do() -> None:
    script = PROJECT / "scripts" / "notebooks.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
