"""Test the parsers: the rows of lines, the reasons of rejected lines, and errors of files.

Lines of runs are in test_hostile_files, which loads them.
"""

import bz2
import contextlib
import csv
import gzip
import itertools
import lzma
import math
import re
import sys
import zlib
from collections.abc import Callable
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import (
    ParsedFile,
    RunDescription,
    SourceFile,
    StatedEstimate,
    parse_authors,
    parse_descriptions,
    parse_document_frequencies,
    parse_estimates,
    parse_official_results,
    parse_qrels,
    parse_run,
    parse_texts,
    parse_title_words,
    parse_topic_attributes,
    parse_topics,
)
from poolhouse.loading.parsers.lines import _COMPRESSED_MARKS
from poolhouse.loading.run_files import run_id_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def source(content: bytes | str, name: str = "file") -> SourceFile:
    stored = content.encode() if isinstance(content, str) else content
    return SourceFile(Path(name), stored)


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
        ("x.txt", "x"),
        ("x.run.zst", "x"),
        (".txt", ".txt"),
        ("Input.x.GZ", "Input.x.GZ"),
    ],
)
def test_a_run_is_named_by_its_file(file_name: str, run_id: str) -> None:
    assert run_id_of(file_name) == run_id


@pytest.mark.heavy
def test_the_marks_are_those_that_polars_decompresses() -> None:
    """Otherwise, text with such a beginning would be decompressed, without a limit."""
    found = set()
    text = b"a b\n" * 50
    deflated = zlib.compressobj(wbits=-15)
    packed = deflated.compress(text) + deflated.flush() + zlib.adler32(text).to_bytes(4, "big")
    candidates = [
        bytes(two) + packed for two in itertools.product([*range(0x68, 0x80)], range(256))
    ]
    candidates += [gzip.compress(text), bz2.compress(text), lzma.compress(text)]
    for stored in (*candidates, zstd.compress(text)):
        with contextlib.suppress(pl.exceptions.PolarsError):
            schema = {"a": pl.String, "b": pl.String}
            rows = pl.read_csv(stored, separator=" ", has_header=False, schema=schema)
            found |= {stored[:2]} if rows.height == 50 else set()
    assert found == {mark[:2] for mark in _COMPRESSED_MARKS}


def test_latin_1_keeps_the_order_of_the_bytes() -> None:
    documents = [bytes([byte]) for byte in (0x21, 0x7E, 0x80, 0xA1, 0xC3, 0xFF)]
    parsed = parse_run(source(b"\n".join(b"1 Q0 " + each + b" 1 2 t" for each in documents)))
    in_order = [text.encode() for text in parsed.rows["docno"]]
    assert in_order == sorted(in_order)
    assert len(set(in_order)) == len(documents)


# ------------------------------------------------------------------------- both: every line counts

MARK = b"\xef\xbb\xbf"
A_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
AN_INTEGER = re.compile(r"[+-]?[0-9]+")

