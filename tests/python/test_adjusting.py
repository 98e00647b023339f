"""Test scores, bounds, estimates and would-be ranks of runs that are not in the warehouse."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from statistics import mean

import duckdb
import polars as pl
import pytest
from attrs import evolve
from click.testing import Result

from asking import invoke_on
from built_collections import load_together, only_built, only_many, with_tested_views
from conftest import NewWarehouse, names_beside, state_of, write_toy_files
from left_out import as_frame, without
from measures_reference import TREATMENTS
from page import write_collection
from poolhouse.building.build import build
from poolhouse.loading.keeping import keep_run
from poolhouse.loading.line_files import parse_run_file
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import SourceFile
from poolhouse.loading.request import LoadRequest
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference, rank_among

# Seeds of random collections. Their pools are by score, by line and by rank, declared and inferred.
# In one a topic loses every judgement, one has runs that are longer than the largest cutoff, and no
# pooled run but one, and one has a run without unjudged documents.
SEEDS = (41, 46, 93, 5, 8, 13, 48)
# No list of these collections is as long.
LONGEST = 10_000


@dataclass(frozen=True)
class LeftOut:
    """A run that was taken out of its collection, and the collection with it and without it."""

    run: str
    whole: Reference
    rest: Reference


@pytest.fixture(scope="module", params=only_many(SEEDS))
def left_out(request: pytest.FixtureRequest) -> list[LeftOut]:
    return [taken_out(seed) for seed in request.param]


def taken_out(seed: int) -> LeftOut:
    """Take a pooled run out that has the depth of its collection: a new run has no other."""
    whole = Reference(Generator(seed).collection())
    run = next(run for run in whole.pooled_runs if whole.depth(run) == whole.pool_depth)
    return LeftOut(run, whole, Reference(without(whole, run)))


@pytest.fixture(scope="module")
def built(
    left_out: list[LeftOut], new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Warehouse:
    folder = tmp_path_factory.mktemp("adjusting")
    collections = (each.rest.collection for each in left_out)
    return only_built(collections, new_warehouse(folder), folder)


@pytest.mark.heavy
def test_no_view_breaks_its_tests(built: Warehouse) -> None:
    with_tested_views(built)


Adjusted = list[tuple[LeftOut, pl.DataFrame]]


@pytest.fixture(scope="module")
def adjusted(left_out: list[LeftOut], built: Warehouse) -> Adjusted:
    """Adjust each run that was left out."""
    return [
        (
            each,
            adjust(
                built,
                each.rest.collection.name,
                as_frame(each.whole.collection.runs[each.run]),
                each.run,
            ).scores,
        )
        for each in left_out
    ]


def with_bounds(scores: pl.DataFrame) -> pl.DataFrame:
    """Select the measures whose bias is estimated."""
    return scores.filter(pl.col("upper_bound").is_not_null())


@pytest.mark.parametrize("unjudged", TREATMENTS)
def test_a_run_left_out_of_the_pool_is_a_new_run(unjudged: str, adjusted: Adjusted) -> None:
    """The run's estimates equal the marts' estimates, which the reference computes by brute force.

    A score that no unjudged document can change is the exception: it stays as it is. Expected
    relevance is another, of which the marts have no rows of level run.
    """
    n_adjusted = n_settled = 0
    for each, all_scores in adjusted:
        expected = {
            (key[4], key[6]): row
            for key, row in each.whole.fct_adjusted_scores.items()
            if (*key[1:4], key[5]) == (each.run, "run", "all", unjudged)
        }
        scores = with_bounds(all_scores).filter(unjudged=unjudged)
        found = {
            (row["measure"], row["estimator"]): row
            for row in scores.iter_rows(named=True)
            if row["estimator"] != "expected_relevance"
        }
        assert found.keys() == expected.keys()
        for key, row in found.items():
            wanted = expected[key]["adjustment"] if row["n_unjudged"] else 0
            assert row["adjustment"] == pytest.approx(wanted, rel=0, abs=1e-9), (each.run, key)
            n_adjusted += bool(wanted)
            n_settled += row["n_unjudged"] == 0 and expected[key]["adjustment"] != 0
    assert n_adjusted > 15
    assert n_settled > 3


def test_the_expected_relevance_of_a_run_left_out(adjusted: Adjusted) -> None:
    """The run is an organization of its own, and every judgement that is left is judged."""
    n_adjusted = n_uncertain = n_settled = n_untold = 0
    for each, of_all_measures in adjusted:
        all_scores = with_bounds(of_all_measures)
        estimates = each.rest.expected_relevance
        run = each.rest.outside(each.whole.rankings[each.run], each.whole.pooling[each.run])
        scores = all_scores.filter(estimator="expected_relevance")
        measures = all_scores["measure"].unique().to_list() if each.rest.pooled_runs else []
        assert sorted(scores["measure"]) == sorted(measures)
        assert scores["unjudged"].unique().to_list() in ([], ["nonrelevant"])
        for row in scores.iter_rows(named=True):
            adjustment = estimates.adjustment(run, row["measure"]) if row["n_unjudged"] else 0
            assert row["adjustment"] == pytest.approx(adjustment, rel=0, abs=1e-9), each.run
            for confidence in ("68", "95"):
                ends = estimates.interval(run, row["measure"], confidence)
                if ends is not None and not row["n_unjudged"]:
                    ends = 0.0, 0.0
                found = [row[f"ci_{confidence}_{end}"] for end in ("low", "high")]
                if ends is None:
                    assert found == [None, None]
                else:
                    wanted = [row["unadjusted_score"] + end for end in ends]
                    assert found == pytest.approx(wanted, rel=0, abs=1e-9), each.run
            n_untold += ends is None
            n_adjusted += adjustment > 0
            n_uncertain += bool(ends and ends[1] > ends[0])
            n_settled += row["n_unjudged"] == 0
    assert min(n_adjusted, n_uncertain) > 5
    assert min(n_settled, n_untold) > 3


def test_unadjusted_scores_and_bounds_are_those_of_the_measures(adjusted: Adjusted) -> None:
    n_outside = n_without_bounds = 0
    for each, scores in adjusted:
        topics = each.whole.rankings[each.run]
        for row in scores.iter_rows(named=True):
            measure, cutoff = row["measure"], int(row["measure"].partition("@")[2] or LONGEST)
            score, plain = (
                each.whole.run_scores(measure, "without_run", treatment)[each.run,]["score"]
                for treatment in (row["unjudged"], "nonrelevant")
            )
            unjudged = {(t, doc) for t, ranking in topics.items() for doc in ranking}
            unjudged -= set(each.rest.judged)
            assert row["unadjusted_score"] == pytest.approx(score)
            assert (row["n_topics"], row["n_judged_topics"]) == (len(topics), len(each.rest.topics))
            top = [(t, doc) for t, ranking in topics.items() for doc in ranking[:cutoff]]
            n_unjudged = sum(pair in unjudged for pair in top)
            assert (row["n_top_documents"], row["n_unjudged"]) == (len(top), n_unjudged)
            if row["upper_bound"] is None:
                n_without_bounds += 1
                continue
            residual, residual_if_pooled = (
                mean(
                    each.whole.weigh(each.run, topic, measure, documents.__contains__)
                    for topic in topics
                )
                for documents in (unjudged, unjudged & each.whole.top(each.run))
            )
            assert isinstance(plain, float)
            assert row["lower_bound"] == pytest.approx(plain)
            assert row["upper_bound"] == pytest.approx(plain + residual)
            most = row["upper_bound_if_pooled"]
            assert most == pytest.approx(plain + residual_if_pooled)
            assert row["lower_bound"] <= row["clipped_score"] <= most <= row["upper_bound"] + 1e-9
            assert row["adjusted_score"] == row["unadjusted_score"] + row["adjustment"]
            beyond = (row["adjusted_score"] - most, row["lower_bound"] - row["adjusted_score"])
            assert row["is_outside_bounds"] == (max(beyond) > 1e-9)
            n_outside += row["is_outside_bounds"]
    assert n_outside > 0
    assert n_without_bounds > 20


def test_the_rank_is_that_among_the_other_runs(adjusted: Adjusted) -> None:
    n_mixed = 0
    for each, of_run in adjusted:
        for row in of_run.iter_rows(named=True):
            scores = each.rest.run_scores(row["measure"], "full", "nonrelevant")
            others = [value["score"] for value in scores.values() if value["score"] is not None]
            assert row["would_be_rank"] == rank_among(row["clipped_score"], others)  # type: ignore[arg-type]
            assert row["n_ranked"] == 1 + len(others)
            pooled = [
                value["score"]
                for (run_id, *_), value in scores.items()
                if value["score"] is not None and run_id in each.rest.pooled_runs
            ]
            if pooled:
                place = rank_among(row["clipped_score"], pooled)  # type: ignore[arg-type]
                assert row["would_be_rank_among_pooled"] == place
                assert row["n_ranked_pooled"] == 1 + len(pooled)
            else:
                assert row["would_be_rank_among_pooled"] is row["n_ranked_pooled"] is None
            n_mixed += 0 < len(pooled) < len(others)
    assert n_mixed > 0


# -- On a page ------------------------------------------------------------------------------------

NEW = "1 Q0 d3 1 9 new\n1 Q0 d7 2 8 new\n1 Q0 d1 3 7 new\n2 Q0 d1 1 1 new\n"


@pytest.fixture
def new_run(tmp_path: Path) -> Path:
    file = tmp_path / "input.new.run"
    file.write_text(NEW)
    return file


def run(file: Path, warehouse: Warehouse, *options: str, collection: str = "page") -> Result:
    return invoke_on(warehouse, "adjust", file, "--collection", collection, *options)


@pytest.fixture(scope="module")
def plain(page: Warehouse) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Provide the rows of the new run, and what they give."""
    frame = parse_run_file(SourceFile(Path("input.new.run"), NEW.encode())).rows
    return frame, adjust(page, "page", frame).scores


