"""Compare every measure with another tool that has it, for all topics and both treatments.

The real collections are regular: every line of the qrels is a judgement, and nearly every ranking
is long. The odd collection has the cases that they lack.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import duckdb
import polars as pl
import pytest

import odd_collection
from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.building.project import project_folder
from poolhouse.loading.load import CollectionSettings, load_collection
from poolhouse.warehouse.frames import frame_of
from references import REFERENCES, Grades, References, Run, Unjudged

TOLERANCE = 1e-5
KEY = ["run_id", "topic_id", "unjudged", "measure"]
TREATMENTS: tuple[Unjudged, ...] = ("nonrelevant", "condensed")

# Measures that no build makes, and that are computed on demand.
AD_HOC = (
    "P@1",
    "P@1000",
    "P(rel=3)@5",
    "AntiP@30",
    "UnjudgedRate@30",
    "R(rel=2)@20",
    "AP(rel=4)",
    "AP(rel=2)@10",
    "GMAP(rel=2)",
    "Rprec(rel=2)",
    "RR(rel=3)@5",
    "Bpref(rel=2)",
    "infAP(rel=2)",
    "nDCG@3",
    "ERR@5",
    "ERR",
    "BPM@10",
    "BPM(T=1.5,max_rel=2)@7",
    "SDCG(min_rel=1)@8",
    "SDCG(max_rel=3)@70",
    "INSQ",
    "INSQ(T=2.5,max_rel=3)",
    "INST",
    "INST(T=0.3,max_rel=2)",
    "INST(T=3,min_rel=1)",
    "NERR8@10",
    "NERR8(max_rel=2)@60",
    "NERR9(max_rel=5)@20",
    "NERR10",
    "NERR10(p=0.5,max_rel=3)",
    "NERR11",
    "NERR11(T=2,min_rel=1,max_rel=5)",
    "Compat",
    "Compat(p=0.8)",
    "Compat(normalize=false,p=0.9)",
    "Accuracy",
    "Accuracy(rel=2)@5",
    "RBP(p=0.5)",
    "RBP(p=0.95)@20",
    "RBP(rel=2,p=0.8)",
    "RBPResidual(p=0.5)@3",
    "RBPResidual(p=0.95)",
    "Success(rel=4)@10",
    "IPrec(rel=2)@0.7",
    "SetP(rel=2)",
    "SetR(rel=2)",
    "SetF(rel=2)",
    "SetF(beta=0.5)",
    "NumRel(rel=2)",
    "NumRelRet(rel=2)",
    "Judged@50",
    "Judged",
    "A@3",
    "RA@20",
    "RA",
    "AAP",
    "AAP@10",
    "ARprec",
    "ARR",
    "ARR@2",
    "RelP@5",
    "RelP(rel=2)@30",
    "RprecMult@0.20",
    "RprecMult(rel=2)@1.60",
    "GMBpref(rel=2)",
    "YAAP",
    "SetAP(rel=2)",
    "SetP(relative=true)",
    "IPrecAvg",
    "IPrecAvg(rel=2)",
    "BinG(rel=2)",
    "G",
    "G(gains={1:9,2:4})",
    "DCG",
    "DCG@3",
    "DCG(gains={0:-1,1:3,2:9})@10",
    "IdealDCG",
    "IdealDCG(gains={0:-1,1:3,2:9})@10",
    "nDCG(gains={1:9,2:4})",
    "nDCG(dcg=exp-log2)@5",
    "nDCG(judged_only=true)@5",
    "P(judged_only=true,rel=2)@3",
    "SetF(judged_only=true)",
    "nDCGRel",
    "nDCGRel(gains={1:9,2:4})",
    "RnDCG",
    "RnDCG(rel=2)",
    "RnDCG(gains={1:9,2:4})",
    "GradedRBP",
    "GradedRBP(p=0.5)@4",
    "Unj@5",
    "Utility",
    "NumNonRelRet(rel=2)",
    "NumRet(rel=2)",
    "NumQ",
)
# The few of these measures that are computed on a collection of the archive, because SQL and tools
# take long.
AD_HOC_IN_ARCHIVE = ("nDCG@3", "AP(rel=2)@10", "Bpref(rel=2)")

in_archive = pytest.mark.parametrize(
    "collection", [TREC2, TREC8, TREC_COVID], ids=lambda each: each.name
)


# The words of the page of measures for a tool, where they are not the tool's name.
WORDS = {
    "trec_eval at recall": "trec_eval",
    "trec_eval of judged": "trec_eval, judged taken as relevant",
    "trec_eval of nonrelevant": "trec_eval, relevant and non-relevant exchanged",
    "trec_eval of gains": "trec_eval",
    "trec_eval of exponential gains": "trec_eval",
    "definition": "trec_eval 10",
    "judged": "ir_measures",
    "compat": "ir_measures",
    "accuracy": "ir_measures",
}


def test_the_page_names_the_tools() -> None:
    seed = pl.read_csv(project_folder() / "seeds" / "measures.csv")
    tools: dict[str, set[str]] = {}
    for reference in REFERENCES:
        name = reference.pattern.replace("\\", "@").partition("@")[0]
        tools.setdefault(name, set()).add(WORDS.get(reference.tool, reference.tool))
    assert {name: {tool} for name, tool in seed.select("name", "reference").iter_rows()} == tools


@pytest.mark.archive
@in_archive
def test_archive_agrees(marts: duckdb.DuckDBPyConnection, collection: ArchiveCollection) -> None:
    compare(of_the_mart(marts, collection.name), collection.qrels(), collection.runs())


# By the first threshold, grade 1 is relevant; by the second, it is not.
THRESHOLDS = (1, 2)
thresholds = pytest.mark.parametrize("threshold", THRESHOLDS)


@pytest.fixture(scope="module")
def odd(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Build the odd collection once for each threshold."""
    folder = tmp_path_factory.mktemp("odd")
    warehouse = new_warehouse(folder)
    request = odd_collection.write(folder)
    for threshold in THRESHOLDS:
        settings = CollectionSettings(relevance_threshold=threshold)
        load_collection(
            warehouse, replace(request, collection=f"odd-{threshold}", settings=settings)
        )
    build(warehouse)
    with warehouse.read() as connection:
        yield connection


