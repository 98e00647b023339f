"""Test the estimates for a new run that was judged on some topics."""

import json
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from shutil import copyfile

import duckdb
import polars as pl
import pytest
from click.testing import Result

from asking import invoke_on
from built_collections import kept_open, only_built, only_many, with_tested_views
from conftest import NewWarehouse
from left_out import as_frame, without
from measures_reference import score_of
from page import write_collection
from poolhouse.building.build import build
from poolhouse.building.plan import plan_of
from poolhouse.building.plan.statements import making
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from random_collections import Generator
from reference import Reference, mean, quantile_of_t

# -- Five documents, three runs, four topics ------------------------------------------------------

# The pool has depth 2: d1, d2 and d3 are judged. d1 is relevant in each topic, and d3 in topic 2.
RUNS = {"s1": ("d1", "d2"), "s2": ("d1", "d3"), "s3": ("d2", "d1")}
TOPICS = ("1", "2", "3", "4")
# P@5 of the new run by these judgements is 0.2, 0.4, 0.2 and 0.2; the mean is 0.25.
NEW = {"1": "d4 d1 d5 d2", "2": "d4 d1 d3 d5", "3": "d4 d1", "4": "d5 d1"}
# By these and the collection's judgements, P@5 is 0.4 and 0.8. The run gains 0.2 and 0.4: mean 0.3,
# variance 0.02. These judgements of d2 contradict the collection's.
COMMON = "1 0 d4 1\n1 0 d5 0\n1 0 d2 1\n2 0 d4 1\n2 0 d5 1\n"
ALL_COMMON = "".join(f"{topic} 0 d4 {topic}\n" for topic in TOPICS)


@pytest.fixture(scope="module")
def five(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Path]:
    """Provide a collection, and the file of a new run."""
    folder = tmp_path_factory.mktemp("five")
    (folder / "runs").mkdir()
    for run_id, documents in RUNS.items():
        (folder / "runs" / run_id).write_text(lines_of(dict.fromkeys(TOPICS, documents)))
    judged = ("d1 1", "d2 0", "d3 {}")
    (folder / "qrels").write_text(
        "".join(f"{t} 0 {each}\n".format(int(t == "2")) for t in TOPICS for each in judged)
    )
    warehouse = new_warehouse(folder)
    request = LoadRequest("five", run_files([folder / "runs"]), folder / "qrels", depth=2)
    load_collection(warehouse, request)
    build(warehouse)
    new = folder / "new"
    new.write_text(lines_of({topic: documents.split() for topic, documents in NEW.items()}))
    return warehouse, new


def lines_of(answers: Mapping[str, Sequence[str]]) -> str:
    return "".join(
        f"{topic} Q0 {document} 0 {9 - place} run\n"
        for topic, documents in answers.items()
        for place, document in enumerate(documents)
    )


def run(five: tuple[Warehouse, Path], judgements: str, *options: str) -> Result:
    warehouse, new = five
    common = new.with_name("common")
    common.write_text(judgements)
    return invoke_on(
        warehouse, "adjust", new, "--collection", "five", "--common-topics", common, *options
    )


def rows_of(done: Result, measure: str = "P@5") -> dict[tuple[str, str], dict[str, object]]:
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    return {(r["unjudged"], r["estimator"]): r for r in rows if r["measure"] == measure}


Ask = Callable[..., Result]


@pytest.fixture(scope="module")
def ask(five: tuple[Warehouse, Path]) -> Ask:
    """Provide `run` on the collection; the same question is asked once."""
    return cache(partial(run, five))