# All three documents are judged; d1 and d4 are relevant.
SETTLED = "1 Q0 d1 1 9 t\n1 Q0 d4 2 8 t\n1 Q0 d2 3 7 t\n"


@pytest.mark.heavy
def test_a_score_of_which_nothing_is_unjudged_stands(page: Warehouse, tmp_path: Path) -> None:
    """No adjustment is made, although the pooled runs lose something when they are left out."""
    file = tmp_path / "settled"
    file.write_text(SETTLED)
    done = run(file, page, "--format", "json")
    rows = json.loads(done.stdout)
    assert {row["estimator"] for row in rows} > {"webber_park_systems", "lipani"}
    for row in rows:
        assert (row["n_unjudged"], row["adjustment"]) == (0, 0)
        assert row["adjusted_score"] == row["unadjusted_score"] > 0
        assert row["is_outside_bounds"] is False
    assert "so that every estimate is the score: AP, Bpref, P@5" in done.stderr


@pytest.mark.heavy
def test_the_table_fits_a_terminal(page: Warehouse, new_run: Path) -> None:
    done = run(new_run, page)
    assert done.exit_code == 0, done.output
    assert "new on 1 topic of page" in done.stdout
    assert "0.4000 to 0.6000" in done.stdout
    assert "webber_park_systems" not in done.stdout
    in_full = run(new_run, page, "--all")
    assert "webber_park_systems_no_substitution" in in_full.stdout
    for each in (done, in_full):
        assert max(map(len, each.stdout.splitlines())) <= 80


