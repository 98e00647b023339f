"""Loading the answers of assessors: they are added to the judgements, and none is lost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import duckdb
import polars as pl
from attrs import evolve

from poolhouse.errors import BadFileError, NotBuiltError, PoolhouseError
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
from poolhouse.warehouse.own_macros import make_macros

# Says that a document cannot be judged.
SKIP = "skip"

_Key = tuple[str, str]

_FIELDS = {"query": pl.String, "iteration": pl.String, "docno": pl.String, "grade": pl.Int32}
# Ids may hold any other white space.
_SEPARATORS = " \t\v\f"
_BETWEEN_FIELDS = re.compile(f"[{_SEPARATORS}]+")
# A grade has few digits.
_GRADE = re.compile(rf"(-?[0-9]{{1,6}})({ZERO_FRACTION})?")
_QUOTED = re.compile('"(.*)"')
_FIELDS_WITHOUT_GRADE = 3
_FIELDS_WITH_GRADE = 4


@dataclass(frozen=True)
class Agreement:
    """How two assessors agree on the documents that both judged; no kappa if nothing differs."""

    other_author: str
    n_pairs: int
    kappa: float | None


@dataclass(frozen=True)
class AnswersReport:
    """What a load of answers did.

    It counts answers that were added, changed or known before, and lines without one. A second
    answer is on a document that somebody else judged, and `n_differing` of them contradict the
    judgement. `n_unjudgeable` documents cannot be judged.
    """

    n_added: int
    n_changed: int
    n_known: int
    n_unanswered: int
    n_unjudgeable: int = 0
    n_second: int = 0
    n_differing: int = 0
    has_changed: bool = False
    agreement: tuple[Agreement, ...] = ()


@dataclass(frozen=True)
class _Answer:
    """A line of a list; `grade` is None where it has no answer."""

    path: Path
    line: int
    topic_id: str
    iteration: str
    doc_id: str
    grade: int | None

    @property
    def key(self) -> _Key:
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

    A line is `topic 0 docno grade`. A line without the grade is not answered. A grade that is no
    judgement (below `judged_from` of the collection), or `skip`, says that the document cannot be
    judged. It is kept as such a grade, and any judgement takes its place. The same answer may be
    loaded again. Raise BadFileError for a line that is none of these, for a document that no run
    returns for the topic, for two lines that contradict each other, and, unless `may_replace`, for
    an answer that differs from a judgement. Raise UnknownCollectionError and the errors of
    `load_collection`.

    With `author`, the answers are kept twice: in the judgements of the collection, from which
    everything is computed, and as the labels of this author, with the time of each. The qrels have
    one grade a document and no column for its author or time, and an answer by somebody else may
    replace it. The labels of the author then still say what this author answered, and when. An
    answer that differs from a judgement by somebody else is kept in the labels alone, unless
    `may_replace`. The answers are on the scale of the reference: raise PoolhouseError where the
    author has another scale, or is the reference, whose judgements are the qrels themselves.
    """
    if author is not None:
        check_author(author)
    with warehouse.change() as change, warehouse.side() as connection:
        judged_from = RawStore.existing(connection, collection).judged_from()
        answers = [each for file in files for each in _lines_of(file, judged_from - 1)]
        _refuse_strangers(connection, collection, answers)
        given = _given(answers, judged_from)
        merge = partial(_merged, given=given, judged_from=judged_from)
        judged = merge(
            _qrels_of(connection, collection),
            may_replace=may_replace,
            first_stays=author is not None and not may_replace,
        )
        origin = f"{ANSWERS} {files[-1]}"
        request = LoadRequest(collection, replace=True)
        if judged.is_changed:
            request = evolve(request, qrels=qrels_text(judged.lines, origin))
        labels = None
        if author is not None:
            _refuse_other_scale(connection, collection, author)
            labels = merge(_labels_of(connection, collection, author), may_replace=may_replace)
            if labels.is_changed:
                request = evolve(request, author_qrels=[(author, qrels_text(labels.lines, origin))])
        report = _report(given, judged_from, judged, labels)
        if report.has_changed:
            load_into(connection, request)
        if author is not None and report.n_second:
            report = replace(report, agreement=_agreement(connection, collection, author))
        change.abandoned = not report.has_changed
    return report


def _agreement(
    connection: duckdb.DuckDBPyConnection, collection: str, author: str
) -> tuple[Agreement, ...]:
    """Return how the author agrees with the other assessors; nothing before the first build."""
    try:
        make_macros(connection, "int_answer_agreement")
    except NotBuiltError:
        return ()
    rows = connection.execute(
        "from int_answer_agreement($collection, $author) order by other_author",
        {"collection": collection, "author": author},
    )
    return tuple(Agreement(*row) for row in rows.fetchall())


