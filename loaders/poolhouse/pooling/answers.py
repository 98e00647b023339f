"""Loading the answers of assessors: they are added to the judgements, and none is lost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import duckdb
import polars as pl
from attrs import evolve

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.author_names import REFERENCE, check_author, check_authors
from poolhouse.loading.authors import declared_authors
from poolhouse.loading.load import load_into
from poolhouse.loading.parsers import read_source
from poolhouse.loading.parsers.lines import COMMENT_MARK
from poolhouse.loading.parsers.qrels import ZERO_FRACTION
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.trec_text import ANSWERS, qrels_text
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of

_FIELDS = {"query": pl.String, "iteration": pl.String, "docno": pl.String, "grade": pl.Int32}
# Ids may hold any other white space.
_SEPARATORS = " \t\v\f"
_BETWEEN_FIELDS = re.compile(f"[{_SEPARATORS}]+")
# A grade has few digits.
_GRADE = re.compile(rf"(-?[0-9]{{1,6}})({ZERO_FRACTION})?")
_FIELDS_WITHOUT_GRADE = 3
_FIELDS_WITH_GRADE = 4


@dataclass(frozen=True)
class AnswersReport:
    """What a load of answers did: answers added, changed, known before, and lines without one."""

    n_added: int
    n_changed: int
    n_known: int
    n_unanswered: int


@dataclass(frozen=True)
class _Answer:
    """A line of a list; `grade` is None where it has no answer, or one that says so."""

    path: Path
    line: int
    topic_id: str
    iteration: str
    doc_id: str
    grade: int | None

    @property
    def key(self) -> tuple[str, str]:
        return self.topic_id, self.doc_id


def load_answers(
    warehouse: Warehouse,
    collection: str,
    files: tuple[Path, ...],
    *,
    may_replace: bool = False,
    author: str | None = None,
) -> AnswersReport:
    """Add the answers in lists of documents to the judgements of a collection, in one change.

    A line is `topic 0 docno grade`. A line without the grade, or with a grade that is no judgement
    (below `judged_from` of the collection), is not answered. The same answer may be loaded again.
    Raise BadFileError for a line that is none of these, for a document that no run returns for the
    topic, for two lines that contradict each other, and, unless `may_replace`, for an answer that
    differs from a judgement. Raise UnknownCollectionError and the errors of `load_collection`.

    With `author`, the answers are kept twice: in the judgements of the collection, from which
    everything is computed, and as the labels of this author, with the time of each. The qrels have
    one grade a document and no column for its author or time, and an answer by somebody else may
    replace it. The labels of the author then still say what this author answered, and when. So the
    answers are on the scale of the reference: raise PoolhouseError where the author has another
    scale, or is the reference, whose judgements are the qrels themselves.
    """
    answers = [each for file in files for each in _lines_of(file)]
    if author is not None:
        check_author(author)
    with warehouse.change() as change, warehouse.side() as connection:
        judged_from = RawStore.existing(connection, collection).judged_from()
        _refuse_strangers(connection, collection, answers)
        before = rows_of(
            connection,
            """
            select query, iteration, docno, grade
            from raw.qrels_lines
            inner join raw.collections using (collection_key)
            where collection_id = $collection
            order by line_number
            """,
            {"collection": collection},
        )
        given = _given(answers, judged_from)
        merge = partial(_merged, given=given, judged_from=judged_from, may_replace=may_replace)
        judged, report = merge(before)
        has_changed = bool(report.n_added or report.n_changed)
        origin = f"{ANSWERS} {files[-1]}"
        request = LoadRequest(collection, replace=True)
        if has_changed:
            request = evolve(request, qrels=qrels_text(judged, origin))
        if author is not None:
            _refuse_other_scale(connection, collection, author)
            labels, of_author = merge(_labels_of(connection, collection, author))
            if of_author.n_added or of_author.n_changed:
                has_changed = True
                request = evolve(request, author_qrels=[(author, qrels_text(labels, origin))])
        if has_changed:
            load_into(connection, request)
        change.abandoned = not has_changed
    return report


def _refuse_other_scale(
    connection: duckdb.DuckDBPyConnection, collection: str, author: str
) -> None:
    """Raise PoolhouseError where grades of the author do not mean what those of the qrels mean."""
    store = RawStore.existing(connection, collection)
    reference = store.reference_author()
    check_authors([author], [*store.hashes("author_qrels"), *filter(None, [reference])])
    if author in (reference, REFERENCE):
        raise PoolhouseError(
            f"author {author!r} is the reference of {collection!r}, whose judgements are the qrels "
            "themselves: leave out --author"
        )
    own, whole = declared_authors(store).get(author, (None, None)), store.declared_scale()
    for declared, of_reference, what in zip(
        own, whole, ("threshold", "highest grade"), strict=True
    ):
        if declared is not None and declared != of_reference:
            raise PoolhouseError(
                f"author {author!r} is declared with the {what} {declared}, and collection "
                f"{collection!r} with {of_reference or 'none'}: the answers would be mixed into "
                "judgements of another scale; load them as a file of this author (load --qrels "
                "NAME=FILE)"
            )


def _labels_of(connection: duckdb.DuckDBPyConnection, collection: str, author: str) -> pl.DataFrame:
    return rows_of(
        connection,
        """
        select query, '0' as iteration, docno, grade
        from raw.author_lines
        inner join raw.collections using (collection_key)
        where collection_id = $collection and author = $author
        order by line_number
        """,
        {"collection": collection, "author": author},
    )


def _lines_of(file: Path) -> Iterator[_Answer]:
    """Read the lines of a list."""
    for number, line in enumerate(read_source(file).data.decode().split("\n"), 1):
        text = line.removesuffix("\r").strip(_SEPARATORS)
        if not text or text.startswith(COMMENT_MARK):
            continue
        fields = _BETWEEN_FIELDS.split(text)
        if len(fields) not in (_FIELDS_WITHOUT_GRADE, _FIELDS_WITH_GRADE):
            problem = f"{len(fields)} fields, expected topic, 0, document and the grade"
            raise BadFileError(file, problem, number)
        topic_id, iteration, doc_id, *grades = fields
        written = _GRADE.fullmatch(grades[0]) if grades else None
        if grades and not written:
            problem = f"the grade {grades[0]!r} is no whole number, such as 1"
            raise BadFileError(file, problem, number)
        grade = int(written[1]) if written else None
        yield _Answer(file, number, topic_id, iteration, doc_id, grade)


def _refuse_strangers(
    connection: duckdb.DuckDBPyConnection, collection: str, answers: list[_Answer]
) -> None:
    """Raise BadFileError for a document that no run returns for its topic, and nobody judged."""
    keys = [(each.topic_id, each.doc_id) for each in answers]
    put_table(
        connection,
        "answered",
        pl.DataFrame(keys, schema={"query": pl.String, "docno": pl.String}, orient="row"),
    )
    rows = connection.execute(
        """
        with of_collection as (
            select collection_key from raw.collections where collection_id = $collection
        )
        select distinct query, docno
        from answered
        where
            (query, docno) not in (
                select (query, docno) from raw.run_lines
                where
                    collection_key in (from of_collection)
                    and docno in (select docno from answered)
            )
            and (query, docno) not in (
                select (query, docno) from raw.qrels_lines
                where collection_key in (from of_collection)
            )
        """,
        {"collection": collection},
    )
    strangers = set(rows.fetchall())
    connection.execute("drop table answered")
    if odd := next((each for each in answers if each.key in strangers), None):
        raise BadFileError(
            odd.path,
            f"no run of {collection!r} returns the document {odd.doc_id!r} for the topic "
            f"{odd.topic_id!r}: correct the line, or is this the list of another collection?",
            odd.line,
        )


def _given(answers: list[_Answer], judged_from: int) -> dict[tuple[str, str], _Answer]:
    """Return one line for each document: the one with an answer, where a line has one."""
    given: dict[tuple[str, str], _Answer] = {}
    for line in answers:
        is_answer = line.grade is not None and line.grade >= judged_from
        answer = line if is_answer else replace(line, grade=None)
        other = given.get(answer.key)
        if other is None or other.grade is None:
            given[answer.key] = answer
        elif answer.grade not in (None, other.grade):
            raise BadFileError(
                answer.path,
                f"topic {answer.topic_id}, document {answer.doc_id} has the grade {answer.grade} "
                f"here and {other.grade} in {other.path}:{other.line}: correct one of the lines",
                answer.line,
            )
    return given


def _merged(
    before: pl.DataFrame,
    *,
    given: dict[tuple[str, str], _Answer],
    judged_from: int,
    may_replace: bool,
) -> tuple[pl.DataFrame, AnswersReport]:
    """Return the lines of the judgements with the answers, and what is new in them."""
    grades: dict[tuple[str, str], int] = {}
    for topic_id, _, doc_id, grade in before.iter_rows():
        # Of several grades, the highest counts (int_judgements).
        grades[topic_id, doc_id] = max(grade, grades.get((topic_id, doc_id), grade))
    n_added = n_known = 0
    new: list[tuple[str, str, str, int]] = []
    changed = set()
    for key, answer in given.items():
        if answer.grade is None:
            continue
        grade = grades.get(key)
        if grade == answer.grade:
            n_known += 1
            continue
        if grade is None or grade < judged_from:
            n_added += 1
        elif not may_replace:
            raise BadFileError(
                answer.path,
                f"topic {answer.topic_id}, document {answer.doc_id} is judged {grade} already, and "
                f"the answer is {answer.grade}: correct the line, or give --replace",
                answer.line,
            )
        if key in grades:
            changed.add(key)
        new.append((answer.topic_id, answer.iteration, answer.doc_id, answer.grade))
    kept = [row for row in before.iter_rows() if (row[0], row[2]) not in changed]
    report = AnswersReport(
        n_added,
        len(new) - n_added,
        n_known,
        sum(each.grade is None for each in given.values()),
    )
    return pl.DataFrame([*kept, *new], schema=_FIELDS, orient="row"), report