@pytest.mark.heavy
def test_csv_is_the_frame_and_nothing_is_written(
    page: Warehouse, new_run: Path, plain: tuple[pl.DataFrame, pl.DataFrame]
) -> None:
    before = state_of(page.path), names_beside(page)
    _, frame = plain
    done = run(new_run, page, "--format", "csv")
    # a column without any value has no type in CSV
    found = pl.read_csv(io.StringIO(done.stdout), schema_overrides=frame.schema)
    assert found.equals(frame)
    assert (state_of(page.path), names_beside(page)) == before


@pytest.mark.heavy
def test_order_and_other_columns_do_not_matter(
    page: Warehouse, plain: tuple[pl.DataFrame, pl.DataFrame]
) -> None:
    """A repeated document counts at its best score; the ranks in the file do not count."""
    frame, scores = plain
    again = frame.select("docno", "query", score=pl.col("score") - 5, rank=pl.lit(1))
    shuffled = pl.concat([again, frame.select("docno", "query", "score", "rank")]).sort("docno")
    assert adjust(page, "page", shuffled.with_columns(extra=pl.lit("x"))).scores.equals(scores)
    only = frame.select(pl.col("query").cast(pl.Int64), "docno", pl.col("score").cast(pl.Float32))
    assert adjust(page, "page", only).scores.equals(scores)


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["nowhere", "page' or true --", "", "{page}"])
def test_a_collection_that_is_not_there(page: Warehouse, new_run: Path, name: str) -> None:
    done = run(new_run, page, collection=name)
    assert done.exit_code == 1
    assert "is not in the warehouse (loaded: page)" in done.stderr


