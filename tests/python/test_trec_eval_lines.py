"""Compare the lines for run files with those of both versions of trec_eval, byte for byte.

A line that differs needs a reason that docs/trec_eval.md gives.
"""

import gzip
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import odd_collection
from archive import DL_2021, TREC2, TREC8, TREC_COVID, ArchiveCollection
from poolhouse.scoring.files.rules import Rules
from poolhouse.scoring.files.scoring import FileScorer
from poolhouse.trec_eval.printed_lines import Lines
from trec_eval_programs import RELEASES, Printed, printed, printed_of_archive

MEASURES = ("all_trec", "yaap", "P.3,50", "utility.1,-2,0.5,0", "set_F.0.5", "relstring.3")
NEW_MEASURES = ("dcg", "ideal_dcg", "unj.1,3", "rbp_resid")
# Version 10 ends where one of dcg, ideal_dcg and ndcg has gains and another is requested too.
# 11pt_avg has either its usual levels, in all_trec, or others.
WITH_GAINS = (
    "11pt_avg..25,.5,.75",
    "ndcg.1=2,3=1",
    "ndcg_rel.1=2,2=0,3=1",
    "Rndcg.1=3,2=1",
    "G.1=2,3=1",
)


@dataclass(frozen=True)
class Call:
    """The version and the options of a call; -q is always among the options."""

    version: int
    is_complete: bool = False
    level: int = 1
    depth: int | None = None
    is_judged_only: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The arguments of -m."""
        has_gains = self.level > 1 and self.depth is None
        new = NEW_MEASURES if self.version >= max(RELEASES) else ()
        return MEASURES + (WITH_GAINS if has_gains else new)

    @property
    def options(self) -> list[str]:
        """The options for the program."""
        flags = ["-q", *(["-c"] * self.is_complete), *(["-J"] * self.is_judged_only)]
        depth = [] if self.depth is None else ["-M", str(self.depth)]
        return [*flags, "-l", str(self.level), *depth]

    def __str__(self) -> str:
        return f"{self.version} {' '.join(self.options)}"

    @property
    def by_program(self) -> list[list[str]]:
        """The options of the program: with all measures, and with rbp alone."""
        asked = [option for measure in self.measures for option in ("-m", measure)]
        return [[*self.options, *asked], [*self.options, "-m", "rbp"]]

    def by_poolhouse(self, qrels: Path, runs: Iterable[Path]) -> Iterator[list[str]]:
        """Yield the lines for each run."""
        rules = Rules(self.level, self.depth, self.is_judged_only, version=self.version)
        scorer = FileScorer(qrels, self.measures, rules)
        lines = Lines(
            scorer.values,
            scorer.aggregations,
            self.version,
            by_topic=True,
            is_complete=self.is_complete,
        )
        for scores in scorer.scores(list(map(str, runs))):
            yield list(lines.of(scores.run.tag, scores.by_topic))

    def differing(
        self, qrels: Path, runs: list[Path], by_program: Iterable[Printed]
    ) -> tuple[Counter[str], list[str]]:
        """Return how many lines are equal or differ for each reason, and runs that it refuses."""
        found: Counter[str] = Counter()
        refused = []
        by_poolhouse = self.by_poolhouse(qrels, runs)
        for run, ours, (text, rbp) in zip(runs, by_poolhouse, by_program, strict=True):
            if text is None:
                refused.append(run.name)
                continue
            theirs = text.splitlines()
            fields = [line.split("\t") for line in ours if line.startswith("num_ret ")]
            missing = {topic for _, topic, value in fields if value == "0"}
            missing |= {"all"} if missing else set()
            differing = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
            found["equal"] += len(ours) - len(differing)
            found.update(
                self.reason(one.split("\t"), other.split("\t"), missing) for one, other in differing
            )
            if self.version == max(RELEASES):
                # Beside other measures, rbp reads their values as its highest gain.
                assert rbp is not None
                assert rbp.splitlines() == [line for line in ours if line.startswith("rbp ")]
        return found, refused

    def reason(self, ours: list[str], theirs: list[str], missing: set[str]) -> str:
        """Return why a line differs on purpose.

        `missing` are the topics that the run does not answer, and `all` where there is one.
        """
        name, topic = ours[0].rstrip(), ours[1]
        assert ours[:2] == theirs[:2]
        is_newest = self.version == max(RELEASES)
        is_of_missing_topic = self.is_complete and is_newest and topic in missing
        reasons = {
            "0 divided by 0": theirs[2].strip() in {"nan", "-nan"},
            "num_rel with -c and -l": (
                name == "num_rel" and topic == "all" and self.is_complete and self.level > 1
            ),
            "rbp beside other measures": name == "rbp" and is_newest,
            "relstring of a missing topic": (
                name.startswith("relstring_") and is_of_missing_topic and theirs[2] == "'-'"
            ),
            "rbp_resid where nothing is unjudged": (
                name == "rbp_resid" and (topic == "all" or theirs[2] == "0.0000" < ours[2])
            ),
            "utility of a missing topic": name.startswith("utility_") and is_of_missing_topic,
            "negative judgements only": (
                name == "ideal_dcg" and (topic == "all" or float(ours[2]) == 0)
            ),
        }
        holding = [reason for reason, holds in reasons.items() if holds]
        assert holding, f"{self}: {ours} differs from {theirs}"
        return holding[0]


ODD_CALLS = [
    Call(version, is_complete, level, depth, is_judged_only)
    for version in RELEASES
    for is_complete, level, depth, is_judged_only in (
        (True, 1, None, False),
        (False, 2, None, False),
        (True, 2, 7, False),
        (False, 1, None, True),
    )
]


@pytest.mark.heavy
@pytest.mark.parametrize("call", ODD_CALLS, ids=str)
def test_odd_collection(tmp_path: Path, call: Call) -> None:
    runs = sorted(odd_collection.write(tmp_path).run_files)
    qrels = tmp_path / "qrels.txt"
    by_program = printed(call.version, call.by_program, qrels, runs)
    found, refused = call.differing(qrels, runs, by_program)
    # Without -c, version 10 ends where a run does not answer a topic.
    assert refused == ([] if call.is_complete or call.version < 10 else ["gaps"])
    assert found["equal"] > 0.9 * found.total()


@pytest.mark.heavy
@pytest.mark.parametrize("version", RELEASES)
def test_random_levels_of_recall(tmp_path: Path, dice: random.Random, version: int) -> None:
    """Also sums that end in the middle between two fourth decimals."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    topics = {topic: dice.sample(range(40), dice.randint(2, 40)) for topic in range(1, 200)}
    qrels.write_text(
        "".join(
            f"{topic} 0 d{document} {1 if place == 0 else dice.choice((0, 1, 2, -1))}\n"
            for topic, documents in topics.items()
            for place, document in enumerate(documents)
        )
    )
    run.write_text(
        "".join(
            f"{topic} Q0 d{document} {rank} {-rank} r\n"
            for topic in topics
            for rank, document in enumerate(dice.sample(range(40), dice.randint(1, 40)))
        )
    )
    for levels in (".05,.1,.25,.7", "0.25,.5,.75", "0,1.0", ".333,.5,.7,.9"):
        measure = f"11pt_avg.{levels}"
        [[text]] = printed(version, [["-q", "-m", measure]], qrels, [run])
        assert text is not None
        scorer = FileScorer(qrels, [measure], Rules(version=version))
        lines = Lines(scorer.values, scorer.aggregations, version, by_topic=True)
        [scores] = scorer.scores([str(run)])
        assert list(lines.of("r", scores.by_topic)) == text.splitlines()


