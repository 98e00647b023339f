"""Test the strategies that choose one document after the other, beside plain Python."""

import math
import random
from collections.abc import Callable, Iterator

import pytest

from poolhouse.pooling import adaptive
from poolhouse.pooling.lists import TopicLists

N_RANDOM = 50

Lists = list[list[int]]
Relevant = set[int]


def random_topic(seed: int) -> tuple[Lists, Relevant]:
    """Return lists of different lengths, of which some are empty, and relevant documents."""
    dice = random.Random(seed)  # noqa: S311 - of test cases
    n_documents = dice.randint(1, 30)
    lists = [
        dice.sample(range(n_documents), dice.randint(0, n_documents))
        for _ in range(dice.randint(1, 7))
    ]
    lists.append(dice.sample(range(n_documents), n_documents))
    share = dice.choice([0.0, 0.1, 0.5, 1.0])
    return lists, {each for each in range(n_documents) if dice.random() < share}


# ------------------------------------------------------------------------------- plain references


def plain_move_to_front(lists: Lists, relevant: Relevant) -> list[int]:
    queues = [list(each) for each in lists]
    priorities = [0] * len(lists)
    chosen: list[int] = []
    current = -1
    while any(queues):
        if current == -1 or not queues[current]:
            best = max(priorities[n] for n, queue in enumerate(queues) if queue)
            current = min(n for n, queue in enumerate(queues) if queue and priorities[n] == best)
        document = queues[current].pop(0)
        if document in chosen:
            continue
        chosen.append(document)
        if document not in relevant:
            priorities[current] -= 1
            current = -1
    return chosen


def plain_max_mean(lists: Lists, relevant: Relevant) -> list[int]:
    queues = [list(each) for each in lists]
    counts = [(0, 0)] * len(lists)
    chosen: list[int] = []
    while any(queues):
        means = {
            n: (counts[n][0] + 1) / (counts[n][1] + 2) for n, queue in enumerate(queues) if queue
        }
        run = max(means, key=lambda n: (means[n], -n))
        document = queues[run].pop(0)
        if document not in chosen:
            chosen.append(document)
            n_relevant, n = counts[run]
            counts[run] = n_relevant + (document in relevant), n + 1
    return chosen


def first_best(sums: dict[int, float]) -> int:
    """Return the first document with the largest sum; 1e-12 of it are the error of a sum."""
    best = max(sums.values())
    return min(each for each in sums if sums[each] >= best - abs(best) * 1e-12)


def plain_hedge(lists: Lists, relevant: Relevant) -> list[int]:
    documents = sorted({each for run in lists for each in run})
    n = len(documents)

    def gain(run: list[int], document: int) -> float:
        if document in run:
            return math.log(n / (run.index(document) + 1)) / 2
        left = range(len(run) + 1, n + 1)
        return sum(math.log(n / rank) for rank in left) / len(left) / 2

    weights = [1.0] * len(lists)
    chosen: list[int] = []
    while len(chosen) < n:
        sums = {
            each: sum(w * gain(run, each) for w, run in zip(weights, lists, strict=True))
            for each in documents
            if each not in chosen
        }
        document = first_best(sums)
        chosen.append(document)
        for number, run in enumerate(lists):
            loss = gain(run, document) * (-1 if document in relevant else 1)
            weights[number] *= 0.1**loss
        top = max(weights)
        weights = [each / top for each in weights]
    return chosen


def plain_rbp(
    lists: Lists, relevant: Relevant, factor: Callable[[float, float], float]
) -> list[int]:
    documents = sorted({each for run in lists for each in run})
    chosen: list[int] = []

    def weight(run: list[int], document: int) -> float:
        return 0.2 * 0.8 ** run.index(document) if document in run else 0.0

    while len(chosen) < len(documents):
        factors = [
            factor(
                sum(weight(run, each) for each in chosen if each in relevant),
                1 - sum(weight(run, each) for each in chosen),
            )
            for run in lists
        ]
        sums = {
            each: sum(f * weight(run, each) for f, run in zip(factors, lists, strict=True))
            for each in documents
            if each not in chosen
        }
        chosen.append(first_best(sums))
    return chosen


def plain_fair(lists: Lists, _: Relevant) -> list[int]:
    queues = [list(each) for each in lists]
    chosen: list[int] = []
    while any(queues):
        for queue in queues:
            while queue:
                document = queue.pop(0)
                if document not in chosen:
                    chosen.append(document)
                    break
    return chosen


Plain = Callable[[Lists, Relevant], list[int]]
Strategy = Callable[[TopicLists, adaptive.Answer], Iterator[int]]

STRATEGIES: dict[str, tuple[Strategy, Plain | None]] = {
    "move_to_front": (adaptive.move_to_front, plain_move_to_front),
    "max_mean": (adaptive.max_mean, plain_max_mean),
    "thompson": (lambda lists, answer: adaptive.thompson(lists, answer, 1), None),
    "hedge": (adaptive.hedge, None),
    "rbp_residual": (lambda lists, _: adaptive.rbp_residual(lists), None),
    "rbp_competitive": (adaptive.rbp_competitive, None),
    "fair_by_run": (lambda lists, _: adaptive.fair_by_run(lists), plain_fair),
}


def chosen_by(name: str, lists: Lists, relevant: Relevant) -> list[int]:
    strategy, _ = STRATEGIES[name]
    return list(strategy(TopicLists.of(lists), relevant.__contains__))


@pytest.mark.parametrize("seed", range(N_RANDOM))
def test_strategies_are_the_plain_ones(seed: int) -> None:
    lists, relevant = random_topic(seed)
    for name, (_, plain) in STRATEGIES.items():
        found = chosen_by(name, lists, relevant)
        assert sorted(found) == list(range(len(found))), name
        if plain:
            assert found == plain(lists, relevant), name


@pytest.mark.parametrize("seed", range(N_RANDOM))
def test_strategies_by_sums_are_the_plain_ones(seed: int) -> None:
    lists, relevant = random_topic(seed)
    for found, plain in (
        (chosen_by("hedge", lists, relevant), plain_hedge(lists, relevant)),
        (
            chosen_by("rbp_residual", lists, relevant),
            plain_rbp(lists, set(), lambda _, residual: residual),
        ),
        (
            chosen_by("rbp_competitive", lists, relevant),
            plain_rbp(lists, relevant, lambda rbp, rest: rest * (rbp + rest / 2) ** 3),
        ),
    ):
        assert found == plain
