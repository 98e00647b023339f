"""The tables of a check for people, and one explanation for each failed expectation."""

from collections.abc import Iterable, Iterator

from poolhouse.expectations.results import Result, Results
from poolhouse.output.titled_tables import TitledTable

# Rows of a sample, and collections, in an explanation. The report has all of them.
_ROWS_SHOWN = 2
_COLLECTIONS_SHOWN = 5


def tables_of(found: Results) -> Iterator[TitledTable]:
    """Return tables of broken promises and of suspicions, if there are any."""
    for title, failed in (("broken promises", found.broken), ("suspicions", found.suspicions)):
        if failed:
            rows = [(each.collection_id, each.name_in_words, each.observed) for each in failed]
            yield f"{title}: what does not hold", ["collection", "expected", "seen"], rows


def explanations_of(results: Iterable[Result]) -> dict[str, list[str]]:
    """Return paragraphs for each expectation that does not hold: its meaning, advice, and rows.

    The paragraphs are lists, by the name of the expectation.
    """
    failed: dict[str, list[Result]] = {}
    for each in results:
        if each.success is False:
            failed.setdefault(each.name_in_words, []).append(each)
    return {name: list(_paragraphs(found)) for name, found in failed.items()}


def _paragraphs(found: list[Result]) -> Iterator[str]:
    first = found[0]
    yield " ".join(filter(None, (f"Expected: {first.meaning}.", first.advice)))
    sampled = [each for each in found if each.sample_in_words()]
    for each in sampled[:_COLLECTIONS_SHOWN]:
        yield f"{each.collection_id}: {_some_rows(each)}"
    if n_more := len(sampled[_COLLECTIONS_SHOWN:]):
        yield f"and {n_more} more collections"


def _some_rows(result: Result) -> str:
    rows = result.sample_in_words()[:_ROWS_SHOWN]
    n_more = (result.unexpected_count or 0) - len(rows)
    return "; ".join([*rows, *([f"and {n_more} more"] if n_more > 0 else [])])
