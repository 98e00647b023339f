"""Test the figures of runs without judgements, on random collections: assessment, popularity."""

from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

import assessment_reference
from assessment_reference import Draws, pool_of
from built_collections import only_many, with_tested_views
from compared_rows import assert_none, wrong_rows
from planning_reference import runs_to_pool
from poolhouse.warehouse.file import Warehouse
from questions import question
from random_collections import Generator
from reference import Reference
from test_planning import unjudged

# Runs are pooled in every order; in the first collection, no run is pooled.
MANY = (0, 9, 13, 25)
DEPTH = 3
CUTOFFS = (2, 10, 1000)
# The measures are of every kind: with and without a cutoff, with the ideal ranking, and with
# documents that are judged not relevant.
MEASURES = ("AP", "P@5", "Rprec", "Bpref", "nDCG@4", "Q", "RR", "RBP(p=0.8)", "GMAP", "NumRel")


@pytest.fixture(scope="module", params=only_many(MANY))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    """Provide collections with judgements, and the same without any."""
    judged = [Generator(number).collection() for number in request.param]
    return [Reference(each) for one in judged for each in (one, unjudged(one))]


@pytest.mark.heavy
def test_no_view_breaks_its_tests(built: Warehouse) -> None:
    with_tested_views(built)


def test_planned_assessment(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        name = reference.collection.name
        some = list(reference.collection.runs)[::2]
        for runs, asked in ((runs_to_pool(reference), "null"), (some, str(some))):
            if runs:
                rows = assessment_reference.planned_assessment(reference, DEPTH, CUTOFFS, runs)
                options = f"cutoffs := {list(CUTOFFS)}, of_runs := {asked}"
                call = f"planning.planned_assessment('{name}', {DEPTH}, {options})"
                wrong += wrong_rows(built, call, "run_id cutoff", rows)
    assert_none(wrong)


def test_run_popularity(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        name, runs = reference.collection.name, list(reference.collection.runs)
        for depth, some in ((1000, runs), (4, runs[::2])):
            rows = assessment_reference.run_popularity(reference, depth, some)
            call = f"papers.run_popularity('{name}', depth := {depth}, of_runs := {some})"
            wrong += wrong_rows(built, call, "run_id", rows)
    assert_none(wrong)


@pytest.mark.some(2)
@pytest.mark.parametrize("measure", MEASURES)
def test_pseudo_qrels(references: list[Reference], built: Warehouse, measure: str) -> None:
    """Draws are from judged documents and from planned pools; measures are of every kind."""
    wrong = []
    for number, reference in enumerate(references, start=MEASURES.index(measure)):
        name, runs = reference.collection.name, list(reference.collection.runs)
        share, repetitions = ((0.3, 3), (0.05, 1))[number % 2]
        pools = [
            (pool_of(reference, DEPTH, runs[1:]), f", pool_depth := {DEPTH}, of_runs := {runs[1:]}")
        ]
        if reference.topics:
            pools.append((set(reference.judged), ""))
        for pool, options in pools:
            if pool:
                rows = assessment_reference.pseudo_qrels_scores(
                    reference, Draws(measure, share, repetitions, number), pool
                )
                call = (
                    f"papers.pseudo_qrels_scores('{name}', '{measure}', share := {share},"
                    f" repetitions := {repetitions}, seed := {number}{options})"
                )
                wrong += wrong_rows(built, call, "run_id", rows)
    assert_none(wrong)


def test_what_is_drawn_depends_on_the_seed_alone(
    references: list[Reference], built: Warehouse, tmp_path: Path
) -> None:
    """The draw does not depend on the engine's number of threads."""
    copy = copyfile(built.path, tmp_path / "copy.duckdb")

    def drawn(threads: int, seed: int) -> list[list[tuple[object, ...]]]:
        config: dict[str, str | bool | int | float | list[str]] = {"threads": threads}
        with duckdb.connect(copy, read_only=True, config=config) as connection:
            return [
                connection.execute(
                    f"""
                    select run_id, round(lowest_score, 12), round(highest_score, 12)
                    from papers.pseudo_qrels_scores(
                        '{each.collection.name}', 'AP',
                        share := 0.2, repetitions := 4, seed := {seed}
                    )
                    order by all
                    """
                ).fetchall()
                for each in references
                if each.topics
            ]

    assert drawn(1, seed=1) == drawn(2, seed=1) == drawn(5, seed=1) != drawn(1, seed=2)


def test_popularity_correlation(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        if reference.topics:
            draws = Draws("P@5", 0.2, 2, 3)
            rows = assessment_reference.popularity_correlations(reference, draws, "A@10")
            call = question(
                "popularity_correlation",
                **{"collection": f"'{reference.collection.name}'", "measure": "'P@5'"},
                **{"share": "0.2", "repetitions": "'2'", "seed": "3", "assessed": "'A@10'"},
            )
            wrong += wrong_rows(built, call, "ranking other_ranking", rows)
    assert_none(wrong)
