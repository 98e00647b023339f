"""Compare unique contributions and fair subsets with a reference, on small random collections."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

import unique_contributions_reference as reference_of
from built_collections import only_many
from compared_rows import assert_equals, assert_none, wrong_rows
from measures_reference import TREATMENTS
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from random_collections import Generator
from reference import Collection, Reference, Rows, Value

# Seeds of collections that are odd in ways that matter here. The pooling order is not the scoring
# order, pooled runs are declared, judgements are outside the pool, and some runs find little. In
# 52, all judged documents of a topic leave.
SEEDS = (6, 13, 33, 2, 18, 25, 41, 52, *range(400, 402))
MEASURES = ("AP", "P@5", "nDCG@10", "NumRel", "UnjudgedRate@10", "GMAP", "Bpref")
RUN_TYPES = ("manual", "automatic", "")

SUBSETS = (
    ("depth", 2),
    ("contributions", None),
    ("depth", 1),
    ("unique", None),
    ("contributions", 2),
    ("unique", 1),
    ("unique", 0),
)


def with_types(collection: Collection) -> Collection:
    """Give the runs types in turn, and some runs none."""
    described = {
        run: replace(each, run_type=RUN_TYPES[number % len(RUN_TYPES)])
        for number, (run, each) in enumerate(collection.descriptions.items())
    }
    return replace(collection, descriptions=described)


@pytest.fixture(scope="module", params=only_many(SEEDS))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    return [Reference(with_types(Generator(number).collection())) for number in request.param]


def of_measures(rows: Callable[[Reference, Iterable[str]], Rows]) -> Callable[[Reference], Rows]:
    return lambda each: rows(each, MEASURES)


MARTS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "fct_unique_contributions": (
        reference_of.fct_unique_contributions,
        "collection_id organization",
    ),
    "fct_unique_relevant_losses": (
        of_measures(reference_of.fct_unique_relevant_losses),
        "collection_id run_id unjudged measure",
    ),
}


@pytest.mark.parametrize("mart", MARTS)
def test_mart_equals_reference(mart: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = MARTS[mart]
    asked = f"(from {mart} where measure in {MEASURES})" if "measure" in key.split() else mart
    assert_equals(asked, key, map(rows, references), built)


def test_losses_of_groups_equal_the_reference(
    references: list[Reference], built: Warehouse
) -> None:
    expected = [reference_of.loss_summaries(each, MEASURES) for each in references]
    asked = " union all ".join(
        f"from {question('buckley_losses', measure=repr(measure), unjudged=repr(unjudged))}"
        for measure in MEASURES
        for unjudged in TREATMENTS
    )
    key = "collection_id unjudged measure grouped_by run_type"
    assert_equals(f"({asked})", key, expected, built)


def test_what_is_published_stands_beside_the_losses_of_all_runs(built: Warehouse) -> None:
    asked = f"""
        select grouped_by, count(published_track) = count(*), count(published_track)
        from {question("buckley_losses")} group by all order by all
    """
    ((_, is_beside, n_collections), (_, _, n_beside_types)) = run_query(built, asked).rows
    assert is_beside
    assert n_collections
    assert n_beside_types == 0


def with_all(told: dict[str, Value], rows: Rows) -> Rows:
    """Return the rows with what all of them were told."""
    return {key: told | values for key, values in rows.items()}


@pytest.mark.some(4)
@pytest.mark.parametrize(("definition", "n"), SUBSETS)
def test_fair_subset_equals_reference(
    definition: str, n: int | None, references: list[Reference], built: Warehouse
) -> None:
    """The documents that stay, and scores by them, are equal; measures and treatments alternate."""
    turn = SUBSETS.index((definition, n))
    wrong: list[str] = []
    for number, each in enumerate(references, start=turn):
        if not each.pooled_runs or (definition == "depth" and (n or 0) > (each.pool_depth or 0)):
            continue
        given = f"'{definition}', n := {'null' if n is None else n}"
        name = f"'{each.collection.name}'"
        fair = reference_of.fair_judgements(each, definition, n)
        asked = f"fair_judgements({name}, {given})"
        told: dict[str, Value] = {
            "collection_id": each.collection.name,
            "definition": definition,
            "n": n,
        }
        wrong += wrong_rows(built, asked, "topic_id doc_id", with_all(told, dict(fair.items())))
        measure = MEASURES[number % len(MEASURES)]
        unjudged = TREATMENTS[number % len(TREATMENTS)]
        for macro, key, expected in (
            (
                "fair_topic_scores",
                "run_id topic_id",
                reference_of.fair_topic_scores(each, measure, definition, n, unjudged),
            ),
            (
                "fair_run_scores",
                "run_id",
                reference_of.fair_run_scores(each, measure, definition, n, unjudged),
            ),
        ):
            call = f"{macro}({name}, '{measure}', {given}, unjudged := '{unjudged}')"
            of_scores = told | {"measure": measure, "unjudged": unjudged}
            wrong += wrong_rows(built, call, key, with_all(of_scores, expected))
    assert_none(wrong)


def test_the_collections_have_what_is_to_be_tried(references: list[Reference]) -> None:
    """Otherwise, a wrong rule could not be detected."""
    rows = [
        row
        for each in references
        for row in reference_of.fct_unique_relevant_losses(each, MEASURES).values()
    ]
    for column in ("is_flagged", "is_above_floor", "is_pooled"):
        assert {row[column] for row in rows} >= {True, False}, column
    losses = [row["loss_in_percent_of_full_score"] for row in rows]
    assert None in losses
    assert any(each < 0 for each in losses if isinstance(each, float))
    for one, other in (
        (("contributions", None), ("unique", None)),
        (("contributions", None), ("depth", 2)),
        (("unique", 0), ("unique", 1)),
    ):
        assert any(
            reference_of.fair_judgements(each, *one) != reference_of.fair_judgements(each, *other)
            for each in references
        )
    assert any(
        set(reference_of.fair_judgements(each, "depth", each.pool_depth)) < set(each.grades)
        for each in references
        if each.pooled_runs
    )
