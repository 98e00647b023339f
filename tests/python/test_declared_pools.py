"""Test pools that are declared, or not known: a declaration holds, and one sentence says why."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking import invoke_on, rows
from built_collections import kept_open, load_together
from collection_files import write_runs
from conftest import NewWarehouse
from poolhouse.building.build import BuildReport, build
from poolhouse.export.exporting import export
from poolhouse.export.request import ExportRequest, Format
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from questions import question
from thresholds import verdict_rules

pytestmark = pytest.mark.heavy

# Documents in the order of the lines. The qrels hold every second document of each run, so that no
# depth is probable.
LISTS = {"a": "abcdefgh", "b": "cdabghef", "c": "hgfedcba"}
QRELS = "bdfh"
DESCRIPTIONS = "run,organization,pooled\na,A,yes\nb,B,yes\nc,C,no\n"
UNKNOWN = (
    "the pool depth is not known, so nothing is estimated (the qrels hold the first documents of "
    "no run that could show it): if you know it, poolhouse load {} --depth N, or --judging "
    "exhaustive where every candidate was judged"
)
UNJUDGED = "50 % of the first ten documents of the loaded runs are unjudged (at most 20)"
# The rules that ask about the pool.
NOT_TOLD = [each for each in verdict_rules() if each != "unjudged_of_unpooled"]
# Runs that share no document, each judged to a depth of its own; the last was not pooled.
OWN_DEPTHS = {"a": 2, "b": 5, "c": 8, "d": 0}
N_TOPICS, LENGTH = 12, 10
OF_D = "d: none of its documents is in the qrels (it has d1, the qrels have c8)"
OWN = (
    "the runs were pooled to depths of their own, from 2 to 8 (pool_depth in dim_runs): a run "
    "outside the pool is compared with a depth of 5"
)
# The qrels hold the first two documents of both runs by line; the scores of one run are equal.
BY_LINE = {"tied": "abcd", "untied": "bace"}


def _request(
    collection: str, folder: Path, *, is_declared: bool, settings: dict[str, Any]
) -> LoadRequest:
    lists = BY_LINE if collection == "by-line" else LISTS
    folder.mkdir()
    runs = []
    for run, documents in lists.items():
        lines = [
            f"{topic} Q0 {document} {rank} {9 if run == 'tied' else 9 - rank} x\n"
            for topic in (1, 2)
            for rank, document in enumerate(documents)
        ]
        runs.append(folder / run)
        runs[-1].write_text("".join(lines))
    qrels, descriptions = folder / "qrels", folder / "runs.csv"
    judged = "ab" if collection == "by-line" else QRELS
    qrels.write_text(
        "".join(
            f"{topic} 0 {each} {grade}\n"
            for topic in (1, 2)
            for grade, each in enumerate(reversed(judged))
        )
    )
    descriptions.write_text(DESCRIPTIONS)
    return LoadRequest(
        collection,
        tuple(runs),
        qrels,
        descriptions=descriptions if is_declared else None,
        **settings,
    )


def _own_depths(collection: str, folder: Path, descriptions: str) -> LoadRequest:
    ranked = {run: [f"{run}{rank}" for rank in range(1, LENGTH + 1)] for run in OWN_DEPTHS}
    runs = write_runs(
        folder / "runs", {run: dict.fromkeys(range(N_TOPICS), ranked[run]) for run in ranked}
    )
    qrels, described = folder / "qrels", folder / "runs.csv"
    qrels.write_text(
        "".join(
            f"{topic} 0 {run}{rank} {rank % 2}\n"
            for run, depth in OWN_DEPTHS.items()
            for topic in range(N_TOPICS)
            for rank in range(1, depth + 1)
        )
    )
    described.write_text(descriptions)
    return LoadRequest(collection, runs, qrels, descriptions=described)


@pytest.fixture(scope="module")
def built(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Warehouse, BuildReport]]:
    """Build collections with declared runs, with nothing declared, and pooled by line.

    Two more have the runs with own depths, once with declared depths and once without.
    """
    folder = tmp_path_factory.mktemp("declared")
    requests = [
        _request(collection, folder / collection, is_declared=is_declared, settings=settings)
        for collection, is_declared, settings in (
            ("declared", True, {}),
            ("my runs", False, {}),
            ("by-line", False, {"depth": 2}),
        )
    ]
    pooled = "run,organization,pooled\na,A,yes\nb,B,yes\nc,C,yes\nd,D,no\n"
    depths = "run,organization,depth\na,A,2\nb,B,5\nc,C,8\n"
    own = [
        _own_depths("own", folder / "own", pooled),
        _own_depths("own declared", folder / "own declared", depths),
    ]
    warehouse = new_warehouse(folder)
    load_together(warehouse, requests + own)
    report = build(warehouse)
    for opened in kept_open(warehouse):
        yield opened, report


@pytest.fixture
def warehouse(built: tuple[Warehouse, BuildReport]) -> Warehouse:
    return built[0]


@pytest.mark.parametrize("mart", ["dim_runs", "audit_runs", "leaderboard"])
def test_a_run_is_pooled_not_pooled_or_not_known(warehouse: Warehouse, mart: str) -> None:
    """A declaration holds where the depth is not known; without one nothing is known."""
    states = f"""
        select collection_id, run_id, is_pooled from {mart}
        where not starts_with(collection_id, 'own') order by all
    """
    assert rows(warehouse, states) == [
        ("by-line", "tied", False),
        ("by-line", "untied", True),
        ("declared", "a", True),
        ("declared", "b", True),
        ("declared", "c", False),
        ("my runs", "a", None),
        ("my runs", "b", None),
        ("my runs", "c", None),
    ]


def test_remarks_do_not_say_that_a_run_was_not_pooled(warehouse: Warehouse) -> None:
    remarks = "select remarks from audit_runs where collection_id = 'my runs' order by run_id"
    said = "it is not known whether it was pooled: 50 % of its first 10 documents are unjudged"
    assert rows(warehouse, remarks) == [(said,)] * 3
    remarks = "select remarks from audit_runs where collection_id = 'declared' and run_id = 'a'"
    assert rows(warehouse, remarks) == [("nothing to note",)]


def test_pooled_runs_are_counted_where_they_are_known(warehouse: Warehouse) -> None:
    counts = """
        select
            collection_id, n_pooled_runs, pooled_runs_source, pool_depth, pool_depth_source,
            judging_caveat
        from dim_collections order by all
    """
    # The depth of the collection is the median of own depths.
    assert [row[:5] for row in rows(warehouse, counts)] == [
        ("by-line", 1, "inferred", 2, "declared"),
        ("declared", 2, "declared", None, "unknown"),
        ("my runs", None, "unknown", None, "unknown"),
        ("own", 3, "declared", 5, "inferred"),
        ("own declared", 3, "declared", 5, "declared"),
    ]
    assert [row[5] for row in rows(warehouse, counts)[3:]] == [OWN, OWN]
    confidence = "select pool_depth_confidence from dim_collections where collection_id = 'own'"
    assert rows(warehouse, confidence)[0][0] > 0.95
    # A depth that nobody knows has no probability.
    assert rows(
        warehouse,
        """
        select distinct pool_depth_confidence, inferred_depth_confidence
        from dim_collections inner join audit_collections using (collection_id)
        where pool_depth is null
        """,
    ) == [(None, None)]


# The qrels of an export where the pool is known.
BOTH = {"full.txt", "pool.txt"}

# The columns that say who contributed what to the pool, by relation.
CONTRIBUTIONS = {
    "fct_judgements": (
        "n_contributing_runs",
        "n_contributing_organizations",
        "sole_run",
        "sole_organization",
    ),
    "audits.rpt_organizations_by_year": ("n_unique_judged", "n_unique_relevant"),
    "audits.audit_pool_depths": ("n_pooled_runs",),
    "buckley_shifts": ("ap_change", "bpref_change", "is_opposite"),
    "fct_unique_relevant_losses": (
        "score_without_unique_relevant",
        "loss_in_percent_of_full_score",
    ),
}


@pytest.mark.parametrize(
    ("relation", "column"),
    [(relation, column) for relation, columns in CONTRIBUTIONS.items() for column in columns],
)
def test_where_the_depth_is_unknown_nobody_is_said_to_have_contributed_nothing(
    warehouse: Warehouse, relation: str, column: str
) -> None:
    """Runs may be declared as pooled: without a depth, their contributions are not known either."""
    asked = question(relation) if relation.startswith("buckley") else relation
    told = f"""
        select pool_depth is null, count(*) > 0, count(told.{column}) > 0
        from {asked} as told inner join dim_collections using (collection_id)
        group by all order by all
    """
    assert rows(warehouse, told) == [(False, True, True), (True, True, False)]


@pytest.mark.parametrize(("collection", "files"), [("declared", {"full.txt"}), ("own", BOTH)])
def test_an_export_has_no_pool_where_the_depth_is_unknown(
    warehouse: Warehouse, tmp_path: Path, collection: str, files: set[str]
) -> None:
    folder = tmp_path / "exported"
    export(warehouse, ExportRequest(folder, Format.TREC, (collection,)))
    assert {each.name for each in (folder / collection / "qrels").iterdir()} == files
    left_out = folder / collection / "qrels_without_organization"
    assert left_out.exists() == (files == BOTH)


def test_the_verdict_says_once_why_nothing_else_is_told(warehouse: Warehouse) -> None:
    verdicts = """
        select verdict, verdict_reasons, not_told from audit_collections
        where collection_id in ('declared', 'my runs') order by collection_id
    """
    assert rows(warehouse, verdicts) == [
        ("not reusable", UNJUDGED, f"{', '.join(NOT_TOLD)}: {UNKNOWN.format(name)}")
        for name in ("declared", "'my runs'")
    ]


def test_a_build_says_why_once(built: tuple[Warehouse, BuildReport]) -> None:
    remarks = [each for each in built[1].remarks if not each.startswith("by-line: ")]
    assert remarks == [
        f"declared: {UNKNOWN.format('declared')}",
        "my runs: " + UNKNOWN.format("'my runs'"),
        *(each for own in ("own", "own declared") for each in (f"{own}: {OF_D}", f"{own}: {OWN}")),
    ]


def test_status_says_why_once(warehouse: Warehouse) -> None:
    said = " ".join(invoke_on(warehouse, "status").stderr.split())
    assert said.count(UNKNOWN.format("declared")) == 1
    assert said.count("the pool depth is not known") == 2


def test_a_load_says_why_until_the_depth_is_declared(warehouse: Warehouse, tmp_path: Path) -> None:
    copy = Warehouse(tmp_path / "poolhouse.duckdb")
    copy.path.write_bytes(warehouse.path.read_bytes())
    unchanged = warehouse.path.parent / "declared" / "a"
    assert UNKNOWN.format("declared") in invoke_on(copy, "load", "declared", unchanged).stderr
    declared = invoke_on(copy, "load", "declared", "--depth", 3)
    assert declared.exit_code == 0
    assert "the pool depth is not known" not in declared.stderr


def test_adjust_says_why_once(warehouse: Warehouse, tmp_path: Path) -> None:
    run = tmp_path / "new"
    run.write_text("1 Q0 b 1 2 x\n1 Q0 z 2 1 x\n")
    done = invoke_on(warehouse, "adjust", run, "--collection", "declared")
    assert done.exit_code == 0, done.output
    assert done.stderr.count("the pool depth is not known") == 1
    assert "was pooled" not in done.stderr


def test_ranks_say_why_they_are_not_the_depth(warehouse: Warehouse) -> None:
    reasons = """
        select distinct why_not from audits.audit_pool_depths
        where probability <= 0.5 and not starts_with(collection_id, 'own') order by 1
    """
    known = {
        "the qrels lack more than a tenth of the documents down to this rank",
        "the share in the qrels drops too little at this rank",
        "other cases together are more probable",
    }
    assert set() < {reason for (reason,) in rows(warehouse, reasons)} <= known


def test_a_better_pooling_order_is_proposed(built: tuple[Warehouse, BuildReport]) -> None:
    warehouse, report = built
    orders = "from audits.pooling_orders('by-line') order by all"
    assert rows(warehouse, orders) == [("file", 2, 2), ("rank", 2, 2), ("score", 2, 1)]
    orders = "from audits.pooling_orders('by-line', of_runs := ['tied']) order by all"
    assert rows(warehouse, orders) == [("file", 1, 1), ("rank", 1, 1), ("score", 1, 0)]
    assert (
        "by-line: the qrels hold the first 2 documents of 2 of 2 runs by line of the file, and of "
        "1 by score: if the runs were pooled so, poolhouse load by-line --pooling-order file"
    ) in report.remarks


def test_a_declared_pooling_order_is_kept(warehouse: Warehouse, tmp_path: Path) -> None:
    copy = Warehouse(tmp_path / "poolhouse.duckdb")
    copy.path.write_bytes(warehouse.path.read_bytes())
    load_collection(copy, LoadRequest("by-line", pooling_order="file"))
    assert not any("by line" in each for each in build(copy, ["by-line"]).remarks)
    states = "select is_pooled from dim_runs where collection_id = 'by-line'"
    assert rows(copy, states) == [(True,), (True,)]


@pytest.mark.parametrize("collection", ["own", "own declared"])
def test_runs_have_depths_of_their_own(warehouse: Warehouse, collection: str) -> None:
    """Pool, contributions and estimates are those of each run's own depth."""
    of_runs = f"select run_id, pool_depth from dim_runs where collection_id = '{collection}'"
    assert dict(rows(warehouse, of_runs)) == {**OWN_DEPTHS, "d": None}
    contributed = f"""
        select sole_run, count(*) from fct_judgements
        where collection_id = '{collection}' group by all
    """
    assert dict(rows(warehouse, contributed)) == {
        run: N_TOPICS * depth for run, depth in OWN_DEPTHS.items() if depth
    }
    beyond = f"""
        select distinct run_id, beyond_pool_depth from fct_adjusted_scores
        where collection_id = '{collection}' and measure = 'P@5'
    """
    assert dict(rows(warehouse, beyond)) == {"a": True, "b": False, "c": False}


