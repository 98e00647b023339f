"""Test `poolhouse figure`: every figure of a small collection, and the refusals."""

import re
import struct
import zlib
from pathlib import Path
from shutil import copyfile
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest
import vl_convert
from click.testing import Result

from asking import invoke, invoke_on
from conftest import NewWarehouse, state_of
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.figures import files
from poolhouse.figures.alike import Drawings
from poolhouse.figures.catalogue import FIGURES as CATALOGUE
from poolhouse.figures.drawing import values_of_two_runs
from poolhouse.figures.measures import measures_of
from poolhouse.figures.style import LEAST_WIDTH, PIXELS, Style
from poolhouse.loading.line_files import read_run
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_id_of
from poolhouse.option_values import FIGURE_FORMATS, FIGURES
from poolhouse.scoring.asked_runs import NewRun
from poolhouse.warehouse.file import Warehouse

Built = tuple[Path, LoadRequest, Warehouse]

BIAS_MEASURES = ["P@5", "P@10", "P@20", "P@30", "P@100", "RBP(p=0.8)@10"]
# The collection has one author of judgements, and no run outside its pool.
WITHOUT_ROWS = {"new_places", "author_verdicts", "author_scores", "filling_errors"}
VALUES = {"two_runs": {"run_id": "a1", "other_run_id": "b1"}}


def drawn(warehouse: Warehouse, name: str, file: Path, *options: str) -> Result:
    return invoke_on(warehouse, "figure", name, "--collection", "page", "-o", file, *options)


def texts_of(svg: Path) -> str:
    return " ".join(ElementTree.parse(svg).getroot().itertext())  # noqa: S314 - our own file


def test_a_help_text_names_every_figure() -> None:
    assert tuple(CATALOGUE) == FIGURES
    assert all(figure.name == name for name, figure in CATALOGUE.items())
    told = invoke("figure", "--help").output
    assert all(name in told for name in FIGURES)


@pytest.mark.some(2)
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_of_its_rows(page: Warehouse, tmp_path: Path, name: str) -> None:
    rows = CATALOGUE[name].ask(page, "page", VALUES.get(name))
    file = tmp_path / "figure.svg"
    runs = ("--runs", "a1", "b1") if name == "two_runs" else ()
    done = drawn(page, name, file, *runs)
    assert rows.is_empty() is (name in WITHOUT_ROWS)
    if rows.is_empty():
        assert done.exit_code == 1
        assert CATALOGUE[name].is_empty_where in done.stderr
        assert not file.exists()
    else:
        assert done.exit_code == 0, done.output
        assert CATALOGUE[name].title in texts_of(file)
        assert "page" in texts_of(file)


def test_before_judging_figures_of_pools_are_drawn(
    unjudged_once: Warehouse, tmp_path: Path
) -> None:
    drawn(unjudged_once, "pool_sizes", tmp_path / "figure.svg")
    assert CATALOGUE["pool_sizes"].title in texts_of(tmp_path / "figure.svg")


FIRST_BYTES = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "width", "points"),
    [
        ("estimator_errors", "84mm", 84 / 25.4 * 72),
        ("left_out_scores", "3.33in", 3.33 * 72),
        ("left_out_scores", "240pt", 240),
    ],
)
def test_a_figure_is_as_wide_as_a_column(
    page: Warehouse, tmp_path: Path, name: str, width: str, points: float
) -> None:
    places = {each: tmp_path / f"figure.{each.upper()}" for each in FIGURE_FORMATS}
    for format_, file in places.items():
        assert drawn(page, name, file, "--width", width).exit_code == 0
        assert file.read_bytes().startswith(FIRST_BYTES[format_])
    root = ElementTree.parse(places["svg"]).getroot()  # noqa: S314 - our own file
    assert float(root.get("width", "0")) == pytest.approx(points * 96 / 72, abs=0.01)
    # The drawing itself is as wide, so that letters keep their size.
    assert float(root.get("viewBox", "").split()[2]) == pytest.approx(points * 96 / 72, abs=2)
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+)", places["pdf"].read_bytes())
    assert float(box) == pytest.approx(points, abs=0.01)
    (pixels,) = struct.unpack(">I", places["png"].read_bytes()[16:20])
    assert pixels == pytest.approx(points / 72 * 300, abs=1)


