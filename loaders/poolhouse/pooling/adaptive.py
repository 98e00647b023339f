"""Strategies that choose one document after the other, and most of them by the answers so far.

Each strategy is a generator of documents, best first, each of them once. Before it chooses the next
document, it asks for the answer on the last one: True if the document is relevant. So the same
answers give the same documents, and a campaign that was interrupted goes on by asking again.
"""

from collections.abc import Callable, Iterator

import numpy as np

from poolhouse.pooling.lists import Flags, Floats, TopicLists

# The answer on a document of the topic.
Answer = Callable[[int], bool]
Documents = Iterator[int]

# Rank-biased precision: Moffat, Webber & Zobel 2007 have 0.8.
PERSISTENCE = 0.8

# Aslam, Pavlu & Savell 2003.
HEDGE_BETA = 0.1


def move_to_front(lists: TopicLists, answer: Answer) -> Documents:
    """Read the run with the highest priority until it gives a document that is not relevant.

    All runs begin with the same priority, and such a document lowers that of its run by one. A
    document that was chosen before is passed over. Cormack, Palmer & Clarke 1998, section 3.2.
    """
    priorities = np.zeros(lists.n_runs)
    reading = _Reading(lists)
    run = -1
    while reading.are_left.any():
        if run < 0 or not reading.are_left[run]:
            run = _first_best(priorities, reading.are_left)
        document = reading.next_of(run)
        if document is not None:
            yield document
            if not answer(document):
                priorities[run] -= 1
                run = -1


def max_mean(lists: TopicLists, answer: Answer) -> Documents:
    """Read the run whose documents were relevant most often, by the mean of a Beta posterior.

    The prior of each run is Beta(1, 1). Losada, Parapar & Barreiro 2016, section 4.
    """
    return _by_posterior(lists, answer, lambda yes, no: yes / (yes + no))


def thompson(lists: TopicLists, answer: Answer, seed: int) -> Documents:
    """Read the run with the largest draw from its posterior (as of `max_mean`)."""
    draw = np.random.Generator(np.random.PCG64(seed))
    return _by_posterior(lists, answer, draw.beta)


def hedge(lists: TopicLists, answer: Answer) -> Documents:
    """Choose the document that the runs rank highest, weighted by how well they did so far.

    With D documents, a run that ranks a document at r expects the gain ln(D / r) / 2; a run that
    lacks it, the mean over the ranks that are left. An answer is a loss of so much where the
    document is not relevant, and a gain where it is. The weight of a run is HEDGE_BETA to the power
    of its loss. Aslam, Pavlu & Savell 2003, section 3.
    """
    runs, _, ranks = lists.entries
    n = lists.n_documents
    others = _gains_of_others(lists)
    more = np.log(n / ranks) / 2 - others[runs]  # than a run that lacks the document
    sums, losses = _Sums(lists, more), np.zeros(lists.n_runs)
    for _ in range(n):
        # Only ratios of weights matter, so that the largest weight may be one.
        weights = HEDGE_BETA ** (losses - losses.min())
        document = sums.best(weights, weights @ others)
        yield document
        gains = others + sums.of(document)
        losses += -gains if answer(document) else gains


def rbp_residual(lists: TopicLists) -> Documents:
    """Choose the document with the largest sum of RBP weights, times the residuals of the runs.

    The residual of a run is the weight of its documents that are not chosen yet. Method B of
    Moffat, Webber & Zobel 2007. No answer is needed.
    """
    return _by_rbp(lists, lambda _: False, lambda _, residuals: residuals)


def rbp_competitive(lists: TopicLists, answer: Answer) -> Documents:
    """Choose as `rbp_residual` does, with runs weighted by what they may reach.

    The factor of a run is its residual times (RBP + residual / 2) ** 3. Method C of Moffat, Webber
    & Zobel 2007: it prefers documents that tell the best runs apart.
    """
    return _by_rbp(lists, answer, lambda rbp, rest: rest * (rbp + rest / 2) ** 3)


