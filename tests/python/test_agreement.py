"""Compare every measure with another tool that has it, for all topics and both treatments.

The real collections are regular: every line of the qrels is a judgement, and nearly every ranking
is long. The odd collection has the cases that they lack.
"""

from itertools import product

import duckdb
import polars as pl
import pytest
from pyNTCIREVAL.metrics import QMeasure

import odd_collection
from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from archive_references import KEY, scores_by_tools
from asked_measures import MATERIALIZED, WITH_TOOL
from measures_reference import TREATMENTS, score_of
from poolhouse.building.project import project_folder
from poolhouse.warehouse.frames import rows_of
from references import REFERENCES, QuickQMeasure, References, Run

TOLERANCE = 1e-5

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
    compare(of_the_mart(marts, collection.name), collection)


@pytest.mark.heavy
@pytest.mark.parametrize("threshold", odd_collection.THRESHOLDS)
def test_reference_agrees(threshold: int) -> None:
    """test_reference.py compares the warehouse with the reference, on the odd collection, too."""
    qrels, wrong = odd_collection.qrels(), []
    highest_grade = max(grade for grades in qrels.values() for grade in grades.values())
    measures = {*MATERIALIZED, *WITH_TOOL}
    references = References(qrels, measures, threshold)
    for (run_id, scores), unjudged in product(odd_collection.runs(), TREATMENTS):
        run = Run(scores, qrels)
        found = references.scores(run, unjudged)
        assert found.keys() == measures
        for measure, topics in found.items():
            assert topics.keys() == qrels.keys()
            for topic, expected in topics.items():
                ranking = run.rankings("nonrelevant")[topic]
                score = score_of(measure, ranking, qrels[topic], threshold, unjudged, highest_grade)
                if not abs(score - expected) <= TOLERANCE:  # nor if one is not a number
                    wrong.append((measure, run_id, topic, unjudged, score, expected))
    assert not wrong


def test_the_quick_q_is_that_of_the_tool() -> None:
    for graded in product(range(3), repeat=6):
        numbers, levels = [graded.count(level) + 1 for level in range(3)], [1, 2]
        ranking = list(zip("abcdef", graded, strict=True))
        one, other = (
            measure(numbers, levels, beta=1).compute(ranking)
            for measure in (QuickQMeasure, QMeasure)
        )
        assert one == other


@pytest.mark.archive
def test_ad_hoc_measures_of_the_archive_agree(marts: duckdb.DuckDBPyConnection) -> None:
    """The collection has grades 1 and 2, and short rankings."""
    scores = pl.concat(when_asked(marts, TREC_COVID.name, each) for each in AD_HOC_IN_ARCHIVE)
    compare(scores, TREC_COVID)


def when_asked(
    connection: duckdb.DuckDBPyConnection, collection: str, measure: str
) -> pl.DataFrame:
    return rows_of(
        connection,
        " union all ".join(
            f"select * from topic_scores('{collection}', '{measure}', unjudged := '{unjudged}')"
            for unjudged in TREATMENTS
        ),
    )


def of_the_mart(connection: duckdb.DuckDBPyConnection, collection: str) -> pl.DataFrame:
    return rows_of(
        connection,
        "select * from fct_topic_scores where collection_id = $name and judgement_set = 'full'",
        {"name": collection},
    )


def compare(scores: pl.DataFrame, collection: ArchiveCollection) -> None:
    """Check that the scores are those of the references, and that there are no others."""
    measures = {
        unjudged: sorted(scores.filter(unjudged=unjudged)["measure"].unique())
        for unjudged in TREATMENTS
    }
    expected = scores_by_tools(collection, measures)
    both = scores.join(expected, on=KEY, how="full", coalesce=True)
    assert both.height == scores.height == expected.height > 0
    off = both.filter(
        # A score that is null or not a number is not near any other score.
        ~((pl.col("score") - pl.col("expected")).abs() <= TOLERANCE).fill_null(value=False)
        | (pl.col("is_answered") != pl.col("expected_is_answered"))
    )
    assert off.is_empty(), off
