"""Test the gate: its verdict in every case, its files, its exit statuses, and what it lists."""

import gzip
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from click.testing import Result
from markdown_it import MarkdownIt

from asking import invoke_on
from poolhouse.api.warehouse import open_warehouse
from poolhouse.building.build import build
from poolhouse.command_line.net import caught
from poolhouse.comparing.gate_reports import as_markdown, junit
from poolhouse.comparing.gating import Gate, Verdict, gate, judged
from poolhouse.comparing.requests import GateRequest
from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe, simulate
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse

PASSED, FAILED, OPEN = Verdict.PASSED, Verdict.FAILED, Verdict.CANNOT_BE_TOLD
N_TOPICS = 50
REQUEST = GateRequest("new", "old", collection="c", measures=["P@10"])


def comparison(
    difference: float,
    expected: float | None = None,
    error: float = 0.01,
    **others: Any,  # noqa: ANN401 - of any column
) -> dict[str, Any]:
    """Make a row of `compare` whose differences have an error; without `expected` all is judged."""
    low, high = difference - 2.01 * error, difference + 2.01 * error
    if_judged = 0.0 if expected is None else expected
    return {
        **{"collection_id": "c", "measure": "P@10", "run_id": "new", "other_run_id": "old"},
        **{"n_topics": N_TOPICS, "n_comparisons": 1, "mean_difference": difference},
        **{"mean_score": 0.5 + difference, "other_mean_score": 0.5, "standard_error": error},
        "interval_low": low if error else None,
        "interval_high": high if error else None,
        "t_p_value": 0.001 if abs(difference) > 2.01 * error else 0.5,
        "randomization_p_value": 0.001,
        "n_unjudged": 0 if expected is None else 100,
        "unjudged_share": 0.0 if expected is None else 0.2,
        "unjudged_weight": 0.0 if expected is None else 0.2,
        **{"other_unjudged_share": 0.0, "other_unjudged_weight": 0.0, "upper_bound": 1.0},
        **{"survives_bounds": False, "survives_ties": True},
        "difference_if_judged": expected,
        "low_if_judged": None if expected is None else if_judged - 2.01 * error,
        "high_if_judged": None if expected is None else if_judged + 2.01 * error,
        **{"error_if_judged": error, "degrees_of_freedom_if_judged": 60.0},
        "p_value_if_judged": 0.001 if abs(if_judged) > 2.01 * error else 0.5,
        **others,
    }


UNKNOWN: dict[str, Any] = {
    **{"difference_if_judged": None, "low_if_judged": None, "high_if_judged": None},
    **{"p_value_if_judged": None, "degrees_of_freedom_if_judged": None},
}
CERTAIN = {"survives_bounds": True}
TIED = {"survives_ties": False}
CASES: dict[str, tuple[dict[str, Any], dict[str, float], Verdict, str | None]] = {
    "a loss, all judged": (comparison(-0.1), {}, FAILED, None),
    "a loss by ties": (comparison(-0.1, **TIED), {}, OPEN, "ties"),
    "a loss that topics explain": (comparison(-0.01), {}, PASSED, None),
    "a gain": (comparison(0.1), {}, PASSED, None),
    "a loss that is estimated too": (comparison(-0.1, -0.09), {}, FAILED, None),
    "a loss that is certain": (comparison(-0.1, -0.01, **CERTAIN), {}, FAILED, None),
    "a certain loss, not estimated": (comparison(-0.1, 0, **UNKNOWN, **CERTAIN), {}, FAILED, None),
    "a loss as judged, some expected": (comparison(-0.1, -0.01), {}, OPEN, "judgements"),
    "a loss as judged, none expected": (comparison(-0.1, 0.01), {}, PASSED, None),
    "a loss as judged, a gain": (comparison(-0.1, 0.1), {}, PASSED, None),
    "a gain as judged, a loss": (comparison(0.1, -0.1), {}, OPEN, "judgements"),
    "a hidden loss": (comparison(0, -0.1), {}, OPEN, "judgements"),
    "a hidden gain": (comparison(0, 0.1), {}, PASSED, None),
    "nothing": (comparison(0, 0), {}, PASSED, None),
    "too much unjudged": (comparison(0.1, 0, **UNKNOWN), {}, OPEN, "judgements"),
    "a single topic": (
        comparison(-0.1, n_topics=1, standard_error=None, interval_low=None, interval_high=None),
        *({}, OPEN, "topics"),
    ),
    "the same loss on all topics": (comparison(-0.1, error=0), {}, FAILED, None),
    "the same on few topics": (
        comparison(-0.1, error=0, randomization_p_value=0.25),
        *({}, OPEN, "topics"),
    ),
    "equal runs": (comparison(0, error=0), {"max_loss": 0, "min_gain": 0}, PASSED, None),
    "more than the loss": (comparison(-0.1, -0.1), {"max_loss": 0.05}, FAILED, None),
    "less than the loss": (comparison(-0.1, -0.1), {"max_loss": 0.15}, PASSED, None),
    "about the loss": (comparison(-0.1, -0.1), {"max_loss": 0.09}, OPEN, "topics"),
    "the loss, if all were judged": (
        comparison(-0.1, -0.1),
        {"max_loss": 0.0805},
        OPEN,
        "judgements",
    ),
    "a gain that is large enough": (comparison(0.1), {"min_gain": 0.05}, PASSED, None),
    "a gain by ties": (comparison(0.1, **TIED), {"min_gain": 0.05}, OPEN, "ties"),
    "a gain that is too small": (comparison(0.1), {"min_gain": 0.15}, FAILED, None),
    "a small gain by ties": (comparison(0.1, **TIED), {"min_gain": 0.15}, FAILED, None),
    "about the gain": (comparison(0.1), {"min_gain": 0.1}, OPEN, "topics"),
    "some gain": (comparison(0.1, 0, **UNKNOWN, **CERTAIN), {"min_gain": 0}, PASSED, None),
    "the worse of both": (comparison(0.1), {"max_loss": 0, "min_gain": 0.1}, OPEN, "topics"),
}


