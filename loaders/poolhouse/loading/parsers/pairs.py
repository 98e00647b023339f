"""Pairs: `topic docno`, one document that does not count for a topic a line."""

import polars as pl

from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = {"query": pl.String, "docno": pl.String}


def parse_pairs(source: SourceFile) -> ParsedFile:
    """Parse a file of pairs. `rows` has line_number, query and docno.

    Raise BadFileError where the text of the file cannot be read.
    """
    return parse_lines(source, _SCHEMA, _check)


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, (*_SCHEMA, "surplus"))
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col("docno").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        .when(pl.col("surplus").is_not_null())
        .then(pl.lit(RejectReason.TOO_MANY_FIELDS.value))
    )
    return lines.with_columns(reason=reason)