@pytest.fixture
def five_and_more(five: tuple[Warehouse, Path], tmp_path: Path) -> tuple[Warehouse, Path]:
    """Provide a copy with two more estimators, which have rows in the seed and in the models."""
    warehouse, new = five
    copy = Warehouse(Path(copyfile(warehouse.path, tmp_path / "poolhouse.duckdb")))
    plan = {node.name: node for node in plan_of({}).relations}
    more = {
        "int_new_run_estimates": """
            union all by name
            select * replace ('from_systems' as estimator, 0.125 as adjustment)
            from given where estimator = 'unadjusted'
        """,
        "int_new_run_topic_adjustments": """
            union all by name
            select * replace ('from_topics' as estimator) from given where estimator = 'sampled'
        """,
    }
    with duckdb.connect(copy.path) as connection:
        connection.execute(
            """
            insert into seeds.estimators
            values
                (0, 'from_systems', 'more', 'pooled runs', true, false, false, null),
                (10, 'from_topics', 'more', 'common topics', true, false, false, null)
            """
        )
        for name, rows in more.items():
            sql = f"with given as ({plan[name].sql}) from given {rows}"
            connection.execute(making(replace(plan[name], sql=sql)))
    return copy, new


@pytest.mark.heavy
def test_another_estimator(five_and_more: tuple[Warehouse, Path]) -> None:
    """An estimator that the seed names, and that a model computes, is shown in the seed's order."""
    done = run(five_and_more, COMMON, "--format", "json")
    rows = rows_of(done)
    names = [name for treatment, name in rows if treatment == "nonrelevant"]
    assert names == [
        "from_systems",
        "unadjusted",
        "webber_park_systems",
        "webber_park_systems_no_substitution",
        "lipani",
        "expected_relevance",
        "mixed",
        "sampled",
        "webber_park_topics",
        "ratio_common_topics",
        "from_topics",
    ]
    from_systems = rows["nonrelevant", "from_systems"]
    assert from_systems["adjusted_score"] == pytest.approx(0.25 + 0.125)
    from_topics, sampled = (rows["nonrelevant", name] for name in ("from_topics", "sampled"))
    assert {**from_topics, "estimator": "sampled"} == sampled
    # A terminal shows each estimator in the table of the estimators with the same requirements.
    systems, *topics = run(five_and_more, COMMON, "--all").stdout.split(" common topics, ")
    assert "from_systems" in systems
    assert "from_topics" not in systems
    assert all("from_topics" in each and "from_systems" not in each for each in topics)


@pytest.mark.heavy
def test_by_hand(ask: Ask) -> None:
    done = ask(COMMON, "--format", "json")
    rows = rows_of(done)
    found = {
        name: (row["adjusted_score"], row["standard_error"])
        for (treatment, name), row in rows.items()
        if treatment == "nonrelevant"
    }
    assert found["unadjusted"] == (pytest.approx(0.25), None)
    assert found["mixed"] == (pytest.approx(0.25 + 0.3 * 2 / 4), None)
    assert found["sampled"] == (pytest.approx(0.6), pytest.approx(math.sqrt(2 / 4 * 0.08 / 2)))
    error = math.sqrt(2 / 4 * 0.02 / 2)
    assert found["webber_park_topics"] == (pytest.approx(0.55), pytest.approx(error))
    # In the four topics, 2, 2, 1 and 1 documents are unjudged, and each weighs 0.2. On the common
    # topics, 0.6 of 0.8 is gained. Their residuals are equal, and so the error is the same. A line
    # needs three topics.
    ratio = found["ratio_common_topics"]
    assert ratio == (pytest.approx(0.25 + 0.6 / 0.8 * 0.3), pytest.approx(math.sqrt(2 / 4 * 0.01)))
    assert "regression_common_topics" not in found
    assert not any(
        name.startswith(("ratio", "regression"))
        for treatment, name in rows
        if treatment == "condensed"
    )
    # means of two draws from 0.4 and 0.8 differ from 0.6 by at most 0.2
    sampled = rows["nonrelevant", "sampled"]
    assert sampled["bootstrap_95_high"] == pytest.approx(0.6 + 0.2 * math.sqrt(2 / 4))
    adjusted = rows["nonrelevant", "webber_park_topics"]
    for name, reach in {
        "normal_68": 0.99445788 * error,
        "normal_95": 1.95996398 * error,
        "t_68": 1.81899325 * error,
        "t_95": 12.70620474 * error,
        # means of two draws from 0.2 and 0.4 differ from 0.3 by at most 0.1; half of the topics are
        # known
        "bootstrap_95": 0.1 * math.sqrt(2 / 4),
    }.items():
        assert adjusted[f"{name}_low"] == pytest.approx(0.55 - reach), name
        assert adjusted[f"{name}_high"] == pytest.approx(0.55 + reach), name
    assert adjusted["has_smaller_adjusted_variance"] is True
    assert adjusted["is_adjustment_beyond_its_error"] is True
    assert (adjusted["n_topics"], adjusted["n_common_topics"]) == (4, 2)
    # the pooled runs have 0.25 each, for d1 in every topic, or less
    assert (adjusted["would_be_rank"], adjusted["n_ranked"]) == (1, 4)
    assert (adjusted["would_be_rank_among_pooled"], adjusted["n_ranked_pooled"]) == (1, 4)
    assert adjusted["upper_bound"] == pytest.approx(0.25 + (1 + 1 + 2 + 2) / 20)
    # in a list of 5, removed documents leave places that nothing fills: the scores are the same
    assert rows["condensed", "webber_park_topics"]["adjusted_score"] == pytest.approx(0.55)
    assert "another judgement in the collection, which counts: 1" in done.stderr
    assert "a regression needs 3 common topics" in done.stderr
    assert "nonrelevant: the adjustment is larger than its standard error: the" in done.stderr
    # sampled is a score that the run cannot get, but it is not the one that is recommended
    assert "nonrelevant: webber_park_topics varies less than sampled: prefer" in done.stderr
    assert {"lipani", "webber_park_systems"} <= {name for _, name in rows}


