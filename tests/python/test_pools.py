"""Test `poolhouse pool`: plans, lists for assessors, and answers, of which none is lost."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from shutil import copyfile

import duckdb
import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import planning_reference
from asking import invoke_on
from built_collections import kept_open
from collection_files import write_files
from conftest import NewWarehouse
from page import write_collection
from poolhouse.building.build import build
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling import run_lines
from poolhouse.pooling.answers import AnswersReport, load_answers
from poolhouse.pooling.asking import PoolRequest, ask_for
from poolhouse.pooling.budgets import equal_shares
from poolhouse.pooling.choosing import UNJUDGED_SHARES, next_documents, simulated_documents
from poolhouse.pooling.recommending import recommended
from poolhouse.pooling.run_lines import PooledLines
from poolhouse.pooling.strategies import STRATEGIES
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference, pooling_order

Pairs = list[tuple[str, str]]


def pairs_of(file: Path) -> Pairs:
    lines = [line.split() for line in file.read_text().splitlines()]
    assert all((len(line), line[1]) == (3, "0") for line in lines)
    return [(topic, document) for topic, _, document in lines]


def answer(file: Path, grades: dict[str, int]) -> None:
    """Add the grade to each line whose document has one."""
    lines = [line.split() for line in file.read_text().splitlines()]
    file.write_text(
        "".join(" ".join([*line, str(grades.get(line[2], ""))]).rstrip() + "\n" for line in lines)
    )


def judgements(warehouse: Warehouse) -> set[tuple[str, str, int]]:
    with warehouse.read() as connection:
        rows = connection.execute("select query, docno, grade from raw.qrels_lines").fetchall()
    assert len(rows) == len({(topic, document) for topic, document, _ in rows})
    return {(topic, document, grade) for topic, document, grade in rows}


@pytest.fixture
def page(unjudged_once: Warehouse, tmp_path: Path) -> Warehouse:
    """Provide the collection on a page, built without judgements."""
    return Warehouse(Path(copyfile(unjudged_once.path, tmp_path / "poolhouse.duckdb")))


@pytest.fixture(scope="module")
def kept(unjudged_once: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """Provide the same collection for tests that change nothing."""
    copy = tmp_path_factory.mktemp("kept") / "poolhouse.duckdb"
    yield from kept_open(Warehouse(Path(copyfile(unjudged_once.path, copy))))


# ------------------------------------------------------------------------- the organizer's way


@pytest.mark.heavy
def test_from_runs_to_judgements(page: Warehouse, tmp_path: Path) -> None:
    """Plan, list, half of the answers, the rest in a second list, and scores."""
    run = partial(invoke_on, page)
    planned = run("pool", "plan", "page", "--budgets", "4,99", "--strategy", "depth")
    assert planned.exit_code == 0
    assert planned.stderr.startswith("next: poolhouse pool make page --strategy depth --budget 99 ")
    first = tmp_path / "1.txt"
    made = run("pool", "make", "page", "--strategy", "depth", "--budget", "5", "-o", first)
    assert made.exit_code == 0, made.output
    assert (
        f"{first}: 4 documents of 1 topic to judge; 0 of the pool are judged already" in made.stderr
    )
    assert sorted(pairs_of(first)) == [("1", f"d{n}") for n in (1, 2, 3, 4)]

    answer(first, {"d1": 1, "d4": 0})
    loaded = run("pool", "load", "page", first)
    assert "page: 2 answers added, 2 lines without an answer" in loaded.stderr
    assert judgements(page) == {("1", "d1", 1), ("1", "d4", 0)}

    # Before the next build, only the rest is listed.
    second = tmp_path / "2.txt"
    run("pool", "make", "page", "--strategy", "depth", "--budget", "5", "-o", second)
    assert sorted(pairs_of(second)) == [("1", "d2"), ("1", "d3")]
    answer(second, {"d2": 0, "d3": 1})
    assert run("pool", "load", "page", first, second).exit_code == 0
    assert len(judgements(page)) == 4
    build(page)
    [(score,)] = run_query(
        page, "select score from fct_run_scores where run_id = 'a2' and measure = 'AP' limit 1"
    ).rows
    assert score == 1.0
    done = run("pool", "make", "page", "--strategy", "depth", "--budget", "5", "-o", tmp_path / "3")
    assert done.exit_code == 0
    assert "nothing is left to judge, and no list is written: 4 documents are judged" in done.stderr
    assert not (tmp_path / "3").exists()


@pytest.mark.heavy
def test_a_list_is_shuffled_or_in_the_order_of_documents(kept: Warehouse, tmp_path: Path) -> None:
    run = partial(invoke_on, kept)
    found = []
    for name, *order in (("a",), ("b",), ("c", "--seed", "3"), ("d", "--order", "document")):
        file = tmp_path / name
        run("pool", "make", "page", "--strategy", "rrf", "--budget", "9", "-o", file, *order)
        found.append(pairs_of(file))
    assert found[0] == found[1] != found[2]
    assert found[3] == sorted(found[0]) == sorted(found[2])


def test_a_list_with_answers_is_not_overwritten(kept: Warehouse, tmp_path: Path) -> None:
    run = partial(invoke_on, kept)
    file = tmp_path / "list.txt"
    file.write_text("1 0 d1 1\n")
    refused = run("pool", "make", "page", "--strategy", "rrf", "--budget", "9", "-o", file)
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: {file}: exists, and may hold answers")
    assert file.read_text() == "1 0 d1 1\n"


@pytest.mark.heavy
def test_a_sample_has_its_probabilities_in_the_warehouse(page: Warehouse, tmp_path: Path) -> None:
    """It is drawn once, and listed in batches."""
    run = partial(invoke_on, page)
    listed: Pairs = []
    for name in ("1.txt", "2.txt"):
        made = run(
            *("pool", "make", "page", "--strategy", "uniform_sample", "--budget", 4),
            *("--batch", 2, "-o", tmp_path / name),
        )
        assert made.exit_code == 0, made.output
        listed += pairs_of(tmp_path / name)
        # The last document of the second list is not answered.
        grades = {each: int(each[1:]) % 2 for _, each in listed[:3]}
        answer(tmp_path / name, grades)
        run("pool", "load", "page", tmp_path / name)
    with page.read() as connection:
        design = rows_of(connection, "from staging.stg_pool_documents")
    drawn = design.filter("is_sampled").select("topic_id", "doc_id").unique()
    assert design.select("topic_id", "doc_id").unique().height == 6
    assert design["inclusion_probability"].to_list() == pytest.approx([4 / 6] * design.height)
    assert sorted(listed) == sorted(drawn.rows())
    assert "run poolhouse build first" in run("pool", "score", "page").stderr
    build(page)
    scored = run("pool", "score", "page", "--format", "json")
    rows = {
        (each["run_id"], each["measure"], each["estimator"]): each
        for each in json.loads(scored.stdout)
    }
    n_relevant = sum(int(each[1:]) % 2 for _, each in listed[:3])
    assert rows["a1", "NumRel", "statAP"]["score"] == pytest.approx(n_relevant * 6 / 3)
    assert "3 of 4 sampled documents are answered; 0 topics of 1 left out" in scored.stderr
    assert "of a proportional_sample of 10 %" in scored.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--strategy", "rff"), "'rff' is no pooling strategy: depth, take"),
        (("--strategy", "rrf", "--run", "x"), "run 'x' is not in 'page'"),
    ],
)
def test_a_wrong_argument_is_named(
    kept: Warehouse, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    file = tmp_path / "list.txt"
    refused = invoke_on(kept, "pool", "make", "page", "--budget", 3, "-o", file, *arguments)
    assert refused.exit_code == 1
    assert problem in refused.stderr
    assert not file.exists()


# -------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 0 d1 0.5\n", ":1: the grade '0.5' is no whole number"),
        ("1 0 d1 1\n1 0\n", ":2: 2 fields, expected topic, 0, document and the grade"),
        ("1 0 d1 1 x y\n", ":1: 6 fields"),
        ("1 0 d1 99999999999\n", ":1: the grade '99999999999' is no whole number"),
        ("1 0 d1 1\n1 0 d1 0\n", ":2: topic 1, document d1 has the grade 0 here and 1 in .*:1:"),
        ("1 0 d9 1\n", ":1: no run of 'page' returns the document 'd9' for the topic '1'"),
        ("7 0 d1\n", ":1: no run of 'page' returns the document 'd1' for the topic '7'"),
        ("1 d1 1\n", ":1: no run of 'page' returns the document '1' for the topic '1'"),
        ("1 0 d1\u00a01\n", ":1: no run of 'page' returns the document 'd1.*1' for the topic"),
    ],
)
def test_a_bad_line_loads_nothing(kept: Warehouse, tmp_path: Path, text: str, problem: str) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("1 0 d2 1\n")
    bad.write_text(text)
    with pytest.raises(BadFileError, match=problem):
        load_answers(kept, "page", (good, bad))
    assert judgements(kept) == set()


def test_answers_are_read_as_editors_write_them(page: Warehouse, tmp_path: Path) -> None:
    """A given answer is replaced only on request."""
    file = tmp_path / "list.txt"
    file.write_bytes('\ufeff1\t0\td1\t1 \r\n\r\n # a remark\r\n1\t0\td2\t""\r\n1 0 d3 -1'.encode())
    for n_added in (1, 0):
        report = load_answers(page, "page", (file,))
        assert (report.n_added, report.n_unanswered, report.n_unjudgeable) == (n_added, 1, 1)
        assert judgements(page) == {("1", "d1", 1), ("1", "d3", -1)}
    file.write_text("1 0 d1 0\n")
    with pytest.raises(BadFileError, match="is judged 1 already"):
        load_answers(page, "page", (file,))
    load_answers(page, "page", (file,), may_replace=True)
    assert judgements(page) == {("1", "d1", 0), ("1", "d3", -1)}


@pytest.mark.heavy
def test_the_judgements_of_before_are_kept(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """Their lines stay, except for those of a document that was not judged before."""
    warehouse = new_warehouse(tmp_path)
    request = write_collection(tmp_path / "page")
    assert isinstance(request.qrels, Path)
    request.qrels.write_text("1 2.5 d1 0\n1 2 d1 1\n1 0 d2 1\n1 1 d3 -1\n")
    load_collection(warehouse, request)
    file = tmp_path / "list.txt"
    file.write_text("1 0 d3 1.0\n1 0 d1 1\n")
    report = load_answers(warehouse, "page", (file,))
    assert (report.n_added, report.n_changed, report.n_known) == (1, 0, 1)
    with warehouse.read() as connection:
        rows = connection.execute(
            "select iteration, docno, grade from raw.qrels_lines order by line_number"
        ).fetchall()
    assert rows == [("2.5", "d1", 0), ("2", "d1", 1), ("0", "d2", 1), ("0", "d3", 1)]


@pytest.mark.heavy
def test_a_load_of_qrels_does_not_remove_answers(page: Warehouse, tmp_path: Path) -> None:
    file, qrels = tmp_path / "list.txt", tmp_path / "qrels.txt"
    file.write_text("1 0 d3 1\n")
    load_answers(page, "page", (file,))
    qrels.write_text("1 0 d1 1\n")
    with pytest.raises(BadFileError, match="take away 1 and regrade 0 of the 1"):
        load_collection(page, LoadRequest("page", qrels=qrels))
    # A list in which documents wait for an assessor, and another grade.
    for grade in (-1, 0):
        qrels.write_text(f"1 0 d1 1\n1 0 d3 {grade}\n")
        with pytest.raises(BadFileError, match="and regrade"):
            load_collection(page, LoadRequest("page", qrels=qrels))
    assert judgements(page) == {("1", "d3", 1)}
    load_collection(page, LoadRequest("page", qrels=qrels, replace=True))
    assert judgements(page) == {("1", "d1", 1), ("1", "d3", 0)}


@pytest.mark.heavy
def test_junk_is_an_answer_where_the_collection_says_so(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("1 0 d1 -2\n1 0 d2 -3\n")
    unjudgeable = AnswersReport(0, 0, 0, 0, n_unjudgeable=2, has_changed=True)
    assert load_answers(page, "page", (file,)) == unjudgeable
    load_collection(page, LoadRequest("page", judged_from=-2))
    assert load_answers(page, "page", (file,)) == AnswersReport(0, 0, 1, 0, n_unjudgeable=1)
    file.write_text("1 0 d1 1\n")
    with pytest.raises(BadFileError, match="is judged -2 already"):
        load_answers(page, "page", (file,))
    replaced = AnswersReport(0, 1, 0, 0, has_changed=True)
    assert load_answers(page, "page", (file,), may_replace=True) == replaced


def test_a_budget_below_the_first_depth_is_an_error(kept: Warehouse, tmp_path: Path) -> None:
    run = partial(invoke_on, kept)
    file = tmp_path / "list.txt"
    refused = run("pool", "make", "page", "--strategy", "depth", "--budget", 1, "-o", file)
    assert "a budget of 1 buys no document by 'depth': the smallest pool has 2" in refused.stderr
    planned = run(
        *("pool", "plan", "page", "--strategy", "depth", "--budgets", "1,4", "--format", "json")
    )
    assert [each["n_documents"] for each in json.loads(planned.stdout)] == [0, 4]


@pytest.mark.parametrize("by", ["topic", "run"])
def test_a_plan_by_topic_and_by_run(kept: Warehouse, by: str) -> None:
    """The pool of depth 2: d1 of two runs, d2 of two, d3 of a2 alone and d4 of b1 alone."""
    planned = invoke_on(
        kept,
        *("pool", "plan", "page", "--strategy", "depth", "--budgets", "4", "--by", by),
        *("--format", "json"),
    )
    rows = json.loads(planned.stdout)
    found = {each[f"{by}_id"]: (each["n_documents"], each["n_of_one_run"]) for each in rows}
    expected = {"topic": {"1": (4, 2)}, "run": {"a1": (2, 0), "a2": (2, 1), "b1": (2, 1)}}
    assert found == expected[by]


def test_a_plan_says_what_a_pool_leaves_unjudged(kept: Warehouse) -> None:
    """The pool of depth 2 lacks d5 and d6. Without A it has only d2 and d4, without B no d4."""
    planned = invoke_on(
        kept,
        *("pool", "plan", "page", "--strategy", "depth", "--budgets", "1,4", "--format", "json"),
    )
    nothing, row = json.loads(planned.stdout)
    assert nothing["unjudged_10"] is nothing["unjudged_10_left_out"] is None
    assert row["unjudged_10"] == pytest.approx((1 / 3 + 1 / 3 + 0) / 3)
    assert row["unjudged_10_left_out"] == pytest.approx((2 / 3 + 1 + 1 / 3) / 3)


def test_a_strategy_is_recommended_for_the_largest_budget(kept: Warehouse) -> None:
    """The turns of the runs bring d1, d4, d3, d2 and one more; depth 2 brings four."""
    planned = invoke_on(kept, "pool", "plan", "page", "--budgets", "2,5", "--per-topic", status=0)
    recommended, following = planned.stderr.splitlines()
    assert recommended.startswith("recommended for 5 judgements: take_by_run, because later runs ")
    assert "without its own organization" in recommended
    assert following == (
        "next: poolhouse pool make page --strategy take_by_run --budget 5 --per-topic -o FILE "
        f"--db {kept.path}"
    )


@pytest.mark.parametrize(
    ("shares", "strategy", "reason"),
    [
        ({"depth": 0.1, "rrf": 0.02}, "depth", "it judges every run down to the same rank; "),
        (
            {"depth": 0.11, "rrf": 0.09},
            "rrf",
            "9% of a run's first ten documents would be unjudged (depth: 11%)",
        ),
        ({"depth": None, "rrf": 0.9, "dcg": 0.9}, "rrf", "90% of a run's"),
        ({"depth": 0.3, "rrf": 0.4}, "depth", "later runs meet the fewest unjudged documents; "),
    ],
)
def test_the_rule_of_recommendations(
    shares: dict[str, float | None], strategy: str, reason: str
) -> None:
    """A budget below the largest one does not count, however good its pools are."""
    rows = [(name, 9, share) for name, share in shares.items()]
    names = ["strategy", "budget", "unjudged_10_left_out"]
    plan = pl.DataFrame([*rows, ("take", 8, 0.0)], names, orient="row")
    found = recommended(plan, enough=0.1)
    assert found
    assert (found.strategy, found.budget) == (strategy, 9)
    assert reason in found.reason
    assert recommended(plan.filter(budget=8), enough=0.1) is None


@pytest.mark.heavy
def test_before_the_first_build(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    warehouse = new_warehouse(tmp_path)
    load_collection(warehouse, write_collection(tmp_path / "page"))
    refused = invoke_on(warehouse, "pool", "plan", "page")
    said = "Error: collection 'page' is not built yet: run poolhouse build first\n"
    assert refused.stderr == said


# ------------------------------------------------------------------------------------- choosing


@given(
    st.integers(min_value=0, max_value=60),
    st.lists(st.integers(min_value=0, max_value=20), max_size=8),
)
def test_equal_shares_are_the_lowest_places(budget: int, available: list[int]) -> None:
    """Chosen one after the other, by place and then by topic, as pool_documents does."""
    turns = sorted((place, topic) for topic, n in enumerate(available) for place in range(n))
    expected = [sum(each == topic for _, each in turns[:budget]) for topic in range(len(available))]
    shares = equal_shares(budget, np.array(available, dtype=np.int64))
    assert shares.tolist() == expected


@pytest.fixture(scope="module")
def random(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Reference]]:
    """Provide a random collection, built without judgements, and its reference."""
    folder = tmp_path_factory.mktemp("pools")
    collection = Generator(13).collection()
    warehouse = new_warehouse(folder)
    request = write_files(collection, folder / "files")
    load_collection(warehouse, evolve(request, qrels=None, unjudged=True))
    build(warehouse)
    with warehouse.read() as connection:
        yield connection, Reference(replace(collection, qrels=[]))


def request_of(reference: Reference, budget: int) -> PoolRequest:
    runs = tuple(reference.collection.runs)
    return PoolRequest(reference.collection.name, budget, runs=runs, seed=5)


def relevant_documents(pairs: Sequence[tuple[str, str]]) -> dict[str, dict[str, bool]]:
    """Answer each document by chance."""
    dice = Random(1)  # noqa: S311 - of test cases
    known: dict[str, dict[str, bool]] = {}
    for topic_id, doc_id in sorted(pairs):
        known.setdefault(topic_id, {})[doc_id] = dice.random() < 0.4
    return known


def everything_of(reference: Reference) -> Pairs:
    runs = list(reference.collection.runs)
    rows = planning_reference.pool_documents(reference, "take", None, runs)
    return sorted((str(topic), str(document)) for topic, document in rows)


def test_unjudged_shares_equal_reference(
    random: tuple[duckdb.DuckDBPyConnection, Reference],
) -> None:
    """Pools of any documents, small and large."""
    connection, reference = random
    ask_for(connection, request_of(reference, 60))
    dice = Random(2)  # noqa: S311 - of test cases
    everything = everything_of(reference)
    pools = {n: set(dice.sample(everything, n)) for n in (1, 10, len(everything) // 2)}
    rows = [("any", n, *pair) for n, pool in pools.items() for pair in pool]
    names = ["strategy", "budget", "topic_id", "doc_id"]
    put_table(connection, "chosen_pools", pl.DataFrame(rows, names, orient="row"))
    make_macros(connection, "chosen_pools_unjudged")
    found = {n: shares for _, n, *shares in rows_of(connection, UNJUDGED_SHARES).rows()}
    runs = list(reference.collection.runs)
    for n, pool in pools.items():
        expected = planning_reference.unjudged_shares(reference, pool, runs)
        assert found[n] == pytest.approx(expected)


@pytest.mark.parametrize("at_once", [1, 30, 10_000])
def test_topics_are_read_in_groups(
    at_once: int,
    random: tuple[duckdb.DuckDBPyConnection, Reference],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the size of a group, a topic has its documents down to its own depth."""
    monkeypatch.setattr(run_lines, "_LINES_AT_ONCE", at_once)
    connection, reference = random
    ask_for(connection, request_of(reference, 60))
    lines = run_lines.PooledLines(connection)
    everything = everything_of(reference)
    assert dict(zip(lines.topic_ids, lines.n_documents, strict=True)) == Counter(
        topic for topic, _ in everything
    )
    known = {lines.topic_ids[0]: {everything[0][1]: True, "of no run": False}, "none": {"d1": True}}
    assert lines.n_known(known).tolist() == [1, *[0] * (len(lines.topic_ids) - 1)]
    depths = np.arange(len(lines.topic_ids), dtype=np.int64)
    runs = sorted(reference.collection.runs)
    order = reference.collection.pooling_order
    for depth, topic in zip(depths, lines.topics(depths), strict=True):
        found = [[topic.doc_ids[int(each)] for each in of] for of in topic.of_runs.lists]
        of_topic = [
            [line for line in reference.collection.runs[run] if line.topic == topic.topic_id]
            for run in runs
        ]
        assert found == [pooling_order(each, order)[:depth] for each in of_topic]
        assert topic.doc_ids.to_list() == sorted({each for of in found for each in of})


