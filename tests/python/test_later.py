"""Test the experiment `later`: by hand on a page, and beside plain Python on random runs."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import copyfile

import polars as pl
import pytest
from click.testing import Result

from archive import TREC_COVID
from asking import invoke_on
from collection_files import write_qrels
from experiment_collections import GRADES, HOSTILE_NAME, NO_ANSWERS, random_collection
from poolhouse.building.plan import plan_of
from poolhouse.errors import PoolhouseError
from poolhouse.experiments.findings import later_findings
from poolhouse.experiments.later import run_later_experiment
from poolhouse.experiments.requests import Compared, LaterRequest
from poolhouse.figures.later import specification
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import LARGEST_UNKNOWN
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from reference import Collection, scoring_order

# Of the page: d5 is new, d2 has another grade than before, d6 is still unjudged, no run returns d9,
# and nobody judged topic 2 before.
LATER = "1 0 d5 1\n1 0 d9 1\n1 0 d2 1\n1 0 d1 1\n1 0 d6 -1\n2 0 d1 1\n"
RBP = [0.2 * 0.8**rank for rank in range(10)]
WEIGHTS = {"P@5": [0.2] * 5, "P@10": [0.1] * 10, "RBP(p=0.8)@10": RBP}
NOISE = 1e-9


@pytest.fixture(scope="module")
def page(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path_factory: pytest.TempPathFactory
) -> Warehouse:
    """Provide the results on the collection on a page, with the estimates of a stranger."""
    folder = tmp_path_factory.mktemp("later")
    (folder / "later.txt").write_text(LATER)
    (folder / "<b>theirs.csv").write_text(
        "run_id,measure,estimate,low,high\na1,P@5,.7,.65,.8\na2,P@5,.5,.45,.55\n"
    )
    warehouse = Warehouse(Path(copyfile(built_once[0], folder / "poolhouse.duckdb")))
    request = LaterRequest("page", str(folder / "later.txt"), (folder / "<b>theirs.csv",))
    report = run_later_experiment(warehouse, request)
    assert report.remarks == (
        "1 of the later judgements are on topics that the loaded ones do not judge, and count "
        "nowhere",
        "1 of the later judgements are of documents that no loaded run returns, and count nowhere",
        "1 loaded judgements have another grade in the later ones, which counts",
        "1 documents are judged by the later judgements alone",
    )
    return warehouse


def ask(
    warehouse: Warehouse, *options: str, experiment: str = "later", collection: str = "page"
) -> Result:
    return invoke_on(warehouse, "experiment", experiment, "--collection", collection, *options)


@pytest.mark.heavy
def test_a_page_by_hand(page: Warehouse) -> None:
    """Before, a1 has d1 (relevant), d2 (not) and d5 (unjudged), and a2 has d1, d3 and d6."""
    found = query_frame(
        page,
        """
        select run_id, estimator, estimate, truth_low, truth_high, error, holds_truth
        from experiments.fct_later_estimates
        where measure = 'P@5' and estimate is not null
        order by run_id, list_position(['unadjusted', 'condensed', 'webber_park'], estimator)
        """,
    )
    # Without their organizations a1 loses .2, a2 .4 and b1 .2: the mean loss is more than unjudged
    # documents can be worth.
    a1, a2, b1 = ("a1", 0.6, 0.6), ("a2", 0.4, 0.6), ("b1", 0.6, 0.6)
    expected = [
        (a1, "<b>theirs", 0.7, 0.1, False),
        (a1, "if_pooled", 0.2, -0.4, None),
        (a1, "unadjusted", 0.2, -0.4, None),
        (a1, "condensed", 0.2, -0.4, None),
        (a1, "webber_park", 0.4, -0.2, None),
        (a2, "<b>theirs", 0.5, 0.0, True),
        (a2, "if_pooled", 0.4, 0.0, None),
        (a2, "unadjusted", 0.4, 0.0, None),
        (a2, "condensed", 0.4, 0.0, None),
        (a2, "webber_park", 0.6, 0.0, None),
        # The pool of two organizations tells nothing of unjudged documents. This run has none.
        (b1, "if_judged", 0.4, -0.2, None),
        (b1, "if_pooled", 0.4, -0.2, None),
        (b1, "unadjusted", 0.4, -0.2, None),
        (b1, "condensed", 0.4, -0.2, None),
        (b1, "webber_park", 0.4, -0.2, None),
    ]
    by_key = {(row[0], row[1]): row[2:] for row in found.rows()}
    assert by_key == {
        (run, estimator): (*map(pytest.approx, (estimate, low, high, error)), holds)
        for (run, low, high), estimator, estimate, error, holds in expected
    }


@pytest.mark.heavy
def test_the_ideal_ranking_has_later_documents(page: Warehouse) -> None:
    """All of a1 is relevant in the end, and five documents are."""
    [row] = query_frame(
        page,
        """
        select truth_low, truth_high, unjudged_weight, unknown_weight
        from experiments.fct_later_estimates
        where measure = 'nDCG@10' and run_id = 'a1' and estimator = 'unadjusted'
        """,
    ).rows()
    found, ideal, whole = 2.130930, 2.948459, 4.543559  # sums of 1 / log2(rank + 1) to 3, 5 and 10
    assert row == (
        *[pytest.approx(found / ideal, abs=1e-6)] * 2,
        pytest.approx(0.5 / whole, abs=1e-6),
        0,
    )


@pytest.mark.heavy
def test_estimates_of_runs_without_their_organizations(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path
) -> None:
    """Without A, a1 and a2 have no relevant document left; in the whole pool one and two."""
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))
    mine = tmp_path / "mine.csv"
    mine.write_text("run_id,measure,estimate,low,high\na1,P@5,.3,.25,.35\na2,P@5,.3,.2,.4\n")
    shown = ask(warehouse, "--estimates", str(mine), experiment="left-out")
    assert shown.exit_code == 0, shown.output
    assert "estimates against the whole pool: page" in shown.stdout
    assert "left out: MAE" not in shown.stdout
    rows = json.loads(ask(warehouse, "--format", "json", experiment="left-out").stdout)
    of_mine = {"estimator": "mine", "unjudged": "all"}
    [found] = [row for row in rows if of_mine.items() <= row.items()]
    expected = {"pool": "left out", "measure": "P@5", "runs": 2, "without estimate": 1, "hold": 1}
    assert expected.items() <= found.items()
    assert (found["MAE"], found["bias"]) == (pytest.approx(0.1), pytest.approx(0))
    # Our own estimators have the errors of the marts.
    own = query_frame(
        warehouse,
        """
        select unjudged, estimator, measure, n_runs, mae, clipped_mae
        from fct_estimator_errors
        where level = 'organization' and subset = 'all'
        """,
    )
    names = {
        ("nonrelevant", "unadjusted"): "unadjusted",
        ("condensed", "unadjusted"): "condensed",
        ("nonrelevant", "webber_park_systems"): "webber_park",
    }
    by_key = {(row["measure"], row["estimator"], row["unjudged"]): row for row in rows}
    for unjudged, estimator, measure, n_runs, mae, clipped_mae in own.rows():
        if name := names.get((unjudged, estimator)):
            row = by_key[measure, name, "all"]
            of_mart = clipped_mae if name == "webber_park" else mae
            assert (row["runs"], row["MAE"]) == (n_runs, pytest.approx(of_mart))
    refused = ask(warehouse, "--estimates", str(mine), experiment="left-out", collection="pages")
    assert "collection 'pages' is not in the warehouse" in refused.stderr


@pytest.mark.heavy
def test_tables_and_a_figure(page: Warehouse) -> None:
    """The stored results are shown with another limit, and names are only text."""
    shown = ask(page)
    assert shown.exit_code == 0, shown.output
    assert "estimates against later.txt, with at most 5 % unknown: page" in shown.stdout
    assert "the runs that count resemble these" in shown.stderr
    # a2, whose third document nobody judged, counts by a higher limit alone.
    assert [row["runs"] for row in _whole(ask(page, "--format", "json"))] == [1]
    assert [row["runs"] for row in _whole(ask(page, "--format", "json", "--unknown", ".2"))] == [2]
    document = ask(page, "--format", "html").stdout
    assert "&lt;b&gt;theirs" in document
    assert "<b>theirs" not in document
    figure = page.path.with_suffix(".page.later.svg").read_text()
    assert "estimate less truth" in figure
    assert "<b>" not in figure


def _whole(shown: Result) -> list[dict[str, object]]:
    """Return the row of the stranger's estimates by P@5."""
    rows = json.loads(shown.stdout)
    key = {"measure": "P@5", "estimator": "<b>theirs", "unjudged": "all"}
    return [row for row in rows if key.items() <= row.items()]


