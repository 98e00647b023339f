"""What is declared of authors of judgements, and where it contradicts the collection."""

from poolhouse.errors import PoolhouseError
from poolhouse.loading.author_names import REFERENCE
from poolhouse.loading.raw_store import RawStore


def declared_authors(store: RawStore) -> dict[str, tuple[int | None, int | None]]:
    """Return the declared threshold and highest grade of each declared author."""
    rows = store.of_collection("select author, relevance_threshold, highest_grade from raw.authors")
    return {author: (threshold, highest) for author, threshold, highest in rows}


def name_declared_reference(store: RawStore) -> None:
    """Give the declaration of the reference the name of its author.

    Raise PoolhouseError where it is declared under both names.
    """
    name = store.reference_author()
    declared = declared_authors(store)
    if name in (None, REFERENCE) or REFERENCE not in declared:
        return
    if name in declared:
        raise PoolhouseError(
            f"authors {name!r} and {REFERENCE!r} are declared, and are one: the reference of "
            f"collection {store.collection!r}"
        )
    store.connection.execute(
        "update raw.authors set author = ? where collection_key = ? and author = ?",
        [name, store.collection_key, REFERENCE],
    )


def refuse_contradiction(store: RawStore) -> None:
    """Raise PoolhouseError where the reference has another scale than its collection."""
    reference = store.reference_author() or REFERENCE
    declared, of_collection = declared_authors(store), store.declared_scale()
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
