"""Run the page of differences: each input gives what the page says, by the programs and here."""

import re
import subprocess
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from poolhouse.command_line.main import main
from trec_eval_programs import RELEASES, program

PAGE = Path(__file__).parents[2] / "docs" / "trec_eval.md"
_BLOCK = re.compile(
    r"^\*\*(?P<title>.*?)\.?\*\*(?:(?!\n\*\*).)*?(?P<lines>(?:\n {4}\S[^\n]*)+)", re.M | re.S
)
_LINE = re.compile(r"^ {4}(\S+): +(.*)$", re.M)


Case = dict[str, str]
"""Input, options and results, by the words of the page."""


def cases() -> list[ParameterSet]:
    text = PAGE.read_text(encoding="utf-8").partition("## Where Poolhouse differs")[2]
    return [
        pytest.param(dict(_LINE.findall(block["lines"])), id=block["title"])
        for block in _BLOCK.finditer(text)
    ]


each_case = pytest.mark.parametrize("case", cases())
both_versions = pytest.mark.parametrize("version", RELEASES)


def written(folder: Path, case: Case) -> tuple[list[str], list[str]]:
    """Write the input; return the options and the names of the two files."""
    for name in ("qrels", "run"):
        (folder / name).write_text(case[name].replace("; ", "\n") + "\n")
    return case["options"].split(), [str(folder / "qrels"), str(folder / "run")]


def told(output: str) -> str:
    return "; ".join(" ".join(line.split()) for line in output.splitlines())


@pytest.mark.heavy
@both_versions
@each_case
def test_program_is_as_the_page_says(tmp_path: Path, case: Case, version: int) -> None:
    if RELEASES[version] not in case:
        pytest.skip(f"trec_eval {version} does not have the measure")
    options, files = written(tmp_path, case)
    done = subprocess.run(
        [program(version), *options, *files], check=False, capture_output=True, encoding="utf-8"
    )
    found = told(done.stdout) if done.returncode == 0 else f"status {done.returncode}"
    assert found == case[RELEASES[version]]


@pytest.mark.some(8)
@both_versions
@each_case
def test_poolhouse_is_as_the_page_says(tmp_path: Path, case: Case, version: int) -> None:
    if RELEASES[version] not in case:
        pytest.skip(f"trec_eval {version} does not have the measure")
    options, (qrels, run) = written(tmp_path, case)
    asked = ["score", run, "--qrels", qrels, "--format", "trec_eval", "--trec-eval", str(version)]
    done = CliRunner().invoke(main, [*asked, *options])
    assert done.exit_code == 0, done.stderr
    assert told(done.stdout) == case["Poolhouse"]
