"""Documents that do not count for a topic: in no run and in no judgement.

A file names them, or the id of the topic, or the round in which they were judged. The raw schema
keeps their lines; staging passes over them.
"""

from functools import partial

from poolhouse.errors import PoolhouseError
from poolhouse.loading.line_files import parse_pairs_file
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load

_PAIRS = "raw.leave_out_pairs"
_OF_REASON = "line_number is null"
# The tables with documents of topics.
_TABLES = ("run_lines", "qrels_lines", "author_lines", "preference_lines", "common_judgements")


def load_pairs(load: Load) -> None:
    """Load the pairs of a file in the place of the loaded ones. Raise BadFileError."""
    parse = partial(parse_pairs_file, is_strict=load.request.strict)
    for given in load.inputs("leave_out"):
        if loaded := load.read(given, parse):
            load.store.replace(_PAIRS, *loaded)
            load.report.count(*loaded)


def leave_out(load: Load) -> None:
    """Find what does not count, now that all lines are stored; count it and report it.

    Raise PoolhouseError where nothing would be left of a run or of the judgements.
    """
    store = load.store
    [(own_id, earlier_than, has_pairs)] = store.rows(
        f"""
        select leaves_out_own_id, residual_round, exists(from {_PAIRS} where collection_key = $1)
        from raw.collections
        where collection_key = $1
        """,  # noqa: S608 - own words
        store.collection_key,
    )
    if not (own_id or earlier_than or has_pairs):
        return
    store.forget(_PAIRS, _OF_REASON)
    if own_id:
        topics = " union ".join(
            f"select query from raw.{table} where collection_key = $1"  # noqa: S608 - own words
            for table in _TABLES
        )
        _add(store, f"select query, query as docno from ({topics})")  # noqa: S608 - own words
    if earlier_than:
        _add(
            store,
            f"""
            select distinct query, docno from raw.qrels_lines
            where collection_key = $1 and {is_of_earlier_round("iteration", "$2")}
            """,  # noqa: S608 - own words
            earlier_than,
        )
    n_documents, n_judgements = _mark_in_runs(store), _count_in_judgements(store)
    load.report.remarks.append(left_out_in_words(n_documents, n_judgements))


def left_out_in_words(n_documents: int, n_judgements: int) -> str:
    """Say how many documents of runs, and how many judgements, are left out."""
    return (
        f"{n_documents} documents of runs and {n_judgements} judgements do not count for their "
        "topics and are left out"
    )


def is_of_earlier_round(iteration: str, round_: str) -> str:
    """Return the condition on judgements of an earlier round, in SQL.

    An iteration that is no number above 0 names no round.
    """
    written = f"try_cast({iteration} as double)"
    return f"{written} > 0 and {written} < {round_}"


def _add(store: RawStore, pairs: str, *values: object) -> None:
    statement = f"insert into {_PAIRS} by name select $1 as collection_key, * from ({pairs})"  # noqa: S608 - own words
    store.connection.execute(statement, [store.collection_key, *values])


def _mark_in_runs(store: RawStore) -> int:
    """Mark the lines of runs that are left out, and count their documents. Return their sum.

    Raise PoolhouseError where nothing is left of a run.
    """
    store.connection.execute(
        f"""
        update raw.run_lines set is_left_out = not is_left_out
        where
            collection_key = $1
            and is_left_out <> exists (
                from {_PAIRS} as pairs
                where
                    pairs.collection_key = $1
                    and pairs.query = run_lines.query
                    and pairs.docno = run_lines.docno
            )
        """,  # noqa: S608 - own words
        [store.collection_key],
    )
    counts = store.rows(
        """
        select
            run_key,
            any_value(run_id),
            count(distinct (query, docno)) filter (where is_left_out),
            bool_and(is_left_out)
        from raw.run_lines
        inner join raw.runs using (collection_key, run_key)
        where collection_key = ?
        group by run_key
        """,
        store.collection_key,
    )
    keys, run_ids, n_documents, are_empty = zip(*counts, strict=True)
    if any(are_empty):
        raise nothing_left(f"run {run_ids[are_empty.index(True)]!r}")
    store.connection.execute(
        """
        update raw.runs set n_documents_left_out = counted.n_documents
        from (select unnest($1) as run_key, unnest($2) as n_documents) as counted
        where runs.run_key = counted.run_key
        """,
        [keys, n_documents],
    )
    return sum(n_documents)


def _count_in_judgements(store: RawStore) -> int:
    """Record how many documents of the qrels are left out, and return it.

    Raise PoolhouseError where nothing is left of them.
    """
    [(n_documents, n_left)] = store.rows(
        f"""
        select count(distinct (query, docno)), (
            select count(*) from raw.qrels_lines
            anti join {_PAIRS} using (collection_key, query, docno)
            where collection_key = $1
        )
        from raw.qrels_lines
        semi join {_PAIRS} using (collection_key, query, docno)
        where collection_key = $1
        """,  # noqa: S608 - own words
        store.collection_key,
    )
    if n_documents and not n_left:
        raise nothing_left("the judgements")
    store.declare({"n_judgements_left_out": n_documents})
    return int(n_documents)


def nothing_left(what: str) -> PoolhouseError:
    """Return the error that every document of a run, or of the judgements, is left out."""
    return PoolhouseError(
        f"nothing is left of {what}: every document is one that does not count (--leave-out, "
        "--leave-out-own-id, --residual)"
    )
