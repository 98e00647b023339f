"""Qrels: `topic iteration docno grade`, one judgement a line."""

import polars as pl

from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = {"query": pl.String, "iteration": pl.String, "docno": pl.String, "grade": pl.Int32}


def parse_qrels(source: SourceFile) -> ParsedFile:
    """Parse a qrels file.

    A line has exactly four fields. `rows` has line_number, query, iteration, docno and grade; a
    negative grade means "in the pool, unjudged". Raise BadFileError where the text of the file
    cannot be read.
    """
    return parse_lines(source, _SCHEMA, _check)


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, (*_SCHEMA, "surplus"))
    grade = pl.col("grade").cast(pl.Int32, strict=False)
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col("grade").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        .when(pl.col("surplus").is_not_null())
        .then(pl.lit(RejectReason.TOO_MANY_FIELDS.value))
        .when(grade.is_null())
        .then(pl.lit(RejectReason.GRADE_NOT_AN_INTEGER.value))
    )
    return lines.with_columns(grade, reason=reason)
