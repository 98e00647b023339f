"""Test the references on tiny collections, by figures that the papers' rules give by hand.

Pools have depth 2 unless a test says otherwise. At ranks 1 and 2, P@2 has the weights 0.5 and 0.5,
and RBP@2 has 0.2 and 0.16.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

import reference
from experiment_collections import four_topics, one_topic
from experiments_reference import ExperimentsReference, Sample
from reference import Case, Collection, Description, Reference, RunLine

P = "P@2"
RBP = "RBP(p=0.8)@2"
WITH = "webber_park_systems"
WITHOUT = "webber_park_systems_no_substitution"

# Documents in capitals are relevant. "-x" is in the pool and unjudged, and "?x" is not in the
# qrels.
GRADES = {"-": -1, "?": None}


@pytest.fixture(autouse=True)
def _shallow_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "PRECISION_CUTOFFS", (1, 2))
    monkeypatch.setattr(reference, "RBP", RBP)


def reference_of(
    runs: Mapping[str, Sequence[str]],
    depth: int = 2,
    organizations: Mapping[str, str] | None = None,
) -> Reference:
    """Make a collection of runs, each a text for a topic; all are pooled, letters are documents."""
    lines = {
        run: [
            RunLine(str(topic), document, rank, -rank)
            for topic, ranking in enumerate(rankings, start=1)
            for rank, document in enumerate(ranking.split(), start=1)
        ]
        for run, rankings in runs.items()
    }
    pairs = {(line.topic, line.document) for each in lines.values() for line in each}
    qrels = [
        (topic, document, GRADES.get(document[0], int(document.isupper())))
        for topic, document in sorted(pairs)
    ]
    return Reference(
        Collection(
            "by-hand",
            lines,
            [(topic, document, grade) for topic, document, grade in qrels if grade is not None],
            {run: Description((organizations or {}).get(run, run), is_pooled=True) for run in runs},
            pool_depth=depth,
        )
    )


def estimated(
    made: Reference, run: str, case: Case, estimator: str = "unadjusted"
) -> tuple[float, float, float]:
    """Return true score, unpooled score and adjustment."""
    return made.estimates[case, estimator][run]


# -- The truth beyond the depth --------------------------------------------------------------------

# The pool has depth 1: a1 contributes A, its sibling a2 B, and b the document c, which is not
# relevant. Below the depth, a1 returns B, too.
SIBLINGS = {"a1": ["A B"], "a2": ["B"], "b": ["c A"]}


# The true scores of a1.
@pytest.mark.parametrize(
    ("rule", "level", "measure", "expected"),
    [
        ("paper", "organization", "P@1", 1.0),  # A
        ("tool", "organization", "P@1", 1.0),
        ("paper", "organization", "P@2", 1.0),  # A and B: the whole pool has a2's contribution
        ("tool", "organization", "P@2", 0.5),  # A: the unique contribution of a2 is left out
        ("paper", "organization", RBP, 0.2 + 0.16),
        ("tool", "organization", RBP, 0.2),
        ("paper", "run", "P@2", 1.0),  # where a run is left out, its sibling stays
        ("tool", "run", "P@2", 1.0),
    ],
)
def test_truth(
    rule: str, level: str, measure: str, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "TRUTH_BEYOND_DEPTH", rule)
    made = reference_of(SIBLINGS, depth=1, organizations={"a1": "a", "a2": "a"})
    for unjudged in ("nonrelevant", "condensed"):
        true, *_ = estimated(made, "a1", (level, "all", measure, unjudged))
        assert true == pytest.approx(expected)


@pytest.mark.parametrize(("subset", "expected"), [("all", 1.0), ("top_75", 0.5)])
def test_the_truth_of_a_subset_is_of_its_own_pool(subset: str, expected: float) -> None:
    """By P@2, the last run is not among the best three: its unique contribution B is unknown."""
    made = reference_of({"x": ["A B"], "y": ["A C"], "z": ["A D"], "last": ["B n"]}, depth=1)
    true, *_ = estimated(made, "x", ("run", subset, P, "nonrelevant"))
    assert true == expected


# -- What leaves with a group ----------------------------------------------------------------------

# The pool has depth 3. Only a contributes n and A; B is from b, and from a as well. c was not
# pooled, and is of a's group. d was not pooled either, and has no group.
GROUPS = {"a": ["n B A"], "b": ["B m"], "c": ["A B"], "d": ["A n"]}


@pytest.mark.parametrize(
    ("run", "judgement_set", "lost"),
    [
        ("a", "full", ""),
        ("a", "without_organization", "A n"),
        ("a", "without_unique_relevant", "A"),
        ("b", "without_organization", "m"),
        ("b", "without_unique_relevant", ""),
        ("c", "without_organization", ""),
        ("c", "without_unique_relevant", "A"),
        ("d", "without_unique_relevant", ""),
    ],
)
def test_what_leaves_with_a_group(run: str, judgement_set: str, lost: str) -> None:
    made = groups()
    left = made.judgement_set(run, judgement_set)
    assert sorted(document for _, document in set(made.grades) - left) == lost.split()


def test_bpref_turns_round() -> None:
    """B has one of two countable documents above it, then none above it, then one of one."""
    made = groups()
    sets = ("full", "without_organization", "without_unique_relevant")
    scores = [made.scores("Bpref", name, "nonrelevant")["a"]["1"] for name in sets]
    assert scores == [(1 / 2 + 1 / 2) / 2, 1.0, 0.0]


def test_what_leaves_with_a_group_is_unjudged() -> None:
    """Without A, c's condensed list is only B."""
    made = groups()
    assert made.scores("P@1", "without_unique_relevant", "nonrelevant")["c"]["1"] == 0.0
    assert made.scores("P@1", "without_unique_relevant", "condensed")["c"]["1"] == 1.0


