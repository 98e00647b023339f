"""Test scores that are estimated from a sample of the pool, and the designs that draw samples."""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import NormalDist

import duckdb
import numpy as np
import polars as pl
import pytest

from built_collections import few_and_many
from macro_units import Macro, Table, made
from measures_reference import Judged, inferred_average_precision
from page import RUNS
from poolhouse.errors import PoolhouseError
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling import sampling
from poolhouse.pooling.lists import Floats
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import registered, rows_of
from samples_reference import CUTOFF, Drawn, Frame, Sample

Design = Callable[[pl.DataFrame, sampling.Budget, int], pl.DataFrame]
DESIGNS: dict[str, Design] = {
    "uniform": sampling.uniform,
    "stratified": sampling.stratified,
    "proportional": sampling.proportional,
}
every_design = pytest.mark.parametrize("design", DESIGNS)

COLUMNS = (
    "topic_id varchar, doc_id varchar, stratum integer, n_documents integer, "
    "inclusion_probability double, joint_probability double, between_factor double, "
    "is_sampled boolean"
)


class FrameTable(Table):
    """A table with the rows of a frame, of which there may be a million."""

    def __init__(self, columns: str, frame: pl.DataFrame) -> None:
        super().__init__(columns)
        self.frame = frame

    def put_into(self, connection: duckdb.DuckDBPyConnection, relation: str) -> None:
        with registered(connection, "given", self.frame):
            connection.execute(f"insert into {relation} by name from given")


# ------------------------------------------------------------------------------- random collections


@dataclass(frozen=True)
class Topics:
    """A collection of one key: rankings by run and topic, and grades by topic."""

    rankings: dict[str, dict[str, list[str]]]
    grades: dict[str, dict[str, int]]
    level: int

    @property
    def topics(self) -> list[str]:
        """The ids of the topics."""
        return list(self.grades)

    @property
    def documents(self) -> list[str]:
        """The ids of the documents of all topics."""
        return sorted({each for grades in self.grades.values() for each in grades})

    def frame(self) -> pl.DataFrame:
        """Return every graded document, with ranks and weights of the runs."""
        rows = []
        for topic, grades in self.grades.items():
            lists = [of_run[topic] for of_run in self.rankings.values() if topic in of_run]
            for document in grades:
                ranks = [each.index(document) + 1 for each in lists if document in each]
                weight = math.fsum(1 / rank for rank in ranks) + 0.01
                rows.append((topic, document, min(ranks, default=150), weight))
        return pl.DataFrame(
            rows, schema=["topic_id", "doc_id", "best_rank", "weight"], orient="row"
        )

    def given(self, unanswered: Container[tuple[str, str]] = ()) -> dict[str, Table]:
        """Return the relations that the macros read; nobody judged these documents of topics."""
        topics = {topic: key for key, topic in enumerate(self.topics, start=1)}
        documents = {document: key for key, document in enumerate(self.documents, start=1)}
        runs = {run: key for key, run in enumerate(self.rankings, start=1)}
        judged = (
            (topics[topic], documents[document], grade, True, grade >= self.level)
            for topic, grades in self.grades.items()
            for document, grade in grades.items()
            if (topic, document) not in unanswered
        )
        ranked = (
            (runs[run], topics[topic], documents.get(document, 0), rank)
            for run, by_topic in self.rankings.items()
            for topic, ranking in by_topic.items()
            for rank, document in enumerate(ranking, start=1)
        )
        return {
            "int_collections": Table("collection_key, collection_id, is_judged", (1, "ours", True)),
            "int_topics": of_ours("topic_id, topic_key", topics.items()),
            "int_documents": of_ours("doc_id, doc_key", documents.items()),
            "int_runs": of_ours("run_id, run_key", runs.items()),
            "int_judgements": of_ours("topic_key, doc_key, grade, is_judged, is_relevant", judged),
            "int_rankings": of_ours("run_key, topic_key, doc_key, rank", ranked),
        }


def of_ours(columns: str, rows: Iterable[tuple[object, ...]]) -> FrameTable:
    """Return rows of the collection `ours`."""
    frame = pl.DataFrame(list(rows), schema=columns.split(", "), orient="row")
    return FrameTable(f"{columns}, collection_key", frame.with_columns(collection_key=1))


