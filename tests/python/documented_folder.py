"""Make a folder in which the commands of README and docs work: their files, and a warehouse."""

import csv
import gzip
import json
import re
from pathlib import Path
from shutil import copy, copytree

from click.testing import CliRunner

from documented import ROOT, blocks
from poolhouse.command_line.main import main
from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe, simulate

COLLECTION = "my-collection"
WAREHOUSE = "poolhouse.duckdb"  # the default of `--db`

# Other names of pages for a reader's own collection, and placeholders for a name.
_SAME_COLLECTION = (
    "trec8-adhoc",
    "trec2-adhoc",
    "web-2009",
    "aquaint-2005",
    "disks-4-5",
    "shallow-pool",
)
_PLACEHOLDERS = {
    "COLLECTION": COLLECTION,
    "C": COLLECTION,
    "RUN": "run-a",
    "my-run": "run-a",
    "...": "select 1",
    "demo.duckdb": WAREHOUSE,
    "poolhouse-demo.duckdb": WAREHOUSE,
}

# The runs that pages name, in place of simulated runs. The last run is in no collection.
_RUNS = {
    "elm1": "run-a",
    "elm2": "run-b",
    "fir1": "a",
    "fir2": "b",
    "oak1": "c",
    "oak2": "READWARE2",
    "owl1": "orcl99man",
    "owl2": "my.run",
}
_MY_RUN = "my.run"
_RECIPE = CollectionRecipe(
    name="simulated",
    title="A collection of which pages tell",
    document_prefix="D",
    first_topic=1,
    pool_depth=10,
    n_topics=8,
    n_documents=100,
    run_depth=30,
    relevant=12,
    organizations=(
        OrganizationRecipe("elm", 2),
        OrganizationRecipe("fir", 2, run_type="manual"),
        OrganizationRecipe("oak", 2, noise=0.9),
        OrganizationRecipe("owl", 1, 1, keywords=0.25, meaning=1.0),
    ),
)


def in_the_folder(words: list[str]) -> list[str]:
    """Replace the names of a page by names that exist in the folder."""
    return [_PLACEHOLDERS.get(word, named_as_in_the_folder(word)) for word in words]


def named_as_in_the_folder(text: str) -> str:
    """Replace the collection that a page names by the collection of the folder."""
    return re.sub(rf"(?<![\w-])({'|'.join(_SAME_COLLECTION)})(?![\w-])", COLLECTION, text)


def write_documented_folder(folder: Path) -> None:
    """Write the files that pages name, and the warehouse poolhouse.duckdb with the collection.

    The runs are loaded with every file that a page mentions: titles, texts, attributes of topics.
    """
    [simulated] = simulate(folder / "simulation", 1, [_RECIPE])
    runs = folder / "runs"
    runs.mkdir()
    for file in simulated.runs.iterdir():
        run = _RUNS[file.name.removesuffix(".gz")]
        place = folder / run if run == _MY_RUN else runs / run
        place.write_bytes(gzip.decompress(file.read_bytes()))
    _write_descriptions(simulated.descriptions, folder / "runs.csv")
    copy(simulated.qrels, folder / "qrels.txt")
    copy(simulated.truth, folder / "later-qrels.txt")
    (folder / "my-estimates.csv").write_text(
        "run_id,measure,estimate,low,high\nrun-a,P@10,.6,.5,.7\nrun-b,P@10,.55,,\n"
    )
    copy(simulated.topics, folder / "titles.tsv")
    copy(simulated.texts, folder / "docs.jsonl.gz")
    copy(simulated.document_frequencies, folder / "df.csv")
    (folder / "attributes.csv").write_text("topic,kind,words\n1,broad,2\n2,narrow,3\n")
    depths = (f"{topic},{10 if topic <= 4 else 5}\n" for topic in range(1, _RECIPE.n_topics + 1))
    (folder / "pools.csv").write_text("topic,pool_depth\n" + "".join(depths))
    _write_scifact(folder)
    _write_files_of_other_tools(folder)
    _write_pages(folder)
    page = ROOT / "docs" / "checking.md"
    [suite] = [block.text for block in blocks(page) if block.language == "json"]
    (folder / "house_rules.json").write_text(suite)
    (folder / "authors.csv").write_text("author,kind,threshold,highest\ngpt,model,2,3\n")
    _write_labels(folder / "qrels.txt", folder / "gpt.txt")
    (folder / "pairs.txt").write_text("1 D1\n2 D2\n")
    (folder / "preferences.txt").write_text("1 D1 D2\n1 D3 D1 =\n2 D1 D2\n")
    _write_archive(folder)
    db = f"--db={folder / WAREHOUSE}"
    files = {
        "--runs": "runs",
        "--qrels": "qrels.txt",
        "--descriptions": "runs.csv",
        "--topics": "titles.tsv",
        "--texts": "docs.jsonl.gz",
        "--document-frequencies": "df.csv",
        "--topic-attributes": "attributes.csv",
        "--official-results": "results.md",
    }
    named = [word for option, name in files.items() for word in (option, str(folder / name))]
    for command in (["load", COLLECTION, *named], ["build"]):
        done = CliRunner().invoke(main, [*command, db])
        assert done.exit_code == 0, done.output


