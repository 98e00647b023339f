"""From a file on disk to its text: read within a limit, decompressed, in UTF-8."""

import codecs
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.packed import PACKING_ERRORS, PACKINGS, Packing
from poolhouse.option_values import DEFAULT_LIMIT

# Marks of files that are not unpacked here, and the byte at which each mark is: archives may hold
# several files.
_OTHER_MARKS = (
    (0, b"PK\x03\x04", "a zip archive"),
    (0, b"\x04\x22\x4d\x18", "an lz4 file"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (257, b"ustar\x00", "a tar archive"),
    (257, b"ustar  \x00", "a tar archive"),
)
# What Git has in the place of a large file.
_LFS_MARK = b"version https://git-lfs.github.com/spec/"
# How "surrogateescape" marks a byte that is no UTF-8 (U+DC80 to U+DCFF), as UTF-8 would spell it,
# and how UTF-8 spells the character that Latin-1 has for that byte (U+0080 to U+00FF).
_MARKED_TO_LATIN_1 = ((b"\xed\xb2", b"\xc2"), (b"\xed\xb3", b"\xc3"))
_CHUNK = 1024**2
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class SourceFile:
    """One input file with its bytes on disk and their hash.

    For text from memory, the path is its origin, and no file is there. `is_quotable` says whether
    messages may repeat its text. Who named the file in an archive need not be allowed to read it.
    """

    path: Path
    stored: bytes = field(repr=False)
    limit: int = DEFAULT_LIMIT
    is_quotable: bool = True

    def quoted(self, value: object) -> str:
        """Write a value of the file for a message, if messages may quote the file."""
        return repr(value) if self.is_quotable else "[...]"

    @cached_property
    def sha256(self) -> str:
        """The hash that shows whether a file has changed."""
        return hashlib.sha256(self.stored).hexdigest()

    @cached_property
    def data(self) -> bytes:
        """The content in UTF-8, without a byte order mark.

        Bytes that are not UTF-8 are read one by one as Latin-1, so that the text of a document id
        depends only on its own bytes, and not on the rest of its file. Raise the errors of
        `content`, and BadFileError for a file in UTF-16.
        """
        self._refuse_others()
        data = self.content.removeprefix(codecs.BOM_UTF8)
        if data.startswith(_UTF_16_MARKS):
            raise BadFileError(self.path, "is in UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
        return data if data.isascii() else b"".join(_in_utf_8(data))

    @cached_property
    def content(self) -> bytes:
        """The content, unpacked if it is packed.

        Raise BadFileError where the packed content is damaged, or larger than the limit.
        """
        if len(self.stored) > self.limit:
            raise self._beyond_limit()
        for packing in PACKINGS:
            if self.stored.startswith(packing.mark, packing.place):
                return self._unpacked(packing)
            if self.path.suffix == packing.ending:
                problem = f"not a {packing.name} file, though its name ends in {packing.ending}"
                raise BadFileError(self.path, problem)
        return self.stored

    def _refuse_others(self) -> None:
        """Refuse archives, other packed files, and pointers to files."""
        for place, mark, name in _OTHER_MARKS:
            if self.content.startswith(mark, place):
                raise BadFileError(self.path, f"is {name}: unpack it, or pack it by gzip")
        if self.content.startswith(_LFS_MARK):
            raise BadFileError(self.path, "is a pointer of Git LFS: get the file by git lfs pull")

    def _unpacked(self, packing: Packing) -> bytes:
        """Unpack at most as many bytes as the limit."""
        try:
            data = packing.text_of(self.stored, self.limit + 1)
        except PACKING_ERRORS as error:
            problem = f"not a whole {packing.name} file: {error}"
            raise BadFileError(self.path, problem) from error
        if len(data) > self.limit:
            raise self._beyond_limit()
        return data

    def _beyond_limit(self) -> BadFileError:
        return BadFileError(
            self.path,
            f"holds more than {self.limit / 1024**2:g} MB of text, the limit for "
            "such a file; if it is meant to, raise --max-file-size",
        )


def read_source(path: Path, limit: int = DEFAULT_LIMIT, *, is_quotable: bool = True) -> SourceFile:
    """Read a file or a pipe whole, at most `limit` bytes of it and one more.

    Raise BadFileError where the file cannot be read, is a device, or changes during reading.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            before = os.fstat(file.fileno())
            if stat.S_ISFIFO(before.st_mode):
                os.set_blocking(file.fileno(), True)
                return SourceFile(path, file.read(limit + 1), limit, is_quotable)
            if not stat.S_ISREG(before.st_mode):
                raise BadFileError(path, "is a device, not a file")
            stored = file.read(min(limit, before.st_size) + 1)
            after = os.fstat(file.fileno())
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        raise BadFileError(path, f"cannot be read: {problem}") from error
    is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    # Some file systems report a size that is not the size of the content.
    if not is_same or len(stored) != min(before.st_size, limit + 1):
        raise BadFileError(path, "changed while it was read; load it again, or a copy of it")
    return SourceFile(path, stored, limit, is_quotable)


def _open_at_once(path: str, flags: int) -> int:
    # A named pipe without a writer counts as empty, because the load would wait for ever.
    return os.open(path, flags | os.O_NONBLOCK)


def _in_utf_8(data: bytes) -> Iterator[bytes]:
    """Recode, in chunks, the bytes that are not UTF-8 as if they were Latin-1."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for start in range(0, len(data), _CHUNK):
        text = decoder.decode(data[start : start + _CHUNK], final=start + _CHUNK >= len(data))
        chunk = text.encode(errors="surrogatepass")
        for marked, latin_1 in _MARKED_TO_LATIN_1:
            chunk = chunk.replace(marked, latin_1)
        yield chunk
