"""Scoring run files by a file of judgements: the score engine on the rows of the files."""

import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain
from operator import add
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from poolhouse.building.macros import macros_of
from poolhouse.building.project import project_folder
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.leaving_out import OF_EARLIER_ROUND, left_out_in_words, nothing_left
from poolhouse.loading.line_files import (
    first_repeated,
    parse_pairs_file,
    parse_qrels_file,
    parse_run_file,
    rejection,
    remarks_on,
)
from poolhouse.loading.mismatches import mismatches
from poolhouse.loading.parsers import SourceFile, read_source
from poolhouse.loading.run_names import run_name
from poolhouse.option_values import DEFAULT_LIMIT
from poolhouse.request_fields import check_limits
from poolhouse.scoring.files.rules import Rules
from poolhouse.trec_eval.measures import Printed, values_of
from poolhouse.warehouse.frames import put_table, registered, rows_of
from poolhouse.warehouse.queries import explained

STANDARD_INPUT = "-"
# Lines of runs that are scored at once: enough for all threads of the engine, in bounded memory.
_LINES_OF_A_BATCH = 4_000_000
_FILES_AT_ONCE = 8
_SQL = Path(__file__).with_name("scores.sql")

# A measure for a statement that needs one, where none is requested.
_FILLER = "NumRet"
_ON_DEMAND = "from scores_on_demand($measure)"
_LINES = "select 0 as collection_key, run_key, query as topic_id, docno as doc_id from unmet_lines"
_IN_QRELS = "select 0 as collection_key, query as topic_id, docno as doc_id from qrels_lines"
_NO_COUNTS = pl.DataFrame(schema={"run_key": pl.Int32})


@dataclass(frozen=True)
class RunFile:
    """A run: its id, its tag in the last line, its documents, and remarks on its lines.

    `rows` has query, docno and score, and each document of a topic once, with its best score.
    `sha256` is the hash of its file, or None for standard input.
    """

    run_id: str
    tag: str
    rows: pl.DataFrame
    remarks: tuple[str, ...]
    sha256: str | None


@dataclass(frozen=True)
class RunScores:
    """The scores of one run.

    `by_topic` has one row per judged topic, in the order of the topics: topic_id, is_answered, one
    column per measure, and `relevances`, in quotes, where relstring was requested. `counts` has one
    row per judged topic and measure, where counts were requested: the documents down to the cutoff,
    `n_top_documents`, and the unjudged ones among these, `n_unjudged`.
    """

    run: RunFile
    by_topic: pl.DataFrame
    counts: pl.DataFrame


