"""Test `poolhouse score`: trec_eval's numbers, for loaded runs and for files."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shutil import copyfile

import duckdb
import polars as pl
import pytest
import pytrec_eval
from click.testing import Result

from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from asking import invoke
from conftest import BLUE, QRELS, NewWarehouse, write_toy_files
from poolhouse.building.build import build
from poolhouse.loading.line_files import read_run
from poolhouse.loading.load import load_collection
from poolhouse.option_values import USUAL_MEASURES
from poolhouse.scoring.asked_runs import NewRun
from poolhouse.scoring.scored_runs import measures_named
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

# The measures of trec_eval that a warehouse computes. Counts are added up over topics.
COUNTS = ("num_ret", "num_rel", "num_rel_ret")
MEASURES = (
    *COUNTS,
    *("map", "Rprec", "bpref", "recip_rank", "ndcg", "infAP", "set_P", "set_recall", "set_F"),
    *("P_5", "recall_10", "ndcg_cut_10", "map_cut_5", "success_1", "iprec_at_recall_0.10"),
)
# A run that answers both topics, in its own order, and a run that does not answer topic 2.
OURS = """\
1 Q0 D2 1 4 ours
1 Q0 D9 2 3 ours
1 Q0 D1 3 2 ours
2 Q0 D4 1 1 ours
2 Q0 D1 2 .5 ours
7 Q0 D1 1 1 ours
"""
SHORT = "1 Q0 D1 1 1 short\n"


@pytest.fixture(scope="module")
def toy(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("scoring")
    warehouse = new_warehouse(folder)
    load_collection(warehouse, write_toy_files(folder / "toy").request())
    build(warehouse)
    return warehouse


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    file = tmp_path / "ours"
    file.write_text(OURS)
    return file


def by_trec_eval(
    run: Mapping[str, Mapping[str, float]], qrels: Mapping[str, Mapping[str, int]]
) -> tuple[dict[tuple[str, str], float], set[str]]:
    """Return trec_eval's scores by measure and topic; `all` is the mean over answered topics."""
    families = {name.partition("_cut")[0] for name in MEASURES} | set(MEASURES)
    supported = {each for each in pytrec_eval.supported_measures if each in families}
    supported |= {"P", "recall", "ndcg_cut", "map_cut", "success", "iprec_at_recall"}
    evaluator = pytrec_eval.RelevanceEvaluator(
        {topic: dict(grades) for topic, grades in qrels.items()},
        {
            *(supported - {"P", "recall", "ndcg_cut", "map_cut", "success"}),
            *("P.5", "recall.10", "ndcg_cut.10", "map_cut.5", "success.1"),
        },
    )
    found = evaluator.evaluate({topic: dict(documents) for topic, documents in run.items()})
    scores = {
        (measure, topic): value
        for topic, values in found.items()
        for measure, value in values.items()
        if measure in MEASURES
    }
    for measure in MEASURES:
        values = [value for (name, _), value in scores.items() if name == measure]
        total = sum(values)
        scores[measure, "all"] = total if measure in COUNTS else total / len(values)
    return scores, set(found)


def scored(*arguments: object) -> Result:
    return invoke("score", *arguments, status=0)


def printed(result: Result) -> dict[tuple[str, str], str]:
    """Read trec_eval's lines; the column of names has the width that trec_eval gives it."""
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert all(len(name) >= 22 for name, _, _ in lines)
    return {(name.rstrip(), topic): value for name, topic, value in lines}


def as_printed(measure: str, value: float) -> str:
    return str(round(value)) if measure in COUNTS else f"{value:.4f}"


def asked_for(measures: tuple[str, ...]) -> list[str]:
    return [word for measure in measures for word in ("-m", measure)]


