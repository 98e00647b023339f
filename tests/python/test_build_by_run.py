"""Test builds by run: after any runs are added, changed or removed, all is as in a new build."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from attrs import evolve

import reference
from built_collections import load_together
from collection_files import write_files
from natural_keys import tables_of
from poolhouse.building.build import build
from poolhouse.loading.load import load_into
from poolhouse.loading.removal import remove, remove_from
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from reference import Description, RunLine

DEPTH = 4
TOPICS = ("11", "12", "13")

Ranking = list[tuple[str, int]]  # documents and scores, which rank the documents
Run = dict[str, Ranking]  # by topic


@dataclass
class Collection:
    """A collection in its current state; `write` writes its files."""

    runs: dict[str, Run]
    qrels: dict[tuple[str, str], int]
    organizations: dict[str, str] = field(default_factory=dict)
    pooled: tuple[str, ...] | None = None
    """The runs that the descriptions declare as pooled; None where they say nothing."""
    depths: dict[str, int] = field(default_factory=dict)
    """The pool depths that the descriptions declare of single runs."""
    settings: dict[str, Any] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    """The runs that are loaded after the others, as ones that came when the pool was judged."""

    def write(self, folder: Path, name: str) -> tuple[LoadRequest, ...]:
        """Write all files into an empty folder, and return requests to load them."""
        files = reference.Collection(
            name,
            {run_id: list(lines_of(run)) for run_id, run in self.runs.items()},
            [(*pair, grade) for pair, grade in self.qrels.items()],
            {
                run_id: Description(
                    organization,
                    None if self.pooled is None else run_id in self.pooled,
                    pool_depth=self.depths.get(run_id),
                )
                for run_id, organization in self.organizations.items()
            },
        )
        request = evolve(write_files(files, folder), **self.settings)
        if self.titles:
            topics = folder / "topics.tsv"
            topics.write_text("".join(f"{each}\t{title}\n" for each, title in self.titles.items()))
            request = evolve(request, topics=topics)
        if self.attributes:
            file = folder / "attributes.csv"
            lines = [f"{topic},{kind}\n" for topic, kind in self.attributes.items()]
            file.write_text("".join(["topic,kind\n", *lines]))
            request = evolve(request, topic_attributes=file)
        first, kept = (
            tuple(file for file in request.run_files if (file.name in self.kept) is is_kept)
            for is_kept in (False, True)
        )
        request = evolve(request, runs=first)
        return request, *([LoadRequest(name, kept, are_after_pool=True)] if kept else [])


def lines_of(run: Run) -> Iterator[RunLine]:
    for topic, ranking in run.items():
        for rank, (doc, score) in enumerate(ranking, start=1):
            yield RunLine(topic, doc, rank, score)


def dice_of(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - nothing is kept secret


def some_run(seed: str, documents: Iterable[str], topics: Iterable[str] = TOPICS) -> Run:
    """Rank documents by few scores, so that many are tied; every ninth line repeats a document."""
    dice = dice_of(seed)
    run: Run = {}
    for topic in topics:
        retrieved = dice.sample(sorted(documents), 10)
        run[topic] = [(doc, dice.randint(1, 4)) for doc in retrieved]
        run[topic].append((retrieved[0], dice.randint(1, 4)))
    return run


def top_of(run: Run, topic: str) -> list[str]:
    """Return a run's first documents down to the pool depth, by score and then by id."""
    best: dict[str, int] = {}
    for doc, score in run[topic]:
        best[doc] = max(score, best.get(doc, 0))
    return sorted(best, key=lambda doc: (best[doc], doc), reverse=True)[:DEPTH]


def judged(dice: random.Random, runs: Iterable[Run]) -> dict[tuple[str, str], int]:
    """Return judgements of the pool of these runs."""
    pool = {(topic, doc) for run in runs for topic in TOPICS for doc in top_of(run, topic)}
    return {each: dice.randint(0, 2) for each in sorted(pool)}


