"""Test the parsers: the rows of lines, the reasons of rejected lines, and errors of files.

Lines of runs are in test_hostile_files, which loads them.
"""

import bz2
import contextlib
import csv
import gzip
import itertools
import lzma
import re
import zlib
from collections.abc import Callable
from math import isfinite
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from conftest import OF_DEV
from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import (
    ParsedFile,
    RunDescription,
    SourceFile,
    parse_descriptions,
    parse_qrels,
    parse_run,
    parse_topics,
    run_id_of,
)
from poolhouse.loading.parsers.lines import _COMPRESSED_MARKS


def source(content: bytes | str, name: str = "file") -> SourceFile:
    stored = content.encode() if isinstance(content, str) else content
    return SourceFile(Path(name), stored)


def ranked(content: bytes | str) -> list[tuple[object, ...]]:
    """Parse a run whose lines are all good: (query, docno, rank, score, tag)."""
    parsed = parse_run(source(content))
    assert parsed.rejected.is_empty()
    return parsed.rows.select("query", "docno", "rank", "score", "tag").rows()


def judged(content: bytes | str) -> list[tuple[object, ...]]:
    """Parse qrels whose lines are all good: (query, iteration, docno, grade)."""
    parsed = parse_qrels(source(content))
    assert parsed.rejected.is_empty()
    return parsed.rows.select("query", "iteration", "docno", "grade").rows()


# ------------------------------------------------------------------------------------- run files


@pytest.mark.parametrize(
    ("file_name", "run_id"),
    [
        ("plain", "plain"),
        ("smith.bm25", "smith.bm25"),
        ("10x20.prf.unipd.it.gz", "10x20.prf.unipd.it"),
        ("input.x.gz", "x"),
        ("input.x", "x"),
        ("x.input.gz", "x.input"),
        ("input.input.x", "input.x"),
        ("x.gz.gz", "x.gz"),
        ("x.txt", "x.txt"),
        ("Input.x.GZ", "Input.x.GZ"),
    ],
)
def test_a_run_is_named_by_its_file(file_name: str, run_id: str) -> None:
    assert run_id_of(file_name) == run_id


@pytest.mark.parametrize(
    ("rest", "tag"),
    [
        ("", None),
        (" tag", "tag"),
        (" two words", "two words"),
        (" of  several\twords ", "of several words"),
    ],
)
def test_everything_after_the_score_is_the_tag(rest: str, tag: str | None) -> None:
    assert ranked(f"401 Q0 DOC-1 7 2.5{rest}\n402 Q0 DOC-2 1 1 x") == [
        ("401", "DOC-1", 7, 2.5, tag),
        ("402", "DOC-2", 1, 1.0, "x"),
    ]


@pytest.mark.heavy
def test_the_marks_are_those_that_polars_decompresses() -> None:
    """Otherwise, text with such a beginning would be decompressed, without a limit."""
    found = set()
    text = b"a b\n" * 50
    deflated = zlib.compressobj(wbits=-15)
    packed = deflated.compress(text) + deflated.flush() + zlib.adler32(text).to_bytes(4, "big")
    pa = pytest.importorskip("pyarrow", reason=OF_DEV)
    zstd = pa.BufferOutputStream()
    with pa.CompressedOutputStream(zstd, "zstd") as stream:
        stream.write(text)
    candidates = [
        bytes(two) + packed for two in itertools.product([*range(0x68, 0x80)], range(256))
    ]
    candidates += [gzip.compress(text), bz2.compress(text), lzma.compress(text)]
    for stored in (*candidates, zstd.getvalue().to_pybytes()):
        with contextlib.suppress(pl.exceptions.PolarsError):
            schema = {"a": pl.String, "b": pl.String}
            rows = pl.read_csv(stored, separator=" ", has_header=False, schema=schema)
            found |= {stored[:2]} if rows.height == 50 else set()
    assert found == {mark[:2] for mark in _COMPRESSED_MARKS}


def test_lines_keep_their_numbers() -> None:
    parsed = parse_run(source(b"\n1 Q0 a 1 3 t\r\n \t \r\nshort line\n1 Q0 b 2 2 t\n\n1 Q0 c 3 x"))
    assert parsed.rows.select("line_number", "docno").rows() == [(2, "a"), (5, "b")]
    assert parsed.rejected.rows() == [
        (4, "too_few_fields", "short line"),
        (7, "document_or_rank_missing", "1 Q0 c 3 x"),
    ]
    assert (parsed.n_lines, parsed.n_blank) == (7, 3)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("separator", [b" ", b"\t", b"  "])
