"""The analyst who overfits, answered in four ways; the only tables of the chapter that are simulated."""

from collections.abc import Sequence
from math import inf, sqrt

import numpy as np
import pandas as pd

from privml.learnability import (
    gaussian_answers,
    laplace_answer_epsilon,
    laplace_bias,
    laplace_noise,
    majority_errors,
    mean_square_gap,
    split_answers_error,
)


def _noise_for(answers: str, n_samples: int, k: int) -> tuple[float, float]:
    """Noise on each of k answers, and what is promised for the root-mean-square error of the last."""
    best = gaussian_answers(n_samples, k)
    if answers == "reuse":
        return 0.0, inf
    if answers == "split":
        return 0.0, split_answers_error(n_samples, k)
    if answers == "gaussian":
        return best.sigma, best.root_mean_square
    scale = laplace_noise(n_samples, k, best.rho)
    promised = sqrt(2 * scale**2 + mean_square_gap(best.rho * (k - 1) / k, n_samples))
    return scale, promised


def adaptive_errors(
    features: Sequence[int], n_samples: int, *, repetitions: int, seed: int | None
) -> pd.DataFrame:
    """Errors of the last answer to the analyst, for several numbers of features and ways to answer.

    Parameters
    ----------
    features : sequence of int
        Numbers of features, odd; there is one query more.
    n_samples : int
        Records.
    repetitions : int
        Samples for each row.
    seed : int or None
        Seed; each row has its own stream.

    Returns
    -------
    DataFrame
        Columns ``features``, ``answers``, ``noise``, ``mean``, ``standard_error``, ``root_mean_square``,
        ``promised`` (of the last; infinite for reuse) and ``exact`` (of the mean; NaN for Gaussian noise).

    Examples
    --------
    >>> table = adaptive_errors([101], 200, repetitions=50, seed=0)
    >>> table.round(3)[["answers", "mean", "promised", "exact"]].head(2)
        answers   mean  promised  exact
    0     reuse  0.220       inf  0.215
    1  gaussian  0.051     0.236    NaN
    """
    streams = np.random.default_rng(seed).spawn(4 * len(features))
    rows = []
    for index, k in enumerate(features):
        for place, answers in enumerate(("reuse", "gaussian", "laplace", "split")):
            noise, promised = _noise_for(answers, n_samples, k + 1)
            rng = streams[4 * index + place]
            errors = majority_errors(
                k, n_samples, answers=answers, noise=noise, repetitions=repetitions, rng=rng
            )
            exact = {"gaussian": np.nan, "split": 0.0}.get(answers)
            exact = laplace_bias(k, n_samples, noise) if exact is None else exact
            spread = errors.std(ddof=1) / sqrt(repetitions)
            rms = sqrt(np.mean(errors**2))
            rows.append((k, answers, noise, errors.mean(), spread, rms, promised, exact))
    names = [
        "features",
        "answers",
        "noise",
        "mean",
        "standard_error",
        "root_mean_square",
        "promised",
        "exact",
    ]
    return pd.DataFrame(rows, columns=names)


def noise_sweep(n_features: int, n_samples: int, noises: Sequence[float]) -> pd.DataFrame:
    """Exact bias that Laplace noise leaves, the noise itself, and the bound on the bias.

    Parameters
    ----------
    n_features : int
        Number of features, odd.
    n_samples : int
        Records.
    noises : sequence of float
        Scales of the noise.

    Returns
    -------
    DataFrame
        Columns ``noise``, ``bias``, ``deviation`` of the noise, and ``bound`` on the bias.

    Examples
    --------
    >>> noise_sweep(101, 1000, [0.05]).round(4)
       noise    bias  deviation   bound
    0   0.05  0.0317     0.0707  0.1005
    """
    rows = []
    for noise in noises:
        rho = n_features / (2 * (noise * n_samples) ** 2)
        rows.append((noise, laplace_bias(n_features, n_samples, noise), sqrt(2) * noise, sqrt(rho / 2)))
    return pd.DataFrame(rows, columns=["noise", "bias", "deviation", "bound"])


def answer_errors(n_samples: int, queries: Sequence[int]) -> pd.DataFrame:
    """Proved root-mean-square errors of adaptive answers against their number.

    Parameters
    ----------
    n_samples : int
        Records.
    queries : sequence of int
        Numbers of queries.

    Returns
    -------
    DataFrame
        Columns ``queries``, ``gaussian``, ``split`` and ``fixed``, one query that is fixed in advance.

    Examples
    --------
    >>> answer_errors(10_000, [100]).round(4)
       queries  gaussian  split  fixed
    0      100    0.0332   0.05  0.005
    """
    rows = [
        (k, gaussian_answers(n_samples, k).root_mean_square, split_answers_error(n_samples, k))
        for k in queries
    ]
    table = pd.DataFrame(rows, columns=["queries", "gaussian", "split"])
    return table.assign(fixed=1 / sqrt(4 * n_samples))


def answer_rates(n_samples: int, k: int, tau: float) -> pd.DataFrame:
    """Laplace noise for an expected gap of tau: with our rate, and with the one that S16 prints.

    Parameters
    ----------
    n_samples : int
        Records.
    k : int
        Number of adaptive answers.
    tau : float
        Gap.

    Returns
    -------
    DataFrame
        Columns ``rate``, ``epsilon`` of each answer, ``scale`` of its noise, ``gap`` that is promised.

    Examples
    --------
    >>> answer_rates(10_000, 100, 0.1).round(4)
                  rate  epsilon  scale     gap
    0   2 tau / sqrt k   0.0200  0.005  0.1000
    1  tau / sqrt(k m)   0.0001  1.000  0.0005
    """
    rows = []
    rates = {"2 tau / sqrt k": laplace_answer_epsilon(tau, k), "tau / sqrt(k m)": tau / sqrt(k * n_samples)}
    for name, epsilon in rates.items():
        rows.append((name, epsilon, 1 / (epsilon * n_samples), sqrt(k) * epsilon / 2))
    return pd.DataFrame(rows, columns=["rate", "epsilon", "scale", "gap"])
