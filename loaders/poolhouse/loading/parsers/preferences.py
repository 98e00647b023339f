"""Preferences: `topic better worse [equal]`, one comparison of two documents a line."""

from dataclasses import replace

import polars as pl

from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = {
    **{"query": pl.String, "docno": pl.String, "other_docno": pl.String},
    "is_equal": pl.Boolean,
}
# The fourth field, in lower case. `=` and `!` are the marks of published files.
_IS_EQUAL = {
    **dict.fromkeys(("1", "=", "equal", "tie", "yes", "true"), True),
    **dict.fromkeys(("0", "!", "better", "no", "false"), False),
}


def parse_preferences(source: SourceFile) -> ParsedFile:
    """Parse a file of preferences.

    A line has a topic, the better document and the worse one, and may say that they are equal.
    `rows` has line_number, query, docno, other_docno and is_equal. A document may stand in many
    lines, and none of them repeats another one. Raise BadFileError where the text cannot be read.
    """
    return replace(parse_lines(source, _SCHEMA, _check), n_duplicates=0)


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, (*_SCHEMA, "surplus"))
    word = pl.col("is_equal").str.to_lowercase()
    is_equal = word.fill_null("0").replace_strict(_IS_EQUAL, default=None, return_dtype=pl.Boolean)
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col("other_docno").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        .when(pl.col("surplus").is_not_null())
        .then(pl.lit(RejectReason.TOO_MANY_FIELDS.value))
        .when(is_equal.is_null() | (pl.col("docno") == pl.col("other_docno")))
        .then(pl.lit(RejectReason.PREFERENCE_NOT_CLEAR.value))
    )
    return lines.with_columns(is_equal, reason=reason)
