"""Test attributes of topics: the file, the rows that are kept, and the messages of a load."""

from pathlib import Path

import pytest
from attrs import evolve

from asking import rows
from conftest import ToyFiles
from poolhouse.errors import BadFileError
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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"csv:1: expected the header topic,ATTRIBUTE\[,ATTRIBUTE\]"),
        ("query,kind\n1,broad\n", "csv:1: expected the header topic"),
        ("topic,kind,kind\n1,a,b\n", "csv:1: the header names a column twice"),
        ("topic,\n1,a\n", "csv:1: the header has a column without a printable name"),
        ("topic,a\x1bb\n1,a\n", "csv:1: the header has a column without a printable name"),
        ("topic,kind\n,a\n", "csv:2: topic is empty"),
        ("topic,kind\n1,a\n2,b\n1,c\n", "csv:4: topic '1' is also in line 2"),
        ("topic,kind\n1,a,b\n", "csv:2: more fields than the header has"),
        ('topic,kind\n1,"a\n2,b\n', "line break: is a quote not closed"),
        ("topic,kind\n1,a\0b\n", "holds NUL bytes"),
        ("topic,kind\n", "csv: has no line about a topic"),
        ("topic,kind\n1,\n", "csv: has no line about a topic"),
        ("topic\n1\n", "csv: has no line about a topic"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(BadFileError, match=message):
        parsed(tmp_path, content)


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
