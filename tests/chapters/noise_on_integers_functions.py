"""Functions with which the tests of noise on the integers check intervals around noisy cells."""

from itertools import count

from scipy.optimize import brentq


def holds(law, width, n_cells, step):
    """Probability that all cells are within `width`; step 0 stands for reals."""
    return float(1 - law.sf(width) - law.cdf(-width - step)) ** n_cells


def half_width(law, n_cells, step, beta):
    """The least width that holds all cells with probability 1 - beta."""
    if step:
        return next(w for w in count() if holds(law, w, n_cells, step) >= 1 - beta)
    return brentq(
        lambda w: holds(law, w, n_cells, step) - (1 - beta), 0, 1000, xtol=1e-12
    )
