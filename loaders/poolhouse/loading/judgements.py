"""Loading judgements: those of the reference, which are the qrels, and what other authors say."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.inputs import Input
from poolhouse.loading.line_files import (
    first_repeated,
    parse_preferences_file,
    parse_qrels_file,
)
from poolhouse.loading.parsers import ParsedFile
from poolhouse.loading.preference_scores import preference_scores
from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.loading.reading import Load
from poolhouse.loading.reference import refuse_unnamed
from poolhouse.loading.trec_text import ANSWERS
from poolhouse.warehouse.frames import registered, rows_of

# The number of loaded judgements that a new file may lack or grade otherwise, and their share in a
# small collection: errata change a few, and labels of another author change most.
_MOST_CORRECTED = 10
_MOST_CORRECTED_SHARE = 0.5


def load_qrels(load: Load) -> None:
    """Load the judgements of the reference in the place of the loaded ones.

    Raise BadFileError for a bad file, and where it would silently replace other judgements.
    """
    asked = load.asked
    # Text from memory has no author's name by which it could be called.
    has_no_name = isinstance(asked.qrels, Path) and not (asked.reference or asked.author_qrels)
    for given, file, parsed in new_judgements(load, "qrels"):
        if has_no_name:
            refuse_unnamed(given.path, load.store)
        _refuse_to_replace(load, given.path, parsed.rows)
        load.store.replace("raw.qrels_lines", file, parsed)


def load_other_authors(load: Load) -> None:
    """Load the judgements of authors other than the reference. Raise BadFileError."""
    for given, file, parsed in new_judgements(load, "author_qrels"):
        _refuse_to_replace(load, given.path, parsed.rows, given.name)
        dated = replace(parsed, rows=_dated(load.store, given.name, parsed.rows))
        load.store.replace("raw.author_lines", file, dated, author=given.name)


def load_preferences(load: Load) -> None:
    """Load the preferences of authors in the place of their loaded ones. Raise BadFileError."""
    parse = partial(parse_preferences_file, is_strict=load.request.strict)
    for given in load.inputs("preferences"):
        if loaded := load.read(given, parse):
            load.store.forget("raw.preference_scores", "author = ?", given.name)
            load.store.replace("raw.preference_lines", *loaded, author=given.name)
            scores = preference_scores(loaded[1].rows, given.path)
            of_author = scores.with_columns(author=pl.lit(given.name))
            load.store.append("raw.preference_scores", of_author)
            load.report.count(*loaded)


def new_judgements(load: Load, kind: str) -> Iterator[tuple[Input, InputFile, ParsedFile]]:
    """Read the files of judgements that are not loaded yet, and account for each after its use.

    Raise BadFileError.
    """
    for given in load.inputs(kind):
        if loaded := load.read(given, partial(parse_qrels_file, is_strict=load.request.strict)):
            yield given, *loaded
            _count(load, *loaded)


def remove_author(store: RawStore, author: str) -> None:
    """Remove the judgements and preferences of an author; their history and declaration stay."""
    for table in ("raw.author_lines", "raw.preference_lines", "raw.preference_scores"):
        store.forget(table, "author = ?", author)
    of_author = "kind in ('author_qrels', 'preferences') and name = ?"
    store.forget("raw.rejected_lines", of_author, author)
    store.record_removal(of_author, author)


def _count(load: Load, file: InputFile, parsed: ParsedFile) -> None:
    """Add the counts of a file to the report, and remark on judgements that it repeats."""
    load.report.count(file, parsed)
    if parsed.n_duplicates:
        line, topic, document = first_repeated(parsed)
        which = f" (topic {topic}, document {document})" if parsed.is_quotable else ""
        load.report.remarks.append(
            f"{Path(file.path).name}: {parsed.n_duplicates} lines judge a document again, the "
            f"first is line {line}{which}: the highest grade counts. trec_eval ends with an error"
        )


def _dated(store: RawStore, author: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of an author with the time of each. A grade that stays keeps its time."""
    known = rows_of(
        store.connection,
        """
        select query, docno, grade, min(judged_at) as judged_at
        from raw.author_lines
        where collection_key = $collection and author = $author
        group by all
        """,
        {"collection": store.collection_key, "author": author},
    )
    [(now,)] = store.rows("select cast(current_timestamp at time zone 'UTC' as timestamp)")
    return (
        rows.drop("iteration")
        .join(known, on=("query", "docno", "grade"), how="left", maintain_order="left")
        .with_columns(pl.col("judged_at").fill_null(now))
    )


def _refuse_to_replace(
    load: Load, path: Path, rows: pl.DataFrame, author: str | None = None
) -> None:
    """Raise BadFileError where other judgements would silently take the place of loaded ones.

    Answers of assessors are never lost. Of the reference, a correction changes a few. The labels of
    another author have a name, so that nobody else's take their place.
    """
    if load.request.replace:
        return
    has_answers = _has_answers(load.store, author)
    if author and not has_answers:
        return
    n_loaded, n_missing, n_regraded = _changes_by(load.store, rows, author)
    most = 0 if has_answers else min(_MOST_CORRECTED, _MOST_CORRECTED_SHARE * n_loaded)
    if n_missing + n_regraded > most:
        whose = f"the author {author!r}" if author else "the collection"
        added = ", to which answers were added" if has_answers else ""
        merge = "poolhouse pool load adds the file to them, " if has_answers else ""
        raise BadFileError(
            path,
            f"would take away {n_missing} and regrade {n_regraded} of the {n_loaded} judgements of "
            f"{whose}{added}, and nothing was loaded: {merge}--qrels NAME=FILE puts those of "
            "another author beside them, and --replace puts the file in their place",
        )


def _has_answers(store: RawStore, author: str | None) -> bool:
    """Return whether answers of assessors were added to the judgements of an author, or qrels."""
    kind, name = ("author_qrels", author) if author else ("qrels", "qrels")
    paths = store.of_collection("select path from ops.files", "kind = ? and name = ?", kind, name)
    return any(path.startswith(ANSWERS) for (path,) in paths)


def _changes_by(store: RawStore, rows: pl.DataFrame, author: str | None) -> tuple[int, int, int]:
    """Count the judgements of an author, or the qrels, that new ones would replace.

    Return their number, the number of those that the new ones lack, and of those that they grade
    otherwise. A grade below `judged_from` is no judgement.
    """
    with registered(store.connection, "new_rows", rows):
        [counts] = store.rows(
            """
            with

            loaded as (
                select query, docno, max(grade) as grade
                from (
                    select query, docno, grade from raw.qrels_lines
                    where collection_key = $1 and $2 is null
                    union all
                    select query, docno, grade from raw.author_lines
                    where collection_key = $1 and author = $2
                )
                group by all
                having max(grade) >= $3
            ),

            new as (
                select query, docno, max(grade) as grade
                from new_rows
                group by all
            )

            select
                count(*) as n_loaded,
                count(*) filter (where new.grade is null) as n_missing,
                count(*) filter (where new.grade <> loaded.grade) as n_regraded
            from loaded
            left join new using (query, docno)
            """,
            *(store.collection_key, author, store.judged_from()),
        )
    return counts