@pytest.mark.heavy
def test_a_collection_that_is_not_built_as_it_is_loaded(
    loaded: Warehouse, built_once: tuple[Path, LoadRequest, Warehouse], new_run: Path
) -> None:
    done = run(new_run, loaded, collection="toy")
    assert done.exit_code == 1
    assert "'toy' is not built yet: run poolhouse build" in done.stderr
    copy, request, _ = built_once
    changed = Warehouse(Path(copyfile(copy, new_run.with_name("changed.duckdb"))))
    load_collection(changed, evolve(request, runs=(*request.runs, new_run)))
    done = run(new_run, changed)
    assert done.exit_code == 1
    assert "'page' is changed since the build: run poolhouse build first" in done.stderr


def test_a_pooled_run_is_no_new_one(built_once: tuple[Path, LoadRequest, Warehouse]) -> None:
    _, request, warehouse = built_once
    done = run(request.run_files[0], warehouse)
    assert done.exit_code == 1
    assert "'a1' is one of the pooled runs of 'page'" in done.stderr
    assert "fct_adjusted_scores" in done.stderr


@pytest.mark.heavy
def test_judgements_outside_the_pool_are_said(
    built_once: tuple[Path, LoadRequest, Warehouse], new_run: Path
) -> None:
    """At first, the pool explains every judgement; later only one of eight, which is irrelevant."""
    about = "of the relevant documents: every estimate is blind to these documents"
    assert about not in run(new_run, built_once[2]).stderr
    copy = Warehouse(Path(copyfile(built_once[0], new_run.with_name("copy.duckdb"))))
    with duckdb.connect(str(copy.path)) as connection:
        connection.execute(
            """
            update intermediate.int_outside_pool
            set share_judged_outside_pool = 1 / 8, share_relevant_outside_pool = null
            """
        )
    said = " ".join(run(new_run, copy, "--format", "csv").stderr.split())
    of_documents = f"12.5% of the judged documents and 0.0% {about}"
    assert f"no loaded run of the pool contributed {of_documents}" in said


