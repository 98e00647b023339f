"""Test lists for people: titles, several assessors and their agreement, what cannot be judged."""

import json
from functools import partial
from pathlib import Path
from shutil import copyfile

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import invoke_on, rows
from poolhouse.building.build import build
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling.answers import Agreement, AnswersReport, load_answers
from poolhouse.pooling.asking import PoolRequest
from poolhouse.pooling.assessing import AssessorsList, assessors_list
from poolhouse.pooling.dividing import divided
from poolhouse.warehouse.file import Warehouse

QRELS = "select docno, grade from raw.qrels_lines order by docno"
HOSTILE = "foreign\nminorities,\r\n1 0 d1 1 \x1b[31m\u2028\u202e\tGermany"


@pytest.fixture
def page(unjudged_once: Warehouse, tmp_path: Path) -> Warehouse:
    """Provide the collection on a page, built without judgements: d1 to d6 of topic 1."""
    return Warehouse(Path(copyfile(unjudged_once.path, tmp_path / "poolhouse.duckdb")))


def documents_of(file: Path) -> list[str]:
    """Return the documents of a list."""
    lines = file.read_text().splitlines()
    return sorted(line.split()[2] for line in lines if not line.startswith("#"))


def loaded(page: Warehouse, folder: Path, text: str, author: str | None = None) -> AnswersReport:
    """Load answers."""
    file = folder / "answers"
    file.write_text(text)
    return load_answers(page, "page", (file,), author=author)


# --------------------------------------------------------------------------------------- the file


def test_a_topic_has_its_title_above_its_documents() -> None:
    documents = pl.DataFrame({"topic_id": ["1", "1", "2", "3"], "doc_id": ["b", "a", "c", "d"]})
    lines = AssessorsList(documents, 0, {"1": HOSTILE, "3": "x"}).lines()
    assert lines.split("\n") == [
        "# topic 1: foreign minorities, 1 0 d1 1 \ufffd[31m \ufffd Germany",
        *("1 0 b", "1 0 a", "2 0 c", "# topic 3: x", "3 0 d", ""),
    ]


def test_a_list_from_a_spreadsheet_is_loaded(page: Warehouse, tmp_path: Path) -> None:
    """Titles are loaded, listed, and come back with tabs, quotes and the line ends of Windows."""
    titles = tmp_path / "titles.tsv"
    titles.write_text('1\tso-called "minorities", Germany\n')
    load_collection(page, LoadRequest("page", topics=titles))
    file = tmp_path / "list.txt"
    invoke_on(
        page,
        *("pool", "make", "page", "--strategy", "rrf", "--budget", 3, "--order", "document"),
        *("-o", file),
        status=0,
    )
    first, *lines = file.read_text().splitlines()
    assert first == '# topic 1: so-called "minorities", Germany'
    assert len(lines) == 3
    written = ['"# topic 1: so-called ""minorities"", Germany"\t\t\t']
    written += ["\t".join([*line.split()[:2], f'"{line.split()[2]}"', "1"]) for line in lines]
    file.write_bytes("\r\n".join(written).encode())
    assert load_answers(page, "page", (file,)).n_added == 3
    assert rows(page, QRELS) == [(line.split()[2], 1) for line in lines]


# ------------------------------------------------------------------------------ several assessors


@given(
    st.lists(st.integers(min_value=1, max_value=30), min_size=1, max_size=12),
    st.integers(min_value=2, max_value=12),
    st.sampled_from([0, 0.1, 0.5, 1]),
)
def test_documents_are_divided_evenly(sizes: list[int], n_assessors: int, overlap: float) -> None:
    pairs = [(str(topic), f"d{n}") for topic, size in enumerate(sizes) for n in range(size)]
    documents = pl.DataFrame(pairs, schema=["topic_id", "doc_id"], orient="row")
    if len(pairs) < n_assessors:
        return
    own = [each.rows() for each in divided(documents, n_assessors, 0, 1)]
    assert sorted(pair for each in own for pair in each) == sorted(pairs)
    counts = [len(each) for each in own]
    assert max(counts) - min(counts) <= max(1, 0.1 * len(pairs) / n_assessors)
    if len(set(sizes)) == 1 and len(sizes) % n_assessors == 0:
        topics = [{topic for topic, _ in each} for each in own]
        assert sum(map(len, topics)) == len(sizes)  # whole topics
    listed = [each.rows() for each in divided(documents, n_assessors, overlap, 1)]
    for before, after in zip(own, listed, strict=True):
        assert len(set(after)) == len(after)
        assert set(before) <= set(after)
    n_second = sum(round(overlap * count) for count in counts)
    assert sum(map(len, listed)) == len(pairs) + n_second


