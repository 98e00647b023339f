"""Loading and removing runs."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.line_files import parse_run_file
from poolhouse.loading.parsers import ParsedFile, SourceFile
from poolhouse.loading.parsers.run_metadata import RunMetadata
from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.loading.reading import Load
from poolhouse.loading.run_metadata import describe_runs, metadata_of
from poolhouse.output.words import some_of

# Lines of runs stored by one insert. An insert leaves its last row group (of 122,880 lines)
# incomplete, and the end of the load compresses all incomplete groups again. Inserts of half as
# many lines take a third more processor time for storing. The lines of an insert are in memory.
_LINES_PER_INSERT = 500_000

_T = TypeVar("_T")
_Batch = Sequence[tuple[InputFile, ParsedFile]]


def load_runs(load: Load) -> None:
    """Load runs. Each replaces an earlier run with the same id. Raise BadFileError."""
    known = load.known_hashes("run")
    # One batch is read and parsed while the one before is stored; only this thread may use the
    # connection.
    metadata: dict[str, RunMetadata | None] = {}
    for batch in _ahead(_batches(load, known, metadata)):
        _replace(load.store, batch)
        for loaded in batch:
            load.report.count(*loaded)
        load.report.replaced_runs += [file.name for file, _ in batch if file.name in known]
    describe_runs(load, metadata)
    if replaced := load.report.replaced_runs:
        load.report.remarks.append(
            f"files with other lines replaced loaded runs of the same name: {some_of(replaced)}"
        )
    are_after_pool = load.request.are_after_pool
    marked = _mark(load.store, load.request.run_ids, are_after_pool=are_after_pool)
    if marked and not are_after_pool:
        load.report.remarks.append(
            "runs that were kept earlier as not pooled and now count like any other run: "
            f"{some_of(marked)} (adjust --keep, or descriptions, say that they were not)"
        )


def remove_run(store: RawStore, run_id: str) -> None:
    """Remove a run, and the judgements for it. Its history and its description are kept."""
    [(run_key,)] = store.of_collection("select run_key from raw.runs", "run_id = ?", run_id)
    for table in ("raw.run_lines", "raw.runs"):
        store.forget(table, "run_key = ?", run_key)
    store.forget("raw.common_judgements", "run_id = ?", run_id)
    of_run = "kind in ('run', 'common_topics') and name = ?"
    store.forget("raw.rejected_lines", of_run, run_id)
    store.record_removal(of_run, run_id)


def _batches(
    load: Load, known: Mapping[str, str], metadata: dict[str, RunMetadata | None]
) -> Iterator[_Batch]:
    """Read runs that are not loaded yet. What metadata in their files declares is added."""
    batch: list[tuple[InputFile, ParsedFile]] = []
    bad: list[BadFileError] = []
    passages = load.store.passage_mark()

    def parse(source: SourceFile) -> tuple[ParsedFile, RunMetadata | None]:
        parsed = parse_run_file(source, is_strict=load.request.strict, passages=passages)
        return parsed, metadata_of(load, source)

    for given in load.inputs("run"):
        run = None
        try:
            run = load.read(given, parse, known)
        except BadFileError as error:
            bad.append(error)
        if bad:
            continue  # nothing will be stored, and the other bad files are to be named too
        if run:
            file, (parsed, metadata[given.name]) = run
            batch.append((file, parsed))
        if sum(parsed.n_lines for _, parsed in batch) >= _LINES_PER_INSERT:
            yield batch
            batch = []
    if bad:
        raise bad[0].beside(bad[1:])
    if batch:
        yield batch


def _ahead(items: Iterator[_T]) -> Iterator[_T]:
    """Compute the next item in a thread, while the caller works on the current item."""
    with ThreadPoolExecutor(max_workers=1) as worker:
        coming = worker.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = worker.submit(next, items, None)
            yield item


def _replace(store: RawStore, batch: _Batch) -> None:
    keys = _keys(store, [file.name for file, _ in batch])
    lines = pl.concat(
        parsed.rows.drop("q0").with_columns(run_key=pl.lit(keys[file.name], pl.Int32))
        for file, parsed in batch
    )
    store.append("raw.run_lines", lines)
    store.account(batch)


def _keys(store: RawStore, run_ids: list[str]) -> dict[str, int]:
    """Return the keys of runs.

    New runs get keys; known runs keep their keys and lose their old lines.
    """
    known = dict(
        store.of_collection(
            "select run_id, run_key from raw.runs", "run_id in (select unnest(?))", run_ids
        )
    )
    if known:
        store.forget("raw.run_lines", "run_key in (select unnest(?))", list(known.values()))
    new = store.rows(
        """
        insert into raw.runs (collection_key, run_id)
        select ?, unnest(?)
        returning run_id, run_key
        """,
        *(store.collection_key, [run_id for run_id in run_ids if run_id not in known]),
    )
    return known | dict(new)


def _mark(store: RawStore, run_ids: list[str], *, are_after_pool: bool) -> list[str]:
    """Record whether these runs were added after the pool was judged.

    Return the ids of the runs whose record changed.
    """
    marked = store.rows(
        """
        update raw.runs set is_after_pool = $1
        where
            collection_key = $2
            and run_id in (select unnest($3))
            and coalesce(is_after_pool, false) <> $1
        returning run_id
        """,
        *(are_after_pool, store.collection_key, run_ids),
    )
    return sorted(run_id for (run_id,) in marked)
