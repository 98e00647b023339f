"""Remarks on authors of judgements: their declarations, and their labels beside the reference."""

from collections.abc import Iterator
from dataclasses import dataclass

from poolhouse.errors import did_you_mean
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.authors import declared_authors
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load
from poolhouse.output.words import counted

# An author with a smaller share of the pairs of the reference is worth a remark.
_FEW = 0.5


@dataclass(frozen=True)
class _Counts:
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


def on_authors(load: Load) -> Iterator[str]:
    """Remark on what does not fit together, where the load is about judgements or authors."""
    if "qrels" in load.new or load.inputs("author_qrels") or load.inputs("authors"):
        yield from _on_declarations(load.store)
        yield from _on_labels(load.store)


def _on_declarations(store: RawStore) -> Iterator[str]:
    declared = set(declared_authors(store))
    if not declared:
        return
    reference = store.reference_author()
    loaded = {**store.hashes("author_qrels"), **store.hashes("preferences")}
    judged = {*loaded, *filter(None, [reference])}
    if unknown := sorted(declared - judged):
        names = [f"{name!r}{did_you_mean(name, judged)}" for name in unknown]
        yield f"authors that are declared but have no judgements: {', '.join(names)}"
    # A reference without a name need not be declared.
    if undeclared := sorted(judged - declared - {REFERENCE}):
        yield f"authors with judgements but without a declaration: {', '.join(undeclared)}"


def _on_labels(store: RawStore) -> Iterator[str]:
    for found in _counts(store):
        of_author = f"author {found.author!r}"
        if found.n_unknown_topics:
            yield (
                f"{of_author}: {found.n_lines_of_unknown_topics} lines are about "
                f"{counted(found.n_unknown_topics, 'topic')} that the collection does not have, "
                "and count nowhere"
            )
        if found.n_above_scale:
            yield (
                f"{of_author}: {counted(found.n_above_scale, 'grade')} above the highest grade "
                f"of its scale, which is declared as {found.declared_highest_grade}"
            )
        if found.highest_grade < found.relevance_threshold:
            yield (
                f"{of_author}: no grade reaches the threshold {found.relevance_threshold}: "
                "declare its own by --authors"
            )
        elif not found.is_threshold_declared and found.highest_grade != found.highest_of_reference:
            yield (
                f"{of_author}: relevant from grade {found.relevance_threshold} on, as in the "
                f"collection, and its grades go up to {found.highest_grade} (--authors declares "
                "its threshold and its highest grade)"
            )
        if found.n_of_reference and found.n_common < _FEW * found.n_of_reference:
            share = 100 * found.n_common / found.n_of_reference
            yield (
                f"{of_author}: judged {found.n_common} of the {found.n_of_reference} documents "
                f"that the reference judged ({share:.1f} %)"
            )


def _counts(store: RawStore) -> list[_Counts]:
    """Count the labels of each author other than the reference, by name."""
    rows = store.rows(
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
        store.collection_key,
    )
    return [_Counts(*row) for row in rows]
