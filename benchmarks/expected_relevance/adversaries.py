"""Score runs that are made to mislead expected relevance, where the relevance of all is known.

The runs belong to a new organization. Some return documents that no pooled run returns at any
depth. Such documents have no support, and the estimate follows the precision of the run where
others judged it. So it must fail where a precise run returns worthless documents that nobody else
has, or the other way round.

    uv run python benchmarks/expected_relevance/adversaries.py

`docs/expected_relevance.md` has the table.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import polars as pl

from poolhouse.building.build import build
from poolhouse.demo.running import as_pooled
from poolhouse.demo.simulator import RECIPES, SimulatedCollection, simulate
from poolhouse.errors import PoolhouseError
from poolhouse.estimating.adjusting import adjust
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse

SEED = 2026
CUTOFF = 10
BEST_RUNS = {"deep-pool": "birch1", "odd-one-out": "egret1"}


@dataclass
class Topic:
    """The documents of a topic: the best run's, and what nobody returns, by relevance."""

    best: list[str] = field(default_factory=list)
    everything: list[str] = field(default_factory=list)
    unseen: dict[bool, list[str]] = field(default_factory=lambda: {True: [], False: []})
    relevant: set[str] = field(default_factory=set)


def topics_of(collection: SimulatedCollection) -> dict[str, Topic]:
    """Read what every run returns, and the relevance of every document."""
    names = ["topic", "Q0", "doc", "rank", "score", "run"]
    runs = pl.concat(
        pl.read_csv(path, has_header=False, separator=" ", new_columns=names, infer_schema=False)
        for path in sorted(collection.runs.glob("*.gz"))
    )
    truth = pl.read_csv(
        collection.truth,
        has_header=False,
        separator=" ",
        new_columns=["topic", "Q0", "doc", "grade"],
        infer_schema=False,
    )
    seen = set(runs.select("topic", "doc").unique().iter_rows())
    topics: dict[str, Topic] = {}
    for topic, document, grade in truth.select("topic", "doc", "grade").iter_rows():
        of_one = topics.setdefault(topic, Topic())
        of_one.everything.append(document)
        if grade != "0":
            of_one.relevant.add(document)
        if (topic, document) not in seen:
            of_one.unseen[grade != "0"].append(document)
    best = runs.filter(run=BEST_RUNS[collection.name])
    for topic, document in best.select("topic", "doc").iter_rows():
        topics[topic].best.append(document)
    return topics


def alternating(first: list[str], second: list[str]) -> list[str]:
    """Return the documents of two lists in turn, as long as both have some."""
    return [document for pair in zip(first, second, strict=False) for document in pair]


RUNS: dict[str, Callable[[Topic, Random], list[str]]] = {
    "the best pooled run again": lambda topic, _: topic.best,
    "documents at random": lambda topic, random: random.sample(topic.everything, CUTOFF),
    "unseen documents, none relevant": lambda topic, _: topic.unseen[False],
    "unseen documents, relevant ones first": lambda topic, _: (
        topic.unseen[True] + topic.unseen[False]
    ),
    "every second document unseen, not relevant": lambda topic, _: alternating(
        topic.best, topic.unseen[False]
    ),
    "every second document unseen, relevant ones first": lambda topic, _: alternating(
        topic.best, topic.unseen[True] + topic.unseen[False]
    ),
}


def lines_of(
    collection: SimulatedCollection, warehouse: Warehouse
) -> Iterator[tuple[str | float, ...]]:
    """Yield one line for each run: what is estimated for it, and its true score."""
    topics = topics_of(collection)
    random = Random(SEED)  # noqa: S311
    for name, make in RUNS.items():
        ranked = {topic: make(of_one, random)[:CUTOFF] for topic, of_one in topics.items()}
        true_score = sum(
            document in topics[topic].relevant
            for topic, ranking in ranked.items()
            for document in ranking
        ) / (CUTOFF * len(topics))
        run = pl.DataFrame(
            [
                {"query": topic, "docno": document, "score": float(-rank)}
                for topic, ranking in ranked.items()
                for rank, document in enumerate(ranking)
            ]
        )
        scores = adjust(warehouse, collection.name, run).scores.filter(
            measure=f"P@{CUTOFF}", unjudged="nonrelevant"
        )
        rows = {row["estimator"]: row for row in scores.iter_rows(named=True)}
        expected, plain = rows["expected_relevance"], rows["unadjusted"]
        yield (
            collection.name,
            name,
            plain["n_unjudged"] / plain["n_top_documents"],
            plain["unadjusted_score"],
            rows["webber_park_systems"]["clipped_score"],
            expected["clipped_score"],
            max(expected["t_95_low"], expected["lower_bound"]),
            min(expected["t_95_high"], expected["upper_bound_if_pooled"]),
            true_score,
            expected["advice"],
        )


def main() -> None:
    """Print a line for each run, in Markdown."""
    sys.stdout.write(
        "| collection | run | unjudged | unadjusted | Webber & Park | expected | 95 % | true | "
        "advice |\n|" + " --- |" * 9 + "\n"
    )
    with TemporaryDirectory() as folder:
        recipes = [each for each in RECIPES if each.name in BEST_RUNS]
        warehouse = Warehouse(Path(folder) / "adversaries.duckdb")
        for collection in (made := simulate(Path(folder), SEED, recipes)):
            load_collection(warehouse, as_pooled(collection))
        if failed := build(warehouse).failed:
            raise PoolhouseError("; ".join(failed))
        for collection in made:
            for name, run, share, plain, park, own, low, high, true, advice in lines_of(
                collection, warehouse
            ):
                sys.stdout.write(
                    f"| {name} | {run} | {share:.0%} | {plain:.3f} | {park:.3f} | {own:.3f} | "
                    f"{low:.3f} to {high:.3f} | {true:.3f} | {advice} |\n"
                )


if __name__ == "__main__":
    main()
