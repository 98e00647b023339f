"""Compare the sweeps of Lipani et al. 2015, and Figure 1, with a reference on small collections."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import sweeps_reference
from built_collections import kept_open, only_built
from conftest import NewWarehouse
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from random_collections import Generator
from reference import Reference, Rows
from test_reference import ROWS_SHOWN, differences, rows_of

pytestmark = pytest.mark.heavy

# The collections have gaps, an organization alone, ties, and lambda with float noise. In one, no
# run is pooled.
NUMBERS = (0, 2, 6, 13, 18, 25, 41, 169)
# With the weights 0.3 and 0.5, documents of both runs are tied with documents of one. Section 5.1:
# "for alpha = 0, the method no longer makes any change to the existing runs". By 1, the sums are
# those of what is built.
ALPHAS = (Fraction(0), Fraction(3, 10), Fraction(1, 2), Fraction(1))
SUMS = (
    *("n_runs", "delta_precision", "delta_anti_precision", "delta_precision_deviation"),
    *("delta_anti_precision_deviation", "n_triggered", "n_corrected", "adjustment", "mae"),
)

QUESTIONS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "lipani_triggers": (
        sweeps_reference.triggers,
        "collection_id level subset measure trigger",
    ),
    "lipani_figure_1": (
        sweeps_reference.figure_1,
        "collection_id run_id subset cutoff",
    ),
}


@pytest.fixture(scope="module")
def references() -> list[Reference]:
    return [Reference(Generator(number).collection()) for number in NUMBERS]


@pytest.fixture(scope="module")
def pooled(references: list[Reference]) -> list[Reference]:
    """Return the collections in which runs can be merged."""
    return [each for each in references if each.indicators]


@pytest.fixture(scope="module")
def built(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("sweeps")
    yield from kept_open(
        only_built((each.collection for each in references), new_warehouse(folder), folder)
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_answer_equals_reference(name: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = QUESTIONS[name]
    expected: Rows = {}
    for each in references:
        expected |= rows(each)
    found = rows_of(built, question(name), key.split(), list(next(iter(expected.values()))))
    wrong = differences(found, expected)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_sweep_equals_reference(alpha: Fraction, pooled: list[Reference], built: Warehouse) -> None:
    wrong = []
    for each in pooled:
        with sweeps_reference.by_alpha(each.collection, alpha) as reference:
            expected = sweeps_reference.sweep(reference)
        call = f"papers.lipani_sweep('{each.collection.name}', {float(alpha)})"
        columns = list(next(iter(expected.values())))
        found = rows_of(built, call, ["level", "subset", "measure"], columns)
        wrong += [f"{call}: {line}" for line in differences(found, expected)]
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


@pytest.mark.parametrize("subset", ["all", "top_75"])
def test_sweep_of_a_subset_is_that_part_of_the_sweep(
    subset: str, pooled: list[Reference], built: Warehouse
) -> None:
    name = pooled[0].collection.name
    whole, part = (
        rows_of(built, call, ["level", "subset", "measure"], list(SUMS))
        for call in (
            f"(from papers.lipani_sweep('{name}', 0.5) where subset = '{subset}')",
            f"papers.lipani_sweep('{name}', 0.5, of_subset := '{subset}')",
        )
    )
    assert whole
    assert not differences(part, whole)


def test_where_no_run_is_pooled_there_is_nothing_to_merge(
    references: list[Reference], built: Warehouse
) -> None:
    names = [each.collection.name for each in references if not each.pooled_runs]
    assert names
    for name in names:
        said = f"collection '{name}' has no pooled runs to merge with"
        with pytest.raises(PoolhouseError, match=said):
            run_query(built, f"select * from papers.lipani_sweep('{name}', 0.5)")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("'nowhere', 0.5", "no collection is built with the name nowhere"),
        ("null, 0.5", "no collection is built with the name null"),
        ("'{name}', -0.01", "alpha is -0.01, expected a number from 0 to 1, in hundredths"),
        ("'{name}', 1.01", "alpha is 1.01, expected a number from 0 to 1, in hundredths"),
        ("'{name}', 0.125", "alpha is 0.125, expected a number from 0 to 1, in hundredths"),
        ("'{name}', null", "alpha is null, expected a number from 0 to 1, in hundredths"),
        ("'{name}', 'nan'::double", "alpha is nan, expected a number from 0 to 1, in hundredths"),
        ("'{name}', 1, of_subset := 'best'", "the subset is best, expected all or top_75"),
    ],
)
def test_what_cannot_be_swept_is_an_error(
    arguments: str, said: str, pooled: list[Reference], built: Warehouse
) -> None:
    asked = arguments.format(name=pooled[0].collection.name)
    with pytest.raises(PoolhouseError, match=said):
        run_query(built, f"select * from papers.lipani_sweep({asked})")
