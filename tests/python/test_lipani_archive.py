"""Test Lipani et al. 2015 on the real collections, and Table 2 as it is in the paper."""

import re
from collections.abc import Iterator

import duckdb
import polars as pl
import pytest

from archive import SHARED
from poolhouse.building.project import project_folder
from questions import question

pytestmark = pytest.mark.archive

PAPER = SHARED / "papers" / "lipani-et-al-2015-splitting-water.txt"

# Mean absolute error by trigger (lambda, Delta P, Delta antiP, always), computed independently:
# leave one organization out, subset top_75.
ERRORS = {
    ("trec2-adhoc", "P@20"): (0.0131, 0.0134, 0.0113, 0.0103),
    ("trec2-adhoc", "P@100"): (0.0214, 0.0280, 0.0170, 0.0170),
    ("trec-covid-round1", "P@10"): (0.0471, 0.0683, 0.0377, 0.0377),
}
TRIGGERS = ("lambda", "delta_precision", "delta_anti_precision", "always")
METHODS = ("lipani", "webber_park_systems_no_substitution", "unadjusted")
QUANTITIES = ("mae", "sre", "sre_star")


@pytest.mark.parametrize(("collection", "measure"), ERRORS)
def test_errors_by_trigger(collection: str, measure: str, marts: duckdb.DuckDBPyConnection) -> None:
    found = dict(
        marts.execute(
            f"""
            select trigger, round(mae, 4) from {question("lipani_triggers")}
            where level = 'organization' and subset = 'top_75'
                and collection_id = $1 and measure = $2
            """,
            [collection, measure],
        ).fetchall()
    )
    assert found == dict(zip(TRIGGERS, ERRORS[collection, measure], strict=True))


def cells_of_the_paper() -> Iterator[tuple[str, str, str, float, int, int]]:
    """Read Table 2 from the paper's text: the line of a track ends in a cutoff and nine figures."""
    track = ""
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        plain = re.sub(r"</?b>", "", line)
        if size := re.match(r"([^\t]*)\t\$[^:]*: \d+\t", plain):
            track = size[1] or track
            cutoff, *figures = re.findall(r"[\d.]+", plain[size.end() :])
            assert len(figures) == 9
            for number, method in enumerate(METHODS):
                mae, sre, sre_star = figures[3 * number : 3 * number + 3]
                yield track, f"P@{cutoff}", method, float(mae), int(sre), int(sre_star)


@pytest.mark.skipif(not PAPER.is_file(), reason="the paper is not beside the checkout")
def test_table_2_is_seeded_cell_by_cell() -> None:
    seed = pl.read_csv(project_folder() / "seeds" / "published_lipani_2015_table_2.csv")
    seeded = seed.select("track", "measure", "estimator", "mae", "sre", "sre_star").rows()
    assert len(seeded) == 75 * 3
    assert sorted(seeded) == sorted(cells_of_the_paper())


@pytest.mark.skipif(not PAPER.is_file(), reason="the paper is not beside the checkout")
def test_last_lines_of_table_2_are_seeded() -> None:
    printed = {
        name: [int(each) for each in re.findall(r"\d+", line)]
        for line in PAPER.read_text(encoding="utf-8").splitlines()
        for name in re.findall(r"^(top|worst) performer\t", line)
    }
    seed = pl.read_csv(project_folder() / "seeds" / "published_lipani_2015_table_2_counts.csv")
    counts = {(row["quantity"], row["estimator"]): row for row in seed.to_dicts()}
    order = [(quantity, method) for method in METHODS for quantity in QUANTITIES]
    assert [counts[each]["n_best"] for each in order] == printed["top"]
    assert [counts[each]["n_worst"] for each in order] == printed["worst"]
