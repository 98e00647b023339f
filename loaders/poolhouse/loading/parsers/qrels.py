"""Qrels: `topic iteration docno grade` a line, BEIR's three columns with a header, and JSON."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.json_lists import is_json, parse_json
from poolhouse.loading.parsers.judgement_lists import QRELS, is_judgement_list, parse_judgement_list
from poolhouse.loading.parsers.lines import (
    COMMENT_MARK,
    ParsedFile,
    RejectReason,
    parse_lines,
    split_lines,
)
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = QRELS

_BEIR = {name: kind for name, kind in _SCHEMA.items() if name != "iteration"}
_HEADER_OF_BEIR = re.compile(rb"query-id[ \t]+corpus-id[ \t]+score[ \t]*\r?\n")

# What a whole number may end with, as 1.0 does.
ZERO_FRACTION = r"\.0*$"
_LAST_FIELD = r"(\S+)$"


def parse_qrels(source: SourceFile) -> ParsedFile:
    """Parse a qrels file.

    A line has exactly four fields. `rows` has line_number, query, iteration, docno and grade; a
    negative grade means "in the pool, unjudged". The grade 1.0 is 1. BEIR's lines and JSON have no
    iteration; it is 0. Raise BadFileError where the text of the file cannot be read, and for a
    grade that is a fraction: without these lines, documents of some grades would be unjudged, and
    the others not.
    """
    if is_judgement_list(source):
        parsed = parse_judgement_list(source)
    elif is_json(source):
        return _whole_grades(source, parse_json(source))
    elif _HEADER_OF_BEIR.match(source.data):
        # Its header counts as a comment.
        headless = replace(source, stored=COMMENT_MARK.encode() + source.data)
        parsed = parse_lines(headless, _BEIR, partial(_check, schema=_BEIR))
        parsed = replace(parsed, rows=_with_iteration(parsed.rows))
    else:
        parsed = parse_lines(source, _SCHEMA, partial(_check, schema=_SCHEMA))
    number = pl.col("text").str.extract(_LAST_FIELD).cast(pl.Float64, strict=False)
    fractions = parsed.rejected.filter(
        pl.col("reason") == RejectReason.GRADE_NOT_AN_INTEGER.value,
        number.is_finite() & (number != number.round(0)),
    )
    for line, _, text in fractions.head(1).rows():
        raise _is_fraction(source, text.split()[-1], line)
    return parsed


def _whole_grades(source: SourceFile, parsed: ParsedFile) -> ParsedFile:
    """Return the judgements of JSON, whose numbers must be whole."""
    grade = pl.col("number").cast(pl.Int32, strict=False)
    for number in parsed.rows.filter((grade != pl.col("number")).fill_null(value=True))["number"]:
        raise _is_fraction(source, number)
    return replace(parsed, rows=_with_iteration(parsed.rows.with_columns(grade=grade)))


def _with_iteration(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(iteration=pl.lit("0")).select("line_number", *_SCHEMA)


def _is_fraction(source: SourceFile, number: object, line: int | None = None) -> BadFileError:
    return BadFileError(
        source.path,
        f"the grade {source.quoted(number)} is no whole number: multiply all grades by the same "
        "number, such as 100",
        line,
    )


def _check(data: bytes, schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    lines = split_lines(data, (*schema, "surplus"))
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
