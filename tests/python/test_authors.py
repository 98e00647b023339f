"""Test authors of judgements: names, declarations, remarks, answers, collections of an author."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import poolhouse
from asking import rows
from built_collections import load_together
from conftest import NewWarehouse
from experiment_collections import ODD_ONE_OUT
from natural_keys import Tables, tables_of
from page import write_collection
from poolhouse.building.build import build
from poolhouse.building.project import project_folder
from poolhouse.command_line.main import main
from poolhouse.demo.simulator import OrganizationRecipe, simulate
from poolhouse.errors import PoolhouseError
from poolhouse.loading import author_names
from poolhouse.loading.author_names import named_file
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.loading.trec_text import ANSWERS
from poolhouse.pooling.answers import load_answers
from poolhouse.warehouse.file import Warehouse
from questions import question

# Another name for d1 to d6 of the page: grades from 0 to 3, d4 is not judged, d5 only here.
GRADED = "1 0 d1 3\n1 0 d2 2\n1 0 d3 0\n1 0 d5 1\n"
HEADER = "author,kind,threshold,highest,model,prompt,date,notes\n"
HOSTILE = "o'Brien \"; drop table raw.runs; -- $1 {x} %s=\\ \u00e9\u4e2d"

Load = Callable[..., Result]


def write_page(folder: Path) -> LoadRequest:
    """Write a collection, with judgements of others beside it."""
    request = write_collection(folder)
    (folder / "graded.txt").write_text(GRADED)
    (folder / "same.txt").write_text((folder / "qrels.txt").read_text())
    return request


@pytest.fixture
def page(tmp_path: Path) -> Path:
    write_page(tmp_path / "page")
    return tmp_path / "page"


@pytest.fixture(scope="module")
def authored_once(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build collections with an author: `page`, one whose author declares a scale, a hostile one.

    The reference has a name where the author declares a scale.
    """
    folder = tmp_path_factory.mktemp("authors")
    page = folder / "page"
    request = evolve(write_page(page), author_qrels=(("gpt", page / "graded.txt"),))
    (page / "scaled.txt").write_text(f"{GRADED}1 0 d1 1\n1 0 d6 -1\n7 0 d1 3\n")
    (page / "a.csv").write_text(f"{HEADER}gpt,model,2,2,gpt-4,,,\n")
    quoted = HOSTILE.replace('"', '""')
    (page / "hostile.csv").write_text(f'author,kind\n"{quoted}",model\n', encoding="utf-8")
    scaled = evolve(
        request,
        collection="scaled",
        qrels=None,
        author_qrels=(("nist", page / "qrels.txt"), ("gpt", page / "scaled.txt")),
        reference="nist",
        authors=page / "a.csv",
    )
    hostile = evolve(
        request,
        collection="it's",
        author_qrels=((HOSTILE, page / "graded.txt"),),
        authors=page / "hostile.csv",
    )
    warehouse = new_warehouse(folder)
    load_together(warehouse, (request, scaled, hostile))
    build(warehouse)
    return warehouse.path


@pytest.fixture
def built(authored_once: Path, warehouse: Warehouse) -> Warehouse:
    """Provide a copy of the built collections in the warehouse of `run`."""
    warehouse.path.parent.mkdir()
    copyfile(authored_once, warehouse.path)
    return warehouse


@pytest.fixture
def run(page: Path, warehouse: Warehouse) -> Load:
    """Provide the command line in a new warehouse; @name is a file of the page."""

    def run(*words: object) -> Result:
        named = [re.sub(r"@([\w.]+)", rf"{page}/\1", str(word)) for word in words]
        return CliRunner().invoke(main, [*named, "--db", str(warehouse.path)])

    return run


def loaded(run: Load, *words: object) -> Result:
    done = run("load", "page", "--runs", "@runs", *words)
    assert done.exit_code == 0, done.output
    return done


def refused(run: Load, *words: object) -> str:
    done = run("load", "page", "--runs", "@runs", *words)
    assert done.exit_code in (1, 2), done.output
    return " ".join(done.stderr.split())


AUTHORS = "select author, count(*), max(grade) from raw.author_lines group by all order by all"
REFERENCE = "select reference_author from raw.collections"


# -------------------------------------------------------------------------------- which is which


