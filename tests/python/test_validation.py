"""Test samples of an author's labels for people, and what the answers say about the author."""

from dataclasses import replace
from itertools import combinations
from math import comb, prod
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import invoke_on, rows
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling.validating import permanent_order, validation
from poolhouse.pooling.validation_estimates import Interval, Validation

LABELS = [(topic, f"d{n}", n % 4) for topic in "123" for n in range(20 * int(topic))]


def labelled(answers: dict[tuple[str, str], bool]) -> pl.DataFrame:
    """Return the documents with their grades; 2 and 3 are relevant."""
    documents = [(t, d, grade, grade > 1, answers.get((t, d))) for t, d, grade in LABELS]
    schema = {"topic_id": pl.String, "doc_id": pl.String, "grade": pl.Int32}
    kinds = {"is_relevant": pl.Boolean, "answer": pl.Boolean}
    return pl.DataFrame(documents, schema={**schema, **kinds}, orient="row")


def drawn(design: pl.DataFrame) -> set[tuple[str, str]]:
    return set(design.filter("is_sampled").select("topic_id", "doc_id").rows())


@given(st.integers(0, 99), st.integers(8, 120), st.integers(0, 60))
def test_a_larger_sample_holds_a_smaller_one_and_the_answers(seed: int, n: int, more: int) -> None:
    first = drawn(validation(labelled({}), n, seed))
    assert len(first) == n
    assert n < 40 or {topic for topic, _ in first} == set("123")
    random = Random(seed)  # noqa: S311
    answers = {key: random.random() < 0.5 for key in first}
    design = validation(labelled(answers), n + more, seed)
    assert drawn(design) >= first
    assert len(drawn(design)) == min(n + more, 120)
    for stratum in design.partition_by("stratum"):
        n_drawn, size = len(drawn(stratum)), stratum.height
        expected = (n_drawn / size, n_drawn * (n_drawn - 1) / (size * (size - 1)))
        assert stratum["inclusion_probability"].to_list() == pytest.approx([expected[0]] * size)
        assert stratum["joint_probability"].to_list() == pytest.approx([expected[1]] * size)
    if more:
        with pytest.raises(PoolhouseError, match=f"a budget of {n - 1} is too small"):
            validation(labelled(answers), n - 1, seed)


def test_no_other_sizes_have_a_lower_variance() -> None:
    """Of all sizes of at least 2, by the disagreement that is guessed: .1, .1, .4 and .4."""
    sizes = {grade: sum(each == grade for _, _, each in LABELS) for grade in range(4)}
    design = validation(labelled({}), 12, 0)
    of_grade = design.join(labelled({}), on=["topic_id", "doc_id"]).filter("is_sampled")["grade"]
    found = {grade: of_grade.to_list().count(grade) for grade in range(4)}

    def variance(numbers: dict[int, int]) -> float:
        spread = {grade: size**2 * (0.24 if grade > 1 else 0.09) for grade, size in sizes.items()}
        return sum(spread[grade] / n for grade, n in numbers.items())

    best = min(
        variance(dict(enumerate((*three, 12 - sum(three)))))
        for three in np.ndindex(9, 9, 9)
        if min(*three, 12 - sum(three)) >= 2
    )
    assert variance(found) == pytest.approx(best)


def test_every_place_of_a_stratum_is_as_likely_for_any_document() -> None:
    """A topic with one document has it in the first 5 of 20 a quarter of the time."""
    topics = np.repeat([1.0, 2.0, 3.0], [1, 5, 14])
    generator = np.random.Generator(np.random.PCG64(1))
    orders = np.array([permanent_order(topics, generator) for _ in range(4000)])
    assert (np.sort(orders) == np.arange(20)).all()
    assert (orders < 5).mean(axis=0) == pytest.approx(np.full(20, 0.25), abs=0.03)


def random_case(seed: int) -> Validation:
    """Two grades of 4 and 5 documents, and two runs of which each returns five documents."""
    random = Random(seed)  # noqa: S311
    labels = np.repeat([0.0, 1.0], [4, 5])
    answers = np.array([float(random.random() < 0.3 + 0.4 * label) for label in labels])
    weights = np.zeros((2, 9))
    for run in weights:
        run[random.sample(range(9), 5)] = 0.1
    return Validation(labels.astype(int), labels, answers, weights, np.arange(9))


@given(st.integers(0, 10**6))
def test_means_over_all_samples_are_the_truth(seed: int) -> None:
    """All samples of 2 of 4 and 3 of 5: figures are unbiased, and so are variances of scores.

    The residuals of an answer are from the mean of its sample, and so is the variance, so that
    both are compared for the share of relevant documents, whose formula is known (Cochran).
    """
    whole = random_case(seed)
    found = []
    for few in combinations(range(4), 2):
        for many in combinations(range(4, 9), 3):
            is_drawn = np.isin(np.arange(9), few + many)
            found.append(replace(whole, answers=np.where(is_drawn, whole.answers, np.nan)))
    assert len(found) == comb(4, 2) * comb(5, 3)
    truth = whole.labels.mean() - whole.answers.mean()
    differences = [each.figures()["relevance_difference"] for each in found]
    assert np.mean([each.estimate for each in differences]) == pytest.approx(truth, abs=1e-9)
    for each in found:
        scores, errors = each.rectified()
        shares = [np.nanmean(each.answers[:4]), np.nanmean(each.answers[4:])]
        expected, variances = [0.0, 0.0], [0.0, 0.0]
        for run, document in np.ndindex(2, 9):
            stratum = int(document > 3)
            size, n = ((4, 2), (5, 3))[stratum]
            weight = whole.weights[run, document]
            expected[run] += weight * shares[stratum]
            if not np.isnan(each.answers[document]):
                residual = weight * (each.answers[document] - shares[stratum])
                expected[run] += size / n * residual
                variances[run] += size**2 * (1 - n / size) / (n * (n - 1)) * residual**2
        assert scores.tolist() == pytest.approx(expected)
        assert (errors**2).sum(axis=1).tolist() == pytest.approx(variances)