@pytest.mark.heavy
def test_the_table_fits_a_terminal(ask: Ask) -> None:
    done = ask(COMMON)
    assert "from 2 common topics, unjudged documents left out" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    shown = [line for line in done.stdout.splitlines() if "webber_park_topics" in line]
    assert "0.5500 │ 0.2500 0.5500" in shown[0]


def bounds_of(row: dict[str, object]) -> list[object]:
    """Return the ends of the intervals from common topics."""
    methods = ("t_", "normal_", "bootstrap_")
    return [
        value
        for name, value in row.items()
        if name.startswith(methods) and name.endswith(("_low", "_high"))
    ]


def has_no_interval(row: dict[str, object]) -> bool:
    bounds = bounds_of(row)
    assert len(bounds) == 12
    return not any(value is not None for value in [*bounds, row["standard_error"]])


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("judgements", "remark"),
    [
        (
            "1 0 d4 1\n2 0 d4 1\n",
            "common topic: this is no certainty, so there are no intervals (P@5, P@10",
        ),
        (
            "1 0 d4 0\n2 0 d4 0\n",
            "common topic: this is no certainty, so there are no intervals (P@5, P@10",
        ),
        ("2 0 d4 1\n", "a single common topic says nothing about the others"),
        (ALL_COMMON, "all topics are common"),
    ],
    ids=["alike", "nothing gained", "one", "all"],
)
def test_zero_width_is_no_certainty(ask: Ask, judgements: str, remark: str) -> None:
    done = ask(judgements, "--format", "json")
    row = rows_of(done)["nonrelevant", "webber_park_topics"]
    assert has_no_interval(row)
    assert row["is_adjustment_beyond_its_error"] is None
    assert row["has_smaller_adjusted_variance"] is None
    assert remark in done.stderr


@pytest.mark.heavy
def test_residuals_that_say_nothing(five: tuple[Warehouse, Path]) -> None:
    """On topics 2, 3 and 4, these lists have equal residuals, or none."""
    warehouse, new = five
    judgements = "2 0 d4 1\n3 0 d4 0\n4 0 d5 1\n"
    equal = {"1": ("d4", "d5", "d1"), "2": ("d4", "d1"), "3": ("d4",), "4": ("d5", "d1")}
    nothing = {"1": ("d4", "d1"), "2": ("d1",), "3": ("d1", "d2"), "4": ("d2",)}
    for ranked, fallen_back in ((equal, {"regression"}), (nothing, {"ratio", "regression"})):
        other = new.with_name("other")
        other.write_text(lines_of(ranked))
        done = run((warehouse, other), judgements, "--format", "json")
        rows = {
            name: row
            for (treatment, name), row in rows_of(done).items()
            if treatment == "nonrelevant"
        }
        today = rows["webber_park_topics"]
        for name in ("ratio", "regression"):
            row = rows[f"{name}_common_topics"]
            assert row["is_fallback"] is (name in fallen_back)
            if name in fallen_back:
                for each in ("adjusted_score", "standard_error", "t_95_low", "t_68_high"):
                    assert row[each] == today[each] or row[each] == pytest.approx(today[each])
            said = f"so that {name}_common_topics is webber_park_topics (P@5" in done.stderr
            assert said is (name in fallen_back)
    assert today["adjustment"] == 0


