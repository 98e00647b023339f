"""Test grades below 0 that are judgements, on a collection on a page worked by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from asking import rows
from built_collections import built_and_tested, kept_open, load_together
from collection_files import write_runs
from conftest import NewWarehouse
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.loading.request import LoadRequest
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

# -2 is spam: five of seven documents are not relevant, and four of these are spam.
QRELS = "1 0 a 2\n1 0 b -2\n1 0 c 0\n1 0 d -2\n2 0 a -2\n2 0 b 1\n2 0 c -2\n"
RUNS = {"one": ("abc", "abc"), "two": ("bad", "cba")}
# Another author judged three documents, and did not judge one.
LABELS = "1 0 a 1\n1 0 b -2\n2 0 a 0\n2 0 b -3\n"


def request(folder: Path, collection: str, judged_from: int | None) -> LoadRequest:
    runs = {run: dict(enumerate(rankings, start=1)) for run, rankings in RUNS.items()}
    files = write_runs(folder / "runs", runs)
    (folder / "qrels").write_text(QRELS)
    (folder / "labels").write_text(LABELS)
    return LoadRequest(
        collection,
        files,
        depth=3,
        judged_from=judged_from,
        author_qrels=(("people", folder / "qrels"), ("model", folder / "labels")),
        reference="people",
    )


@pytest.fixture(scope="module")
def built(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    """Provide the files as two collections: the spam is judged, and is in the pool alone."""
    folder = tmp_path_factory.mktemp("judged_from")
    warehouse = new_warehouse(folder)
    asked = (("judged", -2), ("pooled", None))
    load_together(warehouse, (request(folder, *each) for each in asked))
    yield from kept_open(built_and_tested(warehouse))


def test_spam_is_judged_and_never_relevant(built: Warehouse) -> None:
    """Of one: a b c by topic 1 with a relevant, and a b c by topic 2 with b relevant."""
    measures = ["P@5", "RR", "AntiP@3", "Judged@3", "nDCG(dcg='exp-log2')@1", "RBP(p=0.8)@10"]
    columns = ("n_unjudged", "score", "score_if_relevant")

    def of(collection: str) -> dict[str, tuple[float, ...]]:
        scores = score_runs(built, collection, ["one"], measures).over_topics
        return {
            each["measure"]: tuple(each[column] for column in columns)
            for each in scores.iter_rows(named=True)
        }

    judged = of("judged")
    rbp = 0.2 * (1 + 0.8) / 2
    expected = {"P@5": 0.2, "RR": 0.75, "AntiP@3": 2 / 3, "Judged@3": 1.0, measures[-1]: rbp}
    found = {measure: judged[measure][1] for measure in expected}
    assert found == pytest.approx(expected)
    assert {unjudged for unjudged, *_ in judged.values()} == {0}
    assert all(high in (None, pytest.approx(score)) for _, score, high in judged.values())
    assert of("pooled")["P@5"] == pytest.approx((3, 0.2, 0.5))


def test_bounds_do_not_count_spam(built: Warehouse) -> None:
    bounds = "bool_and(abs(lower_bound - score) + abs(upper_bound - score) < 1e-9), bool_and(advice"
    found = rows(
        built,
        f"select collection_id, {bounds} = 'nothing unjudged') from adjusted_leaderboard "
        "where measure = 'P@5' group by all order by all",
    )
    assert found == [("judged", True, True), ("pooled", False, False)]
    [pair] = compare(built, ComparisonRequest("judged", ("one", "two"), ("P@5",))).rows.to_dicts()
    assert (pair["lower_bound"], pair["upper_bound"]) == pytest.approx((0.2, 0.2))
    assert rows(built, "select unjudged_10 from leaderboard where collection_id = 'judged'") == [
        (0.0,),
        (0.0,),
    ]


def test_what_is_counted(built: Warehouse) -> None:
    counts = "collection_id, judged_from, n_judgements, n_relevant"
    assert rows(built, f"select {counts} from dim_collections order by all") == [
        ("judged", -2, 7, 2),
        ("pooled", 0, 3, 2),
    ]
    found = rows(
        built,
        """
        select collection_id, relevance, is_judged, is_relevant, count(*)
        from fct_judgements where relevance <= 0 group by all order by all
        """,
    )
    assert found == [
        ("judged", 0, True, False, 5),
        ("pooled", -2, False, False, 4),
        ("pooled", 0, True, False, 1),
    ]
    written = "select relevance, n_lines from audits.audit_grades where collection_id = 'judged'"
    assert sorted(rows(built, written)) == [(-2, 4), (0, 1), (1, 1), (2, 1)]


def test_authors_are_judged_by_the_setting_of_the_collection(built: Warehouse) -> None:
    found = rows(
        built, "select collection_id, n_judged from dim_authors where author = 'model' order by all"
    )
    assert found == [("judged", 3), ("pooled", 2)]
