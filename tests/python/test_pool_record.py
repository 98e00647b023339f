"""Test the record of a pool as a file: it is read back to the last bit, or its line is named."""

import json
import math
from datetime import datetime
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import invoke_on, rows
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import SourceFile, parse_pool
from poolhouse.loading.parsers.pool_records import DOCUMENT_FIELDS, LIST_FIELDS, pool_text
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

OF_SAMPLE = {
    "sampled": False,
    "stratum": 1,
    "stratum_documents": 3,
    "inclusion_probability": 2 / 3,
    "joint_probability": 0.1 + 0.2,
    "between_factor": 1,
}
DOCUMENT: dict[str, Any] = {"topic": "1", "document": "d1", "listed": True, "place": 3}
LIST: dict[str, Any] = {
    "list": 1,
    "strategy": "move_to_front",
    "budget": 6000,
    "per_topic": False,
    "seed": 0,
    "made_at": "2026-11-30T03:39:00",
    "runs": ["a1", "left the campaign"],
    "documents": [DOCUMENT, {"topic": "9", "document": "d1", "listed": False, **OF_SAMPLE}],
}
LISTS = "select * exclude (collection_key) from raw.pool_lists order by all"
DOCUMENTS = "select * exclude (collection_key) from raw.pool_documents order by all"


def record(*lists: dict[str, Any]) -> SourceFile:
    text = "\n".join(map(json.dumps, lists))
    return SourceFile(Path("pool.jsonl"), text.encode())


def test_a_record_has_the_rows_of_the_warehouse() -> None:
    parsed = parse_pool(record(LIST))
    assert parsed.lists.rows() == [
        *[(1, "move_to_front", 6000, False, 0, datetime(2026, 11, 30, 3, 39), LIST["runs"])]
    ]
    assert parsed.documents.rows() == [
        (1, "1", "d1", True, 3, None, None, None, None, None, None),
        (1, "9", "d1", False, None, False, 1, 3, 2 / 3, 0.1 + 0.2, 1.0),
    ]


words = st.text(st.characters(exclude_characters=" \t\v\f\r\n\0", codec="utf-8"), min_size=1)
numbers = st.floats(0, 1) | st.floats(0, 2**31 - 1)
documents = st.fixed_dictionaries(
    {"listed": st.booleans()}, optional={"place": st.integers(1, 2**31 - 1)}
)
samples: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.fixed_dictionaries(
    {
        "sampled": st.booleans(),
        "stratum": st.integers(1, 9),
        "stratum_documents": st.integers(1, 9),
        **{name: numbers for name in OF_SAMPLE if name.endswith(("probability", "factor"))},
    }
)
lists = st.fixed_dictionaries(
    {
        "strategy": st.just("rrf"),
        "budget": st.integers(1, 2**63 - 1),
        "per_topic": st.booleans(),
        "seed": st.integers(0, 2**31 - 1),
        "made_at": st.datetimes().map(datetime.isoformat),
        "runs": st.just(["a", "b"]),
        "documents": st.dictionaries(
            st.tuples(words, words), st.tuples(documents, samples), min_size=1
        ),
    }
)


@given(st.lists(lists, min_size=1, max_size=3))
def test_what_is_written_is_read_back_to_the_last_bit(drawn: list[dict[str, Any]]) -> None:
    given_lists = [
        {
            "list": number,
            **each,
            "documents": [
                {"topic": topic, "document": document, **one, **of_sample}
                for (topic, document), (one, of_sample) in each["documents"].items()
            ],
        }
        for number, each in enumerate(drawn, start=1)
    ]
    parsed = parse_pool(record(*given_lists))
    written = pool_text(parsed)
    assert [json.loads(line) for line in written.rstrip("\n").split("\n")] == given_lists
    again = parse_pool(SourceFile(Path("pool.jsonl"), written.encode()))
    assert again.lists.equals(parsed.lists)
    assert again.documents.equals(parsed.documents)


def without(given_object: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in given_object.items() if name != key}


def of_document(**changed: object) -> dict[str, Any]:
    return {**LIST, "documents": [{**DOCUMENT, **changed}]}