@pytest.mark.heavy
def test_all_topics_common_are_the_true_score(ask: Ask) -> None:
    for (_, name), row in rows_of(ask(ALL_COMMON, "--format", "json")).items():
        if name != "unadjusted" and row["n_common_topics"]:
            assert row["adjusted_score"] == pytest.approx((0.4 + 0.6 + 0.4 + 0.2) / 4)


@pytest.mark.heavy
def test_an_estimate_outside_the_bounds_is_marked_where_it_stands(ask: Ask) -> None:
    """On the judged topics, the run scores 0.2; on all topics, it scores at least 0.25."""
    judgements = "3 0 d4 0\n4 0 d5 0\n"
    done = ask(judgements, "--format", "json")
    rows = json.loads(done.stdout)
    outside = {(r["unjudged"], r["estimator"]) for r in rows if r["is_outside_bounds"]}
    assert outside == {("nonrelevant", "sampled"), ("condensed", "sampled")}
    row = rows_of(done)["nonrelevant", "sampled"]
    assert (row["adjusted_score"], row["lower_bound"]) == (pytest.approx(0.2), pytest.approx(0.25))
    assert (
        "sampled is a score that the run cannot get, and counts as the nearest one" in done.stderr
    )
    lines = ask(judgements).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    marked = [line for line in lines if "below" in line]
    assert len(marked) == sum(row["is_outside_bounds"] for row in rows)
    assert all("sampled" in line for line in marked)
    assert "sampled             │ 0.2500 │" in marked[0]  # the lower bound, in place of 0.2


@pytest.mark.heavy
def test_a_score_that_the_run_cannot_get_is_not_recommended(ask: Ask) -> None:
    """The run gains 0.4, 0.4 and 0.2 on three topics, and 0.3 is the most on all of them."""
    judgements = "1 0 d4 1\n1 0 d5 1\n2 0 d4 1\n2 0 d5 1\n3 0 d4 1\n"
    rows = rows_of(ask(judgements, "--format", "json"))
    adjusted = rows["nonrelevant", "webber_park_topics"]
    assert (adjusted["is_outside_bounds"], adjusted["is_adjustment_beyond_its_error"]) == (
        True,
        True,
    )
    assert adjusted["adjusted_score"] == pytest.approx(0.25 + 1 / 3)
    assert adjusted["clipped_score"] == pytest.approx(0.55)
    assert adjusted["t_95_low"] == pytest.approx(0.25 + 1 / 3 - 4.30265273 / 30)
    shown = ask(judgements)
    lines = [line for line in shown.stdout.splitlines() if "webber_park_topics" in line]
    assert "│ 0.5500 │ 0.4399 0.5500 │    1 │ above │" in lines[0]
    recommended = ("the adjusted score is better", "prefer webber_park_topics", "prefer sampled")
    for line in shown.stderr.splitlines():
        assert "P@5" not in line or not any(words in line for words in recommended)


# Documents that the qrels judge.
SETTLED = {"1": "d1 d2 d3", "2": "d1 d3 d2", "3": "d2 d1 d3", "4": "d2 d3"}


