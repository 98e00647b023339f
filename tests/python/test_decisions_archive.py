"""Test the decision matrix of the real collections: other people's code computed the figures."""

import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any

import duckdb
import pytest

from poolhouse.warehouse.frames import rows_of
from questions import question

pytestmark = pytest.mark.archive

SECONDS = 60  # for one collection, after a build

# Shares of the cases 1 to 4, by the one-way and by the two-way analysis, both with Bonferroni's
# correction, to 3 decimals.
SHARES = {
    ("trec8-adhoc", "P@10"): ((0.727, 0.035, 0.181, 0.057), (0.581, 0.020, 0.328, 0.070)),
    ("trec8-adhoc", "AP@1000"): ((0.571, 0.222, 0.035, 0.172), (0.417, 0.176, 0.098, 0.309)),
    ("trec2-adhoc", "P@10"): ((0.782, 0.037, 0.115, 0.065), (0.609, 0.018, 0.289, 0.084)),
}
# Numbers of pairs by two-way Tukey: they differ by AP, by bpref, by both in the same direction, by
# both in opposite directions, and all pairs.
AGREEMENT = {"trec8-adhoc": (3423, 3206, 3126, 0, 8256), "trec2-adhoc": (361, 315, 307, 0, 703)}
# Kendall's tau with AP, over answered topics and over all topics, to 3 decimals.
TAUS = {
    ("trec8-adhoc", "Bpref"): (0.936, 0.936),
    ("trec2-adhoc", "Bpref"): (0.949, 0.943),
    ("trec-covid-round1", "Bpref"): (0.765, 0.765),
    ("trec8-adhoc", "A@1000"): (0.464, 0.464),
    ("trec2-adhoc", "A@1000"): (None, 0.755),
    ("trec-covid-round1", "A@1000"): (0.597, 0.597),
}
# Half a unit of the third decimal.
ROUNDING = 0.0005 + 1e-9


# The rows of a question or macro, and the seconds that they took.
Answer = tuple[list[dict[str, Any]], float]
Ask = Callable[[str], Answer]


@pytest.fixture(scope="module")
def ask(marts: duckdb.DuckDBPyConnection) -> Ask:
    """Provide a function that asks for all rows of a call, once for all tests."""

    @cache
    def asked(call: str) -> Answer:
        start = time.monotonic()
        rows = rows_of(marts, f"select * from {call}").rows(named=True)
        return rows, time.monotonic() - start

    return asked


def tables_3_4(collection: str) -> str:
    return question("baillie_tables_3_4", collection=f"'{collection}'")


def matrix_of(collection: str, measure: str) -> str:
    return f"papers.decision_matrix('{collection}', '{measure}')"


def agreement(collection: str, **values: str) -> str:
    return question("measure_agreement", collection=f"'{collection}'", **values)


@pytest.mark.parametrize(("collection", "measure"), SHARES)
def test_shares_of_cases(ask: Ask, collection: str, measure: str) -> None:
    """The matrix gives shares for any measure, and the question reads the rankings once."""
    pairs, _ = ask(matrix_of(collection, measure))
    table, _ = ask(tables_3_4(collection))
    tests = {"one_way": "decision_case", "two_way": "decision_case_two_way"}
    for (test, case), expected in zip(tests.items(), SHARES[collection, measure], strict=True):
        n_pairs = Counter(row[case] for row in pairs)
        of_matrix = [n / n_pairs.total() for _, n in sorted(n_pairs.items())]
        of_question = [
            row["share"]
            for row in sorted(table, key=itemgetter("decision_case"))
            if (row["test"], row["measure"]) == (test, measure)
        ]
        assert of_matrix == pytest.approx(expected, abs=ROUNDING)
        assert of_question == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("collection", AGREEMENT)
def test_ap_and_bpref_tell_the_same_runs_apart(ask: Ask, collection: str) -> None:
    [row] = [row for row in ask(agreement(collection))[0] if row["test"] == "tukey"]
    names = ("n_differ", "n_differ_by_other", "n_same_direction", "n_opposite_directions")
    assert tuple(row[name] for name in (*names, "n_pairs")) == AGREEMENT[collection]


@pytest.mark.parametrize(("collection", "other"), TAUS)
def test_kendalls_tau_of_ap(ask: Ask, collection: str, other: str) -> None:
    # Bpref is the measure that the question takes by itself.
    values = {} if other == "Bpref" else {"other_measure": f"'{other}'"}
    rows, _ = ask(agreement(collection, **values))
    assert {row["other_measure"] for row in rows} == {other}
    [found] = {(row["kendall_tau"], row["kendall_tau_all_topics"]) for row in rows}
    for tau, expected in zip(found, TAUS[collection, other], strict=True):
        assert expected is None or tau == pytest.approx(expected, abs=ROUNDING)


def test_ap_and_bpref_move_apart_when_exclusive_judgements_go(
    marts: duckdb.DuckDBPyConnection,
) -> None:
    """AP and bpref move apart by all exclusive judgements, and hardly ever by the relevant ones."""
    rows = marts.execute(
        f"""
        select judgement_set, count(*), count(*) filter (where is_opposite)
        from {question("buckley_shifts")}
        where collection_id = 'trec8-adhoc' and is_pooled and unjudged = 'nonrelevant'
        group by judgement_set order by judgement_set
        """
    ).fetchall()
    assert rows == [("without_organization", 71, 63), ("without_unique_relevant", 71, 1)]


def test_the_swaps_are_those_of_the_matrices(ask: Ask) -> None:
    """These pairs change from strong case 3 to weak case 4 as depth grows (Baillie, 4.2.3)."""
    shallow, deep = (
        {
            (row["run_id"], row["other_run_id"])
            for row in ask(matrix_of("trec8-adhoc", measure))[0]
            if row["decision_case"] == case
        }
        for measure, case in (("AP@100", 3), ("AP@1000", 4))
    )
    swaps, _ = ask(question("decision_swaps", collection="'trec8-adhoc'", depths="[1000, 100]"))
    by_pairs = [
        row for row in swaps if (row["decision_case"], row["deeper_decision_case"]) == (3, 4)
    ]
    assert len(shallow & deep) == len(by_pairs) > 0


# Questions and the values of parameters, with their numbers of rows where measures, tests and cases
# determine them.
ASKED: tuple[tuple[str, dict[str, str], int | None], ...] = (
    ("decision_swaps", {}, None),
    ("decision_swaps", {"performance": "'P'"}, None),
    ("measure_agreement", {"other_measure": "'A@1000'"}, 3),
    ("baillie_tables_3_4", {}, 10 * 3 * 4),
)


@pytest.mark.parametrize("collection", ["trec2-adhoc", "trec8-adhoc", "trec-covid-round1"])
def test_every_call_ends_in_time(ask: Ask, collection: str, say: Callable[[str], None]) -> None:
    """No call takes long, or ends in an internal error of the engine (docs/decisions/engine.md)."""
    taken = {}
    calls: list[tuple[str, str, int | None]] = [
        ("decision_matrix", matrix_of(collection, "nDCG@10"), None)
    ]
    for name, values, n_rows in ASKED:
        calls.append((name, question(name, collection=f"'{collection}'", **values), n_rows))
    for name, call, n_rows in calls:
        rows, taken[name] = ask(call)
        assert len(rows) == n_rows if n_rows else rows
    say(", ".join(f"{name} {each:.1f} s" for name, each in taken.items()))
    assert max(taken.values()) < SECONDS
