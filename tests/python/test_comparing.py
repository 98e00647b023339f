"""Test comparisons of runs: rows against a reference, loaded runs and files, messages, refusals."""

import csv
import io
import json
import math
from collections.abc import Sequence
from itertools import combinations, cycle, product
from pathlib import Path
from shutil import copyfile
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import comparing_reference
from asking import invoke_on
from built_collections import only_many
from conftest import NewWarehouse
from left_out import as_frame
from measures_reference import score_of
from page import write_collection
from poolhouse.building.build import build
from poolhouse.comparing import significance
from poolhouse.comparing.comparison import Comparison, compare
from poolhouse.comparing.comparison_words import conclusions_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import SEED
from poolhouse.output.latex import latex
from poolhouse.output.markdown import markdown
from poolhouse.scoring.asked_runs import NewRun
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference, RunLine

# Collections with many ties, repeated documents, and topics that a run does not answer.
COLLECTIONS = (0, 3, 5, 6, 8, 13, 25)
MEASURES = ("AP", "P@5", "RBP(p=0.5)@5", "nDCG@10", "infAP", "UnjudgedRate@5")
REPETITIONS = 999
# The test is exact where there are fewer topics than this number: there are 2^9 ways to flip signs.
EXACT_TOPICS = 9


@pytest.fixture(scope="module", params=only_many(COLLECTIONS))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    return [Reference(Generator(number).collection()) for number in request.param]


def lines_of(reference: Reference, run: str, topic: str) -> list[RunLine]:
    return [line for line in reference.collection.runs[run] if line.topic == topic]


def rows_of(comparison: Comparison) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {
        (row["measure"], row["run_id"], row["other_run_id"]): row
        for row in comparison.rows.iter_rows(named=True)
    }


def nearly(value: float | None) -> Any:  # noqa: ANN401 - pytest's own kind
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.heavy
def test_every_pair_of_loaded_runs(references: list[Reference], built: Warehouse) -> None:
    n_pairs = 0
    for reference, measure in zip(references, cycle(["AP", "P@5"])):
        name = reference.collection.name
        result = run_query(built, f"select * from run_comparisons('{name}', '{measure}')")
        rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        found: dict[tuple[object, object], dict[str, Any]] = {
            (row["run_id"], row["other_run_id"]): row for row in rows
        }
        runs = sorted(reference.scored_runs, key=str.encode)
        assert len(found) == len(rows)
        assert set(found) == set(combinations(runs, 2))
        for pair, row in found.items():
            assert row["collection_id"] == name
            check_sums(reference, measure, *pair, row)  # type: ignore[arg-type]
            n_pairs += 1
    assert n_pairs > 5


def check_sums(
    reference: Reference, measure: str, run: str, other: str, row: dict[str, Any]
) -> list[float]:
    """Check the figures that SQL computes of a pair; return the differences by topic."""
    scores = reference.scores(measure, "full", "nonrelevant")
    differences = [round(scores[run][t] - scores[other][t], 12) for t in reference.topics]
    n = len(differences)
    assert row["n_topics"] == n
    assert row["mean_score"] == nearly(math.fsum(scores[run].values()) / n)
    assert row["other_mean_score"] == nearly(math.fsum(scores[other].values()) / n)
    assert row["mean_difference"] == nearly(math.fsum(differences) / n)
    outcomes = [round(each, 9) for each in differences]
    assert row["n_topics_won"] == sum(each > 0 for each in outcomes)
    assert row["n_topics_tied"] == sum(each == 0 for each in outcomes)
    assert row["n_topics_lost"] == sum(each < 0 for each in outcomes)
    spread = comparing_reference.deviation(differences) if n > 1 else None
    if not spread or spread < 1e-12:
        assert row["paired_t"] is row["effect_size"] is None
        assert row["standard_error"] == (None if spread is None else 0)
    else:
        mean = math.fsum(differences) / n
        assert row["standard_error"] == nearly(spread / math.sqrt(n))
        assert row["effect_size"] == nearly(mean / spread)
        assert row["paired_t"] == nearly(mean / spread * math.sqrt(n))
    return differences