@pytest.mark.heavy
def test_what_cannot_be_done_says_why(page: Warehouse, tmp_path: Path) -> None:
    later = page.path.parent / "later.txt"
    files = {
        "nothing.txt": "",
        "words.txt": "these are no judgements\n",
        "same.txt": "1 0 d1 1\n1 0 d6 -1\n",
        "elsewhere.txt": "2 0 d1 1\n",
        "run.csv": "run_id,measure,estimate\na1,P@5,1\nc1,P@5,1\n",
        "measure.csv": "run_id,measure,estimate\na1,P@7,1\n",
        "if_judged.csv": "run_id,measure,estimate\na1,P@5,1\n",
        "one.csv": "run_id,measure,estimate,estimator\na1,P@5,1,x\n",
        "two.csv": "run_id,measure,estimate,estimator\na2,P@5,1,x\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    none = "holds no judgement (expected: topic iteration docno grade; poolhouse docs loading)"
    for judgements, problem in {
        "nothing.txt": f"nothing.txt: {none}",
        "words.txt": f"words.txt: {none}; line",
        "same.txt": "same.txt: judges nothing that the loaded judgements of 'page' lack",
        "elsewhere.txt": "judges no topic that is judged in 'page': it has '2', the collection '1'",
        "nobody": "nobody' is no file of judgements, and no author whose labels are beside those",
        "\0": "is no file of judgements",
        "x" * 5000: "is no file of judgements",
        "\udcff": "is no file of judgements",
    }.items():
        with pytest.raises(PoolhouseError) as caught:
            run_later_experiment(page, LaterRequest("page", str(tmp_path / judgements)))
        assert problem in str(caught.value)
    for names, problem in {
        ("run.csv",): "run.csv:3: run 'c1' has no score in 'page', leave it out",
        ("measure.csv",): "measure.csv:2: measure 'P@7' is not one of ",
        ("if_judged.csv",): "if_judged.csv:2: estimator 'if_judged' is one of Poolhouse's own",
        ("one.csv", "two.csv"): "two.csv:2: estimator 'x' is in ",
    }.items():
        request = LaterRequest("page", str(later), tuple(tmp_path / name for name in names))
        with pytest.raises(PoolhouseError) as caught:
            run_later_experiment(page, request)
        assert problem in str(caught.value)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("later", "--samples", "3"), "`later` has no option --samples"),
        (("later", "--again"), "`later` has no option --again"),
        (("later", "--estimates", "x"), "--estimates are held against later judgements"),
        (("bias", "--unknown", ".1"), "`bias` has no option --unknown"),
        (("left-out", "--judgements", "x"), "`left-out` has no option --judgements"),
        (("pools", "--estimates", "x"), "`pools` has no option --estimates"),
        (("pools", "--samples", "3"), "`pools` has no option --samples"),
        (("bias", "--budgets", "3"), "`bias` has no option --budgets"),
    ],
)
def test_options_of_other_experiments_are_refused(
    page: Warehouse, arguments: tuple[str, ...], problem: str
) -> None:
    done = invoke_on(page, "experiment", *arguments, "--collection", "page", status=2)
    assert problem in done.stderr


