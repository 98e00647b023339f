"""Test NIST's pages of runs and of results: what is read, what is kept, and what is found."""

import random
from pathlib import Path

import ir_measures
import pytest
from attrs import evolve

from asking import rows
from collection_files import write_files
from conftest import ToyFiles
from poolhouse.building.build import build
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import (
    OfficialFigure,
    RunDescription,
    SourceFile,
    parse_descriptions,
    parse_official_results,
)
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from reference import Collection, RunLine

RUNS_PAGE = """# Runs - A track 2021

#### one
[**`Results`**](./results.md#one) | [**`Input`**](https://example.org/one)

- :material-rename: **Run ID:** one
- :fontawesome-solid-user-group: **Participant:** Org A
- :fontawesome-solid-user-gear: **Type:** auto
- :material-text-search: **Task:** passages
- :material-text: **Run description:** A  model:\tsee **Note:** below.\x07

---
#### two
- **Run ID:** two
- **Participant:** b
"""
RESULTS_PAGE = """---
search:
  exclude: true
---

# Results - A track 2021

#### one
[**`Metadata`**](./runs.md#one)
??? example "summary (trec_eval)"
\t```
\tmap\t\t\tall\t0.25
\tP_10\tall\t0.123456

\t```
??? example "other gains"
\t```
\tmap all 1e-05
\trunid all one
\tvery odd label all -.5
\tnum_q all nan
\t```
---
#### two
"""


