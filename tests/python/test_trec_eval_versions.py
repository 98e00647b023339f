"""Compare both values of the setting `trec_eval` with the programs of both versions."""

import gzip
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl
import pytest

import odd_collection
from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.building.choosing import change_setting, setting_named
from poolhouse.building.plan import plan_of
from poolhouse.loading.load import load_collection
from poolhouse.option_values import How
from poolhouse.warehouse.frames import frame_of
from trec_eval_programs import RELEASES, lines_of

pytestmark = pytest.mark.heavy

KEY = ["run_id", "trec_eval_name", "topic_id"]
# What the programs print; with no cutoffs of their own, they do not print nDCG@3.
PRINTED = ("-m", "all_trec", "-m", "ndcg_cut.3,5,10,20")
# The programs print four decimals.
ROUNDING = 0.00005 + 1e-9

# trec_eval prints the logarithm of gm_map. Names with an option are of another relevance level.
_SCORES = """
select run_id, trec_eval_name, topic_id, score
from fct_topic_scores
where
    collection_id = $1
    and judgement_set = 'full'
    and unjudged = 'nonrelevant'
    and is_answered
    and trec_eval_name <> 'gm_map'
    and trec_eval_name not like '% %'
"""
_AUDIT = """
select run_id, trec_eval_name, trec_eval_9_score, trec_eval_10_score, reasons
from audits.audit_trec_eval_versions inner join dim_measures using (measure)
where
    collection_id = $1
    and trec_eval_name <> 'gm_map'
    and trec_eval_name not like '% %'
"""
_POOLING_RANKS = """
select run_key, topic_key, doc_key, pooling_rank
from intermediate.int_rankings
order by all
"""


def printed(version: int, qrels: Path, runs: list[Path]) -> pl.DataFrame:
    """Return what a program prints for each topic of the runs."""
    rows = [
        (run.name, measure, topic, float(value))
        for run in runs
        for measure, topic, value in lines_of(version, "-q", "-c", *PRINTED, qrels, run)
        if topic != "all" and measure != "relstring"
    ]
    return pl.DataFrame(rows, schema=[*KEY, "printed"], orient="row")


@dataclass(frozen=True)
class Built:
    """The odd collection as built by each version, with what the program of the version prints."""

    scores: dict[int, pl.DataFrame]
    printed: dict[int, pl.DataFrame]
    audits: dict[int, pl.DataFrame]
    pooling_ranks: dict[int, list[tuple[object, ...]]]
    named: dict[int, list[tuple[object, ...]]]


