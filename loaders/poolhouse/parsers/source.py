"""From a file on disk to its text: read within a limit, decompressed, in UTF-8."""

import codecs
import gzip
import hashlib
import io
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from poolhouse.errors import BadFileError

# Bytes of text in one file. A run of MS MARCO's 6,980 topics has 0.3 GB; a small compressed file
# that grows beyond this is damaged or hostile.
DEFAULT_LIMIT = 1024**3

_GZIP_MARK = b"\x1f\x8b"
_GZIP_FORMAT = 31  # wbits: the largest window, a gzip header and checksum
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class SourceFile:
    """One input file as it lies on disk, with the hash of those bytes."""

    path: Path
    stored: bytes
    limit: int = DEFAULT_LIMIT

    @cached_property
    def sha256(self) -> str:
        """The hash by which a changed file is told from an unchanged one."""
        return hashlib.sha256(self.stored).hexdigest()

    @cached_property
    def data(self) -> bytes:
        """The content in UTF-8, without a byte order mark.

        Bytes that are not UTF-8 are read as Latin-1, each for itself: what a document id becomes
        depends on its own bytes alone, and not on what else is in its file. Errors: as `content`,
        and BadFileError for a file in UTF-16.
        """
        data = self.content.removeprefix(codecs.BOM_UTF8)
        if data.startswith(_UTF_16_MARKS):
            raise BadFileError(self.path, "is in UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
        return data if data.isascii() else data.decode(errors=_LATIN_1_ELSEWHERE).encode()

    @cached_property
    def content(self) -> bytes:
        """The content, decompressed where it is compressed.

        Errors: BadFileError where that is damaged, or more than the limit.
        """
        if self.stored.startswith(_GZIP_MARK):
            return self._gunzipped()
        if self.path.suffix == ".gz":
            raise BadFileError(self.path, "not a gzip file, though its name ends in .gz")
        if len(self.stored) > self.limit:
            raise self._beyond_limit()
        return self.stored

    def _gunzipped(self) -> bytes:
        """Decompress, but never more than the limit."""
        try:
            # At once, at twice the speed of GzipFile, which is for files of several members.
            first = zlib.decompressobj(wbits=_GZIP_FORMAT)
            data = first.decompress(self.stored, self.limit + 1)
            if first.eof and (rest := first.unused_data.lstrip(b"\0")):
                more = gzip.GzipFile(fileobj=io.BytesIO(rest))
                data += more.read(self.limit + 1 - len(data))
        except (OSError, EOFError, zlib.error) as error:
            raise BadFileError(self.path, f"not a whole gzip file: {error}") from error
        if len(data) > self.limit:
            raise self._beyond_limit()
        if not first.eof:
            raise BadFileError(self.path, "not a whole gzip file: it ends too early")
        return data

    def _beyond_limit(self) -> BadFileError:
        return BadFileError(
            self.path,
            f"holds more than {self.limit / 1024**2:g} MB of text, the limit for a file; "
            "if it is meant to, raise --max-file-size",
        )


def read_source(path: Path, limit: int = DEFAULT_LIMIT) -> SourceFile:
    """Read a file whole, at most `limit` bytes of it and one more.

    Errors: BadFileError where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return SourceFile(path, file.read(limit + 1), limit)
    except OSError as error:
        raise BadFileError(path, f"cannot be read: {error.strerror}") from error


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    # One byte, and not error.start to error.end: what follows may begin a sequence of its own.
    return error.object[error.start : error.start + 1].decode("latin-1"), error.start + 1


_LATIN_1_ELSEWHERE = "poolhouse.latin_1_elsewhere"
codecs.register_error(_LATIN_1_ELSEWHERE, _as_latin_1)
