"""Test the simulated collections: their files follow the recipe."""

import gzip
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
import pytrec_eval

from poolhouse.demo import simulator
from poolhouse.demo.simulator import (
    CollectionRecipe,
    OrganizationRecipe,
    SimulatedCollection,
    simulate,
)
from poolhouse.errors import PoolhouseError
from poolhouse.loading.parsers import (
    parse_descriptions,
    parse_qrels,
    parse_run,
    parse_topics,
    read_source,
)
from poolhouse.loading.run_files import run_id_of

SEED = 2026
PAIR = ["query", "docno"]
SMALL = CollectionRecipe(
    name="small",
    title="Small",
    document_prefix="S",
    first_topic=8,  # topic ids have one or two digits
    pool_depth=5,
    organizations=(
        OrganizationRecipe("ant", 2, 1),
        OrganizationRecipe("bee", 1),
        OrganizationRecipe("cat", 0, 1),
    ),
    n_topics=4,
    n_documents=120,
    run_depth=30,
    relevant=15,
)


class Loaded:
    """A simulated collection as read from its files."""

    def __init__(self, collection: SimulatedCollection) -> None:
        self.collection = collection
        described = parse_descriptions(read_source(collection.descriptions))
        self.organization_of = {run.run_id: run.organization for run in described}
        self.pooled = [run.run_id for run in described if run.is_pooled]
        self.runs = pl.concat([_read_run(path) for path in sorted(collection.runs.iterdir())])
        self.qrels = _read_qrels(collection.qrels)
        self.truth = _read_qrels(collection.truth)

    def contributions(self) -> pl.DataFrame:
        """Return the contributions of the pooled runs."""
        return self.ranked().filter(
            pl.col("run").is_in(self.pooled), pl.col("place") <= self.collection.pool_depth
        )

    def ranked(self) -> pl.DataFrame:
        """Rank by trec_eval's rule, whatever the order and the ranks of the files are."""
        order = ["run", "query", "single", "docno"]
        in_order = self.runs.with_columns(single=pl.col("score").cast(pl.Float32)).sort(
            order, descending=[False, False, True, True]
        )
        place = pl.int_range(1, pl.len() + 1).over("run", "query")
        organization = pl.col("run").replace_strict(self.organization_of)
        return in_order.with_columns(place=place, organization=organization)


def _read_run(path: Path) -> pl.DataFrame:
    parsed = parse_run(read_source(path))
    assert parsed.rejected.is_empty()
    return parsed.rows.with_columns(run=pl.lit(run_id_of(path.name)))


def _read_qrels(path: Path) -> pl.DataFrame:
    parsed = parse_qrels(read_source(path))
    assert parsed.rejected.is_empty()
    return parsed.rows.select(*PAIR, "grade")


def _files(directory: Path) -> dict[str, bytes]:
    files = [path for path in directory.rglob("*") if path.is_file()]
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def _simulate_one(directory: Path, recipe: CollectionRecipe) -> Loaded:
    (collection,) = simulate(directory, SEED, [recipe])
    return Loaded(collection)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return _simulate_one(tmp_path_factory.mktemp("small"), SMALL)


@pytest.fixture
def coarse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """Simulate a collection whose scores have one decimal, so that many are tied."""
    monkeypatch.setattr(simulator, "_SCORE_DECIMALS", 1)
    return _simulate_one(tmp_path, SMALL)


def test_every_run_returns_its_depth_without_repeats(small: Loaded) -> None:
    assert set(small.runs["run"]) == set(small.organization_of)
    assert small.runs.select("run", *PAIR).n_unique() == small.runs.height
    lengths = small.runs.group_by("run", "query").len()
    assert lengths.height == len(small.organization_of) * SMALL.n_topics
    assert set(lengths["len"]) == {SMALL.run_depth}


def test_given_ranks_are_those_of_the_ranking_rule(small: Loaded) -> None:
    ranked = small.ranked()
    assert ranked["rank"].to_list() == ranked["place"].to_list()
    in_file = small.runs.sort("run", "line_number")
    assert in_file["rank"].to_list() == [*range(1, SMALL.run_depth + 1)] * (5 * SMALL.n_topics)


