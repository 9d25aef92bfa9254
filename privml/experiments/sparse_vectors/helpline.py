"""A helpline: how many people called on each day, and on which days they were many."""

from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.distributions import Laplace
from privml.mechanisms import RestartingSparseVector, SparseVector

BUSY_DAYS = (90, 91, 200, 201, 305)
USUAL_CALLERS, BUSY_CALLERS = 40, 420


def busy_year(n_days: int, seed: int) -> NDArray[np.int64]:
    """Numbers of callers on each day: about 40, and about 420 on five busy days.

    Parameters
    ----------
    n_days : int
        Length of the stream; busy days beyond it do not happen.
    seed : int
        Seed of the made-up data.

    Returns
    -------
    ndarray of int, shape (n_days,)

    Examples
    --------
    >>> counts = busy_year(365, seed=1)
    >>> np.flatnonzero(counts > 200).tolist()
    [90, 91, 200, 201, 305]
    """
    means = np.full(n_days, USUAL_CALLERS)
    means[[day for day in BUSY_DAYS if day < n_days]] = BUSY_CALLERS
    return np.random.default_rng(seed).poisson(means)


def answers_of_a_year(n_days: int, epsilon: float, threshold: float, cutoff: int, seed: int) -> pd.DataFrame:
    """One run of the sparse vector over a year of calls, beside noisy counts for every day.

    Parameters
    ----------
    n_days : int
        Length of the stream.
    epsilon : float
        Privacy parameter of the run, and that of all noisy counts together, in nats.
    threshold : float
        Callers from which on a day is busy.
    cutoff : int
        Number of busy days after which the run halts.
    seed : int
        Seed of the made-up data and of the noise.

    Returns
    -------
    DataFrame
        Columns ``day``, ``callers``, ``noisy_callers`` (Laplace noise of scale n_days / epsilon) and
        ``answer``: "busy", "quiet" or "none" after the halt.

    Examples
    --------
    >>> answers_of_a_year(365, 1.0, 250.0, 6, seed=1).query("answer == 'busy'")["day"].tolist()
    [90, 91, 200, 201, 305]
    """
    counts = busy_year(n_days, seed)
    noise, coins = np.random.default_rng(seed).spawn(2)
    run = SparseVector(epsilon=epsilon, threshold=threshold, cutoff=cutoff).run(counts, rng=coins)
    answers = np.full(n_days, "none", dtype=object)
    answers[: run.crossings.size] = np.where(run.crossings, "busy", "quiet")
    noisy = counts + Laplace(scale=n_days / epsilon).rvs(n_days, rng=noise)
    return pd.DataFrame(
        {"day": np.arange(n_days), "callers": counts, "noisy_callers": noisy, "answer": answers}
    )


def audit_of_days(epsilon: float, n_people: int, n_days: int) -> pd.DataFrame:
    """Exact epsilon of four sparse vectors over all sets of people and all days on which each may call.

    Parameters
    ----------
    epsilon : float
        Privacy parameter that each mechanism claims, in nats.
    n_people : int
        Size of the data sets (of the larger one under ``ADD_OR_REMOVE_ONE``).
    n_days : int
        Length of the stream.

    Returns
    -------
    DataFrame
        Columns ``mechanism``, ``relation``, ``claim`` (pure epsilon), ``exact_epsilon``, ``n_pairs``.

    Examples
    --------
    >>> table = audit_of_days(1.0, 2, 2)
    >>> bool((table["exact_epsilon"] <= table["claim"]).all())
    True
    """
    replace, add = Adjacency
    shape = {"epsilon": epsilon, "threshold": n_people / 2}
    restarting = RestartingSparseVector(delta=1e-6, cutoff=2, **shape)
    cases = [
        ("once, cut-off 1", SparseVector(**shape), epsilon),
        ("once, cut-off 2", SparseVector(cutoff=2, **shape), epsilon),
        ("once, cut-off 2, monotone", SparseVector(cutoff=2, monotone=True, adjacency=add, **shape), epsilon),
        ("restarting, cut-off 2", restarting, 4 / restarting.noise.threshold_scale),
    ]
    people = np.array(list(product((0, 1), repeat=n_days)))
    rows = []
    for name, mechanism, claim in cases:
        for relation in (add,) if "monotone" in name else (replace, add):
            law = lambda z, mechanism=mechanism: mechanism.output_distribution(z.sum(axis=0))  # noqa: E731
            found = audit.exact(law, people, n_people, adjacency=relation)
            rows.append((name, str(relation), claim, found.epsilon, found.n_pairs))
    return pd.DataFrame(rows, columns=["mechanism", "relation", "claim", "exact_epsilon", "n_pairs"])
