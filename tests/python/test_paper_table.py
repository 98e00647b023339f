"""Test the paper's table: its numbers against `compare`, scipy and the marts, and its layout."""

import csv
import io
import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
import pandas
import polars as pl
import pytest
from click.testing import Result
from scipy import stats

import poolhouse
from asking import invoke_on
from conftest import OF_DEV, NewWarehouse
from poolhouse.building.build import build
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.expected_differences import games_howell
from poolhouse.comparing.paper_table import PaperTable, paper_table
from poolhouse.comparing.requests import ComparisonRequest, TableRequest
from poolhouse.comparing.significance import tukey_p_values
from poolhouse.comparing.table_layout import Layout, laid_out
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.output.html import html, in_html
from poolhouse.output.latex import in_latex, latex
from poolhouse.output.markdown import in_markdown, markdown
from poolhouse.output.titled_tables import Number, TitledTable, plain
from poolhouse.warehouse.file import Warehouse
from rounding import with_rounded_floats
from significance_reference import studentized_range_tail

MEASURES = ("AP", "P@5", "nDCG@10")
# How likely the runs are to return a relevant document before another document.
RUNS = {"strong": 0.9, "good": 0.75, "fair": 0.6, "weak": 0.2}
ODD = r"a_b%&#{}\x<b>|`c`$^~[d]*e*"
# The run that only the first collection has.
ONLY_FIRST = ODD


def write_run(file: Path, topics: range, quality: float, seed: str) -> None:
    drawn = random.Random(seed)  # noqa: S311 - no secret
    lines = []
    for topic in topics:
        ranked = sorted(
            range(40), key=lambda number: drawn.random() - (number < 8) * quality * drawn.random()
        )
        lines += [f"{topic} Q0 d{each} 1 {99 - rank} t\n" for rank, each in enumerate(ranked[:20])]
    file.write_text("".join(lines))


def write_collection(folder: Path, topics: range, names: Sequence[str]) -> LoadRequest:
    folder.mkdir()
    for name in names:
        write_run(folder / name, topics, RUNS.get(name, 0.5), f"{name} {topics}")
    qrels = "".join(
        f"{topic} 0 d{each} {int(each < 8)}\n" for topic in topics for each in range(36)
    )
    (folder.parent / f"{folder.name}.qrels").write_text(qrels)
    runs = tuple(sorted(folder.iterdir()))
    return LoadRequest(folder.name, runs, folder.parent / f"{folder.name}.qrels")


