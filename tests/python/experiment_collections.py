"""Invent collections for experiments: small, random and awkward ones, and a fully judged one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from collection_files import write_files
from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe, simulate
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from reference import Collection, Description, RunLine, ranked

HOSTILE_NAME = 'it\'s; drop "x" -- %s $1'

N_MANUAL = 13  # two more than can be the unpooled run
N_AUTOMATIC = 9
NO_ANSWERS = "auto-none"  # one more automatic run, which answers no judged topic
N_JUDGED_TOPICS = 9
N_DOCUMENTS = 40

# Few grades, so that documents tie in relevance. One document in four has no line in the qrels, and
# -1 means pooled but not judged.
GRADES = (-1, 0, 0, 0, 1, 1, 2)

# One organization finds documents by their meaning. The others look for key words, and miss them.
ODD_ONE_OUT = CollectionRecipe(
    name="odd-one-out",
    title="One organization finds what the others do not look for",
    document_prefix="OO",
    first_topic=301,
    pool_depth=10,
    n_topics=24,
    n_documents=400,
    run_depth=20,
    relevant=40,
    keyword_share=0.5,
    organizations=(
        *(
            OrganizationRecipe(name, 2, noise=noise)
            for name, noise in {"crane": 0.6, "egret": 0.5, "finch": 0.9, "wren": 0.7}.items()
        ),
        OrganizationRecipe("owl", 3, keywords=0.25, meaning=1.0, noise=0.5, run_type="manual"),
    ),
)


def write_experiment_collections(folder: Path) -> Iterator[LoadRequest]:
    """Write all collections, and yield requests to load them."""
    collections = (
        random_collection("random", 1),
        random_collection(HOSTILE_NAME, 2),
        few_runs("two-runs", ("a", "b")),
        few_runs("three-runs", ("a", "b", "c"), topics="123"),
        few_runs("all-manual", ("a", "b", "c"), run_type="manual"),
    )
    for number, collection in enumerate(collections):
        yield write_files(collection, folder / f"collection{number}")
    yield simulated(folder)


def simulated(folder: Path) -> LoadRequest:
    """Simulate a collection whose qrels judge every document."""
    [collection] = simulate(folder, 1, [ODD_ONE_OUT])
    return LoadRequest(
        ODD_ONE_OUT.name,
        run_files([collection.runs]),
        collection.truth,
        descriptions=collection.descriptions,
        depth=ODD_ONE_OUT.pool_depth,
    )


def few_runs(name: str, runs: tuple[str, ...], run_type: str = "", topics: str = "1") -> Collection:
    """Return a collection with so few runs that samples have little choice."""
    return _on_a_page(name, {run: dict.fromkeys(topics, "d1 d2") for run in runs}, run_type)


def _on_a_page(name: str, runs: dict[str, dict[str, str]], run_type: str = "") -> Collection:
    """Make runs from lists of documents: d1, d3 and d4 are relevant, d5 is not in the qrels."""
    topics = sorted({topic for answers in runs.values() for topic in answers})
    return Collection(
        name,
        ranked(runs),
        [
            (topic, document, grade)
            for topic in topics
            for document, grade in {"d1": 1, "d2": 0, "d3": 1, "d4": 1}.items()
        ],
        {run: Description(run, run_type=run_type) for run in runs},
        pool_depth=2,
    )


def random_collection(name: str, seed: int) -> Collection:
    """Draw runs of both types, with ties, repeated documents and topics that they do not answer."""
    draw = Random(seed)  # noqa: S311 - nothing is secret
    topics = [f"T{number}" for number in range(N_JUDGED_TOPICS + 1)]  # the last is only in runs
    grades = {
        (topic, _document(number)): draw.choice(GRADES)
        for topic in topics[:-1]
        for number in range(N_DOCUMENTS)
    }
    types = {f"man|{n}": "manual" for n in range(N_MANUAL)}
    types |= {f"auto-{n}.x": "automatic" for n in range(N_AUTOMATIC)}
    types |= {"plain": "", NO_ANSWERS: "automatic"}
    runs = {run: list(_lines(draw, topics, grades)) for run in types}
    # This run answers only the topic that nobody judged.
    runs[NO_ANSWERS] = [RunLine(topics[-1], _document(1), 1, 1.0)]
    return Collection(
        name,
        runs,
        [(*pair, grade) for pair, grade in grades.items() if draw.random() < 0.75],
        {run: Description("everybody", run_type=run_type) for run, run_type in types.items()},
        pool_depth=5,
        threshold=1,
    )


def _lines(
    draw: Random, topics: list[str], grades: dict[tuple[str, str], int]
) -> Iterator[RunLine]:
    for topic in topics:
        if draw.random() < 0.12:
            continue  # not answered
        documents = draw.choices(range(N_DOCUMENTS), k=draw.choice((2, 15, 30)))  # some repeated
        for rank, number in enumerate(documents, start=1):
            liked = grades.get((topic, _document(number)), 0) + 3 * draw.random()
            # Rounding leaves few scores and many ties. The bytes of document ids decide ties.
            yield RunLine(topic, _document(number), rank, round(liked * 2) / 2)


def _document(number: int) -> str:
    # Capitals come before small letters, and "d10" before "d9".
    return f"{'D' if number % 3 else 'd'}{number}"
