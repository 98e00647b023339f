"""Test the cache of plans: one file for each choice of settings, compiled where there is none."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from poolhouse.building.plan import (
    Kind,
    Node,
    Plan,
    compiling,
    known_plan,
    known_version,
    plan_of,
    storage,
)

ALPHA = {"lipani_alpha": 0.5}


class Compiler:
    """A replacement for dbt: the plan for some settings is a node that selects them."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, _project: Path, _scratch: Path, settings: Mapping[str, Any]) -> Plan:
        self.asked.append(dict(settings))
        sql = f"select '{sorted(settings.items())}' as settings"
        return Plan((Node("chosen", Kind.VIEW, "main.chosen", sql, ()),), dict(settings))


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiler:
    """Provide a quick compiler, and a cache for the test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(storage, "SHIPPED", tmp_path / "shipped")
    made = Compiler()
    monkeypatch.setattr(compiling, "compile_plan", made)
    return made


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").rglob("plans/*"))


def test_a_plan_is_compiled_once(compiler: Compiler, tmp_path: Path) -> None:
    told: list[str] = []
    assert known_plan({}) is None
    assert known_version({}) is None
    plan = plan_of({}, told.append)
    assert plan_of({}, told.append) == known_plan({}) == plan
    assert compiler.asked == [{}]
    assert told == ["compiling the models"]
    [file] = files(tmp_path)
    assert known_version({}) == plan.version == file.read_text().splitlines()[0]


def test_settings_have_plans_of_their_own(compiler: Compiler, tmp_path: Path) -> None:
    own, other = plan_of({}), plan_of(ALPHA)
    assert own != other
    assert (known_plan({}), known_plan(ALPHA)) == (own, other)
    assert known_version({}) != known_version(ALPHA)
    assert known_plan({"lipani_alpha": 0.25}) is None
    assert len(files(tmp_path)) == 2
    # The same settings in another order have the same plan.
    more = {"measures": ["P@5"], **ALPHA}
    plan_of(more)
    plan_of(dict(reversed(more.items())))
    assert compiler.asked == [{}, ALPHA, more]


def test_another_state_of_the_project_has_its_own(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_of({})
    monkeypatch.setattr(storage, "project_version", lambda _: "another")
    assert known_plan({}) is None
    plan_of({})
    assert compiler.asked == [{}, {}]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda whole: whole[: len(whole) // 2],
    "not text": lambda whole: whole[:40] + b"\xff\xfe" + whole[40:],
    "of another version": lambda whole: b"0" * 16 + whole[16:],
    "with other SQL": lambda whole: whole.replace(b"select", b"insert"),
    "of another shape": lambda whole: whole.partition(b"\n")[0] + b'\n{"nodes": [1]}',
    "a list": lambda whole: whole.partition(b"\n")[0] + b"\n[]",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_plan_is_compiled_again(compiler: Compiler, tmp_path: Path, damage: str) -> None:
    plan = plan_of({})
    [file] = files(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert known_plan({}) is None
    assert plan_of({}) == plan
    assert compiler.asked == [{}, {}]
    assert file.read_bytes() == whole


def test_a_folder_in_its_place_is_said(compiler: Compiler, tmp_path: Path) -> None:
    """The folder's purpose is unknown, and so it is not deleted."""
    plan_of({})
    [file] = files(tmp_path)
    file.unlink()
    file.mkdir()
    assert known_version({}) is None
    with pytest.raises(OSError, match=file.name):
        plan_of({})
    assert compiler.asked == [{}, {}]


def test_old_plans_are_cleared_away(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_MOST_KEPT", 3)
    choices = [{"lipani_alpha": number / 10} for number in range(5)]
    for age, choice in enumerate(choices):
        plan_of(choice)
        newest = max(files(tmp_path), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, (age, age))
    assert [choice for choice in choices if known_plan(choice)] == choices[-3:]
    assert len(files(tmp_path)) == 3
    assert len(compiler.asked) == 5


def test_a_plan_in_use_is_not_cleared_away(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_MOST_KEPT", 3)
    for number in range(5):
        plan_of({})
        plan_of({"lipani_alpha": number / 10})
        for file in files(tmp_path):
            age = file.stat().st_mtime - 60
            os.utime(file, (age, age))
        assert known_version({})


def test_a_shipped_plan_is_taken_first(compiler: Compiler, tmp_path: Path) -> None:
    shipped = compiler(tmp_path, tmp_path, {"shipped": True})
    storage.write_plan(shipped, storage.SHIPPED / storage.name_of({}))
    assert plan_of({}) == shipped
    assert known_version({}) == shipped.version
    assert files(tmp_path) == []


def test_a_plan_that_is_not_compiled_leaves_nothing(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Plan:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiling, "compile_plan", fail)
    with pytest.raises(KeyboardInterrupt):
        plan_of({})
    assert files(tmp_path) == []
    # No lock is left, either.
    monkeypatch.setattr(compiling, "compile_plan", compiler)
    assert plan_of({}).nodes
