"""An analyst who overfits, and four ways to answer.

The population: a fair coin y and k fair coins ``x_1, ..., x_k``, all independent.  The analyst asks how
often each x_j agrees with y, lets every x_j vote with the sign of the answer, and asks how often the
majority agrees with y.  All truths are 1/2: this is what selecting features by their correlation with the
label, and then testing the aggregate on the same sample, does to noise.

* *reuse*: all answers are means of one sample;
* *laplace*, *gaussian*: the same with noise on each answer;
* *split*: each query has its own part of the sample.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.bounds.adaptive_queries import overfitting_bias

ANSWERS = ("reuse", "laplace", "gaussian", "split")
_BLOCK_ENTRIES = 1 << 22
_LARGEST_TABLE = 1 << 28


def _checked(n_features: int, n_samples: int, answers: str, noise: float) -> None:
    check.positive_integer(n_features=n_features, n_samples=n_samples)
    check.one_of(ANSWERS, answers=answers)
    if n_features * n_samples > _LARGEST_TABLE:
        raise ValueError(
            f"n_features * n_samples must be at most {_LARGEST_TABLE}, got {n_features!r} * {n_samples!r}"
        )
    if n_features % 2 == 0:
        raise ValueError(f"n_features must be odd, got {n_features!r}")
    if answers in ("reuse", "split"):
        if noise != 0:
            raise ValueError(f"noise must be 0 for answers {answers!r}, got {noise!r}")
    else:
        check.positive(noise=noise)
    if answers == "split" and n_samples < n_features + 1:
        raise ValueError(f"n_samples must be at least {n_features + 1} for a split, got {n_samples!r}")


def _noise(answers: str, noise: float, size: tuple, rng: np.random.Generator) -> NDArray[np.float64]:
    if answers == "laplace":
        return rng.laplace(0, noise, size)
    return noise * rng.standard_normal(size)


def majority_errors(
    n_features: int,
    n_samples: int,
    *,
    answers: str,
    noise: float = 0.0,
    repetitions: int = 100,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.float64]:
    """Errors of the last answer to the analyst, in independent repetitions.

    Parameters
    ----------
    answers : {"reuse", "laplace", "gaussian", "split"}
        How queries are answered.
    noise : float, default 0
        Scale of Laplace noise or standard deviation of Gaussian noise on each answer.
    repetitions : int, default 100
        Number of independent samples.

    Returns
    -------
    ndarray of shape (repetitions,)
        Last answer minus 1/2, the truth.

    Notes
    -----
    **Source.** S16-rem-recap, the game of adaptive queries.

    Examples
    --------
    >>> majority_errors(201, 450, answers="reuse", repetitions=200, rng=0).mean().round(3).item()
    0.204
    >>> majority_errors(201, 4500, answers="split", repetitions=200, rng=0).mean().round(3).item()
    0.013
    """
    _checked(n_features, n_samples, answers, noise)
    check.positive_integer(repetitions=repetitions)
    rng = np.random.default_rng(rng)
    if answers == "split":  # the last part is fresh, so that its records agree as fair coins do
        part = n_samples // (n_features + 1)
        return rng.binomial(part, 0.5, repetitions) / part - 0.5
    found = np.empty(repetitions)
    for index in range(repetitions):
        agree = rng.integers(0, 2, (n_samples, n_features), dtype=np.int8)
        first = agree.mean(axis=0) + _noise(answers, noise, (n_features,), rng)
        signs = np.where(first > 0.5, 1, -1)
        votes = (2.0 * agree - 1) @ signs
        found[index] = (votes > 0).mean() - 0.5 + float(_noise(answers, noise, (), rng))
    return found


def laplace_bias(n_features: int, n_samples: int, noise: float) -> float:
    """Exact mean of :func:`majority_errors` with Laplace noise, or none: the bias that is left.

    Parameters
    ----------
    noise : float
        Scale of the noise, non-negative.

    Notes
    -----
    **Source.** S16-rem-recap; the closed form is :func:`privml.bounds.adaptive_queries.overfitting_bias`.

    Examples
    --------
    >>> round(laplace_bias(201, 450, 0.0), 4), round(laplace_bias(201, 450, 0.05), 4)
    (0.2033, 0.0889)
    """
    return overfitting_bias(n_features, n_samples, noise_scale=noise)


def laplace_noise(n_samples: int, k: int, rho: float) -> float:
    """Scale of Laplace noise at which k answers about means of m records are rho-concentrated together.

    Returns
    -------
    float
        ``1 / (m epsilon_0)`` with ``epsilon_0 = sqrt(2 rho / k)``, as ``epsilon_0^2 / 2`` is enough for each.

    Notes
    -----
    **Privacy.** rho-concentrated under ``REPLACE_ONE``.
    **Source.** S16-rem-recap.

    Examples
    --------
    >>> laplace_noise(1000, 50, 0.01)
    0.05
    """
    check.positive_integer(n_samples=n_samples, k=k)
    check.positive(rho=rho)
    return 1 / (n_samples * sqrt(2 * rho / k))
