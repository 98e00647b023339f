"""Draw random collections that are small, and have every oddity of real collections."""

import random
from collections.abc import Callable
from dataclasses import replace

from reference import Collection, Description, RunLine, pooling_order

# The byte order of these ids differs from the orders of numbers, of UTF-16 and of any locale.
DOCUMENTS = ("D{}", "d-{}", "FT911-{}", "Zürich_{}", "\U0001f600{}", "\uff21{}")
RUNS = ("run{}", "Run.{}", "{}x20.prf", "smith.bm25.{}", "ß{}")
TOPICS = ("{}", "40{}", "T-{}")
SCORINGS: tuple[Callable[[float], float], ...] = (
    lambda liked: round(liked, 1),  # many ties
    lambda liked: round(liked, 2),
    lambda liked: 1000 + liked / 1e4,  # tied as 32-bit floats, different as 64-bit ones
    lambda liked: round(liked - 0.5, 1),  # below 0, and -0.0 beside 0.0
    lambda liked: liked,
)
# Grade 5 is above the highest grade of ERR.
GRADES = (-1, 0, 0, 0, 0, 1, 1, 2, 5)


class Generator:
    """A generator of a collection; rare oddities depend on its number, and not on chance."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.random = random.Random(number)  # noqa: S311 - nothing is secret
        self.is_deep = number % 5 == 4  # deep enough to tolerate a gap
        is_long = number % 20 == 5  # runs longer than the largest cutoff of P
        self.is_untold = number % 8 in {0, 2} and number % 20 != 2  # nobody declares the depth
        is_large = (
            number % 20 == 14
        )  # enough pooled runs for ten intervals, which tell their coverage
        self.n_runs = (14, 18) if is_large else (3, 9)
        self.least_pooled = 12 if is_large else 2
        self.lengths = (90, 140) if is_long else (1, 40)
        n_documents = 150 if is_long or is_large else self.random.randint(15, 60)
        self.documents = self.names(DOCUMENTS, n_documents)
        # A collection whose depth is inferred needs enough topics for the inference.
        topics = self.names(TOPICS, self.random.randint(*((9, 13) if self.is_untold else (2, 7))))
        self.judged_topics, self.topics = topics[:-1], topics  # the last topic is only in runs
        self.appeal = {
            (topic, document): self.random.random() ** 2
            for topic in topics
            for document in self.documents
        }

    def names(self, patterns: tuple[str, ...], n: int) -> list[str]:
        return [self.random.choice(patterns).format(each) for each in range(1, n + 1)]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def collection(self) -> Collection:
        n_organizations = 1 if self.number % 20 == 1 else self.random.randint(2, 5)
        runs = {
            run: self.run_lines() for run in self.names(RUNS, self.random.randint(*self.n_runs))
        }
        collection = Collection(
            f"random-{self.number:02}",
            runs,
            qrels=[],
            descriptions={
                run: Description(f"org{self.random.randint(1, n_organizations)}")
                for run in runs
                if self.number % 20 == 1 or self.chance(0.85)
            },
            threshold=self.random.choice((1, 1, 2)),
            pooling_order=self.random.choice(("score", "score", "file", "rank")),
            judged_from=-1 if self.number % 20 == 13 else 0,  # -2 is still no judgement
        )
        depth = self.random.randint(20, 25) if self.is_deep else self.random.randint(1, 12)
        pooled = self.random.sample(list(runs), self.random.randint(self.least_pooled, len(runs)))
        collection.qrels = self.qrels(self.pool(collection, pooled, depth))
        if self.number % 20 == 6:  # a topic that loses every judgement with a run
            runs[pooled[0]].append(RunLine("lone", "lone", 1, 1.0))
            collection.qrels.append(("lone", "lone", 1))
        return self.declared(collection, set(pooled), depth)

    def run_lines(self) -> list[RunLine]:
        """Draw a run; in some places, the orders of its lines, ranks and scores differ."""
        noise = self.random.choice((0.1, 0.4, 1.0))
        score_of = self.random.choice(SCORINGS)
        lines: list[RunLine] = []
        for topic in self.topics:
            if self.chance(0.15) and (lines or topic != self.topics[-1]):
                continue
            liked = {
                document: self.appeal[topic, document] + noise * self.random.random()
                for document in self.documents
            }
            chosen = sorted(liked, key=liked.__getitem__, reverse=True)
            chosen = chosen[: self.random.randint(*self.lengths)]
            for _ in range(self.random.choice((0, 0, 0, 2))):  # repeated documents
                chosen.insert(self.random.randint(0, len(chosen)), self.random.choice(chosen))
            scores = [score_of(liked[each] * self.random.choice((1, 1, 1, 0.5))) for each in chosen]
            ranks = list(range(1, len(chosen) + 1))
            if self.chance(0.3):
                self.random.shuffle(ranks)
            lines += map(RunLine, [topic] * len(chosen), chosen, ranks, scores)
        return lines

    def pool(self, collection: Collection, pooled: list[str], depth: int) -> set[tuple[str, str]]:
        return {
            (topic, document)
            for run in pooled
            for topic in self.judged_topics
            for document in pooling_order(
                [line for line in collection.runs[run] if line.topic == topic],
                collection.pooling_order,
            )[:depth]
        }

    def qrels(self, pool: set[tuple[str, str]]) -> list[tuple[str, str, int]]:
        """Judge a pool, and other documents that nobody contributed or nobody returned."""
        for topic in self.judged_topics:
            if self.chance(0.7):
                pool |= {(topic, each) for each in self.random.sample(self.documents, 3)}
        if self.number % 20 == 0:  # nobody's first document is judged: nothing was pooled
            pool = set()
        pool |= {(topic, "nobody-returned-this") for topic in self.judged_topics}
        barren = self.random.choice(self.judged_topics) if self.chance(0.5) else None
        qrels = []
        for topic, document in sorted(pool):
            if self.is_deep and self.chance(0.03):
                continue  # a gap
            grades = GRADES if self.appeal.get((topic, document), 0) > 0.3 else (-2, 0, 0, 0, 1)
            for _ in range(2 if self.chance(0.02) else 1):  # some are judged twice
                grade = self.random.choice(grades)
                qrels.append((topic, document, min(grade, 0) if topic == barren else grade))
        return qrels

    def declared(self, collection: Collection, pooled: set[str], depth: int) -> Collection:
        """Declare both depth and pooled runs, only one of the two, or neither."""
        described = collection.descriptions
        flags: dict[str, bool | None] = {}
        depths: dict[str, int] = {}
        if self.number % 20 == 2:  # it is known that no run was pooled
            flags = dict.fromkeys(collection.runs, False)
            described = {run: Description("org1") for run in collection.runs} | described
        elif self.number % 4 in {2, 3} and pooled & described.keys():
            # Where some runs are declared as pooled, the others are not pooled, declared so or not.
            flags = {
                run: True if run in pooled else self.random.choice((False, None))
                for run in described
            }
            depths = self.depths_of(sorted(pooled & described.keys()), depth)
        return replace(
            collection,
            pool_depth=None if self.is_untold else depth,
            descriptions={
                run: replace(each, is_pooled=flags.get(run), pool_depth=depths.get(run))
                for run, each in described.items()
            },
        )

    def depths_of(self, pooled: list[str], depth: int) -> dict[str, int]:
        """Declare other depths of some pooled runs, or of all, in a third of the collections."""
        others = range(1, 2 * depth + 1)
        if self.number % 3 == 0:
            return {run: self.random.choice(others) for run in pooled[self.number % 2 :]}
        return {}