def groups() -> Reference:
    made = reference_of(GROUPS, depth=3, organizations={"a": "ours", "c": "ours"}).collection
    described = {
        run: replace(each, is_pooled=run in ("a", "b")) for run, each in made.descriptions.items()
    }
    return Reference(replace(made, descriptions=described))


# -- Algorithm 1, condensed ------------------------------------------------------------------------


def test_condensed_adjustment() -> None:
    """The new run is r: the other runs are pooled without it, and n, A and B are judged."""
    made = reference_of({"r": ["B ?x A"], "s": ["n A B"], "t": ["A B"]})
    # For the true score, r has B and x. For the unpooled score, x is removed, and A moves up from
    # below the depth.
    for measure, true, unpooled in ((P, 0.5, 1.0), (RBP, 0.2, 0.36)):
        case = "organization", "all", measure, "condensed"
        assert estimated(made, "r", case) == pytest.approx((true, unpooled, 0.0))
    # s has n and A: 0.5 and 0.16. It alone contributed n. Withdrawn, it has A and B: 1 and 0.36.
    of_s = {P: 0.5 - 1, RBP: 0.16 - 0.36}
    # t has A and B: 1 and 0.36. It alone contributed B, which r in its place contributes, too. With
    # nothing in its place, t has A: 0.5 and 0.2.
    of_t = {P: 1 - 0.5, RBP: 0.36 - 0.2}
    for measure in (P, RBP):
        case = "organization", "all", measure, "condensed"
        assert estimated(made, "r", case, WITH)[2] == pytest.approx((of_s[measure] + 0) / 2)
        without = (of_s[measure] + of_t[measure]) / 2
        assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx(without)


def test_condensed_adjustment_over_topics() -> None:
    """Means are over the topics that a run answers: t does not answer the second one."""
    made = reference_of({"r": ["B ?x A", "C"], "s": ["n A B", "C"], "t": ["A B", ""]})
    case = "run", "all", P, "condensed"
    # In topic 2, s alone contributed C: it scores 0.5, and 0 when withdrawn, unless r takes its
    # place.
    assert estimated(made, "r", case, WITH)[2] == pytest.approx(((-0.5 + 0) / 2 + 0) / 2)
    assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx(((-0.5 + 0.5) / 2 + 0.5) / 2)


def test_a_substitute_keeps_what_is_judged_down_to_the_depth_alone() -> None:
    """The third document of r is not contributed: t loses B as if no run took its place."""
    made = reference_of({"r": ["?x ?y B"], "s": ["A n"], "t": ["A B"]})
    case = "run", "all", P, "condensed"
    # s only loses n: 0.5 with and without it. t loses B: 1 - 0.5.
    assert estimated(made, "r", case, WITH)[2] == pytest.approx((0 + 0.5) / 2)
    assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx((0 + 0.5) / 2)
    # Unpooled, r has only B, at rank 1.
    assert estimated(made, "r", case)[1] == 0.5


def test_a_substitute_makes_no_judgement() -> None:
    """Only r contributed B; B is unjudged even when r takes the place of s, which returns B."""
    made = reference_of({"r": ["B ?x"], "s": ["n A B"], "t": ["A m"]})
    case = "run", "all", P, "condensed"
    # s loses n, and has A: 0.5 as before. t loses m, and has A.
    for estimator in (WITH, WITHOUT):
        assert estimated(made, "r", case, estimator)[2] == 0


