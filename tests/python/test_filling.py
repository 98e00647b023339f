"""Test filled and rectified scores beside scores of qrels that are merged by hand."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from math import floor
from pathlib import Path
from random import Random
from shutil import copyfile
from statistics import mean

import pytest
from attrs import evolve

from built_collections import kept_open, load_together, with_tested_views
from collection_files import write_files, write_qrels
from conftest import NewWarehouse
from measures_reference import score_of
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.experiments.later import run_later_experiment
from poolhouse.experiments.requests import LaterRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from reference import Collection, Description, quantile_of_t, ranked

pytestmark = pytest.mark.heavy

COLLECTION = "two-authors"
# The same files without labels.
UNLABELLED = "one-author"
ORGANIZATIONS = {"ant1": "ant", "ant2": "ant", "bee1": "bee", "cow1": "cow", "dog1": "dog"}
# A run outside the pool, all of whose documents the first author labelled.
OUTSIDE = "elk1"
TOPICS = tuple(str(number) for number in range(1, 9))
DEPTH = 10
LENGTH = 30
MEASURES = ("P@10", "AP", "nDCG@10", "RBP(p=0.8)@10", "P(rel=2)@10")
# What grades of the authors are on the scale of the reference, where grades 1 to 3 are relevant:
# the first author has grades 0 to 5, the second one says yes or no.
TRANSLATED = {"graded": {0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3}, "yes-no": {0: 0, 1: 1}}

Row = dict[str, object]
Key = tuple[str, str]
# Rows of filled_scores by run, for a measure and an author.
Scores = Callable[[str, str], dict[str, Row]]


class Made:
    """An invented collection with the labels of two authors; grades of documents by topic."""

    def __init__(self) -> None:
        """Draw the rankings, the judgements of the pool, and the labels."""
        draw = Random(7)  # noqa: S311 (not for cryptography)
        grades = {
            (topic, f"d{number}"): draw.choices(range(4), (5, 3, 2, 1))[0]
            for topic in TOPICS
            for number in range(60)
        }
        self.rankings: dict[str, dict[str, list[str]]] = {
            run: {
                topic: sorted(
                    (f"d{number}" for number in range(60)),
                    key=lambda doc: -grades[topic, doc] - draw.gauss(0, 1.5 + 0.3 * place),
                )[:LENGTH]
                for topic in TOPICS
            }
            for place, run in enumerate((*ORGANIZATIONS, OUTSIDE))
        }
        self.contributors: dict[Key, set[str]] = defaultdict(set)
        for run, organization in ORGANIZATIONS.items():
            for topic, documents in self.rankings[run].items():
                for document in documents[:DEPTH]:
                    self.contributors[topic, document].add(organization)
        self.qrels = {key: grades[key] for key in sorted(self.contributors)}
        self.labels = {
            "graded": {
                key: max(0, min(5, round(grade * 5 / 3 + draw.gauss(0.5, 1))))
                for key, grade in grades.items()
            },
            # a label of every tenth document is missing
            "yes-no": {
                key: int(draw.random() < (0.9 if grade else 0.3))
                for key, grade in grades.items()
                if draw.random() < 0.9
            },
        }

    def without(self, organization: str) -> dict[Key, int]:
        """Return the qrels without what only the organization contributed."""
        return {
            key: grade
            for key, grade in self.qrels.items()
            if self.contributors[key] != {organization}
        }

    def merged(self, author: str, organization: str) -> dict[Key, int]:
        """Return the qrels where labels replace what only the organization contributed."""
        left, labels = self.without(organization), self.labels[author]
        lost = (self.qrels.keys() - left.keys()) & labels.keys()
        return left | {key: TRANSLATED[author][labels[key]] for key in lost}

    def mean_score(self, measure: str, run: str, qrels: dict[Key, int]) -> float:
        """Score a run by qrels, over all topics."""
        grades: dict[str, dict[str, int]] = defaultdict(dict)
        for (topic, document), grade in qrels.items():
            grades[topic][document] = grade
        return mean(
            score_of(measure, documents, grades[topic], 1, "nonrelevant")
            for topic, documents in self.rankings[run].items()
        )

    def collection(self) -> Collection:
        """Return the runs with the judgements of the pool."""
        return Collection(
            COLLECTION,
            runs=ranked(
                {
                    run: {topic: " ".join(documents) for topic, documents in by_topic.items()}
                    for run, by_topic in self.rankings.items()
                }
            ),
            qrels=[(topic, document, grade) for (topic, document), grade in self.qrels.items()],
            descriptions={
                run: Description(ORGANIZATIONS.get(run, "elk"), is_pooled=run != OUTSIDE)
                for run in self.rankings
            },
            pool_depth=DEPTH,
        )


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


@pytest.fixture(scope="module")
def filled(
    made: Made, new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    """Build the collection with the labels, and without them."""
    folder = tmp_path_factory.mktemp("filled")
    request = write_files(made.collection(), folder)
    authors = []
    for author, labels in made.labels.items():
        authors.append((author, write_qrels(folder / f"{author}.txt", labels)))
    warehouse = new_warehouse(folder)
    labelled = evolve(request, author_qrels=tuple(authors))
    load_together(warehouse, [labelled, evolve(request, collection=UNLABELLED)])
    assert build(warehouse).failed == ()
    yield from kept_open(warehouse)


def test_no_view_breaks_its_tests(filled: Warehouse) -> None:
    with_tested_views(filled)


def rows(warehouse: Warehouse, query: str, **values: object) -> list[Row]:
    return list(query_frame(warehouse, query, values).iter_rows(named=True))


def number(value: object) -> float:
    return float(str(value))


@pytest.fixture(scope="module")
def scores(filled: Warehouse) -> Scores:
    """Provide the rows of filled_scores; each call is asked once, because planning takes long."""

    @cache
    def ask(measure: str, author: str) -> dict[str, Row]:
        found = rows(
            filled,
            "from filled_scores($collection, $measure, $author)",
            collection=COLLECTION,
            measure=measure,
            author=author,
        )
        return {str(row["run_id"]): row for row in found}

    return ask


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("author", TRANSLATED)
def test_scores_are_those_of_qrels_that_are_merged_by_hand(
    scores: Scores, made: Made, author: str, measure: str
) -> None:
    found = scores(measure, author)
    assert set(found) == set(ORGANIZATIONS)
    for run, organization in ORGANIZATIONS.items():
        row = found[run]
        for column, qrels in (
            ("true_score", made.qrels),
            ("unpooled_score", made.without(organization)),
            ("filled_score", made.merged(author, organization)),
        ):
            by_hand = made.mean_score(measure, run, qrels)
            assert row[column] == pytest.approx(by_hand, abs=1e-12), (run, column)


@pytest.mark.parametrize("author", TRANSLATED)
def test_precision_by_hand(scores: Scores, made: Made, author: str) -> None:
    """Rectified P@10, its standard error and its interval, from the files themselves."""
    lost: dict[str, list[Key]] = {
        run: [
            (topic, document)
            for topic, documents in made.rankings[run].items()
            for document in documents[:10]
            if made.contributors[topic, document] == {organization}
        ]
        for run, organization in ORGANIZATIONS.items()
    }
    n_documents = 10 * len(TOPICS)
    share = {run: len(keys) / n_documents for run, keys in lost.items()}
    missed = {
        run: sum((made.qrels[key] > 0) - (made.labels[author].get(key, 0) > 0) for key in keys)
        / n_documents
        for run, keys in lost.items()
    }
    by_organization = {
        organization: runs
        for organization in set(ORGANIZATIONS.values())
        if (runs := [r for r, each in ORGANIZATIONS.items() if each == organization and share[r]])
    }
    found = scores("P@10", author)
    for run, organization in ORGANIZATIONS.items():
        others = [runs for name, runs in by_organization.items() if name != organization]
        of_others = sum(mean(share[each] for each in runs) for runs in others)
        ratio = sum(mean(missed[each] for each in runs) for runs in others) / of_others
        variances = [
            mean((missed[each] - ratio * share[each]) ** 2 / share[each] for each in runs)
            for runs in others
        ]
        variation = sum(variances) / (len(others) - 1)
        freedom = floor(sum(variances) ** 2 / sum(each**2 for each in variances) + 1e-9)
        error = (variation * share[run] * (1 + share[run] / of_others)) ** 0.5
        row = found[run]
        rectified = number(row["true_score"]) - missed[run] + share[run] * ratio
        assert row["rectified_score"] == pytest.approx(rectified, abs=1e-12)
        assert row["standard_error"] == pytest.approx(error, abs=1e-12)
        assert row["unjudged_share"] == pytest.approx(share[run], abs=1e-12)
        half = quantile_of_t("95", min(freedom, len(others) - 1)) * error
        assert row["t_95_high"] == pytest.approx(rectified + half, abs=1e-9)


def test_stored_estimates_are_those_of_the_macro(filled: Warehouse, scores: Scores) -> None:
    for measure in ("P@10", "RBP(p=0.8)@10"):
        stored = rows(
            filled,
            """
            select run_id, estimator, adjusted_score, ci_95_high from fct_adjusted_scores
            where
                collection_id = $collection and measure = $measure and level = 'organization'
                and subset = 'all' and unjudged = 'nonrelevant'
            """,
            collection=COLLECTION,
            measure=measure,
        )
        by_key = {(row["estimator"], row["run_id"]): row for row in stored}
        for author in TRANSLATED:
            for run, row in scores(measure, author).items():
                filled_row = by_key[f"filled_by_{author}", run]
                assert filled_row["adjusted_score"] == pytest.approx(row["filled_score"], abs=1e-12)
                if measure == "P@10":
                    rectified = by_key[f"rectified_by_{author}", run]
                    assert [rectified["adjusted_score"], rectified["ci_95_high"]] == (
                        pytest.approx([row["rectified_score"], row["t_95_high"]], abs=1e-12)
                    )


def test_errors_are_those_of_the_scores(filled: Warehouse, scores: Scores) -> None:
    errors = {
        str(row["estimator"]): row
        for row in rows(filled, "from filling_errors($collection, 'AP')", collection=COLLECTION)
    }
    assert set(errors) == {
        "unadjusted",
        "expected_relevance",
        *(f"{way}_by_{author}" for way in ("filled", "rectified") for author in TRANSLATED),
    }
    found = scores("AP", "graded").values()
    for estimator, column in [
        ("unadjusted", "unpooled_score"),
        ("expected_relevance", "expected_score"),
        ("filled_by_graded", "filled_score"),
        ("rectified_by_graded", "rectified_score"),
    ]:
        apart = [number(row[column]) - number(row["true_score"]) for row in found]
        assert errors[estimator]["n_runs"] == len(ORGANIZATIONS)
        assert errors[estimator]["mae"] == pytest.approx(sum(map(abs, apart)) / len(apart))
        assert errors[estimator]["mean_error"] == pytest.approx(sum(apart) / len(apart))


def test_a_run_outside_the_pool_is_filled_if_its_documents_are_labelled(
    filled: Warehouse, made: Made
) -> None:
    """The second author lacks a tenth of the labels, and so has no estimate."""
    outside = rows(
        filled,
        """
        select estimator, adjustment from intermediate.int_adjustments as adjustments
        inner join intermediate.int_collections using (collection_key)
        anti join intermediate.int_pooled_runs using (run_key)
        where collection_id = $collection and measure = 'P@10' and unjudged = 'nonrelevant'
        """,
        collection=COLLECTION,
    )
    found = {str(row["estimator"]): number(row["adjustment"]) for row in outside}
    assert [name for name in found if "_by_" in name] == ["filled_by_graded", "rectified_by_graded"]
    gain = sum(
        made.labels["graded"][topic, document] > 0
        for topic, documents in made.rankings[OUTSIDE].items()
        for document in documents[:10]
        if (topic, document) not in made.qrels
    ) / (10 * len(TOPICS))
    assert found["filled_by_graded"] == pytest.approx(gain, abs=1e-12)
    with filled.read() as connection:
        connection.execute(
            "create or replace temp table elk (query varchar, docno varchar, score double)"
        )
        connection.executemany(
            "insert into elk values (?, ?, ?)",
            [
                (topic, document, -float(rank))
                for topic, documents in made.rankings[OUTSIDE].items()
                for rank, document in enumerate(documents)
            ],
        )
        of_file = connection.execute(
            "select estimator, adjustment from adjusted_scores(?, 'temp.elk', except_run := ?) "
            "where measure = 'P@10' and unjudged = 'nonrelevant'",
            [COLLECTION, OUTSIDE],
        ).fetchall()
    for estimator, adjustment in of_file:
        assert found.get(estimator, adjustment) == pytest.approx(adjustment, abs=1e-9)
    assert {name for name in found if "_by_" in name} < {name for name, _ in of_file}


def test_a_collection_with_one_author_has_no_rows(filled: Warehouse) -> None:
    errors = "from filling_errors($collection, 'P@10')"
    assert rows(filled, errors, collection=UNLABELLED) == []
    filling = "from filled_scores($collection, 'P@10', $author)"
    for author in ("graded", None):
        with pytest.raises(PoolhouseError, match="no author that is compared with the reference"):
            rows(filled, filling, collection=UNLABELLED, author=author)


def test_estimators_are_listed(filled: Warehouse) -> None:
    listed = rows(filled, "select estimator, position from dim_estimators order by position")
    assert [row["position"] for row in listed] == list(range(1, len(listed) + 1))
    assert [row["estimator"] for row in listed[-4:]] == [
        "filled_by_graded",
        "rectified_by_graded",
        "filled_by_yes-no",
        "rectified_by_yes-no",
    ]


def test_a_run_outside_is_advised_with_the_labels(filled: Warehouse) -> None:
    """The documents of the run outside are labelled, and the labels have the lowest error."""
    [advised] = rows(
        filled,
        "from adjusted_leaderboard "
        "where collection_id = $collection and measure = 'P@10' and run_id = $run",
        collection=COLLECTION,
        run=OUTSIDE,
    )
    assert advised["advice"] == "estimated"
    assert advised["estimator"] == "rectified_by_graded"
    low, score, high = (
        number(advised[column]) for column in ("if_judged_95_low", "if_judged", "if_judged_95_high")
    )
    assert low < score < high


def test_labels_are_later_judgements(filled: Warehouse, made: Made, tmp_path: Path) -> None:
    """The experiment `later` scores by the labels, and by the qrels where a label is missing."""
    warehouse = Warehouse(Path(copyfile(filled.path, tmp_path / "poolhouse.duckdb")))
    author = "yes-no"
    report = run_later_experiment(warehouse, LaterRequest(COLLECTION, author))
    labels = {key: TRANSLATED[author][label] for key, label in made.labels[author].items()}
    n_other = sum(labels.get(key, grade) != grade for key, grade in made.qrels.items())
    assert f"{n_other} loaded judgements have another grade" in report.remarks[0]
    found = query_frame(
        warehouse,
        """
        select run_id, measure, truth_low, truth_high, unknown_weight
        from experiments.fct_later_estimates
        where estimator = 'unadjusted' and measure in ('P@10', 'RBP(p=0.8)@10', 'AP', 'nDCG@10')
        """,
    )
    assert found.height == 4 * len(made.rankings)
    for run, measure, low, high, unknown in found.rows():
        assert low == pytest.approx(made.mean_score(measure, run, made.qrels | labels))
        is_sum = measure.startswith(("P", "RBP"))
        assert high == pytest.approx(low + unknown if is_sum else low)
