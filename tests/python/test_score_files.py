"""Test `score --qrels`: run files and a file of judgements, without a warehouse."""

import json
import sys
from hashlib import sha256
from pathlib import Path

import ir_measures
import ir_measures.__main__
import pytest
from click.testing import Result

from asking import invoke

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -1\n"
FIRST = "1 Q0 a 1 3 one\n1 Q0 z 2 2 one\n1 Q0 c 3 1 one\n2 Q0 d 1 1 first\n"
SECOND = "1 Q0 b 1 2 second\n1 Q0 a 2 1 second\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder with two runs and their judgements, and no warehouse."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "one.run").write_text(FIRST)
    (tmp_path / "two.run").write_text(SECOND)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scored(*arguments: str, text: str | None = None, status: int = 0) -> Result:
    return invoke("score", *arguments, text=text, status=status)


def values(done: Result) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in done.stdout.splitlines()]


TREC_EVAL = ("--format", "trec_eval")


@pytest.mark.usefixtures("folder")
def test_lines_of_several_runs() -> None:
    """The tag of the last line names a run, and only the first one answers topic 2."""
    done = scored("one.run", "two.run", "--qrels", "qrels", *TREC_EVAL, "-m", "map", "-m", "runid")
    assert values(done) == [
        ("runid", "all", "first"),
        ("map", "all", "0.4167"),  # (1 + 2/3) / 2, and 0
        ("runid", "all", "second"),
        ("map", "all", "0.2500"),
    ]


@pytest.mark.usefixtures("folder")
def test_an_alias_of_trec_eval_takes_the_judgements_first() -> None:
    """The files are in trec_eval's order, and `-` is standard input."""
    by_alias = scored(*TREC_EVAL, "-q", "-c", "-m", "P.1", "qrels", "-", text=SECOND)
    assert (
        by_alias.stdout
        == scored("two.run", "--qrels", "qrels", *TREC_EVAL, "-q", "-c", "-m", "P_1").stdout
    )
    assert values(by_alias) == [
        ("P_1", "1", "0.0000"),
        ("P_1", "2", "0.0000"),
        ("P_1", "all", "0.0000"),
    ]


@pytest.mark.usefixtures("folder")
def test_options_of_trec_eval() -> None:
    asked = ("one.run", "--qrels", "qrels", *TREC_EVAL, "-m", "num_ret", "-m", "num_rel_ret", "-n")
    assert values(scored(*asked, "-q", "-M", "2")) == [
        *(("num_ret", "1", "2"), ("num_rel_ret", "1", "1")),
        *(("num_ret", "2", "1"), ("num_rel_ret", "2", "0")),
    ]
    assert values(scored(*asked, "-q", "-l2", "-J"))[:2] == [
        *(("num_ret", "1", "2"), ("num_rel_ret", "1", "1"))
    ]
    assert values(scored(*asked)) == []


@pytest.mark.usefixtures("folder")
def test_numbers_keep_all_digits_and_words_need_no_measure() -> None:
    asked = ("one.run", "--qrels", "qrels", *TREC_EVAL)
    assert values(scored(*asked, "-m", "utility.0.123456789,0,0,0"))[0][2] == "0.1235"
    assert (
        values(scored(*asked, "-m", "dcg.1=1234567.5"))[0][2] == "308642.8750"
    )  # (2 + gain / log2(4)) / 2
    assert values(scored(*asked, "-m", "runid", "-m", "num_q"))[1] == ("num_q", "all", "2")
    assert values(scored(*asked, "-m", "AP(rel=2)@5"))[0][0] == "AP(rel=2)@5"


@pytest.mark.usefixtures("folder")
def test_official_measures_are_the_default() -> None:
    names = [name for name, *_ in values(scored("one.run", "--qrels", "qrels", *TREC_EVAL))]
    assert names[:3] == ["runid", "num_q", "num_ret"]
    assert names[-1] == "P_1000"
    assert len(names) == 10 + 11 + 9