def test_a_negative_grade_is_struck_out() -> None:
    """The document is in the pool and unjudged: B, which t also contributed, moves up to rank 1."""
    made = reference_of({"r": ["-u B"], "s": ["-u B"], "t": ["B n"]})
    case = "run", "all", RBP, "condensed"
    # The true score is plain: B is at rank 2.
    assert estimated(made, "r", case) == pytest.approx((0.16, 0.2, 0.0))
    # s has B at rank 2, and at rank 1 when -u is removed. t has B at rank 1, which s contributed,
    # too.
    assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx(((0.16 - 0.2) + 0) / 2)


def test_condensing_may_be_against_a_run() -> None:
    """Nothing of r is judged: condensed, it is empty, and the other runs' losses are added."""
    made = reference_of({"r": ["A B"], "s": ["C n"], "t": ["C D"]})
    case = "run", "all", P, "condensed"
    # s has C, and without n still C: 0. t has C and D, and without D only C.
    for estimator in (WITH, WITHOUT):
        assert estimated(made, "r", case, estimator) == pytest.approx((1.0, 0.0, 0.25))


def test_condensed_level_organization() -> None:
    """Without its organization, Q lacks B of the sibling, and a single run is withdrawn."""
    runs = {"r": ["B A"], "sibling": ["B n"], "s": ["A n"], "s2": ["n A"]}
    organizations = {"r": "o", "sibling": "o", "s": "p", "s2": "p"}
    made = reference_of(runs, organizations=organizations)
    # Q has A and n. The true score is 1; the condensed list has A first.
    case = "organization", "all", RBP, "condensed"
    assert estimated(made, "r", case) == pytest.approx((0.36, 0.2, 0.0))
    # s and s2 keep each other's documents: neither loses anything.
    assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx(0)
    # At level run, Q has B, too, and r has its full score. Only the sibling contributed B, which is
    # worth 0.2; r in its place contributes it, too.
    case = "run", "all", RBP, "condensed"
    assert estimated(made, "r", case) == pytest.approx((0.36, 0.36, 0.0))
    assert estimated(made, "r", case, WITH)[2] == pytest.approx(0)
    assert estimated(made, "r", case, WITHOUT)[2] == pytest.approx((0.2 + 0 + 0) / 3)


def test_beyond_the_depth_a_run_gains_without_a_loss() -> None:
    """The pooled score is plain there, too; the condensed score gains from later documents."""
    made = reference_of({"r": ["A"], "s": ["A n B"], "t": ["A"], "u": ["B"]}, depth=1)
    case = "run", "all", P, "condensed"
    # A and B are judged. s has A: 0.5; withdrawn, it loses nothing, and has A and B. t loses
    # nothing either. u loses B: 0.5.
    for estimator in (WITH, WITHOUT):
        adjustment = estimated(made, "r", case, estimator)[2]
        assert adjustment == pytest.approx(((0.5 - 1) + 0 + 0.5) / 3)


def test_rows_of_estimators() -> None:
    """Lipani et al. have no rows of condensed lists, and no rows of RBP."""
    made = reference_of({"r": ["A B"], "s": ["C n"]})
    found = {
        (measure, unjudged, estimator)
        for (level, subset, measure, unjudged), estimator in made.estimates
        if (level, subset) == ("run", "all")
    }
    of_systems = {"unadjusted", WITH, WITHOUT}
    assert found == {
        *((P, "nonrelevant", each) for each in (*of_systems, "lipani")),
        *(("P@1", "nonrelevant", each) for each in (*of_systems, "lipani")),
        *((RBP, "nonrelevant", each) for each in of_systems),
        *((each, "condensed", of) for each in ("P@1", P, RBP) for of in of_systems),
    }


# -- The experiments -------------------------------------------------------------------------------


