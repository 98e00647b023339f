"""Test the simulated archive: its files follow the recipe, and the bias is as designed."""

import gzip
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean, median

import polars as pl
import pytest
import pytrec_eval

from poolhouse.demo import simulator
from poolhouse.demo.simulator import (
    RECIPES,
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
    run_id_of,
)

SEED = 2026
NAMES = [recipe.name for recipe in RECIPES]
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

    def losses(self) -> pl.DataFrame:
        """Return P@10 of each pooled run, by the qrels, with and without its organization."""
        others = self.contributions().select(*PAIR, other="organization").unique()
        top = self.ranked().filter(pl.col("run").is_in(self.pooled), pl.col("place") <= 10)
        relevant = self.qrels.filter(pl.col("grade") > 0)
        found = top.join(relevant, on=PAIR).join(others, on=PAIR)
        n_found = self.truth["query"].n_unique() * 10
        by_others = pl.col("other") != pl.col("organization")
        return (
            found.group_by("organization", "run", *PAIR)
            .agg(by_others.any())
            .group_by("organization", "run")
            .agg(score=pl.len() / n_found, unpooled=pl.col("other").sum() / n_found)
            .with_columns(bias=pl.col("score") - pl.col("unpooled"))
        )


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
def archive(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Loaded]:
    collections = simulate(tmp_path_factory.mktemp("archive"), SEED)
    return {collection.name: Loaded(collection) for collection in collections}


@pytest.fixture
def coarse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """Simulate a collection whose scores have one decimal, so that many are tied."""
    monkeypatch.setattr(simulator, "_SCORE_DECIMALS", 1)
    return _simulate_one(tmp_path, SMALL)


@pytest.mark.heavy
def test_the_archive_is_the_three_recipes(archive: dict[str, Loaded]) -> None:
    assert list(archive) == ["deep-pool", "shallow-pool", "odd-one-out"]
    shapes = {
        name: (
            loaded.collection.pool_depth,
            len(loaded.pooled),
            len({loaded.organization_of[run] for run in loaded.pooled}),
            len(loaded.organization_of) - len(loaded.pooled),
        )
        for name, loaded in archive.items()
    }
    assert shapes == {
        "deep-pool": (50, 24, 10, 3),
        "shallow-pool": (10, 8, 5, 3),
        "odd-one-out": (20, 14, 7, 3),
    }


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_every_run_returns_its_depth_without_repeats(archive: dict[str, Loaded], name: str) -> None:
    loaded = archive[name]
    assert set(loaded.runs["run"]) == set(loaded.organization_of)
    assert loaded.runs.height == len(loaded.organization_of) * 30 * 200
    assert loaded.runs.select("run", *PAIR).n_unique() == loaded.runs.height
    lengths = loaded.runs.group_by("run", "query").len()
    assert lengths.height == len(loaded.organization_of) * 30
    assert set(lengths["len"]) == {200}


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_given_ranks_are_those_of_the_ranking_rule(archive: dict[str, Loaded], name: str) -> None:
    ranked = archive[name].ranked()
    assert ranked.height > 60_000
    assert ranked["rank"].to_list() == ranked["place"].to_list()
    in_file = archive[name].runs.sort("run", "line_number")
    assert in_file["rank"].to_list() == list(range(1, 201)) * (in_file.height // 200)


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_qrels_are_the_pool_rebuilt_from_the_files(archive: dict[str, Loaded], name: str) -> None:
    loaded = archive[name]
    pool = loaded.contributions().select(PAIR).unique()
    assert pool.height > 30 * 2 * loaded.collection.pool_depth
    assert loaded.qrels.height == pool.height
    assert loaded.qrels.select(PAIR).sort(PAIR).equals(pool.sort(PAIR))


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_truth_is_complete_and_agrees_with_qrels(archive: dict[str, Loaded], name: str) -> None:
    loaded = archive[name]
    assert loaded.truth.height == loaded.truth.select(PAIR).n_unique() == 30 * 3000
    shared = loaded.qrels.join(loaded.truth, on=PAIR, suffix="_in_truth")
    assert shared.height == loaded.qrels.height > 30 * 20
    assert shared["grade"].to_list() == shared["grade_in_truth"].to_list()
    assert set(loaded.qrels["grade"]) == set(loaded.truth["grade"]) == {0, 1, 2}
    assert loaded.runs.join(loaded.truth, on=PAIR, how="anti").is_empty()
    missed = loaded.truth.join(loaded.qrels, on=PAIR, how="anti").filter(pl.col("grade") > 0)
    assert missed["query"].n_unique() > 20, "the pool should not be complete"


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_topics_have_titles(archive: dict[str, Loaded], name: str) -> None:
    topics = parse_topics(read_source(archive[name].collection.topics)).rows
    assert topics["query"].to_list() == sorted(archive[name].truth["query"].unique())
    assert topics["title"].n_unique() == 30
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


@pytest.mark.heavy
def test_typical_runs_score_neither_nothing_nor_everything(archive: dict[str, Loaded]) -> None:
    scores = pl.concat([loaded.losses() for loaded in archive.values()])["score"]
    assert len(scores) == 24 + 8 + 14
    assert scores.is_between(0.2, 0.7).sum() > 40


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_runs_of_one_organization_are_the_most_similar(
    archive: dict[str, Loaded], name: str
) -> None:
    top = archive[name].ranked().filter(pl.col("place") <= 50)
    returned = {
        str(run[0]): set(rows.select(PAIR).iter_rows()) for run, rows in top.group_by("run")
    }
    overlaps: dict[bool, list[float]] = {True: [], False: []}
    for one, two in combinations(sorted(returned), 2):
        kin = archive[name].organization_of[one] == archive[name].organization_of[two]
        overlaps[kin].append(len(returned[one] & returned[two]) / len(returned[one]))
    kin_overlap, other_overlap = (sum(of) / len(of) for of in (overlaps[True], overlaps[False]))
    by_chance = 50 / 3000
    assert 10 * by_chance < other_overlap < kin_overlap - 0.1 < 0.9


@pytest.mark.heavy
def test_a_deep_pool_of_many_runs_hardly_wrongs_anybody(archive: dict[str, Loaded]) -> None:
    bias = archive["deep-pool"].losses()["bias"].to_list()
    assert len(bias) == 24
    assert 0 < mean(bias) < 0.01
    assert max(bias) < 0.05


@pytest.mark.heavy
def test_a_shallow_pool_of_few_runs_wrongs_everybody(archive: dict[str, Loaded]) -> None:
    bias = archive["shallow-pool"].losses()["bias"].to_list()
    assert len(bias) == 8
    assert 0.03 < mean(bias) < 0.10
    assert min(bias) > 0.01
    assert mean(bias) > 5 * mean(archive["deep-pool"].losses()["bias"].to_list())


@pytest.mark.heavy
def test_the_odd_one_out_is_good_and_wronged_most(archive: dict[str, Loaded]) -> None:
    losses = archive["odd-one-out"].losses()
    is_odd = pl.col("organization") == "owl"
    odd = losses.filter(is_odd).to_dict(as_series=False)
    others = losses.filter(~is_odd).to_dict(as_series=False)
    assert (len(odd["run"]), len(others["run"])) == (2, 12)
    assert min(odd["bias"]) > 0.15
    assert mean(others["bias"]) < 0.05
    assert min(odd["bias"]) > 2 * max(others["bias"])
    assert min(odd["score"]) > median(others["score"])
    assert max(odd["unpooled"]) < median(others["unpooled"])