def test_comparisons_equal_the_reference(references: list[Reference], built: Warehouse) -> None:
    n_tests = n_exact = n_ties = 0
    for reference in references:
        runs = reference.scored_runs[:3]
        request = ComparisonRequest(
            reference.collection.name, runs, MEASURES, repetitions=REPETITIONS
        )
        found = rows_of(compare(built, request))
        assert list(found) == [
            (measure, *pair) for measure in MEASURES for pair in combinations(runs, 2)
        ]
        for (measure, run, other), row in found.items():
            differences = check_sums(reference, measure, run, other, row)
            check_tests(differences, row)
            check_topics(reference, differences, row)
            for side, of_run in (("", run), ("other_", other)):
                n_ties += check_run(reference, measure, of_run, side, row)
            n_tests += row["paired_t"] is not None
            n_exact += row["randomization_is_exact"]
        for measure in MEASURES:
            check_corrections([row for key, row in found.items() if key[0] == measure])
    assert n_tests > 10
    assert n_exact > 10
    assert n_ties > 10


def check_tests(differences: Sequence[float], row: dict[str, Any]) -> None:
    n = len(differences)
    if row["paired_t"] is None:
        assert row["t_p_value"] is row["interval_low"] is row["interval_high"] is None
    else:
        tested = stats.ttest_rel(differences, [0.0] * n)
        assert row["paired_t"] == nearly(tested.statistic)
        assert row["t_p_value"] == nearly(tested.pvalue)
        assert row["t_p_value"] == nearly(comparing_reference.t_tails(row["paired_t"], n - 1))
        interval = tested.confidence_interval(0.95)
        assert (row["interval_low"], row["interval_high"]) == (
            nearly(interval.low),
            nearly(interval.high),
        )
        # The interval ends at the difference at which the test would just reject.
        half = (row["interval_high"] - row["interval_low"]) / 2
        edge = comparing_reference.t_tails(half / row["standard_error"], n - 1)
        assert edge == pytest.approx(0.05, rel=0, abs=1e-9)
    assert (row["repetitions"], row["seed"]) == (REPETITIONS, SEED)
    assert row["randomization_is_exact"] == (n <= EXACT_TOPICS)
    if n <= EXACT_TOPICS:
        expected = comparing_reference.sign_flips(differences)
        assert row["randomization_p_value"] == nearly(expected)


def check_topics(reference: Reference, differences: Sequence[float], row: dict[str, Any]) -> None:
    """Check the topics that decide a comparison, the largest first, and ties by the lower name."""
    by_topic = list(zip(reference.topics, differences, strict=True))
    for outcome, sign in (("won", 1), ("lost", -1)):
        named = [(each["topic_id"], each["difference"]) for each in row[f"topics_{outcome}_most"]]
        gained = [(topic, each) for topic, each in by_topic if sign * each > 0]
        sizes = sorted((sign * each for _, each in gained), reverse=True)
        assert [sign * each for _, each in named] == [nearly(each) for each in sizes[:5]]
        assert dict(named).keys() <= dict(gained).keys()


def possible_scores(
    reference: Reference, measure: str, run: str, topic: str, depth: int | None
) -> tuple[float, float]:
    """Return the score, and the score if the unjudged documents down to the cutoff were relevant.

    These have the highest grade of the collection.
    """
    ranking = reference.rankings[run].get(topic, [])
    threshold = reference.collection.threshold
    highest = max(threshold, *reference.grades.values())
    grades = {
        document: grade
        for (of_topic, document), grade in reference.grades.items()
        if of_topic == topic and grade >= 0
    }
    assumed = {document: highest for document in ranking[:depth] if document not in grades}
    score = reference.scores(measure, "full", "nonrelevant")[run][topic]
    return score, score_of(measure, ranking, grades | assumed, threshold, "nonrelevant")


