"""Do what docs/checking.md says: check the figures in a project of Great Expectations."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from documented import ROOT, Block, blocks, commands
from documented_folder import WAREHOUSE, in_the_folder
from poolhouse.command_line.main import main

PAGE = ROOT / "docs" / "checking.md"

# Runs the script of the page on every source. The results of each: what does not hold, and where.
_PROGRAM = """
import json, sys
sys.modules["pyspark"] = None  # only these tests' environment has it
sources = {}
for name, script in json.loads(sys.stdin.read()).items():
    exec(script)
    sources[name] = sorted(
        [each.expectation_config.meta["name"], each.expectation_config.severity,
         row["collection_id"], json.loads(row["sample"])]
        for validation in result.run_results.values() for each in validation.results
        if not each.success for row in each.result["unexpected_index_list"]
    )
assert "poolhouse" not in sys.modules
print(json.dumps(sources))
"""


def _run(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def folder(documented_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide the files of the docs, and a second collection: a run twice, and a row lost."""
    folder = Path(shutil.copytree(documented_folder, tmp_path / "documented"))
    monkeypatch.chdir(folder)
    shutil.copytree("runs", "others")
    shutil.copyfile("runs/run-a", "others/run-a-again")
    _run("load", "second", "--runs", "others", "--qrels", "qrels.txt")
    _run("build")
    with duckdb.connect(WAREHOUSE) as connection:
        connection.execute(
            "delete from raw.qrels_lines where line_number = 1 and collection_key in "
            "(select collection_key from raw.collections where collection_id = 'second')"
        )
    return folder


def _script(section: list[Block]) -> str:
    [script] = [block.text for block in section if block.language == "python"]
    return script


def _on_the_warehouse(script: str) -> str:
    for written, meant in (("figures.duckdb", WAREHOUSE), (" fct_", " audits.fct_")):
        assert written in script
        script = script.replace(written, meant)
    return script


def _on_parquet(script: str) -> str:
    begin, end = script.index("source = "), script.index("suites = ")
    calls = re.findall(r"`((?:context|source|asset)\.[^`]+\))`", PAGE.read_text())
    names = ("source", "asset", "figures")
    lines = (f"{name} = {call}\n" for name, call in zip(names, calls, strict=True))
    return script[:begin] + "".join(lines) + script[end:]


@pytest.mark.heavy
@pytest.mark.usefixtures("folder")
def test_a_project_of_great_expectations_finds_what_a_check_finds() -> None:
    section = [block for block in blocks(PAGE) if block.section == "With Great Expectations"]
    for block in section:
        for command in commands(block):
            for step in command.steps:
                _run(*in_the_folder(step)[1:])
    [export] = re.findall(r"`poolhouse (export [^`]*parquet[^`]*)`", PAGE.read_text())
    _run(*export.split())
    script = _script(section)
    scripts = {
        "export": script,
        "warehouse": _on_the_warehouse(script),  # the same project, again
        "parquet": _on_parquet(script).replace('"quality"', '"on-parquet"'),
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(scripts),
        env={"GX_ANALYTICS_ENABLED": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])

    checked = CliRunner().invoke(main, ["check", "--format", "json"])
    assert checked.exit_code == 1, checked.output
    expected = sorted(
        [
            each["expectation"],
            "warning" if each["suite"] == "suspicions" else "critical",
            each["collection"],
            each["sample"],
        ]
        for each in json.loads(checked.stdout)
    )
    assert {name for name, *_ in expected} >= {"every_row_is_stored", "runs_differ"}
    assert {collection for _, _, collection, _ in expected} == {"my-collection", "second"}
    for source, rows in found.items():
        assert rows == expected, source
    [page] = Path("quality/gx/uncommitted/data_docs/local_site").glob("index.html")
    [validation, *_] = page.parent.glob("validations/suspicions/*/*/*.html")
    assert "no two runs have the same rankings on all judged topics" in validation.read_text()
    assert "run-a-again" in validation.read_text()
