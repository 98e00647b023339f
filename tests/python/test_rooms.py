"""Test that imports have no circle, neither between modules nor between folders of the package."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import poolhouse

PACKAGE = Path(poolhouse.__file__).parent


def module_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in PACKAGE.rglob("*.py")}


def imported_by(module: str) -> Iterator[str]:
    """Name the modules that a module imports, at its top, in a function or for its types.

    `poolhouse` itself imports the names of the API when they are first used.
    """
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poolhouse."):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else str(node.module)


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_no_circle_of_imports() -> None:
    modules = {each: set(imported_by(each)) for each in MODULES if each != "poolhouse"}
    TopologicalSorter(modules).prepare()  # raises CycleError, which names the circle


def test_rooms_import_in_one_direction() -> None:
    rooms: dict[str, set[str]] = {}
    for module in MODULES.keys() - {"poolhouse"}:
        others = {room_of(each) for each in imported_by(module)} - {room_of(module)}
        rooms.setdefault(room_of(module), set()).update(others)
    TopologicalSorter(rooms).prepare()