@pytest.mark.heavy
def test_two_assessors_and_their_agreement(page: Warehouse, tmp_path: Path) -> None:
    """Both judge d1 to d5, three relevant by each, and three alike: (.6 - .52) / (1 - .52) = 1/6.

    Their answers are all judgements that there are, so that nobody is compared with the qrels.
    """
    run = partial(invoke_on, page)
    made = run(
        *("pool", "make", "page", "--strategy", "rrf", "--budget", 6, "--assessors", 2),
        *("--overlap", 1, "-o", tmp_path / "list.txt"),
        status=0,
    )
    assert "6 documents on two lists" in made.stderr
    assert "list-1.txt --author NAME" in " ".join(made.stderr.split())
    one, two = (tmp_path / f"list-{n}.txt" for n in (1, 2))
    assert documents_of(one) == documents_of(two) == [f"d{n}" for n in range(1, 7)]
    assert rows(page, "select count(*), count(distinct list_number) from raw.pool_documents") == [
        (12, 2)
    ]
    again = run(
        "pool", "make", "page", "--strategy", "rrf", "--budget", 2, "-o", tmp_path / "next.txt"
    )
    assert "2 of these documents are on earlier lists, and have no answer: 2 of list 1 (" in (
        " ".join(again.stderr.split())
    )
    for file, grades in ((one, (1, 1, 1, 0, 0, "")), (two, (1, 1, 0, 1, 0, 0))):
        file.write_text("".join(f"1 0 d{n} {grade}\n" for n, grade in enumerate(grades, start=1)))
    refused = run("pool", "load", "page", one, two, status=1)
    assert "or load the list of each assessor alone, with --author NAME" in refused.stderr
    first = run("pool", "load", "page", one, "--author", "anna", status=0)
    assert "page: 5 answers added, 1 line without an answer" in first.stderr
    refused = run("pool", "load", "page", two, status=1)
    assert "--author NAME of somebody else to keep it as a second answer" in " ".join(
        refused.stderr.split()
    )
    second = run("pool", "load", "page", two, "--author", "ben", "--format", "json", status=0)
    assert "1 answer added, 5 second answers (2 differ), 0 lines" in second.stderr
    assert "ben and anna: kappa 0.167, on 5 documents that both judged" in second.stderr
    [agreement] = json.loads(second.stdout)["agreement"]
    assert agreement == {"other_author": "anna", "n_pairs": 5, "kappa": pytest.approx(1 / 6)}
    assert [grade for _, grade in rows(page, QRELS)] == [1, 1, 1, 0, 0, 0]
    assert "6 known before" in run("pool", "load", "page", two, "--author", "ben").stderr
    build(page)
    of_both = """
        select author, other_author, n_pairs, kappa from fct_author_agreement where topic_id is null
    """
    assert rows(page, of_both) == [("anna", "ben", 5, pytest.approx(1 / 6))]
    for own in (
        "select author from dim_authors where is_compared",
        "select author from author_order_agreement('page', 'P@5')",
        "select author from author_favours('page', 'P@5')",
    ):
        assert rows(page, own) == [], own


@pytest.mark.parametrize(
    ("name", "words", "problem"),
    [
        ("list.txt", ("--overlap", "0.1"), "--overlap works only with --assessors"),
        ("list.txt", ("--assessors", "9"), "6 documents are too few for 9 assessors"),
        ("old.txt", ("--assessors", "2"), "old-2.txt: exists, and may hold answers"),
        ("none/list.txt", (), "list.txt: cannot be written: No such file or directory"),
    ],
)
def test_lists_of_assessors_are_refused(
    page: Warehouse, tmp_path: Path, name: str, words: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "old-2.txt").write_text("1 0 d1 1\n")
    made = invoke_on(
        page,
        *("pool", "make", "page", "--strategy", "rrf", "--budget", 9, *words),
        *("-o", tmp_path / name),
    )
    assert made.exit_code in (1, 2)
    assert problem in " ".join(made.stderr.split())
    assert list(tmp_path.glob("*.txt")) == [tmp_path / "old-2.txt"]
    assert rows(page, "select count(*) from raw.pool_lists") == [(0,)]


