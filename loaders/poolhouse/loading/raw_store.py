"""Writing the raw schema: the rows of one collection, and the account of its files."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

import duckdb
import polars as pl

from poolhouse import __version__
from poolhouse.errors import AccountError, PoolhouseError, check_known
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.mismatches import mismatches
from poolhouse.loading.parsers import (
    AuthorDeclaration,
    OfficialFigure,
    ParsedFile,
    RunDescription,
    TopicAttribute,
)
from poolhouse.loading.trec_text import ANSWERS
from poolhouse.warehouse.frames import registered
from poolhouse.warehouse.schemas import EXPERIMENT_TABLES

_DESCRIPTION = {
    "run_id": pl.String,
    "organization": pl.String,
    "run_type": pl.String,
    "is_pooled": pl.Boolean,
    "pool_depth": pl.Int32,
    "description": pl.String,
    "task": pl.String,
}
_OFFICIAL_FIGURE = {
    "line_number": pl.Int32,
    "run_id": pl.String,
    "title": pl.String,
    "label": pl.String,
    "value": pl.Float64,
    "n_decimals": pl.Int32,
}
_ATTRIBUTE = {"query": pl.String, "attribute": pl.String, "value": pl.String}
_AUTHOR = {
    "author": pl.String,
    "kind": pl.String,
    "relevance_threshold": pl.Int32,
    "highest_grade": pl.Int32,
    "model": pl.String,
    "prompt": pl.String,
    "judged_on": pl.Date,
    "notes": pl.String,
}
_RECORD = {
    "kind": pl.String,
    "name": pl.String,
    "path": pl.String,
    "sha256": pl.String,
    "n_bytes": pl.Int64,
    "seconds": pl.Float64,
    "n_lines": pl.Int32,
    "n_rows": pl.Int32,
    "n_blank": pl.Int32,
    "n_rejected": pl.Int32,
    "n_duplicates": pl.Int32,
}
# The tables that hold the rows of each kind of file.
_OF_TITLE_WORDS = {
    "raw.judged_texts": ("texts", "title_words"),
    "raw.title_word_documents": ("texts", "title_words"),
    "raw.document_frequencies": ("document_frequencies",),
}
# The kinds of files whose rows another collection may take.
_COPIED = ("run", "descriptions", "topics", "topic_attributes")
# The lines of a run that are looked at first for a document of the qrels.
_FIRST_LINES = 1000
# For files that do not consist of lines.
_COUNTS_OF_LINES = {"n_lines": None, "n_blank": None, "n_rejected": None, "n_duplicates": 0}


@dataclass(frozen=True)
class InputFile:
    """A file of a collection, as its history records it. The name of a run is its run id.

    `seconds` is the time of reading and parsing it.
    """

    kind: str
    name: str
    path: str
    sha256: str
    n_bytes: int
    seconds: float


@dataclass(frozen=True)
class CountsOfAuthor:
    """The labels of an author other than the reference, beside its scale and the reference.

    A document of a topic counts once, with its highest grade. `n_common` counts the documents that
    the reference judged too.
    """

    author: str
    relevance_threshold: int
    is_threshold_declared: bool
    declared_highest_grade: int | None
    highest_grade: int
    n_above_scale: int
    n_unknown_topics: int
    n_lines_of_unknown_topics: int
    n_common: int
    n_of_reference: int
    highest_of_reference: int | None


@dataclass(frozen=True)
class ChangedJudgements:
    """Loaded judgements, how many of them new ones lack, and how many they grade otherwise.

    A grade below `judged_from` is no judgement. `has_answers` says that answers of assessors were
    added.
    """

    n_loaded: int
    n_missing: int
    n_regraded: int
    has_answers: bool


@dataclass(frozen=True)
class NegativeGrades:
    """The lines of the qrels with a grade below 0, and those of them that are no judgements."""

    judged_from: int
    lowest: int
    n_lines: int
    n_negative: int
    n_unjudged: int


class RawStore:
    """One collection in the raw schema, and the changes of one load or removal."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, collection_key: int, collection: str
    ) -> None:
        self.connection = connection
        self.collection_key = collection_key
        self.collection = collection
        self.load_key: int = self._rows("select nextval('ops.load_keys')")[0][0]
        # The loaded files with their hashes. A load asks often, and the view takes time.
        self._loaded: list[tuple[Any, ...]] | None = None

    @classmethod
    def declared(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of a collection. Create the collection if it is new."""
        connection.execute(
            "insert into raw.collections (collection_id) values (?) on conflict do nothing",
            [collection],
        )
        return cls.existing(connection, collection)

    @classmethod
    def existing(cls, connection: duckdb.DuckDBPyConnection, collection: str) -> "RawStore":
        """Open the store of an existing collection.

        Raise UnknownCollectionError.
        """
        keys = dict(
            connection.execute(
                "select collection_id, collection_key from raw.collections order by collection_id"
            ).fetchall()
        )
        check_known([collection], keys)
        return cls(connection, keys[collection], collection)

    def declare(self, declared: Mapping[str, object]) -> None:
        """Set declarations of the collection, by column. None keeps the earlier value."""
        columns = ", ".join(f"{column} = coalesce(?, {column})" for column in declared)
        self.connection.execute(
            f"update raw.collections set {columns} where collection_key = ?",  # noqa: S608 - own words
            [*declared.values(), self.collection_key],
        )

    def hashes(self, kind: str, *, only_flawless: bool = False) -> dict[str, str]:
        """Return the hash of every loaded file of this kind, or of those without rejected lines."""
        if self._loaded is None:
            select = "select kind, name, sha256, coalesce(n_rejected, 0) = 0 from ops.files"
            self._loaded = self._of_collection(select, "true")
        return {
            name: sha256
            for of_kind, name, sha256, is_flawless in self._loaded
            if of_kind == kind and (is_flawless or not only_flawless)
        }

    def run_paths(self) -> dict[str, str]:
        """Return the path of each loaded run, by its id."""
        return dict(self._of_collection("select name, path from ops.files", "kind = 'run'"))

    def replace_descriptions(self, file: InputFile, runs: Sequence[RunDescription]) -> None:
        """Replace all descriptions by these."""
        self._forget("raw.descriptions")
        described = pl.DataFrame(
            [astuple(run) for run in runs],
            schema=_DESCRIPTION,
            orient="row",
        )
        self._append("raw.descriptions", described)
        self._record([{**asdict(file), **_COUNTS_OF_LINES, "n_rows": len(runs)}])

    def replace_official_results(self, file: InputFile, figures: Sequence[OfficialFigure]) -> None:
        """Replace all official results by these."""
        self._forget("raw.official_results")
        rows = [astuple(figure) for figure in figures]
        published = pl.DataFrame(rows, schema=_OFFICIAL_FIGURE, orient="row")
        self._append("raw.official_results", published)
        self._record([{**asdict(file), **_COUNTS_OF_LINES, "n_rows": len(figures)}])

    def replace_topics(self, file: InputFile, parsed: ParsedFile) -> None:
        """Replace all titles by these."""
        self._forget("raw.topics")
        self._append("raw.topics", parsed.rows.select("query", "title"))
        self._account([(file, parsed)])

    def replace_topic_attributes(self, file: InputFile, found: Sequence[TopicAttribute]) -> None:
        """Replace all attributes of topics by these."""
        self._forget("raw.topic_attributes")
        rows = [(each.topic_id, each.attribute, each.value) for each in found]
        self._append("raw.topic_attributes", pl.DataFrame(rows, schema=_ATTRIBUTE, orient="row"))
        self._record([{**asdict(file), **_COUNTS_OF_LINES, "n_rows": len(rows)}])

    def replace_qrels(self, file: InputFile, parsed: ParsedFile) -> None:
        """Replace all judgements by these."""
        self._forget("raw.qrels_lines")
        self._append("raw.qrels_lines", parsed.rows)
        self._account([(file, parsed)])

    def replace_author(self, file: InputFile, parsed: ParsedFile) -> None:
        """Replace the judgements of the author that `file` names.

        A grade that stays keeps its date.
        """
        with registered(self.connection, "frame", parsed.rows):
            self.connection.execute(
                """
                create or replace temp table author_lines as
                select
                    frame.*,
                    coalesce(known.judged_at, current_timestamp at time zone 'UTC') as judged_at
                from frame
                left join (
                    select query, docno, grade, min(judged_at) as judged_at
                    from raw.author_lines
                    where collection_key = $1 and author = $2
                    group by all
                ) as known
                    using (query, docno, grade)
                """,
                [self.collection_key, file.name],
            )
        self._forget("raw.author_lines", "author = ?", file.name)
        self.connection.execute(
            """
            insert into raw.author_lines by name
            select $1 as collection_key, $2 as author, * exclude (iteration) from author_lines
            """,
            [self.collection_key, file.name],
        )
        self.connection.execute("drop table author_lines")
        self._account([(file, parsed)])

    def reference_author(self) -> str | None:
        """Return the name of the author of the qrels; None if there are no qrels."""
        if not self.hashes("qrels"):
            return None
        [(name,)] = self._of_collection("select reference_author from raw.collections", "true")
        return name or REFERENCE

    def name_reference(self, author: str) -> None:
        """Record the name of the author of the qrels."""
        self.connection.execute(
            "update raw.collections set reference_author = nullif(?, ?) where collection_key = ?",
            [author, REFERENCE, self.collection_key],
        )

    def replace_declared_authors(
        self, file: InputFile, declared: Sequence[AuthorDeclaration]
    ) -> None:
        """Replace all declarations of authors by these."""
        self._forget("raw.authors")
        rows = pl.DataFrame([astuple(each) for each in declared], schema=_AUTHOR, orient="row")
        self._append("raw.authors", rows)
        self._record([{**asdict(file), **_COUNTS_OF_LINES, "n_rows": len(declared)}])

    def name_declared_reference(self) -> None:
        """Give the declaration of the reference the name of its author.

        Raise PoolhouseError where it is declared under both names.
        """
        name = self.reference_author()
        declared = self.declared_authors()
        if name in (None, REFERENCE) or REFERENCE not in declared:
            return
        if name in declared:
            raise PoolhouseError(
                f"authors {name!r} and {REFERENCE!r} are declared, and are one: the reference of "
                f"collection {self.collection!r}"
            )
        self.connection.execute(
            "update raw.authors set author = ? where collection_key = ? and author = ?",
            [name, self.collection_key, REFERENCE],
        )

    def declared_authors(self) -> dict[str, tuple[int | None, int | None]]:
        """Return the declared threshold and highest grade of each declared author."""
        rows = self._of_collection(
            "select author, relevance_threshold, highest_grade from raw.authors", "true"
        )
        return {author: (threshold, highest) for author, threshold, highest in rows}

    def declared_scale(self) -> tuple[int, int | None]:
        """Return the lowest relevant grade of the collection, and its declared highest grade."""
        [scale] = self._of_collection(
            "select relevance_threshold, highest_grade from raw.collections", "true"
        )
        return scale

    def counts_of_authors(self) -> list[CountsOfAuthor]:
        """Count the labels of each author other than the reference, by name."""
        rows = self._rows(
            """
            with labels as (
                select author, query, docno, max(grade) as grade, count(*) as n_lines
                from raw.author_lines
                where collection_key = $1
                group by all
            ),

            qrels as (
                select
                    query,
                    docno,
                    max(grade) as grade,
                    max(grade) >= any_value(judged_from) as is_judged
                from raw.qrels_lines
                inner join raw.collections using (collection_key)
                where collection_key = $1
                group by query, docno
            ),

            known as (
                select query from qrels
                union
                select query from raw.topics where collection_key = $1
            ),

            -- all lines of runs are read only if the qrels and the titles lack a topic
            unknown as (
                select distinct query from labels where query not in (select query from known)
            ),

            answered as (
                select distinct query
                from raw.run_lines
                where collection_key = $1 and query in (select query from unknown)
            ),

            strangers as (
                select query from unknown where query not in (select query from answered)
            )

            select
                labels.author,
                coalesce(
                    any_value(declared.relevance_threshold), any_value(whole.relevance_threshold)
                ),
                any_value(declared.relevance_threshold) is not null,
                any_value(declared.highest_grade),
                max(labels.grade),
                count(*) filter (where labels.grade > declared.highest_grade),
                count(distinct strangers.query),
                coalesce(sum(labels.n_lines) filter (where strangers.query is not null), 0),
                count(*) filter (where labels.grade >= whole.judged_from and qrels.is_judged),
                (select count(*) from qrels where is_judged),
                (select max(grade) from qrels)
            from labels
            inner join raw.collections as whole on whole.collection_key = $1
            left join raw.authors as declared
                on declared.collection_key = $1 and labels.author = declared.author
            left join qrels on labels.query = qrels.query and labels.docno = qrels.docno
            left join strangers on labels.query = strangers.query
            group by labels.author
            order by labels.author
            """,
            self.collection_key,
        )
        return [CountsOfAuthor(*row) for row in rows]

    def copy_runs(
        self, original: int, topics: tuple[str, ...] | None = None, depth: int | None = None
    ) -> None:
        """Take the runs of another collection, and all that is said about them and the topics.

        `original` is its key. The settings are taken too, except those about its judgements. With
        `topics` only these are taken, which were pooled to `depth`, or not at all where it is 0.
        """
        self._loaded = None
        keys = {"original": original, "collection": self.collection_key}
        of_topics = {**keys, "topics": topics}
        is_copied = "$topics is null or list_contains($topics, query)"
        of_run = "partition by lines.run_key order by lines.line_number"
        line_number = "line_number" if topics is None else f"row_number() over ({of_run})"
        self.connection.execute(
            """
            update raw.collections as copy
            set
                declared_pool_depth = case
                    when $depth is null or original.declared_pool_depth = $depth
                        then original.declared_pool_depth
                end,
                pooling_order = original.pooling_order,
                track = original.track,
                year = original.year,
                task = original.task,
                main_measure = original.main_measure
            from raw.collections as original
            where
                copy.collection_key = $collection
                and original.collection_key = $original
            """,
            {**keys, "depth": depth},
        )
        self.connection.execute(
            """
            insert into raw.runs (collection_key, run_id, is_after_pool)
            select $collection, run_id, is_after_pool or $depth = 0
            from raw.runs as runs
            where
                collection_key = $original
                and (
                    $topics is null
                    or exists (
                        from raw.run_lines as lines
                        where lines.run_key = runs.run_key and list_contains($topics, query)
                    )
                )
            order by run_key
            """,
            {**of_topics, "depth": depth},
        )
        self.connection.execute(
            f"""
            insert into raw.run_lines by name
            select
                lines.* replace (
                    $collection as collection_key,
                    copies.run_key as run_key,
                    {line_number} as line_number
                )
            from raw.run_lines as lines
            inner join raw.runs as runs on lines.run_key = runs.run_key
            inner join raw.runs as copies
                on copies.collection_key = $collection and runs.run_id = copies.run_id
            where
                lines.collection_key = $original
                and ({is_copied})
            """,  # noqa: S608 - own words
            of_topics,
        )
        for table, condition, names in (
            ("raw.descriptions", "true", keys),
            ("raw.topics", is_copied, of_topics),
            ("raw.topic_attributes", is_copied, of_topics),
            ("raw.rejected_lines", f"kind in {_COPIED}", keys),
        ):
            self.connection.execute(
                f"""
                insert into {table} by name
                select * replace ($collection as collection_key) from {table}
                where collection_key = $original and ({condition})
                """,  # noqa: S608 - own words
                names,
            )
        if depth == 0:
            self.connection.execute(
                "update raw.descriptions set is_pooled = false where collection_key = $collection",
                {"collection": self.collection_key},
            )
        self.connection.execute(
            f"""
            with copied as (
                select
                    'run' as kind,
                    run_id as name,
                    count(*) as n_copied,
                    count(*) - count(distinct (query, docno)) as n_repeated
                from raw.run_lines
                inner join raw.runs using (collection_key, run_key)
                where collection_key = $collection and $topics is not null
                group by run_id
                union all
                select 'topics', 'topics', count(*), null
                from raw.topics
                where collection_key = $collection and $topics is not null
                group by collection_key
                union all
                select 'topic_attributes', 'topic_attributes', count(*), null
                from raw.topic_attributes
                where collection_key = $collection and $topics is not null
                group by collection_key
            )
            insert into ops.load_history by name
            select
                files.* replace (
                    $load_key as load_key,
                    $collection as collection_key,
                    $collection_id as collection_id,
                    0 as seconds,
                    $version as version,
                    current_timestamp at time zone 'UTC' as loaded_at,
                    n_lines + coalesce(n_copied - n_rows, 0) as n_lines,
                    coalesce(n_copied, n_rows) as n_rows,
                    coalesce(n_repeated, n_duplicates) as n_duplicates
                )
            from ops.files as files
            left join copied using (kind, name)
            where
                collection_key = $original
                and kind in {_COPIED}
                and (kind <> 'run' or $topics is null or n_copied > 0)
            """,  # noqa: S608 - own words
            {
                **of_topics,
                "load_key": self.load_key,
                "collection_id": self.collection,
                "version": __version__,
            },
        )

    def copy_declaration(self, original: int, author: str) -> None:
        """Take what another collection declares of an author, who is the reference here.

        `original` is its key. The threshold is that of the collection.
        """
        self.connection.execute(
            """
            insert into raw.authors by name
            select * replace ($collection as collection_key, null as relevance_threshold)
            from raw.authors
            where collection_key = $original and author = $author
            """,
            {"original": original, "collection": self.collection_key, "author": author},
        )

    def remove_author(self, author: str) -> None:
        """Remove the judgements of an author. Their history and the declaration are kept."""
        self._forget("raw.author_lines", "author = ?", author)
        of_author = "kind = 'author_qrels' and name = ?"
        self._forget("raw.rejected_lines", of_author, author)
        self._record_removal(of_author, author)

    def changes_by(self, rows: pl.DataFrame, author: str | None = None) -> ChangedJudgements:
        """Compare new judgements with those that they would replace.

        The judgements are those of an author, or the qrels.
        """
        kind, name = ("qrels", "qrels") if author is None else ("author_qrels", author)
        paths = self._of_collection(
            "select path from ops.files", "kind = ? and name = ?", kind, name
        )
        with registered(self.connection, "new_rows", rows):
            [(n_loaded, n_missing, n_regraded)] = self._rows(
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
                *(self.collection_key, author, self.judged_from()),
            )
        has_answers = any(path.startswith(ANSWERS) for (path,) in paths)
        return ChangedJudgements(n_loaded, n_missing, n_regraded, has_answers)

    def judged_from(self) -> int:
        """Return the lowest grade that is a judgement."""
        [(lowest,)] = self._of_collection("select judged_from from raw.collections", "true")
        return int(lowest)

    def negative_grades(self) -> NegativeGrades:
        """Count the lines of the qrels with a grade below 0."""
        judged_from = self.judged_from()
        [counts] = self._of_collection(
            f"""
            select
                coalesce(min(grade), 0),
                count(*),
                count(*) filter (where grade < 0),
                count(*) filter (where grade < {judged_from})
            from raw.qrels_lines
            """,  # noqa: S608 - a number
            "true",
        )
        return NegativeGrades(judged_from, *counts)

    def threshold_and_highest_grade(self) -> tuple[int, int]:
        """Return the lowest relevant grade, and the highest grade of the judgements."""
        [(threshold, highest)] = self._rows(
            """
            select any_value(collections.relevance_threshold), max(qrels.grade)
            from raw.collections as collections
            inner join raw.qrels_lines as qrels using (collection_key)
            where collection_key = ?
            """,
            self.collection_key,
        )
        return threshold, highest

    def lists_relevant_documents(self) -> bool:
        """Return whether all judged documents are relevant, and the judging is not declared."""
        [(lists_relevant,)] = self._rows(
            """
            select coalesce(bool_and(qrels.grade >= collections.relevance_threshold), false)
            from raw.collections as collections
            inner join raw.qrels_lines as qrels using (collection_key)
            where
                collection_key = ?
                and qrels.grade >= collections.judged_from
                and collections.declared_judging is null
            """,
            self.collection_key,
        )
        return bool(lists_relevant)

    def replace_runs(self, runs: Sequence[tuple[InputFile, ParsedFile]]) -> None:
        """Add runs. Each replaces an earlier run with the same id."""
        keys = self._run_keys([file.name for file, _ in runs])
        lines = pl.concat(
            parsed.rows.drop("q0").with_columns(run_key=pl.lit(keys[file.name], pl.Int32))
            for file, parsed in runs
        )
        self._append("raw.run_lines", lines)
        self._account(runs)

    def mark_runs(self, run_ids: list[str], *, are_after_pool: bool) -> list[str]:
        """Record whether these runs were added after the pool was judged.

        Return the ids of the runs whose record changed.
        """
        marked = self._rows(
            """
            update raw.runs set is_after_pool = $1
            where
                collection_key = $2
                and run_id in (select unnest($3))
                and coalesce(is_after_pool, false) <> $1
            returning run_id
            """,
            *(are_after_pool, self.collection_key, run_ids),
        )
        return sorted(run_id for (run_id,) in marked)

    def n_common_judgements(self, run_id: str) -> tuple[int, int]:
        """Count the judgements that were made for this run, and their topics."""
        [(n_judgements, n_topics)] = self._of_collection(
            "select count(distinct (query, docno)), count(distinct query) "
            "from raw.common_judgements",
            "run_id = ?",
            run_id,
        )
        return n_judgements, n_topics

    def replace_common_judgements(self, file: InputFile, parsed: ParsedFile) -> None:
        """Replace the judgements for the run that `file` names by these."""
        self._forget("raw.common_judgements", "run_id = ?", file.name)
        rows = parsed.rows.drop("iteration").with_columns(run_id=pl.lit(file.name))
        self._append("raw.common_judgements", rows)
        self._account([(file, parsed)])

    def titles(self) -> dict[str, str]:
        """Return the title of every titled topic."""
        return dict(self._of_collection("select query, title from raw.topics", "true"))

    def judged_documents(self) -> set[str]:
        """Name every document of the qrels."""
        rows = self._of_collection("select distinct docno from raw.qrels_lines", "true")
        return {docno for (docno,) in rows}

    def forget_title_words(self) -> None:
        """Remove the words of the titles."""
        self._forget("raw.title_words")

    def replace_title_words(self, words: Mapping[str, Collection[str]]) -> None:
        """Replace the words of the titles, by topic."""
        self.forget_title_words()
        rows = [(query, word) for query, each in words.items() for word in sorted(each)]
        schema = {"query": pl.String, "word": pl.String}
        self._append("raw.title_words", pl.DataFrame(rows, schema=schema, orient="row"))

    def replace_documents_with_words(
        self, file: InputFile, documents: Collection[str], found: pl.DataFrame, n_duplicates: int
    ) -> int:
        """Replace the rows of the file about these documents.

        `found` has query, word and docno. A row is ignored if its word is not in the title of the
        topic, or its document is not judged for the topic. A null query means every topic. Return
        the number of rows for topic, word and document.
        """
        self.forget_title_word_file(file.kind, file.name)
        of_file = {"kind": pl.lit(file.kind), "name": pl.lit(file.name)}
        texts = pl.DataFrame({"docno": list(documents)}, schema={"docno": pl.String})
        self._append("raw.judged_texts", texts.with_columns(**of_file))
        with registered(self.connection, "found", found):
            [(n_found,)] = self._rows(
                """
                insert into raw.title_word_documents
                select
                    $1,
                    $2,
                    $3,
                    words.query,
                    words.word,
                    judged.docno
                from found
                inner join raw.title_words as words
                    on found.word = words.word and coalesce(found.query, words.query) = words.query
                inner join (
                    select distinct query, docno from raw.qrels_lines where collection_key = $1
                ) as judged
                    on words.query = judged.query and found.docno = judged.docno
                where words.collection_key = $1
                """,
                *(self.collection_key, file.kind, file.name),
            )
        n_rows: int = len(documents) if file.kind == "texts" else n_found
        self._record_title_words(file, n_rows, n_duplicates)
        return int(n_found)

    def replace_document_frequencies(self, file: InputFile, frequencies: pl.DataFrame) -> None:
        """Replace all frequencies of words by these."""
        self.forget_title_word_file(file.kind, file.name)
        self._append("raw.document_frequencies", frequencies)
        self._record_title_words(file, frequencies.height, 0)

    def _record_title_words(self, file: InputFile, n_rows: int, n_duplicates: int) -> None:
        counts = {**_COUNTS_OF_LINES, "n_rows": n_rows, "n_duplicates": n_duplicates}
        self._record([{**asdict(file), **counts}])

    def forget_title_word_file(self, kind: str, name: str) -> None:
        """Remove the rows of a file about title words."""
        for table, kinds in _OF_TITLE_WORDS.items():
            if kind in kinds and len(kinds) > 1:
                self._forget(table, "kind = ? and name = ?", kind, name)
            elif kind in kinds:
                self._forget(table)

    def remove_title_word_file(self, kind: str, name: str) -> None:
        """Remove a file about title words for good. Its history is kept."""
        self.forget_title_word_file(kind, name)
        self._record_removal("kind = ? and name = ?", kind, name)

    def n_without_text(self) -> tuple[int, int]:
        """Count the documents of the qrels, and the documents among them without a text."""
        counted = """
            select
                count(distinct docno),
                count(distinct docno) filter (
                    where
                        docno not in (
                            select docno from raw.judged_texts where collection_key = $1
                        )
                )
            from raw.qrels_lines
            where collection_key = $1
        """
        n_judged, n_without = self._rows(counted, self.collection_key)[0]
        return n_judged, n_without

    def remove_run(self, run_id: str) -> None:
        """Remove a run, and the judgements for it. Its history and its description are kept."""
        [(run_key,)] = self._of_collection("select run_key from raw.runs", "run_id = ?", run_id)
        for table in ("raw.run_lines", "raw.runs"):
            self._forget(table, "run_key = ?", run_key)
        self._forget("raw.common_judgements", "run_id = ?", run_id)
        of_run = "kind in ('run', 'common_topics') and name = ?"
        self._forget("raw.rejected_lines", of_run, run_id)
        self._record_removal(of_run, run_id)

    def remove(self) -> None:
        """Remove the whole collection and the experiments on it. Its history is kept."""
        self._record_removal("true")
        for table in (
            *("raw.run_lines", "raw.runs", "raw.qrels_lines", "raw.topics"),
            *("raw.authors", "raw.author_lines"),
            *("raw.common_judgements", "raw.descriptions", "raw.topic_attributes"),
            "raw.official_results",
            *(*_OF_TITLE_WORDS, "raw.title_words"),
            *("raw.rejected_lines", "raw.collections"),
            *EXPERIMENT_TABLES,
        ):
            self._forget(table)

    def unmatched_runs(self) -> tuple[list[str], list[str]]:
        """List loaded runs without a description, and described runs that are not loaded."""
        undescribed, not_loaded = self._rows(
            """
            select
                list(runs.run_id order by runs.run_id) filter (where described.run_id is null),
                list(described.run_id order by described.run_id) filter (where runs.run_id is null)
            from (from raw.runs where collection_key = $1) as runs
            full join (from raw.descriptions where collection_key = $1) as described
                on runs.run_id = described.run_id
            """,
            self.collection_key,
        )[0]
        return undescribed or [], not_loaded or []

    def unknown_depth(self) -> str | None:
        """Return why the last build did not know the pool depth; None if it did, or is declared."""
        # Marts may be missing, or older than this column.
        if not self._rows(
            """
            select true from duckdb_columns()
            where table_name = 'dim_collections' and column_name = 'judging_caveat'
            """
        ):
            return None
        found = self._rows(
            """
            select judging_caveat
            from main.dim_collections
            inner join raw.collections using (collection_id)
            where
                collection_key = $1
                and pool_depth is null
                and coalesce(cast(declared_pool_depth as varchar), declared_judging) is null
            """,
            self.collection_key,
        )
        return found[0][0] if found else None

    def mismatches(self) -> dict[str, str]:
        """Return what does not meet the qrels, by the runs that meet nothing of them."""
        # Nearly every run has a document of the qrels among its first lines.
        suspects = [
            run_key
            for (run_key,) in self._rows(
                """
                select run_key
                from raw.runs
                anti join (
                    from raw.run_lines
                    semi join raw.qrels_lines using (collection_key, query, docno)
                    select run_key
                    where collection_key = $1 and line_number <= $2
                ) using (run_key)
                where
                    collection_key = $1
                    and exists (from raw.qrels_lines where collection_key = $1)
                """,
                self.collection_key,
                _FIRST_LINES,
            )
        ]
        if not suspects:
            return {}
        found = mismatches(
            self.connection,
            """
            select collection_key, run_key, query as topic_id, docno as doc_id
            from raw.run_lines
            where list_contains($suspects, run_key)
            """,
            """
            select collection_key, query as topic_id, docno as doc_id
            from raw.qrels_lines
            where collection_key = $collection_key
            """,
            {"suspects": suspects, "collection_key": self.collection_key},
        )
        names = dict(self._of_collection("select run_key, run_id from raw.runs", "true"))
        return {names[run_key]: mismatch for run_key, mismatch in found.items()}

    def unmatched_attributes(self) -> tuple[list[str], list[str]]:
        """List judged topics without attributes, and topics with attributes that are not judged."""
        without, not_judged = self._rows(
            """
            select
                list(judged.query order by judged.query) filter (where described.query is null),
                list(described.query order by described.query) filter (where judged.query is null)
            from (select distinct query from raw.qrels_lines where collection_key = $1) as judged
            full join (
                select distinct query from raw.topic_attributes where collection_key = $1
            ) as described
                on judged.query = described.query
            """,
            self.collection_key,
        )[0]
        return without or [], not_judged or []

    def n_runs_with_official_results(self) -> int:
        """Count the loaded runs that have official results."""
        [(n_runs,)] = self._of_collection(
            "select count(*) from raw.runs",
            "run_id in (select run_id from raw.official_results where collection_key = ?)",
            self.collection_key,
        )
        return int(n_runs)

    def _run_keys(self, run_ids: list[str]) -> dict[str, int]:
        """Return the keys of runs.

        New runs get keys; known runs keep their keys and lose their old lines.
        """
        known = dict(
            self._of_collection(
                "select run_id, run_key from raw.runs", "run_id in (select unnest(?))", run_ids
            )
        )
        if known:
            self._forget("raw.run_lines", "run_key in (select unnest(?))", list(known.values()))
        new = self._rows(
            """
            insert into raw.runs (collection_key, run_id)
            select ?, unnest(?)
            returning run_id, run_key
            """,
            *(self.collection_key, [run_id for run_id in run_ids if run_id not in known]),
        )
        return known | dict(new)

    def _account(self, files: Sequence[tuple[InputFile, ParsedFile]]) -> None:
        """Record files of lines, all of one kind, and their lines that were set aside."""
        for file, parsed in files:
            if parsed.n_lines != parsed.rows.height + parsed.n_blank + parsed.rejected.height:
                raise AccountError(
                    f"{file.path}: {parsed.n_lines} lines, but {parsed.rows.height} rows, "
                    f"{parsed.n_blank} blank and {parsed.rejected.height} rejected lines"
                )
        # A statement takes a millisecond or more, and waits for the thread that parses: one for
        # all files is a tenth of the load faster than one a file.
        kind, names = files[0][0].kind, [file.name for file, _ in files]
        self._forget("raw.rejected_lines", "kind = ? and name in (select unnest(?))", kind, names)
        rejected = pl.concat(
            parsed.rejected.with_columns(kind=pl.lit(file.kind), name=pl.lit(file.name))
            for file, parsed in files
        )
        self._append("raw.rejected_lines", rejected)
        self._record(
            [
                {
                    **asdict(file),
                    "n_lines": parsed.n_lines,
                    "n_rows": parsed.rows.height,
                    "n_blank": parsed.n_blank,
                    "n_rejected": parsed.rejected.height,
                    "n_duplicates": parsed.n_duplicates,
                }
                for file, parsed in files
            ]
        )

    def _record(self, files: Sequence[dict[str, Any]]) -> None:
        """Add files that were loaded to the history."""
        self._loaded = None
        record = pl.DataFrame(files, schema=_RECORD).with_columns(
            load_key=pl.lit(self.load_key),
            action=pl.lit("load"),
            collection_id=pl.lit(self.collection),
            version=pl.lit(__version__),
        )
        self._append("ops.load_history", record)

    def _record_removal(self, condition: str, *values: object) -> None:
        """Record the removal of the files that meet a condition."""
        self._loaded = None
        self.connection.execute(
            f"""
            insert into ops.load_history by name
            select
                * replace (
                    ? as load_key,
                    'remove' as action,
                    0 as seconds,
                    ? as version,
                    current_timestamp at time zone 'UTC' as loaded_at
                )
            from ops.files
            where collection_key = ? and {condition}
            """,  # noqa: S608 - own conditions
            [self.load_key, __version__, self.collection_key, *values],
        )

    def _forget(self, table: str, condition: str = "true", *values: object) -> None:
        self.connection.execute(
            f"delete from {table} where collection_key = ? and {condition}",  # noqa: S608 - own words
            [self.collection_key, *values],
        )

    def _append(self, table: str, frame: pl.DataFrame) -> None:
        """Add the rows of a frame to a table that has its columns, and this collection's key."""
        with registered(self.connection, "frame", frame):
            [(n_stored,)] = self._rows(
                f"insert into {table} by name select ? as collection_key, * from frame",  # noqa: S608 - own words
                self.collection_key,
            )
        if n_stored != frame.height:
            raise AccountError(f"{table}: {n_stored} rows stored of {frame.height}")

    def _of_collection(self, select: str, condition: str, *values: object) -> list[tuple[Any, ...]]:
        return self._rows(
            f"{select} where collection_key = ? and {condition}", self.collection_key, *values
        )

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        # Fetch all rows, because DuckDB 2.0 refuses other work while a result is not read to its
        # end.
        return self.connection.execute(sql, values).fetchall()