DOCUMENTS = [f"d{number:02}" for number in range(0, 60, 2)]
NEW_DOCUMENTS = [f"d{number:02}" for number in range(1, 60, 2)]  # between the others by id


def base(**changes: Any) -> Collection:  # noqa: ANN401
    """Three pooled runs of two organizations and two other runs, one with documents of its own."""
    dice = dice_of("base")
    runs = {name: some_run(name, DOCUMENTS) for name in ("a1", "a2", "b1", "c1", "d1")}
    runs["c1"]["14"] = [("only-in-c1", 1)]
    pooled = [runs[name] for name in ("a1", "a2", "b1")]
    organizations = {"a1": "A", "a2": "A", "b1": "B", "c1": "C", "d1": "A"}
    return replace(Collection(runs, judged(dice, pooled), organizations), **changes)


def declared() -> Collection:
    return base(pooled=("a1", "a2", "b1"), settings={"depth": DEPTH})


def with_one_kept() -> Collection:
    collection = base()
    add_one_that_is_kept(collection)
    return collection


def pooled_run(collection: Collection, seed: str) -> Run:
    """Rank only judged documents, so that the run looks like a pooled run."""
    dice = dice_of(seed)
    run: Run = {}
    for topic in TOPICS:
        documents = sorted(doc for judged_topic, doc in collection.qrels if judged_topic == topic)
        top = dice.sample(documents, DEPTH)
        run[topic] = [(doc, 9 - rank) for rank, doc in enumerate(top)] + [("d59", 1)]
    return run


# A change of the files. Runs that the change deletes from the files are removed.
Changed = Callable[[Collection], None]


def add_with_new_documents(it: Collection) -> None:
    """Add a run in which known documents tie with new documents that have lower ids."""
    it.runs["n1"] = some_run("n1", [*DOCUMENTS[15:], *NEW_DOCUMENTS[:20]])
    for ranking in it.runs["n1"].values():
        ranking += [("d58", 5), ("d00x", 5)]


def add_with_a_new_topic(it: Collection) -> None:
    it.runs["n1"] = some_run("n1", [*DOCUMENTS, *NEW_DOCUMENTS], ["10", *TOPICS])


def add_one_that_was_pooled(it: Collection) -> None:
    it.runs["n1"] = pooled_run(it, "n1")


def add_one_declared_as_pooled(it: Collection) -> None:
    add_with_new_documents(it)
    it.organizations["n1"] = "0 first by name"
    it.pooled = (*(it.pooled or ()), "n1")


def add_one_that_is_kept(it: Collection) -> None:
    add_one_that_was_pooled(it)
    it.kept = ("n1",)


def load_what_was_kept(it: Collection) -> None:
    it.kept = ()


def keep_what_was_loaded(it: Collection) -> None:
    it.kept = ("a1",)


def replace_unpooled(it: Collection) -> None:
    it.runs["c1"] = some_run("other c1", NEW_DOCUMENTS)


def replace_unpooled_by_pooled(it: Collection) -> None:
    it.runs["c1"] = pooled_run(it, "c1")


def replace_pooled(it: Collection) -> None:
    it.runs["b1"] = pooled_run(it, "b1")


def replace_pooled_by_unpooled(it: Collection) -> None:
    it.runs["b1"] = some_run("other b1", NEW_DOCUMENTS)


def remove_unpooled(it: Collection) -> None:
    del it.runs["c1"]


def remove_pooled(it: Collection) -> None:
    del it.runs["a2"]


def remove_with_a_topic(it: Collection) -> None:
    it.runs["d1"] = {topic: it.runs["d1"][topic] for topic in TOPICS[1:]}


def describe_unpooled_otherwise(it: Collection) -> None:
    it.organizations |= {"c1": "0 first by name", "d1": "B"}


def describe_pooled_otherwise(it: Collection) -> None:
    it.organizations |= {"a1": "B", "a2": "Z"}


