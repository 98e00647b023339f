"""Test that everything that `load` accepts can be built and checked, in any pair of odd loads."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import duckdb
import pytest

from page import RUNS, write_collection
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.expectations import check
from poolhouse.loading.load import load_into
from poolhouse.loading.removal import remove_from
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query


@dataclass
class Place:
    """A collection that gets odd loads, and a separate folder for each load."""

    connection: duckdb.DuckDBPyConnection
    collection: str
    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / name
        file.write_text(text)
        return file

    def load(self, **parts: object) -> None:
        """Load some files, or settings."""
        try:
            request = LoadRequest(self.collection, replace=True, **parts)  # type: ignore[arg-type]
            load_into(self.connection, request)
        except PoolhouseError:
            self.connection.rollback()
            raise

    def load_run(self, run_id: str, *lines: str, are_after_pool: bool = False) -> None:
        """Load a run of lines `topic document score`."""
        fields = (line.split() for line in lines)
        text = "".join(f"{topic} Q0 {doc} 1 {score} x\n" for topic, doc, score in fields)
        file = self.write(run_id, text)
        self.load(runs=run_files([file]), are_after_pool=are_after_pool)

    def load_qrels(self, *lines: str) -> None:
        """Load judgements of lines `topic document grade`."""
        fields = (line.split() for line in lines)
        text = "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in fields)
        self.load(qrels=self.write("qrels.txt", text))

    def load_common_topics(self, run_id: str, text: str) -> None:
        """Load judgements that were made for a run, too."""
        self.load(common_topics=((run_id, self.write(f"common-{run_id}", text)),))

    def load_descriptions(self, *lines: str) -> None:
        """Load the organizations of runs."""
        text = "\n".join(["run,organization,type,pooled", *lines])
        self.load(descriptions=self.write("runs.csv", text))

    def declare(self, **settings: object) -> None:
        """Load a declaration about the collection."""
        self.load(**settings)


def common_topics_of_every_run(it: Place) -> None:
    for run_id in RUNS:
        it.load_common_topics(run_id, "1 0 d5 1\n1 0 d6 1\n")


def common_topics_that_say_otherwise(it: Place) -> None:
    it.load_common_topics("a1", "1 0 d1 0\n1 0 d1 -1\n1 0 d9 3\n7 0 d1 1\n")


def common_topics_twice(it: Place) -> None:
    it.load_common_topics("b1", "1 0 d5 1\n")
    it.load_common_topics("b1", "1 0 d6 1\nnot a judgement\n")


def a_run_that_answers_no_judged_topic(it: Place) -> None:
    it.load_run("elsewhere", "99 d1 1", "99 d2 0")


def a_run_of_one_line(it: Place) -> None:
    it.load_run("one", "1 d4 1")


def a_run_that_looks_pooled(it: Place) -> None:
    it.load_run("alike", "1 d1 4", "1 d2 3", "1 d3 2", "1 d4 1")


def a_run_that_came_after_the_pool(it: Place) -> None:
    it.load_run("late", "1 d1 2", "1 d2 1", are_after_pool=True)


def a_run_that_came_late_then_like_any_other(it: Place) -> None:
    it.load_run("later", "1 d3 2", "1 d4 1", are_after_pool=True)
    it.load_run("later", "1 d3 2", "1 d4 1")


def scores_at_the_edge_of_numbers(it: Place) -> None:
    it.load_run("edge", "1 d1 1.7e308", "1 d2 -1.7e308", "1 d3 1e-320", "1 d4 0", "1 d5 -0")


def scores_all_the_same(it: Place) -> None:
    it.load_run("flat", *(f"1 d{number} 1" for number in range(1, 9)))


def a_document_many_times(it: Place) -> None:
    it.load_run("again", *(f"1 d1 {score}" for score in range(5)), "1 d7 2", "1 d7 2")


def odd_names(it: Place) -> None:
    long = "x" * 2000
    it.load_run("o'br\"ien; drop", "1 d'1 3", '1 "d2" 2', "1 {{d3}} 1", f"{long} {long} 1")
    it.load_run("NULL", "null NULL 1", "1 null 2", "\u0661 \U0001f600 1")


def qrels_without_anything_relevant(it: Place) -> None:
    it.load_qrels("1 d1 0", "1 d2 0", "1 d4 0")


def qrels_below_zero(it: Place) -> None:
    it.load_qrels("1 d1 -1", "1 d2 -2")


def qrels_of_topics_that_nobody_answers(it: Place) -> None:
    it.load_qrels("50 d1 1", "51 d2 0")


def qrels_that_contradict_themselves(it: Place) -> None:
    it.load_qrels("1 d1 1", "1 d1 0", "1 d1 0", "1 d2 2", "1 d2 -1", "2 d1 1")


def grades_as_high_as_they_go(it: Place) -> None:
    it.load_qrels("1 d1 2147483647", "1 d2 1", "1 d4 5")
    it.declare(highest_grade=1)


def a_threshold_that_no_grade_reaches(it: Place) -> None:
    it.declare(threshold=2**31 - 1)


def a_depth_beyond_every_list(it: Place) -> None:
    it.declare(depth=2**31 - 1)


def pooled_by_line(it: Place) -> None:
    it.declare(pooling_order="file", title="''; --")
    it.declare(track="''; --", year=9999, task="{{x}}")


def no_run_was_pooled(it: Place) -> None:
    it.load_descriptions("a1,A,manual,no", "a2,A,automatic,no", "b1,B,,no")


def descriptions_of_other_runs(it: Place) -> None:
    it.load_descriptions("z1,Z,manual,yes", "late,late,,yes")


def organizations_named_like_runs(it: Place) -> None:
    it.load_descriptions("a1,b1,manual,yes", "b1,a1,automatic,yes", "x,a2,,")


def titles_of_unknown_topics(it: Place) -> None:
    titles = "1\tone\n77\tof no topic\n1e0\t''; --\n"
    it.load(topics=it.write("topics.tsv", titles))
    texts = it.write("texts", '{"id": "d1", "text": "One two"}\n{"id": "d1", "text": "drop"}\n')
    frequencies = it.write("df.csv", "word,df\none,0\n")
    attributes = "topic,''; --,null\n1,NULL,\n77,\u0661,\"a, {{b}}\"\n"
    it.load(
        texts=[texts],
        document_frequencies=frequencies,
        topic_attributes=it.write("attributes.csv", attributes),
    )


def a_run_that_goes_and_comes_back(it: Place) -> None:
    it.load_common_topics("a2", "1 0 d6 1\n")
    remove_from(it.connection, it.collection, ["a2"])
    it.load_run("a2", "1 d6 2", "1 d1 1")


# Loads of one group may replace each other; loads of different groups do not.
GROUPS: tuple[tuple[Callable[[Place], None], ...], ...] = (
    (
        a_run_that_answers_no_judged_topic,
        a_run_of_one_line,
        a_run_that_looks_pooled,
        scores_at_the_edge_of_numbers,
        a_document_many_times,
    ),
    (
        qrels_without_anything_relevant,
        qrels_below_zero,
        qrels_of_topics_that_nobody_answers,
        qrels_that_contradict_themselves,
        grades_as_high_as_they_go,
    ),
    (
        no_run_was_pooled,
        descriptions_of_other_runs,
        organizations_named_like_runs,
        titles_of_unknown_topics,
        a_run_that_goes_and_comes_back,
    ),
    (
        common_topics_of_every_run,
        common_topics_that_say_otherwise,
        common_topics_twice,
        a_run_that_came_after_the_pool,
        a_run_that_came_late_then_like_any_other,
    ),
    (
        a_threshold_that_no_grade_reaches,
        a_depth_beyond_every_list,
        pooled_by_line,
        scores_all_the_same,
        odd_names,
    ),
)


# Judgements of common topics, and texts, are refused without qrels.
NEED_QRELS = (
    common_topics_of_every_run,
    common_topics_that_say_otherwise,
    common_topics_twice,
    a_run_that_goes_and_comes_back,
    titles_of_unknown_topics,
)
QRELS = GROUPS[1]


def lines_of_loads() -> Iterator[list[Callable[[Place], None]]]:
    """Yield the lines of the affine plane of order 5: any two loads are on exactly one line.

    Thirty collections are enough for the 300 pairs. A line holds a whole group, or one load of each
    group.
    """
    order = len(GROUPS)
    yield from map(list, GROUPS)
    for slope, start in product(range(order), repeat=2):
        line = [group[(slope * x + start) % order] for x, group in enumerate(GROUPS)]
        yield line[start:] + line[:start]  # in changing order


def test_each_two_odd_loads_are_tried_together() -> None:
    loads = {load for group in GROUPS for load in group}
    tried = [frozenset(pair) for line in lines_of_loads() for pair in combinations(line, 2)]
    assert len(loads) == 25
    assert len(tried) == len(set(tried))
    assert set(tried) == set(map(frozenset, combinations(loads, 2)))


@pytest.mark.heavy
def test_odd_loads_can_be_built_in_pairs(tmp_path: Path, warehouse: Warehouse) -> None:
    page = write_collection(tmp_path / "page")
    names = []
    with warehouse.change(), warehouse.side() as connection:
        for number, line in enumerate(lines_of_loads()):
            name = ", ".join(load.__name__ for load in line)
            names.append(name)
            at_first = Place(connection, name, tmp_path)
            at_first.load(runs=page.runs, qrels=page.qrels, descriptions=page.descriptions)
            for load in line:
                load(Place(connection, name, tmp_path / str(number) / load.__name__))
    report = build(warehouse)
    assert report.failed == ()
    assert sorted(report.built) == sorted(names)
    checked = check(warehouse)
    assert {each.collection_id for each in checked.results} == set(names)
    assert checked.broken == []


@pytest.mark.heavy
def test_odd_loads_upon_runs_that_are_not_judged(tmp_path: Path, warehouse: Warehouse) -> None:
    """Each load without qrels is tried alone, and with qrels after a build without them."""
    page = write_collection(tmp_path / "page")
    names = [f"unjudged-{number}" for number in range(len(QRELS))]
    with warehouse.change(), warehouse.side() as connection:
        for name, *line in zip(names, *GROUPS, strict=True):
            at_first = Place(connection, name, tmp_path)
            at_first.load(runs=page.runs, descriptions=page.descriptions, unjudged=True)
            for load in line:
                if load not in QRELS:
                    refused = pytest.raises(PoolhouseError, match="is not judged yet")
                    with refused if load in NEED_QRELS else nullcontext():
                        load(Place(connection, name, tmp_path / name / load.__name__))
    assert build(warehouse).failed == ()
    for name in names:
        sizes = "from planning.pool_sizes($name, depths := [2147483647], of_runs := ['a1', 'b1'])"
        assert len(run_query(warehouse, sizes, {"name": name}).rows) == 1
        pairs = run_query(warehouse, "select * from planning.run_overlaps($name)", {"name": name})
        assert pairs.rows
    checked = check(warehouse)
    assert {each.collection_id for each in checked.results} == set(names)
    assert checked.broken == []
    assert len([each for each in checked.remarks if "not judged yet" in each]) == len(names)
    with warehouse.change(), warehouse.side() as connection:
        for name, load in zip(names, QRELS, strict=True):
            load(Place(connection, name, tmp_path / name / load.__name__))
    assert build(warehouse).failed == ()
    checked = check(warehouse)
    assert checked.broken == []
    assert not [each for each in checked.remarks if "not judged yet" in each]
