"""The place of a lake: a folder of a disk, or of an object store, through pyarrow's file systems."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pyarrow import fs

from poolhouse.errors import PoolhouseError

_DRAFT = ".draft"
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

    `address` is the path of a folder, or the URI of a folder in an object store, such as
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
    def files(self) -> fs.FileSystem:
        """The file system whose root is the folder."""
        with self._in_words():
            if self.is_local:
                return fs.SubTreeFileSystem(self.address, fs.LocalFileSystem())
            system, root = fs.FileSystem.from_uri(self.address)
            return fs.SubTreeFileSystem(root, system)

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None where there is no such file."""
        with self._in_words():
            try:
                with self.files.open_input_stream(path) as file:
                    return bytes(file.read())
            except FileNotFoundError:
                return None

    def write(self, path: str, content: bytes) -> None:
        """Replace a file at once: a reader sees the old content, or all of the new content."""
        # An object store shows an object when it is complete.
        written = f"{path}{_DRAFT}" if self.is_local else path
        with self._in_words():
            self._make_folder_of(path)
            with self.files.open_output_stream(written) as file:
                file.write(content)
            if written != path:
                self.files.move(written, path)

    def upload(self, local: Path, path: str) -> None:
        """Copy a file of this machine to the place."""
        with self._in_words():
            self._make_folder_of(path)
            fs.copy_files(str(local), path, fs.LocalFileSystem(), self.files)

    def paths(self, folder: str) -> list[str]:
        """List the files below a folder, also in its folders."""
        selector = fs.FileSelector(folder, allow_not_found=True, recursive=True)
        with self._in_words():
            return [each.path for each in self.files.get_file_info(selector) if each.is_file]

    def names(self, folder: str) -> list[str]:
        """List the files and folders of a folder."""
        selector = fs.FileSelector(folder, allow_not_found=True)
        with self._in_words():
            return [each.base_name for each in self.files.get_file_info(selector)]

    def move(self, path: str, target: str) -> None:
        """Move a file, if it is there, and replace the file at its target."""
        with self._in_words():
            if self.is_local:
                if not (Path(self.address) / path).exists():
                    return
            elif self.files.get_file_info(path).type is fs.FileType.NotFound:
                return
            self._make_folder_of(target)
            self.files.move(path, target)

    def remove(self, folder: str) -> None:
        """Remove a folder with everything in it, if it is there."""
        with self._in_words():
            self.files.delete_dir_contents(folder, missing_dir_ok=True)
            if self.files.get_file_info(folder).type is fs.FileType.Directory:
                self.files.delete_dir(folder)

    def remove_file(self, path: str) -> None:
        """Remove a file."""
        with self._in_words():
            self.files.delete_file(path)

    def _make_folder_of(self, path: str) -> None:
        # An object store has no folders.
        if self.is_local:
            (Path(self.address) / path).parent.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:  # such as a scheme that pyarrow does not know
            problem = _in_words(error)
            raise PoolhouseError(f"{self.address}: cannot be read or written: {problem}") from error


def _in_words(error: OSError | ValueError) -> str:
    name = _NAME.search(str(error))
    if name and name[1] in _ADVICE:
        return _ADVICE[name[1]]
    return " ".join(str(getattr(error, "strerror", None) or error).split())
