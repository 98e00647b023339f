"""Test expected relevance: it knows no label that leaves, and little can be learned."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from built_collections import kept_open, load_and_build
from compared_rows import assert_equals
from conftest import NewWarehouse
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Collection, Description, Reference, ranked

TOLERANCE = 1e-9

# To depth 2, the pool has these documents of the runs; a1 and a2 are of organization A.
#
#              topic 1      topic 2
#     a1       D1 D2 | D5   E1 E2
#     a2       D2 D3 | D4   no answer
#     b        D1 D4 | D3   E1 E3
#     c        D4 D5 | D1   E4 E1 | E3
#
# Only A contributed D2, D3 and E2, only B contributed E3, and only C contributed D5 and E4. A and B
# contributed D1, B and C contributed D4, and all three E1. Relevant are D1, D3, E1, E2 and E4.
RUNS = {
    "a1": {"1": "D1 D2 D5", "2": "E1 E2"},
    "a2": {"1": "D2 D3 D4"},
    "b": {"1": "D1 D4 D3", "2": "E1 E3"},
    "c": {"1": "D4 D5 D1", "2": "E4 E1 E3"},
}
RELEVANT = {"D1", "D3", "E1", "E2", "E4"}
ORGANIZATIONS = {"a1": "A", "a2": "A", "b": "B", "c": "C"}


def collection(
    name: str,
    runs: Mapping[str, Mapping[str, str]],
    relevant: set[str],
    organizations: Mapping[str, str] | None = None,
    *,
    depth: int = 2,
) -> Collection:
    """Return a collection whose qrels judge the pool; the runs named `out...` were not pooled."""
    pooled = {run: answers for run, answers in runs.items() if not run.startswith("out")}
    pool = {
        (topic, document)
        for answers in pooled.values()
        for topic, ranking in answers.items()
        for document in ranking.split()[:depth]
    }
    return Collection(
        name,
        ranked(runs),
        [(*pair, int(pair[1] in relevant)) for pair in sorted(pool)],
        {run: Description((organizations or {}).get(run, run), run in pooled) for run in runs},
        pool_depth=depth,
    )


BY_HAND = collection("by hand", RUNS, RELEVANT, ORGANIZATIONS)

# -- Little to learn from, and what is not known ---------------------------------------------------

# Only the first run has a document of its own, D2. All three contributed D1, and b and c share D3.
NO_EXAMPLE = collection(
    "no example",
    {"a": {"1": "D1 D2"}, "b": {"1": "D1 D3"}, "c": {"1": "D3 D1"}},
    relevant={"D2", "D3"},
)
# The pool knows nothing of the documents of others; the run `out` was not pooled.
ONE_ORGANIZATION = collection(
    "one organization",
    {"a1": {"1": "D1 D2"}, "a2": {"1": "D2 D3"}, "out": {"1": "D1 D4 D2"}},
    relevant={"D1", "D2"},
    organizations={"a1": "A", "a2": "A"},
)
TWO_ORGANIZATIONS = collection(
    "two organizations",
    {"a": {"1": "D1 D2"}, "b": {"1": "D2 D3"}, "out": {"1": "D3 D4"}},
    relevant={"D1", "D2"},
)
# Without a, nobody else's document is judged in its ranking; no document is shared.
NOTHING_SHARED = collection(
    "nothing shared",
    {"a": {"1": "D1 D2"}, "b": {"1": "D3 D4"}, "out": {"1": "D5 D6"}},
    relevant={"D1", "D3"},
)
# Random collections with three to five organizations; most have runs outside of the pool.
SEEDS = (93, 169, 205, 213, 217)


def flipped(reference: Reference, organization: str) -> Collection:
    """Return the collection with the other label of each document that only one contributed."""
    [run, *_] = [each for each in reference.pooled_runs if is_of(reference, each, organization)]
    alone = reference.contributed_alone(run, "organization") & reference.judged
    whole = reference.collection
    return replace(
        whole,
        name=f"{whole.name} flipped by {organization}",
        qrels=[
            (*pair, whole.threshold * (pair not in reference.relevant) if pair in alone else grade)
            for pair, grade in reference.grades.items()
        ]
        # Judgements of relevant documents only would be no pool.
        + [(reference.topics[0], "nobodys", 0)],
    )


def is_of(reference: Reference, run: str, organization: str) -> bool:
    return reference.organization(run) == organization


@pytest.fixture(scope="module")
def references() -> list[Reference]:
    """Return the collections of several organizations."""
    plain = [BY_HAND, NO_EXAMPLE, TWO_ORGANIZATIONS, NOTHING_SHARED]
    plain += [Generator(seed).collection() for seed in SEEDS]
    return [Reference(each) for each in plain]


def organizations_of(reference: Reference) -> list[str]:
    """Return up to two organizations of the pool."""
    return reference.expected_relevance.organizations[:2]


@pytest.fixture(scope="module")
def built(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("expected_relevance")
    others = [flipped(each, name) for each in references for name in organizations_of(each)]
    collections = [each.collection for each in references] + [ONE_ORGANIZATION] + others
    yield from kept_open(load_and_build(collections, new_warehouse(folder), folder))


ESTIMATES = """
select
    run_id, measure, unjudged, estimator, unpooled_score, adjusted_score, lower_bound, upper_bound
