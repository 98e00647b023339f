"""Run files: `topic Q0 docno rank score tag`, one ranked document a line."""

import polars as pl

from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = {
    "query": pl.String,
    "q0": pl.String,
    "docno": pl.String,
    "rank": pl.Int32,
    "score": pl.Float64,
    "tag": pl.String,
}


def parse_run(source: SourceFile) -> ParsedFile:
    """Parse a run file.

    A line has at least five fields; everything after the score is the tag. `rows` has line_number,
    query, q0, docno, rank (as given, null where it is no whole number), score and tag. Raise
    BadFileError where the text of the file cannot be read.
    """
    return parse_lines(source, _SCHEMA, _check)


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, tuple(_SCHEMA))
    score = pl.col("score").cast(pl.Float64, strict=False)
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col("score").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        # A null compares to null, which `when` takes as false: only finite numbers pass.
        .when(score.is_finite())
        .then(None)
        # In a line of five fields with the score in the fourth, an earlier field is missing.
        .when(pl.col("tag").is_null() & pl.col("rank").cast(pl.Float64, strict=False).is_finite())
        .then(pl.lit(RejectReason.DOCUMENT_OR_RANK_MISSING.value))
        .otherwise(pl.lit(RejectReason.SCORE_NOT_A_NUMBER.value))
    )
    rank = pl.col("rank").cast(pl.Int32, strict=False)
    return lines.with_columns(rank, score, reason=reason)
