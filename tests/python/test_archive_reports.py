"""Compare the marts over many collections with a reference, on random collections."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

import archives_reference
from archives_reference import Dated
from built_collections import built_and_tested, kept_open, only_many
from collection_files import write_files
from compared_rows import assert_equals, assert_none, wrong_rows
from conftest import NewWarehouse
from measures_reference import over_topics
from poolhouse.errors import PoolhouseError
from poolhouse.loading.archives import Entry, load_archive
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference, Rows

# In one of the collections, no run is pooled. Their years are not in order.
MANY = (2, 13, 25, *range(400, 405))

# Tracks, years and tasks that the collections get in turn. A year occurs twice in one track and
# task, and some collections have no year or no track.
PLACES = (
    ("web", 2010, "ad-hoc"),
    ("web", 2009, "ad-hoc"),
    ("web", 2010, "ad-hoc"),
    ("web", 2009, None),
    ("web", 2011, None),
    ("news", 2009, "ad-hoc"),
    ("web", None, "ad-hoc"),
    (None, 2008, None),
)
KINDS = ("broad", "narrow", "3", 'Zürich, "q"')


def dated(number: int, place: tuple[str | None, int | None, str | None]) -> Dated:
    """Draw a collection with attributes of some topics, and of a topic that it does not have."""
    reference = Reference(Generator(number).collection())
    random = Random(number)  # noqa: S311 - nothing is secret
    attributes = {
        topic: {
            "kind": random.choice(KINDS),
            **({"odd name": random.choice(KINDS)} if random.random() < 0.5 else {}),
        }
        for topic in [*reference.topics[1:], "of no topic"]
    }
    return Dated(reference, *place, attributes)


def with_files(each: Dated, folder: Path) -> LoadRequest:
    request = write_files(each.reference.collection, folder)
    attributes = folder / "attributes.csv"

    def quoted(value: str) -> str:
        return '"' + value.replace('"', '""') + '"'

    attributes.write_text(
        "odd name,topic,kind\n"
        + "".join(
            f"{quoted(values.get('odd name', ''))},{topic},{quoted(values['kind'])}\n"
            for topic, values in each.attributes.items()
        )
    )
    return evolve(
        request,
        track=each.track,
        year=each.year,
        task=each.task,
        topic_attributes=attributes,
    )


@pytest.fixture(scope="module", params=only_many(MANY))
def collections(request: pytest.FixtureRequest) -> list[Dated]:
    return [dated(number, PLACES[at % len(PLACES)]) for at, number in enumerate(request.param)]


@pytest.fixture(scope="module")
def built(
    collections: list[Dated], new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("archive_reports")
    warehouse = new_warehouse(folder)
    load_archive(
        warehouse,
        [
            (Entry(folder, at, at), with_files(each, folder / str(at)))
            for at, each in enumerate(collections)
        ],
    )
    yield from kept_open(built_and_tested(warehouse))


@pytest.mark.parametrize(
    ("mart", "rows", "key"),
    [
        ("audits.rpt_archive", archives_reference.rpt_archive, "collection_id"),
        (
            "audits.rpt_organizations_by_year",
            archives_reference.rpt_organizations_by_year,
            "organization collection_id",
        ),
        (
            "dim_topic_attributes",
            archives_reference.dim_topic_attributes,
            "collection_id topic_id attribute",
        ),
    ],
)
def test_mart_equals_reference(
    mart: str,
    rows: Callable[[Sequence[Dated]], Rows],
    key: str,
    collections: list[Dated],
    built: Warehouse,
) -> None:
    assert_equals(mart, key, [rows(collections)], built)


@pytest.mark.parametrize(
    ("asked", "attribute", "judgement_set"),
    [("AP", "kind", "full"), ("GMAP", "odd name", "full"), ("P@5", "kind", "without_run")],
)
def test_scores_of_slices_equal_reference(
    asked: str, attribute: str, judgement_set: str, collections: list[Dated], built: Warehouse
) -> None:
    for each in collections:
        call = (
            f"attribute_scores('{each.name}', '{asked}', '{attribute}', "
            f"judgement_set := '{judgement_set}')"
        )
        if not any(attribute in each.attributes.get(topic, {}) for topic in each.reference.topics):
            with pytest.raises(PoolhouseError, match="no attribute"):
                run_query(built, f"select * from {call}")
            continue
        scores = each.reference.topic_scores(asked, judgement_set, "nonrelevant")
        of_slice: dict[tuple[str, str | None], list[tuple[float, bool]]] = {}
        for (run, topic), row in scores.items():
            value = each.attributes.get(str(topic), {}).get(attribute)
            score = float(row["score"] or 0), bool(row["is_answered"])
            of_slice.setdefault((str(run), value), []).append(score)
        expected: Rows = {
            key: {
                "score": over_topics(asked, [score for score, answered in rows if answered]),
                "score_all_topics": over_topics(asked, [score for score, _ in rows]),
                "n_topics": sum(answered for _, answered in rows),
                "n_judged_topics": len(rows),
            }
            for key, rows in of_slice.items()
        }
        assert_none(wrong_rows(built, call, "run_id value", expected))


def test_collections_know_their_place(collections: list[Dated], built: Warehouse) -> None:
    query = "select collection_id, track, year, task from dim_collections order by all"
    assert sorted(map(tuple, run_query(built, query).rows)) == sorted(
        (each.name, each.track, each.year, each.task) for each in collections
    )