from fct_adjusted_scores
where collection_id = $collection and level = 'organization' and subset = 'all'
"""
PROBABILITIES = """
select run_id, topic_id, doc_id, rare_precision, topic_precision, support, probability
from fct_expected_relevance
where collection_id = $collection and is_pooled
"""


def keyed(
    warehouse: Warehouse, sql: str, name: str, n_key: int
) -> dict[tuple[object, ...], list[float]]:
    rows = run_query(warehouse, sql, {"collection": name}).rows
    return {tuple(row[:n_key]): [float(str(each)) for each in row[n_key:]] for row in rows}


@pytest.mark.heavy
@pytest.mark.parametrize(("sql", "n_key"), [(ESTIMATES, 4), (PROBABILITIES, 3)])
def test_no_estimate_knows_the_labels_that_leave_with_the_organization(
    sql: str, n_key: int, references: list[Reference], built: Warehouse
) -> None:
    """No estimator does; the estimates of runs of other organizations learn from the labels."""
    n_same = n_moved = 0
    for reference in references:
        name = reference.collection.name
        before = keyed(built, sql, name, n_key)
        for organization in organizations_of(reference):
            after = keyed(built, sql, f"{name} flipped by {organization}", n_key)
            assert before.keys() == after.keys()
            for key, values in before.items():
                is_same = values == pytest.approx(after[key], rel=0, abs=TOLERANCE)
                if is_of(reference, str(key[0]), organization):
                    assert is_same, (name, organization, key)
                    n_same += 1
                else:
                    n_moved += not is_same
    assert min(n_same, n_moved) > 50


@pytest.mark.heavy
def test_a_pool_of_one_organization_has_no_estimate(built: Warehouse) -> None:
    """The run that was not pooled has one, by what the organization's judgements show."""
    name = {"collection": ONE_ORGANIZATION.name}
    of_pooled = """
        select run_id from fct_adjusted_scores
        where collection_id = $collection and estimator = 'expected_relevance'
    """
    assert run_query(built, of_pooled, name).rows == []
    rows = "select run_id, doc_id from fct_expected_relevance where collection_id = $collection"
    assert run_query(built, rows, name).rows == [("out", "D4")]


@pytest.mark.heavy
def test_collections_by_hand_are_built_as_the_reference_says(
    references: list[Reference], built: Warehouse
) -> None:
    everything = [*references, Reference(ONE_ORGANIZATION)]
    names = ", ".join(f"'{each.collection.name}'" for each in everything)
    rows = (each.fct_expected_relevance for each in everything)
    mart = f"fct_expected_relevance where collection_id in ({names})"
    assert_equals(mart, "collection_id run_id topic_id doc_id", rows, built)
