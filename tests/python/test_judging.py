"""Test how collections were judged: topics of several pools, parts of the runs, declarations."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from asking import rows
from built_collections import built_and_tested, kept_open, load_together
from collection_files import write_runs
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.derived import load_derived
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

N_RUNS, N_TOPICS, N_DOCUMENTS, LENGTH = 8, 20, 150, 30
# The first topics were pooled to one depth, and the others to another.
DEPTHS = [10] * 12 + [3] * 8


@dataclass(frozen=True)
class Made:
    """One collection of the same runs: the depth of each topic, and what is loaded and declared."""

    depths: list[int] = field(default_factory=lambda: [10] * N_TOPICS)
    pooled: int = N_RUNS
    loaded: int = N_RUNS
    declared: tuple[bool | None, ...] = (None,) * N_RUNS
    attributes: str = ""
    is_exhaustive: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


MADE = {
    "mixed": Made(DEPTHS),
    "declared": Made(
        DEPTHS, attributes="topic,pool_depth\n" + "".join(f"{t},3\n" for t in range(12, 20))
    ),
    "elsewhere": Made([10] * 12 + [0] * 8, settings={"depth": 10}),
    # The pool is deeper than declared.
    "shallower": Made([10] * 12 + [0] * 8, settings={"depth": 5}),
    "part": Made(loaded=2, declared=(True,) * N_RUNS),
    "later": Made(pooled=6, declared=(None,) * 6 + (False,) * 2),
    "all": Made(is_exhaustive=True, settings={"judging": "exhaustive"}),
}


def _rankings() -> npt.NDArray[np.int64]:
    draw = np.random.default_rng(5)
    seen = draw.normal(size=(1, N_TOPICS, N_DOCUMENTS))
    scores = seen + draw.normal(size=(N_RUNS, N_TOPICS, N_DOCUMENTS))
    return np.argsort(-scores, axis=2)[:, :, :LENGTH]


def _request(folder: Path, collection: str, made: Made) -> LoadRequest:
    folder /= collection
    rankings = _rankings()
    files = write_runs(
        folder / "runs",
        {
            f"r{run}": {t: [f"d{each}" for each in rankings[run, t]] for t in range(N_TOPICS)}
            for run in range(made.loaded)
        },
    )
    pool = {
        (topic, document)
        for topic, depth in enumerate(made.depths)
        for run in range(made.pooled)
        for document in rankings[run, topic, : LENGTH if made.is_exhaustive else depth]
    }
    # Where the runs were not pooled, people judged every seventh document.
    pool |= {
        (topic, document)
        for topic, depth in enumerate(made.depths)
        for document in range(0, N_DOCUMENTS, 7)
        if not depth
    }
    qrels, runs, topics = folder / "qrels", folder / "runs.csv", folder / "topics.csv"
    qrels.write_text("".join(f"{t} 0 d{doc} {int(doc % 3 == 0)}\n" for t, doc in sorted(pool)))
    words = {True: "yes", False: "no", None: ""}
    runs.write_text(
        "run,organization,pooled\n"
        + "".join(f"r{run},o{run},{words[each]}\n" for run, each in enumerate(made.declared))
    )
    topics.write_text(made.attributes)
    return LoadRequest(
        collection,
        files,
        qrels,
        descriptions=runs,
        **made.settings,
        topic_attributes=topics if made.attributes else None,
    )


@pytest.fixture(scope="module")
def built(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("judging")
    warehouse = new_warehouse(folder)
    load_together(warehouse, [_request(folder, name, made) for name, made in MADE.items()])
    build(warehouse)
    load_derived(warehouse, "deep", "mixed", depth=10)
    load_derived(warehouse, "shallow", "mixed", depth=3)
    load_derived(warehouse, "not pooled", "elsewhere", depth=0)
    built_and_tested(warehouse)
    yield from kept_open(warehouse)


def test_topics_of_two_pools(built: Warehouse) -> None:
    depths = """
        select collection_id, pool_depth, count(*) from dim_topics
        where collection_id not in ('part', 'later', 'all', 'not pooled')
        group by all order by all
    """
    assert rows(built, depths) == [
        *(("declared", 3, 8), ("declared", 10, 12), ("deep", 10, 12)),
        *(("elsewhere", 10, 12), ("elsewhere", None, 8)),
        *(("mixed", 3, 8), ("mixed", 10, 12), ("shallow", 3, 8)),
        *(("shallower", 5, 12), ("shallower", None, 8)),
    ]
    pools = """
        select collection_id, pool_depth, pool_depth_source, n_pooled_runs from dim_collections
        where collection_id not in ('part', 'later', 'all') order by all
    """
    assert rows(built, pools) == [
        ("declared", 10, "inferred", 8),
        ("deep", 10, "inferred", 8),
        ("elsewhere", 10, "declared", 8),
        ("mixed", 10, "inferred", 8),
        ("not pooled", None, "unknown", 0),
        ("shallow", 3, "inferred", 8),
        ("shallower", 5, "declared", 8),
    ]


def test_figures_of_the_pool_are_about_pooled_topics(built: Warehouse) -> None:
    """Each judgement of the twelve topics is of the pool, and on the others nothing leaves it."""
    figures = """
        select collection_id, rule_id, figure from audit_verdicts
        where
            collection_id in ('mixed', 'elsewhere', 'deep')
            and rule_id in ('pool_explains', 'pool_depth', 'unjudged_left_out')
    """
    found = {(name, rule): figure for name, rule, figure in rows(built, figures)}
    assert found["mixed", "pool_explains"] == found["elsewhere", "pool_explains"] == 100
    assert found["mixed", "pool_depth"] == 3
    assert found["elsewhere", "pool_depth"] == found["deep", "pool_depth"] == 10
    left_out = "unjudged_left_out"
    assert found["elsewhere", left_out] == pytest.approx(found["deep", left_out])


def test_a_part_of_the_runs_fails_nothing(built: Warehouse) -> None:
    [(verdict, reasons)] = rows(
        built, "select verdict, verdict_reasons from audit_collections where collection_id = 'part'"
    )
    assert verdict == "cannot be told"
    assert "2 of 8 runs that took part are loaded" in reasons
    assert "r2, r3, r4 and 3 more" in reasons
    unique = "select distinct n_unique_judged, n_unique_relevant from fct_unique_contributions"
    assert rows(built, f"{unique} where collection_id = 'part'") == [(None, None)]
    recommended = "select count(*) from dim_recommended_estimators where collection_id = 'part'"
    assert rows(built, recommended) == [(0,)]


def test_runs_declared_as_not_pooled_silence_no_other(built: Warehouse) -> None:
    pooled = "select is_pooled from dim_runs where collection_id = 'later' order by run_id"
    assert [each for (each,) in rows(built, pooled)] == [True] * 6 + [False] * 2


def test_an_exhaustive_collection_needs_no_depth(built: Warehouse) -> None:
    told = """
        select judging, verdict, pool_depth, judging_caveat
        from audit_collections inner join dim_collections using (collection_id)
        where collection_id = 'all'
    """
    assert rows(built, told) == [("exhaustive", "reusable", None, None)]


def test_only_topics_of_several_pools_are_taken_apart(built: Warehouse) -> None:
    for original, depth, problem in (
        ("deep", 10, "of one pool"),
        ("mixed", 7, "there are: 3, 10$"),
        ("elsewhere", 7, r"there are: 0 \(not pooled\), 10$"),
    ):
        with pytest.raises(PoolhouseError, match=problem):
            load_derived(built, "new", original, depth=depth)


@pytest.mark.parametrize("depth", ["-5", "abc", "1.5", "99999999999"])
def test_a_depth_of_a_topic_is_a_number(tmp_path: Path, depth: str) -> None:
    attributes = tmp_path / "topics.csv"
    attributes.write_text(f"topic,pool_depth\n1,0\n2,{depth}\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 x\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    request = LoadRequest("c", (tmp_path / "run",), tmp_path / "qrels", topic_attributes=attributes)
    with pytest.raises(BadFileError, match=f"topics.csv:3: pool_depth is '{depth}'"):
        load_collection(Warehouse(tmp_path / "warehouse.duckdb"), request)
