"""Test preferences: their files, their scores, and measures of runs beside trec_eval."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest

from asking import invoke_on, rows
from built_collections import built_and_tested, kept_open, load_together
from conftest import NewWarehouse
from poolhouse.loading.preference_scores import preference_scores
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from preferences_reference import Preference, bradley_terry, shares, trec_eval_lines
from trec_eval_programs import RELEASES, lines_of

TOPICS = ("1", "2", "3", "unknown")
DOCUMENTS = [f"d{number:02}" for number in range(12)]
# Documents that nobody returned or judged are compared too.
COMPARED = (*DOCUMENTS[:9], "x", "y")
QUANTILE = 1.95996398

Preferences = dict[str, dict[str, list[Preference]]]


@dataclass(frozen=True)
class Case:
    """Preferences by author and topic, grades by topic, the run files, and all of it built."""

    preferences: Preferences
    grades: dict[str, dict[str, int]]
    runs: list[Path]
    warehouse: Warehouse


def invented(random: Random) -> Preferences:
    """Invent authors: two at random, one who always prefers the lower id, and one with ties."""
    ordered = [(one, other, False) for one in COMPARED for other in COMPARED if one < other]
    drawn = {
        author: {
            topic: [
                (*random.sample(COMPARED[: random.choice((3, 11))], 2), random.random() < 0.2)
                for _ in range(n_lines)
            ]
            for topic in TOPICS
        }
        for author, n_lines in (("gpt", 60), ("anna", 4))
    }
    return drawn | {"sure": {"1": ordered * 5}, "o'tie": {"2": [("d01", "d00", True)]}}  # type: ignore[return-value]


@pytest.fixture(scope="module")
def case(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """Provide a collection with preferences. The runs have many ties, and lack topics."""
    folder = tmp_path_factory.mktemp("preferences")
    random = Random(64)  # noqa: S311 - nothing is secret
    preferences = invented(random)
    grades = {
        topic: {each: random.randint(0, 2) for each in random.sample(DOCUMENTS, 9)}
        for topic in TOPICS[:3]
    }
    (folder / "qrels").write_text(
        "".join(
            f"{topic} 0 {each} {grade}\n"
            for topic in grades
            for each, grade in grades[topic].items()
        )
    )
    runs = []
    for number in range(4):
        found = {
            topic: random.sample(DOCUMENTS, random.randint(1, 12))
            for topic in TOPICS[number % 2 : 3]
        }
        runs.append(folder / f"run{number}")
        runs[-1].write_text(
            "".join(
                f"{topic} Q0 {each} 1 {random.randint(0, 5)} r\n"
                for topic in found
                for each in found[topic]
            )
        )
    files: list[tuple[str, Path]] = []
    for author, by_topic in preferences.items():
        files.append((author, folder / f"{len(files)}.txt"))
        files[-1][1].write_text(
            "".join(
                f"{topic} {one} {other} {'=' if is_equal else '!'}\n"
                for topic in by_topic
                for one, other, is_equal in by_topic[topic]
            )
        )
    warehouse = new_warehouse(folder)
    request = LoadRequest("c", runs, folder / "qrels", preferences=files, depth=5)
    load_together(warehouse, [request])
    for built in kept_open(built_and_tested(warehouse)):
        yield Case(preferences, grades, runs, built)


@pytest.mark.heavy
def test_scores_and_shares_are_those_of_plain_python(case: Case) -> None:
    query = "select * exclude (collection_id) from preference_scores('c')"
    with case.warehouse.read() as connection:
        found = connection.execute(query).pl().rows(named=True)
    by_place = {(row["author"], row["topic_id"], row["doc_id"]): row for row in found}
    expected = set()
    for author, by_topic in case.preferences.items():
        # threes, pairs and grades are those of a topic: the ids of all topics are told apart
        together = [(f"{t} {a}", f"{t} {b}", tie) for t in by_topic for a, b, tie in by_topic[t]]
        graded = {
            f"{t} {each}": grade for t in case.grades for each, grade in case.grades[t].items()
        }
        places: dict[tuple[str | None, str | None], dict[str, float | None]] = {}
        places[None, None] = shares(together, graded)
        for topic, of_topic in by_topic.items():
            places[topic, None] = shares(of_topic, case.grades.get(topic, {}))
            for each, (score, error) in bradley_terry(of_topic).items():
                low, high = score - QUANTILE * error, score + QUANTILE * error
                places[topic, each] = {
                    **shares(of_topic, case.grades.get(topic, {}), each),
                    **{"score": score, "ci_95_low": low, "ci_95_high": high},
                }
        for place, of_place in places.items():
            expected.add((author, *place))
            row = by_place[author, *place]
            assert {name: row[name] for name in of_place} == pytest.approx(of_place, abs=1e-6), (
                place
            )
            assert (row["score"] is None) == ("score" not in of_place)
    assert by_place.keys() == expected


@pytest.mark.parametrize("spread", [1, 2, 3])
def test_intervals_hold(spread: int) -> None:
    """Of topics with 60 documents, each in ten comparisons on average."""
    random = np.random.default_rng(64)
    held = []
    for _ in range(30):
        true = random.normal(0, spread, 60)
        pairs = [random.choice(60, 2, replace=False) for _ in range(300)]
        won = [random.random() < 1 / (1 + np.exp(true[b] - true[a])) for a, b in pairs]
        ordered = [(a, b) if a_won else (b, a) for (a, b), a_won in zip(pairs, won, strict=True)]
        lines = pl.DataFrame(ordered, schema=["docno", "other_docno"], orient="row")
        lines = lines.with_columns(query=pl.lit("1"), is_equal=pl.lit(value=False))
        scores = preference_scores(lines, Path())
        true -= true[scores["docno"].to_numpy()].mean()
        error = np.abs(scores["score"].to_numpy() - true[scores["docno"].to_numpy()])
        held.extend(error < QUANTILE * scores["standard_error"].to_numpy())
    assert 0.94 <= np.mean(held) <= 0.98


@pytest.mark.heavy
@pytest.mark.parametrize("version", RELEASES)
def test_measures_are_those_of_trec_eval(case: Case, tmp_path: Path, version: int) -> None:
    query = "select * exclude (collection_id) from preference_measures('c')"
    with case.warehouse.read() as connection:
        found = connection.execute(query).pl().rows(named=True)
    values = {
        (row["author"], row["run_id"], row["topic_id"] or "all", name): value
        for row in found
        for name, value in row.items()
        if name.startswith("prefs_")
    }
    printed = {}
    for author, by_topic in case.preferences.items():
        for run in case.runs:
            # version 10 ends with an error where the run lacks a topic
            answered = {line.split()[0] for line in run.read_text().splitlines()} & by_topic.keys()
            if not answered:
                continue
            of_run = {topic: by_topic[topic] for topic in answered}
            (tmp_path / "prefs").write_text(trec_eval_lines(of_run))
            options = ("-q", "-R", "prefs", "-m", "all_prefs", tmp_path / "prefs", run)
            for measure, topic, value in lines_of(version, *options):
                if measure.startswith("prefs_") and "Rnonrel" not in measure:
                    printed[author, run.name, topic, measure] = float(value)
    assert values == pytest.approx(printed, abs=5.1e-5)


def test_files_are_read_and_set_aside(case: Case, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(
        "# comment\n\n1\td1  d2\n1 d2 d1 1\r\n1 d1 d3 EQUAL\n"
        "1 d1 d1\n1 d1 d2 maybe\n1 d1\n1 d1 d2 0 x\n"
    )
    (tmp_path / "run").write_text("1 Q0 d1 1 1 r\n")
    new = Warehouse(tmp_path / "new.duckdb")
    load = ("load", "c", "--runs", tmp_path / "run", "--unjudged", "--preferences")
    done = invoke_on(new, *load, f"gpt={tmp_path / 'p'}", status=0)
    assert 'p: 4 of 9 lines rejected, line 6: preference not clear: "1 d1 d1"' in done.stderr
    assert "repeated" not in done.stderr
    stored = "select line_number, query, docno, other_docno, is_equal from raw.preference_lines"
    expected = [(3, "1", "d1", "d2", False), (4, "1", "d2", "d1", True), (5, "1", "d1", "d3", True)]
    assert rows(new, stored) == expected
    again = invoke_on(new, *load, f"gpt={tmp_path / 'p'}", status=0)
    assert "nothing new" in again.stderr
    for text, problem in (
        (f"{tmp_path / 'p'}", "has no author: write NAME=FILE"),
        (f"GPT={tmp_path / 'p'}", "authors 'gpt' and 'GPT' differ only in case"),
        (f"anna={tmp_path / 'log'}", "sed -n 's/^@ //p' turns into these"),
        (f"anna={tmp_path / 'run'}", "holds no preference (expected: topic better worse [equal])"),
    ):
        (tmp_path / "log").write_text("@ 1 d1 d2 !\n@ 1 d1 d3 =\n")
        assert problem in " ".join(invoke_on(new, *load, text).stderr.split())
    with (tmp_path / "many").open("w") as many:
        many.writelines(f"1 d{number} e{number}\n" for number in range(1001))
    done = invoke_on(new, *load, f"anna={tmp_path / 'many'}", status=1)
    assert "many:1: its topic compares 2,002 documents, and 2,000 can be scored" in done.stderr
    strict = invoke_on(new, *load, f"gpt={tmp_path / 'p'}", "--strict", status=1)
    assert "--strict: nothing was loaded" in strict.stderr
    (tmp_path / "p").write_text("1 d2 d1\n")
    invoke_on(new, *load, f"gpt={tmp_path / 'p'}", status=0)
    assert rows(new, stored) == [(1, "1", "d2", "d1", False)]
    invoke_on(new, "remove", "c", "--author", "gpt", status=0)
    assert rows(new, stored) == []
    assert rows(new, "select count(*) from ops.files where kind = 'preferences'") == [(0,)]


@pytest.mark.heavy
def test_a_published_collection_has_them(case: Case, tmp_path: Path) -> None:
    invoke_on(case.warehouse, "export", tmp_path / "out", "--format", "trec", status=0)
    [there] = [each for each in (tmp_path / "out").iterdir() if each.is_dir()]
    (there / "runs").mkdir(exist_ok=True)
    for run in case.runs:
        (there / "runs" / run.name).write_bytes(run.read_bytes())
    again = Warehouse(tmp_path / "again.duckdb")
    invoke_on(again, "load", "--archive", there / "archive.yml", status=0)
    stored = "select * exclude (collection_key) from raw.preference_lines order by all"
    assert rows(again, stored) == rows(case.warehouse, stored)
