"""From bytes to numbered lines of fields: what run files and qrels have in common.

Fields are separated by any white space, as in trec_eval. White space is made uniform on the bytes
and the lines are split by column operations: about 100 MB/s a core, for regular and irregular
files alike, so that there is one path and not a fast and a tolerant one.
"""

import gzip
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import polars as pl

from poolhouse.errors import BadFileError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE_SPACE_TO_BLANK = bytes.maketrans(b"\t\r\v\f", b"    ")
_REJECTED_TEXT_LENGTH = 200


class RejectReason(StrEnum):
    """Why a line was set aside."""

    TOO_FEW_FIELDS = "too_few_fields"
    TOO_MANY_FIELDS = "too_many_fields"
    SCORE_NOT_A_NUMBER = "score_not_a_finite_number"
    GRADE_NOT_AN_INTEGER = "grade_not_an_integer"


@dataclass(frozen=True)
class SourceFile:
    """One input file as it lies on disk, with the hash of those bytes."""

    path: Path
    stored: bytes

    @cached_property
    def sha256(self) -> str:
        """The hash by which a changed file is told from an unchanged one."""
        return hashlib.sha256(self.stored).hexdigest()

    @cached_property
    def data(self) -> bytes:
        """The content, decompressed where the name ends in `.gz`.

        Errors: BadFileError where the gzip stream is damaged.
        """
        if self.path.suffix != ".gz":
            return self.stored
        try:
            return gzip.decompress(self.stored)
        except (OSError, EOFError, zlib.error) as error:
            raise BadFileError(self.path, f"not a whole gzip file: {error}") from error


@dataclass(frozen=True)
class ParsedFile:
    """The account of one file: every line is a row, a blank line or a rejected line.

    `rows` has one row a loaded line, with `line_number` (from 1) and the format's fields.
    `rejected` has `line_number`, `reason` (a RejectReason) and `text`.
    """

    rows: pl.DataFrame
    rejected: pl.DataFrame
    n_lines: int
    n_blank: int


def read_source(path: Path) -> SourceFile:
    """Read a file whole.

    Errors: BadFileError where it cannot be read.
    """
    try:
        return SourceFile(path, path.read_bytes())
    except OSError as error:
        raise BadFileError(path, f"cannot be read: {error.strerror}") from error


def decode(data: bytes) -> str:
    """Decode UTF-8, or Latin-1 where the file is not UTF-8; both keep the order of the bytes."""
    data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def numbered_fields(data: bytes, names: Sequence[str]) -> tuple[pl.DataFrame, int, int]:
    """Split every line into at most `len(names)` fields, the last one taking the rest.

    Returns the non-blank lines, shape (n, 2 + len(names)): `line_number` (from 1), the fields (null
    where the line is too short) and `text` (the line, white space made uniform); then the number
    of lines and of blank ones. A final line break ends a line and does not start another.
    """
    n_lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    text = pl.Series("text", [decode(_with_single_blanks(data))])
    lines = text.str.split("\n").explode().to_frame()
    lines = lines.with_columns(line_number=pl.int_range(1, pl.len() + 1, dtype=pl.Int32))
    written = lines.filter(pl.col("text") != "")
    split = pl.col("text").str.splitn(" ", len(names)).struct.rename_fields(list(names))
    fields = written.select("line_number", split.alias("fields"), "text").unnest("fields")
    return fields, n_lines, n_lines - written.height


def reject(lines: pl.DataFrame) -> pl.DataFrame:
    """Keep, of lines with a `reason`, what is recorded about them."""
    return lines.select("line_number", "reason", pl.col("text").str.slice(0, _REJECTED_TEXT_LENGTH))


def _with_single_blanks(data: bytes) -> bytes:
    data = data.removeprefix(_BYTE_ORDER_MARK).translate(_WHITE_SPACE_TO_BLANK)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
