"""Test files that other tools wrote: what is read of them, and what is said of the rest."""

from pathlib import Path

import pytest

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import SourceFile, parse_qrels

# As Quepid writes it: a blank before a sign, and no rating where nobody rated.
QUEPID = (
    'query,docid,rating\nred dress,a 1,3\n"shoes, red",b,0.0\n -5,c,1\nnobody,,\nred dress,d,\n'
)
# As its documentation has it, with the forms of grades of several releases.
OPENSEARCH = """{"name": "Imported", "type": "IMPORT_JUDGMENT", "judgmentRatings": [
  {"query": "red dress",
   "ratings": [{"docId": "a 1", "rating": "3.000"}, {"docId": 7, "rating": 0}]},
  {"query": "-5", "ratings": [{"docId": "c", "rating": 1.0}, {"docId": "d", "rating": null}]}]}"""


def source(text: str, name: str = "judged") -> SourceFile:
    return SourceFile(Path(name), text.encode())


def judged(text: str) -> list[tuple[str, str, int]]:
    parsed = parse_qrels(source(text))
    assert parsed.n_lines == parsed.rows.height + parsed.n_blank + parsed.rejected.height
    return parsed.rows.select("query", "docno", "grade").rows()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_ratings_of_quepid_are_judgements(line_end: str) -> None:
    expected = [("red dress", "a 1", 3), ("shoes, red", "b", 0), ("-5", "c", 1)]
    assert judged(QUEPID.replace("\n", line_end)) == expected
    assert judged("\ufeff" + QUEPID.replace("query,docid", '"Query","docId"')) == expected
    assert parse_qrels(source(QUEPID)).rows["line_number"].to_list() == [2, 3, 4]


def test_judgement_lists_of_opensearch_are_judgements() -> None:
    expected = [("red dress", "a 1", 3), ("red dress", "7", 0), ("-5", "c", 1)]
    assert judged(OPENSEARCH) == expected
    found = '{"hits": {"total": 1, "hits": [{"_id": "x", "_source": %s}]}}'
    assert judged(found % OPENSEARCH) == expected
    older = '{"judgmentScores": {"red dress": [{"docId": "a", "score": "2"}, {"docId": "b"}]}}'
    assert judged(older) == [("red dress", "a", 2)]


@pytest.mark.parametrize("grade", ["2.5", '"0.125"'])
def test_a_fraction_is_refused_as_in_qrels(grade: str) -> None:
    for text in (f"query,docid,rating\nq,a,{grade}\n", OPENSEARCH.replace("1.0", grade)):
        with pytest.raises(BadFileError, match="is no whole number: multiply all grades"):
            parse_qrels(source(text))


def test_what_is_no_judgement_is_set_aside() -> None:
    parsed = parse_qrels(source('query,docid,rating\n"a  b",x,good\n,y,1\nq,,1\nq,z,3e9\n'))
    assert parsed.rows.is_empty()
    assert parsed.rejected.rows() == [
        (2, "grade_not_an_integer", "a b x good"),
        (3, "too_few_fields", " y 1"),
        (4, "too_few_fields", "q  1"),
        (5, "grade_not_an_integer", "q z 3e9"),
    ]
    nul = OPENSEARCH.replace("a 1", "a\\u0000")
    assert parse_qrels(source(nul)).rejected["reason"].to_list() == ["nul_byte"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"judgmentRatings": 1}', "not a judgement list"),
        ('{"judgmentRatings": [[]]}', "not a judgement list"),
        ('[{"judgmentRatings": []}]', "not a judgement list"),
        ('{"judgmentRatings": [{"query": "q", "ratings": {}}]}', "not a judgement list"),
        (
            '{"judgmentRatings": {"q": [{"docId": [1], "rating": 1}]}}',
            "neither a text nor",
        ),
        ('{"judgmentRatings": {"q": [{"docId": "a", "rating": true}]}}', "neither a text nor"),
        ('{"judgmentRatings": {"\\ud800": [{"docId": "a", "rating": 1}]}}', "surrogate"),
        ('{"judgmentRatings": ' + "[" * 100_000, "not JSON: nested too deeply"),
        ('{"judgmentRatings": [', "not JSON: Expecting value"),
        ('{"judgmentRatings": {"q": [{"docId": "a", "rating": %s}]}}' % ("9" * 5000), "not JSON"),
        ('query,docid,rating\n"q,a,1\n', "unexpected end|line break"),
        ("query,docid,rating\nq,a,1,2\n", "more fields than the header"),
    ],
    ids=lambda value: value[:30],
)
def test_a_bad_list_is_one_line(text: str, problem: str) -> None:
    with pytest.raises(BadFileError, match=problem) as caught:
        parse_qrels(source(text))
    assert "\n" not in str(caught.value)


def test_a_list_is_no_larger_than_its_limit() -> None:
    with pytest.raises(BadFileError, match="the limit for a judgement list"):
        parse_qrels(SourceFile(Path("judged"), QUEPID.encode(), limit=16 * 50))