def test_a_text_is_a_file_or_a_name_and_a_file(tmp_path: Path) -> None:
    (tmp_path / "a=b").write_text("")
    assert named_file("a=b", tmp_path) == (None, tmp_path / "a=b")
    assert named_file("b=a=b", tmp_path) == ("b", tmp_path / "a=b")
    assert named_file("none", tmp_path) == (None, tmp_path / "none")
    assert named_file("x=\0", tmp_path)[0] == "x"


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("words", "reference", "others"),
    [
        (["--qrels", "@qrels.txt"], None, []),
        (["--qrels", "nist=@qrels.txt"], "nist", []),
        (["--qrels", "@qrels.txt", "--qrels", "gpt=@graded.txt"], None, ["gpt"]),
        (["--qrels", "@qrels.txt", "--qrels", "gpt=@graded.txt", "--reference", "n"], "n", ["gpt"]),
        (["--qrels", "reference=@qrels.txt", "--qrels", "gpt=@graded.txt"], None, ["gpt"]),
        (
            ["--qrels", "gpt=@graded.txt", "--qrels", "nist=@qrels.txt", "--reference", "nist"],
            "nist",
            ["gpt"],
        ),
    ],
)
def test_the_reference_is_the_qrels(
    run: Load, warehouse: Warehouse, words: list[str], reference: str | None, others: list[str]
) -> None:
    loaded(run, *words)
    assert rows(warehouse, REFERENCE) == [(reference,)]
    assert rows(warehouse, "select count(*), max(grade) from raw.qrels_lines") == [(4, 1)]
    assert rows(warehouse, AUTHORS) == [(other, 4, 3) for other in others]
    again = loaded(run, *words)
    assert "nothing new" in again.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["--qrels", "a=@qrels.txt", "--qrels", "b=@graded.txt"],
            "2 authors of judgements (a, b), and no reference: say whose judgements are the qrels "
            "by --reference NAME",
        ),
        (["--qrels", "a=@qrels.txt", "--qrels", "a=@graded.txt"], "author 'a' is named twice"),
        (
            ["--qrels", "gpt=@qrels.txt", "--qrels", "GPT=@graded.txt"],
            "authors 'gpt' and 'GPT' differ only in case",
        ),
        (["--qrels", "@qrels.txt", "--qrels", "@graded.txt"], "need the names of their authors"),
        (
            ["--qrels", "@qrels.txt", "--qrels", "reference=@graded.txt"],
            "two files of judgements are the reference",
        ),
        (["--qrels", "Reference=@qrels.txt"], "other spellings of it name nobody"),
        (
            ["--qrels", "nist=@qrels.txt", "--qrels", "b=@graded.txt", "--reference", "nits"],
            "no file of judgements has this name (--qrels NAME=FILE); did you mean 'nist'?",
        ),
        (["--qrels", "a, else b=@qrels.txt"], "is between two authors of a mixture"),
        (["--qrels", " a=@qrels.txt"], "leave out the blanks at its ends"),
        (["--qrels", "a\nb=@qrels.txt"], "empty or not printable"),
        (["--qrels", "=@qrels.txt"], "is no file, and not NAME=FILE"),
        (["--qrels", "a="], "is no file, and not NAME=FILE"),
        (["--qrels", "a=@missing.txt"], "missing.txt"),
        (["--unjudged", "--qrels", "a=@qrels.txt"], "--unjudged means no judgements"),
        (["--unjudged", "--reference", "a"], "no file of judgements has this name"),
        (["--qrels", "@qrels.txt", "--ir-dataset", "x"], "both name judgements"),
    ],
)
def test_what_is_unclear_is_an_error(
    run: Load, warehouse: Warehouse, words: list[str], problem: str
) -> None:
    assert problem in refused(run, *words)
    assert not warehouse.path.exists()


@pytest.mark.heavy
def test_a_reference_stays(run: Load, page: Path, warehouse: Warehouse) -> None:
    loaded(run, "--qrels", "nist=@qrels.txt", "--qrels", "gpt=@graded.txt", "--reference", "nist")
    for words in (["--reference", "gpt"], ["--qrels", "x=@same.txt", "--reference", "x"]):
        problem = refused(run, *words)
        assert "the reference of collection 'page' is 'nist'" in problem
        assert "poolhouse remove page first" in problem
    assert "differ only in case" in refused(run, "--qrels", "GPT=@graded.txt")
    assert "differ only in case" in refused(run, "--qrels", "Nist=@graded.txt")
    assert "two files" in refused(run, "--qrels", "@same.txt", "--qrels", "nist=@qrels.txt")
    # A file of the reference replaces the qrels, with the name, with the word, or without.
    for number, words in enumerate(
        (
            ["--qrels", "nist=@new.txt"],
            ["--qrels", "reference=@new.txt"],
            ["--qrels", "@new.txt", "--reference", "nist"],
        )
    ):
        (page / "new.txt").write_text(f"1 0 d1 {number}\n")
        if number == 0:
            assert "take away 3 and regrade 1 of the 4" in refused(run, *words)
        loaded(run, *words, "--replace")
        assert rows(warehouse, "select docno, grade from raw.qrels_lines") == [("d1", number)]
    assert rows(warehouse, REFERENCE) == [("nist",)]
    assert rows(warehouse, AUTHORS) == [("gpt", 4, 3)]