@pytest.mark.heavy
@pytest.mark.parametrize(
    "judgements",
    ["1 0 d4 1\n", "1 0 d4 1\n2 0 d4 0\n", "".join(f"{t} 0 d4 1\n" for t in TOPICS)],
    ids=["one topic", "two topics", "all topics"],
)
def test_a_score_of_which_nothing_is_unjudged_stands(
    five: tuple[Warehouse, Path], judgements: str, tmp_path: Path
) -> None:
    """The sample of topics would give an adjustment, because its scores differ in each topic."""
    new = tmp_path / "new"
    new.write_text(lines_of({topic: documents.split() for topic, documents in SETTLED.items()}))
    done = run((five[0], new), judgements, "--format", "json")
    rows = json.loads(done.stdout)
    assert {row["n_unjudged"] for row in rows} == {0}
    assert {row["unjudged"] for row in rows} == {"nonrelevant", "condensed"}
    for row in rows:
        score = row["unadjusted_score"]
        assert row["adjusted_score"] == score
        assert row["adjustment"] == 0
        if row["n_common_topics"] is not None:
            assert row["standard_error"] == 0
            assert set(bounds_of(row)) == {score}
            assert row["has_smaller_adjusted_variance"] is None
            assert row["is_adjustment_beyond_its_error"] is None
    line = {"regression_common_topics"} if len(judgements.splitlines()) > len("12") else set()
    assert {row["estimator"] for row in rows if row["n_common_topics"]} == line | {
        *("unadjusted", "mixed", "sampled", "webber_park_topics", "ratio_common_topics")
    }
    assert {row["is_fallback"] for row in rows} == {None}
    assert (
        "none of the run's top documents is unjudged, so that every estimate is the score"
        in done.stderr
    )
    for words in (
        "no certainty",
        "says nothing about the others",
        "all topics are common",
        "prefer",
        "is webber_park_topics",
        "a regression needs",
    ):
        assert words not in done.stderr


@pytest.mark.heavy
def test_what_says_nothing_is_counted(ask: Ask) -> None:
    """The counts are of topics that are not judged, lines without judgement, unknown documents."""
    judgements = COMMON + "9 0 d1 1\n3 0 d4 -1\n4 0 unknown -2\n2 0 nobody 1\nbad\n1 0 d4\n"
    done = ask(judgements, "--format", "json")
    expected = rows_of(ask(COMMON, "--format", "json"))
    found = rows_of(done)
    for key, row in expected.items():
        assert found[key] == pytest.approx(row, nan_ok=True), key
    assert "topics judged for the run, but not in the collection: 1" in done.stderr
    assert "common: 2 of 11 lines rejected" in done.stderr


@pytest.mark.heavy
def test_what_is_left_open_on_common_topics_is_said(ask: Ask) -> None:
    done = ask("1 0 d4 1\n2 0 d5 1\n", "--format", "json")
    assert rows_of(done)["nonrelevant", "sampled"]["n_common_unjudged"] == 2
    assert "that nobody judged count as not relevant: 2 by P@5" in done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("judgements", "message"),
    [
        ("9 0 d1 1\n", "no topic is common"),
        ("1 0 d4 -1\n", "no topic is common"),
        ("", "holds no judgement"),
        ("1 0 d4 high\n", "holds no judgement"),
        ("1 0 d4 3000000000\n", "holds no judgement"),
    ],
)
def test_a_file_that_says_nothing(ask: Ask, judgements: str, message: str) -> None:
    done = ask(judgements)
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"query": ["1"], "docno": ["d4"]}), "there is no column 'grade'"),
        (pl.DataFrame({"query": ["1"], "docno": ["d4"], "grade": ["x"]}), "common topics: "),
        (pl.DataFrame({"query": ["1"], "docno": ["d4"], "grade": [None]}), "a row without a grade"),
        (
            pl.DataFrame({"query": [None], "docno": ["d4"], "grade": [1]}),
            "a row without a topic or a document",
        ),
    ],
)
def test_a_frame_that_holds_no_judgements(
    five: tuple[Warehouse, Path], frame: pl.DataFrame, message: str
) -> None:
    new = pl.DataFrame({"query": ["1"], "docno": ["d4"], "score": [1.0]})
    with pytest.raises(PoolhouseError, match=message):
        adjust(five[0], "five", new, common_topics=frame)


# -- Random collections ---------------------------------------------------------------------------

