"""Test that every entry of the cookbook is complete, reads only public tables, and has answers."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from poolhouse.building.plan import plan_of
from poolhouse.command_line.main import main
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import (
    ABOUT,
    PAPERS,
    Entry,
    compiled,
    cookbook_folder,
    entries,
    entry_in,
    entry_named,
)
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

WIDTH = 80
DOCS = Path(__file__).parents[2] / "docs"

EVERYDAY = [each for each in entries() if each.about != PAPERS]
OF_PAPERS = [each for each in entries() if each.about == PAPERS]

every_entry = pytest.mark.parametrize("entry", EVERYDAY, ids=lambda entry: entry.name)
every_paper = pytest.mark.parametrize("entry", OF_PAPERS, ids=lambda entry: entry.name)


@pytest.fixture(scope="module")
def public(page: Warehouse) -> set[str]:
    """Return the names of the marts and table macros of the warehouse, with their schemas."""
    names = run_query(
        page,
        """
        select replace(schema_name || '.' || name, 'main.', '')
        from (
            select schema_name, view_name as name from duckdb_views()
            union
            select schema_name, function_name as name from duckdb_functions()
        )
        where list_contains(['main', 'audits', 'experiments', 'planning', 'papers'], schema_name)
        """,
    ).rows
    return {str(name) for (name,) in names}


def test_every_file_is_a_question_of_its_own() -> None:
    assert len(EVERYDAY) == len(list(cookbook_folder().glob("*.sql"))) >= 25
    assert len(OF_PAPERS) == len(list((cookbook_folder() / PAPERS).glob("*"))) >= 10
    assert len({each.question for each in entries()}) == len(entries())
    assert {each.about for each in entries()} == set(ABOUT)


def test_pages_know_how_many_questions_there_are() -> None:
    pages = [DOCS / "cookbook.md", DOCS.parent / "README.md"]
    text = " ".join(page.read_text(encoding="utf-8") for page in pages)
    assert set(re.findall(r"(\d+) questions", text)) == {str(len(entries()))}


@every_entry
def test_an_entry_is_whole(entry: Entry) -> None:
    assert entry.question.endswith("?")
    assert entry.notes.endswith(".")
    assert max(map(cell_len, entry.text.splitlines())) <= WIDTH
    assert set(re.findall(r"\$(\w+)", entry.sql)) == entry.parameters.keys()
    assert list(entry.parameters)[:1] in ([], ["collection"])
    assert all(default for name, default in entry.parameters.items() if name != "collection")
    assert entry.sample_values.keys() <= entry.parameters.keys()
    assert len(entry.sample.splitlines()) >= 3


def test_a_file_that_is_no_entry_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "without_notes.sql"
    file.write_text("-- question: What?\n-- about: runs\nwith a as (select 1) from a\n")
    with pytest.raises(ValueError, match=f"{file}: not laid out"):
        entry_in(file)


@every_entry
def test_an_entry_reads_what_is_public_alone(entry: Entry, public: set[str]) -> None:
    read = {f"{schema}.{name}" if schema else name for schema, name in relations_in(entry.sql)}
    assert read
    assert read <= public


def test_what_is_not_public_is_seen(public: set[str]) -> None:
    hidden = "with a as (select * from intermediate.int_runs) select * from a, int_runs, f(1)"
    found = set(relations_in(hidden))
    assert found == {("intermediate", "int_runs"), ("", "int_runs"), ("", "f")}
    assert not {"intermediate.int_runs", "int_runs", "f"} & public


@every_paper
def test_a_paper_is_named_and_asked_about(entry: Entry) -> None:
    assert entry.question.endswith("?")
    assert re.search(r"(Baillie|Buckley|Krippendorff|Lipani|Webber)\D* \d{4}", entry.notes)
    assert entry.notes.endswith(".")
    assert "collection" not in list(entry.parameters)[1:]
    asked = compiled(entry, plan_of({}))
    assert "{{" not in asked.text
    assert set(re.findall(r"\$(\w+)", asked.sql)) == entry.parameters.keys()


# Its depth is below the cutoffs of figure 2, and the cases of its runs change nowhere. It has no
# title words, and one author.
WITHOUT_ROWS = {
    *("lipani_figure_2", "decision_swaps", "buckley_left_out_words", "krippendorff_alpha")
}


@pytest.mark.heavy
@pytest.mark.parametrize(
    "entry",
    [each for each in OF_PAPERS if each.name != "titlestat_comparison"],
    ids=lambda entry: entry.name,
)
def test_a_paper_answers_on_a_collection_on_a_page(entry: Entry, page: Warehouse) -> None:
    """No experiment was run on it, and its depth is below the cutoffs of figure 2."""
    result = answer(page, entry, {})
    assert len(result.columns) == len(set(result.columns)) >= 4
    is_of_others = entry.name.startswith("webber_park") or entry.name in WITHOUT_ROWS
    assert bool(result.rows) is not is_of_others


def test_any_parameter_takes_a_value(page: Warehouse) -> None:
    values = ("--measure", "P@2", "--value", "other_measure=nDCG(dcg=exp-log2)@2")
    done = shown("measure_agreement", *values, "--format", "json", *db(page))
    assert done.exit_code == 0, done.output
    rows = [tuple(row.values())[:4] for row in json.loads(done.stdout)]
    tests = ("one_way", "two_way", "tukey")
    assert rows == [("page", "P@2", "nDCG(dcg=exp-log2)@2", test) for test in tests]


# Table functions of the engine that read no relation.
OF_THE_ENGINE = {"unnest", "range"}


def relations_in(sql: str) -> Iterator[tuple[str, str]]:
    """Return the relations that a query reads, with schemas: macros, and tables but for CTEs."""
    with duckdb.connect() as connection:
        ((text,),) = connection.execute("select json_serialize_sql(?::varchar)", [sql]).fetchall()
    parsed = json.loads(text)
    assert not parsed["error"], parsed
    yield from _relations(parsed["statements"], frozenset())


def _relations(node: Any, ctes: frozenset[str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    if isinstance(node, list):
        for part in node:
            yield from _relations(part, ctes)
    elif isinstance(node, dict):
        for each in (node.get("cte_map") or {}).get("map", ()):
            yield from _relations(each["value"], ctes)  # a CTE cannot read itself
            ctes |= {each["key"]}
        if node.get("type") == "BASE_TABLE" and node["table_name"] not in ctes:
            yield node["schema_name"], node["table_name"]
        if node.get("type") == "TABLE_FUNCTION":
            function = node["function"]
            if function["function_name"] not in OF_THE_ENGINE:
                yield function["schema"], function["function_name"]
        for name, part in node.items():
            if name != "cte_map":
                yield from _relations(part, ctes)


# These collections have one author of judgements. The samples of the demo have rows.
OF_SEVERAL_AUTHORS = {"judges_agreement", "judges_disputes", "judges_favour", "judges_order"}


# Every run of the collection on a page was pooled.
OF_OTHER_RUNS = {"unjudged_top_ten", "underrated_runs", "worth_judging", "expected_scores"}


@pytest.mark.some(4)
@every_entry
def test_an_entry_answers_on_a_collection_on_a_page(entry: Entry, page: Warehouse) -> None:
    result = answer(page, entry, {})
    assert len(result.columns) == len(set(result.columns)) >= 4
    assert bool(result.rows) is (entry.name not in OF_OTHER_RUNS | OF_SEVERAL_AUTHORS)


@pytest.mark.heavy
def test_answers_worked_out_by_hand(page: Warehouse) -> None:
    def rows(name: str, **given: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in answer(page, entry_named(name), given).rows]

    # AP over three relevant documents: a2 has d1 and d3 (2/3), b1 has d4 and then d1 (5/9), a1 has
    # d1 (1/3).
    best = rows("best_runs")
    assert [row[1] for row in best] == ["a2", "b1", "a1"]
    assert [row[3] for row in best] == pytest.approx([0, 1 / 9, 1 / 3])
    # A contributed d1 and d3, and nobody else contributed them at this depth. B alone contributed
    # d4.
    unique = {row[0]: row[2:4] for row in rows("unique_relevant")}
    assert unique == {"A": (2, 2), "B": (1, 1)}
    # At rank 1 are d1 and d4, at rank 2 d2 and d3. Of these, d2 is not relevant.
    assert [row[:4] for row in rows("deeper_pools")] == [(1, 1, 2, 2), (2, 2, 2, 1)]
    # Without A's d1 and d3, a2 has no relevant document, and b1 comes before it.
    (of_a,) = [row for row in rows("without_organization") if row[0] == "A"]
    assert of_a[1:] == ("a2", pytest.approx(2 / 3), 0, 1, 2)
    # The AP of the median run is the AP of b1.
    ((_, _, _, median_ap, lead, share),) = rows("deciding_topics")
    assert (median_ap, lead, share) == pytest.approx((5 / 9, 1 / 9, 1))
    # a1 and a2 share d1 of five documents; a1 and b1 share d1 and d2 of four.
    assert [(*row[:2], row[3]) for row in rows("near_duplicates")] == [
        ("a1", "b1", 0.5),
        ("a1", "a2", 0.2),
        ("a2", "b1", 0.2),
    ]
    of_b1 = rows("judgement_sets", run_id="b1")
    assert ("nonrelevant", "full", pytest.approx(5 / 9), 2) in of_b1


@pytest.mark.heavy
def test_a_median_of_topics_divides_them_in_two(page: Warehouse) -> None:
    """A collection without attributes of topics can be sliced, too."""
    ((attribute, value, n_topics, best_run, *_),) = answer(
        page, entry_named("topic_attributes"), {}
    ).rows
    assert (attribute, value, n_topics, best_run) == ("relevant documents", "few", 1, "a2")


@pytest.mark.archive
@every_entry
def test_an_entry_answers_on_the_archive(
    entry: Entry, marts: duckdb.DuckDBPyConnection, archives: Warehouse
) -> None:
    collections = marts.execute("select collection_id from dim_collections order by all").fetchall()
    assert len(collections) == 3
    is_of_one = "collection" in entry.parameters
    for given in [{"collection": each} for (each,) in collections] if is_of_one else [{}]:
        found = answer(archives, entry, given)
        assert bool(found.rows) is (entry.name not in OF_SEVERAL_AUTHORS)


def shown(*arguments: str, width: int | None = None) -> Any:  # noqa: ANN401 - click's result
    terminal = {"FORCE_COLOR": "1", "COLUMNS": str(width)} if width else {}
    return CliRunner(env=terminal).invoke(main, ["cookbook", *arguments])


def test_the_questions_are_listed_in_80_columns() -> None:
    done = shown()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert max(map(cell_len, lines)) <= WIDTH
    for entry in entries():
        assert [line for line in lines if entry.name in line and entry.question in line]
    assert done.stderr.startswith("next: poolhouse cookbook ")


def test_an_entry_is_shown_as_it_is_written() -> None:
    done = shown("best_runs")
    assert done.stdout == (cookbook_folder() / "best_runs.sql").read_text(encoding="utf-8")
    assert done.stderr == "next: poolhouse cookbook best_runs --collection COLLECTION\n"


def test_best_estimators_says_among_which_estimators() -> None:
    """The mart has candidates, and Lipani et al.'s estimator is none (is_on_leaderboard)."""
    notes = entry_named("best_estimators").notes
    assert "the lowest error of those that a build applies to all runs" in notes


