"""The place of a lake: a folder of a disk, or of an object store through pyarrow's file systems.

pyarrow is asked for an object store alone. The engine reads both through fsspec.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.whole import drafted

_FILE = "file://"

# What to do about an error of an object store, by the name that the store gives it.
_ADVICE = {
    "NO_SUCH_BUCKET": "there is no such bucket: create it, or correct the address",
    "NETWORK_CONNECTION": "no server answers: correct the address, or AWS_ENDPOINT_URL",
    "ACCESS_DENIED": "access is denied: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "INVALID_ACCESS_KEY_ID": "the store does not know AWS_ACCESS_KEY_ID",
    "SIGNATURE_DOES_NOT_MATCH": "AWS_SECRET_ACCESS_KEY is wrong",
}
_NAME = re.compile(r"AWS Error (\w+)")


class Place:
    """A folder and the files in it, by their paths relative to the folder.

    `address` is the path of a folder, or the address of a folder in an object store, such as
    s3://bucket/lake. Every method raises PoolhouseError where the file system refuses.
    """

    def __init__(self, address: str) -> None:
        """Raise PoolhouseError where the address has a password: messages name the address."""
        if address.startswith(_FILE):
            address = unquote(urlsplit(address).path)
        elif "://" in address and "@" in address and urlsplit(address).password is not None:
            raise PoolhouseError(
                f"{urlsplit(address).scheme}://: the address of a lake has no credentials: set "
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        self.is_local = "://" not in address
        self.address = os.path.abspath(address) if self.is_local else address  # noqa: PTH100 - text

    @cached_property
    def _system_and_root(self) -> tuple[AbstractFileSystem, str]:
        if self.is_local:
            return LocalFileSystem(skip_instance_cache=True), self.address
        try:
            from fsspec.implementations.arrow import ArrowFSWrapper  # noqa: PLC0415 - an extra
            from pyarrow import fs  # noqa: PLC0415
        except ImportError as error:
            raise PoolhouseError(
                f"{self.address}: a lake in an object store needs pip install 'poolhouse[store]'"
            ) from error
        with self._in_words():
            system, root = fs.FileSystem.from_uri(self.address)
            return ArrowFSWrapper(system), root

    def _at(self, path: str) -> str:
        return f"{self._system_and_root[1]}/{path}".rstrip("/")

    @property
    def _system(self) -> AbstractFileSystem:
        return self._system_and_root[0]

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None where there is no such file."""
        with self._in_words():
            try:
                return bytes(self._system.cat_file(self._at(path)))
            except FileNotFoundError:
                return None

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading. Raise FileNotFoundError."""
        with self._in_words(FileNotFoundError):
            return self._system.open(self._at(path), "rb")  # type: ignore[no-any-return]

    def info(self, path: str) -> dict[str, object]:
        """Return what fsspec tells about a file. Raise FileNotFoundError."""
        with self._in_words(FileNotFoundError):
            return self._system.info(self._at(path))  # type: ignore[no-any-return]

    def has(self, path: str) -> bool:
        """Return whether there is a file."""
        with self._in_words():
            return bool(self._system.isfile(self._at(path)))

    def write(self, path: str, content: bytes) -> None:
        """Replace a file at once: a reader sees the old content, or all of the new content."""
        with self._in_words():
            self._make_folder_of(path)
            if self.is_local:
                with drafted(Path(self._at(path))) as draft:
                    draft.write_bytes(content)
            else:  # an object store shows an object when it is complete
                self._system.pipe_file(self._at(path), content)

    def upload(self, local: Path, path: str) -> None:
        """Copy a file of this machine to the place."""
        with self._in_words():
            self._make_folder_of(path)
            if self.is_local:
                shutil.copyfile(local, self._at(path))
            else:
                # `put_file` makes the folders first, each by requests of its own.
                with local.open("rb") as source, self._system.open(self._at(path), "wb") as target:
                    shutil.copyfileobj(source, target)

    def paths(self, folder: str) -> list[str]:
        """List the files below a folder, also in its folders."""
        with self._in_words():
            root, place = self._at(""), self._at(folder)
            found = self._system.find(place) if self.is_local else self._objects(place)
            return sorted(path.removeprefix(f"{root}/") for path in found)

    def _objects(self, folder: str) -> list[str]:
        """List what an object store has below a folder at once, and not folder by folder."""
        from pyarrow import fs  # noqa: PLC0415 - an extra

        found = fs.FileSelector(folder, allow_not_found=True, recursive=True)
        return [each.path for each in self._system.fs.get_file_info(found) if each.is_file]

    def names(self, folder: str) -> list[str]:
        """List the files and folders of a folder; none where there is no such folder."""
        with self._in_words():
            try:
                found = self._system.ls(self._at(folder), detail=False)
            except FileNotFoundError:
                return []
            return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def move(self, path: str, target: str) -> None:
        """Move a file, if it is there, and replace the file at its target."""
        with self._in_words():
            self._make_folder_of(target)
            try:
                if self.is_local:
                    Path(self._at(path)).replace(self._at(target))
                    self._remove_empty_folder_of(path)
                else:
                    self._system.mv(self._at(path), self._at(target))
            except FileNotFoundError:
                return

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with everything in it, if it is there."""
        with self._in_words():
            try:
                self._system.rm(self._at(path), recursive=True)
            except FileNotFoundError:
                return
            if self.is_local:
                self._remove_empty_folder_of(path)

    def _make_folder_of(self, path: str) -> None:
        # An object store has no folders.
        if self.is_local:
            Path(self._at(path)).parent.mkdir(parents=True, exist_ok=True)

    def _remove_empty_folder_of(self, path: str) -> None:
        with suppress(OSError):  # not empty
            Path(self._at(path)).parent.rmdir()

    @contextmanager
    def _in_words(self, *passing: type[Exception]) -> Iterator[None]:
        try:
            yield
        # Each file system has errors of its own, such as those of its network.
        except Exception as error:
            if isinstance(error, (PoolhouseError, *passing)):
                raise
            problem = _in_words(error)
            raise PoolhouseError(f"{self.address}: cannot be read or written: {problem}") from error


def _in_words(error: Exception) -> str:
    name = _NAME.search(str(error))
    if name and name[1] in _ADVICE:
        return _ADVICE[name[1]]
    told = " ".join(str(getattr(error, "strerror", None) or error).split())
    return told or type(error).__name__