field = st.one_of(
    st.sampled_from([b"401", b"Q0", b"0", b"D#1", b"\xe9", b"\xc3\xa9", b"\x00", b"1", b"nan"]),
    st.sampled_from([b"#b", b"", b"2147483647", b"-2147483648", b"2147483648"]),
    st.text(alphabet="0123456789+-.eE", min_size=1, max_size=5).map(str.encode),
)
line = st.one_of(
    st.builds(bytes.join, st.sampled_from([b" ", b"\t"]), st.lists(field, min_size=3, max_size=7)),
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


def fields_of(line: bytes) -> list[str] | str:
    """Split a line as trec_eval would; a comment has no field. A line that is no text is a reason.

    A comment may have as many words as a row, and ids may contain its mark.
    """
    if line.lstrip().startswith(b"#"):
        return []
    if b"\0" in line:
        return "nul_byte"
    if b"\r" in line.strip(b" \t\v\f\r"):
        return "carriage_return_within"
    return [text_of(field) for field in line.split()]


def number_of(text: str) -> float | None:
    number = float(text) if A_NUMBER.fullmatch(text) else math.nan
    return number if math.isfinite(number) else None


def integer_of(text: str) -> int | None:
    number = int(text) if AN_INTEGER.fullmatch(text) else 2**31
    return number if -(2**31) <= number < 2**31 else None


Row = tuple[object, ...]


def ranked(fields: list[str]) -> Row | str:
    """Return a row of a run, or the reason why there is none. The tag is what follows the score."""
    if len(fields) < 5:
        return "too_few_fields"
    query, _, docno, rank, score, *rest = fields
    if number_of(score) is None:
        is_shifted = not rest and number_of(rank) is not None
        return "document_or_rank_missing" if is_shifted else "score_not_a_finite_number"
    return query, docno, integer_of(rank), number_of(score), " ".join(rest) or None


def is_of_ranks(lines: list[bytes]) -> int | None:
    """Return how many fields the lines of a run of MS MARCO have; None for another file."""
    lines = [*dropwhile(lambda each: re.fullmatch(rb"[ \t]*(#.*)?\r?", each, re.DOTALL), lines)]
    first = [re.split(rb"[ \t]+", each.removesuffix(b"\r").rstrip(b" \t")) for each in lines[:2]]
    n_fields = len(first[0]) if first else 0
    are_like = n_fields in (3, 4) and all(
        len(each) == n_fields
        and not each[0].startswith(b"#")
        and not re.search(rb"\s", b"".join(each))
        and all(each)
        and re.fullmatch(rb"[0-9]+", each[2])
        and (n_fields == 3 or each[1] not in (b"0", b"Q0"))
        for each in first
    )
    return n_fields if are_like and first[0][2] in (b"0", b"1") else None


def of_ranks(fields: list[str], n_fields: int) -> Row | str:
    """Return a row of a run of MS MARCO, or the reason why there is none."""
    if len(fields) != n_fields:
        return "too_few_fields" if len(fields) < n_fields else "too_many_fields"
    query, docno, rank, *score = fields
    if integer_of(rank) is None:
        return "document_or_rank_missing"
    number = number_of(score[0]) if score else -float(integer_of(rank) or 0)
    return (
        "score_not_a_finite_number"
        if number is None
        else (query, docno, integer_of(rank), number, None)
    )


def judged(fields: list[str]) -> Row | str:
    """Return a row of qrels, or the reason why there is none.

    Every grade is kept: a document may be judged again. The second field holds whatever somebody
    wrote there. A fraction stops the load (test_hostile_files.py).
    """
    if len(fields) != 4:
        return "too_few_fields" if len(fields) < 4 else "too_many_fields"
    query, iteration, docno, grade = fields
    whole = integer_of(re.sub(r"\.0*$", "", grade))  # 1.0 is 1
    return "grade_not_an_integer" if whole is None else (query, iteration, docno, whole)


@pytest.mark.parametrize(
    ("parse", "read", "columns"),
    [
        (parse_run, ranked, "query docno rank score tag"),
        (parse_qrels, judged, "query iteration docno grade"),
    ],
    ids=["run", "qrels"],
)
@given(content=st.one_of(file_content, st.binary(max_size=200)))
@example(content=b"")
@example(content=MARK)
@example(content=MARK + b"\n")
@example(content=b"1 Q0 d 1 1e400 t")
@example(content=MARK + MARK)
@example(content=b" " + MARK)
@example(content=b"x\x01\xc0")  # zlib begins so
@example(content=b"1 Q0 D 7 2.5 of  several\twords \n1 Q0 D 1 1 x\n1 Q0 D 1 1\n1 Q0 D 1 x\n1")
@example(content=b"\n1 Q0 a 1 3 t\r\n \t \r\nshort line\n1 Q0 b 2 2 t\n\n1 Q0 c 3 x")
@example(content=b"# Q0 a 1 3 t\n1 Q0 D#1 1 3 t\n#1 Q0 a 1 3 t\n # two\n1 Q0 #b 1 2 t\n#")
@example(content=b"1 Q0 D 1 3 t\n# Q0 a 1 3 t")
@example(content=b"#\tQ0\ta\t1\t3\tt\r\n1\tQ0\tD#1\t1\t3\tt\r\n#\t0\ta\t1")
@example(content=b"1 0 A 1\n1\t0  B\t0\r\n 1 1e-3 C -1\n1 0.5 A -2\n2 0 A +4\n2 0 A +4\n")
@example(content=b"1 0 D 2147483647\n1 0 E -2147483648\n1 0 d 2147483648\n1 0 A 99999999999")
@example(content=b"1 A 1\r\n1 B 2\n1 C\n1 D 4 5\n1 E x\n#\n1 F 3")
@example(content=b"1 A 1 .5\n1\tB\t2\t.25\n1 C 3 nan\n1 D\n1 E x 1\n1 E 4 1 y")
@example(content=b"1 A 1\n1 B x\n1 Q0 C 1 2 t")
@example(content=b"1 0 A\n1 0  1\n1 0 A 1 5\n1 0 A B 1\n1 0 A relevant\n1 0 A 1.0\n1 0 A NaN")
def test_lines_are_read_as_plain_python_reads_them(
    parse: Callable[[SourceFile], ParsedFile],
    read: Callable[[list[str]], Row | str],
    columns: str,
    content: bytes,
) -> None:
    parsed = parsed_unless_refused(parse, content)
    lines = content.removeprefix(MARK).split(b"\n")
    lines = lines[:-1] if lines[-1] == b"" else lines
    split = [fields_of(line) for line in lines]
    if parse is parse_run and (n_fields := is_of_ranks(lines)):
        read = partial(of_ranks, n_fields=n_fields)
    numbered = [
        (number, each if isinstance(each, str) else read(each))
        for number, each in enumerate(split, start=1)
        if each
    ]
    rows = [(number, *row) for number, row in numbered if not isinstance(row, str)]
    assert parsed.rows.select("line_number", *columns.split()).rows() == rows
    rejected = [(number, reason) for number, reason in numbered if isinstance(reason, str)]
    assert parsed.rejected.select("line_number", "reason").rows() == rejected
    assert (parsed.n_lines, parsed.n_blank) == (len(split), split.count([]))
    keys = parsed.rows.select("query", "docno").rows()
    assert parsed.n_duplicates == len(keys) - len(set(keys))


# ---------------------------------------------------------------------------------- source files


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


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("xz", lzma.compress),
        ("bzip2", bz2.compress),
        ("zstd", zstd.compress),
        ("gzip", gzip.compress),
    ],
)
def test_packed_files_are_read_to_their_end_or_to_the_limit(
    name: str, pack: Callable[[bytes], bytes]
) -> None:
    """Files of two parts, too. A damaged file is a bad one; a large text needs a large limit."""
    text = b"1 Q0 d 1 2 t\n" * 1000
    packed = pack(text)
    assert source(packed).data == text
    assert source(packed + packed).data == text * 2
    with pytest.raises(BadFileError, match=f"not a whole {name} file: "):
        _ = source(packed[:-6]).data
    with pytest.raises(BadFileError, match="holds more than 0"):
        _ = SourceFile(Path("run"), packed, limit=len(text) - 1).data
    ending = {"bzip2": "bz2", "zstd": "zst", "gzip": "gz"}.get(name, name)
    with pytest.raises(BadFileError, match=f"not a {name} file, though its name ends in .{ending}"):
        _ = source(text, f"run.{ending}").data


