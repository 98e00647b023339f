"""Test the measurement of the tests' CPU seconds, and its budget, on a test of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

BUSY = """
from time import process_time

def test_busy():
    begun = process_time()
    while process_time() < begun + 1:
        pass
"""


@pytest.mark.heavy
@pytest.mark.parametrize("n_processes", [0, 1])
@pytest.mark.parametrize(("budget", "status"), [("0.1", 1), ("10000", 0)])
def test_a_run_that_takes_more_than_its_budget_fails(
    tmp_path: Path, n_processes: int, budget: str, status: int
) -> None:
    (tmp_path / "test_busy.py").write_text(BUSY)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--rootdir", str(tmp_path), "-n", str(n_processes)),
            *("-p", "cpu_seconds", "--cpu-budget", budget, "--cpu-table", "table.md"),
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert ("The budget is 0 times the fixed work." in done.stdout) == bool(status)
    [header, _, of_file, of_all] = (tmp_path / "table.md").read_text().splitlines()
    assert header == "| file | tests | CPU s |"
    file, n_tests, seconds = of_file.strip("| ").split(" | ")
    assert (file, n_tests) == ("test_busy.py", "1")
    # The loop takes a second, and the process that runs it some more to start.
    assert 1 <= float(seconds) < 1.2
    assert float(seconds) < float(of_all.strip("| ").rpartition(" ")[2]) < 10