def _write_descriptions(simulated: Path, descriptions: Path) -> None:
    with simulated.open(newline="") as source, descriptions.open("w", newline="") as target:
        rows = csv.reader(source)
        lines = csv.writer(target, lineterminator="\n")
        lines.writerow(next(rows))
        named = ([_RUNS[run], *others] for run, *others in rows)
        lines.writerows(row for row in named if row[0] != _MY_RUN)


def _write_scifact(folder: Path) -> None:
    """Write a data set in the form of BEIR, and two runs in JSON."""
    (folder / "scifact" / "qrels").mkdir(parents=True)
    labels = folder / "scifact" / "qrels" / "test.tsv"
    labels.write_text("query-id\tcorpus-id\tscore\n1\t31\t1\n3\t32\t1\n")
    queries = [json.dumps({"_id": str(number), "text": "a claim"}) for number in (1, 2, 3)]
    (folder / "scifact" / "queries.jsonl").write_text("\n".join(queries))
    (folder / "dense").mkdir()
    for run, scores in (("dense-a", (0.9, 0.8)), ("dense-b", (0.7, 0.8))):
        found = dict(zip(("31", "32"), scores, strict=True))
        (folder / "dense" / f"{run}.json").write_text(json.dumps({"1": found, "3": found}))


def _write_files_of_other_tools(folder: Path) -> None:
    """Write a run of ranx with judgements of Quepid, and a run of TIRA."""
    (folder / "ranx.json").write_text(json.dumps({"red shoes": {"p1": 0.9, "p2": 0.8}}))
    (folder / "case_1_judgements.csv").write_text("query,docid,rating\nred shoes,p1,3\n")
    output = folder / "upload" / "my-system" / "output"
    output.mkdir(parents=True)
    copy(folder / "runs" / "run-a", output / "run.txt")


def _write_pages(folder: Path) -> None:
    """Write NIST's pages of runs and of results."""
    with (folder / "runs.csv").open(newline="") as lines:
        runs = [(row["run"], row["organization"]) for row in csv.DictReader(lines)]
    of_runs = (f"#### {run}\n- **Run ID:** {run}\n- **Participant:** {of}\n" for run, of in runs)
    of_results = (f"#### {run}\n```\nP_10 all 0.5\n```\n" for run, _ in runs)
    (folder / "runs.md").write_text("# Runs\n" + "".join(of_runs))
    (folder / "results.md").write_text("# Results\n" + "".join(of_results))


def _write_labels(qrels: Path, labels: Path) -> None:
    """Write judgements of another author, from 0 to 3."""
    lines = [line.split() for line in qrels.read_text().splitlines()]
    labels.write_text(
        "".join(
            f"{topic} 0 {document} {max(0, min(3, 2 * int(grade) + number % 2))}\n"
            for number, (topic, _, document, grade) in enumerate(lines)
        )
    )


def _write_archive(folder: Path) -> None:
    """Write the list of collections that the page on archives shows, and the files on the list."""
    page = ROOT / "docs" / "archives.md"
    [listed] = [block.text for block in blocks(page) if block.language == "yaml"]
    (folder / "archive.yml").write_text(listed)
    for year in ("2009", "2010", "2011"):
        copytree(folder / "runs", folder / year / "runs")
        for name in ("qrels.txt", "runs.csv", "attributes.csv", "results.md"):
            copy(folder / name, folder / year)
        copy(folder / "titles.tsv", folder / year / "topics.tsv")
    late = folder / "2010" / "late"
    late.mkdir()
    copy(folder / _MY_RUN, late / "input.one")
    copy(folder / "qrels.txt", late / "qrels.one")