def test_the_report_says_that_depths_differ(warehouse: Warehouse, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = invoke_on(warehouse, "report", "own", "-o", page)
    assert done.exit_code == 0, done.output
    assert OWN in page.read_text()


def test_the_report_says_why_once(warehouse: Warehouse, tmp_path: Path) -> None:
    """The rules that nothing is told of are listed beside the sentence."""
    page = tmp_path / "report.html"
    assert invoke_on(warehouse, "report", "declared", "-o", page).exit_code == 0
    text = page.read_text()
    assert text.count("the pool depth is not known") == 1
    rules = rows(
        warehouse,
        """
        select string_agg(rule_id, ', ' order by position) from audit_verdicts
        where collection_id = 'declared' and outcome = 'not told'
        """,
    )
    assert f"Not told: {rules[0][0]}: {UNKNOWN.format('declared')}." in text
    assert text.count("said with the verdict") == rules[0][0].count(",") + 1


def test_the_distribution_of_depths(warehouse: Warehouse) -> None:
    distribution = """
        select depth, n_pooled_runs, why_not from audits.audit_pool_depths
        where collection_id = 'own' and n_pooled_runs > 0 order by depth
    """
    why = "the runs have depths of their own"
    assert rows(warehouse, distribution) == [(2, 1, why), (5, 1, why), (8, 1, why)]


def test_a_new_run_is_adjusted_beside_runs_of_own_depths(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    run = tmp_path / "new"
    run.write_text("".join(f"{topic} Q0 d{topic} 1 1 x\n" for topic in range(N_TOPICS)))
    done = invoke_on(warehouse, "adjust", run, "--collection", "own")
    assert done.exit_code == 0, done.output
    assert "the pool depth is not known" not in done.stderr