def test_a_title_may_be_left_out(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    title = CATALOGUE["unjudged_and_scores"].title
    assert drawn(page, "unjudged_and_scores", file).exit_code == 0
    assert title in texts_of(file)
    assert drawn(page, "unjudged_and_scores", file, "--no-title").exit_code == 0
    assert title not in texts_of(file)
    assert "unjudged among the first ten" in texts_of(file)


def test_a_pdf_has_letters_that_can_be_searched(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "figure.pdf"
    assert drawn(page, "unjudged_and_scores", file).exit_code == 0
    content = file.read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    shown = b"".join(zlib.decompress(each) if each.startswith(b"x") else each for each in streams)
    # Operators that show text, by an embedded font that says which letters its glyphs are.
    assert len(re.findall(rb"\bT[jJ]\b", shown)) > 10
    assert b"/ToUnicode" in content
    assert b"LiberationSans" in content


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--font", "No Such Font"), "--font No Such Font: this machine has no such font"),
        (("--width", "84"), "'84' is not a length, such as 84mm, 3.33in or 240pt"),
        (("--width", "1mm"), "1mm is not between 80mm and 600mm"),
        (("--width", "nanmm"), "'nanmm' is not a length"),
    ],
)
def test_a_style_that_cannot_be(
    page: Warehouse, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    done = drawn(page, "judged_by_rank", tmp_path / "figure.pdf", *options)
    assert done.exit_code != 0
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("font", ["Liberation Sans", "sans-serif"])
def test_a_font_is_that_of_the_letters(page: Warehouse, tmp_path: Path, font: str) -> None:
    file = tmp_path / "figure.svg"
    assert drawn(page, "judged_by_rank", file, "--font", font).exit_code == 0
    fonts = {each.get("font-family") for each in texts_in(file)}
    assert fonts == {font}


def texts_in(svg: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text"))  # noqa: S314 - our own file


def test_names_lose_their_middle_and_legends_nothing() -> None:
    figure = CATALOGUE["estimator_errors"]
    estimators = ["webber_park_systems_no_substitution", "unadjusted", "filled_by_" + "x" * 60]
    rows = pl.DataFrame(
        [
            {
                **{"measure": "P@10", "estimator": each, "mae": 0.1, "mae_standard_error": 0.01},
                **{"low": 0.08, "high": 0.12, "published_mae": 0.1, "sre": 1},
                **{"kendall_tau": 0.9, "n_runs": 5},
            }
            for each in estimators
        ]
    )
    for width in (LEAST_WIDTH, 84 * PIXELS["mm"], 600):
        svg = files.drawn(figure.specification(rows), "t", "c", Style(width=width)).decode()
        assert ">webber_park_systems_no_substitution<" in svg
        (long,) = re.findall(r">(filled_by_x+…x+)<", svg)
        assert len(long) == len("webber_park_systems_no_substitution") + 1
    names = CATALOGUE["run_contributions"]
    rows = pl.DataFrame(
        {
            **{"run_id": ["a-system-of-ours-with-everything-v1", "b"], "depth": 100},
            **{"n_of_one_run": [3, 2]},
        }
    )
    svg = files.drawn(names.specification(rows), "t", "c", Style()).decode()
    (name,) = re.findall(r">(a-system-[^<]*-v1)<", svg)
    assert "…" in name
    assert len(name) <= 25


def test_what_is_estimated_has_its_interval(page: Warehouse) -> None:
    errors = CATALOGUE["estimator_errors"].ask(page, "page")
    assert errors["mae_standard_error"].is_not_null().any()
    assert (
        errors.select((pl.col("low") <= pl.col("mae")) & (pl.col("mae") <= pl.col("high")))
        .to_series()
        .all()
    )
    estimates = CATALOGUE["estimates"].ask(page, "page")
    ends = ("error_low", "error_high")
    assert (
        estimates.filter(estimator="unadjusted").select(ends).null_count().row(0)
        == ((estimates["estimator"] == "unadjusted").sum(),) * 2
    )
    assert (estimates["error_low"] <= estimates["error_high"]).all()


@pytest.mark.heavy
@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_rows_that_are_alike_are_drawn_once(page: Warehouse, name: str) -> None:
    """Another drawing that is filled with rows equals a drawing of these rows."""
    figure, drawings = CATALOGUE[name], Drawings(width=300)
    rows = figure.ask(page, "page", VALUES.get(name))
    some = [rows, rows.reverse(), rows.head(2), rows.tail(2), rows.head(1), rows.tail(1), rows]
    for each in some if not rows.is_empty() else ():
        found = drawings.specification(figure, each, figure.explained(each))
        assert with_rows_inside(found) == with_rows_inside(figure.specification(each, width=300))


def with_rows_inside(specification: dict[str, Any]) -> object:
    """Put each data set in the place of its name."""
    datasets = specification.pop("datasets")

    def inside(part: object) -> object:
        if isinstance(part, dict):
            return {
                key: datasets.get(value["name"], value) if key == "data" else inside(value)
                for key, value in part.items()
            }
        return [inside(each) for each in part] if isinstance(part, list) else part

    return inside(specification)


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["left_out_scores", "unique_relevant"])
def test_only_the_first_rows_are_asked_for(page: Warehouse, name: str) -> None:
    figure = CATALOGUE[name]
    every = figure.ask(page, "page")
    first = figure.ask_each(page, ["page", "another"], most=1)
    by = "measure" if figure.has_choice_of_measure else None
    heads = every.group_by(by, maintain_order=True).head(1) if by else every.head(1)
    assert first["page"].rows.rows() == heads.select(every.columns).rows()
    assert first["page"].n_rows == every.height > heads.height
    n_shown = every.filter(pl.col(by) == pl.col(by).first()).height if by else every.height
    assert first["page"].n_of_part == n_shown
    assert (first["another"].rows.height, first["another"].n_rows) == (0, 0)


@pytest.mark.heavy
def test_two_runs_have_the_interval_of_compare(page: Warehouse) -> None:
    compared = compare(page, ComparisonRequest("page", ("a1", "b1"), ("AP",))).rows.row(
        0, named=True
    )
    rows = CATALOGUE["two_runs"].ask(page, "page", VALUES["two_runs"])
    first = rows.row(0, named=True)
    assert first["n_topics"] == compared["n_topics"]
    assert first["mean_difference"] == pytest.approx(compared["mean_difference"])
    assert first["standard_error"] == pytest.approx(compared["standard_error"])


@pytest.mark.heavy
def test_a_figure_shows_the_measure_that_is_asked_for(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    assert drawn(page, "left_out_scores", file, "--measure", "RR").exit_code == 0
    assert "taken part, RR" in texts_of(file)


@pytest.mark.heavy
def test_measures_sort_as_numbers(page: Warehouse) -> None:
    """By their texts, P@10 and P@100 come before P@5."""
    errors = CATALOGUE["estimator_errors"].ask(page, "page")
    assert errors["measure"].unique(maintain_order=True).to_list() == BIAS_MEASURES
    chosen = CATALOGUE["estimates"]
    rows = chosen.ask(page, "page")
    assert measures_of(rows) == BIAS_MEASURES
    (asked,) = (each for each in chosen.specification(rows)["params"] if each["name"] == "measure")
    assert asked["bind"]["options"] == BIAS_MEASURES
    assert asked["value"] == "P@10"


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("left_out_scores", ("--measure", "P@3"), "left_out_scores has no 'P@3': it has P@10, "),
        ("judged_by_rank", ("--measure", "AP"), "judged_by_rank has no choice of a measure"),
        ("bias", ("--measure", "AP"), "bias has no choice of a measure"),
        ("two_runs", ("--runs", "a1", "nobody"), "one of the two runs is not in it"),
        ("bias", (), "bias was not run on 'page': poolhouse experiment bias --collection page"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_line(
    page: Warehouse, tmp_path: Path, name: str, options: tuple[str, ...], said: str
) -> None:
    done = drawn(page, name, tmp_path / "figure.svg", *options)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert said in line
    assert list(tmp_path.iterdir()) == []


def test_a_run_file_is_drawn_as_a_loaded_run(built_once: Built, tmp_path: Path) -> None:
    """A file of a loaded run under another name has the bars of the loaded run."""
    _, request, page = built_once
    loaded = next(file for file in request.run_files if run_id_of(file.name) == "a1")
    file = tmp_path / "mine"
    file.write_bytes(loaded.read_bytes())
    figure = tmp_path / "figure.svg"
    done = drawn(page, "two_runs", figure, "--runs", str(file), "b1")
    assert done.exit_code == 0, done.stderr
    values = values_of_two_runs(page, "page", [NewRun("mine", read_run(file).rows), "b1"])
    asked = CATALOGUE["two_runs"]
    assert asked.ask(page, "page", values).equals(asked.ask(page, "page", VALUES["two_runs"]))
    twice = drawn(page, "two_runs", figure, "--runs", str(file), str(file))
    assert "Error: run 'mine' is named twice" in twice.stderr


def test_an_author_who_is_far_off_leaves_room_for_the_others() -> None:
    rows = pl.DataFrame(
        {
            "measure": ["AP", "AP", "AP", "AP", "P@5", "P@5"],
            "estimator": [
                *("unadjusted", "expected_relevance", "filled_by_a", "filled_by_b"),
                *("unadjusted", "filled_by_b"),
            ],
            "absolute_error": [0.1, 0.05, 0.15, 0.9, 0.0, 0.4],
        }
    )
    drawn_rows = CATALOGUE["filling_errors"].drawn(rows)
    assert drawn_rows["most_shown"].unique().sort().to_list() == [0.01, 0.2]
    assert drawn_rows.sort("measure", "estimator", maintain_order=True).select(
        "estimator", "shown_error"
    ).rows() == [
        ("expected_relevance", 0.05),
        ("filled_by_a", 0.15),
        ("filled_by_b", 0.2),
        ("unadjusted", 0.1),
        ("filled_by_b", 0.01),
        ("unadjusted", 0.0),
    ]


def test_nothing_unjudged_stands_at_the_foot_of_its_axis(page: Warehouse) -> None:
    """Alone on an axis, 0 % would stand in its middle."""
    rows = CATALOGUE["unjudged_and_scores"].ask(page, "page").with_columns(unjudged_10=0.0)
    svg = vl_convert.vegalite_to_svg(CATALOGUE["unjudged_and_scores"].specification(rows))
    assert all(f">{label}<" in svg for label in ("0%", "10%"))


def test_two_runs_belong_to_one_figure(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    assert drawn(page, "two_runs", file).exit_code == 2
    assert drawn(page, "estimates", file, "--runs", "a1", "b1").exit_code == 2


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("figure.gif", "the end of the name must be a format: svg, pdf, png"),
        ("nowhere/figure.svg", "no such folder"),
    ],
)
def test_a_place_that_cannot_have_a_figure(
    page: Warehouse, tmp_path: Path, place: str, said: str
) -> None:
    done = drawn(page, "judged_by_rank", tmp_path / place)
    assert done.exit_code == 1
    assert said in done.stderr


def test_a_figure_takes_no_place_of_the_warehouse(page: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(Path(copyfile(page.path, tmp_path / "warehouse.svg")))
    before = state_of(warehouse.path)
    done = drawn(warehouse, "judged_by_rank", warehouse.path)
    assert done.exit_code == 1
    assert "would replace a file of the warehouse" in done.stderr
    assert state_of(warehouse.path) == before


@pytest.mark.heavy
def test_a_collection_that_is_not_built_is_not_drawn(
    new_warehouse: NewWarehouse, built_once: Built, tmp_path: Path
) -> None:
    warehouse = new_warehouse(tmp_path)
    load_collection(warehouse, built_once[1])
    done = drawn(warehouse, "judged_by_rank", tmp_path / "figure.svg")
    assert done.exit_code == 1
    assert "poolhouse build first" in done.stderr


def points_of(specification: dict[str, Any]) -> list[dict[str, Any]]:
    (rows,) = specification["datasets"].values()
    return list(rows)


def test_what_is_drawn_is_bounded() -> None:
    figure = CATALOGUE["new_places"]
    rows = pl.DataFrame(
        [
            {
                **{"measure": measure, "run_id": f"run{run}", "organization": "o", "score": 0.5},
                **{"adjusted_score": 0.6, "rank": 1, "adjusted_rank": 1, "estimator": "e"},
                "expected_error": 0.01,
            }
            for run in range(1000)
            for measure in ("P@10", "P@20")
        ]
    )
    points = points_of(figure.specification(rows))
    assert len(points) == 2 * figure.most_rows
    assert {each["measure"] for each in points} == {"P@10", "P@20"}
    assert figure.explained(rows).endswith("The first 30 of 1000 are drawn.")
    assert figure.explained(rows.head(60)) == figure.reading