# ------------------------------------------------------------------------- runs and qrels in JSON


def test_runs_and_judgements_in_json() -> None:
    text = '{"q1": {"d1": 2, "d 2": 1.5}, "q2": {}, "q3": {"d1": 0.0}}'
    parsed = parse_run(source(text))
    columns = ("line_number", "query", "docno", "rank", "score", "tag")
    assert parsed.rows.select(columns).rows() == [
        (1, "q1", "d1", None, 2.0, None),
        (2, "q1", "d 2", None, 1.5, None),
        (3, "q3", "d1", None, 0.0, None),
    ]
    assert (parsed.n_lines, parsed.n_blank) == (3, 0)
    judgements = parse_qrels(source('{"q1": {"d1": 2, "d2": 0.0}}'))
    assert judgements.rows.drop("line_number").rows() == [
        ("q1", "0", "d1", 2),
        ("q1", "0", "d2", 0),
    ]


def test_judgements_of_beir() -> None:
    header = "query-id\tcorpus-id\tscore\n"
    for text in (f"{header}1\td 1\n", f"{header}1\td\t1\n1\te\t2.0\n1\tf\tx\n"):
        parsed = parse_qrels(source(text))
        assert parsed.n_lines == parsed.rows.height + parsed.n_blank + parsed.rejected.height
    assert parsed.rows.rows() == [(2, "1", "0", "d", 1), (3, "1", "0", "e", 2)]
    assert parsed.rejected["reason"].to_list() == ["grade_not_an_integer"]


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
        *(
            (b"run,organization,pooled\na,o,%b\n" % word, RunDescription("a", "o", None, is_pooled))
            for words, is_pooled in (
                ([b"true", b"T", b"yes", b"Y", b"1", b" True "], True),
                ([b"false", b"F", b"no", b"N", b"0"], False),
                ([b"", b" "], None),
            )
            for word in words
        ),
    ],
)
def test_descriptions_in_csv(content: bytes, expected: RunDescription) -> None:
    assert parse_descriptions(source(content)) == [expected]


