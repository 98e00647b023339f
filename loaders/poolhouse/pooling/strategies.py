"""The strategies that choose one document after the other, by their names in the seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from poolhouse.pooling import adaptive
from poolhouse.pooling.fusion import condorcet
from poolhouse.pooling.lists import TopicLists


@dataclass(frozen=True)
class Topic:
    """What a strategy reads: the lists of the runs and of the organizations, answers, and a seed.

    Both kinds of lists have the same numbers of documents.
    """

    of_runs: TopicLists
    of_organizations: TopicLists
    answer: adaptive.Answer
    seed: int


STRATEGIES: dict[str, Callable[[Topic], Iterator[int]]] = {
    "take_by_run": lambda topic: adaptive.fair_by_run(topic.of_runs),
    "take_by_organization": lambda topic: adaptive.fair_by_run(topic.of_organizations),
    "condorcet": lambda topic: condorcet(topic.of_runs),
    "rbp_b": lambda topic: adaptive.rbp_residual(topic.of_runs),
    "rbp_c": lambda topic: adaptive.rbp_competitive(topic.of_runs, topic.answer),
    "move_to_front": lambda topic: adaptive.move_to_front(topic.of_runs, topic.answer),
    "hedge": lambda topic: adaptive.hedge(topic.of_runs, topic.answer),
    "max_mean": lambda topic: adaptive.max_mean(topic.of_runs, topic.answer),
    "thompson": lambda topic: adaptive.thompson(topic.of_runs, topic.answer, topic.seed),
}

# These read each list from its top, and no list further than the number of documents that they
# choose, so that the rest of the lists need not be read.
READ_FROM_THE_TOP = frozenset(
    {"take_by_run", "take_by_organization", "move_to_front", "max_mean", "thompson"}
)
