"""Write the list of questions in docs/cookbook.md from the files of the folder `analyses`.

`just cookbook` runs this script. With --check, it fails where the page differs from the files.
"""

import sys
from pathlib import Path

from poolhouse.cookbook.entries import ABOUT, PAPERS, entries

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "cookbook.md"
HEADINGS = {
    "runs": "Who is best",
    "topics": "Topics",
    "judgements": "What was judged",
    "trust": "How far to trust it",
    PAPERS: "Methods, tables and figures of papers",
}
START, END = "<!-- from analyses -->\n", "<!-- end -->\n"


def main() -> None:
    """Rewrite the list, or compare the list of the page with a new one."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    page = f"{before}{START}{questions()}\n{END}{after}"
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif page != text:
        sys.exit(f"{PAGE.relative_to(PROJECT)} is not what the files say: just cookbook")


def questions() -> str:
    """Return a table of Markdown for each subject of the questions."""
    return f"\nThere are {len(entries())} questions.\n" + "".join(
        f"\n**{HEADINGS[about]}**\n\n| name | question |\n| --- | --- |\n"
        + "".join(
            f"| [`{each.name}`](../analyses/{_folder(about)}{each.name}.sql) | {each.question} |\n"
            for each in entries()
            if each.about == about
        )
        for about in ABOUT
    )


def _folder(about: str) -> str:
    return f"{PAPERS}/" if about == PAPERS else ""


if __name__ == "__main__":
    main()