def test_it_prints_what_trec_eval_prints(toy: Warehouse, ours: Path) -> None:
    """All topics and each topic are printed, without the topic that nobody judged."""
    qrels: dict[str, dict[str, int]] = {}
    for line in QRELS.splitlines():
        topic, _, document, *grade = line.split()
        if grade and int(grade[0]) >= 0:
            qrels.setdefault(topic, {})[document] = int(grade[0])
    run: dict[str, dict[str, float]] = {}
    for line in OURS.splitlines():
        topic, _, document, _, score, _ = line.split()
        run.setdefault(topic, {})[document] = float(score)
    expected, topics = by_trec_eval(run, qrels)
    found = printed(
        scored(
            *(ours, "--collection", "toy", "--db", toy.path, "--format", "trec_eval"),
            *("--by-topic", *asked_for(MEASURES)),
        )
    )
    assert found["runid", "all"] == "ours"
    assert found["num_q", "all"] == str(len(topics)) == "2"
    for (measure, topic), value in expected.items():
        assert found[measure, topic] == as_printed(measure, value), (measure, topic)
    assert len(found) == len(expected) + 2


@pytest.mark.heavy
def test_a_loaded_run_has_the_scores_of_the_marts(toy: Warehouse) -> None:
    scores = score_runs(toy, "toy", ["blue.1"], USUAL_MEASURES).over_topics
    expected = run_query(
        toy,
        """
        select measure, score, score_all_topics, n_topics from fct_run_scores
        where run_id = 'blue.1' and judgement_set = 'full' and unjudged = 'nonrelevant'
        """,
    ).rows
    known = {row[0]: tuple(row[1:]) for row in expected}
    for row in scores.iter_rows(named=True):
        of_mart = known[row["measure"]]
        assert row["score"] == pytest.approx(of_mart[0], abs=1e-12), row["measure"]
        assert row["score_all_topics"] == pytest.approx(of_mart[1], abs=1e-12), row["measure"]
        assert row["n_topics"] == of_mart[2]
    assert scores["measure"].to_list() == list(USUAL_MEASURES)


def test_the_next_step_works_for_loaded_runs_and_files(toy: Warehouse, ours: Path) -> None:
    for runs, command in (
        (["blue.1"], "sql"),
        ([ours], f"adjust {ours}"),
        (["blue.1", ours], f"adjust {ours}"),
    ):
        done = scored(*runs, "--collection", "toy", "-m", "P@2", "--db", toy.path)
        assert f"next: poolhouse {command} " in done.stderr


def test_the_next_step_names_every_run(ours: Path, tmp_path: Path) -> None:
    (tmp_path / "short").write_text(SHORT)
    (tmp_path / "qrels").write_text("1 0 D1 1\n2 0 D4 1\n")
    files = [str(ours), str(tmp_path / "short")]
    done = scored(*files, "--qrels", tmp_path / "qrels", "-m", "P@2")
    assert f"next: poolhouse load NAME --runs {' '.join(files)} --qrels " in done.stderr


@pytest.mark.heavy
def test_topics_that_a_run_does_not_answer(toy: Warehouse, tmp_path: Path) -> None:
    """Without -c, as in trec_eval, such topics do not count; with -c, they count as 0."""
    file = tmp_path / "short"
    file.write_text(SHORT)
    arguments = (file, "--collection", "toy", "--db", toy.path, "-m", "RR")
    result = scored(*arguments, "--format", "trec_eval")
    assert printed(result)["recip_rank", "all"] == "1.0000"
    assert "short answers 1 of 2 judged topics" in result.stderr
    complete = printed(scored(*arguments, "--format", "trec_eval", "--complete"))
    assert complete["recip_rank", "all"] == "0.5000"
    assert complete["num_q", "all"] == "2"
    assert "score_all_topics" in scored(*arguments, "--format", "csv").stdout