def test_experiment_condensed() -> None:
    """Relevant are d1, d3 and d4. The runs are new: d3 d1 d5 d2 d4, old1: d1 d2, old2: d2 d4."""
    made = ExperimentsReference(one_topic(), 2)
    first = Sample("new", ("old1", "old2"))
    # d1, d2 and d4 are judged: new keeps d1 d2 d4. Old1 loses d1 only without new, which keeps it
    # judged: d2 is left. Old2 loses d4, which new has below the depth: d2 is left.
    assert condensed(made, first, "P") == pytest.approx((0.5, 0.5 + 0.5 / 2, 0.5 + 1 / 2))
    assert condensed(made, first, "RBP(p=0.8)") == pytest.approx(
        (0.2, 0.2 + 0.16 / 2, 0.2 + (0.2 + 0.16) / 2)
    )
    second = Sample("old1", ("new", "old2"))
    # All but d5 are judged: old1 keeps d1 d2. New has d3 d1, 1 and 0.36. With old1 in its place, d1
    # is judged, so that new keeps d1 d2, otherwise d2 d4. Old2 has d2 d4, 0.5 and 0.16, which only
    # it contributed. With old1 in its place, d2 is judged and left, otherwise nothing.
    assert condensed(made, second, "P") == pytest.approx(
        (0.5, 0.5 + (0.5 + 0.5) / 2, 0.5 + (0.5 + 0.5) / 2)
    )
    assert condensed(made, second, "RBP(p=0.8)") == pytest.approx(
        (0.2, 0.2 + (0.16 + 0.16) / 2, 0.2 + (0.2 + 0.16) / 2)
    )


def condensed(made: ExperimentsReference, sample: Sample, measure: str) -> tuple[float, ...]:
    estimates = made.estimates(sample, measure)
    return tuple(estimates["condensed", name] for name in ("unadjusted", WITH, WITHOUT))


def in_place_of_one_topic(runs: Mapping[str, str]) -> ExperimentsReference:
    """Make other runs of the documents and judgements of one topic."""
    collection = one_topic()
    collection.runs = {
        run: [RunLine("1", each, rank, -rank) for rank, each in enumerate(ranking.split(), start=1)]
        for run, ranking in runs.items()
    }
    return ExperimentsReference(collection, 2)


def test_experiment_condensed_may_gain() -> None:
    """A pooled run may gain more than it loses: the adjustment is negative."""
    made = in_place_of_one_topic({"new": "d3 d4", "old1": "d2 d1 d3", "old2": "d1 d3"})
    # d1, d2 and d3 are judged: new keeps d3. Old1 has d2 d1, and d1 d3 without d2: 0.5 - 1. Old2
    # has d1 d3, of which only it has d3. New keeps d3 judged; without new, d1 is left.
    found = condensed(made, Sample("new", ("old1", "old2")), "P")
    assert found == pytest.approx((0.5, 0.5 - 0.5 / 2, 0.5 + (-0.5 + 0.5) / 2))


def test_experiment_condensed_substitute_makes_no_judgement() -> None:
    """Only new contributed d3, which old1 returns at rank 3."""
    made = in_place_of_one_topic({"new": "d3 d4", "old1": "d2 d1 d3", "old2": "d1 d4"})
    # d1, d2 and d4 are judged: new keeps d4. Old1 has d2 d1, and d1 without d2: 0.5 - 0.5. Old2 has
    # d1 d4, of which only it has d4. New keeps d4 judged; without new, d1 is left.
    found = condensed(made, Sample("new", ("old1", "old2")), "P")
    assert found == pytest.approx((0.5, 0.5, 0.5 + 0.5 / 2))


@pytest.mark.parametrize(
    ("measure", "treatment", "expected"),
    [
        # True scores 1, 0, 0.5, 0.5 have the mean 0.5, and the squares 0.25, 0.25, 0, 0. Deltas
        # 0.5, 0, 0.5, 0 have the mean 0.25, and four squares of 0.0625.
        ("P", "nonrelevant", (0.25 / 3, 0.5 / 3)),
        # Deltas 0, 0, 0, -0.5 have the mean -0.125, three squares of 0.015625, and one of 0.140625.
        ("P", "condensed", (0.1875 / 3, 0.5 / 3)),
        # True scores 0.36, 0, 0.2, 0.2 have the mean 0.19, and the squares 0.0289, 0.0361, 0.0001,
        # 0.0001. Deltas 0.16, 0, 0.2, 0 have the mean 0.09, and the squares 0.0049, 0.0081, 0.0121,
        # 0.0081.
        ("RBP(p=0.8)", "nonrelevant", (0.0332 / 3, 0.0652 / 3)),
    ],
)
def test_variances_over_all_topics(
    measure: str, treatment: str, expected: tuple[float, float]
) -> None:
    """Without d3, new has P@2 of 0.5, 0, 0 and 0.5, and condensed lists of 1, 0, 0.5 and 1."""
    made = ExperimentsReference(four_topics(), 2)
    sample = Sample("new", ("old1", "old2"))
    assert made.variances_over_all_topics(sample, measure, treatment) == pytest.approx(expected)