def check_run(reference: Reference, measure: str, run: str, side: str, row: dict[str, Any]) -> int:
    """Check the figures beside a mean; return the number of tied documents."""
    topics = reference.topics
    rankings = reference.rankings[run]
    depth = int(measure.split("@")[1]) if "@" in measure else None
    top = [(topic, each) for topic in rankings for each in rankings[topic][:depth]]
    n_unjudged = sum(reference.grades.get(pair, -1) < 0 for pair in top)
    assert (row[f"{side}n_top_documents"], row[f"{side}n_unjudged"]) == (len(top), n_unjudged)
    n_tied = sum(comparing_reference.n_tied(lines_of(reference, run, topic)) for topic in topics)
    assert row[f"{side}n_tied_documents"] == n_tied
    if measure == "UnjudgedRate@5":
        assert row[f"{side}lower_bound"] is row[f"{side}upper_bound"] is None
        return n_tied
    possible = [possible_scores(reference, measure, run, topic, depth) for topic in topics]
    assert row[f"{side}lower_bound"] == nearly(math.fsum(map(min, possible)) / len(topics))
    assert row[f"{side}upper_bound"] == nearly(math.fsum(map(max, possible)) / len(topics))
    if measure == "infAP":
        assert row[f"{side}lowest_score"] is row[f"{side}highest_score"] is None
    if measure == "P@5":
        low, high = zip(*(precisions(reference, run, topic) for topic in topics), strict=True)
        assert row[f"{side}lowest_score"] == nearly(math.fsum(low) / len(topics))
        assert row[f"{side}highest_score"] == nearly(math.fsum(high) / len(topics))
    return n_tied


def precisions(reference: Reference, run: str, topic: str) -> tuple[float, float]:
    """Return P@5 with the relevant documents last in each group, and with them first."""
    found = []
    for relevant_first in (False, True):
        ranking = [
            document
            for group in comparing_reference.groups(lines_of(reference, run, topic))
            for document in sorted(
                group, key=lambda each: ((topic, each) in reference.relevant) != relevant_first
            )
        ]
        found.append(sum((topic, each) in reference.relevant for each in ranking[:5]) / 5)
    return found[0], found[1]


def check_corrections(rows: Sequence[dict[str, Any]]) -> None:
    assert {row["n_comparisons"] for row in rows} == {len(rows)}
    for test in ("t_p_value", "randomization_p_value"):
        known = [row for row in rows if row[test] is not None]
        # A test without a p-value counts for the correction, and comes last.
        p_values = [row[test] for row in known] + [1.0] * (len(rows) - len(known))
        for row, corrected in zip(known, comparing_reference.holm(p_values), strict=False):
            assert row[f"{test}_holm"] == nearly(corrected)
            assert row[f"{test}_bonferroni"] == nearly(min(1, row[test] * len(rows)))
            assert row[test] <= row[f"{test}_holm"] <= row[f"{test}_bonferroni"] + 1e-12


@pytest.mark.heavy
def test_a_run_by_path_is_compared_as_a_loaded_one(
    references: list[Reference], built: Warehouse
) -> None:
    """Every figure is the same where one of the two runs is a file, or both are.

    The measures take turns, two on a collection.
    """
    # The decision matrix has only cases of loaded runs.
    names = ["run_id", "other_run_id", "decision_case"]
    for number, reference in enumerate(references):
        measures = [MEASURES[(number + turn) % len(MEASURES)] for turn in (0, 3)]
        # A file that answers no judged topic is refused.
        one, other = reference.scored_runs[:2]
        as_files = [
            NewRun(f"{run} as a file", as_frame(reference.collection.runs[run]))
            for run in (one, other)
        ]
        runs: list[str | NewRun] = [one, as_files[0], other, as_files[1]]
        request = ComparisonRequest(reference.collection.name, runs, measures, repetitions=99)
        rows = compare(built, request).rows
        for measure in measures:
            # Pairs of the same runs have the same p-values, and so the same corrected ones.
            loaded, *by_path = (
                rows.filter(measure=measure, run_id=left, other_run_id=right).drop(names).row(0)
                for left, right in product((one, as_files[0].run_id), (other, as_files[1].run_id))
            )
            expected = tuple(nearly(each) if isinstance(each, float) else each for each in loaded)
            assert by_path == [expected] * 3