@pytest.mark.heavy
def test_several_runs_and_unjudged_documents(toy: Warehouse, ours: Path) -> None:
    """D9 is in no qrels; a loaded run is beside the file."""
    runs: list[str | NewRun] = [NewRun("ours", read_run(ours).rows), "green"]
    scores = score_runs(toy, "toy", runs, ["P@2", "AP"])
    rows = scores.over_topics.select("run_id", "measure", "n_top_documents", "n_unjudged").rows()
    assert rows[0] == ("ours", "P@2", 4, 2)  # D9, and on topic 2 D1
    assert [row[:2] for row in rows] == [
        ("ours", "P@2"),
        ("ours", "AP"),
        ("green", "P@2"),
        ("green", "AP"),
    ]


def test_the_score_if_unjudged_documents_were_relevant(toy: Warehouse) -> None:
    scores = score_runs(toy, "toy", ["blue.1", "amber"], ["P@2", "nDCG", "GMAP", "NumRet", "A@2"])
    found = {
        (run, measure): bound
        for run, measure, bound in scores.over_topics.select(
            "run_id", "measure", "score_if_relevant"
        ).iter_rows()
    }
    for row in scores.over_topics.filter(measure="P@2").iter_rows(named=True):
        gain = row["n_unjudged"] / 2 / row["n_topics"]
        assert found[row["run_id"], "P@2"] == pytest.approx(row["score"] + gain)
    assert found["amber", "nDCG"] > 0
    assert {found["blue.1", measure] for measure in ("GMAP", "NumRet", "A@2")} == {None}


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("spelling", "measure"),
    [
        ("ndcg_cut.10", "nDCG@10"),
        ("Rprec_mult.0.20", "RprecMult@0.20"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P.10", "P@10"),
        ("p_10", "P@10"),
        ("iprec_at_recall.0.10", "IPrec@0.10"),
        ("map", "AP"),
        ("MAP", "AP"),
        ("ap", "AP"),
        ("MAP@10", "AP@10"),
        ("MRR(rel=2)", "RR(rel=2)"),
        ("Precision@10", "P@10"),
        ("nerr8@5", "NERR8@5"),
        ("Compat(normalize=False)", "Compat(normalize=false)"),
        ("infap", "infAP"),
        ("ndcg@10", "nDCG@10"),
        ("rbp(p=0.5)@10", "RBP(p=0.5)@10"),
        ("SetRelP(rel=2)", "SetP(relative=true,rel=2)"),
        ("xyzzy", "xyzzy"),
        ("ndcg_cut", "ndcg_cut"),  # several cutoffs in trec_eval, and not the uncut nDCG
        ("recall", "R"),  # which then is said to need a cutoff
        ("", ""),
    ],
)
def test_a_measure_may_be_spelled_in_other_ways(
    toy: Warehouse, spelling: str, measure: str
) -> None:
    with toy.read() as connection:
        assert measures_named(connection, [spelling]) == [measure]


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "official"], "official stands for several measures: name each of them, such as AP"),
        (["-m", "recall"], "R is not written as R[(rel=l,judged_only=false)]@k"),
        (["-m", "RBQ"], "RBQ is not a measure that Poolhouse computes: did you mean RBP?"),
        (["--collection", "tyo"], "did you mean 'toy'?"),
        (["nowhere"], "run 'nowhere' is neither a run of 'toy' nor a file"),
    ],
)
def test_what_cannot_be_scored(
    toy: Warehouse, ours: Path, arguments: list[str], message: str
) -> None:
    asked = ["score", str(ours), "--collection", "toy", "--db", str(toy.path), *arguments]
    result = invoke(*asked)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stdout == ""


def test_complete_is_for_lines_of_trec_eval(toy: Warehouse, ours: Path) -> None:
    asked = ["score", str(ours), "--collection", "toy", "--db", str(toy.path), "--complete"]
    assert invoke(*asked).exit_code == 2