def random_topics(number: int) -> Topics:
    """Draw topics with many and few documents, of which some have nothing relevant."""
    dice = random.Random(number)  # noqa: S311 - of test cases
    grades = {}
    for topic in ("one", "two", "none"):
        documents = [f"D{each}" for each in range(dice.randint(20, 60))]
        choices = (0,) if topic == "none" else (0, 0, 0, 1, 1, 2)
        grades[topic] = {each: dice.choice(choices) for each in documents}
    rankings = {}
    for run in "abc":
        rankings[run] = {
            # Documents of no grade are outside the pool.
            topic: dice.sample([*of_topic, *(f"E{n}" for n in range(9))], dice.randint(1, 29))
            for topic, of_topic in grades.items()
            if run != "c" or topic != "two"
        }
    return Topics(rankings, grades, level=dice.choice((1, 2)))


def table_of(design: pl.DataFrame) -> Table:
    return FrameTable(COLUMNS, design)


def frames_of(design: pl.DataFrame, topics: Topics) -> dict[str, Frame]:
    """Return the rows of a design as the reference reads them, by topic."""
    frames: defaultdict[str, dict[str, Drawn]] = defaultdict(dict)
    for topic, document, stratum, n, single, joint, between, is_sampled in design.rows():
        grade = topics.grades[topic][document] if is_sampled else None
        drawn = Drawn(stratum, n, single, joint, between, grade)
        frames[topic][document] = drawn
    return dict(frames)


# (run, topic, measure, estimator): score and variance, which is None where there is none.
Expected = dict[tuple[str, ...], tuple[float, float | None]]


def expected_scores(design: pl.DataFrame, topics: Topics) -> Expected:
    frames = frames_of(design, topics)
    is_single = all(drawn.stratum == 1 for frame in frames.values() for drawn in frame.values())
    sampled = design.group_by("topic_id", "stratum").agg(pl.col("is_sampled").sum())
    expected: Expected = {}
    inferred: dict[str, float]
    for run, by_topic in topics.rankings.items():
        for topic, ranking in by_topic.items():
            if topic not in frames:
                continue
            sample = Sample(ranking, frames[topic], topics.level)
            if is_single:  # infAP is that of the house, where what is not sampled has no judgement
                grades = {
                    document: -1 if drawn.grade is None else drawn.grade
                    for document, drawn in frames[topic].items()
                }
                judged = Judged(ranking, grades, topics.level)
                inferred = {"infAP": inferred_average_precision(judged)}
            elif (sampled["is_sampled"] > 0).all():
                inferred = {"xinfAP": sample.inferred()}
            else:
                inferred = {}
            weighted = sample.average_precision()
            for named, (score, variance) in {
                **{("AP", name): (score, weighted[1]) for name, score in inferred.items()},
                ("AP", "statAP"): weighted,
                (f"P@{CUTOFF}", "statAP"): sample.precision(),
                ("NumRel", "statAP"): sample.number_of_relevant(),
                ("nDCG", "statAP"): sample.discounted_gain(),
            }.items():
                expected[run, topic, *named] = (score, variance if sample.relevant else None)
    return expected


@pytest.fixture(scope="module", params=few_and_many(2, 12))
def collections(request: pytest.FixtureRequest) -> list[Topics]:
    return [random_topics(number) for number in range(request.param)]


@every_design
def test_scores_equal_reference(collections: list[Topics], design: str) -> None:
    for number, topics in enumerate(collections):
        # The last one is a sample of every document.
        n = 1000 if topics is collections[-1] else 8 + 2 * number
        drawn = DESIGNS[design](topics.frame(), n, number)
        expected = expected_scores(drawn, topics)
        with made("sample_topic_scores", topics.given()) as macro:
            columns = "run_id, topic_id, measure, estimator, score, standard_error"
            found = {
                tuple(key): (score, error)
                for *key, score, error in macro("ours", table_of(drawn), select=columns)
            }
        assert found.keys() == expected.keys()
        for key, (score, variance) in expected.items():
            assert found[key][0] == pytest.approx(score, abs=1e-8), key
            if variance is None:
                assert found[key][1] is None, key
            else:
                # The reference has the slope of the ideal from a step.
                assert variance > -1e-12, key
                error = math.sqrt(max(variance, 0))
                assert found[key][1] == pytest.approx(error, abs=1e-5), key