@pytest.mark.heavy
def test_cases_are_those_of_the_decision_matrix(
    references: list[Reference], built: Warehouse
) -> None:
    """The case does not depend on the order of two runs; a measure without a depth has no case."""
    n_cases = 0
    for reference in references:
        name = reference.collection.name
        runs = sorted(reference.scored_runs, reverse=True)
        rows = rows_of(compare(built, ComparisonRequest(name, runs, ["AP", "P@5"], repetitions=1)))
        matrix = run_query(
            built,
            f"""
            select run_id, other_run_id, decision_case
            from papers.decision_matrix('{name}', 'P@5')
            """,
        )
        cases = {frozenset(pair): case for *pair, case in matrix.rows}
        for (measure, *compared), row in rows.items():
            case = cases[frozenset(compared)] if measure == "P@5" else None
            assert row["decision_case"] == case
            n_cases += case is not None
    assert n_cases > 5


@pytest.mark.heavy
def test_what_it_says_of_runs_is_symmetric(references: list[Reference], built: Warehouse) -> None:
    reference = references[0]
    one, other = list(reference.collection.runs)[:2]
    there, back = (
        row
        for pair in ([one, other], [other, one])
        for row in rows_of(
            compare(built, ComparisonRequest(reference.collection.name, pair, ["P@5"]))
        ).values()
    )
    assert back["mean_difference"] == -there["mean_difference"]
    assert back["t_p_value"] == there["t_p_value"]
    assert back["n_topics_won"] == there["n_topics_lost"]
    assert back["survives_ties"] == there["survives_ties"]
    assert back["survives_bounds"] == there["survives_bounds"]


# -- The tests of significance ---------------------------------------------------------------------

_differences = st.lists(
    st.integers(-20, 20).map(lambda each: each / 10), min_size=1, max_size=EXACT_TOPICS
)


def flipped(differences: Sequence[float], repetitions: int, seed: int = 1) -> float:
    (p_value,) = significance.sign_flip_p_values([differences], repetitions, seed)
    return p_value


@pytest.mark.heavy
@given(_differences)
def test_the_randomization_test_is_exact_on_few_topics(differences: list[float]) -> None:
    found = flipped(differences, REPETITIONS)
    assert found == pytest.approx(comparing_reference.sign_flips(differences), rel=1e-12)


def test_the_randomization_test_by_hand() -> None:
    """Three topics have the same difference: two of eight sign flips are as far, (1 + 1) / 8."""
    assert flipped([0.2, 0.2, 0.2], 8) == 0.25
    assert flipped([0.0, 0.0, 0.0], 8) == 1
    assert flipped([0.4], 8) == 1
    # Their sum is 0, but for float noise in most orders: each way to flip the signs is at least as
    # far from 0.
    cancelled = [0.6, 0.7, 0.3, 1.5, -0.7, -0.8, -1.6]
    assert flipped(cancelled, 1 << len(cancelled)) == 1


