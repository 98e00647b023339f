"""The estimator `expected_relevance` in numpy, with terms that can be switched off or changed.

The models in models/intermediate/estimators/expected_relevance define the estimator. This copy of
it repeats their names. It leaves out one organization at a time.
"""

from dataclasses import dataclass

import numpy as np

from .arrays import Flags, Floats, Integers, Pool

# Two supports that differ by less than float noise are equal, as in the macro `comparable`.
_DECIMALS = 9
# A document of two organizations is rare to each of them.
_RARE = 2


@dataclass(frozen=True)
class Terms:
    """The terms of a variant; by default those of the estimator."""

    rare_precision: bool = True
    topic_precision: bool = True
    n_classes: int = 5
    """Classes of support; with one class, support does not matter."""
    prior: float = 10
    """Number of documents that a prior share counts for."""
    deepest_support: float = np.inf
    """The deepest rank at which an organization supports a document."""
    precisions_without_leaver: bool = False
    """Whether the precisions of other organizations ignore what the leaving one contributed."""
    examples_with_leaver: bool = False
    """Whether the examples are of the whole pool.

    Then a document that the leaving organization shares with one other is no example, and the
    support of an example counts the leaving organization.
    """


class Estimates:
    """Probabilities of relevance by a variant, in one pool."""

    def __init__(self, pool: Pool, terms: Terms) -> None:
        self._pool = pool
        self._terms = terms
        self._contributed = pool.contributed()
        self._n_organizations = self._contributed.sum(axis=1)
        is_near = pool.best_rank <= terms.deepest_support
        self._support = np.where(is_near, 1 / (pool.best_rank + 5), 0)
        self._total_support = self._support.sum(axis=1)
        self._limits = self._class_limits()
        self._is_relevant = pool.is_relevant[pool.document]
        self._products = self._precision_products()

    def gains(self, weights: Floats) -> Floats:
        """Return how much each run is expected to gain, where its organization is left out."""
        pool = self._pool
        gains = np.zeros(len(pool.run_ids))
        weight = weights[np.minimum(pool.rank, len(weights) - 1)] * (pool.rank < len(weights))
        for leaver in range(self._contributed.shape[1]):
            rows, probability = self._probabilities(leaver)
            gains += np.bincount(pool.run[rows], probability * weight[rows], len(gains))
        return np.asarray(gains / pool.n_answers)

    def _probabilities(self, leaver: int) -> tuple[Integers, Floats]:
        """Return the contributions that nobody judges without the leaver, and probabilities."""
        terms, pool = self._terms, self._pool
        products = self._products
        if terms.precisions_without_leaver:
            products = self._precision_products(leaver)
        is_leavers = pool.organization == leaver
        leaves = self._contributed[:, leaver] & (not terms.examples_with_leaver)
        n_left = (self._n_organizations - leaves)[pool.document]
        examples = np.flatnonzero(~is_leavers & (n_left == 1))
        unjudged = np.flatnonzero(is_leavers & (self._n_organizations[pool.document] == 1))
        support = self._support_by_others(examples)
        if not terms.examples_with_leaver:
            support = support - self._support[pool.document[examples], leaver]
        factors = self._factors(
            self._classes(support), products[examples], self._is_relevant[examples]
        )
        classes = self._classes(self._support_by_others(unjudged))
        return unjudged, np.minimum(1, factors[classes] * products[unjudged])

    def _factors(self, classes: Integers, products: Floats, is_relevant: Flags) -> Floats:
        """Return the factor of each class, with the factor of all classes as the prior."""
        n_classes, prior = self._terms.n_classes, self._terms.prior
        if not len(products) or not products.sum():
            return np.ones(n_classes)
        expected = prior * products.mean()
        factor = is_relevant.sum() / products.sum()
        relevant = np.bincount(classes, is_relevant, n_classes)
        return np.asarray(
            (relevant + factor * expected) / (np.bincount(classes, products, n_classes) + expected)
        )

    def _precision_products(self, leaver: int | None = None) -> Floats:
        """Return the product of precisions of each contribution, without the leaver if given."""
        pool, terms = self._pool, self._terms
        n_runs, n_topics = len(pool.run_ids), pool.n_topics
        counts = self._n_organizations
        if leaver is not None:
            counts = counts - self._contributed[:, leaver]
        # the counts are without the leaver, and so need not lose it again for its own runs
        n_others = counts[pool.document] - (pool.organization != leaver)
        judged, rare = n_others > 0, n_others == 1

        def share(which: Flags, groups: Integers, n_groups: int, base: Floats) -> Floats:
            number = np.bincount(groups[which], minlength=n_groups)
            relevant = np.bincount(groups[which], self._is_relevant[which], n_groups)
            return np.asarray((relevant + terms.prior * base) / (number + terms.prior))

        precision = _mean(pool.is_relevant[counts > 1])
        rare_precision = _mean(pool.is_relevant[counts == _RARE])
        of_run = share(judged, pool.run, n_runs, np.full(n_runs, precision))
        rare_of_run = share(rare, pool.run, n_runs, np.full(n_runs, rare_precision))
        cells = pool.run * n_topics + pool.topic[pool.document]
        of_topic = share(judged, cells, n_runs * n_topics, np.repeat(of_run, n_topics))
        products = np.ones(len(pool.run))
        if terms.rare_precision:
            products = products * rare_of_run[pool.run]
        if terms.topic_precision:
            products = products * of_topic[cells]
        return products

    def _support_by_others(self, contributions: Integers) -> Floats:
        """Return the support of contributed documents by organizations of other runs."""
        document = self._pool.document[contributions]
        own = self._support[document, self._pool.organization[contributions]]
        return np.asarray(self._total_support[document] - own)

    def _class_limits(self) -> Floats:
        """Return the limits between classes with equally many documents of one contributor."""
        sole = np.flatnonzero(self._n_organizations == 1)
        own = self._support[sole, self._contributed[sole].argmax(axis=1)]
        n_classes = self._terms.n_classes
        if not len(sole):
            return np.zeros(n_classes - 1)
        shares = np.arange(1, n_classes) / n_classes
        support = (self._total_support[sole] - own).round(_DECIMALS)
        return np.asarray(np.quantile(support, shares))

    def _classes(self, support: Floats) -> Integers:
        return np.asarray(np.searchsorted(self._limits, support.round(_DECIMALS), side="right"))


def _mean(flags: Flags) -> float:
    return float(flags.mean()) if len(flags) else 0.0
