"""Loading: from files to the raw schema of the warehouse, one collection at a time.

A file whose content is already in the warehouse is skipped. A changed file replaces its old rows. A
bad line is set aside. A bad file stops the load, and nothing of the load is kept.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import duckdb
import polars as pl

from poolhouse.errors import (
    BadFileError,
    IncompleteCollectionError,
    PoolhouseError,
    did_you_mean,
)
from poolhouse.loading.authors import author_remarks, refuse_unnamed, with_reference
from poolhouse.loading.line_files import (
    first_repeated,
    parse_qrels_file,
    parse_run_file,
    rejection,
)
from poolhouse.loading.mismatches import in_words
from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    parse_authors,
    parse_descriptions,
    parse_official_results,
    parse_topic_attributes,
    parse_topics,
    read_source,
)
from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.loading.request import LoadRequest, Source
from poolhouse.loading.run_files import is_name, run_id_of
from poolhouse.loading.title_words import SHARE_OF_LIMIT, load_title_words
from poolhouse.output.words import some_of
from poolhouse.warehouse.file import Warehouse

# Lines of runs stored by one insert. An insert leaves its last row group (of 122,880 lines)
# incomplete, and the end of the load compresses all incomplete groups again. Inserts of half as
# many lines take a third more processor time for storing. The lines of an insert are in memory.
_LINES_PER_INSERT = 500_000

# The number of loaded judgements that a new file may lack or grade otherwise, and their share in a
# small collection: errata change a few, and labels of another author change most.
_MOST_CORRECTED = 10
_MOST_CORRECTED_SHARE = 0.5

Progress = Callable[[str], None]
_T = TypeVar("_T")

# Descriptions and topics are small files, and need much more memory than their text.
_SHARE_OF_LIMIT = {
    **{"descriptions": 16, "topics": 16, "topic_attributes": 16, "authors": 16},
    "official_results": 64,
    **SHARE_OF_LIMIT,
}


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


def load_collection(
    warehouse: Warehouse, request: LoadRequest, progress: Progress = lambda _: None
) -> LoadReport:
    """Load the files of a request into the raw schema and publish the warehouse.

    `progress` gets the name of each file before the file is read. Raise BadFileError for a bad
    file. Raise IncompleteCollectionError where runs are missing, or where judgements are missing
    and the collection was never said to be unjudged. Raise PoolhouseError where a judged collection
    is said to be unjudged. Raise WarehouseBusyError where another process changes the warehouse.
    """
    check_name(request.collection)
    with warehouse.change() as change:
        with warehouse.side() as connection:
            report = load_into(connection, request, progress)
        change.abandoned = not report.changed
    return report


def check_name(collection: str) -> None:
    """Raise PoolhouseError where the text cannot be the name of a collection."""
    if not is_name(collection):
        raise PoolhouseError(f"collection name {collection!r} is empty or not printable")


def load_into(
    connection: duckdb.DuckDBPyConnection, request: LoadRequest, progress: Progress
) -> LoadReport:
    """Load the files of a request into a side file, in a transaction that an error leaves open.

    Raise the errors of `load_collection`.
    """
    before = _declared_and_loaded(connection, request.collection)
    connection.begin()
    store = RawStore.declared(connection, request.collection)
    may_be_unjudged = request.unjudged or bool(before)
    report = _Loader(store, request, progress).load(may_be_unjudged=may_be_unjudged)
    connection.commit()
    report.is_new = not before
    report.changed = _declared_and_loaded(connection, request.collection) != before
    return report


def _declared_and_loaded(
    connection: duckdb.DuckDBPyConnection, collection: str
) -> list[tuple[Any, ...]]:
    """Return the state of a collection: everything that its marts depend on, and its scale."""
    return connection.execute(
        """
        select fingerprint, highest_grade
        from ops.collection_fingerprints
        inner join raw.collections using (collection_key)
        where collection_id = ?
        """,
        [collection],
    ).fetchall()


class _Loader:
    """One load: the store of the collection, the request, and the report as it grows."""

    def __init__(self, store: RawStore, request: LoadRequest, progress: Progress) -> None:
        self.store = store
        self.request = with_reference(request, store)
        names_authors = bool(request.reference or request.author_qrels)
        # Text from memory has no author's name by which it could be called.
        self.has_unnamed_judgements = isinstance(request.qrels, Path) and not names_authors
        self.progress = progress
        self.report = LoadReport()
        self.has_new_titles = False
        self.has_new_judgements = False
        self.has_new_runs = False

    def load(self, *, may_be_unjudged: bool) -> LoadReport:
        if self.request.unjudged:
            self._refuse_if_judged()
        self.store.declare(self.request.declared())
        self._load_descriptions()
        self._load_topics()
        self._load_topic_attributes()
        self._load_qrels()
        self._load_authors()
        self._load_declared_authors()
        self._load_runs()
        self._load_common_topics()
        self._load_title_words()
        self._load_official_results()
        self._check_complete(may_be_unjudged=may_be_unjudged)
        self._remark_on_depth()
        self._remark_on_descriptions()
        self._remark_on_topic_attributes()
        self._remark_on_missing_files()
        self._remark_on_mismatches()
        self._remark_on_threshold()
        self._remark_on_kinds()
        self._remark_on_negative_grades()
        self._remark_on_official_results()
        self._remark_on_authors()
        return self.report

    def _load_descriptions(self) -> None:
        if loaded := self._read_single(
            self.request.descriptions, "descriptions", parse_descriptions
        ):
            self.store.replace_descriptions(*loaded)
            self.report.n_described = len(loaded[1])

    def _load_topics(self) -> None:
        if loaded := self._read_single(self.request.topics, "topics", parse_topics):
            self.store.replace_topics(*loaded)
            self.has_new_titles = True

    def _load_topic_attributes(self) -> None:
        if loaded := self._read_single(
            self.request.topic_attributes, "topic_attributes", parse_topic_attributes
        ):
            self.store.replace_topic_attributes(*loaded)

    def _load_qrels(self) -> None:
        parse = partial(parse_qrels_file, is_strict=self.request.strict)
        judgements = self.request.qrels
        if judgements and (loaded := self._read_single(judgements, "qrels", parse)):
            if self.has_unnamed_judgements:
                refuse_unnamed(_path(judgements), self.store)
            self._refuse_to_replace(_path(judgements), loaded[1].rows, "the collection")
            self.store.replace_qrels(*loaded)
            self.has_new_judgements = True
            self._count_judgements(*loaded)

    def _load_authors(self) -> None:
        parse = partial(parse_qrels_file, is_strict=self.request.strict)
        known = self._known_hashes("author_qrels")
        for author, source in self.request.author_qrels:
            if loaded := self._read(source, "author_qrels", author, known.get(author), parse):
                whose = f"the author {author!r}"
                self._refuse_to_replace(_path(source), loaded[1].rows, whose, author)
                self.store.replace_author(*loaded)
                self._count_judgements(*loaded)

    def _load_declared_authors(self) -> None:
        if loaded := self._read_single(self.request.authors, "authors", parse_authors):
            self.store.replace_declared_authors(*loaded)
        self.store.name_declared_reference()

    def _refuse_to_replace(
        self, path: Path, rows: pl.DataFrame, whose: str, author: str | None = None
    ) -> None:
        """Raise BadFileError where other judgements would silently take the place of loaded ones.

        Answers of assessors are never lost. Of the reference, a correction changes a few. The
        labels of another author have a name, so that nobody else's take their place.
        """
        if self.request.replace:
            return
        changes = self.store.changes_by(rows, author)
        if author and not changes.has_answers:
            return
        n_changed = changes.n_missing + changes.n_regraded
        few = min(_MOST_CORRECTED, _MOST_CORRECTED_SHARE * changes.n_loaded)
        most = 0 if changes.has_answers else few
        if n_changed > most:
            added = ", to which answers were added" if changes.has_answers else ""
            merge = "poolhouse pool load adds the file to them, " if changes.has_answers else ""
            raise BadFileError(
                path,
                f"would take away {changes.n_missing} and regrade {changes.n_regraded} of the "
                f"{changes.n_loaded} judgements of {whose}{added}, and nothing was loaded: {merge}"
                "--qrels NAME=FILE puts those of another author beside them, and --replace puts "
                "the file in their place",
            )

    def _load_runs(self) -> None:
        known = self._known_hashes("run")
        # One batch is read and parsed while the one before is stored; only this thread may use the
        # connection.
        for batch in _ahead(self._batches_of_runs(known)):
            self.store.replace_runs(batch)
            self.has_new_runs = True
            for loaded in batch:
                self.report.count(*loaded)
            self.report.replaced_runs += [file.name for file, _ in batch if file.name in known]
        if replaced := self.report.replaced_runs:
            self.report.remarks.append(
                f"files with other lines replaced loaded runs of the same name: {some_of(replaced)}"
            )
        self._mark_runs()

    def _mark_runs(self) -> None:
        """Mark the runs as added after the pool was judged, or not, as the last load says."""
        are_after_pool = self.request.are_after_pool
        marked = self.store.mark_runs(self.request.run_ids, are_after_pool=are_after_pool)
        if marked and not are_after_pool:
            self.report.remarks.append(
                "runs that were kept earlier as not pooled and now count like any other run: "
                f"{some_of(marked)} (adjust --keep, or descriptions, say that they were not)"
            )

    def _load_common_topics(self) -> None:
        parse = partial(parse_qrels_file, is_strict=self.request.strict)
        runs, known = self.store.hashes("run"), self._known_hashes("common_topics")
        for run_id, path in self.request.common_topics:
            if run_id not in runs:
                problem = (
                    f"run {run_id!r} is not in collection {self.request.collection!r}"
                    f"{did_you_mean(run_id, runs)}"
                )
                raise PoolhouseError(f"common topics of {path}: {problem}")
            if loaded := self._read(path, "common_topics", run_id, known.get(run_id), parse):
                before = self.store.n_common_judgements(run_id)
                self.store.replace_common_judgements(*loaded)
                self._remark_on_replaced(run_id, before)
                self._count_judgements(*loaded)

    def _remark_on_replaced(self, run_id: str, before: tuple[int, int]) -> None:
        """Remark on judgements that replaced those of an earlier load: they may be fewer."""
        n_before, n_topics_before = before
        n_now, n_topics_now = self.store.n_common_judgements(run_id)
        if n_before:
            self.report.remarks.append(
                f"common topics of run {run_id!r}: {n_now} judgements of {n_topics_now} topics "
                f"replaced {n_before} of {n_topics_before} topics (a file holds all judgements for "
                "its run)"
            )

    def _count_judgements(self, file: InputFile, parsed: ParsedFile) -> None:
        self.report.count(file, parsed)
        if parsed.n_duplicates:
            line, topic, document = first_repeated(parsed)
            which = f" (topic {topic}, document {document})" if parsed.is_quotable else ""
            self.report.remarks.append(
                f"{Path(file.path).name}: {parsed.n_duplicates} lines judge a document again, the "
                f"first is line {line}{which}: the highest grade counts. trec_eval ends with an "
                "error"
            )

    def _load_title_words(self) -> None:
        n_texts, remarks = load_title_words(
            self.store,
            self.request,
            self._read,
            has_new_titles=self.has_new_titles,
            has_new_judgements=self.has_new_judgements,
        )
        self.report.n_texts = n_texts
        self.report.remarks += remarks

    def _load_official_results(self) -> None:
        if loaded := self._read_single(
            self.request.official_results, "official_results", parse_official_results
        ):
            self.store.replace_official_results(*loaded)
            self.report.n_official_figures = len(loaded[1])

    def _batches_of_runs(
        self, known: dict[str, str]
    ) -> Iterator[list[tuple[InputFile, ParsedFile]]]:
        batch: list[tuple[InputFile, ParsedFile]] = []
        parse = partial(parse_run_file, is_strict=self.request.strict)
        for source in self.request.runs:
            run_id = run_id_of(_path(source).name)
            run = self._read(source, "run", run_id, known.get(run_id), parse)
            batch += [run] if run else []
            if sum(parsed.n_lines for _, parsed in batch) >= _LINES_PER_INSERT:
                yield batch
                batch = []
        if batch:
            yield batch

    def _read_single(
        self, given: Source | None, kind: str, parse: Callable[[SourceFile], _T]
    ) -> tuple[InputFile, _T] | None:
        """Read a file of a kind of which a collection has one file. Its name is the kind."""
        if given is None:
            return None
        return self._read(given, kind, kind, self._known_hashes(kind).get(kind), parse)

    def _known_hashes(self, kind: str) -> dict[str, str]:
        # Under --strict a file with rejected lines stops the load, also if it was loaded before.
        return self.store.hashes(kind, only_flawless=self.request.strict)

    def _read(
        self,
        path: Source,
        kind: str,
        name: str,
        known_hash: str | None,
        parse: Callable[[SourceFile], _T],
    ) -> tuple[InputFile, _T] | None:
        """Read and parse a file. Return None where its content is loaded already."""
        self.progress(_path(path).name)
        started = perf_counter()
        limit = self.request.max_file_size // _SHARE_OF_LIMIT.get(kind, 1)
        if isinstance(path, SourceFile):
            source = path
        else:
            source = read_source(path, limit, is_quotable=self.request.is_quotable)
        self.report.n_files += 1
        if source.sha256 == known_hash:
            self.report.n_unchanged += 1
            return None
        parsed = parse(source)
        file = InputFile(
            kind,
            name,
            # The origin of text from memory is not a path of the file system.
            _as_text(source.path if source is path else source.path.absolute()),
            source.sha256,
            len(source.stored),
            perf_counter() - started,
        )
        return file, parsed

    def _refuse_if_judged(self) -> None:
        """Refuse to declare a collection unjudged that has qrels, or gets qrels by this load."""
        given = self.request.qrels or self.request.author_qrels
        if given or self.store.hashes("qrels"):
            raise PoolhouseError(
                f"collection {self.request.collection!r} has qrels, and --unjudged would not take "
                "them away: leave it out to add to the collection, or poolhouse remove it first"
            )

    def _check_complete(self, *, may_be_unjudged: bool) -> None:
        """Check that there are runs, and judgements unless the collection is declared unjudged.

        A loaded collection without qrels was declared unjudged by an earlier load.
        """
        collection = self.request.collection
        if not self.store.hashes("run"):
            raise IncompleteCollectionError(
                collection, "runs", ": name its run files, or their folder, by --runs"
            )
        if self.store.hashes("qrels"):
            return
        if not may_be_unjudged:
            hint = ": name them with --qrels, or say --unjudged where there are none yet"
            raise IncompleteCollectionError(collection, "judgements", hint)
        if self.store.hashes("common_topics"):
            raise PoolhouseError(
                f"collection {collection!r} is not judged yet: judgements of common topics stand "
                "beside its qrels, so load those as well (--qrels)"
            )
        self.report.is_judged = False
        self.report.remarks.append(
            "not judged yet: a build makes rankings, overlaps and pool sizes, but no scores "
            "(load --qrels, when there are judgements)"
        )

    def _remark_on_threshold(self) -> None:
        """Remark on the lowest relevant grade if it was not declared and others are possible."""
        if not self.has_new_judgements or self.request.threshold is not None:
            return
        threshold, highest = self.store.threshold_and_highest_grade()
        if highest > 1:
            self.report.remarks.append(
                f"the qrels have grades up to {highest}: a document is relevant from grade "
                f"{threshold} on (load --threshold N takes another)"
            )

    def _remark_on_kinds(self) -> None:
        """Remark that the qrels list relevant documents only, unless the judging is declared."""
        if self.has_new_judgements and self.store.lists_relevant_documents():
            self.report.remarks.append(
                "the qrels hold no document that is judged not relevant: they name relevant "
                "documents only, so that nothing is called unjudged; Success, RR and R@k are the "
                "measures of such labels (load --judging pooled says that a pool was judged)"
            )

    def _remark_on_negative_grades(self) -> None:
        """Remark on how grades below 0 count."""
        if not self.has_new_judgements and self.request.judged_from is None:
            return
        found = self.store.negative_grades()
        if not found.n_negative:
            return
        negative = f"{found.n_negative} of {found.n_lines} judgements have a grade below 0"
        unjudged = "count as in the pool and not judged"
        if found.n_unjudged == 0:
            count = "they count as judged and not relevant"
        elif found.n_unjudged == found.n_negative:
            option = f"load --judged-from {found.lowest}"
            count = f"they {unjudged} ({option} makes them judged and not relevant)"
        else:
            count = (
                f"those from {found.judged_from} on count as judged and not relevant, and the "
                f"{found.n_unjudged} below {unjudged}"
            )
        self.report.remarks.append(f"{negative}: {count}")

    def _remark_on_authors(self) -> None:
        """Remark on what does not fit together about the authors of judgements."""
        request = self.request
        are_asked = request.author_qrels or request.authors
        self.report.remarks += author_remarks(
            self.store, is_asked=bool(are_asked or self.has_new_judgements)
        )

    def _remark_on_depth(self) -> None:
        """Repeat why the last build did not know the pool depth, if it is still not declared."""
        if remark := self.store.unknown_depth():
            self.report.remarks.append(remark)

    def _remark_on_descriptions(self) -> None:
        """Remark on runs and descriptions without a partner, often because of a typing error."""
        undescribed, not_loaded = self.store.unmatched_runs()
        if not self.store.hashes("descriptions"):
            remark = "no descriptions: every run counts as an organization of its own"
            self.report.remarks.append(remark)
        elif undescribed:
            remark = f"not described, each counted as its own organization: {some_of(undescribed)}"
            self.report.remarks.append(remark)
        if not_loaded:
            self.report.remarks.append(
                f"runs that are described but not loaded: {some_of(not_loaded)}"
            )

    def _remark_on_topic_attributes(self) -> None:
        """Remark on judged topics without attributes, and on unjudged topics with attributes."""
        if not (self.store.hashes("topic_attributes") and self.store.hashes("qrels")):
            return
        without, not_judged = self.store.unmatched_attributes()
        if without:
            self.report.remarks.append(f"judged topics without attributes: {some_of(without)}")
        if not_judged:
            self.report.remarks.append(
                f"topics with attributes that are not judged: {some_of(not_judged)}"
            )

    def _remark_on_official_results(self) -> None:
        """Remark on official results that are of no loaded run: perhaps another track's page."""
        if self.report.n_official_figures and not self.store.n_runs_with_official_results():
            self.report.remarks.append(
                "the official results are about runs that are not loaded, all of them"
            )

    def _remark_on_mismatches(self) -> None:
        """Remark on runs of which nothing is in the qrels: wrong runs, or wrong qrels."""
        if not (self.has_new_judgements or self.has_new_runs):
            return
        if found := self.store.mismatches():
            self.report.remarks.append(in_words(found))

    def _remark_on_missing_files(self) -> None:
        """Remark on loaded runs whose files were removed from the folders of the other files."""
        folders = {_as_text(path.absolute().parent) for path in self.request.run_files}
        here = set(self.request.run_ids)
        gone = [
            run_id
            for run_id, path in self.store.run_paths().items()
            if run_id not in here
            and str(Path(path).parent) in folders
            # Such a path may stand for an existing path that is not in UTF-8.
            and "\N{REPLACEMENT CHARACTER}" not in path
            and not os.path.exists(path)  # noqa: PTH110 - no error where a folder cannot be read
        ]
        if gone:
            remark = (
                "still loaded, though their files are no longer in the folder: "
                f"{some_of(sorted(gone))}"
            )
            self.report.remarks.append(f"{remark} (poolhouse remove removes runs)")


def _ahead(items: Iterator[_T]) -> Iterator[_T]:
    """Compute the next item in a thread, while the caller works on the current item."""
    with ThreadPoolExecutor(max_workers=1) as worker:
        coming = worker.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = worker.submit(next, items, None)
            yield item


def _path(source: Source) -> Path:
    return source.path if isinstance(source, SourceFile) else source


def _as_text(path: Path) -> str:
    """Write a path in UTF-8, for any bytes in the names of its folders."""
    return os.fsencode(path).decode(errors="replace")
