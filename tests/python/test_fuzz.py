"""Test the parsers with any bytes: both ways of reading agree, and the account balances.

The parsers raise only their own error. Few examples run by default; `just fuzz` tries many.
"""

import gzip
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from conftest import state_of
from poolhouse.building.plan import plan_of
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.expectations.figures import models_of, take_figures
from poolhouse.expectations.steps import Steps
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    lines,
    parse_descriptions,
    parse_qrels,
    parse_run,
    parse_topics,
    qrels,
    runs,
)
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.progress import no_progress
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class Format:
    """A format of lines: its fields, the function for odd lines, and the parser of a file."""

    schema: dict[str, type[pl.DataType]]
    check: Callable[[bytes], pl.DataFrame]
    parse: Callable[[SourceFile], ParsedFile]


RUN = Format(runs._SCHEMA, runs._check, parse_run)
QRELS = Format(qrels._SCHEMA, partial(qrels._check, schema=qrels._SCHEMA), parse_qrels)
FORMATS = pytest.mark.parametrize("format_", [RUN, QRELS], ids=["run", "qrels"])

MARK = b"\xef\xbb\xbf"

# ------------------------------------------------------- files that are, or nearly are, uniform

ODD_NUMBERS = (
    *("1", "0", "-0", "+0", "+3", "-3", "007", "-007", "00", "--1", "+-1", "+", "-", "1-", "1+"),
    *("1.", ".5", ".", "-.5", "+.5", "5.e1", ".e1", "1.2.3", "0.1", "1,5", "1e5", "1E+5", "1e-5"),
    *("1e", "e5", "1e+", "1e400", "-1e400", "1e-400", "1e39", "1e5.0", "0x10", "0x1p3", "0b1"),
    *("1_0", "inf", "-inf", "+inf", "Inf", "INF", "infinity", "Infinity", "nan", "-nan", "NaN"),
    *("NA", "null", "None", "true", "1f", "1d", "1L", "1%", '"1"', "'1'", "'", '"'),
    *("2147483647", "2147483648", "-2147483648", "-2147483649", "99999999999", "9" * 400),
    *("0." + "0" * 400 + "1", "1" + "0" * 308, "4.9e-324", "2.4703282292062327e-324"),
    *("1.7976931348623157e308", "1.7976931348623159e308", "9007199254740993"),
    # digits, signs and blanks of other scripts
    *("\u0661", "\u00b2", "\uff11", "\u2212" + "1", "\u00bd", "1\u00a0", "\u00a01", "\u20031"),
)
ODD_WORDS = (
    *("Q0", "D-1", "caf\u00e9", "\U0001f600", '"a', 'a"', '"a"', "''", "#x"),
    *("a,b", "a;b", "\\", "%"),
    *("a\u0085b", "\u2028", "\u2029", "\ufeff", "\ufeff1", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f"),
    *("\x01", "\x1a", "\x1b[31m", "e\u0301", "\u202e", "\ufffd", "\uffff", "x" * 5000),
)
odd_field = st.one_of(
    st.sampled_from(ODD_NUMBERS + ODD_WORDS),
    st.text(alphabet="0123456789+-.eE", max_size=6),
    st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=4),
)
good_number = st.one_of(st.integers(-99, 99).map(str), st.floats(width=32).map(str))
SEPARATORS = st.sampled_from([" ", "\t"])


