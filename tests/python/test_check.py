"""Checking: promises can be broken, suspicions are shown, and names are only text."""

import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from built_collections import load_together
from conftest import ToyFiles, names_beside
from page import write_collection
from poolhouse.building.plan import plan_of
from poolhouse.command_line.main import main
from poolhouse.errors import PoolhouseError, UnknownCollectionError
from poolhouse.expectations import CheckReport, check, looking
from poolhouse.expectations.dbt_tests import broken_tests
from poolhouse.expectations.findings import sample_as_text
from poolhouse.expectations.suites import DBT_TESTS, own_suites
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.report.writing import write_report
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

Tamper = Callable[[str], None]

HOSTILE = [
    "'; drop table raw.runs; --",
    "<script>alert(1)</script>",
    "=1+1",
    "../..",
    "{batch}",
    '" onload="x',
    "\x1b[31mred",
    "\u202eright-to-left",
]


@pytest.fixture
def built(built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path) -> Warehouse:
    """Provide a copy to tamper with, because a check needs no constant path."""
    copy, _, _ = built_once
    return Warehouse(Path(shutil.copyfile(copy, tmp_path / "poolhouse.duckdb")))


@pytest.fixture
def tamper(built: Warehouse) -> Tamper:
    """Change the published file without Poolhouse."""

    def execute(statement: str) -> None:
        with duckdb.connect(str(built.path)) as connection:
            connection.execute(statement)

    return execute


def rows(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in run_query(warehouse, sql).rows]


def change(tamper: Tamper, mart: str, changes: str) -> None:
    """Replace columns of a mart."""
    tamper(
        f"""
        create table "{mart}" as from {mart};
        create or replace view {mart} as select * replace ({changes}) from "{mart}"
        """
    )


OURS = {suite.name: suite for suite in own_suites()}

PUBLIC = {node.name: node.relation for node in plan_of({}).relations}

# Expectations of what a collection declares.
DECLARED = {"declared_runs_are_in_qrels_to_the_depth", "grades_are_on_the_declared_scale"}


def named(report: CheckReport, *, success: bool | None) -> set[str]:
    return {each.expectation for each in report.results if each.success is success}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.heavy
def test_a_sound_collection_keeps_every_promise(built: Warehouse) -> None:
    before = names_beside(built)
    seen: list[tuple[int, int]] = []
    report = check(built, progress=lambda _name, done, total: seen.append((done, total)))
    assert report.broken == []
    assert report.remarks == ()
    assert {each.suite for each in report.results} == {*OURS, DBT_TESTS}
    # A has two pooled runs and B one: half of the organizations have one, which is not the majority
    # only A contributed the finds of a1 and a2, and only B those of b1 except d2; the pool is
    # shallow
    assert named(report, success=False) == {
        "qrels_go_on_behind_the_pool_depth",
        "runs_lose_little_with_unique_relevant",
        "collections_are_reusable",
    }
    # Neither pooled runs nor a scale of grades is declared.
    assert named(report, success=None) >= DECLARED
    assert seen[0] == (0, 0)
    assert [done for done, _ in seen[1:]] == list(range(len(seen) - 1))
    assert seen[-1][0] == seen[-1][1]
    assert names_beside(built) - before <= {".poolhouse.duckdb.lock"}
    # The mart has no test of dbt, which a check would run and compute everything twice.
    figures = rows(
        built,
        """
        select figure, count(distinct object), count(*) from audits.fct_quality_figures
        where collection_id = 'page' group by figure
        """,
    )
    assert {figure for figure, _, _ in figures} == {
        each.figure for suite in OURS.values() for each in suite.expectations
    }
    assert all(n_rows == max(n_objects, 1) for _, n_objects, n_rows in figures)