# ------------------------------------------------------------------------- beside plain Python


class Drawn:
    """Random later judgements of a random collection, and random estimates of its runs."""

    def __init__(self, folder: Path) -> None:
        """Draw, and write the files."""
        self.collection = random_collection(HOSTILE_NAME, 2)
        draw = Random(5)  # noqa: S311 - nothing is secret
        topics = [f"T{number}" for number in range(12)]
        documents = sorted(
            {line.document for lines in self.collection.runs.values() for line in lines}
        )
        self.later = {
            (topic, document): draw.choice(GRADES)
            for topic in topics
            for document in documents
            if draw.random() < 0.7
        }
        self.judgements = write_qrels(folder / "later.txt", self.later)
        self.estimates = pl.DataFrame(
            [
                (run, measure, estimate, estimate - draw.random() / 8, estimate + draw.random() / 8)
                for run in self.collection.runs
                if run != NO_ANSWERS
                for measure in WEIGHTS
                if draw.random() < 0.9
                for estimate in [draw.random() / 2]
            ],
            schema=["run_id", "measure", "estimate", "low", "high"],
            orient="row",
        )
        self.estimates.write_csv(folder / "theirs.csv")

    def truths(self) -> pl.DataFrame:
        """Return the scores that are possible, and the weights without a judgement."""
        before = grades_of(self.collection)
        judged_topics = sorted({topic for topic, _, _ in self.collection.qrels})
        after = before | {key: grade for key, grade in self.later.items() if grade >= 0}
        rows = []
        for run, lines in self.collection.runs.items():
            by_topic = defaultdict(list)
            for line in lines:
                by_topic[line.topic].append(line)
            if not set(by_topic) & set(judged_topics):
                continue
            ranked = {topic: scoring_order(by_topic[topic]) for topic in judged_topics}
            for measure, weights in WEIGHTS.items():
                score, low, unjudged, unknown = 0.0, 0.0, 0.0, 0.0
                for topic, documents in ranked.items():
                    for document, weight in zip(documents, weights, strict=False):
                        key = topic, document
                        score += weight * (before.get(key, 0) >= 1)
                        low += weight * (after.get(key, 0) >= 1)
                        unjudged += weight * (key not in before)
                        unknown += weight * (key not in after)
                figures = (score, low, low + unknown, unjudged, unknown)
                rows.append((run, measure, *(each / len(judged_topics) for each in figures)))
        names = ["run_id", "measure", "score", "truth_low", "truth_high", "unjudged", "unknown"]
        return pl.DataFrame(rows, schema=names, orient="row")