def change_qrels_and_add(it: Collection) -> None:
    it.qrels |= dict.fromkeys(list(it.qrels)[:5], 1)
    it.qrels[TOPICS[0], "never retrieved"] = 1
    add_with_new_documents(it)


def change_depth(it: Collection) -> None:
    it.settings = it.settings | {"depth": 2}


def change_depth_of_a_run(it: Collection) -> None:
    it.depths = {"a1": 2}


def change_threshold(it: Collection) -> None:
    it.settings = it.settings | {"threshold": 2}


def change_titles(it: Collection) -> None:
    it.settings = it.settings | {"title": "another title"}
    it.titles = {TOPICS[0]: "a titled topic"}


def change_place_and_attributes(it: Collection) -> None:
    it.settings = it.settings | {"track": "track", "year": 2009, "task": "task"}
    it.attributes = {TOPICS[0]: "broad", TOPICS[1]: "narrow", "no topic": "broad"}


def do_nothing(_: Collection) -> None:
    pass


ALL = "all"  # the whole collection was rebuilt

# Scores with all judgements, and scores that depend on the pool.
SCORES = ("int_run_scores", "int_left_out_run_scores")


class WithPool(NamedTuple):
    """The pool changed: what depends on it is rebuilt for all runs, and the rest for these."""

    runs: set[str]


# By collection: its first files, the change that follows, and the runs that are rebuilt.
SCENARIOS: dict[str, tuple[Callable[[], Collection], Changed, Any]] = {
    "added": (base, add_with_new_documents, {"n1"}),
    "added to declared ones": (declared, add_with_new_documents, {"n1"}),
    "added, a topic too": (base, add_with_a_new_topic, {"n1"}),
    "added, kept": (base, add_one_that_is_kept, {"n1"}),
    "kept, then loaded": (with_one_kept, load_what_was_kept, WithPool(set())),
    "loaded, then kept": (base, keep_what_was_loaded, WithPool(set())),
    "added, was pooled": (base, add_one_that_was_pooled, WithPool({"n1"})),
    "added, would be pooled": (declared, add_one_that_was_pooled, {"n1"}),
    "added, declared pooled": (declared, add_one_declared_as_pooled, WithPool({"n1"})),
    "replaced": (base, replace_unpooled, {"c1"}),
    "replaced, now pooled": (base, replace_unpooled_by_pooled, WithPool({"c1"})),
    "replaced, pooled": (declared, replace_pooled, WithPool({"b1"})),
    "replaced, pooled, as is inferred": (base, replace_pooled, WithPool({"b1"})),
    "replaced, no longer pooled": (base, replace_pooled_by_unpooled, WithPool({"b1"})),
    "replaced, answers less": (base, remove_with_a_topic, {"d1"}),
    "removed": (base, remove_unpooled, set()),
    "removed, pooled": (declared, remove_pooled, WithPool(set())),
    "described": (declared, describe_unpooled_otherwise, {"c1", "d1"}),
    "described, pooled": (declared, describe_pooled_otherwise, WithPool({"a1", "a2"})),
    "qrels": (base, change_qrels_and_add, ALL),
    "depth": (declared, change_depth, WithPool(set())),
    "depth of a run": (declared, change_depth_of_a_run, WithPool(set())),
    "threshold": (base, change_threshold, ALL),
    "titles": (base, change_titles, ALL),
    "attributes": (base, change_place_and_attributes, set()),
    "pooled by line": (
        lambda: replace(declared(), settings={"depth": DEPTH, "pooling_order": "file"}),
        add_with_new_documents,
        {"n1"},
    ),
    "pooled by rank": (
        lambda: replace(declared(), settings={"depth": DEPTH, "pooling_order": "rank"}),
        replace_unpooled,
        {"c1"},
    ),
    "no pool": (lambda: base(qrels={(TOPICS[0], "x"): 1}), add_with_new_documents, {"n1"}),
    "nothing": (base, do_nothing, None),
}


