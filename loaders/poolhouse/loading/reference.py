"""Which author of judgements is the reference: the one whose judgements are the qrels."""

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from poolhouse.errors import BadFileError, PoolhouseError, did_you_mean
from poolhouse.loading.author_names import REFERENCE, check_author, check_authors
from poolhouse.loading.parsers import read_source
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.request import LoadRequest


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
    known = [*store.hashes("author_qrels"), *store.hashes("preferences"), *filter(None, [stored])]
    check_authors(named, known)
    check_authors(dict(request.preferences), [*named, *known])
    if stored is None:
        reference = _reference_of(list(named), asked, has_unnamed=has_unnamed)
        if reference is None:
            return request
        _name_reference(store, reference)
    else:
        if asked not in (None, stored, REFERENCE):
            _name_later(request, store, stored, asked or "")
            stored = asked or ""
        reference = _unchanged_reference(stored, list(named), has_unnamed=has_unnamed)
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


def _reference_of(named: Sequence[str], asked: str | None, *, has_unnamed: bool) -> str | None:
    """Return the author of the qrels of a collection that has none yet; None without judgements.

    `named` are the authors with a file, and `asked` is the one that is asked for. `has_unnamed`
    says that there are judgements without a name. Raise PoolhouseError where it is not clear which
    one is the reference.
    """
    if has_unnamed:
        reference = asked or REFERENCE
        if clash := next((name for name in (reference, REFERENCE) if name in named), None):
            raise PoolhouseError(
                f"two files of judgements are the reference: the one without a name and {clash!r}; "
                "give the first the name of its author (--qrels NAME=FILE)"
            )
        return reference
    if asked is not None:
        if asked not in named:
            problem = "no file of judgements has this name (--qrels NAME=FILE)"
            raise PoolhouseError(f"--reference {asked}: {problem}{did_you_mean(asked, named)}")
        return asked
    if REFERENCE in named or len(named) == 1:
        return REFERENCE if REFERENCE in named else named[0]
    if named:
        raise PoolhouseError(
            f"{len(named)} authors of judgements ({', '.join(named)}), and no reference: say whose "
            "judgements are the qrels by --reference NAME"
        )
    return None


def _unchanged_reference(stored: str, named: Sequence[str], *, has_unnamed: bool) -> str | None:
    """Return the name among `named` that is the stored author of the qrels; None if there is none.

    Raise PoolhouseError for two files of this author.
    """
    found = [name for name in (stored, REFERENCE) if name in named]
    found = list(dict.fromkeys(found))
    if len(found) + has_unnamed > 1:
        raise PoolhouseError(
            f"two files of judgements are the reference, which is {stored!r}: a file without a "
            f"name, or named {REFERENCE!r}, is the reference too"
        )
    return found[0] if found else None


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
        _name_reference(store, asked)
        return
    raise PoolhouseError(
        f"the reference of collection {store.collection!r} is {stored!r}, and everything was "
        f"computed from its judgements; it cannot become {asked!r}: load the files under another "
        f"name of a collection, or poolhouse remove {store.collection} first"
    )


def _name_reference(store: RawStore, author: str) -> None:
    """Record the name of the author of the qrels."""
    store.connection.execute(
        "update raw.collections set reference_author = nullif(?, ?) where collection_key = ?",
        [author, REFERENCE, store.collection_key],
    )
