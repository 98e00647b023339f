"""Test judgements of several authors on random collections: scores, agreement, orders of runs."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isnan
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import pytest
from attrs import evolve
from scipy.stats import kendalltau

from asking import rows
from built_collections import built_and_tested, kept_open, only_many
from collection_files import write_files, write_qrels
from judges_reference import alpha, jackknifed, rbo, score_won, tau_ap, translated, weighted_kappa
from measures_reference import score_of
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from questions import question
from random_collections import Generator
from reference import Collection, Reference, quantile_of_t

MEASURES = ("AP", "P@5", "nDCG@10", "nDCG", "Bpref", "RR", "P(rel=2)@5", "infAP", "Rprec")
# Threshold and highest grade. The first author judges every document of the qrels and some others,
# the second few, and the third on a finer scale, with a topic that nobody knows.
SCALES = {"o'brien": (1, 1), 'a "model"': (2, 3), "fine, else": (3, 5)}
MIXTURE = "reference, else o'brien"


@dataclass
class Judged:
    """A random collection with labels of several authors, by author, topic and document."""

    collection: Collection
    scales: dict[str, tuple[int, int]]
    labels: dict[str, dict[tuple[str, str], int]] = field(default_factory=dict)


def draw(number: int) -> Judged:
    generator = Generator(number)
    collection = generator.collection()
    qrels: dict[tuple[str, str], int] = {}
    for topic, document, grade in collection.qrels:
        qrels[topic, document] = max(grade, qrels.get((topic, document), -9))
    reference = (collection.threshold, max(*qrels.values(), collection.threshold))
    judged = Judged(collection, {"reference": reference, **SCALES}, {"reference": qrels})
    chance = random.Random(number)  # noqa: S311 - nothing is secret
    returned = {(line.topic, line.document) for run in collection.runs.values() for line in run}
    for (author, (_, highest)), share in zip(SCALES.items(), (1.0, 0.3, 0.8), strict=True):
        pairs = [*qrels, *chance.sample(sorted(returned), len(returned) // 3)]
        judged.labels[author] = {
            pair: chance.randint(-1 if chance.random() < 0.1 else 0, highest)
            for pair in pairs
            if chance.random() < share
        }
    judged.labels["fine, else"]["unknown topic", "D1"] = 1
    return judged


def grades_of_mixture(judged: Judged) -> dict[tuple[str, str], int]:
    """Take the judgement of the reference, and a translated one where it did not judge."""
    mixed = {
        pair: translated(grade, SCALES["o'brien"], judged.scales["reference"])
        for pair, grade in judged.labels["o'brien"].items()
        if grade >= 0
    }
    unjudged = {pair: grade for pair, grade in judged.labels["reference"].items() if grade < 0}
    known = {pair: grade for pair, grade in judged.labels["reference"].items() if grade >= 0}
    below = {pair: grade for pair, grade in judged.labels["o'brien"].items() if grade < 0}
    return {**below, **unjudged, **mixed, **known}


def load(judged: Judged, connection: Any, folder: Path) -> None:  # noqa: ANN401 - of duckdb
    """Load the collection with its authors, and one collection for every author alone."""
    request = write_files(judged.collection, folder)
    files = {
        author: write_qrels(folder / f"labels {number}", labels)
        for number, (author, labels) in enumerate(judged.labels.items())
    }
    others = tuple((author, file) for author, file in files.items() if author != "reference")
    load_into(connection, evolve(request, author_qrels=others))
    for author, (threshold, highest) in SCALES.items():
        connection.execute(
            """
            insert into raw.authors (collection_key, author, relevance_threshold, highest_grade)
            select collection_key, ?, ?, ? from raw.collections where collection_id = ?
            """,
            [author, threshold, highest, judged.collection.name],
        )
    threshold = judged.scales["reference"][0]
    alone = [(author, files[author], SCALES[author][0]) for author, _ in others]
    mixture = write_qrels(folder / "mixture", grades_of_mixture(judged))
    for author, file, level in [*alone, (MIXTURE, mixture, threshold)]:
        load_into(
            connection,
            LoadRequest(
                f"{judged.collection.name} by {author}", request.runs, file, threshold=level
            ),
        )


# Seeds whose collections have both thresholds, three scales, and one topic or many.
SEEDS = (0, 2, 3, 5, 8, 9)


@pytest.fixture(scope="module", params=only_many(SEEDS))
def drawn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[Judged], Warehouse]]:
    """Build random collections with authors, and those of every author alone."""
    folder = tmp_path_factory.mktemp("judges")
    every = [draw(number) for number in request.param]
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    with warehouse.change(), warehouse.side() as connection:
        for judged in every:
            load(judged, connection, folder / judged.collection.name)
    for opened in kept_open(built_and_tested(warehouse)):
        yield every, opened


def known_pairs(judged: Judged, one: str, other: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return both grades of what two authors judged, of topics that the collection has."""
    topics = {topic for topic, _ in judged.labels["reference"]}
    topics |= {line.topic for run in judged.collection.runs.values() for line in run}
    first, second = judged.labels[one], judged.labels[other]
    return {
        pair: (first[pair], second[pair])
        for pair in first.keys() & second.keys()
        if first[pair] >= 0 and second[pair] >= 0 and pair[0] in topics
    }


