"""Test runs and judgements from Python: accepted forms give the same rows, others are refused."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import ir_measures
import pandas as pd
import polars as pl
import pytest

from conftest import OF_DEV
from poolhouse.api.given import JudgementsLike, given_judgements, given_run
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.line_files import read_run
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.scoring.asked_runs import as_run

# pandas gives its frames through it.
pytest.importorskip("pyarrow", reason=OF_DEV)

RUN = [("1", "d1", 3.0), ("1", "d2", 2.0), ("2", "d9", 1.0)]
COLUMNS = ["query", "docno", "score"]
FRAME = pl.DataFrame(RUN, schema=COLUMNS, orient="row")


def frames() -> dict[str, Any]:
    """Return the new run in every accepted form."""
    as_pandas = FRAME.to_pandas()
    of_numbers = as_pandas.assign(query=as_pandas["query"].astype(int))
    as_dict: dict[str, dict[str, float]] = {}
    for topic, docno, score in RUN:
        as_dict.setdefault(topic, {})[docno] = score
    return {
        "polars": FRAME,
        "pandas": as_pandas,
        "pandas, topics as numbers": of_numbers,
        "pandas, categories": as_pandas.astype({"query": "category", "docno": "category"}),
        "pandas of objects": as_pandas.astype(object).astype({"score": float}),
        "pyarrow": FRAME.to_arrow(),
        "duckdb": duckdb.from_arrow(FRAME.to_arrow()),
        "ir_measures": FRAME.rename({"query": "query_id", "docno": "doc_id"}),
        "a list of ir_measures, as a frame": pd.DataFrame(
            [ir_measures.ScoredDoc(*row) for row in RUN]
        ),
        "PyTerrier": as_pandas.assign(query="what is asked", qid=as_pandas["query"], docid=7),
        "marts": FRAME.rename({"query": "topic_id", "docno": "doc_id"}),
        "scores as whole numbers": FRAME.with_columns(pl.col("score").cast(pl.Int64)),
        "pytrec_eval": as_dict,
    }


@pytest.mark.parametrize("kind", list(frames()))
def test_every_kind_of_frame_is_the_same_run(kind: str) -> None:
    given = given_run(frames()[kind])
    assert as_run(given.rows).select(COLUMNS).equals(FRAME)
    assert given.run_id is None


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_the_same_run(tmp_path: Path, kind: Callable[[Path], str | Path]) -> None:
    """It has the id that `load` would give it; commands read a new run by `read_run`."""
    file = tmp_path / "input.new.gz"
    lines = [f"{topic} Q0 {docno} 0 {score} tag\n" for topic, docno, score in RUN]
    file.write_bytes(gzip.compress("".join([*lines, "1 Q0 d4 4 high tag\n"]).encode()))
    given = given_run(kind(file))
    assert given.rows.select(COLUMNS).equals(FRAME)
    assert given.run_id == read_run(file).run_id == "new"
    assert LoadRequest("any", run_files([file])).run_ids == ["new"]
    [remark] = given.remarks
    assert remark.startswith("input.new.gz: 1 of 4 lines rejected, line 4: score not a finite numb")


def test_what_orders_a_pool_is_kept() -> None:
    ordered = FRAME.with_columns(rank=pl.Series([3, 2, 1]), system=pl.lit("new"))
    assert given_run(ordered).rows.columns == [*COLUMNS, "rank"]


JUDGEMENTS = pl.DataFrame({"query": ["1"], "docno": ["d9"], "grade": [1]})


@pytest.mark.parametrize(
    "common",
    [
        JUDGEMENTS,
        JUDGEMENTS.rename({"query": "query_id", "docno": "doc_id", "grade": "relevance"}),
        JUDGEMENTS.to_pandas().rename(columns={"query": "qid", "grade": "label"}),
        {"1": {"d9": 1}},
    ],
    ids=["polars", "ir_measures", "PyTerrier", "pytrec_eval"],
)
def test_every_kind_of_judgements_is_the_same(common: JudgementsLike) -> None:
    assert given_judgements(common).rows.rows() == JUDGEMENTS.rows()


def test_judgements_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "common.txt"
    file.write_text("1 0 d9 1\n")
    assert given_judgements(file).rows.select(JUDGEMENTS.columns).rows() == JUDGEMENTS.rows()


REFUSED: dict[str, tuple[Any, str]] = {
    "no score": (
        FRAME.rename({"score": "similarity"}),
        "the run: there is no column score; it has query, docno, similarity",
    ),
    "no topic": (
        FRAME.to_pandas().drop(columns="query"),
        "the run: there is no column query_id or qid or q_id or topic_id or topic or query; "
        "it has docno, score",
    ),
    "no column": (pl.DataFrame(), "it has none"),
    "topics with fractions": (
        FRAME.with_columns(query=pl.lit(1.0)),
        "the run: the column 'query' holds Float64; ids are text or whole numbers",
    ),
    "a missing document": (
        FRAME.with_columns(docno=pl.lit(None, pl.String)),
        "the run: there is a row without a topic or a document",
    ),
    "scores in words": (FRAME.with_columns(score=pl.lit("high")), "the run: conversion"),
    "an infinite score": (
        FRAME.with_columns(score=pl.lit(float("inf"))),
        "the run has a score that is not a finite number",
    ),
    "a score that is no number": (
        FRAME.with_columns(score=pl.lit(float("nan"))),
        "the run has a score that is not a finite number",
    ),
    "a missing score": (
        FRAME.with_columns(score=pl.lit(None, pl.Float64)),
        "the run has a score that is not a finite number",
    ),
    "no frame": (42, "the run: int is not accepted: give the name of a file, a data frame"),
    "None": (None, "the run: NoneType is not accepted"),
    "a lazy frame": (FRAME.lazy(), "the run: LazyFrame is not accepted"),
    "a flat dict": ({"1": 2.0}, "the run: it is not a dict by topic of dicts by document"),
    "a dict with words": ({"1": {"d1": "high"}}, "the run: it is not a dict by topic"),
    "a pandas frame of anything": (
        pd.DataFrame({"query": ["1", 2], "docno": ["d1", "d2"], "score": [1.0, 2.0]}),
        "the run: the data frame cannot be read: ",
    ),
    "a name of bytes": (os.fsencode("run"), "the run: bytes is not accepted"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_what_is_no_run_is_refused_in_one_line(case: str) -> None:
    given, message = REFUSED[case]
    with pytest.raises(PoolhouseError) as caught:
        as_run(given_run(given).rows)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_are_no_judgements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PoolhouseError, match="the judgements: there is no column grade or"):
        given_judgements(FRAME)
    with pytest.raises(BadFileError):
        given_judgements(tmp_path / "missing")
