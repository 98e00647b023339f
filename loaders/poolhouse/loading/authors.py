"""Which author is the reference of a load, and remarks on what does not fit together."""

from pathlib import Path

from attrs import evolve

from poolhouse.errors import BadFileError, PoolhouseError, did_you_mean
from poolhouse.loading.author_names import (
    REFERENCE,
    check_author,
    check_authors,
    reference_of,
    unchanged_reference,
)
from poolhouse.loading.parsers import read_source
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.request import LoadRequest
from poolhouse.output.words import counted

# An author with a smaller share of the pairs of the reference is worth a remark.
_FEW = 0.5


def with_reference(request: LoadRequest, store: RawStore) -> LoadRequest:
    """Return the request with the judgements of the reference as its qrels.

    The store gets the name of the reference. Raise PoolhouseError where it is not clear which
    author is the reference, or where another one is the reference already.
    """
    named = dict(request.author_qrels)
    asked = request.reference
    has_unnamed = request.qrels is not None
    if asked is not None:
        check_author(asked)
    stored = store.reference_author()
    check_authors(named, [*store.hashes("author_qrels"), *filter(None, [stored])])
    if stored is None:
        reference = reference_of(list(named), asked, has_unnamed=has_unnamed)
        if reference is None:
            return request
        store.name_reference(reference)
    else:
        if asked not in (None, stored, REFERENCE):
            _name_later(request, store, stored, asked or "")
            stored = asked or ""
        reference = unchanged_reference(stored, list(named), has_unnamed=has_unnamed)
    qrels = named.pop(reference or "", None) or request.qrels
    return evolve(request, qrels=qrels, author_qrels=tuple(named.items()))


def refuse_unnamed(path: Path, store: RawStore) -> None:
    """Refuse other judgements without a name, where it is not clear whose they are.

    Raise BadFileError.
    """
    stored = store.reference_author()
    if stored in (None, REFERENCE) and not store.hashes("author_qrels"):
        return
    raise BadFileError(
        path,
        f"the judgements of collection {store.collection!r} have authors, and these have no name: "
        f"--qrels {stored or REFERENCE}=FILE are the reference, and --qrels NAME=FILE stand beside "
        "it",
    )


def _name_later(request: LoadRequest, store: RawStore, stored: str, asked: str) -> None:
    """Give the reference its name, where an earlier load gave none.

    A file of this name must be the one that is loaded, because judgements never get another author.
    Raise PoolhouseError.
    """
    file = dict(request.author_qrels).get(asked)
    if isinstance(file, Path):
        file = read_source(file, request.max_file_size)
    is_other = file is not None and file.sha256 not in store.hashes("qrels").values()
    if stored == REFERENCE and not is_other and asked not in store.hashes("author_qrels"):
        check_authors([asked], store.hashes("author_qrels"))
        store.name_reference(asked)
        return
    raise PoolhouseError(
        f"the reference of collection {store.collection!r} is {stored!r}, and everything was "
        f"computed from its judgements; it cannot become {asked!r}: load the files under another "
        f"name of a collection, or poolhouse remove {store.collection} first"
    )


def author_remarks(store: RawStore, *, is_asked: bool) -> list[str]:
    """Say what does not fit together. Without `is_asked`, only raise what is an error.

    Raise PoolhouseError where the reference is declared otherwise than its collection.
    """
    declared = store.declared_authors()
    _refuse_contradiction(store, declared)
    if not is_asked:
        return []
    return [*_remarks_on_declarations(store, set(declared)), *_remarks_on_labels(store)]


def _refuse_contradiction(
    store: RawStore, declared: dict[str, tuple[int | None, int | None]]
) -> None:
    """Raise PoolhouseError where the reference has another scale than its collection."""
    reference = store.reference_author() or REFERENCE
    of_collection = store.declared_scale()
    options = (("threshold", "--threshold"), ("highest grade", "--highest-grade"))
    for own, whole, (what, option) in zip(
        declared.get(reference, (None, None)), of_collection, options, strict=True
    ):
        if own is not None and whole is not None and own != whole:
            raise PoolhouseError(
                f"author {reference!r} is the reference, and is declared with the {what} {own}; "
                f"that of collection {store.collection!r} is {whole}: leave the field empty, and "
                f"declare it by {option}"
            )


def _remarks_on_declarations(store: RawStore, declared: set[str]) -> list[str]:
    if not declared:
        return []
    reference = store.reference_author()
    judged = {*store.hashes("author_qrels"), *filter(None, [reference])}
    # A reference without a name need not be declared.
    undeclared = sorted(judged - declared - {REFERENCE})
    remarks = []
    if unknown := sorted(declared - judged):
        names = [f"{name!r}{did_you_mean(name, judged)}" for name in unknown]
        remarks.append(f"authors that are declared but have no judgements: {', '.join(names)}")
    if undeclared:
        remarks.append(
            f"authors with judgements but without a declaration: {', '.join(undeclared)}"
        )
    return remarks


def _remarks_on_labels(store: RawStore) -> list[str]:
    remarks = []
    for found in store.counts_of_authors():
        of_author = f"author {found.author!r}"
        if found.n_unknown_topics:
            remarks.append(
                f"{of_author}: {found.n_lines_of_unknown_topics} lines are about "
                f"{counted(found.n_unknown_topics, 'topic')} that the collection does not have, "
                "and count nowhere"
            )
        if found.n_above_scale:
            remarks.append(
                f"{of_author}: {counted(found.n_above_scale, 'grade')} above the highest grade "
                f"of its scale, which is declared as {found.declared_highest_grade}"
            )
        if found.highest_grade < found.relevance_threshold:
            remarks.append(
                f"{of_author}: no grade reaches the threshold {found.relevance_threshold}: "
                "declare its own by --authors"
            )
        elif not found.is_threshold_declared and found.highest_grade != found.highest_of_reference:
            remarks.append(
                f"{of_author}: relevant from grade {found.relevance_threshold} on, as in the "
                f"collection, and its grades go up to {found.highest_grade} (--authors declares "
                "its threshold and its highest grade)"
            )
        if found.n_of_reference and found.n_common < _FEW * found.n_of_reference:
            share = 100 * found.n_common / found.n_of_reference
            remarks.append(
                f"{of_author}: judged {found.n_common} of the {found.n_of_reference} documents "
                f"that the reference judged ({share:.1f} %)"
            )
    return remarks