RUNS_XML = """\
<set>
  <runs><tag> a </tag><organization>o &amp; p</organization><other>x</other></runs>
  <group><runs><organization>caf\u00e9</organization><tag>b</tag></runs></group>
</set>
"""


@pytest.mark.parametrize(
    ("start", "encoding"),
    [
        *((start, "utf-8") for start in ("", '<?xml version="1.0"?>\n', "\ufeff", "\n  ")),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1"),
    ],
)
def test_descriptions_in_xml(start: str, encoding: str) -> None:
    assert parse_descriptions(source((start + RUNS_XML).encode(encoding))) == [
        RunDescription("a", "o & p"),
        RunDescription("b", "caf\u00e9"),
    ]


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
        ("Query-ID\ttext\n1\tone\n", [("1", "one")]),
        ("1\tone\nid\ttitle\n", [("1", "one"), ("id", "title")]),
        (
            "<top>\n<num> Number: 051\n<title> Topic: Airbus &amp;\n Subsidies\n<desc>\n</top>\n"
            "<top>\n<num> Number: 401\n<title> foreign\n</top>\n",
            [("051", "Airbus & Subsidies"), ("401", "foreign")],
        ),
        (
            "<!-- <topic number='0'><title>none</title></topic> --><!--"
            "<topic number='1'><title><![CDATA[a < b & c]]></title></topic>",
            [("1", "a < b & c")],
        ),
        (
            '<?xml version="1.0"?>\n<topics task="x">\n<topic number="1" type="y">\n'
            "<query>origin of it</query><question>why?</question></topic></topics>",
            [("1", "origin of it")],
        ),
        (
            '{"_id": " q 1", "text": "one\\n two"}\n\n{"_id": 2, "text": ""}\n',
            [("q 1", "one two"), ("2", "")],
        ),
    ],
)
def test_topics(content: bytes | str, expected: list[tuple[str, str]]) -> None:
    assert topics(content) == expected


# Windows-1252 has the ellipsis at 0x85, which is a line break in Latin-1. str.splitlines ends lines
# there, and at other characters that do not end the lines of a file.
@pytest.mark.parametrize("mark", [b"\x85", b"\xe2\x80\xa8", b"\x0c", b"\x0b"])
def test_only_a_line_end_ends_a_title(mark: bytes) -> None:
    [(topic, title)] = topics(b"401\twhat" + mark + b"then\r\n")
    assert topic == "401"
    assert title.startswith("what")
    assert title.endswith("then")


def test_estimates_have_the_name_of_their_file_or_of_the_column() -> None:
    of_file = "run_id,measure,estimate,low,high\n a ,P@5, .5,-.1,1.2\nb,P@5,0,,\n"
    assert parse_estimates(source(gzip.compress(of_file.encode()), "mine.csv.gz")) == [
        StatedEstimate(2, "mine", "a", "P@5", 0.5, -0.1, 1.2),
        StatedEstimate(3, "mine", "b", "P@5", 0.0),
    ]
    of_column = "estimator,measure,run_id,estimate\nx,P@5,a,1\ny,P@5,a,1\n"
    found = parse_estimates(source(of_column, "mine.csv"))
    assert [each.estimator for each in found] == ["x", "y"]


