"""Test documents that do not count for a topic, beside files from which plain Python took them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve
from polars.testing import assert_frame_equal

from asking import invoke, rows
from built_collections import built_and_tested, kept_open, load_together
from collection_files import write_files
from conftest import NewWarehouse
from equal_marts import DATABASES, connected, differing
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.loading.line_files import read_run
from poolhouse.loading.parsers import SourceFile, parse_pairs
from poolhouse.loading.request import LoadRequest
from poolhouse.scoring.asked_runs import NewRun
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator
from reference import RunLine
from rounding import with_rounded_floats

# Deep pools, grades below 0 that are judgements, no depth declared, depths by run. The first two
# are built.
NUMBERS = (4, 13, 2, 7)
N_BUILT = 2
ROUND = 1.5
# 0 and words name no round.
ITERATIONS = ("0", "0.5", "1.0", "1.5", "2", "x", "-1")
# What is said of the documents that were left out.
SAID = {
    "dim_collections.n_documents_left_out",
    "dim_collections.n_judgements_left_out",
    "audit_runs.remarks",
}
TIMES = {
    "dim_authors.first_judged_at",
    "dim_authors.last_judged_at",
    "fct_author_judgements.judged_at",
}


@dataclass(frozen=True)
class Drawn:
    """A collection whose files have everything, and the same without what does not count."""

    whole: LoadRequest
    filtered: LoadRequest
    n_documents: int
    n_judgements: int

    @property
    def files(self) -> list[tuple[Path, Path]]:
        return list(zip(self.whole.run_files, self.filtered.run_files, strict=True))


def drawn(number: int, folder: Path) -> Drawn:
    """Draw a collection, and remove lines of its files by hand."""
    generator = Generator(number)
    collection, chance = generator.collection(), generator.chance
    for lines in collection.runs.values():
        for topic in {line.topic for line in lines}:
            if chance(0.7):  # queries are documents
                best = max(line.score for line in lines if line.topic == topic)
                place = generator.random.randint(0, len(lines))
                lines.insert(place, RunLine(topic, topic, 0, best))
    collection.qrels += [(topic, topic, 1) for topic in generator.judged_topics if chance(0.7)]
    # Scoring files refuses a document that is judged twice.
    judged = {(topic, document): grade for topic, document, grade in collection.qrels}
    iterations = {key: generator.random.choice(ITERATIONS) for key in judged}
    retrieved = {(x.topic, x.document) for lines in collection.runs.values() for x in lines}
    pairs = {each for each in sorted(retrieved | judged.keys()) if chance(0.15)}
    written = [*pairs, *sorted(pairs)[:2], ("elsewhere", "d1")]
    left_out = pairs | {each for each in retrieved | judged.keys() if each[0] == each[1]}
    left_out |= {key for key, iteration in iterations.items() if iteration in ("0.5", "1.0")}

    def request(name: str, *, is_whole: bool) -> LoadRequest:
        def counts(key: tuple[str, str]) -> bool:
            return is_whole or key not in left_out

        runs = {
            run: [line for line in lines if counts((line.topic, line.document))]
            for run, lines in collection.runs.items()
        }
        asked = write_files(replace(collection, runs=runs), folder / name)
        kept = {key: grade for key, grade in judged.items() if counts(key)}
        by_topic = sorted(judged)
        compared = [
            (topic, one, other)
            for (topic, one), (of, other) in pairwise(by_topic)
            if topic == of and counts((topic, one)) and counts((topic, other))
        ]
        texts = {
            "qrels.txt": (f"{x[0]} {iterations[x]} {x[1]} {grade}" for x, grade in kept.items()),
            "model": (f"{x[0]} 0 {x[1]} {max(grade, 0)}" for x, grade in kept.items()),
            "common": (f"{topic} 0 {document} 1" for topic, document in list(kept)[::2]),
            "preferences": map(" ".join, compared),
        }
        for file, lines in texts.items():
            (folder / name / file).write_text("".join(f"{line}\n" for line in lines))
        return evolve(
            asked,
            author_qrels=(("model", folder / name / "model"),),
            preferences=(("model", folder / name / "preferences"),),
            common_topics=((asked.run_ids[0], folder / name / "common"),),
        )

    (folder / "pairs").write_text(
        "# not these\n\n" + "".join(f"{topic} \t{document}\n" for topic, document in written)
    )
    whole = evolve(
        request("whole", is_whole=True),
        leave_out=folder / "pairs",
        leave_out_own_id=True,
        residual=ROUND,
    )
    return Drawn(
        whole,
        request("filtered", is_whole=False),
        sum(
            len({(x.topic, x.document) for x in lines} & left_out)
            for lines in collection.runs.values()
        ),
        len(judged.keys() & left_out),
    )


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> list[Drawn]:
    return [drawn(number, tmp_path_factory.mktemp("drawn")) for number in NUMBERS]


@pytest.fixture(scope="module")
def collections(every: list[Drawn]) -> list[Drawn]:
    return every[:N_BUILT]


@pytest.fixture(scope="module")
def both(
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
    collections: list[Drawn],
) -> Iterator[tuple[Warehouse, Warehouse]]:
    """Provide two warehouses: of whole files with what to leave out, and of filtered files."""
    whole, filtered = (new_warehouse(tmp_path_factory.mktemp("built")) for _ in range(2))
    load_together(whole, (each.whole for each in collections))
    load_together(filtered, (each.filtered for each in collections))
    assert build(filtered).failed == ()
    with filtered.read():
        for one in kept_open(built_and_tested(whole)):
            yield one, filtered


@pytest.mark.heavy
def test_every_mart_is_the_one_of_filtered_files(both: tuple[Warehouse, Warehouse]) -> None:
    with connected() as connection:
        for warehouse, name in zip(both, DATABASES, strict=True):
            warehouse.attach(connection, name)
        assert differing(connection, without=SAID | TIMES) == {}


@pytest.mark.heavy
def test_preferences_about_other_documents_count(
    both: tuple[Warehouse, Warehouse], collections: list[Drawn]
) -> None:
    for each in collections:
        asked = f"from preference_measures('{each.whole.collection}') order by all"
        whole, filtered = (rows(warehouse, asked) for warehouse in both)
        assert whole
        assert whole == filtered


@pytest.mark.heavy
def test_new_runs_lose_the_same_documents(
    both: tuple[Warehouse, Warehouse], collections: list[Drawn]
) -> None:
    measures = ["AP", "nDCG@10", "RR", "P@5", "NumRet"]
    for each in collections:
        name = each.whole.collection
        for files in each.files[:1]:
            scores = [
                score_runs(warehouse, name, [NewRun("new", read_run(file).rows)], measures).by_topic
                for warehouse, file in zip(both, files, strict=True)
            ]
            assert_frame_equal(*scores)
            adjusted = [
                with_rounded_floats(adjust(warehouse, name, read_run(file).rows, "new").scores)
                for warehouse, file in zip(both, files, strict=True)
            ]
            assert_frame_equal(*adjusted)


@pytest.mark.heavy
def test_what_was_left_out_is_counted(
    both: tuple[Warehouse, Warehouse], collections: list[Drawn]
) -> None:
    counts = "n_documents_left_out, n_judgements_left_out"
    found = rows(both[0], f"select collection_id, {counts} from dim_collections order by all")
    assert found == [(x.whole.collection, x.n_documents, x.n_judgements) for x in collections]
    assert rows(both[1], f"select distinct {counts} from dim_collections") == [(0, 0)]
    of_runs = r"sum(cast(regexp_extract(remarks, '(\d+) of its documents do not count', 1) as int))"
    said = f"select collection_id, {of_runs} from audit_runs where remarks like '%do not count%'"
    found = rows(both[0], f"{said} group by all order by all")
    assert found == [(x.whole.collection, x.n_documents) for x in collections]
    account = "figure like 'every_%' and subject = 'ops.files' and n_unexpected > 0"
    assert rows(both[0], f"select * from audits.fct_quality_figures where {account}") == []


@pytest.mark.heavy
def test_copies_of_a_collection_leave_out_the_same(
    both: tuple[Warehouse, Warehouse], collections: list[Drawn], tmp_path: Path
) -> None:
    """One is made of it (`--of`), and one is loaded from its published files."""
    original = collections[0].whole
    name = original.collection
    copy = Warehouse(tmp_path / "copy.duckdb")
    copy.path.write_bytes(both[0].path.read_bytes())
    invoke("load", "derived", "--judged-by", "reference", "--of", name, db=copy, status=0)
    folder = tmp_path / "published"
    invoke("export", folder, "--format", "trec", "--collection", name, db=copy, status=0)
    [archive] = folder.rglob("archive.yml")
    runs = archive.parent / "runs"
    runs.mkdir(exist_ok=True)
    for file in original.run_files:
        (runs / file.name).write_bytes(file.read_bytes())
    text = archive.read_text()
    assert "leave-out: leave-out.txt\n" in text
    archive.write_text(text.replace(f"collection: {name}", "collection: published"))
    invoke("load", "--archive", archive, db=copy, status=0)
    invoke("build", db=copy, status=0)
    score = "round(score, 9)"
    of_topics = (
        f"select run_id, topic_id, measure, {score} from fct_topic_scores where collection_id"
    )
    expected = rows(copy, f"{of_topics} = ? order by all", name)
    for each in ("derived", "published"):
        assert rows(copy, f"{of_topics} = ? order by all", each) == expected


@pytest.mark.some(1)
@pytest.mark.parametrize("number", NUMBERS)
def test_scores_of_files_are_those_of_filtered_files(every: list[Drawn], number: int) -> None:
    each = every[NUMBERS.index(number)]
    asked = ("-m", "all_trec", "-q", "-c", "--format", "trec_eval", "--judged-from", "-1")
    options = ("--leave-out", each.whole.leave_out, "--leave-out-own-id", "--residual", ROUND)
    found = invoke(
        "score", *each.whole.run_files, "--qrels", each.whole.qrels, *asked, *options, status=0
    )
    expected = invoke(
        "score", *each.filtered.run_files, "--qrels", each.filtered.qrels, *asked, status=0
    )
    assert found.stdout == expected.stdout
    assert f"and {each.n_judgements} judgements do not count for their topics" in found.stderr


QRELS = "t1 1 a 1\nt1 2 b 1\nt2 1 a 1\n"
RUN = "t1 Q0 t1 1 9 run\nt1 Q0 a 2 8 run\nt1 Q0 b 3 7 run\nt2 Q0 a 1 1 run\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def loaded(warehouse: Warehouse, folder: Path, *options: object, status: int = 0) -> str:
    files = ("--runs", folder / "run", "--qrels", folder / "qrels")
    return invoke("load", "c", *files, *options, db=warehouse, status=status).stderr


def test_a_declaration_stays_until_another_one(folder: Path, warehouse: Warehouse) -> None:
    def pairs() -> list[tuple[str, str]]:
        return rows(warehouse, "select distinct query, docno from raw.leave_out_pairs order by all")

    said = "{} documents of runs and {} judgements do not count"
    own = [("t1", "t1"), ("t2", "t2")]
    assert "do not count" not in loaded(warehouse, folder)
    assert said.format(1, 0) in loaded(warehouse, folder, "--leave-out-own-id")
    assert pairs() == own
    (folder / "pairs").write_text("t2 b\n# t1 a\n\n")
    assert said.format(1, 0) in loaded(warehouse, folder, "--leave-out", folder / "pairs")
    assert "nothing new" in loaded(warehouse, folder, "--leave-out", folder / "pairs")
    assert pairs() == [own[0], ("t2", "b"), own[1]]
    assert said.format(3, 2) in loaded(warehouse, folder, "--residual", 2)
    assert pairs() == [("t1", "a"), own[0], ("t2", "a"), ("t2", "b"), own[1]]
    assert said.format(1, 0) in loaded(warehouse, folder, "--residual", 0)


def test_what_leaves_nothing_is_refused(folder: Path, warehouse: Warehouse) -> None:
    problem = "nothing is left of {}: every document is one that does not count"
    judgements, run = problem.format("the judgements"), problem.format("run 'run'")
    assert judgements in loaded(warehouse, folder, "--residual", 3, status=1)
    (folder / "pairs").write_text("t1 t1\nt1 a\nt1 b\nt2 a\n")
    (folder / "qrels").write_text(f"{QRELS}t2 1 b 1\n")
    named = ("--leave-out", folder / "pairs")
    assert run in loaded(warehouse, folder, *named, status=1)
    files = ("score", folder / "run", "--qrels", folder / "qrels")
    assert run in invoke(*files, *named, status=1).stderr
    assert judgements in invoke(*files, "--residual", 3, status=1).stderr
    with pytest.raises(PoolhouseError, match="residual: nan, expected 0 to"):
        LoadRequest("c", residual=float("nan"))


def test_pairs_are_lines_of_two_fields() -> None:
    parsed = parse_pairs(SourceFile(Path("pairs"), b"1\ta\r\n# 2 b\n\n 1  b \n1 a b\nx\n1 a"))
    assert parsed.rows.rows() == [(1, "1", "a"), (4, "1", "b"), (7, "1", "a")]
    assert parsed.rejected["reason"].to_list() == ["too_many_fields", "too_few_fields"]
    assert (parsed.n_blank, parsed.n_duplicates) == (2, 1)


@pytest.mark.parametrize("option", ["--residual", "--leave-out"])
def test_what_is_scored_without_a_load_is_checked(folder: Path, option: str) -> None:
    (folder / "nan").write_text("t1 a\nt1 a b\n")
    value = "nan" if option == "--residual" else folder / "nan"
    problem = invoke(
        *("score", folder / "run", "--qrels", folder / "qrels", option, value), status=1
    ).stderr
    assert "Traceback" not in problem
    assert ("residual: nan, expected 0 to" if option == "--residual" else "1 of 2 lines") in problem
    assert "--strict" not in problem


@pytest.mark.heavy
def test_a_copy_finds_its_own_ids_where_no_line_holds_them(
    folder: Path, warehouse: Warehouse
) -> None:
    for name in ("qrels", "run"):
        text = '{"blue hat": {"blue hat": 1, "a": 1}, "t": {"a": 1, "b": 0}}'
        (folder / name).write_text(text)
    loaded(warehouse, folder, "--leave-out-own-id")
    invoke("build", db=warehouse, status=0)
    invoke("load", "copy", "--judged-by", "reference", "--of", "c", db=warehouse, status=0)
    pairs = "select query, docno, line_number from raw.leave_out_pairs where query = 'blue hat'"
    assert rows(warehouse, pairs) == [("blue hat", "blue hat", None)] * 2


@pytest.mark.heavy
def test_a_first_round_is_published(folder: Path, warehouse: Warehouse) -> None:
    """Of two judgements of a document, the lower number counts, and not the shorter text."""
    (folder / "qrels").write_text("t1 9 a 1\nt1 10 a 2\nt1 10 b 1\nt1 11 c 0\n")
    assert "1 judgements do not count" in loaded(warehouse, folder, "--residual", 10)
    invoke("build", db=warehouse, status=0)
    invoke("export", folder / "out", "--format", "trec", db=warehouse, status=0)
    [full] = (folder / "out").rglob("full.txt")
    assert full.read_text() == "t1 9 a 2\nt1 10 b 1\nt1 11 c 0\n"


def test_ratings_of_beir_are_no_pairs(folder: Path, warehouse: Warehouse) -> None:
    (folder / "pairs").write_text("query-id\tcorpus-id\tscore\nt1\ta\t1\n")
    problem = loaded(warehouse, folder, "--leave-out", folder / "pairs", status=1)
    assert "too many fields" in problem
    assert "awk" not in problem


def test_judgements_are_no_pairs(folder: Path, warehouse: Warehouse) -> None:
    problem = loaded(warehouse, folder, "--leave-out", folder / "qrels", status=1)
    assert "holds no pair (expected: topic docno); it looks like judgements" in problem
    assert "awk '{print $1, $3}' turns into these" in problem