@pytest.fixture(scope="module")
def built(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide two collections with the same four runs; the first one has a fifth run."""
    folder = tmp_path_factory.mktemp("tables")
    warehouse = new_warehouse(folder)
    load_collection(warehouse, write_collection(folder / "one", range(12), [*RUNS, ODD]))
    load_collection(warehouse, write_collection(folder / "two", range(100, 108), list(RUNS)))
    build(warehouse)
    return warehouse


def matrix_of(warehouse: Warehouse, collection: str, measure: str) -> dict[str, list[float]]:
    """Return the scores of the marts by topic."""
    with warehouse.read() as connection:
        rows = connection.execute(
            "select run_id, list(score order by topic_id) from topic_scores(?, ?) group by run_id",
            [collection, measure],
        ).fetchall()
    return dict(rows)


BASELINES = ["fair", "good"]

# The rows of `compare` for a collection and a measure, by the pair of runs.
Compared = dict[tuple[str, str], dict[frozenset[str], dict[str, Any]]]


@pytest.fixture(scope="module")
def compared(built: Warehouse) -> Compared:
    """Compare the runs with the baselines once, for every correction."""
    return {
        (collection, measure): {
            frozenset((row["run_id"], row["other_run_id"])): row
            for row in compare(
                built, ComparisonRequest(collection, list(RUNS), [measure], BASELINES)
            ).rows.iter_rows(named=True)
        }
        for collection, measure in product(("one", "two"), MEASURES)
    }


def nearly(value: float) -> Any:  # noqa: ANN401 - pytest's own kind
    return pytest.approx(value, rel=1e-9, abs=1e-12)


# -- Numbers ---------------------------------------------------------------------------------------


@pytest.mark.heavy
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "none"])
def test_numbers_are_those_of_compare_scipy_and_the_marts(
    built: Warehouse, compared: Compared, correction: str
) -> None:
    """`compare` is tested against scipy. Here a pair has a row in each direction."""
    request = TableRequest(
        list(RUNS), ["one", "two"], MEASURES, baseline=BASELINES, correction=correction, plain=True
    )
    rows = paper_table(built, request).rows
    corrected = "t_p_value" if correction == "none" else f"t_p_value_{correction}"
    n_significant = 0
    for (collection, measure), of_measure in rows.group_by("collection_id", "measure"):
        of_pair = compared[str(collection), str(measure)]
        assert len(of_pair) == 5
        # Two baselines have one comparison each.
        assert of_measure.height == 6
        scores = matrix_of(built, str(collection), str(measure))
        with built.read() as connection:
            marts = dict(
                connection.execute(
                    "select run_id, score_all_topics from run_scores(?, ?)", [collection, measure]
                ).fetchall()
            )
        for row in of_measure.iter_rows(named=True):
            run, other = row["run_id"], row["other_run_id"]
            assert row["score"] == nearly(marts[run])
            mean = stats.ttest_1samp(scores[run], 0).confidence_interval(0.95)
            assert (row["score_low"], row["score_high"]) == (nearly(mean.low), nearly(mean.high))
            pair = of_pair[frozenset((run, other))]
            sign = 1 if pair["run_id"] == run else -1
            interval = sorted(sign * pair[end] for end in ("interval_low", "interval_high"))
            assert [row["interval_low"], row["interval_high"]] == [nearly(end) for end in interval]
            assert row["mean_difference"] == nearly(sign * pair["mean_difference"])
            assert row["effect_size"] == nearly(sign * pair["effect_size"])
            assert row["p_value"] == nearly(pair["t_p_value"])
            assert row["corrected_p_value"] == nearly(pair[corrected])
            assert row["is_significant"] == (pair[corrected] < 0.05)
            assert row["n_comparisons"] == len(of_pair)
            n_significant += row["is_significant"]
    assert 0 < n_significant < rows.height


@pytest.mark.heavy
def test_the_tests_are_those_of_compare(built: Warehouse) -> None:
    """A randomization test has the same p-values as in `compare`, and so has Tukey's test."""
    compared = compare(built, ComparisonRequest("one", list(RUNS), ["AP"], repetitions=999)).rows
    for test in ("randomization", "tukey"):
        request = TableRequest(list(RUNS), ["one"], ["AP"], test=test, repetitions=999, plain=True)
        rows = paper_table(built, request).rows
        joined = compared.join(rows, on=["run_id", "other_run_id"])
        assert joined.height == compared.height == 6
        assert joined[f"{test}_p_value"].to_list() == joined["p_value"].to_list()
        assert rows["n_comparisons"].to_list() == [6] * 12


Scores = npt.NDArray[np.float64]


def drawn_scores(seed: int, n_runs: int, n_topics: int) -> Scores:
    drawn = np.random.default_rng(seed)
    effects = 0.1 * drawn.random((n_runs, 1)) + 0.4 * drawn.random((1, n_topics))
    return np.asarray(effects + 0.1 * drawn.standard_normal((n_runs, n_topics)))


@pytest.mark.parametrize(("n_runs", "n_topics"), [(3, 4), (5, 20), (12, 50)])
def test_tukey_is_that_of_statsmodels(n_runs: int, n_topics: int) -> None:
    """Its analysis of variance is another one; the range is integrated from its definition."""
    anova = pytest.importorskip("statsmodels.stats.anova", reason=OF_DEV)
    formula = pytest.importorskip("statsmodels.formula.api", reason=OF_DEV)
    scores = drawn_scores(n_runs, n_runs, n_topics)
    run, topic = np.indices(scores.shape)
    cells = pandas.DataFrame({"score": scores.ravel(), "run": run.ravel(), "topic": topic.ravel()})
    table = anova.anova_lm(formula.ols("score ~ C(run) + C(topic)", cells).fit())
    error, degrees = table["mean_sq"]["Residual"], table["df"]["Residual"]
    pairs = list(combinations(range(n_runs), 2))[:: max(1, n_runs // 2)]  # the integral is slow
    found = tukey_p_values(scores, pairs)
    for (one, other), p in zip(pairs, found, strict=True):
        width = abs(scores[one].mean() - scores[other].mean()) / np.sqrt(error / n_topics)
        assert p == pytest.approx(studentized_range_tail(width, n_runs, degrees), abs=1e-8)


def test_tukey_of_two_runs_is_the_t_test_and_needs_an_error() -> None:
    scores = drawn_scores(1, 2, 9)
    [found] = tukey_p_values(scores, [(0, 1)])
    assert found == pytest.approx(stats.ttest_rel(*scores).pvalue, rel=1e-9)
    shifted = np.array([[0.3, 0.6, 0.8], [0.1, 0.4, 0.6], [0.0, 0.3, 0.5]])
    assert tukey_p_values(shifted, [(0, 1), (1, 2)]) == [None, None]
    assert tukey_p_values(np.array([[0.3], [0.1]]), [(0, 1)]) == [None]
    assert tukey_p_values(shifted, []) == []


@pytest.mark.heavy
def test_unjudged_documents_are_those_of_the_leaderboard(built: Warehouse) -> None:
    request = TableRequest(["weak", "strong"], ["one"], ["AP", "P@5"], unjudged=True)
    rows = paper_table(built, request).rows
    with built.read() as connection:
        expected = dict(
            connection.execute(
                "select run_id, unjudged_10 from leaderboard where collection_id = 'one'"
            ).fetchall()
        )
    assert expected["weak"] > 0
    for run, share in rows.select("run_id", "unjudged_10").iter_rows():
        assert share == nearly(expected[run])


# -- The layout ------------------------------------------------------------------------------------


def made(rows: Sequence[dict[str, Any]], **asked: Any) -> PaperTable:  # noqa: ANN401 - fields
    """Return a table of the collection c with these rows; other values do not matter."""
    usual = {
        **{"collection_id": "c", "measure": "AP", "n_topics": 50, "is_best": False},
        **{"other_run_id": None, "is_significant": None, "mean_difference": None},
        **{"n_comparisons": None, "finding": None},
    }
    runs = list(dict.fromkeys(row["run_id"] for row in rows))
    request = TableRequest(runs, ["c"], ["AP"], **asked)
    frame = pl.DataFrame(
        [usual | row for row in rows],
        infer_schema_length=None,
        schema_overrides={"finding": pl.String},
    )
    return PaperTable(request, frame, ())


def test_a_mark_says_the_direction() -> None:
    rows = [
        {"run_id": "base", "score": 0.3, "other_run_id": "other", "is_significant": False},
        {"run_id": "up", "score": 0.4, "is_best": True},
        {"run_id": "other", "score": 0.2, "other_run_id": "base", "is_significant": False},
    ]
    compared = {"is_significant": True, "n_comparisons": 3}
    rows += [
        rows[1] | compared | {"other_run_id": "base", "mean_difference": 0.1},
        rows[1] | compared | {"other_run_id": "other", "mean_difference": -0.2},
    ]
    del rows[1]
    table = made(rows, baseline=["base", "other"], test="t", correction="holm")
    caption, columns, shown = laid_out(table, Layout())
    assert columns == ["run", ("AP",)]
    assert {str(row[0]): row[1] for row in shown} == {
        "base (a)": Number("0.300"),
        "other (b)": Number("0.200"),
        "up": Number("0.400", is_bold=True, marks="a↑b↓"),
    }
    assert "c (50 topics)" in caption
    assert "p < 0.05 after Holm's correction for 3 comparisons by a measure" in caption


def test_of_all_pairs_only_the_better_run_is_marked() -> None:
    compared = {"is_significant": True, "n_comparisons": 1}
    rows = [
        {"run_id": "x", "score": 0.3, "other_run_id": "y", "mean_difference": 0.2, **compared},
        {"run_id": "y", "score": 0.1, "other_run_id": "x", "mean_difference": -0.2, **compared},
    ]
    caption, _, shown = laid_out(made(rows, test="tukey", correction="none"), Layout())
    assert shown == [["x (a)", Number("0.300", marks="b")], ["y (b)", Number("0.100")]]
    assert (
        "Tukey's honestly significant difference of all pairs, 1 comparison by a measure" in caption
    )


def found(run: str, finding: str, as_judged: float, expected: float) -> dict[str, Any]:
    """Return the row of a run beside the run `base`, by its finding."""
    return {
        **{"run_id": run, "other_run_id": "base", "score": 0.3, "finding": finding},
        **{"mean_difference": as_judged, "difference_if_judged": expected, "unjudged_10": 0.475},
        "is_significant_as_judged": finding not in ("hidden", "not significant"),
        "is_significant": finding in ("holds", "holds as estimated", "hidden", "reversed"),
        "n_comparisons": 7,
    }


FOUND = [
    {"run_id": "base", "score": 0.2, "unjudged_10": 0.001},
    found("holding", "holds", 0.1, 0.1),
    found("estimated", "holds as estimated", -0.1, -0.1),
    found("judged", "only as judged", -0.1, 0.0),
    found("untold", "cannot be told", -0.1, 0.0),
    found("other", "reversed", -0.1, 0.1),
    found("hidden", "hidden", -0.1, 0.1),
    found("same", "not significant", 0.1, 0.1),
]


def test_a_mark_of_one_test_alone_is_told_apart() -> None:
    asked: dict[str, Any] = {"baseline": ["base"], "test": "t", "correction": "holm"}
    caption, _, shown = laid_out(made(FOUND, **asked), Layout())
    marks = {str(row[0]): str(row[1].marks) for row in shown if isinstance(row[1], Number)}
    assert marks == {
        **{"base (a)": "", "holding": "a↑", "estimated": "a↓", "judged": "(a↓)"},
        **{"untold": "(a↓)", "other": "(a↓)a↑†", "hidden": "a↑†", "same": ""},
    }
    assert (
        "In brackets: significant only as judged, or as judged where the estimate cannot be told; "
        "unjudged of the first ten documents: 48% of judged, 48% of untold, 48% of other."
    ) in caption
    assert (
        "†: significant only if every document were judged, as estimated; unjudged of the first "
        "ten documents: 48% of other, 48% of hidden."
    ) in caption
    caption = str(laid_out(made(FOUND[:3], **asked), Layout())[0])
    assert "paired t-test with the error of the estimates" in caption
    assert "rackets" not in caption
    assert "†" not in caption
    untold = str(laid_out(made([FOUND[0], FOUND[4]], **asked), Layout())[0])
    assert "In brackets: significant as judged where the estimate cannot be told;" in untold


def test_of_all_pairs_a_mark_of_one_test_alone_is_told_apart() -> None:
    mirrored = FOUND[6] | {"run_id": "base", "other_run_id": "hidden", "mean_difference": 0.1}
    mirrored |= {"difference_if_judged": -0.1}
    caption, _, shown = laid_out(made([mirrored, FOUND[6]], test="tukey"), Layout())
    assert [row[1] for row in shown] == [Number("0.300"), Number("0.300", marks="a†")]
    assert "Games and Howell's test of all pairs" in caption


def test_estimated_scores_stand_in_place_of_scores() -> None:
    told = {"if_judged": 0.4567, "if_judged_95_low": 0.4, "if_judged_95_high": 0.5}
    rows = [
        {"run_id": "told", "score": 0.3, "is_best": True} | told,
        {"run_id": "untold", "score": 0.6} | dict.fromkeys(told),
    ]
    caption, columns, shown = laid_out(made(rows, estimated=True), Layout())
    assert columns == ["run", ("AP", "score"), ("AP", "95% est.")]
    assert shown == [
        ["told", Number("0.457", is_bold=True), Number("[0.400, 0.500]")],
        ["untold", Number(""), Number("")],
    ]
    assert "as they are expected if every document were judged;" in caption
    assert "An empty cell cannot be told (untold): too much is unjudged" in caption


def test_games_and_howell_has_the_error_of_a_pair() -> None:
    rows = {"t_if_judged": [2.5, -1.0, None], "degrees_of_freedom_if_judged": [30.0, 12.5, None]}
    *found, missing = games_howell(pl.DataFrame(rows), 4)
    for t, degrees, p in zip([2.5, 1.0], [30.0, 12.5], found, strict=True):
        assert p == pytest.approx(studentized_range_tail(t * np.sqrt(2), 4, degrees), abs=1e-8)
    assert missing is None
    [of_two] = games_howell(pl.DataFrame(rows)[:1], 2)
    assert of_two == pytest.approx(2 * stats.t.sf(2.5, 30))


def test_too_many_letters_are_refused() -> None:
    rows = [{"run_id": f"r{number}", "score": 0.1} for number in range(53)]
    with pytest.raises(PoolhouseError, match="53 runs are more than the letters"):
        laid_out(made(rows, test="tukey"), Layout())
    assert len(laid_out(made(rows), Layout())[2]) == 53


@pytest.mark.heavy
def test_scores_that_look_equal_are_all_best(built: Warehouse) -> None:
    """The best score is told by the decimals that are shown, and the rank by the exact score."""
    for decimals in (1, 6):
        request = TableRequest(list(RUNS), ["one"], ["AP"], decimals=decimals)
        rows = paper_table(built, request).rows
        texts = [f"{score:.{decimals}f}" for score in rows["score"]]
        assert rows["is_best"].to_list() == [text == max(texts) for text in texts]
        ranks = stats.rankdata([-score for score in rows["score"]], method="min")
        assert rows["rank"].to_list() == list(ranks)
    assert len(set(rows["rank"])) == len(RUNS)


@pytest.mark.heavy
def test_no_score_is_best_where_higher_is_not_better(built: Warehouse) -> None:
    request = TableRequest(list(RUNS), ["one"], ["AntiP@5", "Judged@10", "P@5"])
    rows = paper_table(built, request).rows
    assert rows.filter("is_best")["measure"].unique().to_list() == ["P@5"]


@pytest.mark.heavy
def test_what_stands_beside_a_score(built: Warehouse) -> None:
    request = TableRequest(
        list(RUNS), ["one", "two"], ["AP"], baseline=["fair", "weak"], unjudged=True, level=0.1
    )
    table = paper_table(built, request)
    _, columns, shown = laid_out(table, Layout(has_intervals=True, has_effect_sizes=True))
    beside = ["90% CI to a", "d to a", "90% CI to b", "d to b"]
    assert columns[1:6] == [("one", "AP", name) for name in ("score", *beside)]
    assert columns[6] == ("one", "", "unj@10")
    assert {len(row) for row in shown} == {len(columns)}
    [row] = table.rows.filter(collection_id="two", run_id="strong", other_run_id="weak").iter_rows(
        named=True
    )
    strong = shown[0][columns.index(("two", "AP", beside[2]))]
    assert strong == Number(f"[{row['interval_low']:.3f}, {row['interval_high']:.3f}]")
    assert shown[2][2] == Number("")  # the baseline beside itself
    scores = paper_table(built, TableRequest(list(RUNS), ["one"], ["AP"]))
    assert laid_out(scores, Layout(has_intervals=True))[1][2] == ("AP", "95% CI")


# -- Documents -------------------------------------------------------------------------------------

HEADED: TitledTable = (
    f"title {ODD}",
    ["run", (ODD, "AP", "score"), (ODD, "AP", "d"), (ODD, "", "unj@10"), ("two", "AP", "score")],
    [
        [ODD, Number("-0.25", is_bold=True, marks="a↑b↓"), 1.5, Number(""), Number("0.1")],
        ["[0] *", Number("0.50"), -0.5, Number("0.2"), Number("0.3", is_bold=True)],
    ],
)


def test_latex_has_a_cell_for_each_column() -> None:
    text = latex([HEADED], "tab:x")
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    kinds = re.search(r"begin\{tabular\}\{(.*)\}", text)[1]  # type: ignore[index]
    assert kinds == "lr@{}lrrr"
    for line in lines:
        spans = [int(n) for n in re.findall(r"\\multicolumn\{(\d)\}", line)]
        n_cells = len(re.findall(r"(?<!\\)&", line)) + 1
        assert n_cells + sum(spans) - len(spans) == 6
    assert re.findall(r"\\cmidrule\(lr\)\{\d-\d\}", text) == [
        r"\cmidrule(lr){2-5}",
        r"\cmidrule(lr){6-6}",
        r"\cmidrule(lr){2-4}",
        r"\cmidrule(lr){6-6}",
    ]
    assert r"\textbf{$-$0.25} & \textsuperscript{a$\uparrow$b$\downarrow$}" in lines[-2]
    assert lines[-1].startswith("{[}0] {*} &")
    assert r"\label{tab:x}" in text


def test_html_is_well_formed_and_says_what_heads_what() -> None:
    table = ET.fromstring(html([HEADED]))  # noqa: S314 - our own
    assert table.findtext("caption") == HEADED[0]
    spans = [
        [(each.get("scope"), each.get("colspan"), each.text) for each in row]
        for row in table.findall("thead/tr")
    ]
    assert spans[0][1:] == [("colgroup", "3", ODD), ("colgroup", None, "two")]
    assert spans[2] == [("col", None, name) for name in ("run", "score", "d", "unj@10", "score")]
    [first, second] = table.findall("tbody/tr")
    assert (first[0].tag, first[0].get("scope"), first[0].text) == ("th", "row", ODD)
    assert (first[1].findtext("strong"), first[1].findtext("sup")) == ("-0.25", "a↑b↓")
    assert [each.tag for each in second] == ["th", "td", "td", "td", "td"]


def test_markdown_and_plain_text_name_columns_in_full() -> None:
    text = markdown([HEADED])
    head, rule, first, second = text.splitlines()[2:]
    assert "two AP score" in head
    for line in (head, rule, first, second):
        assert len(re.findall(r"(?<!\\)\|", line)) == 6
    assert "**-0.25**<sup>a↑b↓</sup>" in first
    _, columns, rows = plain(HEADED)
    assert columns[-1] == "two AP score"
    assert [row[1] for row in rows] == ["*-0.25* a↑b↓", "  0.50"]


def test_a_column_has_as_many_groups_beside_each_other_as_fit() -> None:
    """What is too wide goes on below, beside the names of the runs."""
    text = latex([TYPICAL, WIDE], is_column=True)
    kinds = re.findall(r"begin\{tabular\}\{(.*)\}", text)
    assert kinds == ["@{}lr@{}lr@{}lr@{}lr@{}", *["@{}lr@{}lr@{}"] * 3]
    assert text.count("organisation-8") == 4
    assert re.findall(r"\\(?:small|footnotesize|scriptsize)", text) == [r"\footnotesize", r"\small"]


NUMBERS = [
    Number(f"0.{each}23", each == 7, ("a↓", "(a↓)", "a↑†", "")[each % 4]) for each in range(8)
]
TYPICAL: TitledTable = (
    f"A caption that names run_number_1 of trec-covid-round1 and others. {ODD}",
    ["run", ("AP",), ("P@10",), ("nDCG@10",), ("unj@10",)],
    [
        [f"organisation-{n + 1}", each, each, each, Number("0.475")]
        for n, each in enumerate(NUMBERS)
    ],
)
WIDE: TitledTable = (
    "",
    [
        "run",
        *((measure, name) for measure in ("AP", "P@10", "nDCG@10") for name in ("score", "CI")),
    ],
    [
        [f"organisation-{n + 1}", *[each, Number("[-0.012, 0.345]")] * 3]
        for n, each in enumerate(NUMBERS)
    ],
)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
@pytest.mark.parametrize("options", ["", "[twocolumn]"])
def test_latex_is_compiled_with_booktabs_alone(tmp_path: Path, options: str) -> None:
    tables = [HEADED, ("", ["a", "b"], [(ODD, 1.0), ('"', -0.00001)])]
    if options:
        tables = [TYPICAL, WIDE, *tables]
    text = latex(tables, "tab:x", is_column=bool(options))
    (tmp_path / "t.tex").write_text(
        f"\\documentclass{options}{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n"
        f"{text}\n\\end{{document}}\n"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],  # noqa: S607
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"Overfull" not in done.stdout


# -- The command -----------------------------------------------------------------------------------


def run(built: Warehouse, *arguments: object) -> Result:
    return invoke_on(built, "table", *arguments)


@pytest.mark.heavy
def test_all_ways_have_the_same_rows(built: Warehouse) -> None:
    asked = ("strong", "fair", "--collection", "one", "-m", "AP", "-m", "P@5")
    options = ("--baseline", "fair", "--unjudged", "--correction", "bonferroni")
    from_json = json.loads(run(built, *asked, *options, "--format", "json").stdout)
    text = run(built, *asked, *options, "--format", "csv").stdout
    from_csv = list(csv.DictReader(io.StringIO(text)))
    frame = poolhouse.open(built.path).table(
        ["strong", "fair"],
        ["one"],
        ["AP", "P@5"],
        baseline="fair",
        unjudged=True,
        correction="bonferroni",
    )
    of_json = pl.DataFrame(from_json, schema=frame.schema)
    assert with_rounded_floats(frame).equals(with_rounded_floats(of_json))
    assert len(from_csv) == len(from_json) == 4
    for cells, row in zip(from_csv, from_json, strict=True):
        assert list(cells) == list(row)
        assert float(cells["score"]) == pytest.approx(row["score"], rel=1e-12)


@pytest.mark.heavy
@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html"])
def test_a_run_that_a_collection_lacks(built: Warehouse, output: str) -> None:
    """Runs are in the order in which they are named; a file answers one collection."""
    asked = ("--collection", "one", "--collection", "two", "-m", "AP", "--baseline", "fair")
    file = built.path.parent / "new"
    write_run(file, range(100, 108), 0.9, "new")
    done = run(built, "weak", ONLY_FIRST, "fair", file, *asked, "--format", output)
    assert done.exit_code == 0, done.stderr
    notes = " ".join(done.stderr.split())
    assert f"{ONLY_FIRST} has no score in two: its cells are empty" in notes
    assert "new has no score in one: its cells are empty" in notes
    starts = [done.stdout.index(name) for name in ("weak", "fair (a)", "new")]
    assert starts == sorted(starts)
    assert "2 (one) and 2 (two)" not in done.stdout
    assert "2 comparisons by a measure and collection" in done.stdout
    named = {"markdown": in_markdown(ODD), "latex": in_latex(ODD), "html": in_html(ODD)}
    assert named.get(output, ODD) in done.stdout


@pytest.mark.heavy
def test_a_collection_without_the_baseline_is_named(built: Warehouse) -> None:
    asked = ("--collection", "one", "--collection", "two", "-m", "AP", "--level", "0.005")
    done = run(built, "weak", ONLY_FIRST, *asked, "--baseline", ONLY_FIRST, "--intervals")
    assert "two has none of the baselines: nothing is compared there" in done.stderr
    assert "99.5% CI" in " ".join(done.stdout.split())


@pytest.mark.heavy
def test_a_file_can_be_the_baseline(built: Warehouse) -> None:
    file = built.path.parent / "input.mine"
    write_run(file, range(12), 0.2, "mine")
    asked = ("--collection", "one", "-m", "AP", "--baseline", file, "--format", "json")
    rows = json.loads(run(built, "strong", file, *asked).stdout)
    assert [(row["run_id"], row["other_run_id"]) for row in rows] == [
        ("strong", "mine"),
        ("mine", None),
    ]
    assert rows[0]["is_significant"] is True


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("strong", "nobody"), 1, "run 'nobody' is neither a run of 'one' nor a file"),
        (("strong", "strong"), 1, "run 'strong' is named twice"),
        (("strong", "--baseline", "weak"), 1, "the baseline 'weak' is not among the runs"),
        (
            ("strong", "weak", "--baseline", "weak", "--baseline", "weak"),
            1,
            "'weak' is named twice",
        ),
        (("strong", "--effect-sizes"), 2, "--effect-sizes needs --baseline"),
        (("strong", "--correction", "holm"), 1, "a correction needs a baseline, or a test"),
        (("strong", "--test", "tukey", "--correction", "holm"), 1, "name no correction"),
        (("strong", "-m", "GMAP"), 1, "GMAP is a geometric mean over topics"),
        (("strong", "--collection", "one"), 1, "collection 'one' is named twice"),
        (("strong", "--collection", "three"), 1, "'three' is not in the warehouse"),
        ((ONLY_FIRST, "--collection", "two"), 1, "'two' has none of the runs"),
        (("strong", "--level", "1"), 2, "--level"),
        (("strong", "--plain", "--estimated"), 1, "a plain table has no estimated scores"),
        (("strong", "--estimated", "--intervals"), 2, "leave --intervals out"),
        (("strong", "--column"), 2, "--column needs --format latex"),
    ],
)
def test_a_mistake_is_one_line(
    built: Warehouse, arguments: tuple[str, ...], status: int, message: str
) -> None:
    done = run(built, *arguments, "--collection", "one", "-m", "AP")
    assert done.exit_code == status
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.heavy
def test_a_table_of_one_run(built: Warehouse) -> None:
    done = run(built, "strong", "--collection", "one", "-m", "AP", "--intervals")
    assert done.exit_code == 0, done.stderr
    assert "poolhouse score strong --collection one -m AP" in done.stderr
    assert run(built, "strong", "--collection", "one", "-m", "AP", "--test", "t").exit_code == 0


def test_the_table_of_a_page(page: Warehouse) -> None:
    """Of one topic there is no test; by hand, P@2 of a1 is 1/2, and P@2 of a2 is 1."""
    asked = ("a1", "a2", "--collection", "page", "-m", "P@2", "--baseline", "a1")
    done = run(page, *asked, "--format", "markdown")
    assert "| a1 (a) | 0.500 |" in done.stdout
    assert "| a2 | **1.000** |" in done.stdout
    assert "some runs cannot be tested by P@2" in " ".join(done.stderr.split())