@every_design
def test_an_answered_part_is_a_smaller_sample(design: str) -> None:
    """Of topic `one` two thirds are answered, of topic `two` one document, and of `none` all."""
    topics = random_topics(5)
    drawn = DESIGNS[design](topics.frame(), 18, 5)
    sampled = drawn.filter("is_sampled").select("topic_id", "doc_id").rows()
    ones = [each for each in sampled if each[0] == "one"]
    twos = [each for each in sampled if each[0] == "two"]
    unanswered = {*ones[::3], *twos[1:]}
    pairs = pl.concat_list("topic_id", "doc_id")
    answered = drawn.with_columns(
        is_sampled=pl.col("is_sampled") & ~pairs.is_in([list(each) for each in unanswered])
    )
    expected = expected_scores(of_fewer(answered.filter(pl.col("topic_id") != "two")), topics)
    with made("sample_topic_scores", topics.given(unanswered)) as macro:
        columns = "run_id, topic_id, measure, estimator, score, coalesce(standard_error, 0)"
        found = {tuple(row[:4]): row[4:] for row in macro("ours", table_of(drawn), select=columns)}
    assert found.keys() == expected.keys()
    for key, (score, variance) in expected.items():
        error = math.sqrt(max(variance or 0, 0))
        assert found[key] == pytest.approx((score, error), abs=1e-5), key


def of_fewer(drawn: pl.DataFrame) -> pl.DataFrame:
    """Return the design with the probabilities of a sample of as many as `is_sampled` has."""
    m, n = pl.col("inclusion_probability").sum(), pl.col("is_sampled").sum()
    size, both = pl.len(), (pl.len() - 1) * pl.len()
    if (drawn["between_factor"] == 1).all():
        return drawn.with_columns(
            inclusion_probability=(n / size).over("topic_id", "stratum"),
            joint_probability=pl.when(both == 0)
            .then(1.0)
            .otherwise(n * (n - 1) / both)
            .over("topic_id", "stratum"),
        )
    share = m.over("topic_id", "stratum") / m.over("topic_id")  # of a bucket in the weight
    n, size, both = n.over("topic_id"), *(x.over("topic_id", "stratum") for x in (size, both))
    return drawn.with_columns(
        inclusion_probability=n * share / size,
        joint_probability=n * (n - 1) * share**2 / both,
        between_factor=(n - 1) / n,
    )


def test_scores_over_topics() -> None:
    topics = random_topics(3)
    drawn = table_of(sampling.stratified(topics.frame(), 12, 3))
    with made("sample_topic_scores", topics.given()) as of_topics:
        key = "run_id, measure, estimator"
        rows = of_topics("ours", drawn, select=f"{key}, score, standard_error, n_answered")
    with made("sample_run_scores", topics.given()) as of_runs:
        found = of_runs("ours", drawn, select="* exclude (collection_id, n_relevant_sampled)")
    assert len(found) == 3 * 5
    for *named, score, error, n_topics, n_answered in found:
        mine = [row[3:] for row in rows if list(row[:3]) == named]
        divisor = 1 if named[1] == "NumRel" else len(mine)
        assert n_topics == len(mine) == (2 if named[0] == "c" else 3)
        assert n_answered == sum(each[2] for each in mine) == 12 * len(mine)
        assert score == pytest.approx(sum(each[0] for each in mine) / divisor, abs=1e-8)
        root = math.sqrt(sum((each[1] or 0) ** 2 for each in mine))
        assert error == pytest.approx(root / divisor, abs=1e-8)


@pytest.mark.heavy
def test_a_whole_sample_in_a_file(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path
) -> None:
    """A built warehouse has the macros, and a design that has every document gives the scores."""
    judged = """
        select topic_id, doc_id, 1 as best_rank
        from fct_judgements
        where collection_id = 'page' and is_judged
    """
    file = tmp_path / "design.csv"
    with duckdb.connect(built_once[0], read_only=True) as connection:
        sampling.uniform(rows_of(connection, judged), 100, 1).write_csv(file)
        for measure in ("AP", "P@10", "nDCG"):
            compared = connection.sql(
                f"""
                select whole.score, sampled.score
                from run_scores('page', '{measure}') as whole
                inner join planning.sample_run_scores('page', '{file}') as sampled
                using (run_id, measure)
                where sampled.estimator = 'statAP'
                """
            ).fetchall()
            assert len(compared) == len(RUNS)
            assert [each[1] for each in compared] == pytest.approx([each[0] for each in compared])


