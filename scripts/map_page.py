"""Write the tables of docs/map.md from the compiled plan, and the overview of dbt's documentation.

`just map` runs this script. With --check, it fails where a page differs from the plan.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from poolhouse.building.plan import Node, plan_of

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "map.md"
OVERVIEW = PROJECT / "models" / "docs" / "overview.md"
TARGETS = (
    *("leaderboard", "fct_adjusted_scores", "audit_verdicts"),
    *("audit_authors", "dim_authors", "fct_author_judgements"),
)

# `<!-- models of folder, folder -->`, and what follows up to the end mark.
PLACE = re.compile(r"(<!-- models of ([\w/, ]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
# A reference of a description to another page.
SEE = re.compile(r" \(docs/[\w/.]+\)")
SENTENCE_END = re.compile(r"(?<!et al)\. ")
LINK = re.compile(r"\[([^]]+)\]\(([\w/]+\.md)\)")


def main() -> None:
    """Rewrite both pages, or compare them with new ones."""
    page = with_tables(PAGE.read_text(encoding="utf-8"))
    for file, text in ((PAGE, page), (OVERVIEW, overview(page))):
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != text:
            sys.exit(f"{file.relative_to(PROJECT)} is not what the plan says: just map")


def with_tables(page: str) -> str:
    """Fill the places of a page. Exit where a model on the way to the marts has no place."""
    left = {node.name: node for node in on_the_way()}
    folders = {file.stem: str(file.parent.relative_to(PROJECT / "models")) for file in models()}

    def table(place: re.Match[str]) -> str:
        asked = place[2].split(", ")
        rows = [
            row(left.pop(node.name))
            for folder in asked
            for node in list(left.values())
            if folders[node.name] == folder
        ]
        head = "\n| model | rows | stored |\n| --- | --- | --- |\n"
        return f"{place[1]}{head}{''.join(rows)}\n{place[3]}"

    page = PLACE.sub(table, page)
    if left:
        sys.exit(f"{PAGE.relative_to(PROJECT)} has no place for {', '.join(left)}")
    return page


def on_the_way() -> Iterator[Node]:
    """Yield the models that the marts read, directly or through others, in the plan's order."""
    relations = plan_of({}).relations
    needed = set(TARGETS)
    for node in reversed(relations):
        if node.name in needed:
            needed.update(node.reads)
    names = {file.stem for file in models()}
    return (node for node in relations if node.name in needed & names)


def models() -> Iterator[Path]:
    """Yield the files of all models."""
    return (PROJECT / "models").rglob("*.sql")


def row(node: Node) -> str:
    """Return the row of a model: its name, what a row is, and when it is rebuilt."""
    what = SENTENCE_END.split(SEE.sub("", node.comment))[0].rstrip(".")
    stored = f"`{node.rule}`" if node.rule else node.kind
    return f"| `{node.name}` | {what.replace('|', chr(92) + '|')} | {stored} |\n"


def overview(page: str) -> str:
    """Return the page as the overview of dbt's documentation, which has no other pages."""
    text = LINK.sub(r"\1: `docs/\2`", page)
    lineage = "The button at the lower right shows the lineage: which model reads which.\n"
    return f"{{% docs __overview__ %}}\n\n{text}\n{lineage}\n{{% enddocs %}}\n"


if __name__ == "__main__":
    main()