@st.composite
def nearly_uniform(draw: st.DrawFn, format_: Format) -> bytes:
    """Draw lines of the right fields with one separator; break few of these rules."""
    separator = draw(SEPARATORS)
    n_odd = draw(st.integers(0, 3))
    rows = [
        ["7" if kind.is_numeric() else f"w{row % 3}" for kind in format_.schema.values()]
        for row in range(draw(st.integers(1, 6)))
    ]
    for _ in range(n_odd):
        row = draw(st.sampled_from(rows))
        row[draw(st.integers(0, len(row) - 1))] = draw(st.one_of(odd_field, good_number))
    text = "\n".join(map(separator.join, rows)) + draw(st.sampled_from(["", "\n", "\n\n", "\r\n"]))
    data = text.encode()
    if draw(st.booleans()):
        return data
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == ord("\n"))]
    at = draw(st.one_of(st.integers(0, len(data)), st.sampled_from(starts)))
    odd = (
        *(b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\x0b", b"\x0c", b"\xff", b"#", b" #"),
        *(MARK, MARK + MARK),
    )
    return data[:at] + draw(st.sampled_from(odd)) + data[at:]


any_text = st.one_of(
    st.binary(max_size=80),
    st.lists(st.one_of(odd_field, good_number), max_size=30).map(" ".join).map(str.encode),
    st.lists(odd_field, max_size=30).map("\t".join).map(str.encode),
)


@pytest.mark.heavy
@FORMATS
@given(data=st.data())
def test_the_fast_way_and_the_tolerant_way_agree(format_: Format, data: st.DataObject) -> None:
    content = data.draw(st.one_of(nearly_uniform(format_), any_text), label="content")
    try:
        text = SourceFile(Path("file"), content).data
    except BadFileError:
        return
    fast = lines._read_uniform(text, format_.schema, lines._count_lines(text))
    uniform = lines._with_single_blanks(text)
    slow = format_.check(uniform)
    if fast is not None:
        assert slow["reason"].is_null().all()
        assert_frame_equal(fast, slow.select(fast.columns), check_exact=True)
    # The fast way is tried again after white space was made uniform, as the parsers do.
    fast = lines._read_uniform(uniform, format_.schema, lines._count_lines(text))
    if fast is not None:
        assert_frame_equal(fast, slow.select(fast.columns), check_exact=True)


def test_the_fast_way_is_taken() -> None:
    """Otherwise, the test above would compare nothing."""
    for separator in (b" ", b"\t"):
        for format_, line in ((RUN, b"1 Q0 d 1 2.5 t"), (QRELS, b"1 0 d 1")):
            text = line.replace(b" ", separator) + b"\n"
            assert lines._read_uniform(text * 3, format_.schema, 3) is not None


@pytest.mark.heavy
@FORMATS
@given(data=st.data())
def test_where_text_is_cut_into_pieces_does_not_show(format_: Format, data: st.DataObject) -> None:
    content = data.draw(st.one_of(nearly_uniform(format_), any_text), label="content")
    source = SourceFile(Path("file"), content)
    try:
        whole = format_.parse(source)
    except BadFileError:
        return
    longest = max(len(line) + 1 for line in source.data.split(b"\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_PIECE", longest + data.draw(st.integers(0, 40), label="more"))
        pieces = format_.parse(source)
    assert_frame_equal(whole.rows, pieces.rows, check_exact=True)
    assert_frame_equal(whole.rejected, pieces.rejected)
    assert (whole.n_lines, whole.n_blank, whole.n_duplicates) == (
        *(pieces.n_lines, pieces.n_blank, pieces.n_duplicates),
    )


# ---------------------------------------------------------------------------------- whole files

csv_like = st.lists(
    st.lists(
        st.sampled_from(
            [
                *('"', '""', "a", "b", "", " ", "\0", "\r"),
                *("run", "organization", "type", "pooled", "yes"),
            ]
        ),
        max_size=6,
    ).map(",".join),
    max_size=6,
).map("\n".join)
described = st.one_of(
    csv_like.map(str.encode),
    csv_like.map(lambda text: f"run,organization,type,pooled\n{text}".encode()),
    st.lists(
        st.sampled_from(
            [
                *("<set>", "</set>", "<runs>", "</runs>", "<tag>", "</tag>", "<organization>"),
                *("</organization>", "a", "&lt;", "&x;", "<!DOCTYPE a [", "<!ENTITY x 'y'>", "]>"),
                *('<?xml version="1.0" encoding="utf-16"?>', "<![CDATA[", "]]>", "<!--"),
                *("\0", "\xe9"),
            ]
        ),
        max_size=12,
    ).map(lambda parts: ("<" * (parts == []) + "".join(parts)).encode()),
    st.sampled_from(
        ["undefined", "utf-7", "idna", "rot13", "punycode", "utf-32", "zlib", "cp037"]
    ).map(lambda name: f'<?xml version="1.0" encoding="{name}"?><a/>'.encode()),
)
titled = st.lists(
    st.lists(
        st.sampled_from(["401", "\t", " ", "title", "\0", "\r", "\u2028", "\x85"]), max_size=5
    ),
    max_size=5,
).map(lambda rows: "\n".join(map("".join, rows)).encode())


@given(content=st.one_of(st.binary(max_size=60), described))
def test_descriptions_are_parsed_or_refused(content: bytes) -> None:
    try:
        found = parse_descriptions(SourceFile(Path("runs.csv"), content))
    except BadFileError:
        return
    assert all(run.run_id.strip() and run.organization.strip() for run in found)
    assert len({run.run_id for run in found}) == len(found)


@given(content=st.one_of(st.binary(max_size=60), titled))
def test_topics_are_parsed_or_refused(content: bytes) -> None:
    try:
        found = parse_topics(SourceFile(Path("topics.tsv"), content))
    except BadFileError:
        return
    assert found.n_lines == found.rows.height + found.n_blank
    assert found.rows["query"].is_unique().all()


def damaged(stored: bytes, data: st.DataObject) -> bytes:
    """Cut a file off, or change some of its bytes."""
    if data.draw(st.booleans(), label="is cut off"):
        return stored[: data.draw(st.integers(0, len(stored)))]
    changed = bytearray(stored)
    for at in data.draw(st.lists(st.integers(0, len(stored) - 1), max_size=3), label="changed at"):
        changed[at] ^= data.draw(st.integers(0, 255))
    return bytes(changed)


@given(data=st.data(), text=nearly_uniform(RUN))
def test_a_damaged_gz_file_is_whole_or_refused(data: st.DataObject, text: bytes) -> None:
    stored = damaged(gzip.compress(text) + gzip.compress(b"1 Q0 d 1 1 t\n"), data)
    try:
        found = parse_run(SourceFile(Path("run.gz"), stored))
    except BadFileError:
        return
    assert found.n_lines == found.rows.height + found.n_blank + found.rejected.height


# ---------------------------------------------------------------------------------- whole loads


def broken_promises(warehouse: Warehouse) -> set[str]:
    """Return the promises of raw files that a collection breaks: the check's own SQL, by itself."""
    with warehouse.read() as connection:
        keys = "select collection_key, collection_id from raw.collections"
        at_hand = dict(connection.execute(keys).fetchall())
        models = models_of(connection, plan_of({}))
        figures = take_figures(connection, models, at_hand, {}, Steps(no_progress, 60))
    return {name for (_, name), [each, *_] in figures.of_collections.items() if each.n_unexpected}


def _file_name(text: str) -> str:
    return text.replace("/", "_").replace("\0", "_")


@pytest.mark.heavy
@settings(
    max_examples=max(8, settings().max_examples // 10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    run=st.one_of(any_text, nearly_uniform(RUN)),
    judgements=st.one_of(any_text, nearly_uniform(QRELS)),
    descriptions=st.none() | st.binary(max_size=40) | described,
    topics=st.none() | st.binary(max_size=40) | titled,
    is_strict=st.booleans(),
    is_compressed=st.booleans(),
    name=st.one_of(st.just("amber"), st.text(min_size=1, max_size=20).map(_file_name)),
    collection=st.one_of(st.just("toy"), st.text(max_size=10)),
)
@example(
    *(b"1 Q0 d 1 2 t", b"1 0 d 1", None, None),
    *(False, False, "amber", "'; drop table raw.runs; --"),
)
def test_a_load_is_whole_or_leaves_the_warehouse_alone(  # noqa: PLR0913, PLR0917 - drawn by name
    loaded: Warehouse,
    run: bytes,
    judgements: bytes,
    descriptions: bytes | None,
    topics: bytes | None,
    is_strict: bool,
    is_compressed: bool,
    name: str,
    collection: str,
) -> None:
    before = state_of(loaded.path)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        contents = {"qrels": judgements, "descriptions": descriptions, "topics": topics}
        for kind, content in contents.items():
            if content is not None:
                (folder / kind).write_bytes(content)
        (folder / "runs").mkdir()
        try:
            file = folder / "runs" / name
            file.write_bytes(gzip.compress(run) if is_compressed else run)
        except (OSError, ValueError):
            return  # no file can have such a name
        given_files = {
            kind: None if content is None else folder / kind for kind, content in contents.items()
        }
        try:
            request = LoadRequest(
                collection,
                run_files([file]),
                given_files["qrels"],
                descriptions=given_files["descriptions"],
                topics=given_files["topics"],
                strict=is_strict,
            )
            report = load_collection(loaded, request)
        except PoolhouseError as error:
            assert str(error)
            assert state_of(loaded.path) == before
            return
    assert report.n_rejected == 0 or not is_strict
    assert broken_promises(loaded) == set()
