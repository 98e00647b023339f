"""Add the table of contents that stands beside every page. The README, the front page, holds it."""

from pathlib import Path

from sphinx.application import Sphinx

_PROJECT = Path(__file__).parents[2]
_FRONT_PAGE, _DECISIONS = "README", "docs/decisions/README"

# The pages stand in this order. Pages of docs that are not named here end the first part.
_PARTS = {
    "Using it": [
        *("docs/loading", "docs/notebooks/first_day"),
        *("docs/scoring", "docs/comparing", "docs/gate", "docs/paper_table", "docs/figures"),
        *("docs/cookbook", "docs/commands", "docs/archives"),
        *("docs/python", "docs/glossary", "docs/joins"),
        *("docs/sql-and-bi", "docs/mcp", "docs/export"),
    ],
    "Methods": [
        *(
            "docs/map",
            "docs/methods",
            "docs/measures",
            "docs/judging",
            "docs/verdicts",
            "docs/part_of_the_runs",
            "docs/unique_contributions",
        ),
        *("docs/title_words", "docs/decision_matrix", "docs/measures_that_disagree"),
    ],
    "The project": [
        "docs/security",
        _DECISIONS,
        "CONTRIBUTING",
        "CHANGELOG",
        "benchmarks/README",
        "benchmarks/tests",
        "benchmarks/expected_relevance/README",
        "benchmarks/large_collection/README",
    ],
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the tables of contents when Sphinx reads their pages."""
    app.connect("source-read", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add(_app: Sphinx, page: str, text: list[str]) -> None:
    if page == _FRONT_PAGE:
        text[0] += "".join(_toctree(entries, title) for title, entries in _parts().items())
    elif page == _DECISIONS:
        names = sorted(file.stem for file in (_PROJECT / _DECISIONS).parent.glob("*.md"))
        text[0] += _toctree([name for name in names if name != "README"])


def _parts() -> dict[str, list[str]]:
    named = {entry for entries in _PARTS.values() for entry in entries}
    pages = {f"docs/{file.stem}" for file in (_PROJECT / "docs").glob("*.md")}
    first, *_ = _PARTS
    return _PARTS | {first: [*_PARTS[first], *sorted(pages - named)]}


def _toctree(entries: list[str], hidden_with_title: str | None = None) -> str:
    options = "" if hidden_with_title is None else f":hidden:\n:caption: {hidden_with_title}\n"
    return f"\n\n```{{toctree}}\n:maxdepth: 1\n{options}\n" + "\n".join(entries) + "\n```\n"
