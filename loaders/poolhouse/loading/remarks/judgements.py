"""Remarks on judgements: how their grades count, and whether the runs meet them."""

from collections.abc import Iterator
from typing import NamedTuple

from poolhouse.loading.mismatches import mismatches_in_words
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load

# The lines of a run that are looked at first for a document of the qrels.
_FIRST_LINES = 1000


class _Grades(NamedTuple):
    """The grades of the lines of the qrels, beside what is declared of grades.

    `n_unjudged` counts the lines that are no judgements. `are_relevant` says that all others are
    of relevant documents, and that the judging is not declared.
    """

    threshold: int
    judged_from: int
    lowest: int
    highest: int
    n_lines: int
    n_negative: int
    n_unjudged: int
    are_relevant: bool


def on_grades(load: Load) -> Iterator[str]:
    """Remark on the lowest relevant grade, on qrels without other grades, and on grades below 0."""
    are_new = "qrels" in load.new
    if not are_new and load.request.judged_from is None:
        return
    found = _grades(load.store)
    if are_new and load.request.threshold is None and found.highest > 1:
        yield (
            f"the qrels have grades up to {found.highest}: a document is relevant from grade "
            f"{found.threshold} on (load --threshold N takes another)"
        )
    if are_new and found.are_relevant:
        yield (
            "the qrels hold no document that is judged not relevant: they name relevant documents "
            "only, so that nothing is called unjudged; nDCG, RR, Success and R@k tell where these "
            "are (load --judging pooled says that a pool was judged)"
        )
    if found.n_negative:
        yield _on_negative(found)


def _on_negative(found: _Grades) -> str:
    negative = f"{found.n_negative} of {found.n_lines} judgements have a grade below 0"
    unjudged = "count as in the pool and not judged"
    if found.n_unjudged == 0:
        return f"{negative}: they count as judged and not relevant"
    if found.n_unjudged == found.n_negative:
        option = f"load --judged-from {found.lowest}"
        return f"{negative}: they {unjudged} ({option} makes them judged and not relevant)"
    return (
        f"{negative}: those from {found.judged_from} on count as judged and not relevant, and the "
        f"{found.n_unjudged} below {unjudged}"
    )


def on_mismatches(load: Load) -> Iterator[str]:
    """Remark on runs of which nothing is in the qrels: wrong runs, or wrong qrels."""
    if load.new & {"qrels", "run"} and (found := _mismatches(load.store)):
        yield found


def _grades(store: RawStore) -> _Grades:
    [counts] = store.rows(
        """
        select
            any_value(relevance_threshold),
            any_value(judged_from),
            min(grade),
            max(grade),
            count(*),
            count(*) filter (where grade < 0),
            count(*) filter (where grade < judged_from),
            any_value(declared_judging) is null
            and coalesce(
                bool_and(grade >= relevance_threshold) filter (where grade >= judged_from), false
            )
        from raw.qrels_lines
        inner join raw.collections using (collection_key)
        where collection_key = ?
        """,
        store.collection_key,
    )
    return _Grades(*counts)


def _mismatches(store: RawStore) -> str | None:
    """Say what does not meet the qrels of the runs that meet nothing of them, if there are any."""
    # Nearly every run has a document of the qrels among its first lines.
    suspects = [
        run_key
        for (run_key,) in store.rows(
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
            *(store.collection_key, _FIRST_LINES),
        )
    ]
    if not suspects:
        return None
    return mismatches_in_words(
        store.connection,
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
        {"suspects": suspects, "collection_key": store.collection_key},
    )