def test_judgements_without_a_name_are_nobodys_where_authors_have_names(
    run: Load, page: Path, warehouse: Warehouse
) -> None:
    """Labels of a model do not take the place of NIST's, under NIST's name."""
    loaded(run, "--qrels", "nist=@qrels.txt")
    both = "--qrels nist=FILE are the reference, and --qrels NAME=FILE stand beside it"
    assert both in refused(run, "--qrels", "@graded.txt", "--replace")
    loaded(run, "--qrels", "@qrels.txt")  # the same file
    assert rows(warehouse, REFERENCE) == [("nist",)]
    assert rows(warehouse, "select max(grade) from raw.qrels_lines") == [(1,)]
    assert run("load", "other", "--runs", "@runs", "--qrels", "@qrels.txt").exit_code == 0
    assert run("load", "other", "--qrels", "gpt=@graded.txt").exit_code == 0
    (page / "qrels.txt").write_text("1 0 d1 0\n")
    bare = run("load", "other", "--qrels", "@qrels.txt")
    assert "--qrels reference=FILE are the reference" in " ".join(bare.stderr.split())


@pytest.mark.heavy
def test_a_load_after_a_build_changes_the_marts_with_the_next_build(
    run: Load, built: Warehouse
) -> None:
    """An archive that was loaded without names may give them to the same files."""
    assert "cannot become 'gpt'" in refused(run, "--reference", "gpt")
    assert "cannot become 'x'" in refused(run, "--qrels", "x=@graded.txt", "--reference", "x")
    loaded(run, "--qrels", "nist=@same.txt", "--qrels", "gpt=@graded.txt", "--reference", "nist")
    assert run("load", "scaled", "--qrels", "gpt=@same.txt").exit_code == 0
    labels = "select count(*) from fct_author_judgements where collection_id = 'scaled'"
    assert rows(built, labels) == [(5,)]
    build(built)
    assert rows(built, labels) == [(4,)]
    names = """
        select author, is_reference from dim_authors where collection_id = 'page' order by 1
    """
    assert rows(built, names) == [("gpt", False), ("nist", True)]


@pytest.mark.heavy
def test_hostile_names_are_names(run: Load, built: Warehouse) -> None:
    with built.read() as connection:
        connection.execute("set variable who = ?", [HOSTILE])
        found = connection.execute(
            """
            select
                (select kind from dim_authors where author = getvariable('who')),
                (select count(*) from fct_author_judgements where author = getvariable('who')),
                (select count(*) from author_qrels('it''s', getvariable('who')))
            """
        ).fetchall()
    assert found == [("model", 4, 4)]
    assert run("load", "other", "--judged-by", HOSTILE, "--of", "it's").exit_code == 0
    assert run("remove", "it's", "--author", HOSTILE).exit_code == 0
    left = "select count(*) from raw.author_lines where author not in ('gpt', 'nist')"
    assert rows(built, left) == [(0,)]


# ---------------------------------------------------------------------------------- declarations


@pytest.mark.heavy
def test_declarations_are_replaced_as_a_whole(run: Load, page: Path, warehouse: Warehouse) -> None:
    (page / "a.csv").write_text(
        f"{HEADER}gpt,Model,2,3,gpt-4,umbrela,2024-05-31,a note\nreference,person,,,,,,\n"
    )
    words = ("--qrels", "nist=@qrels.txt", "--qrels", "gpt=@graded.txt", "--reference", "nist")
    loaded(run, *words, "--authors", "@a.csv")
    declared = """
        select author, kind, relevance_threshold, highest_grade, model, prompt, judged_on::varchar
        from raw.authors order by all
    """
    assert rows(warehouse, declared) == [
        ("gpt", "model", 2, 3, "gpt-4", "umbrela", "2024-05-31"),
        ("nist", "person", None, None, None, None, None),
    ]
    assert "nothing new" in loaded(run, "--authors", "@a.csv").stderr
    (page / "a.csv").write_text("author,kind\nnist,crowd\n")
    loaded(run, "--authors", "@a.csv")
    assert rows(warehouse, "select author, kind from raw.authors") == [("nist", "crowd")]
    assert rows(warehouse, "select n_rows from ops.files where kind = 'authors'") == [(1,)]
    (page / "a.csv").write_text("author,kind\nnist,crowd\nreference,crowd\n")
    assert "are declared, and are one" in refused(run, "--authors", "@a.csv")


