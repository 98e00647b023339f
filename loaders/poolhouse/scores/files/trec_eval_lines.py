"""The lines that trec_eval prints, for the scores of run files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from poolhouse.scores.files.scoring import RunScores
from poolhouse.scores.files.summary import over_topics
from poolhouse.scores.files.trec_eval_measures import NUM_Q, RUNID, Printed

_ALL = "all"


@dataclass(frozen=True)
class Printing:
    """What trec_eval prints under its options -q, -c and -n, and how its version counts under -c.

    A topic that the run does not answer counts as 0 in version 9, which does not print it. Version
    10 scores and prints an empty ranking.
    """

    values: Sequence[Printed]
    aggregations: Mapping[str, str]
    version: int
    by_topic: bool = False
    is_complete: bool = False
    has_summary: bool = True

    def lines(self, scores: RunScores) -> Iterator[str]:
        """Yield the lines for one run.

        Scores have four decimals, and counts have none. runid, num_q and geometric means are
        printed over all topics only, and relstring for each topic only.
        """
        are_all_shown = self.is_complete and self.version >= 10
        topics = scores.by_topic if are_all_shown else scores.by_topic.filter("is_answered")
        if self.by_topic:
            of_topics = [
                (f"{value.name:<22}", value.measure or "relevances", self._format(value))
                for value in self.values
                if value.length or self.aggregations.get(value.measure, "") in ("mean", "sum")
            ]
            for row in topics.iter_rows(named=True):
                topic = row["topic_id"]
                for name, column, form in of_topics:
                    yield f"{name}\t{topic}\t{row[column]:{form}}"
        if self.has_summary:
            n_topics = scores.by_topic.height if self.is_complete else topics.height
            found = over_topics(topics, self.aggregations, n_topics)
            words = {RUNID: scores.run.tag, NUM_Q: str(n_topics)}
            for value in self.values:
                if value.name in words:
                    yield f"{value.name:<22}\t{_ALL}\t{words[value.name]}"
                elif value.measure:
                    shown = f"{found[value.measure]:{self._format(value)}}"
                    yield f"{value.name:<22}\t{_ALL}\t{shown}"

    def _format(self, value: Printed) -> str:
        if value.length:
            return ""
        return ".0f" if self.aggregations[value.measure] == "sum" else "6.4f"
