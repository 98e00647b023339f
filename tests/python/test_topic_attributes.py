"""Test attributes of topics: the file, the rows that are kept, and the messages of a load."""

from pathlib import Path

import pytest
from attrs import evolve

from asking import rows
from conftest import ToyFiles
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import TopicAttribute, parse_topic_attributes, read_source
from poolhouse.warehouse.file import Warehouse


def parsed(folder: Path, content: bytes | str) -> list[tuple[str, str, str]]:
    file = folder / "attributes.csv"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    found = parse_topic_attributes(read_source(file))
    assert all(isinstance(each, TopicAttribute) for each in found)
    return [(each.query, each.attribute, each.value) for each in found]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "topic,kind,words\n1,broad,3\n2,,5\n",
            [("1", "kind", "broad"), ("1", "words", "3"), ("2", "words", "5")],
        ),
        # The columns are in any order, fields have white space around them, and some records are
        # short or blank.
        (
            "kind , topic\r\n broad , 1 \r\n\r\nnarrow,2",
            [("1", "kind", "broad"), ("2", "kind", "narrow")],
        ),
        ("topic,a,b\n1,x\n", [("1", "a", "x")]),
        ('topic,kind\n1,"a, ""b"""\n', [("1", "kind", 'a, "b"')]),
        (b"\xef\xbb\xbftopic,kind\n1,caf\xe9\n", [("1", "kind", "caf\u00e9")]),
    ],
)
def test_what_is_read(tmp_path: Path, content: str | bytes, expected: object) -> None:
    assert parsed(tmp_path, content) == expected


@pytest.mark.heavy
def test_track_year_and_task_make_another_collection(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    """The values stay where a later load does not name them."""
    fingerprint = "select fingerprint, frame_fingerprint from ops.collection_fingerprints"
    found = {tuple(rows(loaded, fingerprint)[0])}
    request = toy_files.request()
    for declared in ({"track": "web"}, {"year": 2009}, {"task": "web"}, {"track": "2009"}):
        request = evolve(request, **declared)
        assert load_collection(loaded, request).changed
        found.add(tuple(rows(loaded, fingerprint)[0]))
    assert len({every for every, _ in found}) == 5
    assert len({frame for _, frame in found}) == 1
    assert rows(loaded, "select track, year, task from raw.collections") == [("2009", 2009, "web")]