def scores(warehouse: Warehouse, macro: str, *values: object) -> dict[tuple[Any, ...], Any]:
    found = rows(warehouse, f"select run_id, topic_id, is_answered, score from {macro}", *values)
    return {tuple(key): pytest.approx(score, abs=1e-12) for *key, score in found}


@pytest.mark.parametrize("measure", MEASURES)
def test_scores_are_those_of_a_collection_with_these_qrels(
    drawn: tuple[list[Judged], Warehouse], measure: str
) -> None:
    every, warehouse = drawn
    # All collections by the first measure, and two by each other one: no formula knows the author.
    turn = MEASURES.index(measure)
    for judged in (every * 2)[turn : turn + 2] if turn else every:
        name = judged.collection.name
        by_each = rows(
            warehouse,
            "select author, run_id, topic_id, score from author_topic_scores($1, $2, null)",
            *(name, measure),
        )
        for author in (*SCALES, MIXTURE):
            alone = scores(warehouse, "topic_scores($1, $2)", f"{name} by {author}", measure)
            by_author = "topic_scores($1, $2, author := $3)"
            assert scores(warehouse, by_author, name, measure, author) == alone
            if author in SCALES:
                found = {(run, topic): score for who, run, topic, score in by_each if who == author}
                assert found == {(run, topic): score for (run, topic, _), score in alone.items()}


def test_the_reference_has_the_stored_scores(drawn: tuple[list[Judged], Warehouse]) -> None:
    every, warehouse = drawn
    for judged in every:
        name = judged.collection.name
        stored = scores(warehouse, "topic_scores($1, 'AP')", name)
        assert scores(warehouse, "author_topic_scores($1, 'AP', 'reference')", name) == stored
        ours, theirs = (
            rows(warehouse, f"select run_id, rank, n_topics, ap, bpref, ndcg_10 from {each}", name)
            for each in (
                "author_leaderboard($1, author := 'reference') order by run_id",
                "leaderboard where collection_id = $1 order by run_id",
            )
        )
        assert [each[:3] for each in ours] == [each[:3] for each in theirs]
        assert [each[3:] for each in ours] == [pytest.approx(each[3:]) for each in theirs]


@pytest.mark.parametrize(
    ("author", "problem"),
    [("O'Brien", "is named 'O'Brien'"), ("reference, else x", "named 'reference, else x'")],
)
def test_an_unknown_author_is_named(
    drawn: tuple[list[Judged], Warehouse], author: str, problem: str
) -> None:
    (judged, *_), warehouse = drawn
    with pytest.raises(PoolhouseError, match=problem):
        rows(warehouse, "from run_scores($1, 'AP', author := $2)", judged.collection.name, author)


