"""Test properties of every measure: which changes of a ranking change its score, and which do not.

Random collections and variants of each are loaded beside each other and built together, and their
scores are compared. A collection's name contains its seed.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from collection_files import write_files
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from reference import Collection, Description, RunLine, scoring_order

pytestmark = pytest.mark.heavy

NUMBERS = range(2)

TOPICS = ("1", "2", "3", "4")
DOCUMENTS = [f"d{number:02}" for number in range(30)]
# None is a document that is unjudged and not in the pool.
GRADES = (None, None, None, -1, 0, 0, 0, 1, 1, 2, 3)
TOLERANCE = 1e-9
# These measures are highest where a ranking is worst. Any other measure is a share of good
# documents, or a count.
LOWER_IS_BETTER = ("AntiP", "UnjudgedRate", "RBPResidual")
# These measures depend on the length of a ranking, whatever documents it adds.
OF_ALL_RETRIEVED = ("NumRet", "SetP", "SetF", "Judged")
# These measures change with every exchange of a relevant document with a non-relevant one above it.
SEE_EVERY_RISE = ("AP", "RBP(p=0.8)", "nDCG", "ERR@20", "Q", "infAP")
PERFECT = ("AP", "AP(rel=2)", "nDCG", "nDCG@10", "Q", "Bpref", "Rprec", "RR", "IPrec@1.0", "SetR")

# Run, topic, judgement set, treatment, measure.
Key = tuple[str, str, str, str, str]
Scores = dict[Key, float]


def base_collection(number: int) -> Collection:
    """Make four runs with ties that answer most topics, and one perfect run."""
    chance = random.Random(number)  # noqa: S311 - nothing is secret
    grades = {
        topic: {
            document: grade
            for document in DOCUMENTS
            if (grade := chance.choice(GRADES)) is not None
        }
        for topic in TOPICS
    }
    runs: dict[str, list[RunLine]] = {}
    for run in ("a1", "a2", "b1", "c1"):
        runs[run] = []
        for topic in chance.sample(TOPICS, chance.randint(2, len(TOPICS))):
            ranking = chance.sample(DOCUMENTS, chance.randint(4, len(DOCUMENTS)))
            runs[run] += [
                RunLine(topic, document, rank, 100.0 - rank // 2)
                for rank, document in enumerate(ranking)
            ]
    runs["perfect"] = []
    for topic, of_topic in grades.items():
        judged = [document for document in of_topic if of_topic[document] >= 0]
        best_first = sorted(judged, key=of_topic.__getitem__, reverse=True)
        runs["perfect"] += lines(topic, best_first)
    return Collection(
        f"base-{number}",
        runs,
        qrels=[(topic, *judgement) for topic in grades for judgement in grades[topic].items()],
        descriptions={
            run: Description(run[0], is_pooled=run not in {"c1", "perfect"}) for run in runs
        },
        pool_depth=3,
    )


def lines(topic: str, ranking: list[str]) -> list[RunLine]:
    """Return the lines of a ranking without ties."""
    return [RunLine(topic, each, rank, 100.0 - rank) for rank, each in enumerate(ranking, start=1)]


# -- Variants of a collection ----------------------------------------------------------------------


def with_rankings(
    collection: Collection, change: Callable[[list[str], dict[str, int]], list[str]]
) -> Collection:
    """Return the collection with every ranking changed; the change gets the grades of the topic."""
    runs: dict[str, list[RunLine]] = {}
    for run, all_lines in collection.runs.items():
        runs[run] = []
        for topic in dict.fromkeys(line.topic for line in all_lines):
            ranking = scoring_order(line for line in all_lines if line.topic == topic)
            grades = {document: grade for of, document, grade in collection.qrels if of == topic}
            runs[run] += lines(topic, change(ranking, grades))
    return replace(collection, runs=runs)


def shuffled(collection: Collection, chance: random.Random) -> Collection:
    """Change the order of the lines of every file, and the order in which the files are loaded."""
    return replace(
        collection,
        runs={run: chance.sample(of_run, len(of_run)) for run, of_run in collection.runs.items()},
        qrels=chance.sample(collection.qrels, len(collection.qrels)),
    )


def renamed(collection: Collection, _: random.Random) -> Collection:
    """Rename everything; documents stay in the order that decides ties."""
    return replace(
        collection,
        runs={
            new_name(run): [
                replace(line, topic=new_name(line.topic), document=new_name(line.document))
                for line in of_run
            ]
            for run, of_run in collection.runs.items()
        },
        qrels=[(new_name(topic), new_name(each), grade) for topic, each, grade in collection.qrels],
        descriptions={new_name(run): each for run, each in collection.descriptions.items()},
    )


def new_name(name: str) -> str:
    return f"New.{name}"


def with_equals_exchanged(collection: Collection, _: random.Random) -> Collection:
    """Exchange neighbours that are judged equally."""

    def exchange(ranking: list[str], grades: dict[str, int]) -> list[str]:
        ranking = list(ranking)
        for rank in range(len(ranking) - 1):
            if grades.get(ranking[rank]) == grades.get(ranking[rank + 1]):
                ranking[rank : rank + 2] = ranking[rank + 1], ranking[rank]
        return ranking

    return with_rankings(collection, exchange)


def lengthened(collection: Collection, chance: random.Random) -> Collection:
    """Add unjudged documents at the end."""
    return with_rankings(
        collection,
        lambda ranking, _: ranking + [f"new{each}" for each in range(chance.randint(1, 9))],
    )


def diluted(collection: Collection, chance: random.Random) -> Collection:
    """Add unjudged documents in any place."""

    def dilute(ranking: list[str], _: dict[str, int]) -> list[str]:
        ranking = list(ranking)
        for each in range(chance.randint(1, 9)):
            ranking.insert(chance.randint(0, len(ranking)), f"new{each}")
        return ranking

    return with_rankings(collection, dilute)


def improved(collection: Collection, _: random.Random) -> Collection:
    """Exchange the first relevant document that can rise with the non-relevant one above it.

    A document that is in the pool and unjudged keeps its place: infAP expects it to be relevant.
    """

    def improve(ranking: list[str], grades: dict[str, int]) -> list[str]:
        ranking = list(ranking)
        for rank in range(len(ranking) - 1):
            if grades.get(ranking[rank], 0) == 0 and grades.get(ranking[rank + 1], 0) > 0:
                ranking[rank : rank + 2] = ranking[rank + 1], ranking[rank]
                break
        return ranking

    return with_rankings(collection, improve)


VARIANTS: dict[str, Callable[[Collection, random.Random], Collection]] = {
    "shuffled": shuffled,
    "renamed": renamed,
    "exchanged": with_equals_exchanged,
    "lengthened": lengthened,
    "diluted": diluted,
    "improved": improved,
}


# -- Their scores ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Built:
    """A warehouse of random collections and their variants."""

    warehouse: Warehouse
    numbers: range

    def scores(self, variant: str) -> Scores:
        """Return the scores of one variant of all collections; run names include the collection."""
        names = [f"{variant}-{number}" for number in self.numbers]
        result = run_query(
            self.warehouse,
            f"""
            select
                replace(collection_id, '{variant}-', '') || ' ' || run_id,
                topic_id, judgement_set, unjudged, measure, score
            from fct_topic_scores
            where collection_id in {(*names, "")}
            """,
        )
        return {tuple(row[:5]): row[5] for row in result.rows}  # type: ignore[misc]


@pytest.fixture(scope="module")
def built(
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Built:
    folder = tmp_path_factory.mktemp("properties")
    warehouse = new_warehouse(folder)
    for number in NUMBERS:
        base = base_collection(number)
        made = {"base": base}
        for name, variant in VARIANTS.items():
            made[name] = variant(base, random.Random(number))  # noqa: S311 - nothing is secret
        for name, each in made.items():
            collection = replace(each, name=f"{name}-{number}")
            files = write_files(collection, folder / collection.name)
            if name == "shuffled":
                files = replace(files, runs=files.runs[::-1])
            load_collection(warehouse, files)
    build(warehouse)
    return Built(warehouse, NUMBERS)


@pytest.fixture(scope="module")
def base(built: Built) -> Scores:
    return built.scores("base")


def name_of(key: Key) -> str:
    """Return the name of the measure: the text before parameters and cutoff."""
    return key[4].partition("@")[0].partition("(")[0]


def changed(before: Scores, after: Scores) -> dict[Key, tuple[float, float]]:
    assert before
    assert before.keys() == after.keys()
    return {
        key: (score, after[key])
        for key, score in before.items()
        if abs(score - after[key]) > TOLERANCE
    }


def of_full(scores: Scores) -> Scores:
    """Leave out the judgement sets that depend on the documents in the first three places."""
    return {key: score for key, score in scores.items() if key[2] == "full"}


def test_the_order_of_lines_does_not_count(built: Built, base: Scores) -> None:
    assert changed(base, built.scores("shuffled")) == {}


def test_names_do_not_count(built: Built, base: Scores) -> None:
    after = {
        (run.replace(" New.", " "), topic.removeprefix("New."), *rest): score
        for (run, topic, *rest), score in built.scores("renamed").items()
    }
    assert changed(base, after) == {}  # type: ignore[arg-type]


def test_documents_of_equal_judgement_are_equal(built: Built, base: Scores) -> None:
    assert changed(of_full(base), of_full(built.scores("exchanged"))) == {}


def test_unjudged_documents_at_the_end_lengthen_the_ranking_alone(
    built: Built, base: Scores
) -> None:
    differences = changed(base, built.scores("lengthened"))
    assert {name_of(key) for key in differences} == set(OF_ALL_RETRIEVED)
    assert {key[3] for key in differences} == {"nonrelevant"}
    for key, (before, after) in differences.items():
        assert (after > before) == (name_of(key) == "NumRet"), key


def test_a_condensed_ranking_does_not_see_unjudged_documents(built: Built, base: Scores) -> None:
    differences = changed(of_full(base), of_full(built.scores("diluted")))
    assert {key[3] for key in differences} == {"nonrelevant"}


def test_a_relevant_document_that_rises_costs_nothing(built: Built, base: Scores) -> None:
    differences = changed(of_full(base), of_full(built.scores("improved")))
    wrong = {
        key: (before, after)
        for key, (before, after) in differences.items()
        if (after < before) != (name_of(key) in LOWER_IS_BETTER)
    }
    assert wrong == {}
    cells = {key[:2] for key in differences}
    assert cells
    for measure in SEE_EVERY_RISE:
        seen = {key[:2] for key in differences if key[3:] == ("nonrelevant", measure)}
        assert seen == cells, measure


def test_the_perfect_ranking_is_perfect(base: Scores) -> None:
    perfect = {
        key: score
        for key, score in base.items()
        if key[0].endswith(" perfect") and key[2] == "full" and key[4] in PERFECT
    }
    assert perfect
    assert {key: score for key, score in perfect.items() if abs(score - 1) > TOLERANCE} == {}
