"""Privacy losses and exact privacy curves of noise on the reals and on the integers."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.distributions import Gaussian, Laplace
from privml.divergences import discrete_laplace_delta, gaussian_delta, laplace_delta
from privml.divergences.discrete_gaussian import discrete_gaussian_log_delta
from privml.mechanisms import DiscreteGaussianMechanism, gaussian_sigma

FAR = 40.0  # beyond it there is less than e^-40
N_NODES = 10_000


def losses(scale: float, sigma: float, answers: ArrayLike) -> pd.DataFrame:
    """Densities and privacy losses of answers to a value of 0, against a neighbour's value of 1.

    Parameters
    ----------
    scale : float
        Scale of Laplace noise.
    sigma : float
        Standard deviation of Gaussian noise.
    answers : array_like
        Released numbers.

    Returns
    -------
    DataFrame
        Columns ``noise``, ``answer``, ``density``, ``neighbour`` (density there), ``privacy_loss`` in nats.

    Examples
    --------
    >>> losses(1.0, 1.0, [-2.0]).round(3)
          noise  answer  density  neighbour  privacy_loss
    0   Laplace    -2.0    0.068      0.025           1.0
    1  Gaussian    -2.0    0.054      0.004           2.5
    """
    answers = np.asarray(answers, dtype=float)
    tables = []
    for name, make in {
        "Laplace": lambda a: Laplace(a, scale=scale),
        "Gaussian": lambda a: Gaussian(a, sigma=sigma),
    }.items():
        here, there = (make(value).logpdf(answers) for value in (0.0, 1.0))
        columns = {"noise": name, "answer": answers, "density": np.exp(here), "neighbour": np.exp(there)}
        tables.append(pd.DataFrame(columns | {"privacy_loss": here - there}))
    return pd.concat(tables, ignore_index=True)


def _midpoints(loss: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights of the midpoint rule on both sides of 0 and `loss` and between them."""
    ends = np.array([-FAR, 0.0, loss, loss + FAR])
    steps = np.diff(ends) / N_NODES
    nodes = ends[:-1, None] + steps[:, None] * (np.arange(N_NODES) + 0.5)
    return nodes.ravel(), np.repeat(steps, N_NODES)


def _number_by_quadrature(loss: float, thresholds: ArrayLike) -> NDArray[np.float64]:
    """Curve of a number with Laplace noise of scale 1 that moves by `loss`, at any real thresholds."""
    nodes, weights = _midpoints(loss)
    here, there = (np.exp(Laplace(value).logpdf(nodes)) for value in (0.0, loss))
    factors = np.exp(np.asarray(thresholds, dtype=float))
    return np.array([weights @ np.maximum(0.0, here - factor * there) for factor in factors])


def _two_by_quadrature(loss: float, thresholds: ArrayLike) -> NDArray[np.float64]:
    """Curve of two coordinates that move by `loss` each: the mean over the loss of the first one."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    curve = []
    for threshold in np.asarray(thresholds, dtype=float):
        end = loss - threshold / 2  # beyond it the second coordinate cannot make up for the first
        noise = end * (1 + nodes) / 2
        first_loss = np.append(loss, loss - 2 * noise)
        probability = np.append(0.5, end / 2 * weights * np.exp(-noise) / 2)
        curve.append(probability @ _number_by_quadrature(loss, threshold - first_loss))
    return np.array(curve)


def laplace_curves(epsilon: float, thresholds: ArrayLike) -> pd.DataFrame:
    """Exact curves of epsilon-private Laplace noise on a number, and on two cells that move by the same.

    Parameters
    ----------
    epsilon : float
        Parameter of the mechanism in nats: sensitivity over scale.
    thresholds : array_like
        Where the curves are wanted, between 0 and `epsilon`.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, then for a ``number`` and for ``two`` cells the closed form and
        ``number_quadrature``, ``two_quadrature``.

    Examples
    --------
    >>> laplace_curves(1.0, [0.0, 0.5]).round(6)
       epsilon    number  number_quadrature       two  two_quadrature
    0      0.0  0.393469           0.393469  0.241837        0.241837
    1      0.5  0.221199           0.221199  0.123849        0.123849
    """
    thresholds = np.asarray(thresholds, dtype=float)
    slack = (epsilon - thresholds) / 2
    table = {
        "epsilon": thresholds,
        "number": laplace_delta(thresholds, epsilon, 1.0),
        "number_quadrature": _number_by_quadrature(epsilon, thresholds),
        "two": -np.expm1(-slack) - slack / 2 * np.exp(-slack),
        "two_quadrature": _two_by_quadrature(epsilon / 2, thresholds),
    }
    return pd.DataFrame(table)


def noise_curves(epsilon: float, grid: ArrayLike) -> pd.DataFrame:
    """Exact curves of four kinds of noise of one variance, on a count.

    Parameters
    ----------
    epsilon : float
        Parameter of the Laplace noise in nats; the Gaussian noise gets the variance 2 / epsilon^2.
    grid : array_like
        Where the curves are wanted, in nats.

    Returns
    -------
    DataFrame
        Columns ``noise``, ``epsilon``, ``delta``.

    Examples
    --------
    >>> noise_curves(1.0, [0.5]).round(4)
                   noise  epsilon   delta
    0            Laplace      0.5  0.2212
    1   discrete Laplace      0.5  0.2876
    2           Gaussian      0.5  0.1237
    3  discrete Gaussian      0.5  0.1294
    """
    grid = np.asarray(grid, dtype=float)
    variance = 2 / epsilon**2
    curves = {
        "Laplace": laplace_delta(grid, 1.0, 1 / epsilon),
        "discrete Laplace": discrete_laplace_delta(grid, 1, 1 / epsilon),
        "Gaussian": gaussian_delta(grid, variance**-0.5),
        "discrete Gaussian": np.exp([discrete_gaussian_log_delta(e, 1, variance) for e in grid.tolist()]),
    }
    tables = [pd.DataFrame({"noise": n, "epsilon": grid, "delta": delta}) for n, delta in curves.items()]
    return pd.concat(tables, ignore_index=True)


def real_and_integer_noise(delta: float, epsilons: ArrayLike) -> pd.DataFrame:
    """Least Gaussian noise on a count for (epsilon, delta): on the reals and on the integers.

    Parameters
    ----------
    delta : float
        In (0, 1).
    epsilons : array_like
        In nats, positive.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``real`` (sigma), ``integer`` (root of the variance parameter), ``ratio``.

    Examples
    --------
    >>> real_and_integer_noise(1e-5, [1.0]).round(4)
       epsilon    real  integer   ratio
    0      1.0  3.7306   3.7405  1.0026
    """
    rows = []
    for epsilon in np.asarray(epsilons, dtype=float).tolist():
        real = gaussian_sigma(epsilon, delta)
        mechanism = DiscreteGaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=1)
        integer = float(mechanism.variance) ** 0.5
        rows.append((epsilon, real, integer, integer / real))
    return pd.DataFrame(rows, columns=["epsilon", "real", "integer", "ratio"])
