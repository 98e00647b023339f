"""Test the history of verdicts: what a build changed, and nothing where it changed nothing."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from asking import rows
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.expectations.recorded import last_checks
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from test_partly_judged import QRELS, said, write_files

pytestmark = pytest.mark.heavy

CHANGES = """
    select distinct verdict_before, verdict, n_judged_topics_before, n_judged_topics, built_at
    from audits.audit_verdict_changes order by built_at
"""


FIGURES = "select rule_id, round(figure, 9) from audit_verdicts order by rule_id"


@pytest.fixture
def warehouse(new_warehouse: NewWarehouse, tmp_path: Path) -> Warehouse:
    return new_warehouse(tmp_path)


@pytest.fixture
def half(tmp_path: Path) -> LoadRequest:
    return write_files(tmp_path / "files")


def built(warehouse: Warehouse, request: LoadRequest) -> None:
    load_collection(warehouse, request)
    assert build(warehouse).built == ("half",)


def test_the_history_of_a_collection(
    warehouse: Warehouse, half: LoadRequest, tmp_path: Path
) -> None:
    built(warehouse, evolve(half, qrels=None, unjudged=True))
    assert rows(warehouse, CHANGES) == []  # the first verdict changes nothing
    built(warehouse, half)
    [(*change, _)] = rows(warehouse, CHANGES)
    assert change == ["not judged yet", "not reusable", 0, 2]
    # where the verdict changes, there is a row for every rule
    before = dict(rows(warehouse, FIGURES))
    [(n_rows,)] = rows(warehouse, "select count(*) from audits.audit_verdict_changes")
    assert n_rows == len(before)
    # a build that changes no figure adds nothing
    history = "select * from ops.verdict_history where collection_id = 'half' order by all"
    known = rows(warehouse, history)
    built(warehouse, LoadRequest("half", title="a new title"))
    assert rows(warehouse, history) == known
    # what a build changes is there before and after
    qrels = tmp_path / "all_qrels"
    qrels.write_text("".join(QRELS))
    built(warehouse, evolve(half, qrels=qrels))
    after = dict(rows(warehouse, FIGURES))
    changed = {rule: (before[rule], after[rule]) for rule in before if before[rule] != after[rule]}
    assert changed
    [_, (*change, built_at)] = rows(warehouse, CHANGES)
    assert change == ["not reusable", "not reusable", 2, 4]
    assert [(built_at,)] == rows(warehouse, "select built_at from ops.builds")
    last = rows(
        warehouse,
        f"""
        select rule_id, figure_before, figure from audits.audit_verdict_changes
        where built_at = '{built_at}'
        """,
    )
    assert {rule: tuple(each) for rule, *each in last} == changed
    said("report", "-o", tmp_path / "report.html", "--db", warehouse.path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Before and after the last change" in text
    assert all(rule in text.partition("Before and after")[2] for rule in changed)
    # a removed collection keeps its history
    remove(warehouse, "half")
    assert build(warehouse).removed == ("half",)
    built(warehouse, half)
    assert [each[2:4] for each in rows(warehouse, CHANGES)] == [(0, 2), (2, 4), (4, 2)]


def test_a_check_before_a_build_is_not_current(warehouse: Warehouse, half: LoadRequest) -> None:
    """A build by other settings changes figures, and not the fingerprint of the files."""
    built(warehouse, half)
    [(built_at,)] = rows(warehouse, "select built_at from ops.builds")
    moment = timedelta(seconds=1)
    for suite, checked_at, is_current in (
        ("suspicions", built_at - moment, False),
        ("raw", built_at - moment, False),  # of the files alone: the marts can be checked now
        ("suspicions", built_at + moment, True),
    ):
        _record_check(warehouse, suite, checked_at)
        check = last_checks(warehouse, ["half"])["half"]
        assert check.is_current is is_current


def _record_check(warehouse: Warehouse, suite: str, checked_at: datetime) -> None:
    with warehouse.change(), warehouse.side() as connection:
        connection.execute("delete from ops.quality_results")
        connection.execute(
            """
            insert into ops.quality_results by name
            select collection_key, 'half' as collection_id, $suite as suite, 'x' as subject,
                'x' as expectation, 'critical' as severity,
                true as success, '' as observed, '[]' as sample, '' as meaning, '' as advice,
                fingerprint,
                $checked_at as checked_at
            from ops.builds
            """,
            {"suite": suite, "checked_at": checked_at},
        )
