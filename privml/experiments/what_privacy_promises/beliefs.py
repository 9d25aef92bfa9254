"""Tables on what an observer believes: correlated records, any prior, and facts about the population."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.divergences import privacy_loss
from privml.experiments.what_privacy_promises.base import yes_count_law
from privml.mechanisms import RandomisedResponse


def family_odds(epsilon: float, sizes: Sequence[int]) -> pd.DataFrame:
    """Largest factor on the odds of one record when all records are known to be equal.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``factor`` (exact, from the number of yes) and ``log_factor`` in nats.

    Examples
    --------
    >>> family_odds(1.0, [1, 3]).round(4)
       n_samples   factor  log_factor
    0          1   2.7183         1.0
    1          3  20.0855         3.0
    """
    law, rows = yes_count_law(epsilon), []
    for m in sizes:
        loss = float(privacy_loss(np.log(law([1] * m)), np.log(law([0] * m))).max())
        rows.append((m, float(np.exp(loss)), loss))
    return pd.DataFrame(rows, columns=["n_samples", "factor", "log_factor"])


def _shift(prior: NDArray, with_record: NDArray, without: NDArray) -> NDArray[np.float64]:
    """Total variation between the posteriors for each output; arguments (n_data,), (n_data, n_outcomes)."""
    posteriors = [prior[:, None] * laws for laws in (with_record, without)]
    posteriors = [joint / joint.sum(axis=0) for joint in posteriors]
    return np.abs(posteriors[0] - posteriors[1]).sum(axis=0) / 2


def random_beliefs(epsilon: float, n_samples: int, n_priors: int, seed: int) -> pd.DataFrame:
    """How far one record moves what an observer believes about the whole data set, for random priors.

    The release is the parity of all bits with randomised response.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.
    n_samples : int
        Number of records.
    n_priors : int
        How many priors, laws on all 2^m data sets; later ones are more concentrated.
    seed : int
        Of the priors.

    Returns
    -------
    DataFrame
        Columns ``prior`` and ``shift``, the largest total variation over both outputs between the posterior
        with the first record and that with "no" in its place; ``bound``, tanh(epsilon / 2).

    Examples
    --------
    >>> table = random_beliefs(1.0, 3, 20, seed=0)
    >>> bool((table["shift"] <= table["bound"]).all())
    True
    """
    rng, survey = np.random.default_rng(seed), RandomisedResponse(epsilon)
    laws = np.array([survey.output_distribution(parity).pmf() for parity in (0, 1)])
    data = np.array(list(product((0, 1), repeat=n_samples)))
    rest = data[:, 1:].sum(axis=1)
    here, replaced = laws[(rest + data[:, 0]) % 2], laws[rest % 2]
    rows = []
    for k, concentration in enumerate(np.geomspace(1.0, 0.02, n_priors)):
        prior = np.exp(_log_gammas(rng, concentration, len(data)))
        rows.append((k, float(_shift(prior, here, replaced).max()), float(np.tanh(epsilon / 2))))
    return pd.DataFrame(rows, columns=["prior", "shift", "bound"])


def _log_gammas(rng: np.random.Generator, shape: float, size: int) -> NDArray[np.float64]:
    """Logarithms of gamma variables up to a constant, also for shapes so small that they would underflow."""
    logs = np.log(rng.gamma(shape + 1, size=size)) + np.log(rng.random(size)) / shape
    return np.maximum(logs - logs.max(), -600.0)


def parity_beliefs(epsilon: float) -> pd.DataFrame:
    """The case that attains the bound: the parity of two bits with randomised response, the first one known.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.

    Returns
    -------
    DataFrame
        For an odd answer: ``other`` (the second bit), its probability ``prior``, then ``with_record`` and
        ``without`` (posteriors, with the first bit 1 and with 0 in its place), ``bound`` on the difference.

    Examples
    --------
    >>> parity_beliefs(1.0).round(4)
       other  prior  with_record  without   bound
    0      0    0.5       0.7311   0.2689  0.4621
    1      1    0.5       0.2689   0.7311  0.4621
    """
    survey = RandomisedResponse(epsilon)
    odd = np.array([survey.output_distribution(parity).pmf()[1] for parity in (0, 1)])
    table = pd.DataFrame({"other": [0, 1], "prior": [0.5, 0.5]})
    table = table.assign(with_record=odd[::-1] / odd.sum(), without=odd / odd.sum())
    return table.assign(bound=np.tanh(epsilon / 2))


def smoking_study(
    epsilon: float, sizes: Sequence[int], rates: tuple[float, float] = (0.2, 0.6)
) -> pd.DataFrame:
    """What an insurer believes about the illness of one smoker, whether or not she takes part in the study.

    Either smoking has no effect or it does, with even odds; a smoker is ill with the first or the second
    rate.  The study publishes the number of yes after randomised response of m smokers.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.
    sizes : sequence of int
        Numbers of participants m, hers included.
    rates : tuple of float
        Rates of illness without and with an effect.

    Returns
    -------
    DataFrame
        Columns ``n_samples``; ``before``, her chance of being ill as the insurer sees it without a study;
        ``with_record`` and ``without``, the mean of it after the study if there is an effect, when she takes
        part and when "no" stands in her place; ``largest_difference`` of the two over all outputs and its
        ``bound``.

    Examples
    --------
    >>> smoking_study(1.0, [1, 100]).round(4)
       n_samples  before  with_record  without  largest_difference   bound
    0          1     0.4       0.4414    0.400              0.2444  0.4621
    1        100     0.4       0.5850    0.581              0.2030  0.4621
    """
    from scipy.stats import binom

    survey, rates = RandomisedResponse(epsilon), np.array(rates)
    yes_rates = rates * survey.keep + (1 - rates) * (1 - survey.keep)
    coin = [survey.output_distribution(bit).pmf() for bit in (0, 1)]
    rows = []
    for m in sizes:
        others = [binom.pmf(np.arange(m), m - 1, rate) for rate in yes_rates]
        healthy, ill = (np.array([np.convolve(law, coin[bit]) for law in others]) for bit in (0, 1))
        joint = rates[:, None] * ill, (1 - rates)[:, None] * healthy
        taking_part = joint[0].sum(axis=0) / (joint[0] + joint[1]).sum(axis=0)
        absent = (rates[:, None] * healthy).sum(axis=0) / healthy.sum(axis=0)
        means = float((joint[0] + joint[1])[1] @ taking_part), float(healthy[1] @ absent)
        largest = float(np.abs(taking_part - absent).max())
        rows.append((m, float(rates.mean()), *means, largest, float(np.tanh(epsilon / 2))))
    columns = ["n_samples", "before", "with_record", "without", "largest_difference", "bound"]
    return pd.DataFrame(rows, columns=columns)
