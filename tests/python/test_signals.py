"""Test signals: any command ends within two seconds, and says that it was aborted."""

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import SEED, names_beside
from poolhouse.command_line.signals import SIGNALS, undisturbed
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

MOST_SECONDS = 2.0
MOST_SECONDS_TO_LISTEN = 60.0
N_ENDS_OF_A_QUERY = 2

# Each of these queries would take hours, in different parts of the engine or of its binding.
ENDLESS = {
    "cross_join": "select count(*) from range(10000000) a, range(10000000) b "
    "where a.range + b.range = 5",
    "recursion": "with recursive t(n) as (select 1 union all select n + 1 from t) "
    "select count(*) from t",
    "rows": "select range % 7 from range(3000000000)",
}

# The command line with a load that is native code at work, which ignores signals.
_DEAF_LOAD = """
import ctypes
from poolhouse.command_line.entry import main
from poolhouse.loading import load

def deaf(*_, **__):
    libc = ctypes.CDLL(None)  # it lets go of Python's lock, as the engine does where it waits
    while True:
        libc.sleep(60)

load._load = deaf
main()
"""
_AS_ALWAYS = """
from poolhouse.command_line.entry import main
main()
"""
# The packages of a query are imported before the command listens: otherwise, the signal may come
# before the query.
_AT_A_QUERY = f"""
import os

class End:
    def __del__(self, write=os.write):
        write(2, b"Python ended, beside threads of the engine")

end = End()
from poolhouse.command_line import console
from poolhouse.warehouse import queries
{_AS_ALWAYS}"""


def ended(
    arguments: list[str],
    number: signal.Signals,
    delay: float,
    code: str = _AS_ALWAYS,
) -> tuple[float, int, str]:
    """Signal a command a while after it listens; return seconds, exit status and output."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as process:
        _wait_until_it_listens(process)
        time.sleep(delay)
        started = time.monotonic()
        process.send_signal(number)
        try:
            process.wait(20)
        finally:
            process.kill()
        assert process.stderr
        return time.monotonic() - started, process.returncode, process.stderr.read()


def _wait_until_it_listens(process: subprocess.Popen[str]) -> None:
    """Wait until the command has its handler of SIGTERM: before, it does nothing and just ends."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        pytest.skip("there is no /proc to see when a process listens")
    started = time.monotonic()
    while process.poll() is None:
        assert time.monotonic() - started < MOST_SECONDS_TO_LISTEN, "it does not begin to listen"
        caught = next(line for line in status.read_text().splitlines() if "SigCgt" in line)
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.02)


@pytest.mark.few
def test_an_endless_query_ends(loaded: Warehouse) -> None:
    asked = ["sql", ENDLESS["cross_join"], "--db", str(loaded.path)]
    seconds, exit_code, said = ended(asked, signal.SIGTERM, 0.5, _AT_A_QUERY)
    assert seconds < MOST_SECONDS
    assert (exit_code, said.split()) == (1, ["Aborted!"])


@pytest.mark.heavy
def test_a_change_that_hears_nothing_ends_and_the_next_one_clears_up(
    loaded: Warehouse, tmp_path: Path
) -> None:
    before = loaded.path.read_bytes()
    run = tmp_path / "new"
    run.write_text("1 Q0 D1 1 1 t\n")
    asked = ["load", "toy", str(run), "--db", str(loaded.path)]
    seconds, exit_code, said = ended(asked, signal.SIGTERM, 3, _DEAF_LOAD)
    assert seconds < MOST_SECONDS
    assert (exit_code, said.split()) == (1, ["Aborted!"])
    assert loaded.path.read_bytes() == before
    with loaded.change() as change:
        change.abandoned = True
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


@pytest.mark.heavy
@pytest.mark.parametrize("number", SIGNALS, ids=[each.name for each in SIGNALS])
@pytest.mark.parametrize("query", ENDLESS)
def test_an_endless_query_ends_every_time(
    loaded: Warehouse,
    dice: random.Random,
    say: Callable[[str], None],
    query: str,
    number: signal.Signals,
) -> None:
    asked = ["sql", ENDLESS[query], "--db", str(loaded.path)]
    delays = [dice.uniform(0, 1) for _ in range(N_ENDS_OF_A_QUERY)]
    ends = [ended(asked, number, delay, _AT_A_QUERY) for delay in delays]
    assert max(seconds for seconds, _, _ in ends) < MOST_SECONDS, SEED
    assert {(exit_code, said.strip()) for _, exit_code, said in ends} == {(1, "Aborted!")}, SEED
    say(f"seed {SEED}: {len(ends)} ended, the last within {max(ends)[0]:.2f} s")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_until_the_engine_is_loaded(number: signal.Signals) -> None:
    handler = signal.getsignal(number)
    loaded = False
    with pytest.raises(KeyboardInterrupt), undisturbed():
        signal.raise_signal(number)
        loaded = True
    assert loaded
    assert signal.getsignal(number) is handler


OF_PAGE = ("--collection", "page")
# Commands that work for a while, without the file of a run that some of them take.
WORK: dict[str, list[str]] = {
    "load": ["load", "page"],
    "build": ["build"],
    "check": ["check"],
    "experiment": ["experiment", "bias", *OF_PAGE, "--samples", "100000", "--widths", "2"],
    "adjust": ["adjust", *OF_PAGE],
    "common-topics": ["common-topics", *OF_PAGE, "--standard-error", "0.01"],
    "remove": ["remove", "page", "--run", "a2"],
    "status": ["status"],
    "demo": ["demo"],
}
TAKES_A_RUN = ("load", "adjust")
LONG = ("build", "check", "demo")


@pytest.mark.heavy
@pytest.mark.parametrize("command", WORK)
def test_every_command_ends(
    built_once: tuple[Path, LoadRequest, Warehouse],
    tmp_path: Path,
    dice: random.Random,
    say: Callable[[str], None],
    command: str,
) -> None:
    """The moments are random; commands that end before the signal do not count."""
    copy, _, _ = built_once
    folder = tmp_path / "warehouse"
    folder.mkdir()
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    run = tmp_path / "run"
    run.write_text("".join(f"{n % 50} Q0 D{n} {n} {-n} t\n" for n in range(200_000)))
    asked = [*WORK[command], *([str(run)] if command in TAKES_A_RUN else [])]
    asked += ["--db", str(warehouse.path)]
    if command == "build":
        shutil.copyfile(copy, warehouse.path)
        load_collection(warehouse, LoadRequest("page", (run,)))
        copy = Path(shutil.copyfile(warehouse.path, tmp_path / "stale.duckdb"))
    ends = []
    for number in SIGNALS:
        if command != "demo":  # the demo has a warehouse of its own
            shutil.copyfile(copy, warehouse.path)
        delay = dice.uniform(0, 4 if command in LONG else 1)
        seconds, exit_code, said = ended(asked, number, delay)
        ends.append(seconds)
        case = (SEED, number, delay, exit_code, said)
        assert seconds < MOST_SECONDS, case
        if exit_code:
            # The engine's binding may print a line after it, about unfinished work.
            assert (exit_code, "Aborted!" in said.splitlines()) == (1, True), case
            if command != "demo":  # the demo publishes the collections that it has loaded
                left = names_beside(warehouse) - {warehouse.path.name, warehouse.lock_path.name}
                assert not left, case
                warehouse.refuse_what_is_none()  # the old file, or the new one
    say(f"seed {SEED}: {len(ends)} times, the last within {max(ends):.2f} s")
