"""Test files that other tools wrote: what is read of them, and what is said of the rest."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import poolhouse
from asking import invoke, invoke_on, rows
from poolhouse.building.build import build
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import (
    OfficialFigure,
    ParsedFile,
    SourceFile,
    parse_official_results,
    parse_qrels,
    parse_run,
)
from poolhouse.loading.parsers.run_metadata import RunMetadata, metadata_at_head, parse_metadata
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

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


def judged_in(text: str) -> list[tuple[str, str, int]]:
    parsed = parse_qrels(source(text))
    assert parsed.n_lines == parsed.rows.height + parsed.n_blank + parsed.rejected.height
    return parsed.rows.select("query", "docno", "grade").rows()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_ratings_of_quepid_are_judgements(line_end: str) -> None:
    expected = [("red dress", "a 1", 3), ("shoes, red", "b", 0), ("-5", "c", 1)]
    assert judged_in(QUEPID.replace("\n", line_end)) == expected
    assert judged_in("\ufeff" + QUEPID.replace("query,docid", '"Query","docId"')) == expected
    assert parse_qrels(source(QUEPID)).rows["line_number"].to_list() == [2, 3, 4]


def test_ids_meet_whatever_white_space_their_tools_keep() -> None:
    query, document = " blue\u00a0hat ", "a  1"
    expected = ("blue hat", "a 1", 2)
    assert judged_in(f"query,docid,rating\n{query},{document},2\n") == [expected]
    assert judged_in(json.dumps({query: {document: 2}})) == [expected]
    assert parse_run(source(json.dumps({query: {document: 2}}))).rows.select(
        "query", "docno"
    ).rows() == [expected[:2]]
    assert parse_run(source(json.dumps({"q": {"a": 1, " a": 2}}))).n_duplicates == 1
    with pytest.raises(BadFileError, match="is empty, or holds"):
        parse_run(source(json.dumps({"q": {"\u00a0": 1}})))


def test_judgement_lists_of_opensearch_are_judgements() -> None:
    expected = [("red dress", "a 1", 3), ("red dress", "7", 0), ("-5", "c", 1)]
    assert judged_in(OPENSEARCH) == expected
    found = '{"hits": {"total": 1, "hits": [{"_id": "x", "_source": %s}]}}'
    assert judged_in(found % OPENSEARCH) == expected
    older = '{"judgmentScores": {"red dress": [{"docId": "a", "score": "2"}, {"docId": "b"}]}}'
    assert judged_in(older) == [("red dress", "a", 2)]


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
        ('{"judgmentRatings": [{"query": "q", "ratings": {}}]}', "not a judgement list"),
        (
            '{"judgmentRatings": {"q": [{"docId": [1], "rating": 1}]}}',
            "neither a text nor",
        ),
        ('{"judgmentRatings": {"q": [{"docId": "a", "rating": true}]}}', "neither a text nor"),
        ('{"judgmentRatings": {"\\ud800": [{"docId": "a", "rating": 1}]}}', "surrogate"),
        ('{"judgmentRatings": ' + "[" * 100_000, "is not whole JSON: maximum recursion"),
        ('{"judgmentRatings": [', "is not whole JSON: Expecting value"),
        (
            '{"judgmentRatings": {"q": [{"docId": "a", "rating": %s}]}}' % ("9" * 5000),
            "not whole JSON",
        ),
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


# ---------------------------------------------------------------------------------- ir_metadata

# As TIRA's template and ir_metadata's own examples have it.
METADATA = """ir_metadata.start
schema-version: 0.1
tag: bm25
method:
  automatic: true
  description: A lexical   baseline
  retrieval:
  - name: bm25
    k1: 0.9
actor:
  team: A & B
research goal:
  description: ENTER_VALUE_HERE