def test_an_entry_has_its_parts_in_json() -> None:
    (found,) = json.loads(shown("best_runs", "--format", "json").stdout)
    assert found["parameters"] == {"collection": None, "measure": "'AP@1000'"}
    assert found["sql"].startswith("with\n")
    assert "-- sample" not in found["sql"]
    assert found["sample"] == entry_named("best_runs").sample


@pytest.mark.heavy
def test_an_answer_is_that_of_the_sql(page: Warehouse) -> None:
    done = shown("best_runs", "--run", "--measure", "P@2", "--format", "json", *db(page))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    values = {"collection": "page", "measure": "P@2"}
    expected = run_query(page, entry_named("best_runs").sql, values)
    assert [tuple(row.values()) for row in found] == [tuple(row) for row in expected.rows]
    assert list(found[0]) == expected.columns
    assert entry_named("best_runs").notes in done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["hardest_topics", "best_of_organizations"])
def test_a_collection_is_asked(name: str, page: Warehouse) -> None:
    done = shown(name, "--collection", "page", "--format", "json", *db(page))
    assert done.exit_code == 0, done.output
    expected = answer(page, entry_named(name), {"collection": "page"})
    assert [list(row.values()) for row in json.loads(done.stdout)] == [
        pytest.approx(list(row)) for row in expected.rows
    ]


