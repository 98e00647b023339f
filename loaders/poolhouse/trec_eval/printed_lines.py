"""The lines that trec_eval prints for the scores of a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from poolhouse.trec_eval.measures import NUM_Q, RUNID, Printed, in_printed_order
from poolhouse.trec_eval.summary import over_topics

_ALL = "all"
# The first version that scores a topic that the run does not answer, as an empty ranking.
_SCORES_MISSING_TOPICS = 10
# The count that does not depend on the run, so that no topic is missing.
_OF_TOPICS = "NumRel"


@dataclass(frozen=True)
class Lines:
    """The values that are printed, and the options -q, -c and -n of trec_eval.

    `aggregations` says how each measure is aggregated over topics. Under -c, a topic that the run
    does not answer counts as 0 in version 9, which does not print it. Version 10 scores and prints
    an empty ranking.
    """

    values: Sequence[Printed]
    aggregations: Mapping[str, str]
    version: int
    by_topic: bool = False
    is_complete: bool = False
    has_summary: bool = True

    def of(self, run_id: str, scores: pl.DataFrame) -> Iterator[str]:
        """Yield the lines for one run, which `run_id` names.

        `scores` has one row per judged topic, in the order of the topics: topic_id, is_answered,
        one column per measure, and `relevances` where relstring is printed. Scores have four
        decimals, and counts have none. runid, num_q and geometric means are printed over all topics
        only, and relstring for each topic only.
        """
        are_all_shown = self.is_complete and self.version >= _SCORES_MISSING_TOPICS
        topics = scores if are_all_shown else scores.filter("is_answered")
        if self.by_topic:
            yield from self._of_topics(topics)
        if self.has_summary:
            n_topics = scores.height if self.is_complete else topics.height
            found = over_topics(topics, self.aggregations, n_topics)
            if self.is_complete:
                found |= over_topics(scores, self._of_all_topics(), n_topics)
            words = {RUNID: run_id, NUM_Q: str(n_topics)}
            for value in in_printed_order(self.values):
                if value.name in words:
                    yield f"{value.name:<22}\t{_ALL}\t{words[value.name]}"
                elif value.measure:
                    form = self._form(value)
                    yield f"{value.name:<22}\t{_ALL}\t{found[value.measure]:{form}}"

    def _of_all_topics(self) -> dict[str, str]:
        """Return the measures that count every topic under -c, in both versions."""
        return {
            measure: kind
            for measure, kind in self.aggregations.items()
            if kind == "geometric_mean" or measure.partition("(")[0] == _OF_TOPICS
        }

    def _of_topics(self, topics: pl.DataFrame) -> Iterator[str]:
        printed = [
            (value.name, value.measure or "relevances", self._form(value))
            for value in in_printed_order(self.values)
            if value.length or self.aggregations.get(value.measure) in {"mean", "sum"}
        ]
        # The lines of a topic are written at once: there are a hundred.
        columns = list(dict.fromkeys(["topic_id", *(column for _, column, _ in printed)]))
        form = "\n".join(
            f"{_literally(f'{name:<22}')}\t{{0}}\t{{{columns.index(column)}:{form}}}"
            for name, column, form in printed
        )
        for row in topics.select(columns).iter_rows() if printed else ():
            yield from form.format(*row).split("\n")

    def _form(self, value: Printed) -> str:
        if value.length:
            return ""
        return ".0f" if self.aggregations[value.measure] == "sum" else "6.4f"


def _literally(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