@pytest.mark.heavy
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_batches_of_one_document_are_the_whole_strategy(
    strategy: str, random: tuple[duckdb.DuckDBPyConnection, Reference]
) -> None:
    """Each answer is known before the next document is chosen, in every topic."""
    connection, reference = random
    request = request_of(reference, 60)
    ask_for(connection, request)
    lines = PooledLines(connection)
    everything = everything_of(reference)
    answers = relevant_documents(everything)
    pool = simulated_documents(lines, request, strategy, answers)
    assert pool.height == min(60, len(everything))
    assert pool["cost"].to_list() == list(range(1, pool.height + 1))
    known: dict[str, dict[str, bool]] = {}
    chosen: dict[str, list[str]] = {}
    for _ in range(pool.height):
        batch = next_documents(lines, request, strategy, known, len(lines.topic_ids))
        for topic_id, doc_id, _ in batch.rows():
            known.setdefault(topic_id, {})[doc_id] = answers[topic_id][doc_id]
            chosen.setdefault(topic_id, []).append(doc_id)
        if batch.is_empty():
            break
    of_topics = pool.sort("place").group_by("topic_id", maintain_order=True).agg("doc_id")
    assert chosen == dict(of_topics.rows())


@pytest.mark.heavy
@pytest.mark.parametrize("strategy", ["move_to_front", "hedge", "thompson"])
def test_a_batch_has_no_judged_document_and_stays_in_the_budget(
    strategy: str, random: tuple[duckdb.DuckDBPyConnection, Reference]
) -> None:
    """Also where a topic has more judgements than its share before, which count once."""
    connection, reference = random
    request = request_of(reference, 30)
    ask_for(connection, request)
    lines = PooledLines(connection)
    topic = next(lines.topics())
    known: dict[str, dict[str, bool]] = {
        topic.topic_id: dict.fromkeys([*topic.doc_ids[:12], "of no run"], False)
    }
    listed: Pairs = [(topic.topic_id, doc_id) for doc_id in topic.doc_ids[:12]]
    for _ in range(20):
        batch = next_documents(lines, request, strategy, known, 7)
        assert batch.height <= 7
        listed += [(topic_id, doc_id) for topic_id, doc_id, _ in batch.rows()]
        for topic_id, doc_id, _ in batch.rows():
            known.setdefault(topic_id, {})[doc_id] = doc_id.endswith("1")
    assert len(listed) == len(set(listed)) == 30