@pytest.mark.heavy
def test_results_are_recorded_and_shown_without_a_build(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(looking, "own_suites", lambda: (OURS["suspicions"],))
    before = rows(built, "select fingerprint from ops.collection_fingerprints")
    first = check(built)
    caplog.clear()  # the first check imports Great Expectations
    with caplog.at_level(logging.INFO):
        second = check(built)
    assert caplog.messages == []
    recorded = rows(
        built,
        """
        select checked_at, count(*), count(*) filter (where success = false), max(load_key)
        from fct_quality_results where collection_id = 'page' group by all order by all
        """,
    )
    assert len(recorded) == 2
    for report, (_, n_results, n_failed, load_key) in zip((first, second), recorded, strict=True):
        assert n_results == len(report.results)
        assert n_failed == len(report.suspicions) > 0
        assert load_key == rows(built, "select max(load_key) from ops.load_history")[0][0]
    assert rows(built, "select fingerprint from ops.collection_fingerprints") == before
    (row,) = json.loads(run("status", "--format", "json", "--db", built.path).stdout)
    assert row["state"] == "up to date"


@pytest.mark.heavy
def test_states_that_no_load_tells_apart_are_recorded(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load of only settings adds no row to the history."""
    monkeypatch.setattr(looking, "own_suites", lambda: (OURS["raw"],))
    states = []
    for depth in (3, 4):
        load_collection(built, LoadRequest("page", depth=depth))
        states += rows(built, "select fingerprint from ops.collection_fingerprints")
        check(built)
    recorded = rows(
        built,
        """
        select fingerprint from fct_quality_results
        where collection_id = 'page' group by fingerprint order by min(checked_at)
        """,
    )
    assert recorded == states
    assert len(set(states)) == 2


# How the rows of a collection are spoilt, and the promises that this breaks. ITS and KEY stand for
# a condition on the key of the collection, and for the key.
SPOILT: tuple[tuple[tuple[str, ...], set[str]], ...] = (
    ((), set()),
    (
        (
            "delete from raw.run_lines where line_number = 2 and ITS",
            "update ops.load_history set n_blank = 1 where ITS",
            "update raw.run_lines set score = 'nan', docno = e'a\\tb', query = ' ' "
            "where line_number = 1 and ITS",
            "update raw.run_lines set line_number = 99 where line_number = 3 and ITS",
            "update raw.qrels_lines set docno = '', query = e'a\\rb' where ITS",
            "insert into raw.rejected_lines values (KEY, 'run', 'a1', 9, 'too_few_fields', '')",
        ),
        {
            "every_row_is_stored",
            "every_line_is_accounted_for",
            "run_scores_are_finite",
            "run_documents_are_words",
            "run_topics_are_words",
            "line_numbers_are_of_the_file",
            "judged_documents_are_words",
            "judged_topics_are_words",
            "every_rejected_line_is_kept",
            "every_repetition_is_counted",
        },
    ),
    (
        (
            "delete from raw.qrels_lines where line_number = 1 and ITS",
            "update ops.load_history set n_rows = 0 where kind = 'qrels' and ITS",
            "update raw.run_lines set run_key = 99 where ITS",
        ),
        {
            "every_row_is_stored",
            "every_line_is_accounted_for",
            "no_file_is_empty",
            "lines_belong_to_a_run",
            "line_numbers_are_of_the_file",
        },
    ),
    (("delete from raw.descriptions where run_id = 'b1' and ITS",), {"every_row_is_stored"}),
    (
        (
            "update raw.run_lines set line_number = 1 "
            "where line_number = 2 and docno = 'd3' and ITS",
        ),
        {"every_line_is_stored_once"},
    ),
    (
        # one row is missing, another is repeated
        (
            "delete from raw.qrels_lines where line_number = 2 and ITS",
            "insert into raw.qrels_lines from raw.qrels_lines where line_number = 1 and ITS",
        ),
        {"every_line_is_stored_once", "every_repetition_is_counted"},
    ),
    *(
        ((f"insert into raw.{row}",), {"what_is_stored_is_of_a_file"})
        for row in (
            "runs (collection_key, run_id) values (KEY, 'no file')",
            "topics values (KEY, '1', 'of no file')",
            "rejected_lines values (KEY, 'run', 'no file', 1, 'nul_byte', '')",
            "judged_texts values (KEY, 'texts', 'of no file', 'd1')",
        )
    ),
    (
        (
            "update raw.run_lines set docno = e'd\\t1' where docno = 'd1' and ITS",
            "update raw.qrels_lines set query = e'1\\n' where docno = 'd1' and ITS",
        ),
        {"run_documents_are_words", "judged_topics_are_words"},
    ),
    (
        # the account of a file of topics
        (
            "insert into ops.load_history by name select * replace ("
            "'topics' as kind, 'topics' as name, 3 as n_lines, 1 as n_rows, 1 as n_blank, "
            "0 as n_rejected) from ops.load_history where kind = 'qrels' and ITS",
            "insert into raw.topics values (KEY, '1', 'a title')",
        ),
        {"every_line_is_accounted_for"},
    ),
)


@pytest.mark.heavy
def test_every_promise_of_raw_can_break(warehouse: Warehouse, tmp_path: Path) -> None:
    """Each collection is spoilt in another way: one check looks at all, and tells them apart."""
    page = write_collection(tmp_path / "page")
    expected = {f"c{number}": broken for number, (_, broken) in enumerate(SPOILT)}
    load_together(warehouse, (evolve(page, collection=name) for name in expected))
    with duckdb.connect(str(warehouse.path)) as connection:
        keys = "select collection_id, collection_key from raw.collections"
        for name, key in connection.execute(keys).fetchall():
            for statement in SPOILT[int(name[1:])][0]:
                its = statement.replace("ITS", f"collection_key = {key}")
                connection.execute(its.replace("KEY", str(key)))
    report = check(warehouse)
    broken: dict[str, set[str]] = {name: set() for name in expected}
    for each in report.broken:
        broken[each.collection_id].add(each.expectation)
    assert broken == expected
    recorded = rows(
        warehouse,
        "select distinct collection_id, expectation from ops.quality_results where not success",
    )
    assert set(recorded) == {(name, each) for name, of_it in expected.items() for each in of_it}
    # What is not built is checked as far as it goes.
    assert {each.suite for each in report.results} == {"raw", "suspicions"}
    assert named(report, success=None) | named(report, success=True) >= {"few_lines_are_rejected"}
    assert not report.has_marts
    assert set(report.remarks) == {
        f"collection {name!r} is not built yet: run poolhouse build first; "
        "only its raw files were checked"
        for name in expected
    }
    assert check(warehouse, ["c0"]).broken == []
    with pytest.raises(UnknownCollectionError, match="'c'"):
        check(warehouse, ["c"])


@pytest.mark.heavy
def test_every_promise_of_the_models_can_break(built: Warehouse, tamper: Tamper) -> None:
    change(tamper, "main.fct_topic_scores", "'nan'::double as score")
    change(tamper, "main.fct_run_scores", "1.5 as score")
    change(tamper, "main.fct_adjusted_scores", "-2.0 as adjustment")
    # no experiment was run, so that the mart has no row that could break a promise
    tamper("create table kept_estimates as from experiments.fct_experiment_estimates")
    tamper("insert into kept_estimates (collection_id, estimate) values ('page', -2.0)")
    tamper("create or replace view experiments.fct_experiment_estimates as from kept_estimates")
    broken = {each.expectation: each.unexpected_count for each in check(built).broken}
    assert set(broken) == {
        *(each.name for each in OURS["models"].expectations),
        "tests_of_views_hold",
    }
    # NaN is above the bounds of measures without an upper bound, too
    [(n_scores, has_unbounded)] = rows(
        built,
        """
        select count(*), bool_or(upper_bound is null)
        from fct_topic_scores inner join dim_measures using (measure)
        """,
    )
    assert has_unbounded
    assert broken["topic_scores_within_bounds"] == n_scores


@pytest.mark.heavy
def test_every_number_of_a_mart_has_bounds_on_both_sides(built: Warehouse) -> None:
    """Each mart is replaced by three rows: numbers below their bounds, above them, and NaN."""
    [node] = (each for each in plan_of({}).relations if each.name == "int_quality_of_numbers")
    ctes, is_there, _ = node.sql.partition(",\n\n-- one row per collection\nfigures as (")
    numbers = f"{ctes} from numbers"
    assert is_there
    with duckdb.connect(str(built.path)) as connection:
        for mart in node.reads:
            connection.execute(f'create table "first {mart}" as from {PUBLIC[mart]} limit 1')
            connection.execute(
                f'insert into "first {mart}" (collection_id) '
                f"select 'page' where not exists (from \"first {mart}\")"
            )
            spoilt = f'create or replace view {PUBLIC[mart]} as from "first {mart}"'
            connection.execute(spoilt)
        bounds = connection.execute(f"{numbers} select mart, number, lowest, highest").fetchall()
        assert {mart.partition(".")[2] for mart, *_ in bounds} == set(node.reads)
        for mart in node.reads:
            selects = []
            for place in range(3):
                values = ", ".join(
                    f"'{(2.0 * low - 1, 2.0 * high + 1, 'nan')[place]}'::double as {number}"
                    for of_mart, number, low, high in bounds
                    if of_mart.partition(".")[2] == mart
                )
                selects.append(f'select * replace ({values}) from "first {mart}"')
            connection.execute(
                f"create or replace view {PUBLIC[mart]} as {' union all '.join(selects)}"
            )
        found = connection.execute(f"{numbers} select mart, number, n_rows").fetchall()
    assert set(found) == {(mart, number, 3) for mart, number, *_ in bounds}
    assert len(bounds) > 50


@pytest.mark.heavy
def test_a_view_with_a_key_twice_is_named(built: Warehouse, tamper: Tamper) -> None:
    tamper(
        """
        create table kept as select * from dim_runs;
        create or replace view dim_runs as
        select * from kept union all (from kept where run_id = 'a1')
        """
    )
    with built.read() as connection:
        broken = broken_tests(connection, plan_of({}), {1: "page"})
    assert [n for test, n in broken[1].items() if test.startswith("rows_dim_runs")] == [1]


BEYOND = {
    "main.audit_runs": "0.89 as topic_share, 0.49 as document_share, "
    "0.021 as constant_score_share, n_tolerated_gaps + 1 as n_gaps, 0.11 as contradicted_share, "
    "0.11 as own_topic_share, 'another' as same_as_run_id, 'nothing' as mismatch",
    "main.audit_collections": "0.94 as depth_ratio, 0.49 as in_qrels_share_kept, "
    "0.01 as share_judged_outside_pool, 0.051 as share_relevant_outside_pool, "
    "'not reusable' as verdict",
    "audits.audit_organizations": "false as has_several_pooled_runs",
    "main.dim_collections": "'declared' as pooled_runs_source, n_judgements as n_relevant",
    "main.fct_unique_relevant_losses": "run_id = 'a1' as is_flagged",
}
AT = {
    "main.audit_runs": "0.9 as topic_share, 0.5 as document_share, "
    "0.02 as constant_score_share, n_tolerated_gaps as n_gaps, 0.1 as contradicted_share, "
    "0.1 as own_topic_share, null as same_as_run_id, null as mismatch",
    "main.audit_collections": "1.05 as depth_ratio, 0.5 as in_qrels_share_kept, "
    "0.05 as share_judged_outside_pool, null as share_relevant_outside_pool, "
    "'reusable with care' as verdict",
    "audits.audit_organizations": "organization = 'A' as has_several_pooled_runs",
    "main.dim_collections": "'declared' as pooled_runs_source, n_judgements - 1 as n_relevant",
    "main.fct_unique_relevant_losses": "measure <> 'AP' as is_flagged",
}
SUSPICIOUS = DECLARED | {
    "runs_lose_little_with_unique_relevant",
    "runs_answer_most_topics",
    "runs_meet_the_qrels",
    "ranks_agree_with_scores",
    "first_documents_are_not_the_topic",
    "runs_differ",
    "judgements_are_of_both_kinds",
    "runs_return_enough_documents",
    "scores_tell_documents_apart",
    "qrels_bear_out_the_declared_depth",
    "qrels_go_on_behind_the_pool_depth",
    "judgements_are_of_the_pool",
    "organizations_have_several_runs",
    "collections_are_reusable",
    "documents_in_qrels_are_retrieved",
}


@pytest.mark.heavy
def test_a_suspicion_shows_beyond_its_threshold_and_is_no_error(
    built: Warehouse, tamper: Tamper
) -> None:
    for mart, changes in BEYOND.items():
        change(tamper, mart, changes)
    tamper("update raw.collections set highest_grade = 1")
    tamper("update raw.qrels_lines set grade = 2 where docno = 'd1'")
    tamper(
        """
        drop view audits.audit_unretrieved_judgements;
        create view audits.audit_unretrieved_judgements as
        select collection_id, topic_id, doc_id, relevance from fct_judgements where doc_id = 'd1'
        """
    )
    done = run("check", "--db", built.path, "--format", "json")
    assert done.exit_code == 0, done.output
    shown = {row["expectation"]: row for row in json.loads(done.stdout)}
    assert set(shown) == SUSPICIOUS
    unretrieved = shown["documents_in_qrels_are_retrieved"]
    assert unretrieved["observed"] == "1 of 4"
    assert unretrieved["sample"] == [{"topic_id": "1", "doc_id": "d1"}]


@pytest.mark.heavy
def test_no_suspicion_shows_at_its_threshold(built: Warehouse, tamper: Tamper) -> None:
    for mart, changes in AT.items():
        change(tamper, mart, changes)
    tamper("update raw.collections set highest_grade = 1")
    report = check(built)
    assert named(report, success=False) == set()
    assert named(report, success=True) >= SUSPICIOUS


@pytest.mark.heavy
def test_a_file_with_many_rejected_lines_is_suspicious(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    page = write_collection(tmp_path / "page")
    for n_rejected in (1, 2):
        file = tmp_path / str(n_rejected)
        file.write_text("1 Q0 d1 1 1 x\n" * (100 - n_rejected) + "short\n" * n_rejected)
        request = evolve(page, collection=str(n_rejected), runs=(file,), descriptions=None)
        load_collection(warehouse, request)
    # A build changes no line.
    found = {
        each.collection_id: each
        for each in check(warehouse).results
        if each.expectation == "few_lines_are_rejected"
    }
    assert {name: each.success for name, each in found.items()} == {"1": True, "2": False}
    assert json.loads(found["2"].sample) == [{"kind": "run", "name": "2", "rejected_share": 0.02}]


def test_a_warehouse_without_collections_has_nothing_to_check(loaded: Warehouse) -> None:
    remove(loaded, "toy")
    with pytest.raises(PoolhouseError, match="no collection is loaded: there is nothing to check"):
        check(loaded)


@pytest.mark.heavy
def test_names_stay_names(built: Warehouse, toy_files: ToyFiles, tmp_path: Path) -> None:
    """Hostile names reach SQL, the report and the terminal as text only."""
    names = filter(str.isprintable, HOSTILE)
    load_together(built, (toy_files.request(collection=name) for name in names))
    with duckdb.connect(str(built.path)) as connection:
        connection.executemany(
            "insert into raw.qrels_lines values (1, 0, ?, '0', ?, 1)",
            [(f"{name}\t", f"{name}\t") for name in HOSTILE],
        )
        connection.executemany(
            "insert into raw.rejected_lines values (1, 'run', ?, 1, ?, '')",
            [(name, name) for name in HOSTILE],
        )
    done = run("check", "--db", built.path)
    assert done.exit_code == 1, done.output
    assert "judged documents are words" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    file = tmp_path / "report.html"
    write_report(built, file)
    page = file.read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert '" onload' not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert rows(built, "select count(*) > 3 from raw.runs") == [(True,)]
    checked = {
        name for (name,) in rows(built, "select distinct collection_id from fct_quality_results")
    }
    assert checked == {"page", *(name for name in HOSTILE if name.isprintable())}


@pytest.mark.heavy
def test_figures_that_cannot_be_computed_are_an_error(built: Warehouse, tamper: Tamper) -> None:
    tamper("create or replace view audits.audit_grades as select 'page' as collection_id")
    done = run("check", "--db", built.path)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: quality of grades: ")
    assert rows(built, "select count(*) from fct_quality_results") == [(0,)]


def test_a_sample_is_json_whatever_is_in_it() -> None:
    sample = ({"score": float("nan"), "least": float("-inf"), "rank": 1, "run_id": "NaN"},)
    assert json.loads(sample_as_text(sample)) == [
        {"score": None, "least": None, "rank": 1, "run_id": "NaN"}
    ]
    assert "NaN" not in sample_as_text(sample[:1]).replace('"NaN"', "")