# ---------------------------------------------------------------------------------- what is refused


@pytest.fixture(scope="module")
def scoring() -> Iterator[tuple[Macro, pl.DataFrame]]:
    """Provide scores of a collection where one document of topic `two` is judged."""
    topics = random_topics(1)
    drawn = sampling.uniform(topics.frame(), 1000, 1, depth=1000)
    with made(
        "sample_topic_scores",
        topics.given({("two", each) for each in topics.grades["two"]} - {("two", "D3")}),
    ) as macro:
        yield macro, drawn


def changed(**columns: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda drawn: drawn.with_columns(**columns)


PROBABILITY = pl.col("inclusion_probability")
WRONG: tuple[tuple[Callable[[pl.DataFrame], pl.DataFrame], str, str], ...] = (
    (changed(joint_probability=PROBABILITY * 0), "ours", "a probability that"),
    (changed(between_factor=PROBABILITY * 2), "ours", "a probability that"),
    (changed(inclusion_probability=PROBABILITY * 1e-308), "ours", "a probability that"),
    (changed(is_sampled=pl.lit(None, pl.Boolean)), "ours", "or a gap"),
    (changed(n_documents=pl.col("n_documents") + 1), "ours", "lacks documents of a stratum"),
    (changed(doc_id=pl.lit("D0")), "ours", "'D0' twice in a topic"),
    (changed(), "theirs", "built with the name theirs"),
    (pl.DataFrame.clear, "ours", "the design has no document"),
    (
        lambda drawn: drawn.filter(pl.col("topic_id") == "two"),
        *("ours", "no topic can be scored, .* and 1 of [0-9]+ sampled documents are judged"),
    ),
)


def test_wrong_designs_and_collections(scoring: tuple[Macro, pl.DataFrame]) -> None:
    macro, drawn = scoring
    for change, collection, message in WRONG:
        with pytest.raises(duckdb.InvalidInputException, match=message):
            macro(collection, table_of(change(drawn)))
    assert macro("ours", table_of(drawn), select="distinct topic_id") == [("none",), ("one",)]


# ------------------------------------------------------------------------------------------ designs


def random_frame(n: int, topics: Sequence[str] = ("t",)) -> pl.DataFrame:
    """Return n documents for each topic, the same in all of them."""
    generator = np.random.default_rng(n)
    documents = pl.DataFrame(
        {
            "doc_id": [f"D{each:03}" for each in range(n)],
            "best_rank": generator.integers(1, 130, n),
            "weight": generator.exponential(size=n) + 0.01,
        }
    )
    return pl.DataFrame({"topic_id": topics}).join(documents, how="cross")


@every_design
def test_a_sample_is_drawn_again_alike(design: str) -> None:
    frame = random_frame(90, ("s", "t"))
    drawn = DESIGNS[design](frame, {"s": 20, "t": 30}, 7)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=1)
    assert DESIGNS[design](shuffled, {"s": 20, "t": 30}, 7).equals(drawn)
    alone = DESIGNS[design](frame.filter(pl.col("topic_id") == "t"), 30, 7)
    assert alone.equals(drawn.filter(pl.col("topic_id") == "t"))
    assert not DESIGNS[design](frame, {"s": 20, "t": 30}, 8).equals(drawn)
    numbers = drawn.group_by("topic_id").agg(pl.col("is_sampled").sum()).sort("topic_id").rows()
    assert numbers == [("s", 20), ("t", 30)]


@every_design
def test_so_many_documents_are_all(design: str) -> None:
    frame = random_frame(30).filter(pl.col("best_rank") <= sampling.POOL_DEPTH)
    drawn = DESIGNS[design](frame, 500, 1)
    assert drawn["is_sampled"].all()
    ones = ("inclusion_probability", "joint_probability", "between_factor")
    assert all((drawn[each] == 1).all() for each in ones)


@every_design
def test_samples_that_are_too_small(design: str) -> None:
    with pytest.raises(PoolhouseError, match="topic 't' has 1 to judge, and its sample needs"):
        DESIGNS[design](random_frame(30), 1, 1)
    with pytest.raises(PoolhouseError, match="topic 't' has no number of documents"):
        DESIGNS[design](random_frame(30), {"s": 9}, 1)
    with pytest.raises(PoolhouseError, match="no document to sample"):
        DESIGNS[design](random_frame(0), 9, 1)


