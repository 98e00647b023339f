"""Test runs of passages beside judgements of documents: a document counts by its best passage."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import invoke, invoke_on
from conftest import NewWarehouse
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.passages import of_documents
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.queries import run_query

QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d#3 2\n"
PASSAGES = "1 Q0 d2#0 1 9 p\n1 Q0 d1#4 2 8 p\n1 Q0 d1#1 3 7 p\n1 Q0 d#3#1 4 6 p\n"
DOCUMENTS = "1 Q0 d2 1 9 p\n1 Q0 d1 2 8 p\n1 Q0 d#3 3 6 p\n"


@given(
    st.lists(st.text(alphabet="ab#_\n\u00e9", min_size=1)),
    st.sampled_from(["#", "_", "##", "a.", "\\"]),
)
def test_an_id_ends_at_its_last_mark(ids: list[str], mark: str) -> None:
    rows = pl.DataFrame({"docno": pl.Series(ids, dtype=pl.String)})
    cut = of_documents(rows, mark)["docno"].to_list()
    assert cut == [each.rpartition(mark)[0] if mark in each else each for each in ids]


@pytest.mark.heavy
def test_scores_are_those_of_documents(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """Of loaded runs, of a file, and of a new run beside loaded ones. Another mark is refused."""
    for name, text in (("passages", PASSAGES), ("documents", DOCUMENTS), ("qrels", QRELS)):
        (tmp_path / name).write_text(text)
    passages, documents, qrels = (tmp_path / name for name in ("passages", "documents", "qrels"))
    measures = ("-m", "AP", "-m", "nDCG@10", "-m", "P@5", "--format", "csv")
    of_files = [
        invoke("score", file, "--qrels", qrels, *measures, *marked).stdout.splitlines()[1:]
        for file, marked in ((passages, ("--passages", "#")), (documents, ()))
    ]
    assert [line.partition(",")[2] for line in of_files[0]] == [
        line.partition(",")[2] for line in of_files[1]
    ]
    warehouse = new_warehouse(tmp_path)
    report = load_collection(warehouse, LoadRequest("c", [passages], qrels, passages="#"))
    assert report.n_duplicates == 1
    with pytest.raises(PoolhouseError, match="have passages by the mark '#'"):
        load_collection(warehouse, LoadRequest("c", [documents], passages="_"))
    invoke_on(warehouse, "build", status=0)
    ranked = run_query(warehouse, "select ap, ndcg_10, p_5 from leaderboard").rows
    assert [f"{score:.9f}" for score in ranked[0]] == [
        f"{float(line.split(',')[6]):.9f}" for line in of_files[1]
    ]
    (tmp_path / "new").write_text(PASSAGES)
    new = invoke_on(warehouse, "score", tmp_path / "new", "--collection", "c", *measures, status=0)
    known = invoke_on(warehouse, "score", "passages", "--collection", "c", *measures, status=0)
    assert new.stdout.replace("new,", "passages,") == known.stdout
