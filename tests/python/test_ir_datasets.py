"""Test judgements and titles by an id of ir_datasets, with a data set in memory.

Nothing is downloaded.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import poolhouse
from asking import invoke
from poolhouse.errors import PoolhouseError
from poolhouse.loading.from_ir_datasets import with_ir_dataset
from poolhouse.loading.request import LoadRequest

# The runs have no descriptions, which does not matter here.
pytestmark = pytest.mark.filterwarnings("ignore::poolhouse.PoolhouseWarning")

RUN = {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d3": 1.0}}


class _WithSubtopics(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


# A process may come back to this module, and the registry takes each name once.
@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Register data sets; the files of ir_datasets are in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IR_DATASETS_HOME", str(tmp_path_factory.mktemp("ir_datasets")))
        # ir_datasets reads the setting when it is imported, and declares no types.
        ir_datasets: Any = import_module("ir_datasets")
        formats = ir_datasets.formats

        class Queries(formats.BaseQueries):  # type: ignore[misc,name-defined]
            def queries_iter(self) -> Iterator[Any]:
                yield formats.TrecQuery("1", " first\t topic\n", "describes", "narrates")
                yield formats.TrecQuery("2", "second topic", "describes", "narrates")

            def queries_cls(self) -> object:
                return formats.TrecQuery

        class Qrels(formats.BaseQrels):  # type: ignore[misc,name-defined]
            def qrels_iter(self) -> Iterator[Any]:
                yield formats.TrecQrel("1", "d1", 2, "0")
                yield formats.TrecQrel("1", "d2", -1, "0")
                yield formats.TrecQrel("2", "d3", 0, "0")

            def qrels_cls(self) -> object:
                return formats.TrecQrel

        class Subtopics(Qrels):
            def qrels_cls(self) -> object:
                return _WithSubtopics

        class Broken(Qrels):
            def qrels_iter(self) -> Iterator[Any]:
                raise OSError("the net\nis down")

        for name, parts in {
            "poolhouse-test": (Queries(), Qrels()),
            "poolhouse-test/qrels-alone": (Qrels(),),
            "poolhouse-test/unjudged": (Queries(),),
            "poolhouse-test/subtopics": (Queries(), Subtopics()),
            "poolhouse-test/broken": (Queries(), Broken()),
        }.items():
            ir_datasets.registry.register(name, ir_datasets.Dataset(*parts))
        yield ir_datasets.registry


@pytest.mark.usefixtures("registry")
def test_judgements_and_titles_are_loaded_by_their_id(tmp_path: Path) -> None:
    w = poolhouse.open(tmp_path / "w.duckdb")
    report = w.load("mine", {"new": RUN}, ir_dataset="poolhouse-test")
    assert report.n_rows == 6  # three lines of the run, three judgements
    judgements = w.sql("select query, docno, grade from raw.qrels_lines order by line_number")
    assert judgements.rows() == [("1", "d1", 2), ("1", "d2", -1), ("2", "d3", 0)]
    titles = w.sql("select query, title from raw.topics order by all")
    assert titles.rows() == [("1", "first topic"), ("2", "second topic")]
    paths = w.sql("select path, length(sha256) from ops.files where kind <> 'run' order by all")
    assert paths.rows() == [
        ("ir_datasets:poolhouse-test/qrels", 64),
        ("ir_datasets:poolhouse-test/topics", 64),
    ]
    assert not w.load("mine", ir_dataset="poolhouse-test").changed
    # Titles of a file count more.
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\tmy title\n")
    w.load("mine", ir_dataset="poolhouse-test", topics=topics)
    assert w.sql("select query, title from raw.topics").rows() == [("1", "my title")]


@pytest.mark.usefixtures("registry")
def test_a_data_set_may_have_no_topics() -> None:
    made = with_ir_dataset(LoadRequest("any", ir_dataset="poolhouse-test/qrels-alone"))
    assert (made.qrels is not None, made.topics) == (True, None)


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        ("poolhouse-test/nothing", "ir_datasets knows no data set 'poolhouse-test/nothing'"),
        ("poolhouse-test/unjudged", "ir_datasets:poolhouse-test/unjudged has no judgements"),
        ("poolhouse-test/subtopics", "its judgements have subtopic_id"),
        ("poolhouse-test/broken", "cannot be read: the net is down"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(tmp_path: Path, dataset: str, message: str) -> None:
    file = tmp_path / "w.duckdb"
    with pytest.raises(PoolhouseError) as caught:
        poolhouse.open(file).load("mine", {"new": RUN}, ir_dataset=dataset)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not file.exists()


@pytest.mark.heavy
@pytest.mark.usefixtures("registry")
def test_the_command_takes_the_id(tmp_path: Path) -> None:
    run = tmp_path / "new"
    run.write_text("1 Q0 d1 1 2 new\n2 Q0 d3 1 1 new\n")
    file = tmp_path / "w.duckdb"
    arguments = ["load", "mine", str(run), "--ir-dataset", "poolhouse-test", "--db", str(file)]
    done = invoke(*arguments)
    assert (done.exit_code, done.exception) == (0, None), done.output
    assert poolhouse.open(file).status()["judgements"].to_list() == [2]
    for others in (["--qrels", str(run)], ["--unjudged"]):
        assert invoke(*arguments, *others).exit_code == 2


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)  # as if it were not installed
    run = tmp_path / "new"
    run.write_text("1 Q0 d1 1 2 new\n")
    arguments = ["load", "mine", str(run), "--ir-dataset", "x", "--db", str(tmp_path / "w.duckdb")]
    done = invoke(*arguments)
    assert done.exit_code == 1
    assert "pip install 'poolhouse[ir_datasets]'" in done.stderr