def page(text: str | bytes, name: str = "page.md") -> SourceFile:
    return SourceFile(Path(name), text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize("start", ["", "\ufeff", "\n", "---\ntitle: x\n---\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_descriptions_of_a_page_of_runs(start: str, line_end: str) -> None:
    text = (start + RUNS_PAGE).replace("\n", line_end)
    assert parse_descriptions(page(text)) == [
        RunDescription(
            *("one", "Org A", "automatic"),
            description="A model: see **Note:** below.\ufffd",
            task="passages",
        ),
        RunDescription("two", "b"),
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_figures_of_a_page_of_results(line_end: str) -> None:
    """A value that is no number is kept without a value, since trec_eval prints words too."""
    assert parse_official_results(page(RESULTS_PAGE.replace("\n", line_end))) == [
        OfficialFigure(12, "one", "summary (trec_eval)", "map", 0.25, 4),
        OfficialFigure(13, "one", "summary (trec_eval)", "P_10", 0.123456, 6),
        OfficialFigure(18, "one", "other gains", "map", 0.00001, 5),
        OfficialFigure(19, "one", "other gains", "runid", None, 4),
        OfficialFigure(20, "one", "other gains", "very odd label", -0.5, 4),
        OfficialFigure(21, "one", "other gains", "num_q", None, 4),
    ]
    words = ("1e999", "inf", "NaN", "0x1p3", "1_000", "\u0661", "-", ".", "1e", "--1", "None")
    lines = "".join(f"m{number} all {word}\n" for number, word in enumerate(words))
    figures = parse_official_results(page(f"#### a\n```\n{lines}```\n"))
    assert [each.value for each in figures] == [None] * len(words)


def test_a_page_has_a_bounded_number_of_labels() -> None:
    lines = "".join(f"P_{number} all 0\n" for number in range(1, 1002))
    with pytest.raises(BadFileError, match=r"page.md:1003: more than 1,000 labels"):
        parse_official_results(page(f"#### a\n```\n{lines}```\n"))
    # The same labels of other runs are no more labels.
    figures = parse_official_results(
        page("".join(f"#### {run}\n```\nmap all 0\n```\n" for run in range(2_000)))
    )
    assert len(figures) == 2_000


@pytest.mark.heavy
def test_a_page_describes_runs(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """The page may describe more runs than the collection has."""
    file = toy_files.folder / "runs.md"
    file.write_text(RUNS_PAGE.replace("two", "green"))
    assert load_collection(loaded, LoadRequest("toy", descriptions=file)).n_described == 2
    assert rows(
        loaded,
        "select run_id, organization, run_type, description from raw.descriptions order by all",
    ) == [
        ("green", "b", None, None),
        ("one", "Org A", "automatic", "A model: see **Note:** below.\ufffd"),
    ]


def write_collection(folder: Path) -> tuple[LoadRequest, dict[str, dict[str, float]]]:
    """Write a collection of six runs, and a page of results by readings that labels hide.

    Return a request to load it, and the figures of each label by run.
    """
    draw = random.Random(5)  # noqa: S311 - no secret
    topics = [str(topic) for topic in range(1, 11)]
    documents = [f"d{number:02}" for number in range(40)]
    qrels = {
        topic: {document: draw.choice([0, 0, 0, 1, 1, 2, 3]) for document in documents[:30]}
        for topic in topics
    }
    runs = {
        f"run{number}": {
            topic: {document: draw.random() for document in draw.sample(documents, 30)}
            for topic in topics[: 8 + number % 3]
        }
        for number in range(6)
    }
    collection = Collection(
        "graded",
        {
            run: [
                RunLine(topic, document, 0, score)
                for topic, scores in answers.items()
                for document, score in scores.items()
            ]
            for run, answers in runs.items()
        },
        [(topic, document, grade) for topic in qrels for document, grade in qrels[topic].items()],
        pool_depth=5,
    )
    without_ones = {
        topic: {document: grade if grade > 1 else 0 for document, grade in grades.items()}
        for topic, grades in qrels.items()
    }
    figures = {
        "map": {run: mean(run_scores("AP(rel=2)", qrels, runs[run])) for run in runs},
        "P_10": {run: mean(run_scores("P@15", qrels, runs[run])) for run in runs},
        "ndcg": {run: mean(run_scores("nDCG@10", qrels, runs[run])) for run in runs},
        "ndcg_cut_5": {run: mean(run_scores("nDCG@5", without_ones, runs[run])) for run in runs},
        "Rprec": {run: mean(run_scores("Rprec", qrels, runs[run])) for run in runs},
        "recip_rank": {run: sum(run_scores("RR", qrels, runs[run])) / 10 for run in runs},
        "bpref": {run: draw.random() for run in runs},
        "speed": dict.fromkeys(runs, 1.0),
    }
    figures["Rprec"]["elsewhere"] = 0.5
    page_of_results = "".join(
        f'#### {run_id}\n??? example "summary"\n```\n'
        + "".join(
            f"{label} all {round(of_runs[run_id], 4)}\n"
            for label, of_runs in figures.items()
            if run_id in of_runs
        )
        + "```\n"
        for run_id in (*runs, "elsewhere")
    )
    request = evolve(
        write_files(collection, folder), descriptions=None, official_results=folder / "results.md"
    )
    (folder / "results.md").write_text(page_of_results)
    return request, figures


def run_scores(
    measure: str, qrels: dict[str, dict[str, int]], answers: dict[str, dict[str, float]]
) -> list[float]:
    """Score the topics that a run answers, by trec_eval."""
    asked = ir_measures.parse_measure(measure)
    scores = ir_measures.iter_calc([asked], qrels, answers)
    # ir_measures adds the topics that the run does not answer.
    return [each.value for each in scores if each.query_id in answers]


def mean(scores: list[float]) -> float:
    return sum(scores) / len(scores)


@pytest.mark.heavy
def test_readings_are_found(warehouse: Warehouse, tmp_path: Path) -> None:
    request, figures = write_collection(tmp_path / "graded")
    load_collection(warehouse, request)
    assert build(warehouse).failed == ()
    found = rows(
        warehouse,
        """
        select label, n_compared, n_met_as_labelled = 6, reading, n_met_by_reading,
            is_over_all_topics, finding
        from audits.audit_official_results order by label
        """,
    )
    level = "on all 6 runs: relevant from grade 2 on (load --threshold 2)"
    assert [each for each in found if each[0] != "bpref"] == [
        ("P_10", 6, False, "P@15", 6, False, "P_10 is P@15 on all 6 runs"),
        ("Rprec", 6, True, "Rprec", 6, False, "Rprec is met on all 6 runs"),
        ("map", 6, False, "AP(rel=2)", 6, False, f"map is AP(rel=2) {level}"),
        ("ndcg", 6, False, "nDCG@10", 6, False, "ndcg is nDCG@10 on all 6 runs"),
        (
            *("ndcg_cut_5", 6, False, "nDCG(gains={1:0})@5", 6, False),
            "ndcg_cut_5 is nDCG(gains={1:0})@5 on all 6 runs",
        ),
        (
            *("recip_rank", 6, True, "RR", 6, True),
            "recip_rank is met on all 6 runs, averaged over all judged topics (trec_eval -c)",
        ),
        (
            *("speed", 0, False, None, 0, None),
            "speed is no measure that Poolhouse computes, or has no numbers",
        ),
    ]
    [bpref] = [each for each in found if each[0] == "bpref"]
    assert bpref[3:5] == (None, 0)
    assert bpref[6].startswith("no reading explains it")
    [(reasons,)] = rows(warehouse, "select verdict_reasons from audit_collections")
    assert "; published results are not explained: bpref; " in reasons
    assert "published results mean other measures: P_10 is P@15, map is AP(rel=2), " in reasons
    # Every score of a reading is that of `run_scores` with the notation of the reading.
    assert rows(
        warehouse,
        """
        select distinct status, count(*) from audits.fct_official_results group by status order by 1
        """,
    ) == [
        ("as labelled", 12),
        ("explained by another reading", 24),
        ("not a measure", 6),
        ("not explained", 6),
        ("run not loaded", 1),
    ]
    for notation in ("AP(rel=2)", "nDCG(gains={1:0})@5"):
        differing = """
        select count(*), count_if(abs(published.reading_score - scores.score) > 1e-12)
        from audits.fct_official_results as published
        inner join run_scores('graded', '{}') as scores using (run_id)
        where published.reading = '{}'
        """
        assert rows(warehouse, differing.format(notation, notation)) == [(6, 0)]
    # By the grade that NIST took, the label is right.
    load_collection(warehouse, evolve(request, threshold=2))
    build(warehouse)
    query = "select reading, finding from audits.audit_official_results where label = 'map'"
    assert rows(warehouse, query) == [("AP", "map is met on all 6 runs")]
    assert figures["map"]["run0"] > 0
    # A page without these figures takes them away.
    (tmp_path / "graded" / "results.md").write_text("#### run0\n```\nmap all 0\n```\n")
    load_collection(warehouse, LoadRequest("graded", official_results=request.official_results))
    build(warehouse)
    assert rows(warehouse, "select run_id, label, status from audits.fct_official_results") == [
        ("run0", "map", "not explained")
    ]