def _qrels_of(connection: duckdb.DuckDBPyConnection, collection: str) -> pl.DataFrame:
    return rows_of(
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


def _lines_of(file: Path, unjudgeable: int) -> Iterator[_Answer]:
    """Read the lines of a list, in which SKIP stands for the grade `unjudgeable`."""
    for number, line in enumerate(read_source(file).data.decode().split("\n"), 1):
        text = line.removesuffix("\r").strip(_SEPARATORS)
        if not text or text.removeprefix('"').startswith(COMMENT_MARK):
            continue
        fields = _BETWEEN_FIELDS.split(text)
        if "\t" in text:  # a spreadsheet wrote it
            fields = [_unquoted(each) for each in fields]
        if len(fields) not in (_FIELDS_WITHOUT_GRADE, _FIELDS_WITH_GRADE):
            problem = f"{len(fields)} fields, expected topic, 0, document and the grade"
            raise BadFileError(file, problem, number)
        topic_id, iteration, doc_id, *grades = fields
        grade = None
        if grades and grades[0]:  # a spreadsheet may quote an empty cell
            written = _GRADE.fullmatch(grades[0])
            if not written and grades[0].lower() != SKIP:
                problem = (
                    f"the grade {grades[0]!r} is no whole number, such as 1, and not {SKIP}, which "
                    "says that the document cannot be judged"
                )
                raise BadFileError(file, problem, number)
            grade = int(written[1]) if written else unjudgeable
        yield _Answer(file, number, topic_id, iteration, doc_id, grade)


def _unquoted(field: str) -> str:
    """Return a field without the quotes of a CSV."""
    written = _QUOTED.fullmatch(field)
    return written[1].replace('""', '"') if written else field


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


def _given(answers: list[_Answer], judged_from: int) -> dict[_Key, _Answer]:
    """Return one line for each document: a judgement, or else an answer, where a line has one."""
    given: dict[_Key, _Answer] = {}
    for answer in answers:
        other = given.setdefault(answer.key, answer)
        if answer.grade is None or answer.grade == other.grade:
            continue
        if other.grade is None or other.grade < judged_from:
            given[answer.key] = answer
        elif answer.grade >= judged_from:
            raise BadFileError(
                answer.path,
                f"topic {answer.topic_id}, document {answer.doc_id} has the grade {answer.grade} "
                f"here and {other.grade} in {other.path}:{other.line}: correct one of the lines, "
                "or load the list of each assessor alone, with --author NAME",
                answer.line,
            )
    return given


@dataclass(frozen=True)
class _Merged:
    """The lines of judgements with the answers, and which documents have another grade in them.

    `added` documents had no answer before. The first answer on `kept` ones differs, and stays.
    """

    lines: pl.DataFrame
    is_changed: bool
    added: set[_Key]
    changed: set[_Key]
    kept: set[_Key]


def _merged(
    before: pl.DataFrame,
    *,
    given: dict[_Key, _Answer],
    judged_from: int,
    may_replace: bool,
    first_stays: bool = False,
) -> _Merged:
    """Merge the answers with the lines of judgements.

    Raise BadFileError for an answer that differs from a judgement, unless one of them may stay.
    """
    grades: dict[_Key, int] = {}
    for topic_id, _, doc_id, grade in before.iter_rows():
        # Of several grades, the highest counts (int_judgements).
        grades[topic_id, doc_id] = max(grade, grades.get((topic_id, doc_id), grade))
    added, changed, kept = set(), set(), set()
    for key, answer in given.items():
        grade = grades.get(key)
        if answer.grade is None or answer.grade == grade:
            continue
        if grade is None or (grade < judged_from <= answer.grade):
            added.add(key)
        elif max(grade, answer.grade) < judged_from or first_stays:
            kept.add(key)
        elif may_replace:
            changed.add(key)
        else:
            raise BadFileError(
                answer.path,
                f"topic {answer.topic_id}, document {answer.doc_id} is judged {grade} already, and "
                f"the answer is {answer.grade}: correct the line, give --author NAME of somebody "
                "else to keep it as a second answer, or --replace",
                answer.line,
            )
    new = added | changed
    lines = [
        *(row for row in before.iter_rows() if (row[0], row[2]) not in new),
        *(
            (answer.topic_id, answer.iteration, answer.doc_id, answer.grade)
            for key, answer in given.items()
            if key in new
        ),
    ]
    frame = pl.DataFrame(lines, schema=_FIELDS, orient="row")
    return _Merged(frame, bool(new), added, changed, kept)


def _report(
    given: dict[_Key, _Answer], judged_from: int, judged: _Merged, labels: _Merged | None
) -> AnswersReport:
    """Count the answers by what became of them in the judgements and the labels of the author."""
    of_author = labels or judged
    answers = {key: each.grade for key, each in given.items() if each.grade is not None}
    judgements = {key for key, grade in answers.items() if grade >= judged_from}
    added = judgements & judged.added
    second = judgements & of_author.added - added
    changed = judgements & (judged.changed | of_author.changed)
    return AnswersReport(
        n_added=len(added),
        n_changed=len(changed),
        n_known=len(judgements - added - second - changed),
        n_unanswered=len(given) - len(answers),
        n_unjudgeable=len(answers) - len(judgements),
        n_second=len(second),
        n_differing=len(second & (judged.kept | judged.changed)),
        has_changed=judged.is_changed or of_author.is_changed,
    )
