"""Documents that do not count for a topic: in no run and in no judgement.

A file names them, or the id of the topic, or the round in which they were judged. The raw schema
keeps their lines; staging passes over them.
"""

from functools import partial

from poolhouse.errors import PoolhouseError
from poolhouse.loading.line_files import parse_pairs_file
from poolhouse.loading.reading import Load

# The tables with documents of topics.
_TABLES = ("run_lines", "qrels_lines", "author_lines", "preference_lines", "common_judgements")
_TOPICS = " union ".join(f"select collection_key, query from raw.{table}" for table in _TABLES)  # noqa: S608
# An iteration that is no number above 0 names no round.
OF_EARLIER_ROUND = "try_cast(iteration as double) > 0 and try_cast(iteration as double) < {}"

# A row where the collection leaves something out, or did so before this load.
_IS_ASKED = """
select 1 from raw.collections
where collection_key = $1 and (leaves_out_own_id or residual_round > 0)
union all
select 1 from raw.leave_out_pairs where collection_key = $1
limit 1
"""
# Pairs that no file names. Then the marks of lines, and the counts.
_FIND = f"""
insert into raw.leave_out_pairs by name
select collection_key, query, query as docno
from ({_TOPICS})
inner join raw.collections using (collection_key)
where collection_key = $1 and leaves_out_own_id
union
select collection_key, query, docno
from raw.qrels_lines
inner join raw.collections using (collection_key)
where collection_key = $1 and {OF_EARLIER_ROUND.format("residual_round")}
"""  # noqa: S608 - own words
_MARK = """
update raw.run_lines set is_left_out = not is_left_out
where
    collection_key = $1
    and is_left_out <> exists (
        from raw.leave_out_pairs as pairs
        where
            pairs.collection_key = $1
            and pairs.query = run_lines.query
            and pairs.docno = run_lines.docno
    )
"""
_COUNT_OF_RUNS = """
update raw.runs set n_documents_left_out = (
    select count(distinct (query, docno)) from raw.run_lines as lines
    where lines.run_key = runs.run_key and lines.is_left_out
)
where collection_key = $1
"""
_COUNT_OF_JUDGEMENTS = """
update raw.collections set n_judgements_left_out = (
    select count(distinct (query, docno)) from raw.qrels_lines
    semi join raw.leave_out_pairs using (collection_key, query, docno)
    where collection_key = $1
)
where collection_key = $1
"""
# The counts, and what has lines and no line left.
_COUNTED = """
select
    sum(n_documents_left_out),
    any_value(n_judgements_left_out),
    min('run ''' || run_id || '''') filter (
        where n_documents_left_out > 0
        and run_key not in (
            select run_key from raw.run_lines where collection_key = $1 and not is_left_out
        )
    ),
    case when any_value(n_judgements_left_out) > 0 and not exists (
        from raw.qrels_lines
        anti join raw.leave_out_pairs using (collection_key, query, docno)
        where collection_key = $1
    ) then 'the judgements' end
from raw.runs
inner join raw.collections using (collection_key)
where collection_key = $1
"""


def load_pairs(load: Load) -> None:
    """Load the pairs of a file in the place of the loaded ones. Raise BadFileError."""
    parse = partial(parse_pairs_file, is_strict=load.request.strict)
    for given in load.inputs("leave_out"):
        if loaded := load.read(given, parse):
            load.store.replace("raw.leave_out_pairs", *loaded)
            load.report.count(*loaded)


def leave_out(load: Load) -> None:
    """Find what does not count, now that all lines are stored; count it and report it.

    Raise PoolhouseError where nothing would be left of a run or of the judgements.
    """
    store, key = load.store, load.store.collection_key
    if not store.rows(_IS_ASKED, key):
        return
    store.forget("raw.leave_out_pairs", "line_number is null")
    for statement in (_FIND, _MARK, _COUNT_OF_RUNS, _COUNT_OF_JUDGEMENTS):
        store.connection.execute(statement, [key])
    [(n_documents, n_judgements, *empty)] = store.rows(_COUNTED, key)
    for what in filter(None, empty):
        raise nothing_left(what)
    load.report.remarks.append(left_out_in_words(n_documents, n_judgements))


def left_out_in_words(n_documents: int, n_judgements: int) -> str:
    """Say how many documents of runs, and how many judgements, are left out."""
    return (
        f"{n_documents} documents of runs and {n_judgements} judgements do not count for their "
        "topics and are left out"
    )


def nothing_left(what: str) -> PoolhouseError:
    """Return the error that every document of a run, or of the judgements, is left out."""
    return PoolhouseError(
        f"nothing is left of {what}: every document is one that does not count (--leave-out, "
        "--leave-out-own-id, --residual)"
    )