@pytest.mark.parametrize(("row", "allowed", "verdict", "needs"), CASES.values(), ids=CASES)
def test_verdicts(
    row: dict[str, Any], allowed: dict[str, float], verdict: Verdict, needs: str | None
) -> None:
    found = judged(row, 1, GateRequest("new", "old", collection="c", measures=["P@10"], **allowed))
    assert (found["verdict"], found["needs"]) == (verdict, needs), found["reason"]


def test_intervals_of_several_measures_are_wider() -> None:
    row = comparison(-0.1, -0.022)
    one, ten = (judged(row, n, REQUEST) for n in (1, 10))
    assert (one["verdict"], ten["verdict"]) == (FAILED, FAILED)
    assert one["high"] < 0 < ten["high"]  # type: ignore[operator]
    assert ten["confidence"] == pytest.approx(0.995)
    row = comparison(-0.1, -0.022, p_value_if_judged=0.03)
    assert [judged(row, n, REQUEST)["verdict"] for n in (1, 10)] == [FAILED, OPEN]


HOSTILE = 'a<b>"&\x00\x1b[31m|]]>\n# x'


def test_names_do_not_break_out_of_files(page: Warehouse) -> None:
    rows = gate(page, GateRequest("a1", "b1", collection="page", measures=["P@2"])).rows
    result = Gate(rows, ())
    request = GateRequest(HOSTILE, "b1", collection=HOSTILE, measures=["P@2"])
    [suite] = ET.fromstring(junit(request, result))  # noqa: S314 - our own
    assert [each.get("classname") for each in suite] == [printable(HOSTILE)]
    tokens = MarkdownIt().enable("table").parse(as_markdown(request, result, HOSTILE))
    assert {each.type for each in tokens} & {"html_block", "heading_open", "fence"} == set()


RECIPE = CollectionRecipe(
    name="gated",
    title="A collection with a run that nobody judged",
    document_prefix="D",
    first_topic=1,
    pool_depth=8,
    n_topics=20,
    n_documents=120,
    run_depth=30,
    relevant=15,
    organizations=(
        *(OrganizationRecipe(name, 2) for name in ("elm", "fir", "oak", "ash", "yew", "fig")),
        OrganizationRecipe("owl", 1, 1, keywords=0.4, meaning=1.0),
    ),
)
NEW = "owl1"


