"""The files from which `load` makes an equal collection, and the card that describes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import yaml

from poolhouse.export.copies import SOURCE
from poolhouse.export.descriptions import card
from poolhouse.export.file_names import file_name_of
from poolhouse.export.mart_files import write_json
from poolhouse.file_digests import digest_of
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.parsers.pool_records import PoolRecord, pool_text
from poolhouse.loading.request import DECLARED
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.sql_text import quoted_text

_QRELS = "qrels/full.txt"
_LEAVE_OUT = "leave-out.txt"
# One column without quotes, because no id holds white space or this character.
LINES = "format csv, header false, delimiter '\\x01', quote '', escape ''"

_SETTINGS = f"select * from {SOURCE}.raw.collections where collection_id = $collection"  # noqa: S608 - a constant
# The tables, by their keys in an archive: the file, and the rows with the columns of the file.
_TABLES = {
    "descriptions": (
        "runs.csv",
        f"""
        select
            run_id as run,
            coalesce(declared.organization, loaded.organization, run_id) as organization,
            coalesce(declared.run_type, loaded.run_type) as type,
            declared.is_pooled as pooled,
            declared.pool_depth as depth,
            coalesce(declared.description, loaded.description) as description,
            declared.task
        from {{rows}} as declared
        full join {SOURCE}.raw.runs as loaded using (collection_key, run_id)
        where
            collection_key = $key
            and coalesce(
                declared.organization, loaded.organization, loaded.run_type, loaded.description
            ) is not null
        order by run_id
        """,  # noqa: S608 - a constant
    ),
    "authors": (
        "authors.csv",
        f"""
        select
            author,
            declared.* exclude (collection_key, author, has_answered) rename (
                relevance_threshold as threshold, highest_grade as highest, judged_on as date
            ),
            nullif(loaded.has_answered, false) as answered
        from {{rows}} as declared
        full join {SOURCE}.staging.stg_authors as loaded using (collection_key, author)
        where collection_key = $key and (declared.author is not null or loaded.has_answered)
        order by author
        """,  # noqa: S608 - a constant
    ),
    "topics": (
        "topics.tsv",
        "select query as topic, title from {rows} where collection_key = $key order by query",
    ),
    "topic-attributes": (
        "attributes.csv",
        """
        select query as topic, attribute, value from {rows}
        where collection_key = $key order by query, attribute
        """,
    ),
}
# Of a document that is judged twice: its first round, which decides whether it is left out, or else
# any iteration.
_FIRST_ROUND = """
coalesce(
    min_by(iteration, try_cast(iteration as double)) filter (try_cast(iteration as double) > 0),
    min(iteration)
)
"""
_PAIRS = f"""
select query || ' ' || docno from {SOURCE}.raw.leave_out_pairs
where collection_key = $key and line_number is not null
order by line_number
"""  # noqa: S608 - a constant
# Kinds of files and runs that are not written.
_LEFT_OUT = f"""
select 'Loaded, and not here: ' || replace(kind, '_', '-') from {SOURCE}.ops.files
where
    collection_key = $key
    and kind in ('official_results', 'texts', 'title_words', 'document_frequencies')