def test_pairs_of_authors_agree_as_their_tables_say(drawn: tuple[list[Judged], Warehouse]) -> None:
    every, warehouse = drawn
    for judged in every:
        found = {
            frozenset((author, other)): figures
            for author, other, *figures in rows(
                warehouse,
                """
                select author, other_author, n_pairs, kappa, weighted_kappa, n_relevant_by_both
                from fct_author_agreement
                where collection_id = $1 and topic_id is null
                """,
                judged.collection.name,
            )
        }
        for one, other in combinations(judged.labels, 2):
            pairs = known_pairs(judged, one, other)
            scales = judged.scales[one], judged.scales[other]
            relevant = [
                tuple(int(grade >= scale[0]) for grade, scale in zip(grades, scales, strict=True))
                for grades in pairs.values()
            ]
            graded = [
                tuple(
                    translated(grade, scale, judged.scales["reference"])
                    for grade, scale in zip(grades, scales, strict=True)
                )
                for grades in pairs.values()
            ]
            assert found[frozenset((one, other))] == [
                len(pairs),
                near(weighted_kappa(relevant)),
                near(weighted_kappa(graded)),
                sum(map(all, relevant)),
            ]


def near(value: float | None) -> Any:  # noqa: ANN401 - of pytest
    return value if value is None else pytest.approx(value, abs=1e-9)


def test_alpha_is_that_of_the_coincidences(drawn: tuple[list[Judged], Warehouse]) -> None:
    every, warehouse = drawn
    for judged in every:
        units = defaultdict(list)
        for one, labels in judged.labels.items():
            threshold = judged.scales[one][0]
            for pair in known_pairs(judged, one, one):
                units[pair].append(int(labels[pair] >= threshold))
        asked = f"from {question('krippendorff_alpha')} where collection_id = $1"
        found = rows(warehouse, f"select topic_id, alpha {asked}", judged.collection.name)
        assert len(found) > 1
        for topic, value in found:
            of_topic = [unit for (each, _), unit in units.items() if topic in (None, each)]
            assert value == near(alpha(of_topic))


# By run and topic that both judged: the score by an author, and by the reference.
Compared = dict[str, list[tuple[float, float]]]


def compared(judged: Judged, author: str, measure: str) -> Compared:
    """Score the runs by both sides of the documents that both judged."""
    reference = Reference(judged.collection)
    scales = judged.scales[author], judged.scales["reference"]
    common: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for (topic, document), grades in known_pairs(judged, author, "reference").items():
        common[topic][document] = grades
    answered = {
        run
        for run, rankings in reference.rankings.items()
        for each in SCALES
        for topic, _ in known_pairs(judged, each, "reference")
        if topic in rankings
    }
    return {
        run: [
            tuple(  # type: ignore[misc]
                score_of(
                    measure,
                    reference.rankings[run].get(topic, []),
                    {document: grades[side] for document, grades in of_topic.items()},
                    scales[side][0],
                    "nonrelevant",
                    reference.highest_grade,
                )
                for side in (0, 1)
            )
            for topic, of_topic in sorted(common.items())
        ]
        for run in answered
    }


def means(scores: Compared, left_out: int | None = None) -> dict[str, tuple[float, float]]:
    """Return the mean scores of each run, without a topic, as they are compared."""
    return {
        run: (round(fmean(one), 9), round(fmean(true), 9))
        for run, pairs in scores.items()
        for one, true in [zip(*(p for n, p in enumerate(pairs) if n != left_out), strict=True)]
    }


