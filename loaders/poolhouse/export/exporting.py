"""Exporting the public marts, complete or not at all, in formats of other tools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from poolhouse.building.staleness import State, check_current, collection_states
from poolhouse.errors import NotBuiltError, PoolhouseError
from poolhouse.export.copies import copy_to_database, relation_of, writing
from poolhouse.export.descriptions import croissant, data_package
from poolhouse.export.mart_files import write_json, write_mart
from poolhouse.export.marts import Mart, keys_of_targets, marts_of
from poolhouse.export.ratings import write_ratings
from poolhouse.export.request import ExportRequest, Format
from poolhouse.export.semantic import write_semantic_model
from poolhouse.export.superset.bundle import BUNDLE, DATABASE, check_place, write_bundle
from poolhouse.export.trec_files import STEPS_OF_TREC_FILES, write_trec_files
from poolhouse.export.whole_targets import MARK, begin_again, readme, whole_target
from poolhouse.output.words import in_a_list
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole import refuse_place_of_warehouse

_NAME = "poolhouse-marts"


@dataclass(frozen=True)
class Export:
    """The content of an export: collections, marts (none for TREC files), files, bytes.

    `remarks` say what is left out.
    """

    collections: tuple[str, ...]
    marts: tuple[str, ...]
    n_files: int
    n_bytes: int
    remarks: tuple[str, ...]


def export(
    warehouse: Warehouse,
    request: ExportRequest,
    progress: Progress = no_progress,
) -> Export:
    """Write an export beside its target, and rename it when it is complete.

    Raise PoolhouseError where the target exists and may not be replaced, a mart is unknown, the
    marts of a collection are not current, or the disk is full. Raise PoolhouseError for files of
    judgements where no requested collection is judged. Raise UnknownCollectionError or
    WarehouseMissingError.
    """
    refuse_place_of_warehouse(request.target, warehouse.path, "export")
    if request.format.has_every_mart and request.marts:
        raise PoolhouseError(f"the format {request.format} has its own content: leave out --mart")
    if request.format is Format.SUPERSET:
        check_place(request.target)
    with warehouse.read() as connection:
        marts, others = marts_of(connection, request.marts)
        collections, unjudged = _collections(connection, request)
    is_folder = request.format.is_folder
    with whole_target(request.target, is_folder=is_folder, may_replace=request.replace) as draft:
        try:
            work = _Work(marts, collections, request.target, draft, progress)
            try:
                noted = _write(warehouse, request.format, work)
            except duckdb.OutOfMemoryException:
                # With one thread, a sort needs less memory, and more time.
                begin_again(draft, is_folder=is_folder)
                noted = _write(warehouse, request.format, work, with_one_thread=True)
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise PoolhouseError(f"{request.target}: not exported: {first_line(error)}") from error
        files = [file for file in (draft, *draft.rglob("*")) if file.is_file()]
        n_bytes = sum(file.stat().st_size for file in files)
    names = () if request.format.is_of_judgements else tuple(mart.name for mart in marts)
    remarks = (
        *(f"{name}: not judged yet, and left out" for name in unjudged),
        *(f"{name!r}: no mart of this version of Poolhouse, and left out" for name in others),
        *noted,
    )
    return Export(tuple(collections), names, len(files), n_bytes, remarks)


def _collections(
    connection: duckdb.DuckDBPyConnection, request: ExportRequest
) -> tuple[list[str], list[str]]:
    """Return the requested collections, or all with current marts, and those that are left out.

    Both lists are sorted. Collections that are not judged are left out of files of judgements.
    """
    for name in request.collections:
        check_current(connection, name)
    current = [each for each in collection_states(connection) if each.state is State.CURRENT]
    if not current:
        raise NotBuiltError("no collection has current marts")
    asked = set(request.collections) or {each.collection_id for each in current}
    is_for_all = not request.format.is_of_judgements
    judged = {each.collection_id for each in current if is_for_all or each.is_judged}
    if not asked & judged:
        raise PoolhouseError(
            f"not judged: {in_a_list(sorted(asked))}; there are no scores and no qrels to write: "
            "poolhouse pool make lists the documents for the assessors, and poolhouse load "
            "COLLECTION --qrels FILE adds their judgements"
        )
    return sorted(asked & judged), sorted(asked - judged)


@dataclass(frozen=True)
class _Work:
    """The work of an export, its target, and its draft until it is complete."""

    marts: Sequence[Mart]
    collections: Sequence[str]
    target: Path
    draft: Path
    progress: Progress


def _write(
    warehouse: Warehouse, format_: Format, work: _Work, *, with_one_thread: bool = False
) -> list[str]:
    """Write the draft of an export. Return remarks."""
    database = {Format.DUCKDB: work.draft, Format.SUPERSET: work.draft / DATABASE}.get(format_)
    with writing(warehouse, database, work.draft, with_one_thread=with_one_thread) as connection:
        if format_ is Format.TREC:
            _write_trec_files(connection, work)
        elif format_.is_of_judgements:
            return list(_write_ratings(connection, format_, work))
        elif format_ is Format.SEMANTIC:
            write_semantic_model(connection, work.marts, work.collections, work.draft)
        elif database is None:
            _write_files(connection, format_, work)
        else:
            copy_to_database(connection, work.marts, work.collections, work.progress)
            if format_ is Format.SUPERSET:
                write_bundle(connection, work.marts, work.draft, work.target)
                (work.draft / MARK).write_text(_SUPERSET_README, encoding="utf-8")
    return []


def _write_ratings(
    connection: duckdb.DuckDBPyConnection, format_: Format, work: _Work
) -> Iterator[str]:
    for number, collection in enumerate(work.collections):
        work.progress(collection, number, len(work.collections))
        yield from write_ratings(connection, collection, format_, work.draft)
    (work.draft / MARK).write_text(_RATINGS_README, encoding="utf-8")


def _write_trec_files(connection: duckdb.DuckDBPyConnection, work: _Work) -> None:
    n_steps = len(work.collections) * STEPS_OF_TREC_FILES
    for number, collection in enumerate(work.collections):
        for step, kind in enumerate(write_trec_files(connection, collection, work.draft)):
            work.progress(f"{collection}: {kind}", number * STEPS_OF_TREC_FILES + step, n_steps)
    (work.draft / MARK).write_text(_TREC_README, encoding="utf-8")


def _write_files(connection: duckdb.DuckDBPyConnection, format_: Format, work: _Work) -> None:
    marts, draft = work.marts, work.draft
    targets = keys_of_targets(connection, {mart.name: relation_of(mart) for mart in marts})
    tables = []
    for number, mart in enumerate(marts):
        work.progress(mart.name, number, len(marts))
        file = draft / f"{mart.name}.{format_}"
        tables.append(write_mart(connection, mart, work.collections, targets, file))
    package = data_package(_NAME, tables, format_)
    metadata = croissant(_NAME, tables, datetime.now(UTC).date())
    write_json(draft / "datapackage.json", package)
    write_json(draft / "croissant.json", metadata)
    (draft / MARK).write_text(_FILES_README, encoding="utf-8")


_FILES_README = readme(
    "Each mart is a file with the rows of all exported collections.",
    "datapackage.json describes the columns, keys and files as a Data Package "
    "(frictionlessdata.io), croissant.json as Croissant metadata (MLCommons).",
    "In CSV an empty field is null, an empty text is written as two quotes, and lists are JSON.",
)
_SUPERSET_README = readme(
    f"{DATABASE} has a table for each mart. Superset imports {BUNDLE}, on its page of dashboards.",
    f"{BUNDLE} names the place of {DATABASE}. After a move, change the SQLAlchemy URI of the "
    "database Poolhouse in Superset, or export again.",
)
_RATINGS_README = readme(
    "Each collection is a file of ratings. Names of files are ids, percent-encoded.",
    "A query is the title of a topic, or its id where no title names one topic only.",
    "For the Rated Ranking Evaluator, write your index, id_field and template into the file. It "
    "has the relevant documents only, because there each listed document is relevant.",
)
_TREC_README = readme(
    "Each collection is a folder. Names of files are ids, percent-encoded.",
    "scores/RUN.txt: what trec_eval -q prints.",
    "qrels/full.txt: all judgements, with the grades that were loaded. qrels/pool.txt: those of "
    "documents that a pooled run contributed.",
    "qrels_without_organization/ORGANIZATION.txt.gz: all judgements but those of documents that "
    "the organization alone contributed. Only qrels/full.txt exists where the pool depth is not "
    "known.",
    "archive.yml: what `poolhouse load --archive` reads, with all other files but the runs. It "
    "makes an equal collection. Put the run files into the folder runs beside it.",
    "pool.jsonl: how the documents to judge were chosen. croissant.json: how and by whom they "
    "were judged, and what they may be used for (MLCommons Croissant).",
)