def test_a_line_that_begins_with_a_hash_is_a_comment(separator: bytes, line_end: bytes) -> None:
    """A comment may have as many words as a row. Ids may contain the mark."""
    comments = [b"# Q0 a 1 3 t", b"#1 Q0 a 1 3 t", b" # two", b"#"]
    lines = [comments[0], b"1 Q0 D#1 1 3 t", *comments[1:3], b"1 Q0 #b 1 2 t", comments[3]]
    parsed = parse_run(source(line_end.join(lines).replace(b" ", separator)))
    assert parsed.rows.select("line_number", "docno").rows() == [(2, "D#1"), (5, "#b")]
    assert (parsed.n_lines, parsed.n_blank, parsed.rejected.height) == (6, 4, 0)
    parsed = parse_qrels(source(line_end.join([b"# 0 a 1", b"1 0 D#1 1"]).replace(b" ", separator)))
    assert parsed.rows.select("line_number", "docno").rows() == [(2, "D#1")]


def test_latin_1_keeps_the_order_of_the_bytes() -> None:
    documents = [bytes([byte]) for byte in (0x21, 0x7E, 0x80, 0xA1, 0xC3, 0xFF)]
    parsed = parse_run(source(b"\n".join(b"1 Q0 " + each + b" 1 2 t" for each in documents)))
    in_order = [text.encode() for text in parsed.rows["docno"]]
    assert in_order == sorted(in_order)
    assert len(set(in_order)) == len(documents)


# ----------------------------------------------------------------------------------------- qrels


def test_qrels_keep_every_grade() -> None:
    """A document may be judged again, and the second field holds whatever somebody wrote there."""
    content = "401 0 A 1\n401\t0  B\t0\r\n 401 1e-3 C -1\n401 0.5 A -2\n402 0 A +4\n402 0 A +4\n"
    assert judged(f"{content}402 0 D 2147483647\n402 0 E -2147483648") == [
        ("401", "0", "A", 1),
        ("401", "0", "B", 0),
        ("401", "1e-3", "C", -1),
        ("401", "0.5", "A", -2),
        ("402", "0", "A", 4),
        ("402", "0", "A", 4),
        ("402", "0", "D", 2**31 - 1),
        ("402", "0", "E", -(2**31)),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("401 0 A", "too_few_fields"),
        ("401 0  1", "too_few_fields"),
        ("401 0 A 1 5", "too_many_fields"),
        ("401 0 A B 1", "too_many_fields"),
        ("401 0 A relevant", "grade_not_an_integer"),
        ("401 0 A 1.0", "grade_not_an_integer"),
        ("401 0 A 2147483648", "grade_not_an_integer"),
        ("401 0 A 99999999999", "grade_not_an_integer"),
        ("401 0 A NaN", "grade_not_an_integer"),
    ],
)
def test_a_line_that_is_no_judgement_is_set_aside(line: str, reason: str) -> None:
    parsed = parse_qrels(source(f"401 0 Z 1\n{line}\n"))
    assert parsed.rejected.select("line_number", "reason").rows() == [(2, reason)]
    assert parsed.rows["docno"].to_list() == ["Z"]


# ------------------------------------------------------------------------- both: every line counts

MARK = b"\xef\xbb\xbf"
A_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
AN_INTEGER = re.compile(r"[+-]?[0-9]+")

field = st.one_of(
    st.sampled_from([b"401", b"Q0", b"0", b"D-1", b"\xe9", b"\xc3\xa9", b"\x00", b"1", b"nan"]),
    st.text(alphabet="0123456789+-.eE", min_size=1, max_size=5).map(str.encode),
)
line = st.one_of(
    st.lists(field, min_size=3, max_size=7).map(b" ".join),
    st.binary(max_size=20),
    st.sampled_from([b"", b" ", b"\t", b"\xc2\x85", b"\xe2\x80\xa8", b"#", b" #1 0 d 1", b"#\0"]),
)
file_content = st.builds(
    lambda mark, line_end, lines, end: mark + line_end.join(lines) + end,
    st.sampled_from([b"", MARK]),
    st.sampled_from([b"\n", b"\r\n", b"\r", b" \n\t"]),
    st.lists(line, max_size=12),
    st.sampled_from([b"", b"\n", b"\r\n", b"\n\n"]),
)


