"""Write the table of docs/measures.md from the seed `measures`.

`just measures` runs this script. With --check, it fails where the page differs from the seed.
"""

import csv
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]
SEED = PROJECT / "seeds" / "measures.csv"
PAGE = PROJECT / "docs" / "measures.md"
HEADINGS = {
    "usage": "measure",
    "formula": "score of a run on a topic",
    "trec_eval_name": "trec_eval",
    "reference": "agrees with",
    "source": "source",
}
START, END = "<!-- from seeds/measures.csv -->\n", "<!-- end -->\n"


def main() -> None:
    """Rewrite the table, or compare the table of the page with a new one."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    page = f"{before}{START}\n{table()}\n{END}{after}"
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif page != text:
        sys.exit(f"{PAGE.relative_to(PROJECT)} is not what the seed says: just measures")


def table() -> str:
    """Return a table of Markdown with a row for each measure."""
    lines = [row(list(HEADINGS.values())), row(["---"] * len(HEADINGS))]
    with SEED.open(encoding="utf-8", newline="") as file:
        for measure in csv.DictReader(file):
            names = (measure["trec_eval_name"], measure["trec_eval_name_at_cutoff"])
            measure["trec_eval_name"] = ", ".join(filter(None, names))
            cells = [measure[column] for column in HEADINGS]
            lines.append(row([f"`{cells[0]}`, {measure['title']}", *cells[1:]]))
    return "".join(lines)


def row(cells: list[str]) -> str:
    """Return one row of the table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    main()