# ------------------------------------------------------------------------------------ archives


@pytest.fixture(scope="module")
def chosen(marts: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Provide the pool of depth 100 of TREC-8 as a table: choosing takes 13 CPU seconds."""
    marts.execute(
        """
        create temp table pool_of_depth as
        from planning.pool_documents('trec8-adhoc', 'depth', 86830)
        """
    )
    return marts


@pytest.mark.heavy
@pytest.mark.archive
def test_the_pool_of_trec_8_is_its_qrels(chosen: duckdb.DuckDBPyConnection) -> None:
    """Pair for pair, by depth 100 of the declared runs."""
    [row] = chosen.execute(
        "select count(*), count(*) filter (where is_judged), max(best_rank) from pool_of_depth"
    ).fetchall()
    [(n_judged,)] = chosen.execute(
        "select count(*) from fct_judgements where collection_id = 'trec8-adhoc'"
    ).fetchall()
    assert row == (86830, n_judged, 100)


@pytest.mark.heavy
@pytest.mark.archive
def test_errors_of_the_pool_of_a_depth_are_those_of_the_stored_pool(
    chosen: duckdb.DuckDBPyConnection,
) -> None:
    """A chosen pool and the stored pool are one form of rows, with the same estimators."""
    from poolhouse.warehouse.own_macros import make_macros  # noqa: PLC0415

    make_macros(chosen, "chosen_pool_errors")
    chosen.execute("create temp table chosen as select topic_id, doc_id from pool_of_depth")
    rows = chosen.execute(
        """
        select
            max(abs(found.mae - stored.mae)),
            max(abs(found.mean_error - stored.mean_error)),
            count(*)
        from chosen_pool_errors('trec8-adhoc', 'chosen', null, 10) as found
        inner join fct_estimator_errors as stored using (level, unjudged, measure, estimator)
        where
            stored.collection_id = 'trec8-adhoc'
            and stored.subset = 'all'
            and stored.measure in ('P@10', 'RBP(p=0.8)@10')
        """
    ).fetchall()
    [(mae, mean_error, n_rows)] = rows
    assert max(mae, mean_error) < 1e-12
    assert n_rows >= 12