def test_without_a_run_every_run_of_the_collection_is_scored(toy: Warehouse) -> None:
    """The lines are those of the leaderboard, and the provenance has the hashes of its files."""
    asked = ("--collection", "toy", "--db", toy.path, "-m", "AP")
    lines = [line.split("\t") for line in scored(*asked, "--format", "tot").stdout.splitlines()]
    with toy.read() as connection:
        board = connection.execute("select run_id, ap from leaderboard").fetchall()
        hashes = connection.execute(
            "select name, sha256 from ops.files where kind in ('run', 'qrels')"
        ).fetchall()
    assert {run: float(value) for run, _, _, value in lines} == pytest.approx(dict(board))
    assert {tuple(line[1:3]) for line in lines} == {("AP", "all")}
    found = json.loads(scored(*asked, "--format", "provenance").stdout)
    assert {file["name"]: file["sha256"] for file in found["files"]} == dict(hashes)


def test_provenance_of_a_new_run_has_the_hash_of_its_file(toy: Warehouse, ours: Path) -> None:
    asked = (ours, "--collection", "toy", "--db", toy.path, "-m", "AP", "--format", "provenance")
    files = json.loads(scored(*asked).stdout)["files"]
    assert [(file["kind"], file["name"]) for file in files] == [("qrels", "qrels"), ("run", "ours")]
    assert files[1]["sha256"] == sha256(ours.read_bytes()).hexdigest()


@pytest.mark.heavy
def test_the_warehouse_stays_as_it_is(toy: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "blue"
    file.write_text(BLUE)
    copy = Path(copyfile(toy.path, tmp_path / "copy.duckdb"))
    scored(file, "--collection", "toy", "--db", copy)
    assert copy.read_bytes() == toy.path.read_bytes()


@pytest.mark.heavy
def test_exponential_gains_beyond_a_double_are_refused(tmp_path: Path) -> None:
    """Infinity over infinity was a perfect score of any ranking."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    run.write_text("1 Q0 c 1 4 r\n1 Q0 a 2 3 r\n1 Q0 b 3 2 r\n1 Q0 d 4 1 r\n")
    asked = ["score", str(run), "--qrels", str(qrels), "-m", "nDCG(dcg=exp-log2)"]
    for grades, said in (
        ((1, 0, 0, 1), "0.6509"),  # (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3))
        ((1023, 0, 0, 1023), "0.6509"),
        ((1023, 1023, 0, 1023), "the gains of a topic add up to more than a double holds"),
        ((1100, 0, 0, 3), "need grades up to 1023, and a document has the grade 1100"),
    ):
        lines = (f"1 0 {name} {grade}\n" for name, grade in zip("abcd", grades, strict=True))
        qrels.write_text("".join(lines))
        done = invoke(*asked)
        assert said in done.output, done.output


@pytest.mark.archive
@pytest.mark.parametrize("collection", [TREC2, TREC8, TREC_COVID], ids=lambda each: each.name)
def test_files_of_the_archive_have_the_scores_of_the_marts(
    collection: ArchiveCollection, archives: Warehouse, marts: duckdb.DuckDBPyConnection
) -> None:
    """Every tenth run is scored from its file; another test compares the marts with trec_eval."""
    files = sorted(collection.request().run_files)[::10]
    runs = [NewRun(f"new {run.run_id}", run.rows) for run in map(read_run, files)]
    found = score_runs(archives, collection.name, runs, USUAL_MEASURES).over_topics
    expected = pl.DataFrame(
        marts.execute(
            """
            select 'new ' || run_id as run_id, measure, score from fct_run_scores
            where collection_id = ? and judgement_set = 'full' and unjudged = 'nonrelevant'
            """,
            [collection.name],
        ).fetchall(),
        schema=["run_id", "measure", "score"],
        orient="row",
    )
    both = found.join(expected, on=["run_id", "measure"], suffix="_of_mart")
    assert both.height == len(files) * len(USUAL_MEASURES)
    off = (both["score"] - both["score_of_mart"]).abs().max()
    assert isinstance(off, float)
    assert off < 1e-9
