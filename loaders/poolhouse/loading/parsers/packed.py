"""Packed files, and their text within a limit."""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable
from io import BufferedIOBase
from typing import BinaryIO, NamedTuple

from isal import isal_zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Declared there as an exception, not as a type of them.
_ISAL_ERROR: type[Exception] = isal_zlib.error  # type: ignore[assignment]
_GZIP_FORMAT = 31  # wbits: the largest window, a gzip header and checksum


class Packing(NamedTuple):
    """A form of packed files: its name, its ending, its mark, and how its text is unpacked.

    `text_of` takes the file and a number of bytes, and returns at most as many bytes of text. It
    raises one of `PACKING_ERRORS` for a damaged file.
    """

    name: str
    ending: str
    mark: bytes
    text_of: Callable[[bytes, int], bytes]
    place: int = 0


def _gunzipped(stored: bytes, n_bytes: int) -> bytes:
    # At once, at three times the speed of GzipFile, which is for files of several members.
    first = isal_zlib.decompressobj(wbits=_GZIP_FORMAT)
    data = first.decompress(stored, n_bytes)
    if first.eof and (rest := first.unused_data.lstrip(b"\0")):
        data += gzip.GzipFile(fileobj=io.BytesIO(rest)).read(n_bytes - len(data))
    if not first.eof and len(data) < n_bytes:
        raise EOFError("it ends too early")
    return data


def _by(opened: Callable[[BinaryIO], BufferedIOBase]) -> Callable[[bytes, int], bytes]:
    def text_of(stored: bytes, n_bytes: int) -> bytes:
        with opened(io.BytesIO(stored)) as file:
            return file.read(n_bytes)

    return text_of


PACKINGS = (
    Packing("gzip", ".gz", b"\x1f\x8b", _gunzipped),
    Packing("xz", ".xz", b"\xfd7zXZ\x00", _by(lzma.LZMAFile)),
    Packing("zstd", ".zst", b"\x28\xb5\x2f\xfd", _by(zstd.ZstdFile)),
    # Its first bytes, BZh and a digit, may begin a line.
    Packing("bzip2", ".bz2", b"1AY&SY", _by(bz2.BZ2File), place=4),
)
PACKING_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, _ISAL_ERROR)
