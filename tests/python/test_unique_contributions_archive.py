"""Compare unique contributions and fair subsets of the real collections with known figures."""

import time
from collections.abc import Callable
from typing import Any

import duckdb
import pytest
import scipy.stats

from poolhouse.warehouse.frames import rows_of
from questions import question

pytestmark = pytest.mark.archive

SECONDS = 60  # for one collection, after a build

# Losses of MAP of the pooled runs, all or of a type: the mean and the maximum in per cent of the
# full score, to 2 decimals, and the run of the maximum.
LOSSES = {
    ("trec8-adhoc", "all", None): (0.76, 9.93, "READWARE2"),
    ("trec8-adhoc", "run_type", "automatic"): (0.34, 3.31, None),
    ("trec8-adhoc", "run_type", "manual"): (3.67, 9.93, "READWARE2"),
    ("trec2-adhoc", "all", None): (4.00, 11.67, None),
    ("trec-covid-round1", "all", None): (12.05, 76.05, None),
}
PUBLISHED = (3.2, 23.1)
# Relevant documents that one organization alone contributed, and all relevant documents.
UNIQUE = {"trec8-adhoc": (1134, 4728)}
# Kendall's tau of AP by a fair subset and by all judgements, to 3 decimals, as docs give it.
TAUS = {
    ("trec8-adhoc", "depth", 10): 0.913,
    ("trec8-adhoc", "contributions", None): 0.956,
    ("trec8-adhoc", "unique", None): 0.981,
    ("trec2-adhoc", "depth", 10): 0.898,
    ("trec2-adhoc", "contributions", None): 0.977,
    ("trec2-adhoc", "unique", None): 0.957,
    ("trec-covid-round1", "depth", 5): 0.945,
    ("trec-covid-round1", "contributions", None): 0.951,
    ("trec-covid-round1", "unique", None): 0.909,
}
COLLECTIONS = ("trec2-adhoc", "trec8-adhoc", "trec-covid-round1")


@pytest.fixture(scope="module")
def losses(marts: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Ask about the losses of all collections once."""
    return rows_of(marts, f"select * from {question('buckley_losses')}").rows(named=True)


@pytest.mark.parametrize(("collection", "grouped_by", "run_type"), LOSSES)
def test_what_runs_lose(
    losses: list[dict[str, Any]], collection: str, grouped_by: str, run_type: str | None
) -> None:
    [row] = [
        row
        for row in losses
        if (row["collection_id"], row["grouped_by"], row["run_type"])
        == (collection, grouped_by, run_type)
    ]
    mean, largest, run = LOSSES[collection, grouped_by, run_type]
    figures = "mean_loss_in_percent_of_full_score", "largest_loss_in_percent_of_full_score"
    assert [row[each] for each in figures] == pytest.approx((mean, largest), abs=0.005 + 1e-9)
    assert run in (None, row["largest_loss_run_id"])


def test_the_report_has_what_is_published(losses: list[dict[str, Any]]) -> None:
    columns = (
        "collection_id",
        "published_mean_loss_in_percent_of_full_score",
        "published_largest_loss_in_percent_of_full_score",
    )
    rows = [tuple(row[each] for each in columns) for row in losses if row["grouped_by"] == "all"]
    assert sorted(rows) == sorted((name, *PUBLISHED) for name in COLLECTIONS)


@pytest.mark.parametrize("collection", UNIQUE)
def test_relevant_documents_of_one_organization(
    marts: duckdb.DuckDBPyConnection, collection: str
) -> None:
    """The documents are counted by organization, and in the qrels."""
    of_organizations, of_qrels = (
        marts.execute(query, [collection]).fetchone()
        for query in (
            """
            select sum(n_unique_relevant), any_value(n_relevant_of_collection)
            from fct_unique_contributions where collection_id = ?
            """,
            """
            select count(*) filter (where sole_organization is not null), count(*)
            from fct_judgements where collection_id = ? and is_relevant
            """,
        )
    )
    assert of_organizations == of_qrels == UNIQUE[collection]


def test_what_finds_little_is_not_flagged(marts: duckdb.DuckDBPyConnection) -> None:
    """The run that loses most has a MAP of 0.0045; the flagged runs have a higher MAP."""
    rows = marts.execute(
        """
        select collection_id, is_flagged, full_score
        from fct_unique_relevant_losses
        where
            measure = 'AP' and unjudged = 'nonrelevant' and is_pooled
            and loss_in_percent_of_full_score > 20
        """
    ).fetchall()
    assert {name for name, _, _ in rows} == {"trec-covid-round1"}
    floor = marts.execute(
        "select value from seeds.unique_contribution_limits where name = 'least_average_precision'"
    ).fetchone()
    assert floor is not None
    assert {is_flagged for _, is_flagged, _ in rows} == {True, False}
    assert all((score >= floor[0]) == is_flagged for _, is_flagged, score in rows)


def test_the_whole_pool_is_the_qrels(marts: duckdb.DuckDBPyConnection) -> None:
    """TREC-8's qrels hold the top 100 of the pooled runs, and nothing else."""
    difference = marts.execute(
        """
        select count(*), max(abs(one.score - other.score))
        from fair_topic_scores('trec8-adhoc', 'nDCG@20', 'depth', n := 100) as one
        full join topic_scores('trec8-adhoc', 'nDCG@20') as other using (run_id, topic_id)
        """
    ).fetchone()
    assert difference == (129 * 50, pytest.approx(0, abs=1e-12))


@pytest.mark.parametrize(("collection", "definition", "n"), TAUS)
def test_tau_against_all_judgements(
    marts: duckdb.DuckDBPyConnection, collection: str, definition: str, n: int | None
) -> None:
    scores = marts.execute(
        f"""
        select round(one.score_all_topics, 9), round(other.score_all_topics, 9)
        from fair_run_scores('{collection}', 'AP', '{definition}', n := {n or "null"}) as one
        inner join fct_run_scores as other using (run_id)
        where
            other.collection_id = '{collection}'
            and other.measure = 'AP'
            and other.judgement_set = 'full'
            and other.unjudged = 'nonrelevant'
        """
    ).fetchall()
    tau = scipy.stats.kendalltau(*zip(*scores, strict=True)).statistic
    assert tau == pytest.approx(TAUS[collection, definition, n], abs=0.0005 + 1e-9)


CALLS = (
    "fct_unique_contributions",
    "fct_unique_relevant_losses",
    "fair_judgements('{}', 'contributions')",
    "fair_topic_scores('{}', 'AP', 'depth', n := 7)",
    "fair_topic_scores('{}', 'AP', 'contributions')",
    "fair_topic_scores('{}', 'UnjudgedRate@10', 'unique', n := 5)",
    "fair_run_scores('{}', 'nDCG@10', 'unique')",
)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_call_ends_in_time(
    marts: duckdb.DuckDBPyConnection, collection: str, say: Callable[[str], None]
) -> None:
    taken = {}
    for call in CALLS:
        for limit in ("", " limit 5"):
            start = time.monotonic()
            assert marts.execute(f"select * from {call.format(collection)}{limit}").fetchall()
            taken[f"{call.partition('(')[0]}{limit}"] = time.monotonic() - start
    say(", ".join(f"{name} {each:.1f} s" for name, each in taken.items()))
    assert max(taken.values()) < SECONDS