class FileScorer:
    """The score engine with the judgements of a file, for some measures.

    `values` are the values to print, and `aggregations` says how a measure is aggregated over
    topics, by the measure. `files` are those of `Scores.files`, but the runs.
    """

    def __init__(self, qrels: Path, measures: Sequence[str], rules: Rules) -> None:
        """Read the judgements, and prepare the measures.

        Raise BadFileError, also for a document that is judged twice, and PoolhouseError for an
        unknown measure or a wrong parameter.
        """
        check_limits(rules)
        macros = macros_of(rules.version)
        self._template = macros.from_string(_SQL.read_text(encoding="utf-8"))
        self._rules = rules
        self.version = rules.version
        self._connection = duckdb.connect()
        seed = pl.read_csv(project_folder() / "seeds" / "measures.csv", infer_schema=False)
        put_table(self._connection, "measures", seed)
        self.values: Sequence[Printed] = ()
        self.values = values_of(measures, rules.version, self._value_of)
        asked = dict.fromkeys(value.measure for value in self.values if value.measure)
        self._means = {value.measure: value.parts for value in self.values if value.parts}
        of_parts = (self._means.get(measure, (measure,)) for measure in asked)
        self._computed = list(dict.fromkeys(chain.from_iterable(of_parts)))
        of_names = dict(seed.select("name", "aggregation").iter_rows())
        self.aggregations = {
            measure: "mean" if measure in self._means else of_names[_name(measure)]
            for measure in asked
        }
        parameters: Any = macros.globals["parameters_on_demand"]
        changes_rows = re.compile(f"[(,]({'|'.join(parameters())})=")
        self._on_demand = [measure for measure in self._computed if changes_rows.search(measure)]
        source = read_source(qrels)
        self.files = [("qrels", qrels.name, source.sha256)]
        judgements = parse_qrels_file(source)
        if not judgements.rejected.is_empty():
            raise BadFileError(qrels, rejection(judgements))
        if judgements.n_duplicates:  # trec_eval ends too
            line, topic, document = first_repeated(judgements)
            raise BadFileError(qrels, f"topic {topic}, document {document} is judged twice", line)
        self._left_out = self._pairs(judgements.rows)
        lines = self._without(judgements.rows).select("query", "docno", "grade")
        self._n_judgements_left_out = judgements.rows.height - lines.height
        if lines.is_empty():
            raise nothing_left("the judgements")
        put_table(self._connection, "qrels_lines", lines)
        self._connection.execute(self._sql("judgements"))
        self._topics = rows_of(self._connection, "from topics")

    def scores(self, texts: Sequence[str], *, has_counts: bool = False) -> Iterator[RunScores]:
        """Score the runs of files, or of standard input, in the given order.

        Raise BadFileError, and PoolhouseError where a run answers no judged topic.
        """
        batch: list[RunFile] = []
        for found in _read(texts, self._rules):
            run = found if isinstance(found, BadFileError) else self._counting(found)
            if isinstance(run, PoolhouseError):
                yield from self._scores_of(batch, has_counts=has_counts)
                raise run
            batch.append(run)
            if sum(each.rows.height for each in batch) >= _LINES_OF_A_BATCH:
                yield from self._scores_of(batch, has_counts=has_counts)
                batch = []
        yield from self._scores_of(batch, has_counts=has_counts)

    def _pairs(self, judgements: pl.DataFrame) -> pl.DataFrame:
        """Return the documents that do not count for a topic, of the file and of earlier rounds.

        Raise BadFileError, also for a bad line: its document would count.
        """
        pairs = [pl.DataFrame(schema={"query": pl.String, "docno": pl.String})]
        if self._rules.leave_out:
            source = read_source(self._rules.leave_out)
            self.files.append(("leave_out", source.path.name, source.sha256))
            parsed = parse_pairs_file(source)
            if not parsed.rejected.is_empty():
                raise BadFileError(source.path, rejection(parsed))
            pairs.append(parsed.rows.select("query", "docno"))
        if self._rules.residual:
            is_earlier = pl.sql_expr(OF_EARLIER_ROUND.format(self._rules.residual))
            pairs.append(judgements.filter(is_earlier).select("query", "docno"))
        return pl.concat(pairs).unique()

    def _without(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows whose documents count for their topics."""
        if self._rules.leave_out_own_id:
            rows = rows.filter(pl.col("query") != pl.col("docno"))
        return rows.join(self._left_out, on=["query", "docno"], how="anti")

    def _counting(self, run: RunFile) -> RunFile | PoolhouseError:
        """Return the run without what does not count, or the error that nothing is left of it."""
        rules = self._rules
        if not (rules.leave_out or rules.leave_out_own_id or rules.residual):
            return run
        rows = self._without(run.rows)
        if rows.is_empty():
            return nothing_left(f"run {run.run_id!r}")
        n_documents = run.rows.height - rows.height
        remark = f"{run.run_id}: {left_out_in_words(n_documents, self._n_judgements_left_out)}"
        return replace(run, rows=rows, remarks=(*run.remarks, remark))

    def _scores_of(self, batch: Sequence[RunFile], *, has_counts: bool) -> Iterator[RunScores]:
        if not batch:
            return
        with explained():
            scores, counts = self._of_batch(batch, has_counts=has_counts)
            unmet = self._mismatches(batch)
        of_runs = scores.partition_by("run_key", include_key=False, as_dict=True)
        counts_of_runs = counts.partition_by("run_key", include_key=False, as_dict=True)
        for key, run in enumerate(batch):
            remarks = [f"{run.run_id}: {unmet[key]}"] if key in unmet else []
            if (key,) not in of_runs:
                raise PoolhouseError(remarks[0])
            remarked = replace(run, remarks=(*run.remarks, *remarks))
            yield RunScores(remarked, of_runs[key,], counts_of_runs.get((key,), _NO_COUNTS))

    def _mismatches(self, batch: Sequence[RunFile]) -> dict[int, str]:
        """Return what does not meet, by the keys of the runs of a batch that meet nothing."""
        found = self._connection.execute("select distinct run_key from judged_rankings").fetchall()
        meeting = {key for (key,) in found}
        if len(meeting) == len(batch):
            return {}
        unmet = [_with_key(run.rows, key) for key, run in enumerate(batch) if key not in meeting]
        put_table(self._connection, "unmet_lines", pl.concat(unmet))
        return mismatches(self._connection, _LINES, _IN_QRELS)

    def _of_batch(
        self, batch: Sequence[RunFile], *, has_counts: bool
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the scores of all runs of a batch, and the counts."""
        # The engine would keep a copy of all ids for a join with the topics.
        lines = pl.concat(
            _with_key(run.rows.join(self._topics, on="query").drop("query"), key)
            for key, run in enumerate(batch)
        )
        with registered(self._connection, "run_lines", lines):
            self._connection.execute(self._sql("rankings"))
        scores = self._rows("scores").drop("unjudged")
        if self._on_demand:
            self._connection.execute(self._sql("scores on demand"))
        for measure in self._on_demand:
            of_measure = rows_of(self._connection, _ON_DEMAND, {"measure": measure})
            scores = scores.with_columns(of_measure["score"].alias(measure))
        for measure, parts in self._means.items():
            # Added up from the highest share on, as trec_eval does.
            mean = reduce(add, map(pl.col, reversed(parts))) / len(parts)
            scores = scores.with_columns(mean.alias(measure))
        scores = scores.drop(set(self._computed) - set(self.aggregations))
        if any(value.length for value in self.values):
            relevances = self._rows("relstrings")
            quoted = pl.format("'{}'", pl.col("relevances").fill_null(""))
            scores = scores.join(
                relevances, on=["run_key", "topic_id"], how="left", maintain_order="left"
            ).with_columns(quoted.alias("relevances"))
        return scores, self._counts() if has_counts else _NO_COUNTS

    def _counts(self) -> pl.DataFrame:
        """Return the counts by measure. A mean has those of its parts, which read the same rows."""
        counts = self._rows("counts")
        of_means = (
            counts.filter(measure=parts[0]).with_columns(measure=pl.lit(measure))
            for measure, parts in self._means.items()
        )
        return pl.concat([counts, *of_means])

    def _rows(self, part: str) -> pl.DataFrame:
        return rows_of(self._connection, self._sql(part))

    def _sql(self, part: str) -> str:
        """Render a part of scores.sql."""
        rules = self._rules
        measures = self._computed if part in {"scores", "counts"} else []
        if part == "scores":
            measures = [measure for measure in measures if measure not in self._on_demand]
            measures = measures or [_FILLER]
        return self._template.render(
            part=part,
            version=rules.version,
            level=rules.level,
            depth=rules.depth,
            judged_from=rules.judged_from,
            unjudged="condensed" if rules.is_judged_only else "nonrelevant",
            measures=measures,
            length=max((value.length for value in self.values), default=0),
        )

    def _value_of(self, text: str) -> Printed:
        """Return the value for a measure in Poolhouse's notation, or nearly so."""
        with explained(f"{text}: "):
            asked = self._connection.execute(self._sql("other measure"), {"asked": text})
        [(measure, name, problem)] = asked.fetchall()
        if problem:
            raise PoolhouseError(problem)
        return Printed.of(measure, name)


def _read(texts: Sequence[str], rules: Rules) -> Iterator[RunFile | BadFileError]:
    """Read runs, a few at once: polars reads a small file with one thread."""
    with ThreadPoolExecutor(_FILES_AT_ONCE) as readers:
        for start in range(0, len(texts), _FILES_AT_ONCE):
            read = partial(_read_run, rules=rules)
            yield from readers.map(read, texts[start : start + _FILES_AT_ONCE])


def _read_run(text: str, rules: Rules) -> RunFile | BadFileError:
    """Read a run, or return the error: runs before it are scored first."""
    try:
        return _run(text, rules)
    except BadFileError as error:
        return error


def _run(text: str, rules: Rules) -> RunFile:
    """Read a run from a file, or from standard input where the text is `-`.

    Raise BadFileError.
    """
    path = Path(text)
    if text == STANDARD_INPUT:
        path = Path("standard input")
        source = SourceFile(path, sys.stdin.buffer.read(DEFAULT_LIMIT + 1))
    else:
        source = read_source(path)
    parsed = parse_run_file(source, passages=rules.passages)
    rows = parsed.rows.select("query", "docno", "score")
    remarks = remarks_on(path, parsed)
    if parsed.n_duplicates:
        rows = rows.group_by("query", "docno").agg(pl.col("score").max())
        remarks += (
            f"{path.name}: {parsed.n_duplicates} lines repeat a document of their topic; each "
            "document counts once, with its best score, where trec_eval ends with an error",
        )
    last_tag = parsed.rows["tag"][-1] or ""
    is_file = text != STANDARD_INPUT
    run_id = run_name(path, rules.run_id) if is_file else path.name
    sha256 = source.sha256 if is_file else None
    return RunFile(run_id, last_tag.partition(" ")[0], rows, remarks, sha256)


def _with_key(rows: pl.DataFrame, run_key: int) -> pl.DataFrame:
    return rows.with_columns(run_key=pl.lit(run_key, pl.Int32))


def _name(measure: str) -> str:
    """Return the name of a measure without its parameters and its cutoff."""
    return measure.partition("@")[0].partition("(")[0]