def test_the_reference_has_the_scale_of_its_collection(run: Load, page: Path) -> None:
    (page / "a.csv").write_text("author,threshold\nreference,2\n")
    problem = refused(run, "--qrels", "@qrels.txt", "--authors", "@a.csv")
    assert "is declared with the threshold 2; that of collection 'page' is 1" in problem
    loaded(run, "--qrels", "@graded.txt", "--authors", "@a.csv", "--threshold", "2")
    assert "declared with the threshold 2" in refused(run, "--threshold", "1")


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("lines", "declared", "remark"),
    [
        (
            "1 0 d1 1\n9 0 d1 1\n9 0 d2 1\n8 0 d1 0\n",
            "",
            "3 lines are about 2 topics that the coll",
        ),
        ("1 0 d1 4\n1 0 d2 5\n", "gpt,,2,3,,,,", "2 grades above the highest grade of its scale"),
        (
            "1 0 d1 1\n1 0 d2 0\n",
            "gpt,,2,,,,,",
            "no grade reaches the threshold 2: declare its own",
        ),
        ("1 0 d1 1\n", "", "judged 1 of the 4 documents that the reference judged (25.0 %)"),
        (GRADED, "", "relevant from grade 1 on, as in the collection, and its grades go up to 3"),
        (GRADED, "gtp,,,,,,,", "declared but have no judgements: 'gtp'; did you mean 'gpt'?"),
        (GRADED, "gtp,,,,,,,", "with judgements but without a declaration: gpt"),
    ],
)
def test_what_does_not_fit_is_a_remark(
    run: Load, page: Path, lines: str, declared: str, remark: str
) -> None:
    (page / "gpt.txt").write_text(lines)
    words = ["--qrels", "@qrels.txt", "--qrels", "gpt=@gpt.txt"]
    if declared:
        (page / "a.csv").write_text(f"{HEADER}{declared}\n")
        words += ["--authors", "@a.csv"]
    assert remark in " ".join(loaded(run, *words).stderr.split())


def test_the_threshold_of_the_collection_may_be_too_high_for_another(run: Load) -> None:
    words = ("--qrels", "nist=@graded.txt", "--qrels", "gpt=@qrels.txt", "--reference", "nist")
    said = loaded(run, *words, "--threshold", "2").stderr
    remark = "author 'gpt': no grade reaches the threshold 2: declare its own by --authors"
    assert remark in " ".join(said.split())


def test_bad_lines_of_an_author_are_set_aside(run: Load, page: Path, warehouse: Warehouse) -> None:
    (page / "gpt.txt").write_text("1 0 d1 1\n1 0 d2 much\n")
    said = loaded(run, "--qrels", "@qrels.txt", "--qrels", "gpt=@gpt.txt").stderr
    assert "gpt.txt: 1 of 2 lines rejected" in said
    rejected = rows(warehouse, "select kind, name, line_number from raw.rejected_lines")
    assert rejected == [("author_qrels", "gpt", 2)]


# --------------------------------------------------------------------------------------- archives


def test_an_archive_names_authors(run: Load, page: Path, warehouse: Warehouse) -> None:
    (page / "x=y.txt").write_text(GRADED)
    (page / "archive.yml").write_text(
        """
- collection: one
  runs: runs
  qrels: {nist: qrels.txt, gpt=4: graded.txt}
  reference: nist
- collection: two
  runs: runs
  qrels: [qrels.txt, gpt=graded.txt]
- collection: three
  runs: runs
  qrels: x=y.txt
"""
    )
    done = run("load", "--archive", "@archive.yml")
    assert done.exit_code == 0, done.output
    assert rows(
        warehouse,
        """
        select collection_id, reference_author, list(distinct author)
        from raw.collections left join raw.author_lines using (collection_key)
        group by all order by all
        """,
    ) == [("one", "nist", ["gpt=4"]), ("three", None, [None]), ("two", None, ["gpt"])]


# ---------------------------------------------------------------------------------------- removal


