"""Test title words: texts and tables that are read for them, and titlestat."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from conftest import NewWarehouse
from macro_units import Table, made
from poolhouse.building.build import build
from poolhouse.command_line.main import main
from poolhouse.demo.simulator import simulate
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.expectations import check
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import (
    SourceFile,
    parse_document_frequencies,
    parse_texts,
    parse_title_words,
    read_source,
    words_of,
)
from poolhouse.loading.reading import LoadReport
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from title_words_reference import titlestats, words

Rows = list[tuple[Any, ...]]


def source(content: bytes | str, name: str = "file") -> SourceFile:
    return SourceFile(Path(name), content.encode() if isinstance(content, str) else content)


# ------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The RED fox, the red-fox's 2nd", {"the", "red", "fox", "s", "2nd"}),
        ("caf\u00e9 U.S. AT&T", {"caf", "u", "s", "at", "t"}),
        ("...", set()),
        ("foxes fox", {"foxes", "fox"}),
    ],
)
def test_words(text: str, expected: set[str]) -> None:
    assert words_of(text) == expected


# ----------------------------------------------------------------------------------------- texts

SGML = """\
<DOC>
<DOCNO> FT911-1 </DOCNO>
<PROFILE>_AN-BENBQAC8FT</PROFILE>
<HEADLINE>Tidal power</HEADLINE>
<TEXT>
A &lt;b&gt; AT&amp;T 1 < 2 <P align="left">plan</P>
</TEXT>
</DOC>