def test_qrels_are_the_pool_rebuilt_from_the_files(small: Loaded) -> None:
    pool = small.contributions().select(PAIR).unique()
    assert pool.height > SMALL.n_topics * SMALL.pool_depth
    assert small.qrels.height == pool.height
    assert small.qrels.select(PAIR).sort(PAIR).equals(pool.sort(PAIR))


def test_truth_is_complete_and_agrees_with_qrels(small: Loaded) -> None:
    n_documents = SMALL.n_topics * SMALL.n_documents
    assert small.truth.height == small.truth.select(PAIR).n_unique() == n_documents
    shared = small.qrels.join(small.truth, on=PAIR, suffix="_in_truth")
    assert shared.height == small.qrels.height
    assert shared["grade"].to_list() == shared["grade_in_truth"].to_list()
    assert set(small.qrels["grade"]) == set(small.truth["grade"]) == {0, 1, 2}
    assert small.runs.join(small.truth, on=PAIR, how="anti").is_empty()
    missed = small.truth.join(small.qrels, on=PAIR, how="anti").filter(pl.col("grade") > 0)
    assert missed["query"].n_unique() == SMALL.n_topics, "the pool should not be complete"


def test_topics_have_titles(small: Loaded) -> None:
    topics = parse_topics(read_source(small.collection.topics)).rows
    assert topics["query"].to_list() == ["8", "9", "10", "11"]
    assert set(small.truth["query"]) == set(topics["query"])
    assert topics["title"].n_unique() == SMALL.n_topics
    assert topics["title"].str.contains(r"^[a-z]+( [a-z]+)+$").all()


def test_lines_are_in_trec_format(tmp_path: Path) -> None:
    (collection,) = simulate(tmp_path, SEED, [SMALL])
    run = gzip.decompress((collection.runs / "ant3.gz").read_bytes()).decode().splitlines()
    assert len(run) == 4 * 30
    form = re.compile(r"(8|9|10|11) Q0 S-\d{3} \d+ -?\d+\.\d{4} ant3")
    assert [line for line in run if not form.fullmatch(line)] == []
    qrels = collection.qrels.read_text().splitlines()
    assert len(qrels) > 4 * 5
    form = re.compile(r"(8|9|10|11) 0 S-\d{3} [012]")
    assert [line for line in qrels if not form.fullmatch(line)] == []
    assert collection.descriptions.read_text().splitlines() == [
        "run,organization,type,pooled",
        "ant1,ant,automatic,true",
        "ant2,ant,automatic,true",
        "ant3,ant,automatic,false",
        "bee1,bee,automatic,true",
        "cat1,cat,automatic,false",
    ]


def test_ties_are_pooled_as_readers_rank_them(coarse: Loaded) -> None:
    ranked = coarse.ranked()
    edge = ranked.filter(pl.col("place").is_in([5, 6])).group_by("run", "query")
    assert edge.agg(tied=pl.col("score").n_unique() == 1)["tied"].any()
    assert ranked["rank"].to_list() == ranked["place"].to_list()
    pool = coarse.contributions().select(PAIR).unique()
    assert coarse.qrels.select(PAIR).sort(PAIR).equals(pool.sort(PAIR))


def test_trec_eval_sees_the_same_ranking(coarse: Loaded) -> None:
    truth = {
        str(query[0]): dict(rows.select("docno", "grade").iter_rows())
        for query, rows in coarse.truth.group_by("query")
    }
    evaluator = pytrec_eval.RelevanceEvaluator(truth, {"P.5"})
    relevant = coarse.ranked().filter(pl.col("rank") <= 5).join(coarse.truth, on=PAIR)
    compared = 0
    for (run, query), rows in coarse.runs.group_by("run", "query"):
        answer = {query: dict(rows.select("docno", "score").iter_rows())}
        here = pl.col("run").eq(run) & pl.col("query").eq(query) & pl.col("grade").gt(0)
        assert evaluator.evaluate(answer)[query]["P_5"] == relevant.filter(here).height / 5
        compared += 1
    assert compared == 5 * 4