ir_metadata.end
"""
RUN = "1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n"


def at_head(metadata: str) -> str:
    """Write metadata into a run as repro_eval does, with a blank before each line end."""
    first, *lines, last = metadata.splitlines()
    return "\n".join([f"# {first}", *(f"# {each} " for each in lines), f"# {last}", RUN])


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_metadata_of_a_run(line_end: str) -> None:
    expected = RunMetadata("bm25", "A & B", "automatic", "A lexical baseline")
    assert parse_metadata(source(METADATA.replace("\n", line_end))) == expected
    assert metadata_at_head(source(at_head(METADATA).replace("\n", line_end))) == expected
    assert metadata_at_head(source(RUN)) is None
    goal = "method: {automatic: false}\nresearch goal: {description: to see}\n"
    assert parse_metadata(source(goal)) == RunMetadata(None, None, "manual", "to see")
    for odd in ("", "- a", "actor: team", "method: [1]\nactor:\n  team: {a: b}\ntag:\n"):
        assert parse_metadata(source(odd)) == RunMetadata()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "expected the node content"),
        ("? [a]\n: b", "unhashable"),
        ("[" * 20_000, "recursion"),
        ("a: &a [*a]", "recursive"),
        ("a: \x07", "special characters are not allowed"),
        ("!!python/object/apply:os.system ['true']: b", "unhashable"),
    ],
    ids=lambda value: value[:15],
)
def test_hostile_metadata_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFileError, match=f"not ir_metadata in YAML: .*{problem}") as caught:
        parse_metadata(source(text))
    assert "\n" not in str(caught.value)


def test_metadata_at_the_head_is_closed() -> None:
    with pytest.raises(BadFileError, match=r"ir_metadata.start without ir_metadata.end"):
        metadata_at_head(source("# ir_metadata.start\n# tag: x\n" + RUN))
    laughs = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 200)
    )
    assert parse_metadata(source(laughs)) == RunMetadata()


def organizations(warehouse: Warehouse) -> list[tuple[object, ...]]:
    query = "select run_id, organization, run_type, run_description from staging.stg_runs"
    return rows(warehouse, f"{query} order by run_id")


@pytest.mark.heavy
def test_metadata_describes_what_descriptions_do_not(warehouse: Warehouse, tmp_path: Path) -> None:
    """A file beside a run counts more than the head; of several runs, it is about its tag."""
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "bm25").write_text(RUN)
    (runs / "head").write_text(at_head(METADATA.replace("A & B", "C")))
    (runs / "other").write_text(RUN)
    (runs / "ir-metadata.yml").write_text(METADATA)
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    files = tuple(runs / name for name in ("bm25", "head", "other"))
    request = LoadRequest("tira", runs=files, qrels=tmp_path / "qrels")
    report = load_collection(warehouse, request)
    assert report.n_described == 2
    assert "not described, each counted as its own organization: other" in report.remarks
    build(warehouse)
    described = ("automatic", "A lexical baseline")
    assert organizations(warehouse) == [
        ("bm25", "A & B", *described),
        ("head", "C", *described),
        ("other", "other", None, None),
    ]
    assert not load_collection(warehouse, request).changed
    # Another description beside the run changes the collection, and the run alone is described.
    (runs / "ir-metadata.yml").write_text(METADATA.replace("A & B", "D"))
    assert load_collection(warehouse, evolve(request, runs=files[:1])).changed
    build(warehouse)
    assert organizations(warehouse)[0][1] == "D"
    # Descriptions count more; what they leave empty stays. Bad metadata is a remark.
    (tmp_path / "runs.csv").write_text("run,organization\nbm25,E\n")
    (runs / "ir-metadata.yml").write_text("a: [")
    (runs / "head").write_text("# ir_metadata.start\n" + RUN)
    report = load_collection(warehouse, evolve(request, descriptions=tmp_path / "runs.csv"))
    assert [each.split(" by ")[0] for each in report.remarks][:1] == ["no run is described"]
    build(warehouse)
    assert organizations(warehouse)[:2] == [
        ("bm25", "E", *described),
        ("head", "head", None, None),
    ]


# --------------------------------------------------------------------- scores computed elsewhere

# The three forms of autojudge. Of measure `kind`, there are topics only.
LINES = [
    ("a", "AP", "1", "0.25"),
    ("a", "AP", "all", "0.3"),
    ("a", "kind", "1", "1.0"),
    ("a", "kind", "2", "0.12345"),
    ("b", "AP", "all", "word"),
]
FORMS = {
    "tot": "".join(f"{run}\t{measure}\t{topic}\t{value}\n" for run, measure, topic, value in LINES),
    "ir_measures": "run_id topic_id measure value\n"
    + "".join(f"{run} {topic} {measure} {value}\n" for run, measure, topic, value in LINES),
    "jsonl": "".join(
        json.dumps({"run_id": run, "topic_id": topic, "measure": measure, "value": value}) + "\n"
        for run, measure, topic, value in LINES
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_leaderboard_is_official_results(form: str) -> None:
    shift = form == "ir_measures"
    assert parse_official_results(source(FORMS[form])) == [
        OfficialFigure(2 + shift, "a", "", "AP", 0.3, 4),
        OfficialFigure(3 + shift, "a", "mean of its topics", "kind", (1 + 0.12345) / 2, 5),
        OfficialFigure(5 + shift, "b", "", "AP", None, 4),
    ]


def test_a_measure_tells_the_topic_where_no_line_is_of_all_topics() -> None:
    expected = [OfficialFigure(1, "a", "mean of its topics", "ndcg_cut_10", 0.5, 4)]
    for line in ("a ndcg_cut_10 q1 0.5\n", "a q1 ndcg_cut_10 0.5\n"):
        assert parse_official_results(source(line)) == expected
    named = '{"run_id": "a", "measure": "kind", "topic_id": 1, "value": 1}\n'
    assert parse_official_results(source(named))[0].label == "kind"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a x y 1\n", "nothing tells measures from topics"),
        ("a all all 1\n", "nothing tells measures from topics"),
        ("run_id measure topic_id value\n", "nothing tells measures from topics"),
        ("a AP all 1\na AP 1\n", ":2: 3 fields, expected run, measure, topic and value"),
        ("a AP 1 1\na AP 1 2\n", ":2: run 'a' has 'AP' of topic '1' in line 1 too"),
        ('{"run_id": "a"}\n', ":1: not a JSON object with run_id, measure"),
        ('{"run_id": [\n', ":1: not a JSON object"),
        ("a\x07 AP all 1\n", r"run 'a\\x07' is not printable"),
        ("a b c\n", "has no figures"),
        ("".join(f"a m{n} all 1\n" for n in range(1001)), "more than 1,000 measures"),
    ],
    ids=lambda value: value[:25],
)
def test_a_bad_leaderboard_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFileError, match=problem):
        parse_official_results(source(text))


# --------------------------------------------------------------------------------- MTEB's runs


def test_predictions_of_mteb_are_a_run() -> None:
    meta = {"mteb_model_meta": {"model_name": "m", "revision": "r"}}
    topics = {"q 1": {"d1": 0.5, "d2": 1}, "q2": {"d1": -2}}
    expected = [("q 1", "d1", 0.5), ("q 1", "d2", 1.0), ("q2", "d1", -2.0)]
    for content in (topics, {**meta, "default": {"test": topics}}):
        parsed = parse_run(source(json.dumps(content)))
        assert parsed.rows.select("query", "docno", "score").rows() == expected


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"en": {"test": {}, "dev": {}}, "de": {"test": {}}}, "'en/test', 'en/dev', 'de/test'"),
        ({}, "no subset and split"),
        ({"en": []}, "no subset and split"),
        ({"en": {"test": []}}, "'en/test'"),
    ],
)
def test_several_parts_of_mteb_are_named(parts: dict[str, object], named: str) -> None:
    with pytest.raises(BadFileError, match=f"holds predictions of MTEB for {named}: write"):
        parse_run(source(json.dumps({"mteb_model_meta": {}, **parts})))


# ------------------------------------------------------------- ids with blanks, to every export


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore::poolhouse.PoolhouseWarning")
def test_ids_with_blanks_pass_through(tmp_path: Path) -> None:
    """Texts of queries meet in CSV, JSON and dicts; lines, which cannot hold them, are refused.

    A scorer that gives every document the same score is said to depend on the order of ids.
    """
    db = Warehouse(tmp_path / "w.duckdb")
    w = poolhouse.open(db.path)
    judged, ranx = tmp_path / "quepid.csv", tmp_path / "ranx.json"
    judged.write_text(QUEPID)
    run: dict[str, dict[str, float]] = {
        "red dress": {"a 1": 2.0, "d": 1.0},
        "-5": {"x": 2.0, "c": 1.0},
        "shoes, red": {"y": 1},
    }
    ranx.write_text(json.dumps(run))
    w.load("shop", [ranx], qrels=judged)
    (tmp_path / "gpt").write_text("query,docid,rating\nred dress,a 1,1\nred dress,d,1\n")
    labels = {"gpt": tmp_path / "gpt"}
    constant = {topic: dict.fromkeys([*scores, "0", "zz"], 1.0) for topic, scores in run.items()}
    w.load("shop", {"dict": run, "constant": constant}, author_qrels=labels)
    w.build()
    query = "select run_id, score from run_scores('shop', 'RR') order by all"
    assert w.sql(query).rows() == [("constant", 2 / 9), ("dict", 0.5), ("ranx", 0.5)]
    # The relevant documents are third of four, and could be first and last.
    columns = "ap_loss_by_ties, ap_gain_by_ties, remarks"
    query = f"select {columns} from audit_runs where run_id = 'constant'"
    [(loss, gain, remarks)] = w.sql(query).rows()
    assert (loss, gain) == (pytest.approx((1 / 3 - 1 / 4) * 2 / 3), pytest.approx(2 / 3 * 2 / 3))
    query = """
    select run_id, avg(score - lowest_score), avg(highest_score - score)
    from tied_scores('shop', 'AP') where is_answered and run_id = 'constant' group by all
    """
    assert w.sql(query).rows() == [("constant", pytest.approx(loss), pytest.approx(gain))]
    assert f"could lower its AP by {loss:.4f} or raise it by {gain:.4f}" in remarks
    checked = invoke_on(db, "check", status=0).stdout
    assert "no run gives nine tenths of the documents the same score" in " ".join(checked.split())
    scored = invoke("score", ranx, "--qrels", judged, "-m", "RR", status=0)
    assert " 0.5000 " in scored.stdout
    invoke_on(db, "load", "by-gpt", "--judged-by", "gpt", "--of", "shop", status=0)
    invoke_on(db, "export", tmp_path / "ratings", "--format", "quepid", status=0)
    written = (tmp_path / "ratings" / "shop.csv").read_text()
    assert sorted(judged_in(written)) == sorted(judged_in(QUEPID))
    for words in (
        ("export", tmp_path / "out", "--format", "trec"),
        ("pool", "make", "shop", "--strategy", "depth", "--budget", "9", "-o", tmp_path / "list"),
    ):
        assert "holds a blank, so that no line" in invoke_on(db, *words, status=1).stderr


# ----------------------------------------------------------------------------------- any content

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["judgmentRatings", "query", "ratings", "docId", "rating", "hits"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
BEGINNINGS = st.sampled_from(
    [
        "query,docid,rating\n",
        '{"judgmentRatings": ',
        "a AP all ",
        "# ir_metadata.start\n",
        '{"run_id"',
    ]
)


@given(st.one_of(st.builds(str.__add__, BEGINNINGS, st.text()), JSON.map(json.dumps)))
def test_any_content_is_read_or_refused_in_one_line(text: str) -> None:
    file = SourceFile(Path("any"), text.encode(errors="surrogatepass"))
    for parse in (parse_qrels, parse_run, parse_official_results, metadata_at_head, parse_metadata):
        try:
            parsed = parse(file)
        except BadFileError as error:
            assert "\n" not in str(error)
        else:
            if isinstance(parsed, ParsedFile):
                n_parts = parsed.rows.height + parsed.n_blank + parsed.rejected.height
                assert parsed.n_lines == n_parts