def test_the_kappa_of_second_answers(page: Warehouse, tmp_path: Path) -> None:
    """None where all answers are the same; then as above, (.6 - .52) / (1 - .52)."""
    loaded(page, tmp_path, "1 0 d1 1\n1 0 d2 1\n1 0 d3 1\n1 0 d4 0\n1 0 d5 0\n", "anna")
    report = loaded(page, tmp_path, "1 0 d1 1\n", "ben")
    assert (report.n_second, report.n_differing) == (1, 0)
    assert report.agreement == (Agreement("anna", 1, None),)
    report = loaded(page, tmp_path, "1 0 d2 1\n1 0 d3 0\n1 0 d4 1\n1 0 d5 0\n1 0 d6 1\n", "ben")
    assert (report.n_added, report.n_second, report.n_differing) == (1, 4, 2)
    [agreement] = report.agreement
    assert (agreement.other_author, agreement.n_pairs) == ("anna", 5)
    assert agreement.kappa == pytest.approx(1 / 6)
    with pytest.raises(BadFileError, match=r"is judged 0 already, .* NAME of somebody else"):
        loaded(page, tmp_path, "1 0 d3 1\n", "ben")


# ------------------------------------------------------------------------ what cannot be judged


@pytest.mark.heavy
def test_what_cannot_be_judged_does_not_come_back(page: Warehouse, tmp_path: Path) -> None:
    """Others take its place in the budget, and a judgement takes its place in the qrels."""

    def listed(strategy: str, *, is_per_topic: bool = False) -> list[str]:
        request = PoolRequest("page", 2, is_per_topic, ("a1", "a2", "b1"), is_of_every_topic=True)
        made = assessors_list(page, request, strategy)
        remark = "of the pool cannot be judged, and no list has them"
        assert any(remark in each for each in made.remarks) == bool(rows(page, QRELS))
        return sorted(made.documents["doc_id"])

    strategies = ("take", "take_by_run", "move_to_front")
    assert [len(listed(each)) for each in strategies] == [2, 2, 2]
    report = loaded(page, tmp_path, "1 0 d1 Skip\n1 0 d2 -3\n1 0 d3\n")
    assert (report.n_added, report.n_unjudgeable, report.n_unanswered) == (0, 2, 1)
    assert report.has_changed
    assert rows(page, QRELS) == [("d1", -1), ("d2", -3)]
    assert not loaded(page, tmp_path, "1 0 d1 skip\n1 0 d2 -3\n").has_changed
    for each in strategies:
        for is_per_topic in (False, True):
            after = listed(each, is_per_topic=is_per_topic)
            assert len(after) == 2
            assert not {"d1", "d2"} & set(after)
    # A depth is taken as a whole: d1 to d4 are in the pool of depth 2, of which two take no budget.
    assert listed("depth") == ["d3", "d4"]
    loaded(page, tmp_path, "".join(f"1 0 d{n} skip\n" for n in range(3, 7)))
    assert [listed(each) for each in strategies] == [[], [], []]
    report = loaded(page, tmp_path, "1 0 d1 1\n")
    assert (report.n_added, report.n_changed) == (1, 0)
    assert rows(page, QRELS)[0] == ("d1", 1)
    with pytest.raises(BadFileError, match="is judged 1 already, and the answer is -1"):
        loaded(page, tmp_path, "1 0 d1 skip\n")


def test_a_word_that_is_not_skip_is_an_error(page: Warehouse, tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match=r":1: the grade 'broken' .*, and not skip, which"):
        loaded(page, tmp_path, "1 0 d1 broken\n")


def test_skip_is_below_every_judgement(page: Warehouse, tmp_path: Path) -> None:
    load_collection(page, LoadRequest("page", judged_from=-2))
    report = loaded(page, tmp_path, "1 0 d1 skip\n1 0 d2 -2\n")
    assert (report.n_added, report.n_unjudgeable) == (1, 1)
    assert rows(page, QRELS) == [("d1", -3), ("d2", -2)]
    # One of two assessors could judge it.
    report = loaded(page, tmp_path, "1 0 d3 skip\n1 0 d3 0\n1 0 d3 skip\n")
    assert (report.n_added, report.n_unjudgeable) == (1, 0)
