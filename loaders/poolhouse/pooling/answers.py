"""Loading the answers of assessors: they are added to the judgements, and none is lost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from poolhouse.errors import BadFileError, UnknownCollectionError
from poolhouse.loading.load import LoadRequest, load_into
from poolhouse.loading.parsers import read_source
from poolhouse.loading.parsers.lines import COMMENT_MARK
from poolhouse.loading.trec_text import MadeTexts, qrels_text
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

_FIELDS = {"query": pl.String, "iteration": pl.String, "docno": pl.String, "grade": pl.Int32}
# A grade has few digits. A grade below 0 says that a document was not judged.
_GRADE = re.compile(r"-?[0-9]{1,6}")
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
    path: Path
    line: int
    topic_id: str
    iteration: str
    doc_id: str
    grade: int


def load_answers(
    warehouse: Warehouse, collection: str, files: tuple[Path, ...], *, may_replace: bool = False
) -> AnswersReport:
    """Add the answers in lists of documents to the judgements of a collection, in one change.

    A line is `topic 0 docno grade`. A line without the grade is not answered yet. The same answer
    may be loaded again. Raise BadFileError for a line that is none of these, and, unless
    `may_replace`, for an answer that differs from a judgement. Raise UnknownCollectionError and the
    errors of `load_collection`.
    """
    answers: list[_Answer] = []
    n_unanswered = 0
    for file in files:
        for each in _answers_of(file):
            if each is None:
                n_unanswered += 1
            else:
                answers.append(each)
    with warehouse.change() as change, warehouse.side() as connection:
        known = rows_of(connection, "select collection_id from raw.collections order by all")
        if collection not in known["collection_id"]:
            raise UnknownCollectionError(collection, known["collection_id"].to_list())
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
        judged, report = _merged(before, answers, n_unanswered, may_replace=may_replace)
        if report.n_added or report.n_changed:
            made = MadeTexts(qrels=qrels_text(judged, str(files[-1])))
            load_into(connection, LoadRequest(collection, made=made), lambda _: None)
        change.abandoned = not (report.n_added or report.n_changed)
    return report


def _answers_of(file: Path) -> Iterator[_Answer | None]:
    """Read the answers of a file, None for each line that has none."""
    for number, line in enumerate(read_source(file).data.decode().split("\n"), 1):
        fields = line.split()
        if not fields or line.startswith(COMMENT_MARK):
            continue
        if len(fields) == _FIELDS_WITHOUT_GRADE:
            yield None
            continue
        if len(fields) != _FIELDS_WITH_GRADE:
            problem = f"{len(fields)} fields, expected topic, 0, document and the grade"
            raise BadFileError(file, problem, number)
        topic_id, iteration, doc_id, grade = fields
        if not _GRADE.fullmatch(grade):
            raise BadFileError(file, f"the grade {grade!r} is no whole number", number)
        yield _Answer(file, number, topic_id, iteration, doc_id, int(grade))


def _merged(
    before: pl.DataFrame, answers: list[_Answer], n_unanswered: int, *, may_replace: bool
) -> tuple[pl.DataFrame, AnswersReport]:
    """Return the judgements with the answers, and what is new in them."""
    judged: dict[tuple[str, str], tuple[str, int]] = {}
    for topic_id, iteration, doc_id, grade in before.iter_rows():
        # Of several grades, the highest counts (int_judgements).
        if grade > judged.get((topic_id, doc_id), ("", grade - 1))[1]:
            judged[topic_id, doc_id] = iteration, grade
    n_added = n_changed = n_known = 0
    for answer in answers:
        key = answer.topic_id, answer.doc_id
        if key not in judged:
            n_added += 1
        elif judged[key][1] == answer.grade:
            n_known += 1
            continue
        elif may_replace:
            n_changed += 1
        else:
            raise BadFileError(
                answer.path,
                f"topic {answer.topic_id}, document {answer.doc_id} has the grade {judged[key][1]} "
                f"already, and the answer is {answer.grade}: correct the line, or give --replace",
                answer.line,
            )
        judged[key] = answer.iteration, answer.grade
    rows = [
        (topic_id, iteration, doc_id, grade)
        for (topic_id, doc_id), (iteration, grade) in judged.items()
    ]
    report = AnswersReport(n_added, n_changed, n_known, n_unanswered)
    return pl.DataFrame(rows, schema=_FIELDS, orient="row"), report