union
select 'Added after the pool was judged, by poolhouse adjust FILE --keep: ' || run_id
from {SOURCE}.raw.runs
where collection_key = $key and is_after_pool
order by all
"""  # noqa: S608 - a constant
_COMMENTS = (
    "Put the run files into the folder runs beside this file. Then load the collection:",
    "poolhouse load --archive archive.yml",
)


@dataclass(frozen=True)
class _Loaded:
    """What is loaded of a collection, and the folder into which it is written."""

    connection: duckdb.DuckDBPyConnection
    key: int
    folder: Path

    def rows(self, query: str) -> pl.DataFrame:
        """Return the rows of a query for the collection `$key`."""
        return rows_of(self.connection, query, {"key": self.key})

    def names(self, query: str) -> list[str]:
        """Return the values of a query for one column."""
        return self.rows(query).to_series().to_list()

    def write_judgements(self, table: str, chosen: str, file: str) -> None:
        """Write judgements, each document once: the highest grade counts, as in the marts.

        All lines of preferences are written.
        """
        iteration = _FIRST_ROUND if table == "qrels_lines" else "'0'"
        lines = f"""
            select query || ' ' || {iteration} || ' ' || docno || ' ' || max(grade)
            from {SOURCE}.raw.{table}
            where collection_key = {self.key} and {chosen}
            group by query, docno
            order by query, docno
        """  # noqa: S608 - names are quoted
        if table == "preference_lines":
            lines = f"""
                select concat_ws(' ', query, docno, other_docno, cast(is_equal as integer))
                from {SOURCE}.raw.{table}
                where collection_key = {self.key} and {chosen}
                order by line_number
            """  # noqa: S608 - names are quoted
        (self.folder / file).parent.mkdir(exist_ok=True)
        self.connection.execute(
            f"copy ({lines}) to {quoted_text(str(self.folder / file))} ({LINES})"
        )


def write_collection_files(
    connection: duckdb.DuckDBPyConnection, collection: str, folder: Path
) -> None:
    """Write what is loaded of a collection but its runs, an archive of it, and its card.

    A line that a file repeats, or that was rejected, is left out, so that trec_eval reads the
    qrels.
    """
    [settings] = rows_of(connection, _SETTINGS, {"collection": collection}).rows(named=True)
    loaded = _Loaded(connection, settings["collection_key"], folder)
    entry = {
        "collection": collection,
        **{
            field.replace("_", "-"): settings[column]
            for field, column in DECLARED.items()
            if settings[column] is not None
        },
        "runs": "runs",
        **_leave_out(loaded),
        **_judgements(loaded, settings["reference_author"]),
        **dict(_tables(loaded)),
        **_pool(loaded),
    }
    text = yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=10**6)
    comments = "".join(f"# {line}\n" for line in (*_COMMENTS, *loaded.names(_LEFT_OUT)))
    (folder / "archive.yml").write_text(f"{comments}{text}", encoding="utf-8")
    write_json(folder / "croissant.json", _card(connection, collection, folder))


def _tables(loaded: _Loaded) -> Iterator[tuple[str, str]]:
    """Write each table that has rows. Yield its key in an archive, and its file."""
    for name, (file, query) in _TABLES.items():
        table = loaded.rows(query.format(rows=f"{SOURCE}.raw.{name.replace('-', '_')}"))
        if table.is_empty():
            continue
        if name == "topic-attributes":
            table = table.pivot("attribute", index="topic", values="value")
        # Only XML has line ends in a name.
        table = table.with_columns(pl.col(pl.String).str.replace_all(r"[\r\n]+", " "))
        if file.endswith(".csv"):
            table.write_csv(loaded.folder / file)
        else:
            table.write_csv(loaded.folder / file, separator="\t", quote_style="never")
        yield name, file


def _judgements(loaded: _Loaded, reference: str | None) -> dict[str, object]:
    """Write the judgements with the grades that were loaded. Return the keys of an archive."""
    loaded.write_judgements("qrels_lines", "true", _QRELS)
    of_authors = dict(_named_judgements(loaded, "author_lines", "author", "authors"))
    of_runs = list(_named_judgements(loaded, "common_judgements", "run_id", "common_topics"))
    found: dict[str, object] = {"qrels": _QRELS}
    if of_authors or reference:
        name = reference or REFERENCE
        found = {"qrels": {name: _QRELS, **of_authors}, "reference": name}
    if preferred := dict(_named_judgements(loaded, "preference_lines", "author", "preferences")):
        found["preferences"] = preferred
    if of_runs:
        found["common-topics"] = [list(pair) for pair in of_runs]
    return found


def _named_judgements(
    loaded: _Loaded, table: str, column: str, kind: str
) -> Iterator[tuple[str, str]]:
    names = f"select distinct {column} from {SOURCE}.raw.{table} where collection_key = $key"  # noqa: S608
    for name in sorted(loaded.names(names)):
        file = f"{kind}/{file_name_of(name)}.txt"
        loaded.write_judgements(table, f"{column} = {quoted_text(name)}", file)
        yield name, file


def _leave_out(loaded: _Loaded) -> dict[str, str]:
    """Write the pairs of the loaded file, if there are any. Return the key of an archive.

    What is left out for another reason follows from the other files.
    """
    pairs = loaded.names(_PAIRS)
    if not pairs:
        return {}
    (loaded.folder / _LEAVE_OUT).write_text("".join(f"{pair}\n" for pair in pairs), "utf-8")
    return {"leave-out": _LEAVE_OUT}


def _pool(loaded: _Loaded) -> dict[str, str]:
    """Write the record of the pool, if there is one. Return the key of an archive."""
    rows = "from {}.raw.{} where collection_key = $key order by all"
    tables = (rows.format(SOURCE, table) for table in ("pool_lists", "pool_documents"))
    record = PoolRecord(*map(loaded.rows, tables))
    if record.lists.is_empty():
        return {}
    (loaded.folder / "pool.jsonl").write_text(pool_text(record), encoding="utf-8")
    return {"pool": "pool.jsonl"}


# ------------------------------------------------------------------------------------------ card

_FACTS = f"""
select collections.*, audits.verdict, audits.verdict_reasons
from {SOURCE}.main.dim_collections as collections
inner join {SOURCE}.main.audit_collections as audits using (collection_id)
where collection_id = $collection
"""  # noqa: S608 - a constant
_AUTHORS = f"""
select
    author || case when is_reference then ' (the reference)' else '' end
    || ': ' || coalesce(kind, 'kind not declared')
    || coalesce(', ' || model, '') || coalesce(', prompt: ' || prompt, '')
    || coalesce(', ' || notes, '') || coalesce(', ' || judged_on, '')
    || ', ' || n_judged || ' judgements of ' || n_topics || ' topics'
from {SOURCE}.main.dim_authors
where collection_id = $collection
order by not is_reference, author
"""  # noqa: S608 - a constant
_FINDINGS = f"""
select replace(rule_id, '_', ' ') || ' ' || outcome || ': ' || finding
from {SOURCE}.main.audit_verdicts
where collection_id = $collection
order by position
"""  # noqa: S608 - a constant


def _card(
    connection: duckdb.DuckDBPyConnection, collection: str, folder: Path
) -> dict[str, object]:
    values = {"collection": collection}
    [facts] = rows_of(connection, _FACTS, values).rows(named=True)
    authors, findings = (
        rows_of(connection, query, values).to_series().to_list() for query in (_AUTHORS, _FINDINGS)
    )
    counts = (
        f"{facts['n_topics']} judged topics, {facts['n_judgements']} judgements, "
        f"{facts['n_relevant']} of them relevant; {facts['n_runs']} runs of "
        f"{facts['n_organizations']} organizations"
    )
    use = f"To score runs that were not pooled: {facts['verdict']}"
    paths = sorted(each for each in folder.rglob("*") if each.is_file())
    files = [(path.relative_to(folder).as_posix(), digest_of(path)) for path in paths]
    return card(
        collection,
        f"{facts['title'] or collection}: {counts}.",
        {
            "dataAnnotationProtocol": [facts["how_judged"]],
            "annotatorDemographics": authors,
            "dataUseCases": [use + (f" ({each})" if (each := facts["verdict_reasons"]) else "")],
            "dataLimitations": findings,
        },
        files,
        datetime.now(UTC).date(),
    )