# ---------------------------------------------------------------------------------- what is wrong


WRONG: dict[Callable[[SourceFile], Any], list[tuple[bytes | str, str]]] = {
    parse_descriptions: [
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
        ('<?xml version="1.0" encoding="no-such-encoding"?><set/>', "^runs: not well-formed XML: "),
        ('<?xml version="1.0" encoding="hex"?><set/>', "^runs: not well-formed XML: "),
        ("# Runs\n", "runs: describes no run"),
        ("#### a\n- **Run ID:** a\n", "runs:1: .* heading lacks its Participant"),
        ("\n#### a\n- **Participant:** a\n#### b\n", "runs:2: .* lacks its Run ID"),
        ("#### a\n- **Run ID:** \n- **Participant:** a\n", "runs:1: .* lacks its Run ID"),
        ("#### a\n- **Run ID:** a\n- **Run ID:** b\n", "runs:3: the run has a second 'Run ID'"),
        (
            "#### a\n- **Run ID:** a\n- **Participant:** o\n" * 2,
            "runs:4: run 'a' is described twice",
        ),
        ("#### a\n- **Run ID:** a\x1bb\n- **Participant:** a\n", "runs:1: .* is not printable"),
        ("#### a\n- **Run ID:** a\n- **Participant:** a\x00b\n", "runs:1: .* not printable"),
    ],
    parse_authors: [
        ("", r"runs:1: expected the header author\[,kind\]\[,threshold\]"),
        ("name,kind\na,model\n", "runs:1: expected the header author"),
        ("author,treshold\na,1\n", "runs:1: unknown column 'treshold'; did you mean 'threshold'"),
        ("author\n", "runs: declares no author"),
        ("author,kind\n,model\n", "runs:2: the name of an author is ''"),
        ("author\na\nb\na\n", "runs:4: author 'a' is also in line 2"),
        ("author\na\nA\n", "runs:3: author 'A' is also in line 2"),
        ('author\n"a, else b"\n', "runs:2: author 'a, else b' holds ', else '"),
        ("author,kind\na,robot\n", "runs:2: kind is 'robot', expected person, crowd or model"),
        (
            "author,threshold\na,0\n",
            "runs:2: threshold is '0', expected a grade from 1 to 2147483647",
        ),
        ("author,threshold\na,1.5\n", "runs:2: threshold is '1.5'"),
        ("author,highest\na,99999999999\n", "runs:2: highest is '99999999999'"),
        ("author,threshold,highest\na,3,2\n", "runs:2: threshold is 3, above the highest grade 2"),
        ("author,date\na,31.5.2024\n", "runs:2: date is '31.5.2024', expected a day such as"),
        ("author,date\na,20240531\n", "runs:2: date is '20240531'"),
    ],
    parse_estimates: [
        ("", r"runs:1: expected the header run_id,measure,estimate\[,low,high\]"),
        ("run_id,measure\na,P@5\n", "runs:1: expected the header"),
        ("run_id,measure,estimate,hi\na,P@5,1,1\n", "unknown column 'hi'; did you mean 'high'"),
        ("run_id,measure,estimate\n", "runs: holds no estimate"),
        ("run_id,measure,estimate\n,P@5,1\n", "runs:2: run_id is '': empty or not printable"),
        ("run_id,measure,estimate,estimator\na,P@5,1,\x1b[2J\n", "runs:2: estimator is '.x1b"),
        *(
            (f"run_id,measure,estimate\na,P@5,{text}\n", f"runs:2: estimate is '{text}', expected")
            for text in ("", "nan", "-inf", "x", "1_0", "-.1", "1.5")
        ),
        (
            "run_id,measure,estimate,low,high\na,P@5,1,NaN,1\n",
            "runs:2: low is 'NaN', expected a nu",
        ),
        ("run_id,measure,estimate,low,high\na,P@5,1,1,\n", "runs:2: has one end of an interval"),
        ("run_id,measure,estimate,low,high\na,P@5,1,1,.5\n", "runs:2: low is 1.0, above high"),
        ("run_id,measure,estimate\na,P@5,1\nb,P@5,1\na,P@5,0\n", "runs:4: run 'a' by 'P@5' .* 2"),
    ],
    parse_topics: [
        ("401\tfirst\n402 second\n", "^runs:2: expected topic id, tab, title"),
        ("401\tfirst\n\n401\tagain\n", "^runs:3: topic '401' is named twice"),
        ("", "^runs: gives no topic a title"),
        (" \n\n", "^runs: gives no topic a title"),
        ("<top><num>1<title>a</top><top><title>b", "^runs: topic 2 of the file has no id"),
        ("<topic number='1'><desc>a</desc></topic>", "^runs: topic 1 of the file has no title"),
        ("<html></html>", "^runs: gives no topic a title"),
        ('{"_id": "1", "text": null}\n', '^runs:1: expected an object with "_id"'),
        ('{"_id": " ", "text": "a"}\n', '^runs:1: expected an object with "_id"'),
        ('{"_id": "1", "text": "\\ud800"}\n', '^runs:1: expected an object with "_id"'),
        ('{"_id": "1", "text": "a"}\n{"id": "2"}\n', '^runs:2: expected an object with "_id"'),
    ],
    parse_official_results: [
        ("", "runs: has no figures"),
        ("run,label,value\na,map,1\n", "runs: has no figures"),
        ("```\nmap all 1\n```\n", "runs:1: a block of figures before the first run"),
        ("#### a\n```\nmap all 1\n", "runs:2: the block that begins here is not closed"),
        ("#### a\n```\nmap all 1\n#### b\n", "runs:2: the block that begins here is not"),
        ("#### a\n```\nmap 401 1\n```\n", "runs:3: expected a label, 'all' and a value"),
        ("#### a\n```\nmap all\n```\n", "runs:3: expected a label, 'all' and a value"),
        ("#### a\n```\nall 1\n```\n", "runs:3: expected a label, 'all' and a value"),
        ("#### a\n```\nmap\n```\n", "runs:3: expected a label, 'all' and a value"),
        (
            "#### a\n```\nmap all 1\nmap all 1\n```\n",
            "runs:4: run 'a' has 'map' in line 3 too",
        ),
        (
            "#### a\n```\nmap all 1\n```\n#### a\n```\nmap all 2\n```\n",
            "runs:7: run 'a' has 'map' in line 3 too",
        ),
        ("#### a\x1b[2J\n```\nmap all 1\n```\n", "runs:1: run .* is not printable"),
        ("#### a\n```\nm\x1bap all 1\n```\n", "runs:3: label .* is not printable"),
        ('#### a\n??? example "a\x00b"\n```\nmap all 1\n```\n', "runs:2: title .* printable"),
        ("####  \n", "runs: has no figures"),
        (b"\xff\xfe#\0", "is in UTF-16"),
    ],
    parse_topic_attributes: [
        ("", r"runs:1: expected the header topic,ATTRIBUTE\[,ATTRIBUTE\]"),
        ("query,kind\n1,broad\n", "runs:1: expected the header topic"),
        ("topic,kind,kind\n1,a,b\n", "runs:1: the header names a column twice"),
        ("topic,\n1,a\n", "runs:1: the header has a column without a printable name"),
        ("topic,a\x1bb\n1,a\n", "runs:1: the header has a column without a printable name"),
        ("topic,kind\n,a\n", "runs:2: topic is empty"),
        ("topic,kind\n1,a\n2,b\n1,c\n", "runs:4: topic '1' is also in line 2"),
        ("topic,kind\n1,a,b\n", "runs:2: more fields than the header has"),
        ('topic,kind\n1,"a\n2,b\n', "line break: is a quote not closed"),
        ("topic,kind\n1,a\0b\n", "holds NUL bytes"),
        ("topic,kind\n", "runs: has no line about a topic"),
        ("topic,kind\n1,\n", "runs: has no line about a topic"),
        ("topic\n1\n", "runs: has no line about a topic"),
    ],
    parse_texts: [
        ("", "^runs: holds no texts"),
        ("D1\ttext", "^runs:1: holds no texts"),
        ('{"id": "D1", "text": "a"}\n\n{"id": "D2", "text"', "^runs:3: not a line of JSON"),
        ('{"id": "D1", "text": "a"}\n[]\n', "^runs:2: not a JSON object"),
        ('{"text": "a"}', "^runs:1: no id, or no text"),
        ('{"id": "D1"}', "^runs:1: no id, or no text"),
        ('{"id": true, "text": "a"}', "^runs:1: no id, or no text"),
        ('{"id": " ", "text": "a"}', "^runs:1: no id, or no text"),
        ('{"id": "D1", "text": ["a"]}', "^runs:1: a field of text does not hold text"),
        ('{"id": "D1", "text": ' + "[" * 100_000, "^runs:1: not a line of JSON: nested too deeply"),
        ('{"id": ' + "1" * 5_000 + ', "text": "a"}', "^runs:1: not a line of JSON"),
        ("<html></html>", "^runs: holds no texts"),
        ("<DOC>\n<TEXT>a</TEXT>\n</DOC>", "^runs:1: a <DOC> needs exactly one <DOCNO>"),
        ("\n<DOC><DOCNO>a b</DOCNO></DOC>", "^runs:2: a <DOC> needs exactly one <DOCNO>"),
        (
            "<DOC><DOCNO>a</DOCNO><DOCNO>b</DOCNO></DOC>",
            "^runs:1: a <DOC> needs exactly one <DOCNO>",
        ),
        ("<DOC><DOCNO>a</DOCNO>\n<DOC>", "^runs:2: a <DOC> before the last one ends"),
        ("<DOC><DOCNO>a</DOCNO></DOC>\n</DOC>", "^runs:2: a </DOC> without its <DOC>"),
        ("<DOC><DOCNO>a</DOCNO></DOC>\n<DOC>\nab", "^runs:2: ends within its last <DOC>"),
        (b"PK\x03\x04", "^runs: is a zip archive"),
        ("\ufeff".encode("utf-16"), "^runs: is in UTF-16"),
    ],
    parse_title_words: [
        ("", "^runs:1: expected the header topic,word,document"),
        ("topic,word,doc\n", "^runs:1: expected the header"),
        ("topic,word,document,word\n", "^runs:1: the header names a column twice"),
        ("topic,word,document\n1,fox\n", "^runs:2: a field is empty"),
        ("topic,word,document\n1,fox,d1,d2\n", "^runs:2: more fields than the header has"),
        ("topic,word,document\n1,fox,\n", "^runs:2: a field is empty"),
        (
            'topic,word,document\n1,fox,"d1\n1,fox,d2\n',
            "^runs:4: a field of a record that ends here holds a",
        ),
        ("topic,word,document\n1,red fox,d1\n", "^runs:2: 'red fox' is not a word"),
        ("topic,word,document\n1,caf\u00e9,d1\n", "^runs:2: .* is not a word"),
        ("topic,word,document\n\0", "^runs: holds NUL bytes"),
        ("topic,word,document\n1,fox," + "d" * 200_000, "^runs:2: not a CSV file"),
    ],
    parse_document_frequencies: [
        ("word,df\n", "^runs: counts no word"),
        ("word,df\nfox,-1\n", "^runs:2: '-1' is not a number of documents"),
        ("word,df\nfox,1.5\n", "^runs:2: '1.5' is not a number of documents"),
        ("word,df\nfox,\u0661\n", "^runs:2: .* is not a number of documents"),
        ("word,df\nfox,2147483648\n", "^runs:2: 2147483648 documents are more than"),
        ("word,df\nfox,1\n\nFOX,2\n", "^runs:4: word 'fox' is counted twice"),
        (
            "word,df,n_documents\nfox,11,10\n",
            "^runs:2: 'fox' is in more documents than the collection",
        ),
    ],
}


@pytest.mark.parametrize("parse", WRONG)
def test_what_is_wrong_names_the_line(parse: Callable[[SourceFile], Any]) -> None:
    for content, problem in WRONG[parse]:
        with pytest.raises(BadFileError, match=problem):
            list(parse(source(content, "runs")))
