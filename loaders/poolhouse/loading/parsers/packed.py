"""Packed files, and their text within a limit."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import NamedTuple

from isal import isal_zlib

# Declared there as an exception, not as a type of them.
_ISAL_ERROR: type[Exception] = isal_zlib.error  # type: ignore[assignment]
_GZIP_FORMAT = 31  # wbits: the largest window, a gzip header and checksum
# Bytes that a window of xz may take. `xz -9` takes 65 MB; a hostile file may ask for 4 GB.
_MOST_OF_XZ = 256 * 1024**2
_TOO_EARLY = "it ends too early"


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


def _gunzip(stored: bytes, n_bytes: int) -> bytes:
    # At once, at three times the speed of GzipFile, which is for files of several members.
    first = isal_zlib.decompressobj(wbits=_GZIP_FORMAT)
    data = first.decompress(stored, n_bytes)
    if first.eof and (rest := first.unused_data.lstrip(b"\0")):
        data += gzip.GzipFile(fileobj=io.BytesIO(rest)).read(n_bytes - len(data))
    if not first.eof and len(data) < n_bytes:
        raise EOFError(_TOO_EARLY)
    return data


def _unxz(stored: bytes, n_bytes: int) -> bytes:
    data = b""
    while stored and len(data) < n_bytes:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_OF_XZ)
        data += stream.decompress(stored, n_bytes - len(data))
        if not stream.eof and len(data) < n_bytes:
            raise EOFError(_TOO_EARLY)
        stored = stream.unused_data.lstrip(b"\0")
    return data


def _by_arrow(codec: str) -> Callable[[bytes, int], bytes]:
    def text_of(stored: bytes, n_bytes: int) -> bytes:
        import pyarrow as pa  # noqa: PLC0415 - takes a tenth of a second

        text: bytes = pa.CompressedInputStream(pa.BufferReader(stored), codec).read(n_bytes)
        return text

    return text_of


PACKINGS = (
    Packing("gzip", ".gz", b"\x1f\x8b", _gunzip),
    Packing("xz", ".xz", b"\xfd7zXZ\x00", _unxz),
    # Its first bytes, BZh and a digit, may begin a line.
    Packing("bzip2", ".bz2", b"1AY&SY", _by_arrow("bz2"), place=4),
    Packing("zstd", ".zst", b"\x28\xb5\x2f\xfd", _by_arrow("zstd")),
    Packing("lz4", ".lz4", b"\x04\x22\x4d\x18", _by_arrow("lz4")),
)
PACKING_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, _ISAL_ERROR)