def test_weights_must_be_above_0() -> None:
    with pytest.raises(PoolhouseError, match="not above 0"):
        sampling.proportional(random_frame(9).with_columns(weight=0.0), 3, 1)


@pytest.mark.parametrize(
    ("sizes", "n", "expected"),
    [
        ((10, 20, 70, 50), 40, (10, 10, 10, 10)),
        ((10, 20, 70, 50), 15, (7, 3, 3, 2)),  # half of the budget goes to the top
        ((10, 20, 70, 50), 8, (2, 2, 2, 2)),
        ((10, 3, 70, 0), 40, (10, 3, 27, 0)),
        ((30, 3, 1, 1), 32, (27, 3, 1, 1)),  # what the deeper strata leave goes to the top
    ],
)
def test_documents_of_each_stratum(
    sizes: tuple[int, ...], n: int, expected: tuple[int, ...]
) -> None:
    ranks = [rank for rank, size in zip((1, 11, 31, 101), sizes, strict=True) for _ in range(size)]
    frame = pl.DataFrame(
        {
            "topic_id": "t",
            "doc_id": [f"D{each:03}" for each in range(len(ranks))],
            "best_rank": ranks,
        }
    )
    drawn = sampling.stratified(frame, n, 1)
    strata = drawn.group_by("stratum").agg(pl.col("is_sampled").sum(), pl.len()).rows()
    found = {stratum: (number, size) for stratum, number, size in strata}
    assert found == {
        stratum: (number, size)
        for stratum, (number, size) in enumerate(zip(expected, sizes, strict=True), start=1)
        if size
    }


def test_sampling_frame() -> None:
    """Run a ranks D1, D2, D3 and run b D2, D4; c is not pooled."""
    lists = {"a": "123", "b": "24", "c": "5"}
    given = {
        "int_collections": Table("collection_key, collection_id, is_judged", (1, "ours", False)),
        "int_runs": Table(
            "collection_key, run_key, run_id", *((1, key, run) for key, run in enumerate(lists))
        ),
        "int_pooled_states": Table(
            "collection_key, run_key, is_pooled", (1, 0, True), (1, 1, True), (1, 2, False)
        ),
        "int_topics": Table("collection_key, topic_key, topic_id", (1, 1, "t")),
        "int_documents": Table(
            "collection_key, doc_key, doc_id", *((1, n, f"D{n}") for n in range(1, 6))
        ),
        "int_rankings": Table(
            "collection_key, run_key, topic_key, doc_key, pooling_rank",
            *(
                (1, run, 1, int(document), rank)
                for run, documents in enumerate(lists.values())
                for rank, document in enumerate(documents, start=1)
            ),
        ),
    }
    three = [(1 + 1 + 1 / 2 + 1 / 3) / 6, (1 + 1 / 2 + 1 / 3) / 6, (1 + 1 / 3) / 6]
    two = [(1 + 1 + 1 / 2) / 4, (1 + 1 / 2) / 4]
    assert sum(three) == pytest.approx(1)
    with made("sampling_frame", given) as macro:
        whole, top = macro("ours"), macro("ours", pool_depth=1)
    assert [row[:3] for row in whole] == [
        *(("t", "D1", 1), ("t", "D2", 1), ("t", "D3", 3), ("t", "D4", 2))
    ]
    weights = [three[0], three[1] + two[0], three[2], two[1]]
    assert [row[3] for row in whole] == pytest.approx(weights, abs=1e-8)
    # The weight of a list of one document is 1.
    assert top == [("t", "D1", 1, 1.0), ("t", "D2", 1, 1.0)]


# -------------------------------------------------------------------------------------- simulations


N_SAMPLES = 4000
# Of so many frequencies, one in 16,000 is this many standard errors off.
FAR = 4.5