def text_of(field: bytes) -> str:
    """Decode UTF-8, and any other byte as Latin-1."""
    try:
        return field.decode()
    except UnicodeDecodeError as error:
        start = error.start
        return field[:start].decode() + chr(field[start]) + text_of(field[start + 1 :])


def parsed_unless_refused(parse: Callable[[SourceFile], ParsedFile], content: bytes) -> ParsedFile:
    """Parse content; other tests are about packed content and UTF-16."""
    try:
        return parse(source(content))
    except BadFileError:
        reject()


def lines_in_plain_python(content: bytes) -> list[list[str] | None]:
    """Split content into lines of fields, as trec_eval would.

    A line that is no text gives None, and a comment no field.
    """
    lines = content.removeprefix(MARK).split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [
        []
        if line.lstrip().startswith(b"#")
        else None
        if b"\0" in line or b"\r" in line.strip(b" \t\v\f\r")
        else [text_of(field) for field in line.split()]
        for line in lines
    ]


@given(content=st.one_of(file_content, st.binary(max_size=200)))
@example(content=b"")
@example(content=MARK)
@example(content=MARK + b"\n")
@example(content=b"1 Q0 d 1 1e400 t")
@example(content=MARK + MARK)
@example(content=b" " + MARK)
@example(content=b"x\x01\xc0")  # zlib begins so
def test_runs_are_read_as_plain_python_reads_them(content: bytes) -> None:
    parsed = parsed_unless_refused(parse_run, content)
    lines = lines_in_plain_python(content)
    assert parsed.rows.select("line_number", "query", "docno", "score").rows() == [
        (number, fields[0], fields[2], float(fields[4]))
        for number, fields in enumerate(lines, start=1)
        if fields
        and len(fields) >= 5
        and A_NUMBER.fullmatch(fields[4])
        and isfinite(float(fields[4]))
    ]
    assert parsed.n_blank == sum(fields == [] for fields in lines)
    assert parsed.n_lines == len(lines)
    assert parsed.n_lines == parsed.rows.height + parsed.n_blank + parsed.rejected.height
    keys = parsed.rows.select("query", "docno").rows()
    assert parsed.n_duplicates == len(keys) - len(set(keys))


@given(content=st.one_of(file_content, st.binary(max_size=200)))
@example(content=b"1 0 d 2147483648")
def test_qrels_are_read_as_plain_python_reads_them(content: bytes) -> None:
    parsed = parsed_unless_refused(parse_qrels, content)
    lines = lines_in_plain_python(content)
    assert parsed.rows.select("line_number", "query", "docno", "grade").rows() == [
        (number, fields[0], fields[2], int(fields[3]))
        for number, fields in enumerate(lines, start=1)
        if fields
        and len(fields) == 4
        and AN_INTEGER.fullmatch(fields[3])
        and abs(int(fields[3])) < 2**31
    ]
    assert parsed.n_blank == sum(fields == [] for fields in lines)
    assert parsed.n_lines == len(lines)
    assert parsed.n_lines == parsed.rows.height + parsed.n_blank + parsed.rejected.height


# ---------------------------------------------------------------------------------- source files