<doc ><docno>FT911-2</docno></doc >
"""


def test_documents_of_trec_disks() -> None:
    [(first, text), second] = parse_texts(source(SGML))
    assert first == "FT911-1"
    assert words_of(text) == {*("an", "benbqac8ft"), *("tidal", "power"), *"abt12", "at", "plan"}
    assert (second[0], words_of(second[1])) == ("FT911-2", set())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"docno": "D1", "text": "a", "url": "b"}', ("D1", "a")),
        ('{"_id": "D1", "title": "a", "text": "b", "metadata": {}}', ("D1", "a\nb")),
        ('{"id": 7, "contents": "a\\nb", "title": null}', ("7", "a\nb")),
        ('\ufeff{"doc_id": " D1 ", "body": ""}', ("D1", "")),
        (b'{"docid": "D1", "abstract": "caf\xe9"}', ("D1", "caf\u00e9")),
    ],
)
def test_documents_of_json_lines(line: bytes | str, expected: tuple[str, str]) -> None:
    content = line.encode() if isinstance(line, str) else line
    assert list(parse_texts(source(content + b"\r\n\n"))) == [expected]
    packed = SourceFile(Path("texts.gz"), gzip.compress(content))
    assert list(parse_texts(packed)) == [expected]


# ---------------------------------------------------------------------------------------- tables


def test_a_table_of_title_words() -> None:
    assert parse_title_words(source("\ufefftopic,word,document\n1,Fox,d1\n\n1,fox,d1\n")) == [
        ("1", "fox", "d1"),
        ("1", "fox", "d1"),
    ]
    tabs = 'document\tscore\ttopic\tword\r\n"d,1"\t\t1\tfox\r\n'
    assert parse_title_words(source(tabs)) == [("1", "fox", "d,1")]
    assert parse_title_words(source("topic,word,document\n")) == []


def test_document_frequencies() -> None:
    content = "word,df,n_documents\nFox,3,10\nO'Neill,9,10\nred,0,10\n"
    assert parse_document_frequencies(source(content)) == {"fox": 3, "red": 0}
    assert parse_document_frequencies(source("df\tword\n2147483647\tfox")) == {"fox": 2**31 - 1}


@given(
    parse=st.sampled_from([parse_texts, parse_title_words, parse_document_frequencies]),
    start=st.sampled_from(["", "{", "<DOC>", SGML, "topic,word,document\n", "word,df\n"]),
    rest=st.binary(max_size=60)
    | st.text('<>/DOCN!&;{}[]":,\t\r\n 1ad', max_size=60).map(str.encode),
)
@example(parse=parse_texts, start="{", rest=b'"id":"\\ud800","text":"\\ud800"}')
def test_whatever_bytes_come_are_read_or_refused(
    parse: Callable[[SourceFile], Any], start: str, rest: bytes
) -> None:
    try:
        found = list(parse(source(start.encode() + rest)))
    except BadFileError as error:
        assert str(error).startswith("file:")
        return
    for row in found:
        assert all(row)


# --------------------------------------------------------------------------------------- loading

TITLES = "1\tThe Red fox\n2\tred, red wine!\n"
QRELS = "1 0 D1 1\n1 0 D2 1\n1 0 D3 0\n2 0 D1 0\n2 0 D4 2\n"
TEXTS = {
    "D1": "A fox is red.",
    "D2": "Wine. THE Fox-hunt.",
    "D3": "Nothing",
    "D4": "Red red wine",
    "D9": "Red fox, which nobody judged",
}
FOUND = [("1", "fox", "D1"), ("1", "fox", "D2"), ("1", "red", "D1"), ("1", "the", "D2")]
FOUND += [("2", "red", "D1"), ("2", "red", "D4"), ("2", "wine", "D4")]
OCCURRENCES = "select query, word, docno from raw.title_word_documents"
FILES = (
    "select kind, name, n_rows, n_duplicates from ops.files where kind in ('texts', 'title_words', "
    "'document_frequencies')"
)


def as_json_lines(texts: dict[str, str]) -> str:
    rows = ({"docno": docno, "text": text} for docno, text in texts.items())
    return "".join(json.dumps(row) + "\n" for row in rows)


class Place:
    """A collection with titles and judgements, and files beside it."""

    def __init__(self, folder: Path) -> None:
        self.warehouse = Warehouse(folder / "poolhouse.duckdb")
        self.folder = folder

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_text(text)
        return file

    def load(self, **parts: object) -> LoadReport:
        request = LoadRequest("toy", replace=True, **parts)  # type: ignore[arg-type]
        return load_collection(self.warehouse, request)

    def load_texts(self, *texts: Path, **parts: object) -> LoadReport:
        return self.load(texts=texts, **parts)

    def rows(self, sql: str) -> Rows:
        with self.warehouse.read() as connection:
            return connection.execute(f"{sql} order by all").fetchall()


@pytest.fixture(scope="module")
def place_once(tmp_path_factory: pytest.TempPathFactory) -> Place:
    it = Place(tmp_path_factory.mktemp("title_words"))
    it.load(
        runs=run_files([it.write("amber", "1 Q0 D1 1 2 t\n2 Q0 D4 1 1 t\n")]),
        qrels=it.write("qrels", QRELS),
        topics=it.write("topics", TITLES),
    )
    return it


@pytest.fixture
def place(place_once: Place, tmp_path: Path) -> Place:
    it = Place(tmp_path)
    copyfile(place_once.warehouse.path, it.warehouse.path)
    return it


def test_texts_leave_topic_word_and_document(place: Place) -> None:
    report = place.load_texts(place.write("texts", as_json_lines(TEXTS)))
    assert (report.changed, report.n_texts) == (True, 4)
    assert place.rows(OCCURRENCES) == FOUND
    assert place.rows("select docno from raw.judged_texts") == [("D1",), ("D2",), ("D3",), ("D4",)]
    assert place.rows("select query, word from raw.title_words") == [
        *(("1", "fox"), ("1", "red"), ("1", "the"), ("2", "red"), ("2", "wine"))
    ]
    assert place.rows(FILES) == [("texts", "texts", 4, 0)]
    assert not any("have no text" in each for each in report.remarks)


@pytest.mark.heavy
def test_the_same_texts_again_change_nothing_and_a_removal_leaves_nothing(place: Place) -> None:
    frequencies = place.write("df.csv", "word,df\nfox,3\nother,9\n")
    files = {
        "texts": (place.write("texts", as_json_lines(TEXTS)),),
        "document_frequencies": frequencies,
    }
    assert place.load(**files).changed
    assert place.rows("from raw.document_frequencies") == [(1, "fox", 3)]
    assert place.rows(FILES)[0] == ("document_frequencies", "document_frequencies", 1, 0)
    before = place.warehouse.path.read_bytes()
    again = place.load(**files)
    assert (again.changed, again.n_files, again.n_unchanged) == (False, 2, 2)
    assert place.warehouse.path.read_bytes() == before
    remove(place.warehouse, "toy")
    tables = ("title_words", "title_word_documents", "judged_texts", "document_frequencies")
    assert [place.rows(f"from raw.{table}") for table in tables] == [[]] * 4
    assert place.rows(FILES) == []


@pytest.mark.heavy
def test_texts_in_several_files_and_twice(place: Place) -> None:
    one = place.write("one", as_json_lines({"D1": "fox"}) * 2 + as_json_lines({"D1": "red"}))
    other = place.write("other", as_json_lines({"D1": "red", "D4": "wine"}))
    report = place.load_texts(one, other)
    assert place.rows(OCCURRENCES.replace("select", "select distinct")) == [
        *(("1", "fox", "D1"), ("1", "red", "D1"), ("2", "red", "D1"), ("2", "wine", "D4"))
    ]
    assert place.rows(FILES) == [("texts", "one", 1, 2), ("texts", "other", 2, 0)]
    assert "2 of 4 judged documents have no text: titlestat is that of the others" in report.remarks
    # a changed file replaces only its own old rows
    one.write_text(as_json_lines({"D2": "fox"}))
    place.load_texts(one)
    assert place.rows(OCCURRENCES) == [
        *(("1", "fox", "D2"), ("1", "red", "D1"), ("2", "red", "D1"), ("2", "wine", "D4"))
    ]


@pytest.mark.heavy
def test_a_table_in_place_of_texts(place: Place) -> None:
    texts = place.write("texts", as_json_lines(TEXTS))
    place.load_texts(texts)
    rows = ["topic,word,document", *(",".join(each) for each in FOUND), *(",".join(FOUND[0]),) * 2]
    # a word that is not in the title, and a document that is not in the topic
    table = place.write("table.csv", "\n".join([*rows, "1,foxes,D1", "1,fox,D4", "9,fox,D1"]))
    report = place.load(title_words=table)
    assert place.rows(OCCURRENCES) == FOUND
    assert place.rows(FILES) == [("title_words", "title_words", len(FOUND), 2)]
    assert len(place.rows("select docno from raw.judged_texts")) == 4
    [taken_away, left_out] = [each for each in report.remarks if "organization" not in each]
    assert taken_away.startswith("taken away, since titles or judgements are new or other")
    assert left_out.startswith("table.csv: 3 rows are about no word of the topic's title, or no")
    place.load_texts(texts)
    assert place.rows(FILES) == [("texts", "texts", 4, 0)]
    assert place.rows(OCCURRENCES) == FOUND


@pytest.mark.heavy
@pytest.mark.parametrize("changed", ["topics", "qrels"])
def test_texts_are_read_for_the_titles_and_judgements_that_are_there(
    place: Place, changed: str
) -> None:
    texts = place.write("texts", as_json_lines(TEXTS))
    files = {"texts": (texts,), "document_frequencies": place.write("df", "word,df\nfox,3\n")}
    place.load(**files)
    other = {"topics": "1\tNothing\n", "qrels": "1 0 D3 1\n"}[changed]
    report = place.load(**{changed: place.write("other", other)})
    assert [each for each in report.remarks if each.startswith("taken away")] != []
    assert place.rows(OCCURRENCES) == place.rows("from raw.judged_texts") == []
    # the facts about words stay while the titles stay
    assert len(place.rows("from raw.document_frequencies")) == (changed == "qrels")
    history = "select action, name from ops.load_history where kind = 'texts'"
    assert place.rows(history) == [("load", "texts"), ("remove", "texts")]
    place.load(**files)
    assert place.rows(FILES)[-1][:2] == ("texts", "texts")
    assert place.rows(OCCURRENCES) == ([("1", "nothing", "D3")] if changed == "topics" else [])
    # texts that are named along with the titles are read again at once
    back = {"topics": TITLES, "qrels": QRELS}[changed]
    place.load(**files, **{changed: place.write("back", back)})
    assert place.rows(OCCURRENCES) == FOUND


@pytest.mark.heavy
def test_texts_need_titles_and_judgements(place: Place, tmp_path: Path) -> None:
    texts = place.write("texts", as_json_lines(TEXTS))
    runs = run_files([place.write("amber", "1 Q0 D1 1 2 t\n")])
    request = LoadRequest("new", runs, place.write("qrels", QRELS))
    with pytest.raises(PoolhouseError, match=r"^collection 'new' has no titles.*--topics"):
        load_collection(place.warehouse, LoadRequest("new", runs, request.qrels, texts=[texts]))
    titles = place.write("topics", TITLES)
    unjudged = LoadRequest("new", runs, topics=titles, unjudged=True, texts=[texts])
    with pytest.raises(PoolhouseError, match=r"^collection 'new' is not judged yet.*--qrels"):
        load_collection(place.warehouse, unjudged)
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(BadFileError, match="another file of texts has that name"):
        LoadRequest("new", texts=[texts, tmp_path / "elsewhere" / "texts"])
    with pytest.raises(PoolhouseError, match="load only one of them"):
        LoadRequest("new", texts=[texts], title_words=texts)


def test_a_bad_file_leaves_everything_as_it_was(place: Place) -> None:
    place.load_texts(place.write("texts", as_json_lines(TEXTS)))
    before = place.warehouse.path.read_bytes()
    files = ["--texts", str(place.write("bad", '{"id": 1}')), "--topics"]
    files += [str(place.write("topics", "1\tother\n")), "--db", str(place.warehouse.path)]
    done = CliRunner().invoke(main, ["load", "toy", *files])
    assert done.exit_code == 1
    assert "bad:1: no id, or no text" in " ".join(done.stderr.split())
    assert place.warehouse.path.read_bytes() == before


# ------------------------------------------------------------------------------------ comparison

COLUMNS = "collection_id, topic_id, document_set, titlestat"
SETS = "collection_id, document_set"


def compared(one: list[float | None], other: list[float | None]) -> tuple[Any, ...]:
    """Compare two collections by the question; return p_value with all its digits."""
    topics = [
        (name, str(number), "relevant", value)
        for name, values in (("one", one), ("other", other))
        for number, value in enumerate(values)
    ]
    given = {
        "fct_topic_titlestats": Table(COLUMNS, *topics, ("one", "alone", "relevant", 1.0)),
        "fct_titlestats": Table(SETS, ("one", "relevant"), ("other", "relevant")),
    }
    columns = (
        "n_topics, n_topics_unknown, n_topics_higher, n_topics_tied, n_topics_lower, paired_t, "
        "cast(p_value as varchar)"
    )
    with made("titlestat_comparison", given) as comparison:
        asked = {"collection": "one", "other_collection": "other", "documents": "relevant"}
        [row] = comparison(select=columns, **asked)
    return row


@pytest.mark.some(5)
@pytest.mark.parametrize("n_topics", [2, 3, 10, 50, 249])
@pytest.mark.parametrize("shift", [0.0005, 0.03, 0.3, 3.0])
def test_the_paired_t_test_is_scipys(n_topics: int, shift: float) -> None:
    drawn = random.Random(f"{n_topics} {shift}")  # noqa: S311 - nothing is secret
    one = [drawn.random() + shift for _ in range(n_topics)]
    other = [drawn.random() for _ in range(n_topics)]
    *counts, paired_t, p_value = compared([*one, None], [*other, 0.5])
    expected = stats.ttest_rel(one, other)
    higher = sum(a > b for a, b in zip(one, other, strict=True))
    assert counts == [n_topics, 1, higher, 0, n_topics - higher]
    assert paired_t == pytest.approx(expected.statistic, abs=1e-8)
    assert float(p_value) == pytest.approx(expected.pvalue, rel=1e-9)


def test_comparisons_without_a_test() -> None:
    assert compared([0.5, 0.5], [0.25, 0.25]) == (2, 0, 2, 0, 0, None, None)
    assert compared([0.5], [0.75]) == (1, 0, 0, 0, 1, None, None)
    assert compared([None], [0.75]) == (0, 1, None, None, None, None, None)
    assert compared([0.5, 0.25], [0.25, 0.5])[-2:] == (0.0, "1.0")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"other_collection": "neither"}, "no title words are built for collection neither"),
        ({"collection": None}, "no title words are built for collection null"),
        ({"documents": "all"}, "no document set is called all"),
    ],
)
def test_what_cannot_be_compared_is_said(values: dict[str, str | None], problem: str) -> None:
    given = {"fct_titlestats": Table(SETS, ("one", "relevant"))}
    asked = {"collection": "one", "other_collection": "one", "documents": "relevant", **values}
    with (
        made("titlestat_comparison", given) as comparison,
        pytest.raises(Exception, match=problem),
    ):
        comparison(**asked)  # type: ignore[arg-type]


def test_what_is_left_out_is_said_once() -> None:
    """A stop word is one in every document set, and an empty set is empty for every word."""
    given = {
        "int_title_word_counts": Table(
            "collection_key, document_set, topic_key, word, reason",
            (1, "relevant", 1, "the", "stop_word"),
            (1, "pooled", 1, "the", "stop_word"),
            (1, "relevant", 1, "fox", None),
            (1, "pooled", 1, "fox", "frequency_too_low"),
            (1, "unique_relevant", 1, "fox", "no_document"),
            (1, "unique_relevant", 1, "red", "no_document"),
            (1, "relevant", 2, None, "no_title_word"),
        ),
        "int_collections": Table("collection_key, collection_id", (1, "ours")),
        "int_topics": Table("collection_key, topic_key, topic_id", (1, 1, "t1"), (1, 2, "t2")),
    }
    with made("buckley_left_out_words", given) as left_out:
        assert left_out(select="topic_id, word, document_set, reason") == [
            ("t1", "fox", "pooled", "frequency_too_low"),
            ("t1", "the", None, "stop_word"),
            ("t1", None, "unique_relevant", "no_document"),
            ("t2", None, None, "no_title_word"),
        ]


# ------------------------------------------------------------------------------- built and whole


def random_texts(seed: int) -> tuple[dict[str, str], dict[str, str], dict[str, int]]:
    """Draw titles, texts and frequencies; some words are in no document, some topics untitled."""
    drawn = random.Random(seed)  # noqa: S311 - nothing is secret
    vocabulary = ["The", "fox", "Red", "of", "wine", "2nd", "sea-salt", "owl"]
    titles = {
        str(topic): " ".join(drawn.sample(vocabulary, drawn.randint(1, 4))) for topic in range(1, 9)
    }
    titles["8"] = "Of the"
    texts = {
        f"D{number}": " ".join(word for word in vocabulary if drawn.random() < number / 30)
        for number in range(1, 21)
    }
    held = [words(text) for text in texts.values()]
    frequencies = {word: sum(word in each for each in held) for word in words(" ".join(vocabulary))}
    return titles, texts, frequencies


@pytest.mark.heavy
def test_titlestat_is_that_of_the_reference(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """One small collection has texts, and another has the same by a table without frequencies."""
    warehouse = new_warehouse(tmp_path)
    titles, texts, frequencies = random_texts(1)
    drawn = random.Random(2)  # noqa: S311 - nothing is secret
    rankings = {
        (run, topic): drawn.sample(sorted(texts), 12)
        for run in ("a1", "a2", "b1")
        for topic in titles
    }
    for run in ("a1", "a2", "b1"):
        lines = (
            f"{topic} Q0 {document} 1 {20 - place} {run}\n"
            for (of_run, topic), documents in rankings.items()
            if of_run == run
            for place, document in enumerate(documents)
        )
        (tmp_path / run).write_text("".join(lines))
    pool: dict[tuple[str, str], set[str]] = {}
    for (run, topic), documents in rankings.items():
        for document in documents[:5]:
            pool.setdefault((topic, document), set()).add(run[0])
    # judged are the pool, and a document that no pooled run contributed
    grades = {pair: drawn.randint(0, 2) for pair in [*sorted(pool), ("1", "D20"), ("2", "D19")]}
    grades |= {pair: 0 for pair in grades if pair[0] == "7"}
    write = {
        "qrels": "".join(f"{topic} 0 {doc} {grade}\n" for (topic, doc), grade in grades.items()),
        "runs.csv": "run,organization\na1,a\na2,a\nb1,b\n",
        "topics": "".join(f"{topic}\t{title}\n" for topic, title in titles.items()),
        "texts": as_json_lines(texts),
        "df.csv": "".join(f"{word},{df}\n" for word, df in [("word", "df"), *frequencies.items()]),
        "table.csv": "topic,word,document\n"
        + "".join(
            f"{topic},{word},{document}\n"
            for topic, document in grades
            for word in sorted(words(titles[topic]) & words(texts[document]))
        ),
    }
    for name, text in write.items():
        (tmp_path / name).write_text(text)
    files: dict[str, dict[str, Any]] = {
        "texts": {"texts": (tmp_path / "texts",), "document_frequencies": tmp_path / "df.csv"},
        "table": {"title_words": tmp_path / "table.csv"},
    }
    for name, each in files.items():
        request = LoadRequest(
            name,
            [tmp_path / run for run in ("a1", "a2", "b1")],
            tmp_path / "qrels",
            descriptions=tmp_path / "runs.csv",
            topics=tmp_path / "topics",
            **each,
        )
        load_collection(warehouse, request)
    report = build(warehouse)
    assert report.failed == ()

    sets: dict[str, dict[str, set[str]]] = {"relevant": {}, "unique_relevant": {}, "pooled": {}}
    depth = run_query(warehouse, "select any_value(pool_depth) from dim_collections").rows[0][0]
    assert isinstance(depth, int)
    contributors: dict[tuple[str, str], set[str]] = {}
    for (run, topic), documents in rankings.items():
        for document in documents[:depth]:
            contributors.setdefault((topic, document), set()).add(run[0])
    for (topic, document), grade in grades.items():
        of = contributors.get((topic, document), set())
        for name, is_in in (
            ("relevant", grade > 0),
            ("unique_relevant", grade > 0 and len(of) == 1),
            ("pooled", bool(of)),
        ):
            if is_in:
                sets[name].setdefault(topic, set()).add(document)
    mart = run_query(
        warehouse,
        "select collection_id, document_set, topic_id, titlestat from audits.fct_topic_titlestats",
    )
    found = {tuple(row[:3]): row[3] for row in mart.rows}
    for name, documents_of in sets.items():
        expected = titlestats(titles, documents_of, texts, frequencies)
        of_set = {
            topic: value
            for (it, set_, topic), value in found.items()
            if (it, set_) == ("texts", name)
        }
        assert of_set == pytest.approx(expected, abs=1e-12)
        [[overall, left_out]] = run_query(
            warehouse,
            "select titlestat, n_topics_left_out from fct_titlestats "
            "where collection_id = 'texts' and document_set = $name",
            {"name": name},
        ).rows
        assert overall == pytest.approx(mean(expected.values()), abs=1e-12)
        assert left_out == len(titles) - len(expected)
    # the table knows the same words, but not in how many documents they are
    shares = (
        "select * exclude (collection_id, titlestat, document_frequency)"
        " from audits.fct_word_titlestats"
    )
    one, other = (
        run_query(warehouse, f"{shares} where collection_id = '{name}' order by all").rows
        for name in files
    )
    assert one == other
    assert {value for key, value in found.items() if key[0] == "table"} == {None}
    audit = run_query(
        warehouse,
        f"select distinct reason from {question('buckley_left_out_words')} "
        "where collection_id = 'table'",
    )
    reasons = [reason for (reason,) in audit.rows]
    assert "frequency_unknown" in reasons
    assert "stop_word" in reasons
    assert check(warehouse).broken == []


# ------------------------------------------------------------------------------------- simulated


@pytest.mark.heavy
def test_the_odd_one_out_has_the_bias(tmp_path: Path) -> None:
    """The relevant documents of the pool hold more title words than all relevant documents."""
    found = {}
    for collection in simulate(tmp_path, 2026):
        titles = dict(line.split("\t") for line in collection.topics.read_text().splitlines())
        texts = dict(parse_texts(read_source(collection.texts)))
        frequencies = parse_document_frequencies(read_source(collection.document_frequencies))
        held = [words(text) for text in texts.values()]
        assert frequencies == {
            word: sum(word in each for each in held) for word in words(" ".join(titles.values()))
        }
        values = []
        for judgements in (collection.qrels, collection.truth):
            relevant: dict[str, set[str]] = {}
            for line in read_source(judgements).content.decode().splitlines():
                topic, _, document, grade = line.split()
                if int(grade) > 0:
                    relevant.setdefault(topic, set()).add(document)
            values.append(titlestats(titles, relevant, texts, frequencies))
        pooled, truth = values
        found[collection.name] = {topic: pooled[topic] - truth[topic] for topic in truth}
    odd = found["odd-one-out"]
    assert mean(odd.values()) > 1.5 * max(
        mean(found[other].values()) for other in ("deep-pool", "shallow-pool")
    )
    assert sum(value > 0 for value in odd.values()) >= 25
    assert stats.ttest_1samp(list(odd.values()), 0).pvalue < 1e-6