# Runs in which a line is malformed, or a topic has a document twice.
REFUSED = {TREC2.name: ["input.UREKA2", "input.UREKA3", "input.citymf", "input.uicah"]}


@pytest.mark.archive
@pytest.mark.parametrize(
    ("collection", "calls"),
    [
        (TREC2, [Call(9, is_complete=True), Call(10, is_complete=True)]),
        (TREC8, [Call(10, is_complete=True)]),
        (TREC_COVID, [Call(9, level=2), Call(10, is_complete=True, level=2)]),
        (DL_2021, [Call(9, is_complete=True), Call(10)]),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_archive(tmp_path: Path, collection: ArchiveCollection, calls: list[Call]) -> None:
    """Every run of the archive, by each call in turn. A level above 1 needs grades above 1.

    The odd collection has each version with all of these options.
    """
    qrels, *runs = unpacked(collection, tmp_path)
    for turn, call in enumerate(calls):
        some = runs[turn :: len(calls)]
        texts = printed_of_archive(collection, call.version, call.by_program, qrels, some)
        found, refused = call.differing(qrels, some, texts)
        # Without -c, version 10 ends where a run does not answer a topic.
        names = {run.name for run in some}
        expected = [each for each in REFUSED.get(collection.name, []) if each in names]
        assert set(expected) <= set(refused)
        assert refused == expected or not (call.is_complete or call.version < max(RELEASES))
        n_explained = found.total() - found["equal"] - found["rbp beside other measures"]
        assert n_explained < 0.002 * found.total(), found


def unpacked(collection: ArchiveCollection, folder: Path) -> Iterator[Path]:
    """Unpack the judgements and the runs: the programs do not read compressed files."""
    packed = [collection.folder / "qrels.txt.gz", *sorted((collection.folder / "runs").iterdir())]
    for file in packed:
        plain = folder / file.name.removesuffix(".gz")
        plain.write_bytes(gzip.decompress(file.read_bytes()))
        yield plain
