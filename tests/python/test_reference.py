"""The marts against the reference: small random collections, every row, every value."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from dbt.clients.yaml_helper import load_yaml_text

import measures_reference
from collection_files import write_files
from measures_reference import TREATMENTS
from poolhouse.building import build
from poolhouse.loading import load_collection
from poolhouse.project import project_folder
from poolhouse.queries import run_query
from poolhouse.warehouse import Warehouse
from reference import (
    JUDGEMENT_SETS,
    Collection,
    Description,
    Reference,
    Rows,
    RunLine,
    Value,
    pooling_order,
)

# A number is the seed of a collection. These few tell every rule of the reference from its
# neighbours, such as the paper's tie rule, ties by ascending run id, gaps untolerated, another vote
# for the depth, lambda with float noise: with each such change of the reference the test fails.
FEW = (0, 2, 6, 13, 25, 41, 169)
MANY = range(200, 220)
TOLERANCE = 1e-9
ROWS_SHOWN = 8

PROJECT: dict[str, Any] = load_yaml_text((project_folder() / "dbt_project.yml").read_text()) or {}
MATERIALIZED: list[str] = PROJECT["vars"]["measures"]

# Every name, with parameters, levels and cutoffs that are not materialized.
ASKED = (
    "P(rel=3)@7",
    "AntiP(rel=2)@3",
    "UnjudgedRate@7",
    "A@4",
    "RA",
    "RA@6",
    "Judged",
    "Judged@12",
    "R(rel=2)@4",
    "AP(rel=5)",
    "AP(rel=2)@6",
    "GMAP(rel=2)",
    "Rprec(rel=2)",
    "RR(rel=2)@4",
    "Bpref(rel=2)",
    "infAP(rel=2)",
    "Q",
    "nDCG@3",
    "ERR",
    "ERR@3",
    "RBP(p=0.5,rel=2)@4",
    "RBP(rel=2,p=0.95)",
    "RBP@7",
    "RBPResidual",
    "RBPResidual(p=0.95)@7",
    "Success(rel=2)@2",
    "IPrec@0.33",
    "IPrec(rel=2)@0.75",
    "IPrec@1",
    "SetP(rel=2)",
    "SetR(rel=2)",
    "SetF(beta=0.5)",
    "SetF(rel=2,beta=3)",
    "NumRet",
    "NumRel(rel=2)",
    "NumRelRet(rel=2)",
)

# The rows of each mart and its key; every other column that the reference has is compared.
MARTS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "dim_collections": (lambda each: each.dim_collections, "collection_id"),
    "dim_runs": (lambda each: each.dim_runs, "collection_id run_id"),
    "fct_judgements": (lambda each: each.fct_judgements, "collection_id topic_id doc_id"),
    "fct_topic_scores": (
        lambda each: each.fct_topic_scores(MATERIALIZED),
        "collection_id run_id topic_id judgement_set unjudged measure",
    ),
    "fct_run_scores": (
        lambda each: each.fct_run_scores(MATERIALIZED),
        "collection_id run_id judgement_set unjudged measure",
    ),
    "fct_bias_indicators": (
        lambda each: each.fct_bias_indicators,
        "collection_id run_id level subset cutoff",
    ),
    "fct_adjusted_scores": (
        lambda each: each.fct_adjusted_scores,
        "collection_id run_id level subset measure unjudged estimator",
    ),
    "fct_estimator_errors": (
        lambda each: each.fct_estimator_errors,
        "collection_id level subset measure unjudged estimator",
    ),
}

# Byte order is not the order of numbers, nor of UTF-16, nor that of letters in a locale.
DOCUMENTS = ("D{}", "d-{}", "FT911-{}", "Zürich_{}", "\U0001f600{}", "\uff21{}")
RUNS = ("run{}", "Run.{}", "{}x20.prf", "smith.bm25.{}", "ß{}")
TOPICS = ("{}", "40{}", "T-{}")
SCORINGS: tuple[Callable[[float], float], ...] = (
    lambda liked: round(liked, 1),  # many ties
    lambda liked: round(liked, 2),
    lambda liked: 1000 + liked / 1e4,  # ties as a 32-bit float that are none as a 64-bit one
    lambda liked: round(liked - 0.5, 1),  # below 0, and -0.0 beside 0.0
    lambda liked: liked,
)
# 5 is above the highest that ERR tells from others.
GRADES = (-1, 0, 0, 0, 0, 1, 1, 2, 5)


class Generator:
    """Draws a collection; its number decides what a few of them would miss by chance."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.random = random.Random(number)  # noqa: S311 - nothing is secret
        self.is_deep = number % 5 == 4  # deep enough to tolerate a gap
        is_long = number % 20 == 5  # runs longer than the largest cutoff of P
        self.lengths = (90, 140) if is_long else (1, 40)
        self.documents = self.names(DOCUMENTS, 150 if is_long else self.random.randint(15, 60))
        topics = self.names(TOPICS, self.random.randint(2, 7))
        self.judged_topics, self.topics = topics[:-1], topics  # the last is in runs alone
        self.appeal = {
            (topic, document): self.random.random() ** 2
            for topic in topics
            for document in self.documents
        }

    def names(self, patterns: tuple[str, ...], n: int) -> list[str]:
        return [self.random.choice(patterns).format(each) for each in range(1, n + 1)]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def collection(self) -> Collection:
        n_organizations = 1 if self.number % 20 == 1 else self.random.randint(2, 5)
        runs = {run: self.run_lines() for run in self.names(RUNS, self.random.randint(3, 9))}
        collection = Collection(
            f"random-{self.number:02}",
            runs,
            qrels=[],
            descriptions={
                run: Description(f"org{self.random.randint(1, n_organizations)}")
                for run in runs
                if self.number % 20 == 1 or self.chance(0.85)
            },
            threshold=self.random.choice((1, 1, 2)),
            pooling_order=self.random.choice(("score", "score", "file", "rank")),
        )
        depth = self.random.randint(20, 25) if self.is_deep else self.random.randint(1, 12)
        pooled = self.random.sample(list(runs), self.random.randint(2, len(runs)))
        collection.qrels = self.qrels(self.pool(collection, pooled, depth))
        if self.number % 20 == 6:  # a topic that loses every judgement with a run
            runs[pooled[0]].append(RunLine("lone", "lone", 1, 1.0))
            collection.qrels.append(("lone", "lone", 1))
        return self.declared(collection, set(pooled), depth)

    def run_lines(self) -> list[RunLine]:
        """Draw a run: the orders of its lines, ranks and scores differ here and there."""
        noise = self.random.choice((0.1, 0.4, 1.0))
        score_of = self.random.choice(SCORINGS)
        lines: list[RunLine] = []
        for topic in self.topics:
            if self.chance(0.15) and (lines or topic != self.topics[-1]):
                continue
            liked = {
                document: self.appeal[topic, document] + noise * self.random.random()
                for document in self.documents
            }
            chosen = sorted(liked, key=liked.__getitem__, reverse=True)
            chosen = chosen[: self.random.randint(*self.lengths)]
            for _ in range(self.random.choice((0, 0, 0, 2))):  # documents that are repeated
                chosen.insert(self.random.randint(0, len(chosen)), self.random.choice(chosen))
            scores = [score_of(liked[each] * self.random.choice((1, 1, 1, 0.5))) for each in chosen]
            ranks = list(range(1, len(chosen) + 1))
            if self.chance(0.3):
                self.random.shuffle(ranks)
            lines += map(RunLine, [topic] * len(chosen), chosen, ranks, scores)
        return lines

    def pool(self, collection: Collection, pooled: list[str], depth: int) -> set[tuple[str, str]]:
        return {
            (topic, document)
            for run in pooled
            for topic in self.judged_topics
            for document in pooling_order(
                [line for line in collection.runs[run] if line.topic == topic],
                collection.pooling_order,
            )[:depth]
        }

    def qrels(self, pool: set[tuple[str, str]]) -> list[tuple[str, str, int]]:
        """Judge a pool, and documents besides that nobody contributed or nobody returned."""
        for topic in self.judged_topics:
            if self.chance(0.7):
                pool |= {(topic, each) for each in self.random.sample(self.documents, 3)}
        if self.number % 20 == 0:  # nobody's first document is judged: nothing was pooled
            pool = set()
        pool |= {(topic, "nobody-returned-this") for topic in self.judged_topics}
        barren = self.random.choice(self.judged_topics) if self.chance(0.5) else None
        qrels = []
        for topic, document in sorted(pool):
            if self.is_deep and self.chance(0.03):
                continue  # a gap
            grades = GRADES if self.appeal.get((topic, document), 0) > 0.3 else (-2, 0, 0, 0, 1)
            for _ in range(2 if self.chance(0.02) else 1):  # some are judged twice
                grade = self.random.choice(grades)
                qrels.append((topic, document, min(grade, 0) if topic == barren else grade))
        return qrels

    def declared(self, collection: Collection, pooled: set[str], depth: int) -> Collection:
        """Declare depth and pooled runs, one of them, or neither."""
        described = collection.descriptions
        flags: dict[str, bool | None] = {}
        if self.number % 20 == 2:  # it is known that no run was pooled
            flags = dict.fromkeys(collection.runs, False)
            described = {run: Description("org1") for run in collection.runs} | described
        elif self.number % 4 in {2, 3} and pooled & described.keys():
            # Where some are declared as pooled, the others are not, said or unsaid.
            flags = {
                run: True if run in pooled else self.random.choice((False, None))
                for run in described
            }
        else:
            flags = {}
        return replace(
            collection,
            pool_depth=depth if self.number % 4 in {1, 3} or self.number % 20 == 2 else None,
            descriptions={
                run: replace(each, is_pooled=flags.get(run)) for run, each in described.items()
            },
        )