def test_a_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for folder, seed in (("a", 7), ("b", 7), ("c", 8)):
        simulate(tmp_path / folder, seed, [SMALL])
    first, second, other = (_files(tmp_path / folder) for folder in "abc")
    assert len(first) == 5 + 6
    assert first == second
    dates = [data[4:8] for name, data in first.items() if name.endswith(".gz")]
    assert dates == [bytes(4)] * (5 + 2), "a gzip file that is dated differs by the second"
    same = {name for name in first if first[name] == other[name]}
    assert same == {"small/descriptions.csv", "small/topics.tsv"}


def test_recipes_do_not_disturb_each_other(tmp_path: Path) -> None:
    twin = replace(SMALL, name="twin")
    simulate(tmp_path / "alone", SEED, [SMALL])
    simulate(tmp_path / "both", SEED, [twin, SMALL])
    alone, both = _files(tmp_path / "alone"), _files(tmp_path / "both")
    assert len(both) == 2 * len(alone)
    assert alone.items() <= both.items()
    random = [name for name in alone if name.endswith((".gz", "qrels.txt"))]
    assert len(random) == 5 + 3
    assert [name for name in random if both[name] == both[name.replace("small", "twin")]] == []


def test_a_newcomer_leaves_the_rankings_of_others_alone(tmp_path: Path) -> None:
    newcomer = OrganizationRecipe("dog", 1)
    joined = replace(SMALL, organizations=(newcomer, *SMALL.organizations))
    simulate(tmp_path / "before", SEED, [SMALL])
    simulate(tmp_path / "after", SEED, [joined])
    before, after = _files(tmp_path / "before"), _files(tmp_path / "after")
    unchanged = {name for name in before if before[name] == after[name]}
    assert set(before) - unchanged == {"small/qrels.txt", "small/descriptions.csv"}
    assert set(after) - set(before) == {"small/runs/dog1.gz"}


def test_a_folder_with_other_runs_is_refused(tmp_path: Path) -> None:
    (collection,) = simulate(tmp_path, SEED, [SMALL])
    before = _files(tmp_path)
    (collection.runs / ".hidden").touch()
    simulate(tmp_path, SEED, [SMALL])
    assert before.items() <= _files(tmp_path).items()
    (collection.runs / "stranger.gz").touch()
    with pytest.raises(PoolhouseError, match=r"stranger\.gz"):
        simulate(tmp_path, SEED, [SMALL])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"pool_depth": 31}, "pool_depth <= run_depth"),
        ({"pool_depth": 0}, "0 < pool_depth"),
        ({"run_depth": 121}, "run_depth <= n_documents"),
        ({"organizations": (OrganizationRecipe("ant", 0, 2),)}, "no pool"),
        ({"organizations": (OrganizationRecipe("ant", 1),) * 2}, "same name"),
        (
            {"organizations": (OrganizationRecipe("a", 11), OrganizationRecipe("a1", 1))},
            "same name",
        ),
    ],
)
def test_impossible_recipes_are_refused(change: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        replace(SMALL, **change)  # type: ignore[arg-type]


def test_runs_of_one_organization_are_the_most_similar(small: Loaded) -> None:
    top = small.ranked().filter(pl.col("place") <= 10)
    returned = {
        str(run[0]): set(rows.select(PAIR).iter_rows()) for run, rows in top.group_by("run")
    }
    overlaps: dict[bool, list[float]] = {True: [], False: []}
    for one, two in combinations(sorted(returned), 2):
        kin = small.organization_of[one] == small.organization_of[two]
        overlaps[kin].append(len(returned[one] & returned[two]) / len(returned[one]))
    kin_overlap, other_overlap = (sum(of) / len(of) for of in (overlaps[True], overlaps[False]))
    by_chance = 10 / SMALL.n_documents
    assert 2 * by_chance < other_overlap < kin_overlap - 0.1 < 0.9