# In the first, three topics are common: a line needs them.
SEEDS = (18, 12, 25, 36)


@dataclass(frozen=True)
class JudgedRun:
    """A run that was left out of its collection, and judged on some topics."""

    run: str
    whole: Reference
    rest: Reference
    common: dict[str, dict[str, int]]


@pytest.fixture(scope="module", params=only_many(SEEDS))
def judged_runs(request: pytest.FixtureRequest) -> list[JudgedRun]:
    return list(draw_runs(request.param))


def draw_runs(seeds: Iterable[int]) -> Iterator[JudgedRun]:
    for seed in seeds:
        draw = Random(seed)  # noqa: S311 - nothing is secret
        whole = Reference(Generator(seed).collection())
        run_id = whole.pooled_runs[0]
        rankings = whole.rankings[run_id]
        common = {
            topic: {
                document: draw.choice((-1, 0, 0, 1, 2))
                for document in [*ranking, "nobody-returned-this"]
                if draw.random() < 0.8
            }
            for topic, ranking in draw.sample(sorted(rankings.items()), len(rankings) // 2)
        }
        yield JudgedRun(run_id, whole, Reference(without(whole, run_id)), common)


@pytest.fixture(scope="module")
def built(
    judged_runs: list[JudgedRun],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("judged")
    collections = (each.rest.collection for each in judged_runs)
    yield from kept_open(only_built(collections, new_warehouse(folder), folder))


@pytest.mark.heavy
def test_no_view_breaks_its_tests(built: Warehouse) -> None:
    with_tested_views(built)


def test_estimates_are_those_worked_the_long_way(
    judged_runs: list[JudgedRun], built: Warehouse
) -> None:
    n_compared = 0
    for each in judged_runs:
        frame = as_frame(each.whole.collection.runs[each.run])
        common = pl.DataFrame(
            [(topic, doc, g) for topic, grades in each.common.items() for doc, g in grades.items()],
            schema=["query", "docno", "grade"],
            orient="row",
        )
        scores = adjust(built, each.rest.collection.name, frame, each.run, common).scores
        from_topics = scores.filter(pl.col("n_common_topics").is_not_null())
        for (measure, unjudged), rows in from_topics.group_by("measure", "unjudged"):
            found = {row["estimator"]: row for row in rows.iter_rows(named=True)}
            for name, values in expected_rows(each, str(measure), str(unjudged)).items():
                for column, value in values.items():
                    actual = found[name][column]
                    assert actual == (None if value is None else pytest.approx(value)), (
                        each.run,
                        measure,
                        unjudged,
                        name,
                        column,
                    )
                    n_compared += value is not None
    assert n_compared > 75 * len(judged_runs)


def expected_rows(
    each: JudgedRun, measure: str, unjudged: str
) -> dict[str, dict[str, float | None]]:
    threshold = each.rest.collection.threshold
    unpooled, true = {}, {}
    for topic, ranking in each.whole.rankings[each.run].items():
        grades = {doc: g for (t, doc), g in each.rest.grades.items() if t == topic}
        unpooled[topic] = score_of(measure, ranking, grades, threshold, unjudged)
        own = {doc: g for doc, g in each.common.get(topic, {}).items() if g >= 0}
        if own:
            known = {doc: g for doc, g in grades.items() if g >= 0}
            true[topic] = score_of(measure, ranking, own | known, threshold, "nonrelevant")
    deltas = [true[topic] - unpooled[topic] for topic in sorted(true)]
    n_all, n_common = len(unpooled), len(true)
    left = (n_all - n_common) / n_all
    error = math.sqrt(left * statistics.variance(deltas) / n_common)
    sampled_error = math.sqrt(left * statistics.variance(true.values()) / n_common)
    plain, gain = mean(unpooled.values()), mean(deltas)
    adjusted: dict[str, float | None] = {
        "adjusted_score": plain + gain,
        "standard_error": error if error > 1e-9 else None,
    }
    if error > 1e-9:
        adjusted["normal_95_low"] = plain + gain - 1.959963985 * error
    by_residuals = {}
    if unjudged == "nonrelevant":
        by_residuals = expected_by_residuals(
            plain, true, unpooled, residuals_of(each, measure), adjusted
        )
    return by_residuals | {
        "unadjusted": {"adjusted_score": plain},
        "mixed": {"adjusted_score": mean((unpooled | true).values())},
        "sampled": {
            "adjusted_score": mean(true.values()),
            "standard_error": sampled_error if sampled_error > 1e-9 else None,
        },
        "webber_park_topics": adjusted,
    }


def residuals_of(each: JudgedRun, measure: str) -> dict[str, float]:
    """Score each list as if its unjudged documents, and no others, were relevant."""
    return {
        topic: score_of(
            measure,
            ranking,
            {doc: 1 for doc in ranking if each.rest.grades.get((topic, doc), -1) < 0},
            1,
            "nonrelevant",
        )
        for topic, ranking in each.whole.rankings[each.run].items()
    }


def expected_by_residuals(
    plain: float,
    true: dict[str, float],
    unpooled: dict[str, float],
    residuals: dict[str, float],
    today: dict[str, float | None],
) -> dict[str, dict[str, float | None]]:
    """Return the estimates by Cochran's formulas (Sampling Techniques, chapters 6 and 7)."""
    common = sorted(true)
    gains = [true[topic] - unpooled[topic] for topic in common]
    x = [residuals[topic] for topic in common]
    n, mean_residual = len(common), mean(residuals.values())
    left = (1 - n / len(unpooled)) / n
    fallen_back = today | {"is_fallback": True}
    rows = {"ratio_common_topics": fallen_back}
    if sum(x) > 1e-9:
        ratio = sum(gains) / sum(x)
        about = [gain - ratio * each for gain, each in zip(gains, x, strict=True)]
        rows["ratio_common_topics"] = with_interval(
            plain + ratio * mean_residual,
            math.sqrt(left * sum(each**2 for each in about) / (n - 1)),
            n - 1,
        )
    if n > 2:
        rows["regression_common_topics"] = fallen_back
        if max(x) - min(x) > 1e-9:
            slope, intercept = statistics.linear_regression(x, gains)
            about = [g - intercept - slope * each for g, each in zip(gains, x, strict=True)]
            rows["regression_common_topics"] = with_interval(
                plain + intercept + slope * mean_residual,
                math.sqrt(left * sum(each**2 for each in about) / (n - 2)),
                n - 2,
            )
    return rows


def with_interval(score: float, error: float, degrees_of_freedom: int) -> dict[str, float | None]:
    has_error = error > 1e-9
    width = quantile_of_t("95", degrees_of_freedom) * error
    return {
        "adjusted_score": score,
        "standard_error": error if has_error else None,
        "normal_95_low": score - 1.959963985 * error if has_error else None,
        "t_95_low": score - width if has_error else None,
        "is_fallback": False,
    }


# -- Declared of a loaded run ---------------------------------------------------------------------


@pytest.mark.heavy
def test_common_topics_of_a_loaded_run(
    five: tuple[Warehouse, Path], ask: Ask, tmp_path: Path
) -> None:
    """The question has the rows of `adjust`; another load replaces them, a removal deletes them."""
    warehouse = Warehouse(Path(copyfile(five[0].path, tmp_path / "poolhouse.duckdb")))
    new, common = five[1], tmp_path / "common"
    common.write_text(f"{COMMON}bad\n")
    adjusted = ask(COMMON, "--format", "json")
    settled, of_settled = tmp_path / "settled", tmp_path / "common-of-settled"
    settled.write_text(lines_of({topic: ranked.split() for topic, ranked in SETTLED.items()}))
    of_settled.write_text("1 0 d4 1\n2 0 d5 1\n")
    files = ("--runs", new, "--common-topics", "new", common)
    more = ("--runs", settled, "--common-topics", "settled", of_settled)
    done = invoke_on(warehouse, "load", "five", *files, *more)
    assert done.exit_code == 0, done.output
    assert "4 files loaded" in done.stderr
    assert "common: 1 of 6 lines rejected" in done.stderr
    # the run is built together with another collection, whose topics and documents have equal
    # numbers
    load_collection(warehouse, write_collection(tmp_path / "another"))
    build(warehouse)
    estimates = question("webber_park_estimates")
    estimates = f"select * from {estimates} where measure = 'P@5' and run_id = '{{}}'"
    of_new = estimates.format("new")
    rows = {(row["unjudged"], row["estimator"]): row for row in frame_of(warehouse, of_new)}
    of_all = ("unadjusted", "mixed", "sampled", "webber_park_topics")
    assert set(rows) == {
        *((unjudged, each) for unjudged in ("condensed", "nonrelevant") for each in of_all),
        ("nonrelevant", "ratio_common_topics"),
    }
    expected = rows_of(adjusted)["nonrelevant", "webber_park_topics"]
    by_ratio = math.sqrt(2 / 4 * 0.02 / 2)
    told: dict[str, dict[str, object]] = {
        "webber_park_topics": {
            **{each: expected[each] for each in ("n_topics", "n_common_topics", "adjusted_score")},
            **{each: expected[each] for each in ("t_68_low", "t_68_high", "t_95_low", "t_95_high")},
            "standard_error": expected["standard_error"],
            "unadjusted_score": 0.25,
            "has_smaller_adjusted_variance": True,
            "is_adjustment_beyond_its_error": True,
        },
        "unadjusted": {"adjusted_score": 0.25, "standard_error": None},
        "mixed": {"adjusted_score": 0.4},
        "sampled": {"adjusted_score": 0.6, "standard_error": math.sqrt(2 / 4 * 0.08 / 2)},
        "ratio_common_topics": {
            "adjusted_score": 0.25 + 0.6 / 0.8 * 0.3,
            "standard_error": by_ratio,
            "t_95_low": 0.475 - 12.70620474 * by_ratio,
            "is_fallback": False,
        },
    }
    for estimator, values in told.items():
        for name, value in values.items():
            assert rows["nonrelevant", estimator][name] == pytest.approx(value), (estimator, name)
    of_settled_run = frame_of(warehouse, estimates.format("settled"))
    assert len({row["estimator"] for row in of_settled_run}) > len(of_all)
    for row in of_settled_run:
        ends = (row[f"t_{end}"] for end in ("68_low", "68_high", "95_low", "95_high"))
        assert {row["unadjusted_score"]} == {row["adjusted_score"], *ends}
        assert (row["standard_error"], row["n_unjudged"]) == (0, 0)
        assert row["is_adjustment_beyond_its_error"] is None
    assert not [row for row in frame_of(warehouse, LOADED) if row["n"] == 0]
    again = invoke_on(warehouse, "load", "five", "--common-topics", "new", common)
    assert "nothing new" in again.stderr
    common.write_text("1 0 d4 1\n2 0 d4 1\n")
    assert invoke_on(warehouse, "load", "five", "--common-topics", "new", common).exit_code == 0
    build(warehouse)
    errors = {row["estimator"]: row["standard_error"] for row in frame_of(warehouse, of_new)}
    assert errors["webber_park_topics"] is None
    assert invoke_on(warehouse, "check").exit_code == 0
    removed = invoke_on(warehouse, "remove", "five", "--run", "new", "--run", "settled")
    assert removed.exit_code == 0
    assert frame_of(warehouse, "select * from raw.common_judgements") == []


LOADED = "select count(*) as n from raw.common_judgements union all select count(*) from dim_runs"


@pytest.mark.heavy
def test_common_topics_of_a_run_that_is_not_loaded(
    five: tuple[Warehouse, Path], tmp_path: Path
) -> None:
    warehouse = Warehouse(Path(copyfile(five[0].path, tmp_path / "poolhouse.duckdb")))
    common = tmp_path / "common"
    common.write_text(COMMON)
    done = invoke_on(warehouse, "load", "five", "--common-topics", "x'y", common)
    assert done.exit_code == 1
    assert "run \"x'y\" is not in collection 'five'" in done.stderr


def frame_of(warehouse: Warehouse, query: str) -> list[dict[str, object]]:
    result = run_query(warehouse, query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]