def fair_by_run(lists: TopicLists) -> Documents:
    """Let the runs give their next document in turn, each one that nobody gave before.

    FairTake@N of Lipani et al. 2017. For organizations, give the lists of organizations.
    """
    reading = _Reading(lists)
    while reading.are_left.any():
        for run in np.flatnonzero(reading.are_left):
            document = reading.next_of(int(run))
            if document is not None:
                yield document


# --------------------------------------------------------------------------- reading list by list


class _Reading:
    """The places up to which the lists were read, where documents that were given are not new."""

    def __init__(self, lists: TopicLists) -> None:
        self._left = [iter(each.tolist()) for each in lists.lists]
        self._given: set[int] = set()
        self.are_left: Flags = lists.lengths > 0

    def next_of(self, run: int) -> int | None:
        """Read a run up to its next new document; None if it has none."""
        for document in self._left[run]:
            if document not in self._given:
                self._given.add(document)
                return int(document)
        self.are_left[run] = False
        return None


def _by_posterior(
    lists: TopicLists, answer: Answer, value_of: Callable[[Floats, Floats], Floats]
) -> Documents:
    """Read the run with the highest value of its posterior: Beta(relevant + 1, others + 1)."""
    relevant, others = np.ones(lists.n_runs), np.ones(lists.n_runs)
    reading = _Reading(lists)
    while reading.are_left.any():
        run = _first_best(value_of(relevant, others), reading.are_left)
        document = reading.next_of(run)
        if document is not None:
            yield document
            (relevant if answer(document) else others)[run] += 1


# -------------------------------------------------------------------------------- sums over runs


class _Sums:
    """Sums over runs of a value for each place of the lists, and the documents not chosen yet."""

    def __init__(self, lists: TopicLists, values: Floats) -> None:
        # scipy takes half a second to import.
        from scipy.sparse import csr_array  # noqa: PLC0415

        runs, documents, _ = lists.entries
        shape = lists.n_documents, lists.n_runs
        self._values = csr_array((values, (documents, runs)), shape=shape, dtype=np.float64)
        self._are_open = np.ones(lists.n_documents, dtype=bool)

    def best(self, factors: Floats, constant: float = 0.0) -> int:
        """Choose the document with the largest sum, where each run has a factor."""
        document = _first_best(constant + self._values @ factors, self._are_open)
        self._are_open[document] = False
        return document

    def of(self, document: int) -> Floats:
        """Return the value of a document in each run, 0 where it is not."""
        found = np.zeros(self._values.shape[1])
        places = slice(*self._values.indptr[document : document + 2])
        found[self._values.indices[places]] = self._values.data[places]
        return found


def _by_rbp(
    lists: TopicLists, answer: Answer, factors_of: Callable[[Floats, Floats], Floats]
) -> Documents:
    _, _, ranks = lists.entries
    sums = _Sums(lists, (1 - PERSISTENCE) * np.power(PERSISTENCE, ranks - 1, dtype=np.float64))
    scores, residuals = np.zeros(lists.n_runs), np.ones(lists.n_runs)
    for _ in range(lists.n_documents):
        document = sums.best(factors_of(scores, residuals))
        yield document
        residuals -= sums.of(document)
        if answer(document):
            scores += sums.of(document)


def _gains_of_others(lists: TopicLists) -> Floats:
    """Return the gain that each run expects of a document that it lacks, for `hedge`."""
    n = lists.n_documents
    logs = np.log(np.arange(1, n + 1))
    after = np.append(np.cumsum(logs[::-1])[::-1], 0.0)  # sums over the ranks from k + 1 on
    n_left = n - lists.lengths
    mean = np.divide(after[lists.lengths], n_left, out=np.zeros(lists.n_runs), where=n_left > 0)
    gains: Floats = (np.log(n) - mean) / 2
    return gains


def _first_best(values: Floats, are_possible: Flags) -> int:
    """Return the first of the possible places with the highest value.

    Sums that are equal in theory differ in their last digits, so that 12 digits are compared.
    """
    possible = np.where(are_possible, values, -np.inf)
    best = possible.max()
    return int(np.argmax(possible >= best - abs(best) * 1e-12))