@pytest.mark.usefixtures("folder")
def test_other_formats_have_both_means_and_unjudged_documents() -> None:
    done = scored("one.run", "two.run", "--qrels", "qrels", "-m", "P@2", "--format", "json")
    assert json.loads(done.stdout)[1] == {
        "run_id": "two",
        "measure": "P@2",
        "trec_eval_name": "P_2",
        "trec_eval_version": 10,
        "aggregation": "mean",
        "score": 0.5,
        "score_all_topics": 0.25,
        "n_topics": 1,
        "n_judged_topics": 2,
        "n_top_documents": 2,
        "n_unjudged": 0,
    }
    assert json.loads(done.stdout)[0]["n_unjudged"] == 2  # z, and d with a negative grade
    assert "two answers 1 of 2 judged topics" in done.stderr
    junk = scored(
        *("one.run", "--qrels", "qrels", "-m", "P@2", "-m", "Judged@2", "--judged-from", "-1"),
        *("--format", "json"),
    )
    found = [(each["score_all_topics"], each["n_unjudged"]) for each in json.loads(junk.stdout)]
    assert found == [(0.25, 1), (0.75, 1)]  # z alone
    table = scored("one.run", "--qrels", "qrels", "-m", "nDCG@2").stdout
    assert "one on 2 topics of qrels, by trec_eval 10" in table


@pytest.mark.usefixtures("folder")
@pytest.mark.some(5)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "prefs_simp"], "needs preferences or judgement groups"),
        (["-m", "P.x"], "P.x has parameters that P does not take; without any it prints P_5"),
        (["-m", "ndcg.2"], "ndcg.2 has parameters that ndcg does not take"),
        (["-m", "map.5"], "map.5 has parameters that map does not take"),
        (["-m", "nDGC@10"], "did you mean nDCG?"),
        (["-m", "P@0"], "P@0 is not written as P["),
        (["-m", "P.5,5"], "P.5,5 has parameters that P does not take"),
        (["-m", "P."], "P. is not written as in trec_eval: write P"),
        (["-m", "ndcg.1=2,1=3"], "has parameters that ndcg does not take"),
        (["-m", "11pt_avg.1.2"], "has parameters that 11pt_avg does not take"),
        (["-m", "11pt_avg.-.1,.5"], "has parameters that 11pt_avg does not take"),
        (["-m", "11pt_avg..5,0.5"], "has parameters that 11pt_avg does not take"),
        (["-m", "relstring.0"], "has parameters that relstring does not take"),
        (["-m", "num_q"], "are lines of --format trec_eval"),
    ],
)
def test_measures_that_do_not_exist(arguments: list[str], message: str) -> None:
    done = scored("one.run", "--qrels", "qrels", *arguments, status=1)
    assert message in done.stderr
    assert done.stdout == ""


