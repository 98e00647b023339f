"""Pin every package in pyproject.toml to the newest version that the ranges allow.

The lock file names hosts and is therefore not committed. Only the versions are committed, as
constraints. `just pins` runs this script. Read its changes before you commit them. The engine keeps
its pin: a newer release is pinned by hand, after `just engine` (docs/decisions/engine.md).
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
ENGINE = "duckdb=="


def main() -> None:
    """Rewrite both lists of constraints."""
    pinned = tomllib.loads(PYPROJECT.read_text())["tool"]["uv"]["constraint-dependencies"]
    write("constraint-dependencies", [each for each in pinned if each.startswith(ENGINE)])
    write("build-constraint-dependencies", [])
    subprocess.run(["uv", "lock", "--upgrade", "--quiet"], check=True)  # noqa: S607
    exported = run_uv(
        *("export", "--frozen", "--all-groups", "--no-emit-project"),
        *("--no-hashes", "--no-annotate", "--no-header", "--quiet"),
    )
    write("constraint-dependencies", exported)
    build = tomllib.loads(PYPROJECT.read_text())["build-system"]["requires"]
    compiled = run_uv(
        *("pip", "compile", "--universal", "--no-annotate", "--no-header", "--quiet", "-"),
        stdin="\n".join(build),
    )
    write("build-constraint-dependencies", compiled)


def run_uv(*arguments: str, stdin: str | None = None) -> list[str]:
    """Run uv and return the requirement lines that it prints, sorted."""
    done = subprocess.run(  # noqa: S603 - own arguments
        ["uv", *arguments],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
        input=stdin,
    )
    return sorted(line for line in done.stdout.splitlines() if "==" in line)


def write(name: str, requirements: list[str]) -> None:
    """Replace the list of the given name in pyproject.toml."""
    lines = "".join(f'    "{requirement}",\n' for requirement in requirements)
    listed = re.compile(rf"^{name} = \[.*?^\]$", re.DOTALL | re.MULTILINE)
    text = PYPROJECT.read_text()
    if not listed.search(text):
        sys.exit(f"{PYPROJECT.name}: no list {name}")
    PYPROJECT.write_text(listed.sub(lambda _: f"{name} = [\n{lines}]", text))


if __name__ == "__main__":
    main()
