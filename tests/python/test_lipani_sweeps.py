"""Compare the sweeps of Lipani et al. 2015, and Figure 1, with a reference on small collections."""

from collections.abc import Callable
from fractions import Fraction

import pytest

import sweeps_reference
from compared_rows import assert_equals, assert_none, wrong_rows
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from random_collections import Generator
from reference import Reference, Rows

pytestmark = pytest.mark.heavy

# The collections have gaps, an organization alone, ties, and lambda with float noise. In one, no
# run is pooled.
NUMBERS = (0, 2, 6, 13, 18, 25, 41, 169)
# With the weights 0.3 and 0.5, documents of both runs are tied with documents of one. Section 5.1:
# "for alpha = 0, the method no longer makes any change to the existing runs". By 1, the sums are
# those of what is built.
ALPHAS = (Fraction(0), Fraction(3, 10), Fraction(1, 2), Fraction(1))
SUBSETS = ("all", "top_75")

QUESTIONS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "lipani_triggers": (sweeps_reference.triggers, "collection_id level subset measure trigger"),
    "lipani_figure_1": (sweeps_reference.figure_1, "collection_id run_id subset cutoff"),
}


@pytest.fixture(scope="module")
def references() -> list[Reference]:
    return [Reference(Generator(number).collection()) for number in NUMBERS]


@pytest.fixture(scope="module")
def pooled(references: list[Reference]) -> list[Reference]:
    """Return the collections in which runs can be merged."""
    return [each for each in references if each.indicators]


@pytest.mark.parametrize("name", QUESTIONS)
def test_answer_equals_reference(name: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = QUESTIONS[name]
    assert_equals(question(name), key, map(rows, references), built)


def sweep(reference: Reference, alpha: object, subset: str) -> str:
    name = reference.collection.name
    values = {"collection": f"'{name}'", "alpha": f"{alpha}", "subset": f"'{subset}'"}
    return question("lipani_sweep", **values)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_sweep_equals_reference(alpha: Fraction, pooled: list[Reference], built: Warehouse) -> None:
    wrong = []
    for each in pooled:
        with sweeps_reference.by_alpha(each.collection, alpha) as reference:
            expected = sweeps_reference.sweep(reference)
        both = " union all ".join(f"from {sweep(each, float(alpha), x)}" for x in SUBSETS)
        wrong += wrong_rows(built, f"({both})", "level subset measure", expected)
    assert_none(wrong)


def test_where_no_run_is_pooled_there_is_nothing_to_merge(
    references: list[Reference], built: Warehouse
) -> None:
    without = [each for each in references if not each.pooled_runs]
    assert without
    for each in without:
        said = f"collection '{each.collection.name}' has no pooled runs to merge with"
        with pytest.raises(PoolhouseError, match=said):
            run_query(built, f"select * from {sweep(each, 0.5, 'all')}")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"collection": "'nowhere'"}, "no collection is built with the name nowhere"),
        ({"collection": "null"}, "no collection is built with the name null"),
        ({"alpha": "-0.01"}, "alpha is -0.01, expected a number from 0 to 1, in hundredths"),
        ({"alpha": "1.01"}, "alpha is 1.01, expected a number from 0 to 1, in hundredths"),
        ({"alpha": "'0.125'"}, "alpha is 0.125, expected a number from 0 to 1, in hundredths"),
        ({"alpha": "null"}, "alpha is null, expected a number from 0 to 1, in hundredths"),
        ({"alpha": "'nan'"}, "alpha is nan, expected a number from 0 to 1, in hundredths"),
        ({"subset": "'best'"}, "the subset is best, expected all or top_75"),
        ({"subset": "null"}, "the subset is null, expected all or top_75"),
    ],
)
def test_what_cannot_be_swept_is_an_error(
    values: dict[str, str], said: str, pooled: list[Reference], built: Warehouse
) -> None:
    asked = {"collection": f"'{pooled[0].collection.name}'", **values}
    with pytest.raises(PoolhouseError, match=said):
        run_query(built, f"select * from {question('lipani_sweep', **asked)}")