def test_the_randomization_test_is_drawn_by_its_seed() -> None:
    differences = [0.1, -0.02, 0.03, 0.3, -0.1] * 3
    drawn = [flipped(differences, 5000, seed) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len({*drawn}) == 3
    exact = flipped(differences, 2**15)
    assert drawn == pytest.approx([exact] * 4, rel=0, abs=5 * math.sqrt(exact / 5000))


@pytest.mark.heavy
@pytest.mark.parametrize("n_topics", [6, 50, 400])
def test_the_randomization_test_has_the_flips_of_scipy(n_topics: int) -> None:
    """All pairs at once have the p-values of each pair alone; the last batch is not a full one."""
    differences = np.random.default_rng(0).normal(0.01, 0.1, (3, n_topics)).round(2)
    expected = [
        stats.permutation_test(
            (each,),
            lambda differences, axis: np.mean(differences, axis=axis).round(12),
            permutation_type="samples",
            vectorized=True,
            n_resamples=12_345,
            batch=min(10_000, 2_500_000 // n_topics),
            rng=np.random.default_rng(7),
        ).pvalue
        for each in differences
    ]
    found = significance.sign_flip_p_values(differences.tolist(), 12_345, seed=7)
    assert found == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_corrections_are_those_of_their_definitions(p_values: list[float]) -> None:
    assert significance.holm(p_values) == pytest.approx(comparing_reference.holm(p_values))
    assert significance.bonferroni(p_values) == [min(1, len(p_values) * p) for p in p_values]


def test_what_has_no_p_value_counts_as_a_comparison() -> None:
    assert significance.holm([0.01, None, 0.02]) == [0.03, None, 0.04]
    assert significance.bonferroni([0.01, None, 0.02]) == [0.03, None, 0.06]


# -- The command -----------------------------------------------------------------------------------

QRELS = "".join(
    f"{topic} 0 d{number} {int(number < 3)}\n" for topic in "123" for number in range(6)
)
# The ids of the relevant documents are the greatest, and so come first in trec_eval's order. The
# run would be good if its scores said so.
LUCKY = "".join(f"{topic} Q0 d{number} 1 1 t\n" for topic in "123" for number in range(6))
GOOD = "".join(
    f"{topic} Q0 {document} 1 {9 - rank} t\n"
    for topic in "123"
    for rank, document in enumerate(("d3", "d0", "d1", "d2") if topic == "1" else ("d0", "d1"))
)


def on_page(page: Warehouse, *arguments: object) -> Result:
    return invoke_on(page, "compare", *arguments, "--collection", "page")


@pytest.mark.heavy
def test_constant_scores_are_seen_not_to_be_good(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """By trec_eval's order it scores 0, by another order 1: the run itself has no order."""
    warehouse = new_warehouse(tmp_path)
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "constant").write_text(LUCKY)
    (runs / "good").write_text(GOOD)
    (tmp_path / "qrels").write_text(QRELS)
    request = LoadRequest("c", (runs / "constant", runs / "good"), tmp_path / "qrels")
    load_collection(warehouse, request)
    build(warehouse)
    asked = ("constant", "good", "--collection", "c", "--measure", "P@3", "--format", "json")
    done = invoke_on(warehouse, "compare", *asked)
    assert done.exit_code == 0, done.stderr
    [row] = json.loads(done.stdout)
    assert (row["lowest_score"], row["mean_score"], row["highest_score"]) == (0, 0, 1)
    assert (row["n_tied_documents"], row["other_n_tied_documents"]) == (18, 0)
    assert row["mean_difference"] < 0
    assert row["survives_ties"] is False
    assert "the order of tied documents alone could reverse the difference" in done.stderr
    tied = run_query(
        warehouse,
        "select avg(score), avg(lowest_score), avg(highest_score), sum(n_tied) "
        "from tied_scores('c', 'P@3') group by run_id order by run_id",
    )
    assert tied.rows[0] == (0.0, 0.0, 1.0, 18)


def test_by_hand(page: Warehouse) -> None:
    """In one topic, a1 has d1 at rank 1 of 2, and b1 has d4; both P@2 are 1/2; all are judged."""
    done = on_page(page, "a1", "b1", "--measure", "P@2", "--format", "json")
    [row] = json.loads(done.stdout)
    assert (row["mean_score"], row["other_mean_score"], row["n_topics_tied"]) == (0.5, 0.5, 1)
    assert (row["paired_t"], row["t_p_value"], row["randomization_p_value"]) == (None, None, 1)
    assert (row["n_unjudged"], row["n_top_documents"]) == (0, 2)
    assert row["decision_case"] is None
    assert "no t-test" in done.stderr


@pytest.mark.heavy
def test_csv_and_json_have_the_same_rows(page: Warehouse) -> None:
    arguments = ("a1", "a2", "b1", "-m", "AP", "--measure", "P@2", "--seed", 7)
    from_json = json.loads(on_page(page, *arguments, "--format", "json").stdout)
    text = on_page(page, *arguments, "--format", "csv").stdout
    from_csv = list(csv.DictReader(io.StringIO(text)))
    assert len(from_csv) == len(from_json) == 6
    assert {row["seed"] for row in from_json} == {7}
    for cells, row in zip(from_csv, from_json, strict=True):
        assert list(cells) == list(row)
        for name, value in row.items():
            if isinstance(value, float):
                assert float(cells[name]) == value
            elif isinstance(value, list):
                assert json.loads(cells[name]) == value


@pytest.mark.heavy
def test_each_with_the_baseline(page: Warehouse) -> None:
    arguments = ("--measure", "AP", "--baseline", "a2", "--format", "json")
    rows = json.loads(on_page(page, "a1", "a2", "b1", *arguments).stdout)
    assert [(row["run_id"], row["other_run_id"]) for row in rows] == [("a1", "a2"), ("b1", "a2")]


def test_a_file_among_the_runs(page: Warehouse, tmp_path: Path) -> None:
    """A path names the file; the rows have the run's id. The baseline can be a file, too."""
    file = tmp_path / "input.mine"
    file.write_text("1 Q0 d1 1 3 t\n1 Q0 d9 2 2 t\nbad\n")
    done = on_page(page, file, "a1", "--measure", "P@2", "--baseline", file, "--format", "json")
    [row] = json.loads(done.stdout)
    assert (row["run_id"], row["other_run_id"]) == ("a1", "mine")
    assert (row["other_n_unjudged"], row["other_upper_bound"]) == (1, 1)
    assert "input.mine: 1 of 3 lines rejected" in done.stderr
    assert f"next: poolhouse adjust {file} --collection page" in done.stderr


@pytest.mark.heavy
def test_tables_for_people(page: Warehouse) -> None:
    done = on_page(page, "a1", "b1", "--measure", "AP")
    assert "AP on 1 topic of page" in done.stdout
    head = done.stdout.split("AP: p-values\n")[1].split("AP:")[0]
    assert "randomization p" in head
    assert not [word for word in ("Holm", "Bonferroni", "Tukey") if word in head]
    said = "AP: nobody can tell which of "
    assert done.stdout.startswith(said)
    for output, start in (("markdown", said), ("latex", said), ("html", f"<p>{said}")):
        assert on_page(page, "a1", "b1", "-m", "AP", "--format", output).stdout.startswith(start)


def test_a_comparison_of_few_pairs_says_what_it_found() -> None:
    """Equal runs have no winner whose place others could take."""
    row = {
        "measure": "AP",
        "run_id": "a",
        "other_run_id": "b",
        "mean_difference": -0.125,
        "t_p_value_holm": 0.0501,
        "n_comparisons": 3,
        "finding": None,
    }
    rows = [
        row,
        row | {"mean_difference": 0.125, "t_p_value_holm": 0.0499},
        row | {"mean_difference": 0.0, "t_p_value_holm": 1.0},
    ]
    assert list(conclusions_of(Comparison(pl.DataFrame(rows), ()))) == [
        "AP: a scores 0.1250 lower than b. The difference is not significant at 0.05 (t-test, "
        "p = 0.0501 after Holm's correction).",
        "AP: a scores 0.1250 higher than b. The difference is significant at 0.05 (t-test, "
        "p = 0.0499 after Holm's correction).",
        "AP: a and b have the same score.",
    ]
    many = pl.DataFrame([row] * 7)
    assert not list(conclusions_of(Comparison(many, ())))


@pytest.mark.parametrize(
    ("finding", "as_judged", "expected", "said"),
    [
        (
            "holds",
            -0.2,
            -0.1,
            "b is better than a: it scores 0.2000 higher (p = 0.0100), and no judgements of "
            "unjudged documents could reverse that.",
        ),
        (
            "holds as estimated",
            -0.2,
            -0.1,
            "b is better than a: it scores 0.2000 higher (p = 0.0100) as judged, and 0.1000 higher "
            "(0.0500 to 0.1500, p = 0.0200) if every document were judged, as estimated. SHARES",
        ),
        (
            "only as judged",
            -0.2,
            0.1,
            "do not claim that b is better than a: it scores 0.2000 higher (p = 0.0100) as judged, "
            "but 0.1000 lower (-0.1500 to -0.0500, p = 0.0200) if every document were judged, as "
            "estimated, which is not significant. SHARES",
        ),
        (
            "reversed",
            -0.2,
            0.1,
            "a is better than b if every document were judged, as estimated: it scores 0.1000 "
            "higher (0.0500 to 0.1500, p = 0.0200) then. Do not claim the opposite, although it "
            "scores 0.2000 lower (p = 0.0100) as judged. SHARES",
        ),
        (
            "hidden",
            0.2,
            -0.1,
            "b is better than a if every document were judged, as estimated: it scores 0.1000 "
            "higher (0.0500 to 0.1500, p = 0.0200) then. As judged it scores 0.2000 lower "
            "(p = 0.0100), which is not significant. SHARES",
        ),
        (
            "not significant",
            0.2,
            0.1,
            "nobody can claim that a and b differ, nor that they are equally good: a scores 0.2000 "
            "higher (p = 0.0100) as judged, and 0.1000 higher (0.0500 to 0.1500, p = 0.0200) if "
            "every document were judged, as estimated. Neither is significant. SHARES",
        ),
        (
            "cannot be told",
            0.2,
            None,
            "nobody can tell which of a and b is better: what judging every document would show "
            "cannot be estimated. As judged, a scores 0.2000 higher (p = 0.0100), which may come "
            "from what is unjudged. SHARES",
        ),
    ],
)
def test_what_a_finding_says(
    finding: str, as_judged: float, expected: float | None, said: str
) -> None:
    """Each difference is that of the run that the sentence is about."""
    row = {
        **{"measure": "P@5", "run_id": "a", "other_run_id": "b", "n_comparisons": 1},
        **{"finding": finding, "mean_difference": as_judged, "difference_if_judged": expected},
        "low_if_judged": None if expected is None else expected - 0.05,
        "high_if_judged": None if expected is None else expected + 0.05,
        **{"t_p_value_holm": 0.01, "p_value_if_judged_holm": 0.02},
        **{"unjudged_share": 0.475, "other_unjudged_share": 0.0},
    }
    shares = "47.5% of the first 5 documents of a are unjudged, and 0.0% of b."
    assert list(conclusions_of(Comparison(pl.DataFrame([row]), ()))) == [
        f"P@5: {said.replace('SHARES', shares)}"
    ]
    [several] = conclusions_of(Comparison(pl.DataFrame([row | {"n_comparisons": 3}]), ()))
    assert several.endswith(" The p-values are corrected for 3 comparisons (Holm).")


@pytest.mark.heavy
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_figure(page: Warehouse, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"figure.{suffix}"
    done = on_page(page, "a1", "b1", "a2", "--measure", "AP", "--measure", "P@2", "--figure", file)
    assert done.exit_code == 0, done.stderr
    drawn = file.read_bytes()
    if suffix == "svg":
        texts = [each.text for each in ElementTree.fromstring(drawn).iter() if each.text]  # noqa: S314 - our own file
        assert {"a1", "- b1", "- a2", "AP", "P@2"} <= set(texts)
    on_page(page, "a1", "b1", "a2", "--measure", "AP", "--measure", "P@2", "--figure", file)
    assert file.read_bytes() == drawn


BROKEN = b"\x1f\x8b\x08\x00broken"


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("a1", "nobody", "--measure", "AP"), 1, "run 'nobody' is neither a run of 'page' nor a f"),
        (("a1", "--measure", "AP"), 2, "name two runs or more"),
        (("a1", "b1", "a1", "--measure", "AP"), 1, "run 'a1' is named twice"),
        (("a1", "b1", "--measure", "AP", "--baseline", "a2"), 1, "'a2' is not among the runs: a1"),
        (("a1", "b1"), 2, "Missing option '-m' / '--measure'"),
        (("a1", "b1", "--measure", "XYZ"), 1, "XYZ is not a measure that Poolhouse computes"),
        (("a1", "b1", "--measure", "P_"), 1, "P_ is not written as P[(rel=l,judged_only=false)]@k"),
        (("a1", "b1", "--measure", "GMAP"), 1, "GMAP is a geometric mean over topics"),
        (("a1", "b1", "--measure", "AP", "--repetitions", "0"), 2, "--repetitions"),
        (
            ("a1", "b1", "--measure", "AP", "--figure", "x.doc"),
            1,
            "the end of the name must be a format",
        ),
        (("a1", "FOLDER/broken.gz", "--measure", "AP"), 1, "broken.gz: "),
        (("a1", "FOLDER/empty", "--measure", "AP"), 1, "holds no ranked document"),
        (("a1", "FOLDER/elsewhere", "--measure", "AP"), 1, "elsewhere: the run answers no topic"),
        (("a1", "FOLDER/b1", "b1", "--measure", "AP"), 1, "run 'b1' is named twice"),
        (("a1", "FOLDER/gone", "--measure", "AP"), 1, "is neither a run of 'page' nor a file"),
        (("a1", "a\x1b[31m", "--measure", "AP"), 1, "is neither a run of 'page' nor a file"),
    ],
)
def test_a_mistake_is_one_line(
    page: Warehouse, tmp_path: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    (tmp_path / "broken.gz").write_bytes(BROKEN)
    (tmp_path / "empty").write_text("")
    (tmp_path / "elsewhere").write_text("99 Q0 d1 1 3 t\n")
    (tmp_path / "b1").write_text("1 Q0 d1 1 3 t\n")
    done = on_page(page, *(each.replace("FOLDER", str(tmp_path)) for each in arguments))
    assert done.exit_code == status
    assert message in done.stderr
    assert "\x1b" not in done.stderr
    assert done.stdout == ""
    if status == 1:
        assert done.stderr.count("\n") == 1


@pytest.mark.heavy
def test_collections_that_cannot_be_compared(page: Warehouse, tmp_path: Path) -> None:
    file = Path(copyfile(page.path, tmp_path / "poolhouse.duckdb"))
    warehouse, unbuilt = Warehouse(file), Warehouse(tmp_path / "new.duckdb")
    remove(warehouse, "page", ("b1",))
    load_collection(unbuilt, write_collection(tmp_path / "again"))
    for asked, collection, message in (
        (page, "other", "'other' is not in the warehouse"),
        (warehouse, "page", "poolhouse build first"),
        (unbuilt, "page", "poolhouse build"),
        (Warehouse(tmp_path / "none"), "page", "no warehouse here"),
    ):
        refused = invoke_on(
            asked, *("compare", "a1", "b1", "--collection", collection, "--measure", "AP")
        )
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
        assert message in refused.stderr


# -- Documents -------------------------------------------------------------------------------------

ODD = r"a|b_c*d`e\f<g>#h$i%j&k{l}m~n^o[p]--q"


def test_a_table_of_a_document_has_a_cell_for_each_column() -> None:
    """Names may hold any character: an unescaped separator would make another cell."""
    table = ("title", ["run", "score"], [(ODD, -0.25), ("line\nend", 1.0)])
    *_, first, second = markdown([table]).rstrip().splitlines()
    assert first.replace(r"\|", "").count("|") == second.count("|") == 3
    assert r"a\|b\_c\*d\`e\\f\<g\>\#h\$i%j\&k{l}m\~n^o\[p\]" in first
    assert second == "| line end | 1.0000 |"
    rows = [line for line in latex([table]).splitlines() if line.endswith(r"\\")]
    assert [row.replace(r"\&", "").count("&") for row in rows] == [1, 1, 1]
    assert "$-$0.2500" in rows[1]
    assert (
        r"a\textbar{}b\_c{*}d\textasciigrave{}e\textbackslash{}f\textless{}g\textgreater{}\#h\$i\%j"
        r"\&k\{l\}m\textasciitilde{}n\textasciicircum{}o{[}p]-{}-q"
    ) in rows[1]
