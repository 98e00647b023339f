"""Test expected relevance on a collection worked by hand, and where little can be learned."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from built_collections import kept_open, load_and_build
from conftest import NewWarehouse
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import RBP, Collection, Description, Reference, RunLine

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
        {
            run: [
                RunLine(topic, document, rank, -rank)
                for topic, ranking in answers.items()
                for rank, document in enumerate(ranking.split(), start=1)
            ]
            for run, answers in runs.items()
        },
        [(*pair, int(pair[1] in relevant)) for pair in sorted(pool)],
        {run: Description((organizations or {}).get(run, run), run in pooled) for run in runs},
        pool_depth=depth,
    )


def by_hand(relevant: set[str] = RELEVANT) -> Collection:
    return collection("by hand", RUNS, relevant, ORGANIZATIONS)


# -- By hand, the reference ------------------------------------------------------------------------

# The pool's share of relevant documents is 1/2 among D1 and D4, which two organizations
# contributed, and 2/3 among D1, D4 and E1, which several did. A prior counts as ten documents.
PRODUCTS = {
    # Without A, D1 and E1 stay judged, and both are relevant. B alone else contributed D1: its rare
    # precision is (1 + 5) / 11. Its precision is (2 + 20/3) / 12 = 13/18 on all topics, and
    # (1 + 130/18) / 11 = 74/99 on each.
    ("a1", "1"): Fraction(6, 11) * Fraction(74, 99),
    ("a1", "2"): Fraction(6, 11) * Fraction(74, 99),
    # Nothing of a2 stays judged: both are the priors.
    ("a2", "1"): Fraction(1, 2) * Fraction(2, 3),
    # D1, D4 and E1 stay, and A alone else contributed D1, C alone D4: (1 + 5) / 12. Two of three
    # are relevant: (2 + 20/3) / 13 = 2/3. Of topic 2, E1 is: (1 + 20/3) / 11.
    ("b", "2"): Fraction(1, 2) * Fraction(23, 33),
    # D4 and E1 stay, and B alone else contributed D4: (0 + 5) / 11. One of two is relevant:
    # (1 + 20/3) / 12 = 23/36. Of topic 1 it is none of one: (0 + 230/36) / 11, of topic 2 one.
    ("c", "1"): Fraction(5, 11) * Fraction(115, 198),
    ("c", "2"): Fraction(5, 11) * Fraction(133, 198),
}

# At rank 3, b returns D3, a1 returns D5, and c returns E3: each has the support 1 / (5 + 3) by an
# organization that did not contribute it. Nobody else returns D2, E2 or E4. So the supports are 0,
# 0, 0, 1/8, 1/8, 1/8. Their quantiles 0.2 to 0.8 are the second to the fifth.
LIMITS = [0, 0, 0.125, 0.125]


def test_products_and_limits() -> None:
    made = Reference(by_hand())
    found = made.expected_relevance
    products = {key: found.product(made.described[key[0]], key[1]) for key in PRODUCTS}
    assert products == PRODUCTS
    assert found.limits() == LIMITS


def test_probability() -> None:
    """Without B, nobody judges E3, and c alone returns it.

    The examples are D1 and D4, which A and C shared with B, and what they contributed alone. Their
    eight contributions are relevant four times: D1, D3, E2 and E4. Without B, c supports D1 and a2
    supports D4 at rank 3, and a1 supports D5. D3 has lost the support of b.
    """
    made = Reference(by_hand())
    products = sum(
        PRODUCTS[key]
        for key in [
            *(("a1", "1"), ("a1", "1"), ("a1", "2")),  # D1, D2, E2
            *(("a2", "1"), ("a2", "1")),  # D2, D3
            *(("c", "1"), ("c", "1"), ("c", "2")),  # D4, D5, E4
        ]
    )
    assert products == Fraction(659, 242)
    # Of the examples with support, D1, D4 and D5, one is relevant. The prior is ten times four of
    # eight relevant documents, over ten times the mean product.
    supported = PRODUCTS["a1", "1"] + 2 * PRODUCTS["c", "1"]
    factor = (1 + Fraction(40, 8)) / (supported + 10 * products / 8)
    assert factor == Fraction(52272, 37807)
    [(key, found)] = [
        (key, row) for key, row in made.fct_expected_relevance.items() if key[1] == "b"
    ]
    assert key == ("by hand", "b", "2", "E3")
    assert found == {
        "rank": 2,
        "is_pooled": True,
        "rare_precision": pytest.approx(1 / 2),
        "topic_precision": pytest.approx(23 / 33),
        "support": 1 / 8,
        "probability": pytest.approx(18216 / 37807),
        "is_relevant": False,
    }


# Labels, the gains by P@5 of a1, a2 and c, and whether they are far from the expected ones.
@pytest.mark.parametrize(
    ("relevant", "gains", "is_far"),
    [
        # By E2, of two topics; by D3, of one; by E4, of two.
        (RELEVANT, (0.1, 0.2, 0.1), False),
        # By E2; by none; by D5 and E4.
        ({"D1", "D5", "E1", "E2", "E4"}, (0.1, 0.0, 0.2), True),
    ],
)
def test_adjustment_and_standard_error(
    relevant: set[str], gains: tuple[float, float, float], is_far: bool
) -> None:
    """The expected gains of b are of P@5 and of RBP@10, over its two topics."""
    made = Reference(by_hand(relevant))
    chances = {key[1:]: row["probability"] for key, row in made.fct_expected_relevance.items()}
    p = {key: float(str(chance)) for key, chance in chances.items()}
    e3 = p["b", "2", "E3"]
    expected, run = made.expected_relevance, made.described["b"]
    assert expected.adjustment(run, "P@5") == pytest.approx(0.2 * e3 / 2)
    assert expected.adjustment(run, RBP) == pytest.approx(0.16 * e3 / 2)
    a1 = [p["a1", "1", "D2"], p["a1", "2", "E2"]]
    a2 = [p["a2", "1", "D2"], p["a2", "1", "D3"]]
    c = [p["c", "1", "D5"], p["c", "2", "E4"]]
    squared_errors = ((gains[0] - 0.1 * sum(a1)) ** 2 + (gains[1] - 0.2 * sum(a2)) ** 2) / 2 + (
        gains[2] - 0.1 * sum(c)
    ) ** 2
    # The unjudged weights are 0.2 of a1, 0.4 of a2, 0.1 of b and 0.2 of c. The mean of A is 0.3,
    # and that of the organizations 0.2: a2 counts twice.
    variances = (0.01 * spread(a1) + 2 * 0.04 * spread(a2)) / 2 + 0.01 * spread(c)
    assert (squared_errors > variances) == is_far
    dispersion = max(1.0, squared_errors / variances)
    error = expected.standard_error(run, "P@5")
    assert error == pytest.approx(sqrt(dispersion * 0.01 * spread([e3])))
    assert expected.n_others_told(run, "P@5") == 2
    # By RBP, they are at rank 2 but for D2 of a2 and E4, which are at rank 1.
    assert expected.usual_weight(RBP) == pytest.approx(((0.16 + 0.36) / 2 + 0.08 + 0.18) / 3)


def spread(probabilities: list[float]) -> float:
    return sum(each * (1 - each) for each in probabilities)


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


def test_no_example() -> None:
    """Without a, all that is left is shared by two others: the precisions are not scaled."""
    made = Reference(NO_EXAMPLE)
    assert made.expected_relevance.examples("a") == []
    [row] = made.fct_expected_relevance.values()
    # D3 is the only document of two organizations, and relevant: the rare precision is its prior,
    # 1. Of D1 and D3, which several contributed, one is relevant. Of a, D1 alone stays judged: it
    # has (0 + 5) / 11 on all topics, and (0 + 50/11) / 11 on this one.
    assert row["rare_precision"] == 1
    assert row["probability"] == row["topic_precision"] == pytest.approx(50 / 121)
    # No other organization has an unjudged document, from which the error could be learned.
    described = made.described
    assert made.expected_relevance.standard_error(described["a"], "P@5") is None
    for run in ("b", "c"):  # of which nothing is unjudged
        assert made.expected_relevance.adjustment(described[run], "P@5") == 0
        assert made.expected_relevance.standard_error(described[run], "P@5") == 0


def test_one_and_two_organizations() -> None:
    one, two = Reference(ONE_ORGANIZATION), Reference(TWO_ORGANIZATIONS)
    # Only the run that was not pooled has a row. The pool has no document of two organizations, so
    # the priors are 0. D1 is judged, and A contributed it: (1 + 0) / (1 + 10) each, and
    # (1 + 10/11) / 11 on the topic. The examples are the four contributions of A, whose products
    # are 0: they do not scale.
    assert {key[1:]: row["probability"] for key, row in one.fct_expected_relevance.items()} == {
        ("out", "1", "D4"): pytest.approx(1 / 11 * 21 / 121)
    }
    # D2, the only shared document, is relevant: both precisions of both runs are 1. Without a, the
    # examples are D3, and D2 that b shared with a. One of two is relevant: the factor is 1/2.
    # Without b, they are D1 and D2, which are relevant: it is 1. Of `out`, D3 is judged, and b
    # contributed it: (0 + 10) / 11 of rare documents and of all topics, and (0 + 100/11) / 11 of
    # this one. Its examples are D1 and D3: the factor is 1/2.
    assert {key[1:]: row["probability"] for key, row in two.fct_expected_relevance.items()} == {
        ("a", "1", "D1"): pytest.approx(1 / 2),
        ("b", "1", "D3"): pytest.approx(1),
        ("out", "1", "D4"): pytest.approx(1 / 2 * 10 / 11 * 100 / 121),
    }


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
        ],
    )


def is_of(reference: Reference, run: str, organization: str) -> bool:
    return reference.organization(run) == organization


@pytest.fixture(scope="module")
def references() -> list[Reference]:
    """Return the collections of several organizations."""
    plain = [by_hand(), NO_EXAMPLE, TWO_ORGANIZATIONS, NOTHING_SHARED]
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
def test_probabilities_are_between_0_and_1(built: Warehouse) -> None:
    [[n, lowest, highest]] = run_query(
        built, "select count(*), min(probability), max(probability) from fct_expected_relevance"
    ).rows
    assert isinstance(n, int)
    assert n > 500
    assert lowest == 0
    assert highest == 1


@pytest.mark.heavy
def test_a_run_with_nothing_unjudged_is_not_adjusted(
    references: list[Reference], built: Warehouse
) -> None:
    n_settled = 0
    adjustments = """
        select run_id, measure, adjustment, coalesce(standard_error, 0) from fct_adjusted_scores
        where collection_id = $collection and estimator = 'expected_relevance'
    """
    for reference in references:
        found = keyed(built, adjustments, reference.collection.name, 2)
        assert {run for run, _ in found} == set(reference.pooled_runs)
        for (run, _), values in found.items():
            if not reference.expected_relevance.unjudged_pairs(reference.described[str(run)]):
                assert values == [0, 0]
                n_settled += 1
    assert n_settled > 10


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
    columns = "rank, rare_precision, topic_precision, support, probability, is_relevant"
    for reference in [*references, Reference(ONE_ORGANIZATION)]:
        rows = run_query(
            built,
            f"""
            select run_id, topic_id, doc_id, {columns} from fct_expected_relevance
            where collection_id = $collection
            """,
            {"collection": reference.collection.name},
        ).rows
        expected = {
            key[1:]: [row[each] for each in columns.split(", ")]
            for key, row in reference.fct_expected_relevance.items()
        }
        found = {(str(run), str(topic), str(doc)): each for run, topic, doc, *each in rows}
        assert found.keys() == expected.keys()
        for key, row in found.items():
            wanted = expected[key]
            assert row[:-1] == pytest.approx(wanted[:-1], rel=0, abs=TOLERANCE)
            assert row[-1] is wanted[-1]
