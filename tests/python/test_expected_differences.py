"""Test the errors of expected differences: by the definition, and by drawn judgements."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import exp, fsum, log2, sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any

import duckdb
import polars as pl
import pytest
from attrs import evolve

from comparing_reference import t_tails
from conftest import NewWarehouse
from expected_relevance_reference import DEEPEST, IN_DOUBT, weight
from experiment_collections import ODD_ONE_OUT
from measures_reference import parse, score_of
from poolhouse.building.build import build
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.comparison_words import conclusion_of
from poolhouse.comparing.differences import comparable_scores
from poolhouse.comparing.expected_differences import Finding, expected_differences, finding_of
from poolhouse.comparing.paper_table import paper_table
from poolhouse.comparing.requests import ComparisonRequest, TableRequest
from poolhouse.demo.archive import as_pooled
from poolhouse.demo.simulator import OrganizationRecipe, simulate
from poolhouse.loading.load import load_collection
from poolhouse.option_values import LEVEL
from poolhouse.scoring.asked_runs import AskedRuns, NewRun
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

COLLECTION = "outside"
# Six organizations, and two runs outside of the pool.
RECIPE = replace(
    ODD_ONE_OUT,
    name=COLLECTION,
    n_topics=12,
    pool_depth=8,
    highly_relevant_share=0.0,
    organizations=(
        *ODD_ONE_OUT.organizations,
        OrganizationRecipe("heron", 1, noise=0.6),
        OrganizationRecipe("stork", 0, 2, noise=0.4),
    ),
)
ADDITIVE = ("P@10", "RBP(p=0.8)@10")
Q95 = NormalDist().inv_cdf(0.975)
N_DRAWS = 400
# The errors of AP are too small: the number of relevant documents deviates with those of a run.
TOLERANCES = {"AP": 0.16}
# A run outside of the pool beside a pooled one, and beside another one outside.
PAIRS_DRAWN = (("finch2", "stork1"), ("owl1", "stork2"), ("stork1", "stork2"))

DOCUMENTS = """
    select run_id, topic_id, doc_id, rank, support, probability, is_judged_if_pooled, is_pooled,
        is_relevant is null as is_unjudged
    from fct_expected_relevance
    where collection_id = $collection
    order by all
"""
RUNS_OF = "select run_id, organization, is_pooled from dim_runs where collection_id = $collection"
SCORES = "select run_id, topic_id, score from topic_scores($collection, $measure)"
PAIRS = "select * from intermediate.int_asked_expected_pairs($collection, $measure, true)"
RANKINGS = """
    select runs.run_id, topics.topic_id, documents.doc_id
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    where collections.collection_id = $collection and list_contains($runs, runs.run_id)
    order by runs.run_id, topics.topic_id, rankings.rank
"""
JUDGEMENTS = """
    select topic_id, doc_id, relevance from fct_judgements
    where collection_id = $collection and relevance is not null
    order by all
