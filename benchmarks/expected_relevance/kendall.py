"""Kendall's tau between true scores and estimates, with its standard error over organizations."""

import numpy as np
import polars as pl

from .arrays import Floats

KEY = ("collection_id", "measure", "estimator")


def taus(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tau of each estimator. The standard error leaves out an organization at a time."""
    found = []
    for key, group in rows.sort("run_id").group_by(*KEY, maintain_order=True):
        truth, estimate = (group[name].to_numpy() for name in ("true_score", "estimate"))
        agreement, untied = _pairs(truth, estimate)
        owner = group["organization"].to_numpy()
        without = np.array([_tau(agreement, untied, owner != name) for name in np.unique(owner)])
        spread = np.sum((without - without.mean()) ** 2)
        found.append(
            {
                **dict(zip(KEY, key, strict=True)),
                "kendall_tau": _tau(agreement, untied, np.full(len(owner), True)),
                "kendall_tau_se": float(np.sqrt(spread * (len(without) - 1) / len(without))),
            }
        )
    return pl.DataFrame(found)


def _pairs(truth: Floats, estimate: Floats) -> tuple[Floats, list[Floats]]:
    orders = [
        np.sign(np.round(scores[:, None] - scores[None, :], 9)) for scores in (truth, estimate)
    ]
    return np.asarray(orders[0] * orders[1]), [np.abs(order) for order in orders]


def _tau(agreement: Floats, untied: list[Floats], which: Floats) -> float:
    """Return tau-b among some of the runs."""
    pairs = np.ix_(which, which)
    scale = np.sqrt(untied[0][pairs].sum() * untied[1][pairs].sum())
    return float(agreement[pairs].sum() / scale) if scale else float("nan")