def test_the_hash_is_of_the_stored_bytes() -> None:
    assert (
        source(b"abc").sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert source(b"abc").sha256 != source(gzip.compress(b"abc"), "file.gz").sha256


WHOLE_GZIP = gzip.compress(b"1 Q0 d 1 2 t\n" * 100)


@pytest.mark.parametrize(
    "stored",
    [
        WHOLE_GZIP[: len(WHOLE_GZIP) // 2],
        WHOLE_GZIP[:-1],
        WHOLE_GZIP[:-8] + b"\x00" * 8,
        WHOLE_GZIP[:12] + b"\xff\xff\xff" + WHOLE_GZIP[15:],
        b"1 Q0 d 1 2 t\n",
    ],
    ids=["half", "last_byte_missing", "wrong_checksum", "damaged_within", "not_compressed"],
)
def test_a_damaged_gz_file_is_a_bad_file(stored: bytes) -> None:
    with pytest.raises(BadFileError, match=r"^run\.gz: not a (whole )?gzip file"):
        parse_run(source(stored, "run.gz"))


# ---------------------------------------------------------------------------------- descriptions


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"run,organization\na,o\n", RunDescription("a", "o")),
        (b"organization,run\no,a", RunDescription("a", "o")),
        (b"\xef\xbb\xbfrun,organization\r\na,o\r\n", RunDescription("a", "o")),
        (b"run,organization\n\na,o\n\n", RunDescription("a", "o")),
        (b'run, organization\n a , "o, p" \n', RunDescription("a", "o, p")),
        (b"run,organization\na,caf\xe9\n", RunDescription("a", "caf\u00e9")),
        (b"run,year,organization\na,1999,o\n", RunDescription("a", "o")),
        (b"run,organization,type\na,o,\n", RunDescription("a", "o")),
        (b"run,organization,type\na,o\n", RunDescription("a", "o")),
        (
            b"run,organization,type,pooled\na,o,manual,no\n",
            RunDescription("a", "o", "manual", False),
        ),
        (b"run,organization,depth\na,o, 7 \n", RunDescription("a", "o", None, True, 7)),
        (
            b"run,organization,pooled,depth\na,o,yes,2147483647\n",
            RunDescription("a", "o", None, True, 2**31 - 1),
        ),
        (b"run,organization,pooled,depth\na,o,no,\n", RunDescription("a", "o", None, False)),
    ],
)
def test_descriptions_in_csv(content: bytes, expected: RunDescription) -> None:
    assert parse_descriptions(source(content)) == [expected]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *((word, True) for word in ("true", "T", "yes", "Y", "1", " True ")),
        *((word, False) for word in ("false", "F", "no", "N", "0")),
        ("", None),
        (" ", None),
    ],
)
def test_pooled_is_a_yes_a_no_or_nothing(word: str, expected: bool | None) -> None:
    [run] = parse_descriptions(source(f"run,organization,pooled\na,o,{word}\n"))
    assert run.is_pooled is expected


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", r"^runs:1: expected the header run,organization"),
        (b"run,organization\n\n", r"^runs: describes no run"),
        (b"<html><body>404</body></html>", r"^runs: describes no run"),
        (b"<set><run><tag>a</tag><organization>o</organization></run></set>", r"describes no run"),
        (b"a,o\n", r"^runs:1: expected the header run,organization"),
        (b"run;organization\na;o\n", r"^runs:1: expected the header run,organization"),
        (b"run,organization\na,o\nb,\n", r"^runs:3: run or organization is empty"),
        (b"run,organization\na,o\n ,o\n", r"^runs:3: run or organization is empty"),
        (b"run,organization\na\n", r"^runs:2: run or organization is empty"),
        (b"run,organization\na,o\na,p\n", r"^runs:3: run 'a' is described twice"),
        (b"run,organization,pooled\na,o,maybe\n", r"^runs:2: pooled is 'maybe', expected true or"),
        (b"run,organization,depth\na,o,0\n", r"^runs:2: depth is '0', expected a number of ranks"),
        (b"run,organization,depth\na,o,-1\n", r"^runs:2: depth is '-1', expected"),
        (b"run,organization,depth\na,o,1.5\n", r"^runs:2: depth is '1.5', expected"),
        (b"run,organization,depth\na,o,2147483648\n", r"from 1 to 2147483647"),
        (b"run,organization,depth\na,o,99999999999999999999\n", r"from 1 to 2147483647"),
        (b"run,organization,pooled,depth\na,o,no,7\n", r"^runs:2: depth is 7 of a run that was no"),
    ],
)
def test_descriptions_in_csv_that_are_wrong_name_the_line(content: bytes, problem: str) -> None:
    with pytest.raises(BadFileError, match=problem):
        parse_descriptions(source(content, "runs"))


RUNS_XML = """\
<set>
  <runs><tag> a </tag><organization>o &amp; p</organization><other>x</other></runs>
  <group><runs><organization>q</organization><tag>b</tag></runs></group>
</set>
"""


@pytest.mark.parametrize("start", ["", '<?xml version="1.0"?>\n', "\ufeff", "\n  "])
def test_descriptions_in_xml(start: str) -> None:
    assert parse_descriptions(source(start + RUNS_XML)) == [
        RunDescription("a", "o & p"),
        RunDescription("b", "q"),
    ]