"""
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def built(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("expected_differences")
    warehouse = new_warehouse(folder)
    [collection] = simulate(folder, 1, [RECIPE])
    load_collection(warehouse, as_pooled(collection))
    build(warehouse)
    return warehouse


@pytest.fixture(scope="module")
def marts(built: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with built.read() as connection:
        yield connection


def rows(marts: duckdb.DuckDBPyConnection, query: str, **values: object) -> Rows:
    named = {"collection": COLLECTION, **values}
    return list(rows_of(marts, query, named).iter_rows(named=True))


def weight_of(measure: str, rank: int) -> float:
    """Return the weight of a rank in the errors: where weights do not add up, the discount."""
    if measure in ADDITIVE:
        return weight(measure, rank)
    return 1 / log2(rank + 1) if rank <= (parse(measure).cutoff or DEEPEST) else 0.0


class Expected:
    """The unjudged documents of runs by one measure, whose weights add up to the score."""

    def __init__(self, marts: duckdb.DuckDBPyConnection, measure: str) -> None:
        self.measure = measure
        self.runs = {row["run_id"]: row for row in rows(marts, RUNS_OF)}
        self.scores: dict[str, dict[str, float]] = defaultdict(dict)
        for row in rows(marts, SCORES, measure=measure):
            self.scores[row["run_id"]][row["topic_id"]] = row["score"]
        self.topics = sorted(next(iter(self.scores.values())))
        self.documents: dict[str, Rows] = {run: [] for run in self.runs}
        everywhere: dict[tuple[str, str], list[float]] = defaultdict(list)
        lost: dict[str, float] = defaultdict(float)
        for row in rows(marts, DOCUMENTS):
            row["weight"] = weight_of(measure, row["rank"])
            if row["is_unjudged"]:
                everywhere[row["topic_id"], row["doc_id"]].append(row["probability"])
            if row["weight"] and row["is_unjudged"]:
                self.documents[row["run_id"]].append(row)
            elif row["weight"] and row["is_judged_if_pooled"]:
                lost[row["run_id"]] += row["weight"]
        self.everywhere = {pair: fmean(found) for pair, found in everywhere.items()}
        self.whole = len(self.topics) * fsum(weight_of(measure, rank) for rank in range(1, 101))
        by_organization: dict[str, list[float]] = defaultdict(list)
        for run, total in lost.items():
            by_organization[self.runs[run]["organization"]].append(total / self.whole)
        self.lost = {name: fmean(shares) for name, shares in by_organization.items()}

    def share(self, run: str) -> float:
        return fsum(each["weight"] for each in self.documents[run]) / self.whole

    def deviation(self, run: str) -> float:
        """By how much the log odds of its documents may all be wrong."""
        share, documents = self.share(run), self.documents[run]
        gain = fsum(each["weight"] * each["probability"] for each in documents)
        alone = fsum(
            each["weight"] * each["probability"] for each in documents if not each["support"]
        )
        own = self.runs[run]["organization"] if self.runs[run]["is_pooled"] else None
        distance = fmean(lost for name, lost in self.lost.items() if name != own)
        spread = max(0.2 * min(share / distance, 5), 0.8 * share)
        deviation = sqrt(0.25 + spread + 0.5 * (alone / gain if gain else 0))
        return deviation if self.measure in ADDITIVE else 1.25 * deviation

    def parts(self, one: str, other: str) -> Iterator[tuple[str, float, float, dict[str, Any]]]:
        """Yield the topic, part and probability of each document, and the runs that return it."""
        found: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
        for run in (one, other):
            for each in self.documents[run]:
                found[each["topic_id"], each["doc_id"]][run] = each
        for (topic, _), holders in found.items():
            sides = {one: 1, other: -1}
            part = fsum(sides[run] * each["weight"] for run, each in holders.items())
            yield topic, part, fmean(e["probability"] for e in holders.values()), holders

    def moved(self, one: str, other: str, run: str, sign: int) -> float:
        """How far the difference moves if the probabilities of one run are all wrong."""
        shift = sign * Q95 * self.deviation(run)
        total = 0.0
        for _, part, _, holders in self.parts(one, other):
            if run in holders:
                p = holders[run]["probability"]
                total += part * (p / (p + (1 - p) * exp(-shift)) - p) / len(holders)
        return total / len(self.topics)

    def difference(self, one: str, other: str) -> tuple[float, float, float]:
        """Return the expected difference, and its errors towards lower and higher differences."""
        by_topic = {
            t: self.scores[one].get(t, 0) - self.scores[other].get(t, 0) for t in self.topics
        }
        variance, squares, count = 0.0, 0.0, 0
        for topic, part, probability, _ in self.parts(one, other):
            by_topic[topic] += part * probability
            variance += part**2 * probability * (1 - probability)
            squares += part**2
            count += 1
        n = len(self.topics)
        of_documents = (variance + IN_DOUBT * squares / max(count, 1)) / n**2
        of_topics = stdev(by_topic.values()) ** 2 / n
        ends = {sign: [] for sign in (-1, 1)}  # type: dict[int, list[float]]
        for run in (one, other):
            moved = [self.moved(one, other, run, sign) for sign in (-1, 1)]
            ends[-1].append(min(*moved, 0))
            ends[1].append(max(*moved, 0))
        below, above = (
            sqrt(of_topics + of_documents + fsum(each**2 for each in ends[sign]) / Q95**2)
            for sign in (-1, 1)
        )
        return fmean(by_topic.values()), below, above


@pytest.mark.heavy
@pytest.mark.parametrize("measure", ADDITIVE)
def test_differences_are_those_of_the_definition(
    marts: duckdb.DuckDBPyConnection, measure: str
) -> None:
    expected = Expected(marts, measure)
    found = {
        (row["run_id"], row["other_run_id"]): row for row in rows(marts, PAIRS, measure=measure)
    }
    assert set(found) == set(combinations(sorted(expected.runs), 2))
    with_unjudged = 0
    for (one, other), row in found.items():
        difference, below, above = expected.difference(one, other)
        assert row["difference_if_judged"] == pytest.approx(difference, abs=1e-9), (one, other)
        assert row["error_below"] == pytest.approx(below, abs=1e-9), (one, other)
        assert row["error_above"] == pytest.approx(above, abs=1e-9), (one, other)
        assert row["unjudged_weight"] == pytest.approx(expected.share(one), abs=1e-9)
        with_unjudged += row["unjudged_weight"] > 0
    assert with_unjudged > 0


@pytest.mark.heavy
def test_asked_runs_have_the_rows_of_all_runs(marts: duckdb.DuckDBPyConnection) -> None:
    asked = ["stork2", "owl1", "stork1"]
    runs = AskedRuns(marts, COLLECTION, asked)
    scores = comparable_scores(runs, ["AP", "P@10"], has_bounds=False)
    found = expected_differences(runs, scores, 0.95)
    assert found.height == 2 * 3 * 2
    for measure in ("AP", "P@10"):
        for row in rows(marts, PAIRS, measure=measure):
            if {row["run_id"], row["other_run_id"]} <= set(asked):
                pair = {"run_id": row["run_id"], "other_run_id": row["other_run_id"]}
                one = found.row(by_predicate=_is(measure, **pair), named=True)
                assert {name: one[name] for name in row} == pytest.approx(row, abs=1e-9)
                other_way = _is(measure, run_id=pair["other_run_id"], other_run_id=pair["run_id"])
                other = found.row(by_predicate=other_way, named=True)
                assert other["low_if_judged"] == pytest.approx(-one["high_if_judged"])
                assert other["p_value_if_judged"] == one["p_value_if_judged"]


def _is(measure: str, **pair: str) -> pl.Expr:
    return pl.all_horizontal(
        pl.col("measure") == measure, *(pl.col(n) == v for n, v in pair.items())
    )


@pytest.mark.heavy
def test_a_document_of_two_files_cancels(marts: duckdb.DuckDBPyConnection) -> None:
    """Also one that no loaded run returns, whose key is another one in each file."""
    judged: dict[str, list[str]] = defaultdict(list)
    for row in rows(marts, RANKINGS, runs=["owl1"]):
        judged[row["topic_id"]].append(row["doc_id"])
    new = ["nobody-has-b", "nobody-has-a"]
    one = NewRun("one", lines({topic: [*list_[:2], *new] for topic, list_ in judged.items()}))
    other = NewRun(
        "other",
        lines({t: [new[1], *list_[:2], new[0], "a-third"] for t, list_ in judged.items()}),
    )
    runs = AskedRuns(marts, COLLECTION, [one, other])
    scores = comparable_scores(runs, ["P@4"], has_bounds=False)
    row = expected_differences(runs, scores, 0.95).row(0, named=True)
    assert row["unjudged_weight"] == row["other_unjudged_weight"] == 0.5
    assert row["if_judged"] > scores["score"].mean()
    assert (row["difference_if_judged"], row["error_if_judged"]) == (0, 0)


def lines(lists: dict[str, list[str]]) -> pl.DataFrame:
    found = [
        (topic, document, -float(place))
        for topic, documents in lists.items()
        for place, document in enumerate(documents)
    ]
    return pl.DataFrame(found, schema=["query", "docno", "score"], orient="row")


@pytest.mark.heavy
@pytest.mark.parametrize("measure", ["P@10", "AP", "nDCG@10", "RR"])
def test_errors_are_those_of_drawn_judgements(
    marts: duckdb.DuckDBPyConnection, measure: str
) -> None:
    """The factor of either run is drawn, and then the relevance of each document."""
    # AP has the deviations of its own weights, which are discounts, as nDCG has
    expected = Expected(marts, measure)
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows(marts, JUDGEMENTS):
        grades[row["topic_id"]][row["doc_id"]] = row["relevance"]
    rankings: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(marts, RANKINGS, runs=list(expected.runs)):
        rankings[row["run_id"]][row["topic_id"]].append(row["doc_id"])
    found = {
        (row["run_id"], row["other_run_id"]): row for row in rows(marts, PAIRS, measure=measure)
    }
    for one, other in PAIRS_DRAWN:
        row = found[one, other]
        draws = list(drawn(expected, grades, rankings, one, other))
        of_topics = stdev(fmean(each) for each in zip(*draws, strict=True)) ** 2 / len(draws[0])
        means = [fmean(each) for each in draws]
        assert row["difference_if_judged"] == pytest.approx(fmean(means), abs=0.004), (one, other)
        wanted = sqrt(of_topics + stdev(means) ** 2)
        error = (row["error_below"] + row["error_above"]) / 2
        assert error == pytest.approx(wanted, rel=TOLERANCES.get(measure, 0.03)), (one, other)


def drawn(
    expected: Expected,
    grades: dict[str, dict[str, int]],
    rankings: dict[str, dict[str, list[str]]],
    one: str,
    other: str,
) -> Iterator[list[float]]:
    """Yield the differences on each topic by judgements that are drawn."""
    random = Random(one + other)  # noqa: S311
    for _ in range(N_DRAWS):
        # the documents of other lists are in the ideal ranking, and among the relevant ones
        probabilities = {pair: [found] for pair, found in expected.everywhere.items()}
        for documents in (expected.documents[one], expected.documents[other]):
            for each in documents:
                probabilities[each["topic_id"], each["doc_id"]] = []
        for run in (one, other):
            shift = exp(-random.gauss(0, expected.deviation(run)))
            for each in expected.documents[run]:
                p = each["probability"]
                probabilities[each["topic_id"], each["doc_id"]].append(p / (p + (1 - p) * shift))
        judged = {topic: dict(known) for topic, known in grades.items()}
        for (topic, document), shifted in probabilities.items():
            judged[topic][document] = int(random.random() < fmean(shifted))
        yield [
            score(expected.measure, rankings[one][topic], judged[topic])
            - score(expected.measure, rankings[other][topic], judged[topic])
            for topic in expected.topics
        ]


def score(measure: str, ranking: list[str], judged: dict[str, int]) -> float:
    return score_of(measure, ranking, judged, 1, "nonrelevant")


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({}, "holds as estimated"),
        ({"survives_bounds": True}, "holds"),
        ({"estimated": 0.06}, "only as judged"),
        ({"estimated": None}, "only as judged"),
        ({"difference_if_judged": -0.1}, "reversed"),
        ({"judged": 0.06}, "hidden"),
        ({"judged": None}, "hidden"),
        ({"judged": 0.06, "estimated": 0.06}, "not significant"),
        ({"difference_if_judged": None}, "cannot be told"),
        ({"difference_if_judged": None, "survives_bounds": True}, "holds"),
        ({"difference_if_judged": None, "unjudged_share": 0.009}, None),
        ({"unjudged_weight": 0.009}, None),
        ({"unjudged_weight": 0.009, "other_unjudged_weight": 0.01}, "holds as estimated"),
        # a measure of the assessment has no bounds
        ({"upper_bound": None}, None),
        # nobody can say what is unjudged
        ({"n_unjudged": None}, None),
    ],
)
def test_findings(change: dict[str, object], finding: Finding | None) -> None:
    row = {
        **{"mean_difference": 0.2, "difference_if_judged": 0.1, "judged": 0.01, "estimated": 0.04},
        **{"survives_bounds": False, "upper_bound": 0.5, "n_unjudged": 3},
        **{"unjudged_share": 0.3, "other_unjudged_share": 0.0},
        **{"unjudged_weight": 0.3, "other_unjudged_weight": 0.0},
    }
    assert finding_of({**row, **change}, "judged", "estimated", 0.05) == finding


def test_an_interval_that_is_not_there_is_not_written() -> None:
    row = {
        **{"run_id": "a", "other_run_id": "b", "finding": "not significant", "measure": "AP"},
        **{"mean_difference": 0.1, "t_p_value_holm": 0.5, "difference_if_judged": 0.1},
        **{"low_if_judged": None, "high_if_judged": None, "p_value_if_judged_holm": 0.4},
    }
    said = conclusion_of(defaultdict(float, row))
    assert "0.1000 higher (p = 0.4000) if every document were judged" in said


# Two runs of the pool, and two outside of it.
ASKED = ("owl1", "finch2", "stork1", "stork2")
KEYS = ["measure", "run_id", "other_run_id"]
IF_JUDGED = "select * from expected_scores($collection, $measure)"


@pytest.mark.heavy
def test_a_table_has_the_findings_of_compare(built: Warehouse) -> None:
    compared = compare(built, ComparisonRequest(COLLECTION, ASKED, ADDITIVE, repetitions=9)).rows
    table = paper_table(built, TableRequest(ASKED, [COLLECTION], ADDITIVE, test="t")).rows
    joined = compared.join(table, on=KEYS, suffix="_of_table", maintain_order="left")
    assert joined.height == compared.height == table.height / 2
    for name in ("difference_if_judged", "low_if_judged", "high_if_judged", "p_value_if_judged"):
        assert joined[f"{name}_of_table"].to_list() == joined[name].to_list()
    assert joined["finding_of_table"].to_list() == joined["finding"].to_list()
    mirrored = compared.join(table, left_on=KEYS, right_on=[KEYS[0], KEYS[2], KEYS[1]])
    assert (mirrored["low_if_judged_right"] == -mirrored["high_if_judged"]).all()
    assert (mirrored["difference_if_judged_right"] == -mirrored["difference_if_judged"]).all()
    n_told = 0
    for row in joined.iter_rows(named=True):
        assert row["corrected_p_value_if_judged"] == row["p_value_if_judged_holm"]
        as_judged, if_judged = (
            row[each] < LEVEL for each in ("t_p_value_holm", "p_value_if_judged_holm")
        )
        assert row["is_significant_as_judged"] == as_judged
        if row["finding"] is None:
            assert row["is_significant"] == as_judged
        else:
            assert row["is_significant"] == (if_judged or row["finding"] == "holds")
            n_told += 1
        # The interval ends towards no difference where the test would just reject.
        difference, degrees = row["difference_if_judged"], row["degrees_of_freedom_if_judged"]
        t = difference / row["error_if_judged"]
        assert row["p_value_if_judged"] == pytest.approx(t_tails(t, degrees), abs=1e-8)
        end = row["high_if_judged" if difference < 0 else "low_if_judged"]
        half = (difference - end) / row["error_if_judged"]
        assert t_tails(half, degrees) == pytest.approx(LEVEL, abs=1e-8)
    assert n_told > 0


@pytest.mark.heavy
def test_a_plain_table_is_as_judged(built: Warehouse) -> None:
    asked = TableRequest(ASKED, [COLLECTION], ADDITIVE, test="t", plain=True)
    plain = paper_table(built, asked).rows
    table = paper_table(built, evolve(asked, plain=False)).rows
    assert plain["is_significant"].to_list() == table["is_significant_as_judged"].to_list()
    nulls = {name for name in plain.columns if plain[name].null_count() == plain.height}
    assert {"finding", "difference_if_judged", "corrected_p_value_if_judged"} <= nulls
    shared = [name for name in table.columns if name not in nulls | {"is_significant"}]
    assert plain.select(set(shared) & set(plain.columns)).equals(
        table.select(set(shared) & set(plain.columns))
    )


@pytest.mark.heavy
def test_estimated_scores_are_those_of_the_mart(
    built: Warehouse, marts: duckdb.DuckDBPyConnection
) -> None:
    asked = TableRequest(ASKED, [COLLECTION], ADDITIVE, estimated=True)
    table = paper_table(built, asked).rows
    for row in table.iter_rows(named=True):
        expected = {each["run_id"]: each for each in rows(marts, IF_JUDGED, measure=row["measure"])}
        of_run = expected[row["run_id"]]
        for name in ("if_judged", "if_judged_95_low", "if_judged_95_high"):
            mean = of_run[name] * of_run["n_topics"] / row["n_topics"]
            assert row[name] == pytest.approx(mean, abs=1e-9), name
        of_measure = [
            each for each in table.iter_rows(named=True) if each["measure"] == row["measure"]
        ]
        assert row["rank"] == 1 + sum(each["if_judged"] > row["if_judged"] for each in of_measure)