@pytest.mark.parametrize("measure", ["AP", "P@5"])
def test_orders_of_runs_agree_as_scipy_says(
    drawn: tuple[list[Judged], Warehouse], measure: str
) -> None:
    every, warehouse = drawn
    for judged in every:
        values = (judged.collection.name, measure)
        found = rows(
            warehouse,
            """
            select author, kendall_tau, tau_ap, rbo, kendall_tau_of_best, kendall_tau_high
            from author_order_agreement($1, $2)
            where test = 'tukey'
            """,
            *values,
        )
        assert {author for author, *_ in found} == set(SCALES)
        for author, tau, tau_by_top, overlap, tau_of_best, high in found:
            scores = compared(judged, author, measure)
            scored = means(scores)
            assert tau == near(tau_b(list(scored.values())))
            assert tau_by_top == near(None if tau is None else tau_ap(scored))
            assert overlap == near(None if tau is None else rbo(scored))
            best = sorted((true for _, true in scored.values()), reverse=True)[:10][-1]
            assert tau_of_best == near(tau_b([b for b in scored.values() if b[1] >= best]))
            if judged not in every[:2]:
                continue  # as many leaderboards as topics take long
            n_topics = len(next(iter(scores.values())))
            without = [
                tau_b(list(means(scores, left_out).values()))
                for left_out in range(n_topics)
                if n_topics > 1
            ]
            known = [each for each in without if each is not None]
            if tau is None or len(known) < 2:
                assert high is None
            else:
                error = ((len(known) - 1) * pvariance(known)) ** 0.5
                quantile = quantile_of_t("95", n_topics - 1)
                assert high == pytest.approx(min(1, tau + quantile * error), abs=1e-6)


def tau_b(pairs: Sequence[tuple[float, ...]]) -> float | None:
    tau = float(kendalltau(*zip(*pairs, strict=True)).statistic)
    return None if isnan(tau) else tau


def test_favours_are_places_won_and_distances_from_the_line_of_all_runs(
    drawn: tuple[list[Judged], Warehouse],
) -> None:
    every, warehouse = drawn
    for judged in every:
        author = 'a "model"'
        favours = rows(
            warehouse,
            """
            select
                grouped_by, group_name, n_runs, places_won, score, reference_score,
                score_won, standard_error, t_95_low, t_95_high
            from author_favours($1, 'AP') where author = $2
            """,
            *(judged.collection.name, author),
        )
        by_run = compared(judged, author, "AP")
        of_runs = [row for row in favours if row[0] == "run"]
        # Each tie wins as many places as it loses.
        assert sum(row[3] for row in of_runs) == near(0)
        assert {row[1]: row[4:6] for row in of_runs} == {
            run: pytest.approx(both, abs=1e-9) for run, both in means(by_run).items()
        }
        groups = dict(
            rows(
                warehouse,
                """
                select grouped_by || group_name, list(run_id)
                from (
                    unpivot (
                        select run_id, run_id as run, organization, run_type
                        from dim_runs where collection_id = $1
                    )
                    on run, organization, run_type
                    into name grouped_by value group_name
                )
                group by all
                """,
                judged.collection.name,
            )
        )
        scores, true_scores = (
            {run: [pair[side] for pair in pairs] for run, pairs in by_run.items()}
            for side in (0, 1)
        )
        for grouped_by, name, n_runs, _, _, _, won, error, low, high in favours:
            group = [run for run in groups[grouped_by + name] if run in by_run]
            assert n_runs == len(group)
            assert won == near(score_won(scores, true_scores, group))
            of_group = (scores, true_scores, group)
            assert error == near(jackknifed(*of_group) if won is not None else None)
            # Over a single topic there is no interval.
            assert (low is None) == (error is None)
            assert low is None or low <= won <= high