@pytest.mark.heavy
def test_an_author_leaves_alone_or_with_the_collection(run: Load, warehouse: Warehouse) -> None:
    loaded(run, "--qrels", "nist=@qrels.txt", "--qrels", "gpt=@graded.txt", "--reference", "nist")
    for name, problem in (
        ("nist", "author 'nist' is the reference of collection 'page'"),
        ("reference", "author 'nist' is the reference"),
        ("gtp", "author 'gtp' has no judgements in collection 'page'; did you mean 'gpt'?"),
    ):
        done = run("remove", "page", "--author", name)
        assert (done.exit_code, problem in " ".join(done.stderr.split())) == (1, True)
    removed = run("remove", "page", "--author", "gpt", "--format", "json")
    assert json.loads(removed.stdout) == {"collection": "page", "runs": None, "authors": ["gpt"]}
    history = "select action, n_rows from ops.load_history where name = 'gpt' order by load_key"
    assert rows(warehouse, history) == [("load", 4), ("remove", 4)]
    assert rows(warehouse, "select count(*) from raw.author_lines") == [(0,)]
    assert rows(warehouse, "select count(*) from raw.qrels_lines") == [(4,)]
    loaded(run, "--qrels", "gpt=@graded.txt")
    assert run("remove", "page").exit_code == 0
    both = "select (select count(*) from raw.authors) + (select count(*) from raw.author_lines)"
    assert rows(warehouse, both) == [(0,)]


# ---------------------------------------------------------------------------------------- answers


ANNA = "select docno, grade, judged_at from raw.author_lines where author = 'anna' order by docno"


def test_answers_keep_their_author_and_time(run: Load, page: Path, warehouse: Warehouse) -> None:
    loaded(run, "--qrels", "@qrels.txt")
    (page / "list").write_text("1 0 d5 1\n1 0 d1 1\n1 0 d6\n")
    done = run("pool", "load", "page", "@list", "--author", "anna")
    assert "1 answer added, 1 second answer (0 differ), 1 line without" in " ".join(
        done.stderr.split()
    )
    before = rows(warehouse, ANNA)
    # d1 was judged before, and anna gave the same grade.
    assert [row[:2] for row in before] == [("d1", 1), ("d5", 1)]
    assert rows(warehouse, "select count(*) from raw.qrels_lines") == [(5,)]
    # The same answers change nothing, and a replaced answer changes its own time only.
    assert "build" not in run("pool", "load", "page", "@list", "--author", "anna").stderr
    (page / "list").write_text("1 0 d5 0\n")
    assert run("pool", "load", "page", "@list", "--author", "anna").exit_code == 1
    assert run("pool", "load", "page", "@list", "--author", "anna", "--replace").exit_code == 0
    after = rows(warehouse, ANNA)
    assert after[0] == before[0]
    assert after[1][:2] == ("d5", 0)
    assert after[1][2] > before[1][2]
    # Somebody else replaces the answer in the judgements, and the one of anna stays.
    (page / "list").write_text("1 0 d5 1\n")
    assert run("pool", "load", "page", "@list", "--author", "ben", "--replace").exit_code == 0
    assert rows(warehouse, ANNA) == after
    grades = "select grade from raw.qrels_lines where docno = 'd5'"
    assert rows(warehouse, grades) == [(1,)]


@pytest.mark.heavy
def test_the_ceiling_compares_nobody_with_itself(
    run: Load, page: Path, warehouse: Warehouse
) -> None:
    """The answers of anna are the qrels; carl judged the same documents in a file of his own."""
    (page / "carl.txt").write_text("1 0 d1 1\n1 0 d2 1\n1 0 d3 0\n1 0 d5 0\n")
    (page / "a.csv").write_text(f"{HEADER}anna,person,,,,,,\ncarl,person,,,,,,\n")
    loaded(run, "--qrels", "@qrels.txt", "--authors", "@a.csv")
    (page / "list").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d5 1\n")
    answered = run("pool", "load", "page", "@list", "--author", "anna", "--replace")
    assert answered.exit_code == 0, answered.stderr
    loaded(run, "--qrels", "carl=@carl.txt")
    assert run("build").exit_code == 0
    # Of the reference only carl is another author, and anna and carl are two persons.
    compared = """
        select audited.author, abs(audited.kappa_of_persons - agreement.kappa) < 1e-12
        from audit_authors as audited
        cross join fct_author_agreement as agreement
        where agreement.author = 'anna' and agreement.topic_id is null
    """
    assert rows(warehouse, compared) == [("carl", True)]


