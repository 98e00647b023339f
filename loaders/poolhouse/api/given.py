"""Runs and judgements that callers in Python give: a file, a data frame, or a dict.

A data frame may come from any library with the Arrow stream interface: polars, pandas from 2.2 on,
pyarrow, DuckDB. None of these libraries is imported for this.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.line_files import LinesOfFile, read_qrels, read_run
from poolhouse.request_fields import FileLike, as_path

# Names of a column in Poolhouse, ir_measures, ir_datasets, PyTerrier, trectools and ranx. The first
# name that a frame has counts. In PyTerrier a frame has `qid` and `docno`; its `query` is the text
# of the topic, and its `docid` is another number.
_TOPIC = ("query_id", "qid", "q_id", "topic_id", "topic", "query")
_DOCUMENT = ("docno", "doc_id", "docid")
_SCORE = ("score",)
_GRADE = ("grade", "relevance", "rel", "label")
# Columns that matter where a collection was pooled in the order of the file or by the given rank.
_ORDER = ("rank", "line_number")


class FrameLike(Protocol):
    """A data frame of any library that has the Arrow stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Share the columns."""


# As pytrec_eval has them: a dict by topic of a dict by document.
RunLike = FileLike | FrameLike | Mapping[str, Mapping[str, float]]
JudgementsLike = FileLike | FrameLike | Mapping[str, Mapping[str, int]]
_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True)
class Given:
    """Rows with `query`, `docno` and `score` or `grade`, and remarks on them.

    `run_id` is the id that the file of a run gives the run; it is None for other values. `origin`
    says where the rows come from.
    """

    rows: pl.DataFrame
    run_id: str | None
    origin: str
    remarks: tuple[str, ...] = ()


def given_run(run: RunLike) -> Given:
    """Return the rows of a run: `query`, `docno` and `score`, and `rank`, `line_number` if given.

    Raise PoolhouseError where a column is missing or the value is not a run, and BadFileError for a
    bad file.
    """
    if isinstance(run, str | os.PathLike):
        return _of_file(read_run(as_path(run)))
    what = "the run"
    frame, origin = _frame(run, what, "score", pl.Float64)
    chosen = _chosen(frame, what, {"query": _TOPIC, "docno": _DOCUMENT, "score": _SCORE})
    order = [name for name in _ORDER if name in frame.columns]
    return Given(frame.select(*chosen, *order), None, origin)


def given_judgements(judgements: JudgementsLike) -> Given:
    """Return the rows of judgements: `query`, `docno` and `grade`.

    Raise PoolhouseError where a column is missing or the value holds no judgements, and
    BadFileError for a bad file.
    """
    if isinstance(judgements, str | os.PathLike):
        return _of_file(read_qrels(as_path(judgements)))
    what = "the judgements"
    frame, origin = _frame(judgements, what, "grade", pl.Int32)
    chosen = _chosen(frame, what, {"query": _TOPIC, "docno": _DOCUMENT, "grade": _GRADE})
    return Given(frame.select(chosen), None, origin)


def _of_file(file: LinesOfFile) -> Given:
    return Given(file.rows, file.run_id, str(file.path), file.remarks)


def _frame(
    given: FrameLike | Mapping[str, Mapping[str, _Number]],
    what: str,
    value: str,
    kind: type[pl.DataType],
) -> tuple[pl.DataFrame, str]:
    """Return the given value as a polars frame, and the kind of the value."""
    if isinstance(given, Mapping):
        return _of_dict(given, what, value, kind), "dict:"
    if not hasattr(given, "__arrow_c_stream__"):
        raise PoolhouseError(
            f"{what}: {type(given).__name__} is not accepted: give the name of a file, a data "
            "frame (polars, pandas, pyarrow), or a dict by topic of dicts by document"
        )
    try:
        return pl.DataFrame(given), "frame:"
    except Exception as error:  # of whatever library the frame is
        problem = " ".join(str(error).split())
        raise PoolhouseError(f"{what}: the data frame cannot be read: {problem}") from error


def _of_dict(
    given: Mapping[str, Mapping[str, _Number]], what: str, value: str, kind: type[pl.DataType]
) -> pl.DataFrame:
    try:
        rows = [
            (topic, docno, number)
            for topic, documents in given.items()
            for docno, number in documents.items()
        ]
        return pl.DataFrame(
            rows, schema={"query": pl.String, "docno": pl.String, value: kind}, orient="row"
        )
    except (AttributeError, TypeError, OverflowError, pl.exceptions.PolarsError) as error:
        raise PoolhouseError(
            f"{what}: it is not a dict by topic of dicts by document: "
            f"{' '.join(str(error).split())}"
        ) from error


def _chosen(frame: pl.DataFrame, what: str, wanted: Mapping[str, tuple[str, ...]]) -> list[pl.Expr]:
    """Return an expression for each wanted column, found by the names that it may have."""
    chosen = []
    for name, known in wanted.items():
        column = next((each for each in known if each in frame.columns), None)
        if column is None:
            raise PoolhouseError(
                f"{what}: there is no column {' or '.join(known)}; it has "
                f"{', '.join(frame.columns) or 'none'}"
            )
        if name in ("query", "docno"):
            _refuse_fractions(frame[column], what)
            chosen.append(pl.col(column).cast(pl.String).alias(name))
        else:
            chosen.append(pl.col(column).alias(name))
    return chosen


def _refuse_fractions(ids: pl.Series, what: str) -> None:
    """Raise PoolhouseError for ids that became fractional numbers: 1.0 is not a topic."""
    if not (ids.dtype.is_integer() or isinstance(ids.dtype, pl.String | pl.Categorical | pl.Enum)):
        raise PoolhouseError(
            f"{what}: the column {ids.name!r} holds {ids.dtype}; ids are text or whole numbers"
        )