def test_a_verdict_has_the_figures_of_the_questions(
    drawn: tuple[list[Judged], Warehouse],
) -> None:
    every, warehouse = drawn
    for judged in every:
        name = judged.collection.name
        found = rows(
            warehouse,
            """
            select author, n_common, kappa, kappa_high, kendall_tau, measure, verdict
            from audit_authors where collection_id = $1
            """,
            name,
        )
        assert {author for author, *_ in found} == set(SCALES)
        for author, n_common, kappa, high, tau, measure, verdict in found:
            pairs = known_pairs(judged, author, "reference")
            thresholds = [judged.scales[each][0] for each in (author, "reference")]
            relevant = {
                pair: [int(g >= t) for g, t in zip(grades, thresholds, strict=True)]
                for pair, grades in pairs.items()
            }
            assert n_common == len(pairs)
            assert kappa == near(weighted_kappa(list(relevant.values())))
            assert tau == near(tau_b(list(means(compared(judged, author, measure)).values())))
            topics = {topic for topic, _ in pairs}
            without = [
                weighted_kappa([r for (topic, _), r in relevant.items() if topic != left_out])
                for left_out in topics
                if len(topics) > 1
            ]
            known = [each for each in without if each is not None]
            if kappa is not None and len(known) > 1:
                error = ((len(known) - 1) * pvariance(known)) ** 0.5
                distance = quantile_of_t("95", len(topics) - 1) * error
                assert high == pytest.approx(min(1, kappa + distance), abs=1e-6)
            assert (verdict == "cannot be told") >= (tau is None)


@pytest.mark.heavy
def test_intervals_of_favours_hold_the_truth() -> None:
    """An author with a line of its own and errors favours one of four organizations."""
    chance = random.Random(11)  # noqa: S311 - nothing is secret
    n_topics, organizations = 20, [list(range(first, first + 3)) for first in (0, 3, 6, 9)]
    quality = [0.3 + 0.02 * run for run in range(12)]
    favour = [0.06 if run in organizations[1] else 0.0 for run in range(12)]
    truth = ({}, {})  # type: tuple[dict[str, list[float]], dict[str, list[float]]]
    for run in range(12):
        truth[0][str(run)] = [0.3 + 0.5 * quality[run] + favour[run]]
        truth[1][str(run)] = [quality[run]]
    named = [[str(run) for run in runs] for runs in organizations]
    expected = [score_won(*truth, group) for group in named]
    n_held = 0
    for _ in range(100):
        scores, true_scores = defaultdict(list), defaultdict(list)
        for _ in range(n_topics):
            hard = chance.gauss(0, 0.2)
            for runs in organizations:
                shared = chance.gauss(0, 0.1)
                for run in runs:
                    score = quality[run] + hard + shared + chance.gauss(0, 0.1)
                    true_scores[str(run)].append(score)
                    wrong = favour[run] + chance.gauss(0, 0.1)
                    scores[str(run)].append(0.3 + 0.5 * score + wrong)
        for group, value in zip(named, expected, strict=True):
            won, error = (f(scores, true_scores, group) for f in (score_won, jackknifed))
            assert won is not None
            assert error is not None
            assert value is not None
            n_held += abs(won - value) <= 2.093 * error
    assert 0.92 <= n_held / 400 <= 0.98


def test_disputed_judgements_are_contradicted_by_most(
    drawn: tuple[list[Judged], Warehouse],
) -> None:
    every, warehouse = drawn
    for judged in every:
        found = rows(
            warehouse,
            """
            select topic_id, doc_id, n_others, n_contradicting
            from fct_disputed_judgements where collection_id = $1
            """,
            judged.collection.name,
        )
        expected = []
        for pair, grade in judged.labels["reference"].items():
            relevant = grade >= judged.scales["reference"][0]
            others = [
                (judged.labels[author][pair] >= threshold) == relevant
                for author, (threshold, _) in SCALES.items()
                if grade >= 0 and judged.labels[author].get(pair, -1) >= 0
            ]
            if 2 * others.count(False) > len(others):
                expected.append((*pair, len(others), others.count(False)))
        assert sorted(found) == sorted(expected)