class Folder:
    """A warehouse without the run of one organization, its file, and the grade of any document."""

    def __init__(self, folder: Path) -> None:
        [simulated] = simulate(folder, 1, [RECIPE])
        self.warehouse = Warehouse(folder / "poolhouse.duckdb")
        self.runs = {file.name.removesuffix(".gz"): file for file in simulated.runs.iterdir()}
        self.truth = simulated.truth
        runs = tuple(file for name, file in self.runs.items() if not name.startswith("owl"))
        load_collection(
            self.warehouse,
            LoadRequest("gated", runs, simulated.qrels, descriptions=simulated.descriptions),
        )
        build(self.warehouse)

    def ask(self, *arguments: object) -> Result:
        return invoke_on(self.warehouse, *arguments)

    def difference(self) -> dict[str, Any]:
        """Compare the new run by P@10, as it is loaded."""
        w = open_warehouse(self.warehouse.path)
        return w.compare(NEW, "elm1", collection="gated", measures="P@10").row(0, named=True)

    def judge(self, file: Path) -> None:
        """Answer a list, and build."""
        grades = {}
        for line in gzip.decompress(self.truth.read_bytes()).decode().splitlines():
            topic, _, document, grade = line.split()
            grades[topic, document] = grade
        lines = [line.split() for line in file.read_text().splitlines()]
        answered = (f"{t} 0 {d} {grades.get((t, d), 0)}\n" for t, _, d in lines)
        file.write_text("".join(answered))
        assert self.ask("pool", "load", "gated", file).exit_code == 0
        assert self.ask("build").exit_code == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("gate"))


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore::poolhouse.PoolhouseWarning")
def test_a_copy_of_the_baseline_passes_whatever_is_allowed(folder: Folder) -> None:
    """Its documents are unjudged too, and more is expected of those that the baseline supports."""
    names = ("--baseline", "elm1", "--collection", "gated", "-m", "nDCG@10", "-m", "AP")
    done = folder.ask("gate", folder.runs["elm1"], *names, "--max-loss", ".001")
    assert done.exit_code == 0, done.output
    for row in (
        open_warehouse(folder.warehouse.path)
        .gate(("copy", folder.runs["elm1"]), "elm1", collection="gated", measures=["nDCG@10", "AP"])
        .iter_rows(named=True)
    ):
        assert (row["verdict"], row["difference"]) == ("passed", 0)
        assert row["unjudged_share"] > 0.01


@pytest.mark.heavy
def test_a_list_to_judge_makes_the_difference_surer(folder: Folder, tmp_path: Path) -> None:
    names = ("json", "junit", "markdown", "to-judge")
    files = {name: tmp_path / name for name in names}
    options = [word for name, file in files.items() for word in (f"--{name}", file)]
    asked = ("--baseline", "elm1", "--collection", "gated", "-m", "P@10", "-m", "AP")
    done = folder.ask("gate", folder.runs[NEW], *asked, "--min-gain", ".15", *options)
    told = json.loads(files["json"].read_text())
    assert done.exit_code == told["exit_status"] == 3
    assert {each["needs"] for each in told["measures"]} == {"judgements"}, done.output
    assert [line.partition(",")[0] for line in done.stdout.splitlines()] == [
        f"{each}: cannot be told" for each in ("P@10", "AP")
    ]
    assert "To settle it: poolhouse pool make gated --settle" in files["markdown"].read_text()
    [suite] = ET.fromstring(files["junit"].read_text())  # noqa: S314 - our own
    assert [len(each.findall("skipped")) for each in suite] == [1, 1]
    listed = [line.split() for line in files["to-judge"].read_text().splitlines()]
    assert len(listed) > 20
    again = folder.ask("gate", folder.runs[NEW], *asked, *options)
    assert "may hold answers" in again.stderr
    assert again.exit_code == 4

    folder.ask("load", "gated", folder.runs[NEW])
    folder.ask("build")
    before = folder.difference()
    file = tmp_path / "list"
    settled = ("pool", "make", "gated", "--settle", NEW, "elm1", "-m", "P@10", "--budget", 10)
    done = folder.ask(*settled, "-o", file)
    assert done.exit_code == 0, done.output
    [promised] = re.findall(r"(\d+)% of the doubt", done.stderr)
    folder.judge(file)
    assert 0 < doubt(folder.difference()) < doubt(before) * (1 - int(promised) / 200)


def doubt(row: Mapping[str, Any]) -> float:
    """Return the variance of an expected difference that does not come from topics."""
    share_of_topics = (row["n_topics"] - 1) / row["degrees_of_freedom_if_judged"]
    return float(row["error_if_judged"] ** 2 * (1 - share_of_topics**0.5))


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), click.Abort(), OSError()])
def test_what_ends_the_gate_is_no_failed_run(error: BaseException) -> None:
    assert (caught(error, ["gate"]), caught(error, ["compare"])) == (4, 1)


def test_wrong_allowances_are_refused(page: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match="the loss must be a number from 0 on, and is nan"):
        gate(page, GateRequest("a1", "b1", collection="page", measures=["P@2"], max_loss=math.nan))
