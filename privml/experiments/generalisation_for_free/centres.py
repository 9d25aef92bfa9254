"""The example that ends WLF16: centres under the tenth power, and a mean that separates two proofs."""

from collections.abc import Sequence
from math import comb, factorial, log, sqrt

import pandas as pd

from privml.learnability import (
    expected_gap_from_privacy,
    high_probability_floor,
    laplace_power_excess,
    power_loss_centre,
)


def centre_moves(sizes: Sequence[int]) -> pd.DataFrame:
    """By how much one record moves the centre of the tenth power, and what the source says.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``moved`` (n - 1 zeros and a one, against n zeros), ``printed`` and ``mean``.

    Examples
    --------
    >>> centre_moves([10]).round(3)
       n_samples  moved  printed  mean
    0         10  0.439      0.2   0.1
    """
    rows = [(n, power_loss_centre([0, 1], [n - 1, 1]), 2 / n, 1 / n) for n in sizes]
    return pd.DataFrame(rows, columns=["n_samples", "moved", "printed", "mean"])


def noisy_centres(exponents: Sequence[float]) -> pd.DataFrame:
    """Excess risk of the source's noise on half zeros and half ones, exactly, and two of its terms.

    Parameters
    ----------
    exponents : sequence of float
        Decimal logarithms of the number of records n; the noise has the scale ``2 n^(-1/10)``.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``excess``, ``second``, the term with the second moment, and ``printed``.

    Examples
    --------
    >>> noisy_centres([40]).map("{:.3g}".format)
      n_samples    excess    second   printed
    0     1e+40  1.41e-08  1.41e-08  7.26e-34
    """
    rows = []
    for exponent in exponents:
        scale = 2 * 10 ** (-exponent / 10)
        second = comb(10, 2) * 2 * scale**2 / 2**8
        excess = laplace_power_excess([0, 1], [1, 1], scale)
        rows.append((10**exponent, excess, second, 2 * factorial(10) / 10**exponent))
    return pd.DataFrame(rows, columns=["n_samples", "excess", "second", "printed"]).astype(float)


def two_routes(sizes: Sequence[int]) -> pd.DataFrame:
    """Rates of consistency for a private mean: through stability and through high probability.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records n; epsilon is ``n^(-2/3)`` and the noise ``Laplace(1 / (epsilon n))``.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``truth`` (fair coins, noise not clipped), ``aerm`` (the gap), ``stability``,
        ``tail`` (through Lemma 38 with beta = 1 / sqrt(n)) and ``printed``, its floor ln n / sqrt(n).

    Examples
    --------
    >>> two_routes([10**8]).map("{:.3g}".format)
      n_samples     truth      aerm stability     tail  printed
    0     1e+08  9.29e-06  9.28e-06  1.04e-05  0.00124  0.00184
    """
    rows = []
    for n in sizes:
        epsilon = n ** (-2 / 3)
        aerm = laplace_power_excess([0, 1], [1, 1], 1 / (epsilon * n), power=2)
        through = aerm + expected_gap_from_privacy(epsilon)
        tail = aerm + max(2 * epsilon, high_probability_floor(n))
        rows.append((float(n), aerm + 1 / (4 * n), aerm, through, tail, log(n) / sqrt(n)))
    return pd.DataFrame(rows, columns=["n_samples", "truth", "aerm", "stability", "tail", "printed"])