def grades_of(collection: Collection) -> dict[tuple[str, str], int]:
    """Return the judged documents; of several grades, the highest counts."""
    grades: dict[tuple[str, str], int] = {}
    for topic, document, grade in collection.qrels:
        if grade >= 0:
            grades[topic, document] = max(grade, grades.get((topic, document), 0))
    return grades


@pytest.mark.heavy
def test_errors_and_coverage_beside_plain_python(
    experiments_once: Warehouse, tmp_path: Path
) -> None:
    warehouse = Warehouse(Path(copyfile(experiments_once.path, tmp_path / "poolhouse.duckdb")))
    drawn = Drawn(tmp_path)
    request = LaterRequest(HOSTILE_NAME, str(drawn.judgements), (tmp_path / "theirs.csv",))
    run_later_experiment(warehouse, request)
    limit = 0.15
    counted = drawn.truths().filter(pl.col("unjudged") > NOISE, pl.col("unknown") <= limit + NOISE)
    pools = query_frame(
        warehouse,
        "select run_id, is_pooled from dim_runs where collection_id = $collection",
        {"collection": HOSTILE_NAME},
    )
    unadjusted = counted.select(
        "run_id", "measure", estimate="score", estimator=pl.lit("unadjusted")
    )
    theirs = drawn.estimates.with_columns(estimator=pl.lit("theirs"))
    compared = (
        pl.concat([theirs, unadjusted], how="diagonal")
        .join(counted, on=["run_id", "measure"])
        .join(pools, on="run_id")
        .with_columns(
            error=pl.when(pl.col("estimate") > pl.col("truth_high"))
            .then(pl.col("estimate") - pl.col("truth_high"))
            .otherwise(pl.min_horizontal(pl.col("estimate") - pl.col("truth_low"), 0.0)),
            holds=(pl.col("low") <= pl.col("truth_high")) & (pl.col("high") >= pl.col("truth_low")),
            band=pl.when(pl.col("unjudged") <= 0.1 + NOISE)
            .then(pl.lit("0 to .1"))
            .when(pl.col("unjudged") <= 0.25 + NOISE)
            .then(pl.lit(".1 to .25"))
            .when(pl.col("unjudged") <= 0.5 + NOISE)
            .then(pl.lit(".25 to .5"))
            .otherwise(pl.lit(".5 to 1")),
        )
    )
    shown = later_findings(warehouse, Compared(HOSTILE_NAME, unknown=limit))
    found = pl.DataFrame(shown.rows, schema=shown.columns, orient="row", infer_schema_length=None)
    found = found.filter(
        pl.col("measure").is_in(list(WEIGHTS)), pl.col("estimator").is_in(["theirs", "unadjusted"])
    )
    pool = pl.col("is_pooled").replace_strict(
        {True: "pooled", False: "outside"}, default="not known"
    )
    expected = pl.concat(
        compared.with_columns(pool=pool, unjudged_band=band)
        .group_by("pool", "measure", "estimator", "unjudged_band")
        .agg(
            runs=pl.len(),
            mae=pl.col("error").abs().mean(),
            bias=pl.col("error").mean(),
            hold=pl.when(pl.col("low").count() > 0).then(pl.col("holds").sum()).first(),
        )
        for band in (pl.lit("all"), pl.col("band"))
    )
    by_key = {row[:4]: row[4:] for row in expected.rows()}
    assert len(by_key) > 12
    columns = ["pool", "measure", "estimator", "unjudged", "runs", "MAE", "bias", "hold"]
    assert {row[:4]: row[4:] for row in found.select(columns).rows()} == {
        key: (runs, pytest.approx(mae), pytest.approx(bias), hold)
        for key, (runs, mae, bias, hold) in by_key.items()
    }


