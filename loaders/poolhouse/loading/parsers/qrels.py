"""Qrels: `topic iteration docno grade`, one judgement a line."""

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.judgement_lists import QRELS, is_judgement_list, parse_judgement_list
from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = QRELS

# What a whole number may end with, as 1.0 does.
ZERO_FRACTION = r"\.0*$"
_LAST_FIELD = r"(\S+)$"


def parse_qrels(source: SourceFile) -> ParsedFile:
    """Parse a qrels file.

    A line has exactly four fields. `rows` has line_number, query, iteration, docno and grade; a
    negative grade means "in the pool, unjudged". The grade 1.0 is 1. Raise BadFileError where the
    text of the file cannot be read, and for a grade that is a fraction: without these lines,
    documents of some grades would be unjudged, and the others not.
    """
    is_list = is_judgement_list(source)
    parsed = parse_judgement_list(source) if is_list else parse_lines(source, _SCHEMA, _check)
    number = pl.col("text").str.extract(_LAST_FIELD).cast(pl.Float64, strict=False)
    fractions = parsed.rejected.filter(
        pl.col("reason") == RejectReason.GRADE_NOT_AN_INTEGER.value,
        number.is_finite() & (number != number.round(0)),
    )
    for line, _, text in fractions.head(1).rows():
        raise BadFileError(
            source.path,
            f"the grade {source.quoted(text.split()[-1])} is no whole number: multiply all grades "
            "by the same number, such as 100",
            line,
        )
    return parsed


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, (*_SCHEMA, "surplus"))
    grade = pl.col("grade").str.replace(ZERO_FRACTION, "").cast(pl.Int32, strict=False)
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