class World:
    """All scenarios, with a collection for each in one warehouse."""

    def __init__(self, folder: Path, warehouse: Warehouse) -> None:
        self.folder = folder
        self.warehouse = warehouse
        self.collections = {name: start() for name, (start, _, _) in SCENARIOS.items()}
        self.requests: dict[str, tuple[LoadRequest, ...]] = {}
        self.n_loads = 0

    def load(self) -> None:
        """Load the files in their current state, and remove the runs that are not in them."""
        self.n_loads += 1
        with self.warehouse.change(), self.warehouse.side() as connection:
            for name, collection in self.collections.items():
                if name in self.requests:
                    loaded = {file.name for each in self.requests[name] for file in each.run_files}
                    if gone := loaded - set(collection.runs):
                        remove_from(connection, name, gone)
                folder = self.folder / str(self.n_loads) / name
                self.requests[name] = collection.write(folder, name)
                for request in self.requests[name]:
                    load_into(connection, request)

    def assert_as_from_scratch(self) -> None:
        """Compare every table with a new warehouse into which the same files are loaded."""
        found = tables_of(self.warehouse)
        scratch = Warehouse(self.folder / "scratch.duckdb")
        load_together(scratch, chain(*self.requests.values()))
        build(scratch)
        expected = tables_of(scratch)
        assert len(found) > 60
        assert set(found) == set(expected)
        assert [table for table in expected if found[table] != expected[table]] == []

    def build_and_tell(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Build, and return by collection which runs were rebuilt: names, ALL, or None.

        The first result is about scores with all judgements, the second about the scores that
        depend on the pool. Before the build, every run has the same mark in a column of a table of
        runs. Rebuilt rows have no mark.
        """
        self.mark("n_topics + 1000")
        built = build(self.warehouse).built
        anew = [self.rebuilt(table) for table in SCORES]
        self.mark("n_topics % 1000")
        full, left_out = (
            {name: runs[name] if name in built else None for name in self.collections}
            for runs in anew
        )
        return full, left_out

    def rebuilt(self, table: str) -> dict[str, Any]:
        """Return by collection the runs whose rows of the table have no mark: names, or ALL."""
        with self.warehouse.read() as connection:
            rows = connection.execute(
                f"""
                select
                    collection_id,
                    min(n_topics) < 1000,
                    max(n_topics) < 1000,
                    list(distinct run_id) filter (where n_topics < 1000)
                from intermediate.{table}
                inner join raw.runs using (collection_key, run_key)
                inner join raw.collections using (collection_key)
                group by all
                """
            ).fetchall()
        return {
            name: ALL if are_all else set(runs) if are_some else set()
            for name, are_some, are_all, runs in rows
        }

    def mark(self, n_topics: str) -> None:
        with duckdb.connect(self.warehouse.path) as connection:
            for table in SCORES:
                connection.execute(f"update intermediate.{table} set n_topics = {n_topics}")


@pytest.mark.heavy
def test_marts_are_those_of_a_build_from_scratch(tmp_path: Path, warehouse: Warehouse) -> None:
    world = World(tmp_path, warehouse)
    world.load()
    build(warehouse)

    for name, (_, change, _) in SCENARIOS.items():
        change(world.collections[name])
    world.load()
    full, left_out = world.build_and_tell()
    expected = {name: runs for name, (_, _, runs) in SCENARIOS.items()}
    assert full == {
        name: runs.runs if isinstance(runs, WithPool) else runs for name, runs in expected.items()
    }
    assert left_out == {
        name: ALL if isinstance(runs, WithPool) else runs for name, runs in expected.items()
    }

    # a second change: added runs are removed, and unchanged collections get a run
    for collection in world.collections.values():
        collection.kept = tuple(run_id for run_id in collection.kept if run_id != "n1")
        if collection.runs.pop("n1", None) is None:
            add_with_new_documents(collection)
    # a run that is removed and then loaded again unchanged has another key
    for name in ("nothing", "removed, pooled"):
        remove(warehouse, name, ["a1"])
    world.load()
    build(warehouse)
    world.assert_as_from_scratch()
