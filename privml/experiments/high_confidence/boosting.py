"""How often a learner is bad, with and without boosting: exact laws on a small problem, and real fits.

The small problem: each record is yes with probability p, a hypothesis is one of a few equally spaced levels
h in [0, 1], its loss is h on a no and 1 - h on a yes.  For p < 1/2 the best level is 0 and the excess risk of
h is (1 - 2 p) h.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binom

from privml.bounds.boosting_selection import boosting_blocks
from privml.datasets import load_breast_cancer
from privml.learners import ExponentialPACLearner, PrivateConfidenceBooster, boosted_law, exponential_law

SMALLEST = 1e-18
"""Numbers of yeses that are less probable than this are left out."""


def total_losses(yes: NDArray, n_records: int, levels: NDArray) -> NDArray[np.float64]:
    """Total losses of the levels, one row for each number of yeses.

    Examples
    --------
    >>> total_losses(np.array([1]), 3, np.array([0.0, 0.5, 1.0])).tolist()
    [[1.0, 1.5, 2.0]]
    """
    return np.multiply.outer(n_records - yes, levels) + np.multiply.outer(yes, 1 - levels)


def candidate_law(n_records: int, share: float, epsilon: float, asleep: float, levels: NDArray) -> NDArray:
    """Law of a candidate over samples and coins: the mechanism, or a uniform level if it is asleep.

    Examples
    --------
    >>> candidate_law(1, 0.0, 1.0, 1.0, np.array([0.0, 1.0])).tolist()
    [0.5, 0.5]
    """
    yes = np.arange(n_records + 1)
    laws = exponential_law(epsilon)(total_losses(yes, n_records, levels))
    awake = binom.pmf(yes, n_records, share) @ laws
    return (1 - asleep) * awake + asleep / len(levels)


def chosen_law(
    n_records: int, share: float, epsilon: float, asleep: float, n_candidates: int, levels: NDArray
) -> NDArray[np.float64]:
    """Law of the level that boosting returns, with half of the records for validation.

    Examples
    --------
    >>> chosen_law(4, 0.0, 1.0, 1.0, 1, np.array([0.0, 1.0])).tolist()
    [0.5, 0.5]
    """
    blocks = boosting_blocks(n_records, n_candidates, validation="half")
    law = candidate_law(blocks.learning, share, epsilon, asleep, levels)
    yes = np.arange(blocks.validation + 1)
    chances = binom.pmf(yes, blocks.validation, share)
    scores = -total_losses(yes, blocks.validation, levels)
    kept = np.flatnonzero(chances > SMALLEST)
    return sum(chances[k] * boosted_law([law] * n_candidates, scores[k], epsilon) for k in kept)


def survival(
    n_records: int, share: float, epsilon: float, asleep: float, n_candidates: int, *, n_levels: int = 5
) -> pd.DataFrame:
    """Exact probability that the excess risk is at least so large: two learners, alone and boosted.

    Parameters
    ----------
    n_records : int
        Number of records in all.
    share : float
        Probability of a yes, below 1/2.
    epsilon : float
        Privacy parameter of each learner and of the choice, in nats.
    asleep : float
        Probability with which the second learner ignores its records.
    n_candidates : int
        Number of candidates.
    n_levels : int, default 5
        Size of the class.

    Returns
    -------
    DataFrame
        Columns ``learner`` ("awake" or "drowsy"), ``boosted``, ``excess`` (of each level but the best),
        ``probability``, ``mean`` (expected excess risk) and ``markov`` (mean over excess, at most 1).

    Examples
    --------
    >>> table = survival(60, 0.3, 1.0, 0.05, 3)
    >>> bool((table["probability"] <= table["markov"] + 1e-12).all())
    True
    """
    levels = np.linspace(0, 1, n_levels)
    excess = (1 - 2 * share) * levels
    rows = []
    for learner, chance in (("awake", 0.0), ("drowsy", asleep)):
        alone = candidate_law(n_records, share, epsilon, chance, levels)
        whole = chosen_law(n_records, share, epsilon, chance, n_candidates, levels)
        for boosted, law in ((False, alone), (True, whole)):
            mean, tail = float(law @ excess), law[::-1].cumsum()[::-1]
            rows += [
                (learner, boosted, excess[j], tail[j], mean, min(1.0, mean / excess[j]))
                for j in range(1, n_levels)
            ]
    return pd.DataFrame(rows, columns=["learner", "boosted", "excess", "probability", "mean", "markov"])


def tumours(epsilons: Sequence[float], n_candidates: int, n_runs: int, *, seed: int) -> pd.DataFrame:
    """Errors on held-out tumours in many runs: private decision stumps alone, and boosted.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats.
    n_candidates : int
        Number of candidates.
    n_runs : int
        Runs, each with another random split of the records, 400 for training.
    seed : int
        Of all randomness.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``learner`` ("alone" or "boosted"), ``mean``, ``worst`` (error), in all runs.

    Examples
    --------
    >>> tumours([1.0], 2, 2, seed=0)["learner"].tolist()
    ['alone', 'boosted']
    """
    cancer, rows = load_breast_cancer(), []
    for epsilon, stream in zip(epsilons, np.random.default_rng(seed).spawn(len(epsilons)), strict=True):
        base = ExponentialPACLearner(epsilon)
        boosted = PrivateConfidenceBooster(base, n_candidates, validation="half")
        errors: dict[str, list[float]] = {"alone": [], "boosted": []}
        for _ in range(n_runs):
            order = stream.permutation(len(cancer.y))
            train, test = order[:400], order[400:]
            for name, learner in (("alone", base), ("boosted", boosted)):
                learner.fit(cancer.X[train], cancer.y[train], rng=stream)
                errors[name].append(1 - learner.score(cancer.X[test], cancer.y[test]))
        rows += [(epsilon, name, np.mean(found), np.max(found)) for name, found in errors.items()]
    return pd.DataFrame(rows, columns=["epsilon", "learner", "mean", "worst"])