@pytest.mark.parametrize(
    "name", [each.name for each in EVERYDAY if "collection" not in each.parameters]
)
def test_a_question_about_all_collections_takes_none(name: str, page: Warehouse) -> None:
    done = shown(name, "--collection", "page", *db(page))
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"{name} has no parameter 'collection'; it has no parameter" in done.stderr


def db(warehouse: Warehouse) -> tuple[str, str]:
    return "--db", str(warehouse.path)


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("arguments", "exit_code", "said"),
    [
        (["best-runs"], 1, "did you mean 'best_runs'?"),
        (["\x1b[31m", "--run"], 1, "not a question of the cookbook"),
        (["--run"], 2, "--run needs the name of a question"),
        (["--run-id", "a1"], 2, "--run-id needs the name of a question"),
        (["best_runs", "--run", "--run-id", "a1"], 1, "has no parameter 'run_id'; it has coll"),
        (["compare_collections", "--collection", "page"], 1, "it has no parameter"),
        (["best_runs", "--run", "--collection", "pag"], 1, "did you mean 'page'?"),
        (["run_by_topic", "--run", "--run-id", "a11"], 1, "did you mean 'a1'?"),
        (["run_by_topic", "--run", "--run-id", "' or true --"], 1, "is not a run of 'page'"),
        (["best_runs", "--run", "--measure", "P@x"], 1, "P@x"),
        (["--value", "alpha=1"], 2, "--value needs the name of a question"),
        (["lipani_sweep", "--value", "alpha"], 2, "'alpha' is not NAME=VALUE"),
        (["lipani_sweep", "--value", "beta=1"], 1, "no parameter 'beta'; it has collection, alpha"),
        (["lipani_sweep", "--value", "alpha=half"], 1, "half"),
        (["titlestat_comparison", "--run"], 1, "give a value with --value other_collection=..."),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    page: Warehouse, arguments: list[str], exit_code: int, said: str
) -> None:
    done = shown(*arguments, *db(page))
    assert (done.exit_code, done.stdout) == (exit_code, "")
    assert said in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.heavy