@pytest.fixture(
    scope="module",
    params=[pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.heavy)],
)
def references(request: pytest.FixtureRequest) -> list[Reference]:
    return [Reference(Generator(number).collection()) for number in request.param]


@pytest.fixture(scope="module")
def built(references: list[Reference], tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("reference")
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    for reference in references:
        collection = reference.collection
        load_collection(warehouse, write_files(collection, folder / collection.name))
    build(warehouse)
    return warehouse


def rows_of(warehouse: Warehouse, mart: str, key: list[str], values: list[str]) -> Rows:
    columns = ", ".join(f'"{column}"' for column in key + values)
    result = run_query(warehouse, f"select {columns} from {mart}").rows
    rows: Rows = {}
    for row in result:
        rows[tuple(row[: len(key)])] = dict(zip(values, row[len(key) :], strict=True))  # type: ignore[arg-type]
    assert len(rows) == len(result), f"{mart} has a key twice"
    return rows


def is_same(found: Value, expected: Value) -> bool:
    if isinstance(found, float) and isinstance(expected, float):
        return abs(found - expected) <= TOLERANCE
    return type(found) is type(expected) and found == expected


def differences(found: Rows, expected: Rows) -> list[str]:
    missing = [f"missing: {key}" for key in expected.keys() - found.keys()]
    extra = [f"too many: {key}" for key in found.keys() - expected.keys()]
    different = [
        f"{key}: {column} is {found[key][column]}, expected {value}"
        for key in expected.keys() & found.keys()
        for column, value in expected[key].items()
        if not is_same(found[key][column], value)
    ]
    return sorted(missing) + sorted(extra) + sorted(different)


@pytest.mark.parametrize("mart", MARTS)
def test_mart_equals_reference(mart: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = MARTS[mart]
    expected: Rows = {}
    for reference in references:
        expected |= rows(reference)
    values = list(next(iter(expected.values())))
    found = rows_of(built, mart, key.split(), values)
    wrong = differences(found, expected)
    assert not wrong, "\n".join(
        [f"{mart}: {len(wrong)} differences in {len(expected)} rows", *wrong[:ROWS_SHOWN]]
    )


def test_reference_has_every_measure() -> None:
    names = pl.read_csv(project_folder() / "seeds" / "measures.csv")["name"]
    assert set(measures_reference.MEASURES) == set(names)
    assert {measures_reference.parse(measure).name for measure in ASKED} == set(names)


@pytest.mark.parametrize("measure", ASKED)
def test_measure_that_is_asked_for(
    measure: str, references: list[Reference], built: Warehouse
) -> None:
    """By every treatment, and by a judgement set and of a collection that take turns."""
    turn = ASKED.index(measure)
    wrong = []
    for each, unjudged in enumerate(TREATMENTS, start=turn):
        reference = references[each % len(references)]
        asked = measure, JUDGEMENT_SETS[each % len(JUDGEMENT_SETS)], unjudged
        wrong += differences_of_call(built, reference, "topic_scores", asked)
        wrong += differences_of_call(built, reference, "run_scores", asked)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


def differences_of_call(
    warehouse: Warehouse, reference: Reference, macro: str, asked: tuple[str, str, str]
) -> list[str]:
    rows, key = {
        "topic_scores": (reference.topic_scores(*asked), ["run_id", "topic_id"]),
        "run_scores": (reference.run_scores(*asked), ["run_id"]),
    }[macro]
    measure, judgement_set, unjudged = asked
    call = (
        f"{macro}('{reference.collection.name}', '{measure}',"
        f" judgement_set := '{judgement_set}', unjudged := '{unjudged}')"
    )
    found = rows_of(warehouse, call, key, list(next(iter(rows.values()))))
    return [f"{call}: {each}" for each in differences(found, rows)]
