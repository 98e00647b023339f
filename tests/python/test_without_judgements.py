"""Test the figures of runs without judgements, on random collections: assessment, popularity."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

import assessment_reference
from assessment_reference import Draws, pool_of
from built_collections import built_and_tested, kept_open, load_together, only_many
from conftest import NewWarehouse
from planning_reference import runs_to_pool
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference, Rows
from test_planning import request_for, unjudged
from test_reference import ROWS_SHOWN, differences, rows_of

# Runs are pooled in every order; in the first collection, no run is pooled.
MANY = (0, 9, 13, 25)
DEPTH = 3
CUTOFFS = (2, 10, 1000)
# The measures are of every kind: with and without a cutoff, with the ideal ranking, and with
# documents that are judged not relevant.
MEASURES = ("AP", "P@5", "Rprec", "Bpref", "nDCG@4", "Q", "RR", "RBP(p=0.8)", "GMAP", "NumRel")


@pytest.fixture(scope="module", params=only_many(MANY))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    """Provide collections with judgements, without any, and judged to one depth of all runs."""
    judged = [Generator(number).collection() for number in request.param]
    found = [Reference(each) for one in judged for each in (one, unjudged(one))]
    return found + [judged_to_depth(each) for each in found if not each.topics]


def judged_to_depth(reference: Reference) -> Reference:
    """Judge the pool of all runs, and nothing else."""
    collection = reference.collection
    pool = pool_of(reference, DEPTH, list(collection.runs))
    return Reference(
        replace(
            collection,
            name=f"{collection.name}-judged",
            qrels=[(*pair, number % 2) for number, pair in enumerate(sorted(pool))],
        )
    )


@pytest.fixture(scope="module")
def built(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("without")
    warehouse = new_warehouse(folder)
    load_together(warehouse, (request_for(each.collection, folder) for each in references))
    yield from kept_open(built_and_tested(warehouse))


def wrong_rows(warehouse: Warehouse, call: str, key: Sequence[str], expected: Rows) -> list[str]:
    found = rows_of(warehouse, call, list(key), list(next(iter(expected.values()))))
    return [f"{call}: {each}" for each in differences(found, expected)]


def test_planned_assessment(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        name = reference.collection.name
        some = list(reference.collection.runs)[::2]
        for runs, asked in ((runs_to_pool(reference), "null"), (some, str(some))):
            if runs:
                rows = assessment_reference.planned_assessment(reference, DEPTH, CUTOFFS, runs)
                options = f"cutoffs := {list(CUTOFFS)}, of_runs := {asked}"
                call = f"planned_assessment('{name}', {DEPTH}, {options})"
                wrong += wrong_rows(built, call, ("run_id", "cutoff"), rows)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


@pytest.mark.parametrize("cutoff", [1, DEPTH, 7, 1000])
def test_what_is_planned_is_what_is_assessed(
    references: list[Reference], built: Warehouse, cutoff: int
) -> None:
    """Before the pool is judged, the plan gives every run the A@d that it will have."""
    n_compared = 0
    for reference in references:
        if not reference.topics:
            name, runs = reference.collection.name, list(reference.collection.runs)
            planned = (
                f"planned_assessment('{name}', {DEPTH}, cutoffs := [{cutoff}], of_runs := {runs})"
            )
            rows = run_query(
                built,
                f"""
                select planned.run_id, planned.n_topics, judged.n_topics,
                    planned.assessment, judged.score,
                    planned.assessment_all_topics, judged.score_all_topics
                from {planned} as planned
                full join run_scores('{name}-judged', 'A@{cutoff}') as judged using (run_id)
                where planned.cutoff = {cutoff}
                """,
            ).rows
            assert {row[0] for row in rows} == set(runs)
            for _, *numbers in rows:
                before, after = numbers[::2], numbers[1::2]
                assert before == pytest.approx(after, abs=1e-12)
            n_compared += len(rows)
    assert n_compared


def test_run_popularity(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        name, runs = reference.collection.name, list(reference.collection.runs)
        for depth, some in ((1000, runs), (4, runs[::2])):
            rows = assessment_reference.run_popularity(reference, depth, some)
            call = f"papers.run_popularity('{name}', depth := {depth}, of_runs := {some})"
            wrong += wrong_rows(built, call, ("run_id",), rows)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


def test_popularity_is_the_mean_overlap(references: list[Reference], built: Warehouse) -> None:
    for reference in references:
        name = reference.collection.name
        [[n_runs, n_off]] = run_query(
            built,
            f"""
            with of_runs as (
                select run_id, avg(overlap) as overlap
                from run_overlaps('{name}', depths := [5])
                group by run_id
            )
            select count(*), count(*) filter (where abs(overlap - popularity) > 1e-12)
            from of_runs
            inner join papers.run_popularity('{name}', depth := 5) using (run_id)
            """,
        ).rows
        assert (n_runs, n_off) == (len(reference.collection.runs), 0)


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
                wrong += wrong_rows(built, call, ("run_id",), rows)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


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


def test_popularity_correlations(references: list[Reference], built: Warehouse) -> None:
    wrong = []
    for reference in references:
        if reference.topics:
            draws = Draws("P@5", 0.2, 2, 3)
            rows = assessment_reference.popularity_correlations(reference, draws, "A@10")
            call = (
                f"papers.popularity_correlations('{reference.collection.name}', asked := 'P@5',"
                " share := 0.2, repetitions := 2, seed := 3, assessed := 'A@10')"
            )
            wrong += wrong_rows(built, call, ("ranking", "other_ranking"), rows)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])
