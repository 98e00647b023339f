"""One load: what was asked, the store, the files that are read, and the report as it grows."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from poolhouse.loading.inputs import Input
from poolhouse.loading.line_files import rejection
from poolhouse.loading.parsers import ParsedFile, SourceFile, read_source
from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.loading.reference import with_reference
from poolhouse.loading.request import LoadRequest
from poolhouse.progress import Progress

_T = TypeVar("_T")


@dataclass
class LoadReport:
    """The result of a load: counts of files and lines, replaced runs, rejections and remarks."""

    n_files: int = 0
    n_unchanged: int = 0
    n_described: int = 0
    n_texts: int = 0
    n_official_figures: int = 0
    n_rows: int = 0
    n_blank: int = 0
    n_rejected: int = 0
    n_duplicates: int = 0
    is_new: bool = False
    is_judged: bool = True
    changed: bool = False
    replaced_runs: list[str] = field(default_factory=list)
    rejections: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def count(self, file: InputFile, parsed: ParsedFile) -> None:
        """Add the counts of a file."""
        if not parsed.rejected.is_empty():
            self.rejections.append(f"{Path(file.path).name}: {rejection(parsed)}")
        self.n_rows += parsed.rows.height
        self.n_blank += parsed.n_blank
        self.n_rejected += parsed.rejected.height
        self.n_duplicates += parsed.n_duplicates


class Load:
    """One load of a collection.

    `asked` is the request as it was made. In `request`, the judgements of the reference are the
    qrels. `new` has the kinds of files of which the load brought one.
    """

    def __init__(self, store: RawStore, asked: LoadRequest, progress: Progress) -> None:
        self.store = store
        self.asked = asked
        self.request = with_reference(asked, store)
        self.progress = progress
        self._inputs = self.request.inputs
        self._n_files = asked.n_files
        self.report = LoadReport()
        self.new: set[str] = set()

    def inputs(self, kind: str) -> list[Input]:
        """List the files and texts of a kind that the load reads."""
        return [each for each in self._inputs if each.kind == kind]

    def known_hashes(self, kind: str) -> dict[str, str]:
        """Return the hash of each loaded file of a kind that need not be read again."""
        # Under --strict a file with rejected lines stops the load, also if it was loaded before.
        return self.store.hashes(kind, only_flawless=self.request.strict)

    def read(
        self,
        given: Input,
        parse: Callable[[SourceFile], _T],
        known: Mapping[str, str] | None = None,
    ) -> tuple[InputFile, _T] | None:
        """Read and parse a file. Return None where its content is loaded already.

        `known` are the hashes of loaded files, by name; the default are those of the store. Raise
        BadFileError.
        """
        known = self.known_hashes(given.kind) if known is None else known
        self.progress(given.path.name, self.report.n_files, self._n_files)
        started = perf_counter()
        if isinstance(given.source, SourceFile):
            # The origin of text from memory is not a path of the file system.
            source, path = given.source, given.path
        else:
            limit = given.limit(self.request.max_file_size)
            source = read_source(given.source, limit, is_quotable=self.request.is_quotable)
            path = given.source.absolute()
        self.report.n_files += 1
        if source.sha256 == known.get(given.name):
            self.report.n_unchanged += 1
            return None
        parsed = parse(source)
        self.new.add(given.kind)
        n_bytes, seconds = len(source.stored), perf_counter() - started
        file = InputFile(given.kind, given.name, as_text(path), source.sha256, n_bytes, seconds)
        return file, parsed


def as_text(path: Path) -> str:
    """Write a path in UTF-8, for any bytes in the names of its folders."""
    return os.fsencode(path).decode(errors="replace")