@pytest.mark.heavy
def test_a_figure_where_the_pool_is_not_known() -> None:
    rows = pl.DataFrame(
        {
            **{"experiment": ["later", "later"], "run_id": ["a", "b"]},
            **{"is_pooled": [None, None], "measure": ["P@5", "P@5"]},
            **{"estimator": ["unadjusted", "unadjusted"], "estimate": [0.2, 0.4]},
            **{"ci_95_low": [None, None], "ci_95_high": [None, None]},
            **{"truth_low": [0.2, 0.6], "truth_high": [0.4, 0.6], "error": [0.0, -0.2]},
            "unjudged_weight": [0.2, 0.2],
        }
    )
    drawn = specification(rows, 400)
    [points] = drawn["datasets"].values()
    assert {point["pool"] for point in points} == {"pool not known"}


# ------------------------------------------------------------------------------ TREC-COVID


@pytest.fixture(scope="module")
def covid(archives: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """Provide the results of round 1 against the judgements of all rounds."""
    copy = tmp_path_factory.mktemp("covid") / "poolhouse.duckdb"
    warehouse = Warehouse(Path(copyfile(archives.path, copy)))
    later = TREC_COVID.folder / "later-qrels.txt.gz"
    run_later_experiment(warehouse, LaterRequest(TREC_COVID.name, str(later)))
    yield warehouse
    copy.unlink()


def test_the_verdict_counts_the_runs_that_the_command_counts() -> None:
    """The option is of the command line, and the verdict is SQL."""
    [model] = [each for each in plan_of({}).relations if each.name == "int_estimate_accuracy"]
    assert f"<= {LARGEST_UNKNOWN}" in " ".join(model.sql.split())


@pytest.mark.archive
def test_the_verdict_says_what_later_judgements_show(covid: Warehouse) -> None:
    query = "select accuracy_with_estimates from audit_collections where collection_id = $name"
    said = str(query_frame(covid, query, {"name": TREC_COVID.name}).item())
    by_pool, by_later = said.split("; ")
    # the pool has the depth 7
    assert by_pool.endswith("P@5 0.0215 (0.0894) when an organization is left out")
    assert "P@10 0.0086 (0.0428), P@20 0.0035 (0.0631)" in by_later
    assert "by later judgements" in by_later


@pytest.mark.archive
def test_estimates_of_round_1_hold_the_later_truth(covid: Warehouse) -> None:
    """The table of docs/later_judgements.md: runs, error if judged, and intervals that hold."""
    shown = later_findings(covid, Compared(TREC_COVID.name))
    columns = ("pool", "measure", "estimator", "unjudged", "runs", "MAE", "hold")
    places = [shown.columns.index(column) for column in columns]
    found = {
        tuple(row[place] for place in places[:4]): tuple(row[place] for place in places[4:])
        for row in shown.rows
    }
    for (pool, measure, estimator), (runs, mae, hold) in {
        ("outside", "P@10", "unadjusted"): (23, 0.0428, None),
        ("outside", "P@10", "webber_park"): (23, 0.0095, None),
        ("outside", "P@10", "if_pooled"): (23, 0.0291, 6),
        ("outside", "P@10", "if_judged"): (23, 0.0086, 23),
        ("outside", "P@5", "if_judged"): (34, 0.0066, 34),
        ("outside", "P@20", "if_judged"): (6, 0.0035, 6),
        ("outside", "RBP(p=0.8)@10", "if_judged"): (35, 0.0047, 35),
        ("pooled", "P@10", "if_judged"): (56, 0.0101, 52),
    }.items():
        assert found[pool, measure, estimator, "all"] == (
            runs,
            pytest.approx(mae, abs=0.0005),
            hold,
        )