@pytest.fixture(scope="module")
def built(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("versions")
    request = odd_collection.write(folder)
    assert request.qrels is not None
    warehouse = new_warehouse(folder)
    load_collection(warehouse, request)
    found = Built({}, {}, {}, {}, {})
    for version in RELEASES:
        found.printed[version] = printed(version, folder / "qrels.txt", list(request.run_files))
        change_setting(warehouse, setting_named("trec_eval"), How.SET, [str(version)])
        build(warehouse)
        with warehouse.read() as connection:
            found.scores[version] = of_collection(connection, _SCORES, odd_collection.NAME)
            found.audits[version] = of_collection(connection, _AUDIT, odd_collection.NAME)
            found.pooling_ranks[version] = connection.execute(_POOLING_RANKS).fetchall()
            found.named[version] = connection.execute(
                "select distinct trec_eval_version from dim_measures "
                "union select trec_eval_version from dim_collections"
            ).fetchall()
    return found


def of_collection(
    connection: duckdb.DuckDBPyConnection, query: str, collection: str
) -> pl.DataFrame:
    return frame_of(connection.sql(query, params=[collection]))


@pytest.mark.parametrize("version", RELEASES)
def test_scores_are_those_of_the_version(built: Built, version: int) -> None:
    both = built.scores[version].join(built.printed[version], on=KEY)
    assert both.height == built.scores[version].height > 500
    off = both.filter((pl.col("score") - pl.col("printed")).abs() > ROUNDING)
    assert off.is_empty(), off


def test_the_versions_differ_and_the_marts_name_theirs(built: Built) -> None:
    both = built.scores[9].join(built.scores[10], on=KEY)
    assert both.filter(pl.col("score") != pl.col("score_right")).height > 20
    assert built.named == {9: [(9,)], 10: [(10,)]}


def test_the_pooling_order_is_the_same(built: Built) -> None:
    """Pools were made in the order of version 9."""
    assert built.pooling_ranks[9] == built.pooling_ranks[10] != []


@pytest.mark.parametrize("version", RELEASES)
def test_the_audit_has_what_differs(built: Built, version: int) -> None:
    """The audit is the same under both settings, and has the scores of both programs."""
    check_audit(built.audits[version], built.printed)
    assert set(built.audits[version]["reasons"]) >= {"float ties", "recall levels"}


def check_audit(audit: pl.DataFrame, lines: dict[int, pl.DataFrame]) -> pl.DataFrame:
    """Compare an audit with the lines of both programs, and return the lines that differ."""
    both = lines[9].join(lines[10], on=KEY, suffix="_10")
    differing = both.filter((pl.col("printed") - pl.col("printed_10")).abs() > 0.00005)
    run_and_measure = KEY[:2]
    unknown = differing.join(audit, on=run_and_measure, how="anti").filter(
        pl.col("trec_eval_name").is_in(audit["trec_eval_name"].unique().to_list())
    )
    assert unknown.is_empty(), unknown
    means = both.group_by(run_and_measure).agg(pl.col("printed", "printed_10").mean())
    compared = audit.join(means, on=run_and_measure)
    assert compared.height == audit.height
    off = compared.filter(
        ((pl.col("trec_eval_9_score") - pl.col("printed")).abs() > ROUNDING)
        | ((pl.col("trec_eval_10_score") - pl.col("printed_10")).abs() > ROUNDING)
    )
    assert off.is_empty(), off
    return differing


@pytest.mark.archive
@pytest.mark.parametrize("collection", [TREC2, TREC8], ids=lambda each: each.name)
def test_the_pools_of_the_archive_are_the_same(
    marts: duckdb.DuckDBPyConnection, collection: ArchiveCollection
) -> None:
    """The rankings of version 9 have the pooling ranks that the marts have, built by version 10."""
    by_9 = {node.name: node.sql for node in plan_of({"trec_eval": 9}).relations}["int_rankings"]
    query = "select collection_key from raw.collections where collection_id = ?"
    [key] = marts.execute(query, [collection.name]).fetchall()[0]
    marts.execute(f"set variable collections_at_hand = [{key}]")
    try:
        compared = marts.execute(
            f"""
            select
                count(*),
                count(*) filter (where stored.pooling_rank is distinct from by_9.pooling_rank),
                count(*) filter (where stored.rank <> by_9.rank)
            from (select * from intermediate.int_rankings where collection_key = {key}) as stored
            full join ({by_9}) as by_9 using (run_key, topic_key, doc_key)
            """
        ).fetchall()
    finally:
        marts.execute("reset variable collections_at_hand")
    # The numbers of documents, of documents that are elsewhere in the pooling order, and of
    # documents that the versions rank differently.
    assert compared == [{TREC2: (1_822_657, 0, 2_016), TREC8: (6_284_293, 0, 18_635)}[collection]]


@pytest.mark.archive
def test_trec_covid_differs_as_the_programs_do(
    marts: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    files = sorted((TREC_COVID.folder / "runs").iterdir())
    for file in files:
        unpacked = gzip.decompress(file.read_bytes())
        (tmp_path / file.name.removeprefix("input.").removesuffix(".gz")).write_bytes(unpacked)
    runs = sorted(tmp_path.iterdir())
    qrels = tmp_path / "qrels"
    qrels.write_bytes(gzip.decompress((TREC_COVID.folder / "qrels.txt.gz").read_bytes()))
    lines = {version: printed(version, qrels, runs) for version in RELEASES}
    both = of_collection(marts, _SCORES, TREC_COVID.name).join(lines[10], on=KEY)
    off = both.filter((pl.col("score") - pl.col("printed")).abs() > ROUNDING)
    assert off.is_empty(), off
    differing = check_audit(of_collection(marts, _AUDIT, TREC_COVID.name), lines)
    is_level = pl.col("trec_eval_name").str.starts_with("iprec_at_recall")
    counted = differing.select(
        n_levels=is_level.sum(),
        n_runs=pl.col("run_id").filter(is_level).n_unique(),
        n_ap=(pl.col("trec_eval_name") == "map").sum(),
        n_runs_ap=pl.col("run_id").filter(pl.col("trec_eval_name") == "map").n_unique(),
    )
    assert counted.row(0) == (3_404, 138, 7, 1)