BAD_TIMES: list[object] = [
    *("2026-11-30", "20261130T033900", "2026-11-30T03:39:00+00:00", "x", None, [])
]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"", r"pool: has no list \(expected"),
        (b"\n[1]\n", "pool:2: not a JSON object"),
        (b'{"list": 1', "pool:1: not a line of JSON"),
        (b'{"list": 1, "list": 1}', "pool:1: not a line of JSON: an object has a key twice"),
        (b"[" * 100_000, "pool:1: not a line of JSON: nested too deeply"),
        ({**LIST, "lists": 1}, "pool:1: unknown key 'lists'; did you mean 'list'"),
        (without(LIST, "seed"), "pool:1: seed is missing: expected a whole number from 0"),
        (without(LIST, "documents"), "pool:1: documents: expected an object a document"),
        ({**LIST, "documents": []}, "pool:1: documents: expected"),
        ({**LIST, "documents": ["d1"]}, "pool:1: a document is no JSON object"),
        ({**LIST, "list": 0}, "pool:1: list is '0', expected a whole number from 1"),
        ({**LIST, "list": 2**31}, "pool:1: list is"),
        ({**LIST, "budget": True}, "pool:1: budget is 'True', expected a whole number"),
        ({**LIST, "budget": 2**63}, "pool:1: budget is"),
        ({**LIST, "seed": 1.0}, "pool:1: seed is '1.0', expected"),
        ({**LIST, "per_topic": 0}, "pool:1: per_topic is '0', expected true or false"),
        ({**LIST, "strategy": "a\x1b[2J"}, r"pool:1: strategy is 'a\\x1b\[2J', expected a name"),
        ({**LIST, "runs": []}, "pool:1: runs: expected names of runs"),
        ({**LIST, "runs": ["a", "a"]}, "pool:1: runs: expected names of runs"),
        ({**LIST, "runs": ["a\nb"]}, "pool:1: runs: expected names of runs"),
        ({**LIST, "runs": "a"}, "pool:1: runs is 'a', expected names of runs"),
        *(
            ({**LIST, "made_at": time}, "pool:1: made_at.* expected a time in UTC")
            for time in BAD_TIMES
        ),
        (of_document(topic=""), "pool:1: topic is '', expected one word"),
        (of_document(document="d 1"), "pool:1: document is 'd 1', expected one word"),
        (of_document(document="\ud800"), "pool:1: document is '.ud800', expected one word"),
        (of_document(topic=1), "pool:1: topic is '1', expected one word"),
        (of_document(place=None), "pool:1: place: expected a whole number from 1"),
        (of_document(place=-1), "pool:1: place is '-1', expected"),
        (of_document(rank=1), "pool:1: unknown key 'rank'"),
        (of_document(sampled=True), "pool:1: stratum is missing"),
        (of_document(**without(OF_SAMPLE, "sampled")), "pool:1: sampled is missing"),
        *(
            (
                of_document(**{**OF_SAMPLE, "joint_probability": value}),
                "pool:1: joint_probability is",
            )
            for value in (-0.1, math.nan, math.inf, "1", True)
        ),
        (b'{"list": 1e999}', "pool:1: list is 'inf'|documents: expected"),
        ({**LIST, "documents": [DOCUMENT, DOCUMENT]}, "pool:1: topic and document '1 d1' are"),
    ],
)
def test_a_bad_record_is_refused(bad: bytes | dict[str, Any], message: str) -> None:
    content = bad if isinstance(bad, bytes) else json.dumps(bad).encode()
    with pytest.raises(BadFileError, match=message) as refused:
        parse_pool(SourceFile(Path("pool"), content))
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()


def test_a_list_has_one_line_and_a_private_file_is_not_quoted() -> None:
    with pytest.raises(BadFileError, match=r"pool.jsonl:2: list 1 is there twice"):
        parse_pool(record(LIST, LIST))
    for private in ({**LIST, "seed": "hunter2"}, {**LIST, "hunter2": 1}):
        source = SourceFile(Path("pool"), json.dumps(private).encode(), is_quotable=False)
        with pytest.raises(BadFileError) as refused:
            parse_pool(source)
        assert "hunter2" not in str(refused.value)


def test_the_fields_are_the_columns(unjudged_once: Warehouse) -> None:
    """A column that a record lacks would be lost when a collection is published."""
    for table, fields in (("pool_lists", LIST_FIELDS), ("pool_documents", DOCUMENT_FIELDS)):
        columns = f"select column_name from duckdb_columns() where table_name = '{table}'"
        there = {name for (name,) in rows(unjudged_once, f"{columns} and schema_name = 'raw'")}
        here = {field.column for field in fields.values()} | {"list_number"}
        assert there - {"collection_key"} == here


@pytest.fixture
def page(unjudged_once: Warehouse, tmp_path: Path) -> Warehouse:
    """Provide the collection on a page, built without judgements."""
    return Warehouse(Path(copyfile(unjudged_once.path, tmp_path / "poolhouse.duckdb")))


FILES = "select n_rows, sha256 from ops.files where kind = 'pool'"
FINGERPRINT = "select fingerprint from ops.collection_fingerprints"


def test_a_record_is_loaded_replaced_and_forgotten(page: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl"
    before = rows(page, FINGERPRINT)
    for content in (record(LIST, {**LIST, "list": 2}), record({**LIST, "list": 4})):
        file.write_bytes(content.stored)
        assert load_collection(page, LoadRequest("page", pool=file)).changed
        assert not load_collection(page, LoadRequest("page", pool=file)).changed
        parsed = parse_pool(content)
        assert rows(page, FILES) == [(parsed.documents.height, content.sha256)]
    assert rows(page, FINGERPRINT) != before
    remove(page, "page")
    assert rows(page, LISTS) == rows(page, DOCUMENTS) == []


def test_a_list_after_a_loaded_record_has_the_next_number(page: Warehouse, tmp_path: Path) -> None:
    """The file is not the whole record any more, so that it is no file of the collection."""
    file = tmp_path / "pool.jsonl"
    file.write_bytes(record({**LIST, "list": 4}).stored)
    load_collection(page, LoadRequest("page", pool=file))
    made = ("pool", "make", "page", "--strategy", "depth", "--budget", "2")
    invoke_on(page, *made, "-o", tmp_path / "list.txt", status=0)
    assert rows(page, "select list_number, strategy from raw.pool_lists order by 1") == [
        (4, "move_to_front"),
        (5, "depth"),
    ]
    assert rows(page, FILES) == []
    assert load_collection(page, LoadRequest("page", pool=file)).changed
    assert rows(page, "select list_number from raw.pool_lists") == [(4,)]
