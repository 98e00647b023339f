"""Compare the scores of the real collections with the figures that NIST published."""

import duckdb
import pytest

from archive import DL_2021, TREC2, TREC8, TREC_COVID, ArchiveCollection
from archive_warehouses import put_dl_2021
from poolhouse.loading.parsers import parse_descriptions, parse_official_results, read_source
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.archive

# Of each label: the runs that are compared, its reading, the runs that the reading meets, and the
# runs that stay open.
FOUND = """
select results_title, label, n_compared, reading, n_met_by_reading, n_not_explained
from audits.audit_official_results
where collection_id = ?
order by all
"""
OF_TREC_EVAL = "summary (trec_eval)"
OF_PASSAGES = "summary (passages-eval)"


@pytest.mark.parametrize(
    ("collection", "n_described", "n_figures", "n_runs_with_figures"),
    [
        (TREC2, 35, 150, 30),
        (TREC8, 129, 645, 129),
        (TREC_COVID, 143, 572, 143),
        (DL_2021, 129, 1_866, 129),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_pages_are_read(
    collection: ArchiveCollection, n_described: int, n_figures: int, n_runs_with_figures: int
) -> None:
    pages = collection.folder / "nist"
    described = parse_descriptions(read_source(pages / "runs.md"))
    figures = parse_official_results(read_source(pages / "results.md"))
    assert len(described) == n_described
    assert {each.run_type for each in described} <= {"automatic", "manual", None}
    assert len(figures) == n_figures
    assert len({each.run_id for each in figures}) == n_runs_with_figures
    assert all(each.value is not None for each in figures)
    # Every run with results is described.
    assert {each.run_id for each in figures} <= {each.run_id for each in described}


def test_trec8_is_met(marts: duckdb.DuckDBPyConnection) -> None:
    readings = {"P_10": "P@15", "P_100": "P@100", "P_1000": "P@1000", "Rprec": "Rprec", "map": "AP"}
    assert marts.execute(FOUND, [TREC8.name]).fetchall() == [
        (OF_TREC_EVAL, label, 129, reading, 129, 0) for label, reading in readings.items()
    ]


def test_trec_covid_is_met(marts: duckdb.DuckDBPyConnection) -> None:
    readings = {"P_5": "P@5", "bpref": "Bpref", "map": "AP", "ndcg": "nDCG@10"}
    assert marts.execute(FOUND, [TREC_COVID.name]).fetchall() == [
        (OF_TREC_EVAL, label, 143, reading, 143, 0) for label, reading in readings.items()
    ]


def test_trec2_was_scored_by_other_judgements(marts: duckdb.DuckDBPyConnection) -> None:
    open_runs = {"P_10": 30, "P_100": 14, "P_1000": 30, "Rprec": 30, "map": 30}
    assert marts.execute(FOUND, [TREC2.name]).fetchall() == [
        (OF_TREC_EVAL, label, 30, None, 0, n_open) for label, n_open in open_runs.items()
    ]
    reasons = "select verdict_reasons from audit_collections where collection_id = ?"
    [(found,)] = marts.execute(reasons, [TREC2.name]).fetchall()
    labels = ", ".join(open_runs)
    assert found.endswith(f"; published results are not explained: {labels}")


def test_dl_2021_without_grade_1_is_met(warehouse: Warehouse) -> None:
    """In one of NIST's summaries, grade 1 counts as not relevant, and has no gain.

    Figures by a collection's own threshold are in test_official_results.py.
    """
    put_dl_2021(warehouse)
    of_level = {
        **{f"P_{k}": f"P(rel=2)@{k}" for k in (10, 100, 1000)},
        **{f"recall_{k}": f"R(rel=2)@{k}" for k in (10, 100, 1000)},
        **{"map": "AP(rel=2)", "recip_rank": "RR(rel=2)", "bpref": "Bpref(rel=2)"},
    }
    of_gains = {
        "ndcg": "nDCG(gains={1:0})",
        **{f"ndcg_cut_{k}": f"nDCG(gains={{1:0}})@{k}" for k in (10, 100, 1000)},
    }
    as_labelled = {f"ndcg_cut_{k}": f"nDCG@{k}" for k in (10, 100, 1000)}
    expected = sorted(
        (title, label, 63, reading, 63, 0)
        for title, readings in (
            (OF_TREC_EVAL, of_level | of_gains),
            (OF_PASSAGES, as_labelled),
        )
        for label, reading in readings.items()
    )
    with warehouse.read() as connection:
        found = connection.execute(FOUND, [DL_2021.name]).fetchall()
        assert sorted(found) == expected
        assert connection.execute(
            """
            select status, count(*) from audits.fct_official_results group by status order by 1
            """
        ).fetchall() == [
            ("as labelled", 189),
            ("explained by another reading", 819),
            ("run not loaded", 858),
        ]
