"""Run files: `topic Q0 docno rank score tag`, one ranked document a line."""

import polars as pl

from poolhouse.parsers.lines import ParsedFile, RejectReason, SourceFile, numbered_fields, reject

_FIELDS = ("query", "q0", "docno", "rank", "score", "tag")


def run_id_of(file_name: str) -> str:
    """Tell a run's id: its file name less a leading `input.` and a trailing `.gz`, nothing else.

    The tag column is not the id, since tags repeat (TREC-2: prc1 and prc2 share one).
    """
    return file_name.removeprefix("input.").removesuffix(".gz")


def parse_run(source: SourceFile) -> ParsedFile:
    """Parse a run file.

    A line has at least five fields; everything after the score is the tag. `rows` has line_number,
    query, docno, rank (the given one, null where it is no whole number), score and tag.
    """
    lines, n_lines, n_blank = numbered_fields(source.data, _FIELDS)
    score = pl.col("score").cast(pl.Float64, strict=False)
    checked = lines.with_columns(
        parsed_score=score,
        reason=pl.when(pl.col("score").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        # A null compares to null, which `when` takes as false: only finite numbers pass.
        .when(score.is_finite())
        .then(None)
        .otherwise(pl.lit(RejectReason.SCORE_NOT_A_NUMBER.value)),
    )
    rows = checked.filter(pl.col("reason").is_null()).select(
        "line_number",
        "query",
        "docno",
        pl.col("rank").cast(pl.Int32, strict=False),
        score=pl.col("parsed_score"),
        tag=pl.col("tag"),
    )
    rejected = reject(checked.filter(pl.col("reason").is_not_null()))
    return ParsedFile(rows, rejected, n_lines, n_blank)