@pytest.mark.heavy
def test_labels_that_tell_nothing_apart_may_not_be_used(
    run: Load, page: Path, warehouse: Warehouse
) -> None:
    """One author calls everything relevant, and `none` nothing that the reference judged."""
    judged = (page / "qrels.txt").read_text()
    for author, line in (("ones", judged.replace(" 0\n", " 1\n")), ("none", "1 0 d9 1\n")):
        (page / f"{author}.txt").write_text(line)
    loaded(run, "--qrels", "@qrels.txt", "--qrels", "ones=@ones.txt", "--qrels", "none=@none.txt")
    assert run("build").exit_code == 0
    audited = "select author, verdict, failures, kappa, n_common from audit_authors order by author"
    none, ones = rows(warehouse, audited)
    assert none[1] == "may not be used"
    assert none[3:] == (None, 0)
    assert ones[1] == "may not be used"
    assert "100 % of the labels have the same grade (at most 99)" in ones[2]
    assert ones[3:] == (0, 4)


@pytest.mark.heavy
def test_the_reference_is_not_compared_with_its_own_judgements(
    run: Load, page: Path, warehouse: Warehouse
) -> None:
    """Anna answered, `copy` has the qrels; `part` merely agrees on everything that both judged."""
    judged = (page / "qrels.txt").read_text().splitlines(keepends=True)
    (page / "copy.txt").write_text("".join([*reversed(judged), "1 0 d9 -1\n"]))
    (page / "part.txt").write_text("".join(judged[:-1]))
    loaded(run, "--qrels", "@qrels.txt", "--qrels", "copy=@copy.txt", "--qrels", "part=@part.txt")
    (page / "list").write_text("1 0 d1 1\n1 0 d2 0\n")
    assert run("pool", "load", "page", "@list", "--author", "anna").exit_code == 0
    assert run("build").exit_code == 0
    compared = "select author from dim_authors where is_compared"
    assert rows(warehouse, compared) == [("part",)]
    for own in (
        "select distinct other_author from fct_author_agreement where author = 'reference'",
        "select distinct author from author_order_agreement('page', 'P@5')",
        "select author from audit_authors",
        "select distinct author from author_favours('page', 'P@5')",
        "select substr(estimator, 11) from dim_estimators where estimator like 'filled_by_%'",
    ):
        assert rows(warehouse, own) == [("part",)], own
    # Others are compared with each other, and a judgement counts once, under the name of its
    # author: d1 and d2 have three, d3 has two, and d4 has one, which agrees with nobody.
    assert rows(warehouse, "select count(*) from fct_author_agreement where topic_id is null") == [
        (4,)
    ]
    alpha = question("krippendorff_alpha")
    assert rows(warehouse, f"select n_labels from {alpha} where topic_id is null") == [(8,)]
    # A later file of anna takes no answer out of the qrels.
    (page / "more.txt").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n")
    loaded(run, "--qrels", "anna=@more.txt")
    assert run("build").exit_code == 0
    assert rows(warehouse, compared) == [("part",)]


def test_the_models_and_the_load_have_the_same_words() -> None:
    rules = (project_folder() / "macros/rules/authors.sql").read_text(encoding="utf-8")
    for macro, word in (
        ("reference_author", author_names.REFERENCE),
        ("between_authors", author_names.BETWEEN_AUTHORS),
        ("origin_of_answers", ANSWERS),
    ):
        assert f"{{% macro {macro}() -%}}\n    {word}" in rules


def test_a_file_does_not_remove_the_answers_of_its_author(
    run: Load, page: Path, warehouse: Warehouse
) -> None:
    loaded(run, "--qrels", "@qrels.txt", "--qrels", "anna=@same.txt")
    (page / "list").write_text("1 0 d5 1\n")
    assert run("pool", "load", "page", "@list", "--author", "anna").exit_code == 0
    problem = refused(run, "--qrels", "anna=@same.txt")
    assert "1 and regrade 0 of the 5 judgements of the author 'anna', to which ans" in problem
    other_grades = "".join(f"1 0 d{n} 1\n" for n in range(1, 7))
    (page / "same.txt").write_text(other_grades)
    assert "take away 0 and regrade" in refused(run, "--qrels", "anna=@same.txt")
    loaded(run, "--qrels", "anna=@same.txt", "--replace")
    assert len(rows(warehouse, ANNA)) == 6