@pytest.mark.heavy
@thresholds
def test_odd_collection_agrees(odd: duckdb.DuckDBPyConnection, threshold: int) -> None:
    scores = of_the_mart(odd, f"odd-{threshold}")
    compare(scores, odd_collection.qrels(), odd_collection.runs(), threshold)


@pytest.mark.heavy
@pytest.mark.parametrize("measure", AD_HOC)
@thresholds
def test_ad_hoc_measure_agrees(
    odd: duckdb.DuckDBPyConnection, threshold: int, measure: str
) -> None:
    scores = when_asked(odd, f"odd-{threshold}", measure)
    assert scores["measure"].unique().to_list() == [measure]
    compare(scores, odd_collection.qrels(), odd_collection.runs(), threshold)


@pytest.mark.archive
def test_ad_hoc_measures_of_the_archive_agree(marts: duckdb.DuckDBPyConnection) -> None:
    """The collection has grades 1 and 2, and short rankings."""
    scores = pl.concat(when_asked(marts, TREC_COVID.name, each) for each in AD_HOC_IN_ARCHIVE)
    compare(scores, TREC_COVID.qrels(), TREC_COVID.runs())


def when_asked(
    connection: duckdb.DuckDBPyConnection, collection: str, measure: str
) -> pl.DataFrame:
    scores: pl.DataFrame = frame_of(
        connection.sql(
            " union all ".join(
                f"select * from topic_scores('{collection}', '{measure}', unjudged := '{unjudged}')"
                for unjudged in TREATMENTS
            )
        )
    )
    return scores


def of_the_mart(connection: duckdb.DuckDBPyConnection, collection: str) -> pl.DataFrame:
    scores: pl.DataFrame = frame_of(
        connection.sql(
            "select * from fct_topic_scores where collection_id = ? and judgement_set = 'full'",
            params=[collection],
        )
    )
    return scores


def compare(
    scores: pl.DataFrame,
    qrels: Grades,
    runs: Iterable[tuple[str, dict[str, dict[str, float]]]],
    threshold: int = 1,
) -> None:
    """Check that the scores are those of the references, and that there are no others."""
    expected = pl.concat(reference_scores(scores, qrels, runs, threshold))
    both = scores.join(expected, on=KEY, how="full", coalesce=True)
    assert both.height == scores.height == expected.height > 0
    off = both.filter(
        # A score that is null or not a number is not near any other score.
        ~((pl.col("score") - pl.col("expected")).abs() <= TOLERANCE).fill_null(value=False)
        | (pl.col("is_answered") != pl.col("expected_is_answered"))
    )
    assert off.is_empty(), off


def reference_scores(
    scores: pl.DataFrame,
    qrels: Grades,
    runs: Iterable[tuple[str, dict[str, dict[str, float]]]],
    threshold: int,
) -> Iterator[pl.DataFrame]:
    """Yield the scores of each run by other tools, for the given measures."""
    measures = {
        unjudged: scores.filter(unjudged=unjudged)["measure"].unique().to_list()
        for unjudged in TREATMENTS
    }
    references = {
        unjudged: References(qrels, measures[unjudged], threshold) for unjudged in TREATMENTS
    }
    for run_id, run_scores in runs:
        run = Run(run_scores, qrels)
        for unjudged in TREATMENTS:
            found = references[unjudged].scores(run, unjudged)
            yield pl.DataFrame(
                [
                    (run_id, topic, unjudged, measure, score, topic in run_scores)
                    for measure, topics in found.items()
                    for topic, score in topics.items()
                ],
                schema=[*KEY, "expected", "expected_is_answered"],
                orient="row",
            )
