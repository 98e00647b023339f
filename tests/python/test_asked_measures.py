"""Test measures that are asked for by name, without a build, and the messages about mistakes."""

from pathlib import Path

import pytest

from poolhouse.errors import PoolhouseError
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'nowhere', 'AP'", "no collection is built with the name nowhere"),
        ("{collection}, 'map'", r"map is written AP$"),
        ("{collection}, 'ndcg_cut_20'", "ndcg_cut_20 is written nDCG@20$"),
        ("{collection}, 'NDCG@10'", "NDCG@10 is written nDCG@10$"),
        ("{collection}, 'Rprec_mult_0.20'", "Rprec_mult_0.20 is written RprecMult@0.20$"),
        ("{collection}, '11pt_avg'", "11pt_avg is written IPrecAvg$"),
        # trec_eval's name goes before a name in lower case
        ("{collection}, 'rbp'", "rbp is written GradedRBP$"),
        # as ir_measures writes it
        (
            "{collection}, 'nDCG(dcg=''exp-log2'',judged_only=True)@5'",
            r"is written nDCG\(dcg=exp-log2,judged_only=true\)@5$",
        ),
        ("{collection}, 'MAP'", "MAP is written AP$"),
        ("{collection}, 'MRR'", "MRR is written RR$"),
        ("{collection}, 'Recall@20'", "Recall@20 is written R@20$"),
        ("{collection}, 'StRecall@20'", "StRecall@20 needs judgements of subtopics"),
        ("{collection}, 'alpha_nDCG@20'", "alpha_nDCG@20 needs judgements of subtopics"),
        ("{collection}, 'NRBP'", "NRBP needs judgements of subtopics"),
        (
            "{collection}, 'prefs_simp'",
            "prefs_simp needs preferences between documents: select it from pref",
        ),
        ("{collection}, 'map_avgjg'", "map_avgjg needs several groups of judgements"),
        ("{collection}, 'ndgc@10'", r"ndgc@10 is not a measure .*: did you mean nDCG\?$"),
        ("{collection}, 'Accurate'", r"did you mean Accuracy\?$"),
        ("{collection}, 'nDCG@10 '", r"nDCG@10 +is not written as nDCG"),
        ("{collection}, 'IPrec@2'", "IPrec@2 is not written as IPrec"),
        ("{collection}, 'BPM(max_rel=2,min_rel=2)@5'", "has a min_rel that is not below its max_"),
        ("{collection}, 'official'", "official stands for several measures"),
        ("{collection}, 'P.5,10'", "P.5,10 has several cutoffs"),
        ("{collection}, 'all_trec'", "all_trec stands for several measures: name each of them"),
        ("{collection}, 'recall.5,10'", "recall.5,10 has several cutoffs: name a measure for each"),
        ("{collection}, 'ndcg_cut'", r"ndcg_cut is written nDCG\[\("),
        (
            "{collection}, 'Relevance'",
            r"Relevance is not a measure that Poolhouse computes; it has A, AAP, Accuracy",
        ),
        ("{collection}, ''", "an empty name is not a measure that Poolhouse computes"),
        ("{collection}, 'P'", r"P is not written as P\[\(rel=l,judged_only=false\)\]@k"),
        ("{collection}, 'AP(rel=0)'", r"AP\(rel=0\) is not written as AP"),
        ("{collection}, 'P(rel=99999999999)@5'", r"P\(rel=99999999999\)@5 is not written as P"),
        ("{collection}, 'RBP(p=1.5)'", r"RBP\(p=1.5\) is not written as RBP"),
        ("{collection}, 'RBP(p=0.5,p=0.8)'", "is not written as RBP"),
        ("{collection}, 'P@5; drop table runs'", "is not written as P"),
        ("{collection}, 'AP', judgement_set := 'half'", "half is not full, without_run,"),
        ("{collection}, 'AP', unjudged := 'unknown'", "unknown is not nonrelevant or condensed"),
        ("{collection}, null", "an argument is null"),
        ("{collection}, 'AP', unjudged := null", "an argument is null"),
    ],
)
def test_a_mistake_is_an_error_that_names_it(
    built_once: tuple[Path, LoadRequest, Warehouse], arguments: str, message: str
) -> None:
    _, request, warehouse = built_once
    asked = arguments.format(collection=f"'{request.collection}'")
    with pytest.raises(PoolhouseError, match=message):
        run_query(warehouse, f"select * from topic_scores({asked})")


@pytest.mark.parametrize("arguments", ["'nowhere', 'AP'", "'page', 'nowhere'"])
def test_run_scores_has_the_errors_of_topic_scores(page: Warehouse, arguments: str) -> None:
    """The join with the unknown measure does not remove the error."""
    with pytest.raises(PoolhouseError, match="nowhere"):
        run_query(page, f"select * from run_scores({arguments})")


@pytest.mark.parametrize("scores", ["topic_scores", "run_scores"])
def test_the_answer_has_the_columns_of_the_mart(
    built_once: tuple[Path, LoadRequest, Warehouse], scores: str
) -> None:
    _, request, warehouse = built_once
    asked = run_query(warehouse, f"select * from {scores}('{request.collection}', 'AP')")
    assert asked.columns == run_query(warehouse, f"select * from fct_{scores} limit 0").columns