def test_answers_of_another_scale_are_not_mixed_in(run: Load, page: Path) -> None:
    (page / "a.csv").write_text(f"{HEADER}anna,person,2,3,,,,\n")
    loaded(run, "--qrels", "nist=@qrels.txt", "--authors", "@a.csv")
    (page / "list").write_text("1 0 d5 1\n")
    for name, problem in (
        ("anna", "the answers would be mixed into judgements of another scale"),
        ("nist", "whose judgements are the qrels themselves: leave out --author"),
        ("NIST", "differ only in case"),
        ("a, else b", "is between two authors"),
    ):
        done = run("pool", "load", "page", "@list", "--author", name)
        assert (done.exit_code, problem in " ".join(done.stderr.split())) == (1, True), done.stderr


# -------------------------------------------------------------------------- what an author changes


SMALL = replace(
    ODD_ONE_OUT,
    name="small",
    n_topics=8,
    n_documents=100,
    organizations=(*ODD_ONE_OUT.organizations[:2], OrganizationRecipe("oak", 1, 1, noise=0.9)),
)
NEW = {
    *("audit_authors", "dim_authors", "fct_author_agreement", "fct_author_judgements"),
    "fct_disputed_judgements",
}
# They name the files of a collection, and the times of builds.
OF_FILES = {"audit_load_history", "audit_verdict_changes"}


def with_authors(folder: Path) -> tuple[LoadRequest, LoadRequest]:
    """Return the requests for a simulated collection without other authors, and with two."""
    [simulated] = simulate(folder / "simulation", 3, [SMALL])
    plain = LoadRequest(
        "small",
        run_files([simulated.runs]),
        simulated.qrels,
        descriptions=simulated.descriptions,
        topics=simulated.topics,
    )
    lines = [line.split() for line in simulated.qrels.read_text().splitlines()]
    # One judges every second document from 0 to 3, and another one documents of its own.
    graded, beyond = folder / "graded", folder / "beyond"
    graded.write_text(
        "".join(
            f"{topic} 0 {document} {min(3, int(grade) * 2 + number % 3 % 2)}\n"
            for number, (topic, _, document, grade) in enumerate(lines)
            if number % 2
        )
    )
    topics = sorted({topic for topic, *_ in lines})
    beyond.write_text("".join(f"{topic} 0 AA-{topic} 1\n999 0 {topic} 1\n" for topic in topics))
    declared = folder / "authors.csv"
    declared.write_text(f"{HEADER}graded,model,2,3,,,,\n")
    authors = (("graded", graded), ("beyond", beyond))
    return plain, evolve(plain, author_qrels=authors, authors=declared)


def without_labels(tables: Tables) -> Tables:
    """Leave out the rows of the estimators that take the labels of other authors."""
    return {
        table: [
            row
            for row in rows
            if not any(str(value).startswith(("filled_by_", "rectified_by_")) for value in row)
        ]
        for table, rows in tables.items()
    }


@pytest.fixture(scope="module")
def small(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Warehouse]:
    """Build the simulated collection without other authors, and with them."""
    warehouses = []
    for request in with_authors(tmp_path_factory.mktemp("small")):
        warehouse = new_warehouse(tmp_path_factory.mktemp("built"))
        load_together(warehouse, [request])
        build(warehouse)
        warehouses.append(warehouse)
    plain, extended = warehouses
    return plain, extended


@pytest.mark.heavy
def test_what_exists_does_not_change(small: tuple[Warehouse, Warehouse]) -> None:
    plain, extended = (
        without_labels(tables_of(warehouse, ("main", "audits"), NEW | OF_FILES))
        for warehouse in small
    )
    assert len(plain["main.fct_topic_scores"]) > 1000
    assert plain == extended