def test_common_topics_say_what_is_taken_for_granted(page: Warehouse) -> None:
    """The assumptions stand beside the rows for machines, and do not change them."""
    asked = ("common-topics", "--collection", "page", "--standard-error", "0.01")
    done = invoke_on(page, *asked, "--format", "json")
    assert len(json.loads(done.stdout)) == 36  # two levels, six measures, three estimators
    assert "call inferring from systems to a new system doubtful" in " ".join(done.stderr.split())


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no ranked document"),
        ("1 Q0 d1 1 high new\n", "holds no ranked document"),
        ("7 Q0 d1 1 5 new\n", "answers no topic that is judged in 'page'"),
    ],
)
def test_a_file_that_is_no_run(page: Warehouse, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "bad"
    file.write_text(content)
    done = run(file, page)
    assert done.exit_code == 1
    assert message in done.stderr
    missing = run(tmp_path / "missing", page)
    assert (missing.exit_code, missing.stdout) == (1, "")


def test_a_folder_is_no_run(built_once: tuple[Path, LoadRequest, Warehouse]) -> None:
    folder = built_once[1].run_files[0].parent
    done = run(folder, built_once[2])
    assert done.exit_code == 2
    assert "holds 3 runs: name one of them" in done.stderr


@pytest.mark.heavy
def test_rejected_lines_are_reported(page: Warehouse, new_run: Path) -> None:
    new_run.write_text(f"{NEW}1 Q0 d9 4 nan new\n")
    done = run(new_run, page)
    assert done.exit_code == 0
    assert "input.new.run: 1 of 5 lines rejected, line 5: score not a finite" in done.stderr


@pytest.fixture(scope="module")
def not_pooled(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide the toy collection without pooled runs, and a collection whose names are hostile."""
    folder = tmp_path_factory.mktemp("not_pooled")
    files = write_toy_files(folder / "toy")
    files.descriptions.write_text("run,organization,pooled\nblue.1,sky,no\n")
    warehouse = new_warehouse(folder)
    hostile = evolve(write_collection(folder / "page"), collection="o'page; --")
    load_together(warehouse, (files.request(), hostile))
    build(warehouse)
    return warehouse


@pytest.mark.heavy
def test_where_no_run_was_pooled_nothing_is_estimated(
    not_pooled: Warehouse, tmp_path: Path
) -> None:
    file = tmp_path / "blue.1"
    file.write_text("1 Q0 D1 1 1 new\n")
    done = run(file, not_pooled, "--format", "json", collection="toy")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert {row["estimator"] for row in rows} == {"unadjusted"}
    assert len(rows) == 2 * 6 + 9  # treatments times measures, and measures without bounds
    # blue.1 is itself a loaded run: two other runs remain
    assert {row["n_ranked"] for row in rows} == {3}
    pooled = ("would_be_rank_among_pooled", "n_ranked_pooled")
    assert {row[column] for row in rows for column in pooled} == {None}
    shown = run(file, not_pooled, collection="toy")
    assert "place among 2 other runs (no pooled run is known)" in " ".join(shown.stdout.split())
    assert "0.2000 to 0.2000" in shown.stdout
    assert "no run was pooled: there is nothing to learn" in done.stderr
    assert "answers 1 of 2 judged topics" in done.stderr
    assert "blue.1 is loaded, not pooled" in done.stderr


@pytest.mark.heavy
def test_hostile_names_are_values(not_pooled: Warehouse, new_run: Path) -> None:
    file = new_run.rename(new_run.with_name("'); drop table x; --"))
    done = run(file, not_pooled, collection="o'page; --")
    assert done.exit_code == 0, done.output
    assert "'); drop table x; -- on 1 topic of o'page; --" in done.stdout


def test_the_macro_takes_any_table(page: Warehouse) -> None:
    """The table is as another client of SQL may have it: other types, no ranks, no lines."""
    with page.read() as connection:
        connection.execute(
            "create temp table mine as select 1 as query, 'd' || n as docno, -n as score "
            "from range(1, 9) as listed (n)"
        )
        found = connection.execute(
            "select unadjusted_score, n_unjudged from adjusted_scores('page', 'mine') "
            "where measure = 'P@5' and unjudged = 'nonrelevant' and estimator = 'unadjusted'"
        ).fetchall()
        assert found == [(0.6, 1)]


# Faults of the tables or of the arguments: a call, and its message.
REFUSED = {
    "adjusted_scores('nowhere', 'mine')": "no collection is built with the name nowhere",
    "adjusted_scores(null, 'mine')": "no collection is built with the name null",
    "adjusted_scores('page', 'missing')": "Table with name missing does not exist",
    "adjusted_scores('page', null)": "NULL",
    "adjusted_scores('page', 'topic_doc')": 'column named "query"',
    "adjusted_scores('page', 'no_score')": 'column named "score"',
    "adjusted_scores('page', 'gap')": "a row without a query, a docno or a score",
    "adjusted_scores('page', 'elsewhere')": "the run answers no topic that is judged in 'page'",
    "adjusted_scores('page', 'empty')": "the run answers no topic that is judged in 'page'",
    "adjusted_scores_from_topics('nowhere', 'mine', 'own')": "no collection is built",
    "adjusted_scores_from_topics('page', 'topic_doc', 'own')": 'column named "query"',
    "adjusted_scores_from_topics('page', 'elsewhere', 'own')": "the run answers no topic",
    "adjusted_scores_from_topics('page', 'mine', 'mine')": 'column named "grade"',
    "adjusted_scores_from_topics('page', 'mine', 'missing')": "Table with name missing",
    "adjusted_scores_from_topics('page', 'mine', 'own_elsewhere')": "no topic is common",
    "planning.common_topics_needed('nowhere', 0.01)": "no collection is built with the name",
    "planning.common_topics_needed(null, 0.01)": "no collection is built with the name null",
    "planning.common_topics_needed('page', null)": "the standard error is null",
    "planning.common_topics_needed('page', 0)": "the standard error is 0",
    "planning.common_topics_needed('page', -0.01)": "the standard error is -0.01",
    "planning.common_topics_needed('page', 'nan'::double)": "the standard error is nan",
}
TABLES = """
    create temp table mine as
        select 1 as query, 'd' || n as docno, -n as score from range(9) as t (n);
    create temp table topic_doc as select query as topic, docno as doc, score from mine;
    create temp table no_score as select query, docno from mine;
    create temp table gap as from mine union all select 1, null, 1.0;
    create temp table elsewhere as select 7 as query, docno, score from mine;
    create temp table empty as from mine limit 0;
    create temp table own as select 1 as query, 'd5' as docno, 1 as grade;
    create temp table own_elsewhere as select 7 as query, 'd5' as docno, 1 as grade;
"""


@pytest.mark.some(2)
@pytest.mark.parametrize(("call", "message"), REFUSED.items(), ids=REFUSED)
def test_macros_refuse_what_they_cannot_answer(page: Warehouse, call: str, message: str) -> None:
    """The call fails whatever columns are selected: the engine cannot optimize the check away."""
    measure = "measure = 'P@10'" if "needed" in call else "estimator = 'unadjusted'"
    with page.read() as connection:
        connection.execute(TABLES)
        for query in (f"select count(*) from {call}", f"from {call} where {measure}"):
            with pytest.raises(duckdb.Error) as refused:
                connection.execute(query).fetchall()
            assert message in str(refused.value), query


@pytest.mark.heavy
def test_macros_answer_the_same_tables_where_nothing_is_wrong(page: Warehouse) -> None:
    """A table that is named like a step of the query is found by its schema."""
    with page.read() as connection:
        connection.execute(f"{TABLES}; create temp table judgements as from own")
        for call, n_rows in {
            # Six measures have three estimators by two treatments and one by one, and Lipani's
            # estimator has P at five cutoffs. From common topics, four measures have an estimate by
            # each treatment, the ratio's by one; a line needs three topics.
            "adjusted_scores('page', 'mine')": 47,
            "adjusted_scores_from_topics('page', 'mine', 'own')": 54,
            "adjusted_scores_from_topics('page', 'mine', 'temp.judgements')": 54,
            "planning.common_topics_needed('page', 0.01)": 36,
            "planning.common_topics_needed('page', 1e-300)": 36,
        }.items():
            assert len(connection.execute(f"from {call}").fetchall()) == n_rows, call


# -- Kept ------------------------------------------------------------------------------------------


@pytest.mark.heavy
def test_a_kept_run_is_not_pooled(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path
) -> None:
    """No run is declared, and the qrels cover the run's top: a plain load would make it pooled."""
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))
    covered = tmp_path / "covered"
    covered.write_text("1 Q0 d1 1 9 t\n1 Q0 d4 2 8 t\n1 Q0 d9 3 7 t\n")
    done = run(covered, warehouse, "--keep", "--all")
    assert done.exit_code == 0, done.output
    assert "webber_park_systems" in done.stdout
    assert "kept covered as a run of page that was not pooled" in done.stderr
    assert f"next: poolhouse build --db {warehouse.path}" in done.stderr
    assert "is changed since the build: run poolhouse build first" in run(covered, warehouse).stderr
    build(warehouse)
    runs = "select run_id, is_pooled from dim_runs order by run_id"
    pooled = [("a1", True), ("a2", True), ("b1", True)]
    assert run_query(warehouse, runs).rows == [*pooled, ("covered", False)]
    source = "select pooled_runs_source, n_pooled_runs from dim_collections"
    assert run_query(warehouse, source).rows == [("inferred", 3)]
    # the loaded run can be adjusted again, beside the other runs; a second `--keep` does not load
    # it
    again = run(covered, warehouse, "--keep", "--format", "json")
    assert "covered is loaded, not pooled" in again.stderr
    assert "covered is already kept\nnothing new" in again.stderr
    before = json.loads(run(covered, built_once[2], "--format", "json").stdout)
    assert json.loads(again.stdout) == [pytest.approx(row) for row in before]


