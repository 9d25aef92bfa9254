"""Checkers for the exercises of the chapter on PATE on real data."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from privml.experiments import table4
from privml.pate import readable_teachers, vote_sigma

__all__ = ["check_interval", "check_line", "check_readable", "check_spent"]

N_PRIVATE, N_PUBLIC, N_TEACHERS = 6499, 163, 65
CLEARLY_DOWN, CLEARLY_A_LINE = -0.9, 0.99


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_interval(interval: Callable[[Sequence[float]], tuple[float, float]]) -> None:
    """Check the ends of a 95 % interval for a mean.

    Parameters
    ----------
    interval : callable
        From numbers to the lower and the upper end.

    Raises
    ------
    AssertionError
        If the ends are not those of the mean and 1.96 standard errors.

    Examples
    --------
    >>> check_interval(lambda values: (np.mean(values) - np.std(values), np.mean(values) + np.std(values)))
    Traceback (most recent call last):
    AssertionError: of 4 numbers the half width is 0.1265, not 0.1118
    """
    for values in ([0.5, 0.6, 0.7, 0.8], np.random.default_rng(0).random(30).tolist()):
        low, high = interval(values)
        _demand(abs((low + high) / 2 - np.mean(values)) < 1e-9, "the middle of the interval is the mean")
        half, expected = (high - low) / 2, table4.half_width(values)
        hint = f"of {len(values)} numbers the half width is {expected:.4f}, not {half:.4f}"
        _demand(abs(half - expected) < 1e-3 * expected, hint)


def check_spent(spent: Callable[[float, float, int, float], float]) -> None:
    """Check the epsilon that the source calls ex-post.

    Parameters
    ----------
    spent : callable
        From (epsilon, delta, budget, used) to the epsilon of `used` queries whose noise pays for `budget`.

    Raises
    ------
    AssertionError
        If a value is not that of the Gaussian profile.

    Examples
    --------
    >>> check_spent(lambda epsilon, delta, budget, used: epsilon * used / budget)
    Traceback (most recent call last):
    AssertionError: mushrooms, ε = 0.5, 40.1 of 49 queries: the profile gives 0.4463, not 0.4092
    """
    sizes = table4.published_sizes().set_index("dataset")["private"]
    for row in table4.reproduced_ex_post().itertuples():
        found = spent(row.epsilon, 1 / sizes[row.dataset], row.budget, row.queries)
        case = f"{row.dataset}, ε = {row.epsilon:g}, {row.queries} of {row.budget} queries"
        hint = f"{case}: the profile gives {row.fixed:.4f}, not {found:.4f}"
        _demand(abs(found - row.fixed) < 1e-4, hint)


def check_readable(epsilon: float) -> None:
    """Check the least multiple of 1/10 at which 65 teachers are readable for 163 queries on mushrooms.

    Parameters
    ----------
    epsilon : float
        In nats; delta is 1/6499, and a unanimous vote may be misread with probability 5 %.

    Raises
    ------
    AssertionError
        If more teachers are needed there, or 65 are enough at the multiple below.

    Examples
    --------
    >>> check_readable(1.0)
    Traceback (most recent call last):
    AssertionError: at ε = 1 it takes 130 teachers
    """
    tenths = round(10 * epsilon)
    _demand(abs(10 * epsilon - tenths) < 1e-9 and tenths > 0, "ε must be a multiple of 1/10")
    needed = {j: readable_teachers(vote_sigma(N_PUBLIC, j / 10, 1 / N_PRIVATE)) for j in (tenths, tenths + 1)}
    _demand(needed[tenths] <= N_TEACHERS, f"at ε = {epsilon:g} it takes {needed[tenths]} teachers")
    if tenths > 1:
        below = readable_teachers(vote_sigma(N_PUBLIC, (tenths - 1) / 10, 1 / N_PRIVATE))
        _demand(below > N_TEACHERS, f"65 teachers are readable at ε = {(tenths - 1) / 10:g} already")


def check_line(pair: tuple[ArrayLike, ArrayLike]) -> None:
    """Check two sequences that go against each other while their cumulated sums lie on a line.

    Parameters
    ----------
    pair : two sequences of 200 numbers in [0, 1/2]
        Margins that nobody measured.

    Raises
    ------
    AssertionError
        If the sequences are no margins, do not go against each other, or their sums are not on a line.

    Examples
    --------
    >>> check_line((np.full(200, 0.25), np.linspace(0, 0.5, 200)))
    Traceback (most recent call last):
    AssertionError: a constant sequence has no correlation
    """
    first, second = (np.asarray(side, dtype=float) for side in pair)
    _demand(first.shape == second.shape == (200,), "give two sequences of 200 numbers")
    both = np.concatenate([first, second])
    _demand(bool((both >= 0).all() and (both <= 0.5).all()), "margins lie between 0 and 1/2")
    _demand(first.std() > 0 and second.std() > 0, "a constant sequence has no correlation")
    point = float(np.corrcoef(first, second)[0, 1])
    _demand(point < CLEARLY_DOWN, f"the correlation of the numbers is {point:.2f}, not below -0.9")
    line = float(np.corrcoef(first.cumsum(), second.cumsum())[0, 1])
    _demand(line > CLEARLY_A_LINE, f"the correlation of the sums is {line:.3f}, not above 0.99")