@pytest.mark.heavy
def test_a_collection_of_an_author_has_the_scores_of_the_author(
    run: Load, small: tuple[Warehouse, Warehouse], warehouse: Warehouse
) -> None:
    warehouse.path.parent.mkdir()
    copyfile(small[1].path, warehouse.path)
    mixtures = ["graded", "reference", "reference, else graded, else beyond", "beyond, else graded"]
    for number, each in enumerate(mixtures):
        done = run("load", f"by-{number}", "--judged-by", each, "--of", "small")
        assert done.exit_code == 0, done.output
    build(warehouse)
    with warehouse.read() as connection:
        for number, each in enumerate(mixtures):
            # One takes the grades, the other what is judged and the threshold.
            for measure in ("nDCG@10", "Bpref"):
                [(n_rows, n_missing, most)] = connection.execute(
                    """
                    select
                        count(*),
                        count_if(own.run_id is null or copy.run_id is null),
                        max(abs(own.score - copy.score))
                    from author_topic_scores('small', $measure, $author) as own
                    full join topic_scores($copy, $measure) as copy using (run_id, topic_id)
                    """,
                    {"measure": measure, "author": each, "copy": f"by-{number}"},
                ).fetchall()
                assert (n_rows, n_missing) == (6 * 8, 0), (each, measure)
                assert most == pytest.approx(0, abs=1e-12), (each, measure)
    # The reference in other words is the collection itself.
    same = """
        select count(*) from (
            select rank, run_id, is_pooled, round(ap, 9), round(ndcg_10, 9), round(bpref, 9)
            from leaderboard where collection_id = 'small'
            except all
            select rank, run_id, is_pooled, round(ap, 9), round(ndcg_10, 9), round(bpref, 9)
            from leaderboard where collection_id = 'by-1'
        )
    """
    assert rows(warehouse, same) == [(0,)]
    settings = """
        select collection_id, title, dim_collections.relevance_threshold, author
        from dim_collections inner join dim_authors using (collection_id)
        where is_reference order by all
    """
    assert rows(warehouse, settings) == [
        ("by-0", "small, judged by graded", 2, "graded"),
        ("by-1", "small, judged by reference", 1, "reference"),
        ("by-2", "small, judged by reference, else graded, else beyond", 1, "reference"),
        ("by-3", "small, judged by beyond, else graded", 1, "reference"),
        ("small", None, 1, "reference"),
    ]
    checked = run("check")
    assert checked.exit_code == 0, checked.output


@pytest.mark.heavy
def test_a_collection_of_an_author_needs_a_built_one(
    run: Load, page: Path, built: Warehouse
) -> None:
    assert run("load", "unbuilt", "--qrels", "@qrels.txt", "--runs", "@runs").exit_code == 0
    made = ("load", "new", "--judged-by", "gpt", "--of")
    for words, problem in (
        ((*made, "unbuilt"), "run poolhouse build first"),
        ((*made, "pag"), "collection 'pag' is not in the warehouse"),
        (("load", "page", "--judged-by", "gpt", "--of", "page"), "exists already"),
        (("load", "new", "--judged-by", "gtp", "--of", "page"), "no author of judgements"),
        (("load", "new", "--judged-by", "gpt"), "--of needs --judged-by or --of-depth"),
        ((*made, "page", "--depth", "3"), "leave out --depth"),
        ((*made, "page", "--runs", "@runs"), "leave out --runs"),
        (("load", "--archive", "@x.yml", "--judged-by", "gpt", "--of", "page"), "--archive"),
    ):
        done = run(*words)
        assert done.exit_code != 0
        assert problem in " ".join(done.stderr.split()), done.stderr
    (page / "graded.txt").write_text(f"{GRADED}1 0 d6 1\n")
    loaded(run, "--qrels", "gpt=@graded.txt")
    assert "run poolhouse build first" in run(*made, "page").stderr


def test_the_marts_of_authors(built: Warehouse) -> None:
    counts = """
        select
            author, relevance_threshold, highest_grade, n_judged, n_relevant, n_topics,
            n_judged_by_reference_too, share_of_reference, n_labels_beyond, n_unknown_topics,
            n_lines_of_unknown_topics, n_above_scale, first_judged_at is not null
        from dim_authors where collection_id = 'scaled' order by is_reference
    """
    assert rows(built, counts) == [
        ("gpt", 2, 2, 4, 2, 1, 3, 0.75, 1, 1, 1, 1, True),
        ("nist", 1, 1, 4, 3, 1, 4, 1.0, 0, 0, 0, None, False),
    ]
    labels = """
        select doc_id, grade, reference_grade, is_relevant, grade_of_reference
        from fct_author_judgements where collection_id = 'scaled' order by doc_id
    """
    assert rows(built, labels) == [
        ("d1", 3, 1, True, 1),
        ("d2", 2, 1, True, 0),
        ("d3", 0, 0, False, 1),
        ("d5", 1, 0, False, None),
        ("d6", -1, -1, False, None),
    ]


def test_python_names_authors(run: Load, page: Path, warehouse: Warehouse) -> None:
    opened = poolhouse.open(warehouse.path)
    with pytest.warns(Warning, match="no descriptions"):
        opened.load(
            "page",
            page / "runs",
            author_qrels={"nist": page / "qrels.txt", "gpt": page / "graded.txt"},
            reference="nist",
        )
    assert rows(warehouse, REFERENCE) == [("nist",)]
    with pytest.raises(PoolhouseError, match="no run of 'page' returns"):
        (page / "list").write_text("1 0 d99 1\n")
        load_answers(warehouse, "page", (page / "list",), author="anna")