@pytest.mark.heavy
@every_design
def test_frequencies_are_the_probabilities(design: str) -> None:
    """Many topics with the same documents have as many samples."""
    documents = random_frame(17, [str(n) for n in range(N_SAMPLES)])
    if design == "uniform":
        documents = documents.with_columns(best_rank=1)
    drawn = DESIGNS[design](documents, 8, 1)
    one = drawn.filter(pl.col("topic_id") == "0")
    strata, single, joint = (
        one[name].to_numpy() for name in ("stratum", "inclusion_probability", "joint_probability")
    )
    assert len(set(strata)) > (design != "uniform")
    is_drawn = drawn["is_sampled"].to_numpy().reshape(N_SAMPLES, -1)
    for a, b in combinations(range(one.height), 2):
        if strata[a] == strata[b]:
            expected = joint[a]
        else:
            expected = one["between_factor"][0] * single[a] * single[b]
        assert is_near(np.mean(is_drawn[:, a] & is_drawn[:, b]), expected)
    for a in range(one.height):
        assert is_near(np.mean(is_drawn[:, a]), single[a])


def is_near(frequency: float, probability: float) -> bool:
    error = math.sqrt(probability * (1 - probability) / N_SAMPLES)
    return abs(frequency - probability) <= FAR * error + 1e-12


N_COPIES = 1000
# A mean over topics is of so many of the copies.
N_TOPICS = 10


@pytest.mark.heavy
@every_design
def test_estimates_are_unbiased(design: str, say: Callable[[str], None]) -> None:
    """A thousand topics with the same rankings and judgements have a sample each."""
    topics = copies_of(simulated(), N_COPIES)
    drawn = DESIGNS[design](topics.frame(), 40, 2026)
    with made("sample_topic_scores", topics.given()) as macro:
        columns = "run_id, measure, estimator, topic_id, score, standard_error"
        rows = macro("ours", table_of(drawn), select=columns)
    in_frame = set(drawn["doc_id"])
    grades = {each: grade for each, grade in topics.grades["0"].items() if each in in_frame}
    whole = {each: Drawn(1, len(grades), 1.0, 1.0, 1.0, grade) for each, grade in grades.items()}
    figures = []
    for run, by_topic in topics.rankings.items():
        truth = Sample(by_topic["0"], whole, topics.level)
        for measure, (true, _) in {
            "AP": truth.average_precision(),
            f"P@{CUTOFF}": truth.precision(),
            "NumRel": truth.number_of_relevant(),
        }.items():
            mine = [row[4:] for row in rows if row[:3] == (run, measure, "statAP")]
            # A topic in which nothing relevant was sampled has no standard error.
            found = np.array([(score, error or 0) for score, error in mine])
            assert found.shape == (N_COPIES, 2)
            scores, errors = found.T
            bias, spread = scores.mean() - true, scores.std(ddof=1)
            if measure != "AP":
                assert abs(bias) <= 4 * spread / math.sqrt(N_COPIES) + 1e-9
                assert (errors**2).mean() == pytest.approx(spread**2, rel=0.25)
                continue
            # AP is a ratio, whose variance is that of its linearization.
            means = scores.reshape(-1, N_TOPICS).mean(axis=1)
            errors_of_means = np.sqrt((errors**2).reshape(-1, N_TOPICS).sum(axis=1)) / N_TOPICS
            covered = covering(scores, errors, true), covering(means, errors_of_means, true)
            figures.append(f"{run} {bias:+.4f} {covered[0]:.3f} {covered[1]:.3f}")
            assert abs(bias) < spread / 4
            assert 0.6 < covered[0] < 0.99
            # The bias of a ratio does not become smaller in a mean over topics.
            assert covered[1] > 0.75
    say(f"bias, coverage, of means: {', '.join(figures)}")


def covering(scores: Floats, errors: Floats, true: float) -> float:
    """Return the share of the intervals of 95 % confidence that have the true score."""
    return float(np.mean(np.abs(scores - true) <= NormalDist().inv_cdf(0.975) * errors))


def simulated() -> Topics:
    """Return a topic with 150 documents, 30 of them relevant, and runs that are good and bad."""
    generator = np.random.default_rng(8)
    relevance = {f"D{n:03}": int(n < 30) for n in range(150)}
    rankings = {}
    for run, noise in (("good", 0.5), ("fair", 1.0), ("poor", 3.0)):
        liked = {each: x + noise * generator.normal() for each, x in relevance.items()}
        best = sorted(liked, key=liked.__getitem__, reverse=True)
        rankings[run] = {"0": best[:100]}
    return Topics(rankings, {"0": relevance}, level=1)


def copies_of(topics: Topics, n: int) -> Topics:
    return Topics(
        {run: {str(k): lists["0"] for k in range(n)} for run, lists in topics.rankings.items()},
        {str(k): topics.grades["0"] for k in range(n)},
        topics.level,
    )