def test_descriptions_in_xml_may_name_their_encoding() -> None:
    declared = b'<?xml version="1.0" encoding="ISO-8859-1"?>'
    content = b"<set><runs><tag>a</tag><organization>caf\xe9</organization></runs></set>"
    assert parse_descriptions(source(declared + content)) == [RunDescription("a", "caf\u00e9")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("<set><runs></set>", "^runs: not well-formed XML: mismatched tag: line 1"),
        ("<set><runs><tag>a</tag></runs></set>", "^runs: <runs> number 1 lacks a <tag> or an <org"),
        (
            "<set><runs><tag> </tag><organization>o</organization></runs></set>",
            "^runs: <runs> number 1 lacks a <tag> or an <org",
        ),
        (
            "<set>" + "<runs><tag>a</tag><organization>o</organization></runs>" * 2 + "</set>",
            "^runs: run 'a' is described twice",
        ),
        (
            '<!DOCTYPE set [<!ENTITY a "aaaa">]><set><runs><tag>&a;</tag></runs></set>',
            "^runs: not well-formed XML: EntitiesForbidden",
        ),
        (
            '<!DOCTYPE set [<!ENTITY a SYSTEM "file:///etc/hostname">]><set>&a;</set>',
            "^runs: not well-formed XML: EntitiesForbidden",
        ),
    ],
    ids=["not_closed", "no_organization", "empty_tag", "twice", "entity", "external_entity"],
)
def test_descriptions_in_xml_that_are_wrong(content: str, problem: str) -> None:
    with pytest.raises(BadFileError, match=problem):
        parse_descriptions(source(content, "runs"))


@pytest.mark.parametrize("encoding", ["no-such-encoding", "hex"])
def test_an_unknown_encoding_is_a_bad_file(encoding: str) -> None:
    with pytest.raises(BadFileError, match=r"^runs: not well-formed XML: "):
        parse_descriptions(source(f'<?xml version="1.0" encoding="{encoding}"?><set/>', "runs"))


@pytest.mark.parametrize("limit", [131_072, 2**31 - 1], ids=["Python's", "another library's"])
def test_an_overlong_csv_field_is_a_bad_file(limit: int) -> None:
    before = csv.field_size_limit(limit)  # the limit is of the whole process
    try:
        with pytest.raises(BadFileError, match=r"^runs:2: .*field limit"):
            parse_descriptions(source(f"run,organization\na,{'o' * 200_000}\n", "runs"))
    finally:
        csv.field_size_limit(before)


# ---------------------------------------------------------------------------------------- topics


def topics(content: bytes | str) -> list[tuple[str, str]]:
    parsed = parse_topics(source(content))
    assert parsed.n_lines == parsed.rows.height + parsed.n_blank
    return parsed.rows.select("query", "title").rows()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("401\tfirst\n402\tsecond", [("401", "first"), ("402", "second")]),
        ("\ufeff401\tfirst\r\n\r\n  \n402\tsecond\r\n", [("401", "first"), ("402", "second")]),
        (" 401 \t  two  words ", [("401", "two  words")]),
        ("401\tof\ttabs", [("401", "of\ttabs")]),
        ("401\t", [("401", "")]),
        (b"401\tcaf\xe9", [("401", "caf\u00e9")]),
    ],
)
def test_topics(content: bytes | str, expected: list[tuple[str, str]]) -> None:
    assert topics(content) == expected


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("401\tfirst\n402 second\n", "^topics:2: expected topic id, tab, title"),
        ("401\tfirst\n\n401\tagain\n", "^topics:3: topic '401' is named twice"),
        ("", "^topics: gives no topic a title"),
        (" \n\n", "^topics: gives no topic a title"),
    ],
)
def test_topics_that_are_wrong_name_the_line(content: str, problem: str) -> None:
    with pytest.raises(BadFileError, match=problem):
        parse_topics(source(content, "topics"))


# Windows-1252 has the ellipsis at 0x85, which is a line break in Latin-1. str.splitlines ends lines
# there, and at other characters that do not end the lines of a file.
@pytest.mark.parametrize("mark", [b"\x85", b"\xe2\x80\xa8", b"\x0c", b"\x0b"])
def test_only_a_line_end_ends_a_title(mark: bytes) -> None:
    [(topic, title)] = topics(b"401\twhat" + mark + b"then\r\n")
    assert topic == "401"
    assert title.startswith("what")
    assert title.endswith("then")