@given(st.integers(0, 10**6))
def test_where_everything_is_answered_nothing_is_uncertain(seed: int) -> None:
    whole = random_case(seed)
    scores, errors = whole.rectified()
    assert not errors.any()
    assert scores.tolist() == pytest.approx((whole.weights @ whole.answers).tolist())
    differing = np.mean(whole.labels != whole.answers)
    shares = [(each.mean(), 1 - each.mean()) for each in (whole.labels, whole.answers)]
    agreement = 1 - sum(map(prod, zip(*shares, strict=True)))
    figures = whole.figures()
    assert figures["kappa"] == pytest.approx((1 - differing / agreement,) * 3)
    ordered = np.sign(whole.author_scores @ [1, -1]), np.sign(np.round(scores @ [1, -1], 9))
    if all(np.round(ordered, 9)):
        assert figures["kendall_tau"] == pytest.approx((ordered[0] * ordered[1],) * 3)


@pytest.mark.parametrize(
    ("interval", "reaches", "n_more"),
    [
        (Interval(0.5, 0.4, 0.6), True, 0),
        (Interval(0.3, 0.2, 0.399), False, 0),
        # Half as wide: 1/n = 1/1000 + (1/100 - 1/1000) / 4
        (Interval(0.5, 0.3, 0.7), None, 208),
        (Interval(0.4, 0.3, 0.7), None, 900),
    ],
)
def test_a_verdict_is_known_where_the_interval_is(
    interval: Interval, reaches: bool | None, n_more: int
) -> None:
    assert interval.reaches(0.4) is reaches
    assert interval.n_more_labels(0.4, 100, 900) == n_more


@pytest.mark.heavy
def test_lists_answers_and_verdicts(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """People judged one document before. A batch follows the answers; at the end all is known."""
    random = Random(0)  # noqa: S311
    grades = {(t, f"d{n}"): random.randint(0, 3) for t in "12" for n in range(15)}
    truth = {key: int(grade + random.random() > 2) for key, grade in grades.items()}
    runs = []
    for name in "ab":
        runs.append(tmp_path / name)
        lines = [
            f"{topic} Q0 d{n} 0 {-place} {name}\n"
            for topic in "12"
            for place, n in enumerate(random.sample(range(15), 12))
        ]
        runs[-1].write_text("".join(lines))
    people, model = tmp_path / "people.txt", tmp_path / "model.txt"
    people.write_text(f"1 0 d0 {truth['1', 'd0']}\n")
    labels = [*((t, d, grade) for (t, d), grade in grades.items()), ("2", "in no run", 1)]
    model.write_text("".join(f"{t} 0 {d.replace(' ', '-')} {grade}\n" for t, d, grade in labels))
    warehouse = new_warehouse(tmp_path)
    authors = [("people", people), ("model", model)]
    load_collection(warehouse, LoadRequest("c", runs, author_qrels=authors, reference="people"))
    build(warehouse)
    make = ("pool", "make", "c", "--validate", "model", "--budget", 99)
    seen: set[tuple[str, str]] = set()
    for batch in (10, 99):
        file = tmp_path / f"{batch}.txt"
        invoke_on(warehouse, *make, "--batch", batch, "-o", file, status=0)
        listed = {(t, d) for t, _, d in map(str.split, file.read_text().splitlines())}
        assert not listed & (seen | {("1", "d0"), ("2", "in-no-run")})
        seen |= listed
        file.write_text("".join(f"{t} 0 {d} {truth[t, d]}\n" for t, d in sorted(listed)))
        invoke_on(warehouse, "pool", "load", "c", file, status=0)
        build(warehouse)
        told = invoke_on(warehouse, "pool", "status", "c", "--validate", "model", status=0).output
        assert f"{len(seen)} answers to the lists" in told
    found = rows(
        warehouse, "select count(*), count(answer) from planning.author_validation('c', 'model')"
    )
    assert found == [(len(seen) + 1,) * 2]
    csv = ("pool", "status", "c", "--validate", "model", "--format", "csv")
    status = pl.read_csv(invoke_on(warehouse, *csv, status=0).stdout.encode())
    verdicts = status.filter(pl.col("figure").is_in(["kappa", "relevance_difference"]))
    assert verdicts["is_reached"].null_count() == verdicts["n_more_labels"].sum() == 0
    by_run = status.filter(figure="P@10")
    true_scores = dict(
        rows(warehouse, "select run_id, avg(score) from topic_scores('c', 'P@10') group by all")
    )
    assert dict(by_run.select("run_id", "estimate").rows()) == pytest.approx(true_scores)
    # A sample of labels is none of which scores are estimated by topic.
    assert "no sample of 'c' was drawn" in invoke_on(warehouse, "pool", "score", "c").output
    refused = invoke_on(warehouse, *make, "--per-topic", "-o", tmp_path / "x", status=2)
    assert "leave out --strategy, --per-topic and --run" in refused.output
    refused = invoke_on(warehouse, "pool", "status", "c", "--validate", "nobody", status=1)
    assert "too few answers on the labels of 'nobody'" in refused.output