def test_of_several_collections_one_is_named(experiments_once: Warehouse) -> None:
    with pytest.raises(PoolhouseError, match="name a collection with --collection: ") as error:
        answer(experiments_once, entry_named("best_runs"), {})
    assert "random" in str(error.value)


def test_the_page_says_what_works(page: Warehouse, tmp_path: Path) -> None:
    copy = copyfile(page.path, tmp_path / "poolhouse.duckdb")
    text = (DOCS / "cookbook.md").read_text(encoding="utf-8")
    for line in re.findall(r"^    poolhouse (.+)$", text, re.MULTILINE):
        name, *arguments = shlex.split(line, comments=True)
        main.commands[name].make_context(name, arguments)
    (python,) = re.findall(r"```python\n(.+?)```", text, re.DOTALL)
    here = python.replace("poolhouse.duckdb", str(copy)).replace("my-collection", "page")
    found: dict[str, Any] = {}
    exec(here, found)  # noqa: S102 - of our own page
    expected = answer(page, entry_named("hardest_topics"), {})
    assert found["topics"].rows() == [tuple(row) for row in expected.rows]
    (prepared,) = re.findall(r"```\n(prepare.+?)```", text, re.DOTALL)
    script = prepared.replace("my-collection", "page").replace(
        "-- the file's SQL, from `with` on\n", entry_named("hardest_topics").sql
    )
    with page.read() as connection:
        assert connection.execute(script).fetchall() == found["topics"].rows()