# Each case: whether the loaded descriptions say that the other runs were pooled, and whether they
# say that the kept run was; the message; the runs that then count as pooled.
OTHERS = {"a1", "a2", "b1"}
NOT_POOLED, POOLED, ALONE = "that was not pooled", "that counts as pooled", "no other counts as"
DESCRIBED: dict[tuple[str, str], tuple[set[str], set[str]]] = {
    ("yes", "yes"): ({POOLED}, {*OTHERS, "covered"}),
    ("yes", "no"): ({NOT_POOLED}, OTHERS),
    ("yes", ""): ({NOT_POOLED}, OTHERS),
    ("", "yes"): ({POOLED, ALONE}, {"covered"}),
    ("", "no"): ({NOT_POOLED}, OTHERS),
    ("", ""): ({NOT_POOLED}, OTHERS),
}


@pytest.mark.heavy
def test_what_is_said_of_a_kept_run_is_so_after_the_build(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """The message is true whatever the descriptions say of the runs, and its remedy works."""
    warehouse = new_warehouse(tmp_path)
    request = write_collection(tmp_path / "files")
    covered = tmp_path / "covered"
    covered.write_text("1 Q0 d1 1 9 t\n1 Q0 d4 2 8 t\n1 Q0 d9 3 7 t\n")
    descriptions = tmp_path / "runs.csv"

    def describe(others: str, own: str) -> Path:
        words = {**dict.fromkeys(sorted(OTHERS), others), "covered": own}
        lines = [f"{name},{name},,{word}" for name, word in words.items()]
        descriptions.write_text("\n".join(["run,organization,type,pooled", *lines]))
        return descriptions

    def name(others: str, own: str) -> str:
        return f"[{others}|{own}]"

    load_together(
        warehouse,
        (
            evolve(request, collection=name(*case), descriptions=describe(*case))
            for case in DESCRIBED
        ),
    )
    for case, (said, _) in DESCRIBED.items():
        [told, *more] = keep_run(warehouse, name(*case), "covered", covered, None).remarks
        told = " ".join([told.partition("kept covered as a run of")[2], *more])
        assert {words for words in (NOT_POOLED, POOLED, ALONE) if words in told} == said
    build(warehouse)
    assert pooled_runs(warehouse) == {name(*case): runs for case, (_, runs) in DESCRIBED.items()}
    load_together(
        warehouse,
        (
            LoadRequest(name(others, own), descriptions=describe(others, ""))
            for others, own in DESCRIBED
        ),
    )
    build(warehouse)
    assert pooled_runs(warehouse) == {name(*case): OTHERS for case in DESCRIBED}


def pooled_runs(warehouse: Warehouse) -> dict[str, set[str]]:
    with warehouse.read() as connection:
        rows = connection.execute(
            """
            select collection_id, coalesce(list(run_id) filter (where is_pooled), [])
            from dim_runs group by all
            """
        ).fetchall()
    return {name: set(runs) for name, runs in rows}


@pytest.mark.heavy
def test_what_cannot_be_adjusted_is_not_kept(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path
) -> None:
    _, request, warehouse = built_once
    before = state_of(warehouse.path)
    unanswered = tmp_path / "unanswered"
    unanswered.write_text("7 Q0 d1 1 5 new\n")
    for file in (unanswered, request.run_files[0], tmp_path / "missing"):
        assert run(file, warehouse, "--keep").exit_code == 1
    assert state_of(warehouse.path) == before
