"""Test pools that `pool make` made: what the marts know of them, beside plain counts of lists."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from shutil import copyfile

import duckdb
import pytest
from attrs import evolve

from asking import invoke_on
from collection_files import write_files
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.pooling.rerunning import left_out
from poolhouse.pooling.sample_estimates import sample_scores
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator
from reference import Collection

pytestmark = pytest.mark.heavy

DEPTH = 3
# Of every list, so many documents are answered.
SHARE = 0.8

Listed = dict[str, list[str]]
Pools = tuple[duckdb.DuckDBPyConnection, Collection, dict[str, Listed]]


def with_answers(file: Path, share: float, dice: Random) -> Listed:
    """Answer a share of a list by chance, and then nothing of its first topic.

    Return its documents by topic.
    """
    listed: Listed = defaultdict(list)
    lines = []
    for line in file.read_text().splitlines():
        topic_id, _, doc_id = line.split()
        listed[topic_id].append(doc_id)
        is_answered = share == 1 or (len(listed) > 1 and dice.random() < share)
        lines.append(f"{line} {dice.randrange(2)}" if is_answered else line)
    file.write_text("\n".join(lines) + "\n")
    return listed


@pytest.fixture(scope="module")
def pools(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pools]:
    """Provide a collection judged by a depth, by its list, and by lists of move-to-front."""
    folder = tmp_path_factory.mktemp("recorded")
    warehouse = new_warehouse(folder)
    run = partial(invoke_on, warehouse)
    drawn = Generator(13).collection()
    of_organizations = {
        run_id: replace(each, is_pooled=None, pool_depth=None)
        for run_id, each in drawn.descriptions.items()
    }
    collection = replace(drawn, descriptions=of_organizations, pool_depth=None)
    request = write_files(collection, folder / "files")
    for name in ("depth", "front", "declared"):
        load_collection(
            warehouse, evolve(request, collection=name, qrels=None, unjudged=True, depth=None)
        )
    build(warehouse)
    sizes = "select n_documents from planning.pool_sizes('depth', depths := [?])"
    with warehouse.read() as connection:
        [(budget,)] = connection.execute(sizes, [DEPTH]).fetchall()
    dice, listed = Random(4), {}  # noqa: S311 - of test cases
    for name, strategy in (("depth", "depth"), ("front", "move_to_front")):
        file = folder / f"{name}.txt"
        # Nobody answers the first list.
        for output in (folder / f"{name}.unused.txt", file):
            run("pool", "make", name, "--strategy", strategy, "--budget", budget, "-o", output)
        listed[name] = with_answers(file, SHARE if name == "front" else 1, dice)
        assert run("pool", "load", name, file).exit_code == 0
    qrels = folder / "qrels.txt"
    qrels.write_text((folder / "depth.txt").read_text())
    load_collection(
        warehouse, evolve(request, collection="declared", qrels=qrels, depth=DEPTH, runs=())
    )
    assert build(warehouse).failed == ()
    with warehouse.read() as connection:
        yield connection, collection, listed


def rows(pools: Pools, query: str, **values: object) -> list[tuple[object, ...]]:
    return [
        tuple(round(each, 9) if isinstance(each, float) else each for each in row)
        for row in pools[0].execute(query, values).fetchall()
    ]


def test_runs_of_a_list_were_pooled(pools: Pools) -> None:
    runs = list(pools[1].runs)
    kinds = rows(
        pools,
        """
        select collection_id, judging, pool_depth_source, pooled_runs_source, n_pooled_runs
        from dim_collections where collection_id <> 'declared' order by collection_id
        """,
    )
    assert kinds == [
        ("depth", "pooled", "recorded", "recorded", len(runs)),
        ("front", "pooled", "recorded", "recorded", len(runs)),
    ]


def test_how_it_was_judged_is_said(pools: Pools) -> None:
    n = sum(map(len, pools[2]["front"].values()))
    [(said, n_judged)] = rows(
        pools, "select how_judged, n_judgements from dim_collections where collection_id = 'front'"
    )
    assert str(said).startswith(f"{n_judged} of {n} documents on 1 list of pool make are answered")
    assert f"(move_to_front; {len(pools[1].runs)} runs)" in str(said)
    caveats = "select judging_caveat from dim_collections where collection_id = $name"
    assert rows(pools, caveats, name="front") == [
        (f"{n - int(str(n_judged))} documents on lists have no answer yet",)
    ]
    assert rows(pools, caveats, name="depth") == [(None,)]


def test_the_list_of_a_depth_is_the_pool_of_the_depth(pools: Pools) -> None:
    """Every mart is that of the same judgements with a declared depth and declared runs."""
    depths = "select pool_depth from dim_collections where collection_id = $name"
    assert rows(pools, depths, name="depth") == [(DEPTH,)]
    for mart in (
        "fct_judgements",
        "fct_run_scores",
        "fct_unique_contributions",
        "fct_adjusted_scores",
    ):
        query = f"select * exclude (collection_id) from {mart} where collection_id = $name"
        found = rows(pools, query, name="depth")
        assert found
        assert set(found) == set(rows(pools, query, name="declared"))


def test_a_run_brought_what_it_returns_before_the_lists_ended(pools: Pools) -> None:
    _, collection, listed = pools
    ranks: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    returned = rows(
        pools,
        """
        select run_id, topic_id, doc_id, pooling_rank
        from intermediate.int_rankings
        inner join intermediate.int_runs using (run_key)
        inner join intermediate.int_topics using (topic_key)
        inner join intermediate.int_documents using (doc_key)
        inner join intermediate.int_collections
            on int_rankings.collection_key = int_collections.collection_key
        where collection_id = 'front'
        """,
    )
    for run_id, topic_id, doc_id, rank in returned:
        ranks[str(topic_id)][str(doc_id)][str(run_id)] = int(str(rank))
    expected = {}
    for topic_id, documents in listed["front"].items():
        end = max(min(ranks[topic_id][each].values()) for each in documents)
        for each in documents:
            brought = [run for run, rank in ranks[topic_id][each].items() if rank <= end]
            expected[topic_id, each] = (len(brought), brought[0] if len(brought) == 1 else None)
    found = {
        (str(topic_id), str(doc_id)): (n_runs, sole_run)
        for topic_id, doc_id, n_runs, sole_run in rows(
            pools,
            """
            select topic_id, doc_id, n_contributing_runs, sole_run
            from fct_judgements where collection_id = 'front'
            """,
        )
    }
    assert found
    assert found == {key: expected[key] for key in found}
    assert len(collection.runs) > 1


@pytest.mark.parametrize("name", ["front", "depth"])
def test_the_interim_leaderboard_has_places_of_intervals_that_do_not_meet(
    pools: Pools, name: str
) -> None:
    """All first documents of a depth are judged, so that scores are certain there."""
    board = rows(
        pools,
        """
        select run_id, if_judged, if_judged_95_low, if_judged_95_high, rank, best_rank, worst_rank
        from planning.interim_leaderboard($name, $measure)
        """,
        name=name,
        measure="P@5" if name == "front" else f"P@{DEPTH}",
    )
    told = [row for row in board if row[1] is not None]
    assert name == "front" or any(low == high for _, _, low, high, *_ in told)
    assert len(board) == len(pools[1].runs)
    for run_id, mean, low, high, *places in told:
        above = sum(float(str(other[2])) > float(str(high)) for other in told)
        below = sum(float(str(other[3])) < float(str(low)) for other in told)
        better = sum(float(str(other[1])) > float(str(mean)) for other in told)
        assert places == [1 + better, 1 + above, len(told) - below], run_id


def test_a_depth_run_again_with_its_budget_reaches_deeper(pools: Pools) -> None:
    """So what leaves is at most what leaves by the lists, where a whole depth is judged."""
    [(path,)] = rows(pools, "select path from duckdb_databases() where path is not null")
    found = left_out(Warehouse(Path(str(path))), "depth")
    assert found.strategy == "depth"
    assert found.rows.height > 1
    assert (found.rows["n_leaving_again"] <= found.rows["n_leaving"]).all()
    assert (found.rows["n_leaving"] > 0).any()
    front = left_out(Warehouse(Path(str(path))), "front")
    assert (front.rows["unjudged_without_again"] >= front.rows["unjudged"]).all()
    with pytest.raises(PoolhouseError, match="'declared' was not judged by lists of `pool make`"):
        left_out(Warehouse(Path(str(path))), "declared")
    with pytest.raises(PoolhouseError, match="no sample of 'depth' was drawn: poolhouse pool make"):
        sample_scores(Warehouse(Path(str(path))), "depth")


def test_lists_of_several_strategies_are_not_run_again(pools: Pools, tmp_path: Path) -> None:
    [(path,)] = rows(pools, "select path from duckdb_databases() where path is not null")
    mixed = Path(copyfile(str(path), tmp_path / "mixed.duckdb"))
    with duckdb.connect(mixed) as connection:
        connection.execute("update intermediate.int_listed_pools set strategies = 'depth, rrf'")
    with pytest.raises(PoolhouseError, match=r"by several strategies \(depth, rrf\)"):
        left_out(Warehouse(mixed), "depth")
