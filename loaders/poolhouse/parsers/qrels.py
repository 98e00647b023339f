"""Qrels: `topic iteration docno grade`, one judgement a line."""

import polars as pl

from poolhouse.parsers.lines import ParsedFile, RejectReason, SourceFile, numbered_fields, reject

_FIELDS = ("query", "iteration", "docno", "grade", "surplus")


def parse_qrels(source: SourceFile) -> ParsedFile:
    """Parse a qrels file.

    A line has exactly four fields. `rows` has line_number, query, iteration, docno and grade; a
    negative grade says "in the pool, unjudged".
    """
    lines, n_lines, n_blank = numbered_fields(source.data, _FIELDS)
    grade = pl.col("grade").cast(pl.Int32, strict=False)
    checked = lines.with_columns(
        parsed_grade=grade,
        reason=pl.when(pl.col("grade").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        .when(pl.col("surplus").is_not_null())
        .then(pl.lit(RejectReason.TOO_MANY_FIELDS.value))
        .when(grade.is_null())
        .then(pl.lit(RejectReason.GRADE_NOT_AN_INTEGER.value)),
    )
    rows = checked.filter(pl.col("reason").is_null()).select(
        "line_number", "query", "iteration", "docno", grade=pl.col("parsed_grade")
    )
    rejected = reject(checked.filter(pl.col("reason").is_not_null()))
    return ParsedFile(rows, rejected, n_lines, n_blank)