def test_files_that_cannot_be_scored(folder: Path) -> None:
    """An error names the file and the line."""
    (folder / "twice").write_text(QRELS + "1 0 a 2\n")
    assert (
        "twice:6: topic 1, document a is judged twice"
        in scored("one.run", "--qrels", "twice", status=1).stderr
    )
    (folder / "words").write_text("1 0 a yes\n1 0 b 1.0\n")
    assert (
        "words: 1 of 2 lines rejected, line 1"
        in scored("one.run", "--qrels", "words", status=1).stderr
    )
    scores = scored("one.run", "missing", "--qrels", "qrels", *TREC_EVAL, "-m", "map", status=1)
    assert values(scores) == [("map", "all", "0.4167")]
    assert "named twice" in scored("one.run", "one.run", "--qrels", "qrels", status=1).stderr
    (folder / "elsewhere").write_text("9 Q0 a 1 1 x\n")
    assert (
        "elsewhere: none of its topics is judged (it has 9, the qrels have 1)"
        in scored("one.run", "elsewhere", "--qrels", "qrels", status=1).stderr
    )
    assert "missing: cannot be read" in scored("missing", "--qrels", "qrels", status=1).stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--qrels", "qrels", "--collection", "c"],
        ["--collection", "c", "-l", "2"],
        ["--qrels", "qrels", "-c"],
        ["--qrels", "qrels", "-c", "--format", "tot"],
        ["--qrels", "qrels", "-n", "--format", "ir_measures"],
        ["-", "-", "--qrels", "qrels"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    scored("one.run", *arguments, status=2)


def test_files_are_scored_only_where_a_run_is_named() -> None:
    assert "name a run" in scored("--qrels", "qrels", status=2).stderr


def test_what_trec_eval_refuses_is_remarked_on(folder: Path) -> None:
    (folder / "odd.run").write_text(FIRST + "1 Q0 a 9 9 one\nbad line\n")
    done = scored("odd.run", "--qrels", "qrels", *TREC_EVAL, "-m", "num_ret")
    assert values(done) == [("num_ret", "all", "4")]
    assert "1 lines repeat a document" in done.stderr
    assert "1 of 6 lines rejected, line 6" in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", [(), ("-q",)])
def test_lines_are_those_of_ir_measures(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both count the topic that the run does not answer. The order of their lines differs."""
    measures = ("AP", "P@2", "nDCG@10", "RR(rel=2)")
    monkeypatch.setattr(sys, "argv", ["ir_measures", "qrels", "two.run", *measures, *options])
    ir_measures.__main__.main_cli()  # type: ignore[no-untyped-call]
    expected = capsys.readouterr().out.splitlines()
    asked = [word for measure in measures for word in ("-m", measure)]
    done = scored("two.run", "--qrels", "qrels", "--format", "ir_measures", *asked, *options)
    assert sorted(done.stdout.splitlines()) == sorted(expected) != []


@pytest.mark.usefixtures("folder")
def test_lines_of_tot_name_the_run() -> None:
    """Each has the run, measure, topic and value; the count of relevant documents is a sum."""
    done = scored(
        *("one.run", "two.run", "--qrels", "qrels", "--format", "tot"),
        *("-q", "-m", "P@1", "-m", "NumRel"),
    )
    found = {(run, measure, topic): float(value) for run, measure, topic, value in values(done)}
    assert found == {
        ("one", "P@1", "1"): 1,
        ("one", "P@1", "2"): 0,
        ("one", "P@1", "all"): 0.5,
        ("two", "P@1", "1"): 0,
        ("two", "P@1", "2"): 0,
        ("two", "P@1", "all"): 0,
        **{(run, "NumRel", "1"): 2 for run in ("one", "two")},
        **{(run, "NumRel", "2"): 1 for run in ("one", "two")},
        **{(run, "NumRel", "all"): 3 for run in ("one", "two")},
    }


@pytest.mark.usefixtures("folder")
def test_lines_that_nobody_could_read_are_refused(folder: Path) -> None:
    two = ("one.run", "two.run", "--qrels", "qrels", "--format", "ir_measures")
    assert "do not name the run" in scored(*two, status=1).stderr
    (folder / "my run").write_text(FIRST)
    done = scored("my run", "--qrels", "qrels", "--format", "tot", status=1)
    assert "'my run' has a blank" in done.stderr
    assert done.stdout == ""


def test_provenance_has_what_the_scores_come_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pairs").write_text("1 b\n")
    arguments = ["two.run", "-", "--qrels", "qrels", "--leave-out", "pairs", "-m", "AP"]
    arguments += ["--format", "provenance"]
    monkeypatch.setattr(sys, "argv", ["poolhouse", "score", *arguments])
    found = json.loads(scored(*arguments, text=FIRST).stdout)
    assert found["command"] == f"poolhouse score {' '.join(arguments)}"
    assert found["trec_eval"] == 10
    hashes = {file["name"]: file["sha256"] for file in found["files"]}
    assert hashes == {
        "pairs": sha256(b"1 b\n").hexdigest(),
        "qrels": sha256((folder / "qrels").read_bytes()).hexdigest(),
        "two": sha256((folder / "two.run").read_bytes()).hexdigest(),
        "standard input": None,
    }
    assert [row["score"] for row in found["scores"]] == [0.5, pytest.approx(5 / 12)]
