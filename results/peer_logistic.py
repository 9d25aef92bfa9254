"""The logistic regression of diffprivlib, audited by fits: what raw weights show of its loss on long rows.

Two records on a line: one at 0, and one that is moved from 0 to the public radius. The library tilts the
logistic loss by noise that is meant for rows of length 1 (the chapter on private learners side by side tells
which square is missing), so that it loses more than it claims. Its own code is fitted here, without an
intercept, and the auditor sees its weights; `exact_loss` is the loss of its rule. The fits need diffprivlib
(extra `peers`), and their random numbers are seeded.
"""

import numpy as np
from numpy.typing import NDArray

from privml.audit import monte_carlo
from privml.results.runs import Study, main

EPSILON, SEED = 1.0, 0
RADII = (20.0, 100.0)
COLUMNS = (
    "radius",
    "exact",
    "n_fits",
    "raw",
    "absolute",
    "raw_event",
    "absolute_event",
)


def exact_loss(radius: float) -> float:
    """Largest privacy loss of the rule between the row at `radius` and the row at 0, on a fine grid.

    The noise b is Laplace, and b = radius / (1 + exp(radius w)) - penalty w at the weight w.
    """
    penalty, scale = 0.25 * radius / np.expm1(EPSILON / 4), 4 * radius / EPSILON
    if EPSILON > 2 * np.log1p(0.25 * radius):
        penalty, scale = 1.0, 2 * radius / (EPSILON - 2 * np.log1p(0.25 * radius))
    w = np.linspace(-200, 200, 400_001) / radius**2
    share = 1 / (1 + np.exp(radius * w))
    here = -np.abs(radius * share - penalty * w) / scale + np.log(
        penalty + radius**2 * share * (1 - share)
    )
    there = -np.abs(penalty * w) / scale + np.log(penalty)
    return float(np.abs(here - there).max())


def weights(
    row: float, radius: float, n_fits: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Weights of the peer's fits to the records (0, no) and (row, yes), rows of length up to `radius`."""
    from diffprivlib.models import LogisticRegression

    X, y = np.array([[0.0], [row]]), np.array([0, 1])
    seeds = rng.integers(2**31, size=n_fits)
    options = {
        "epsilon": EPSILON,
        "data_norm": radius,
        "fit_intercept": False,
        "tol": 1e-9,
        "max_iter": 1000,
    }
    fits = (
        LogisticRegression(**options, random_state=int(seed)).fit(X, y)
        for seed in seeds
    )
    return np.array([fit.coef_[0, 0] for fit in fits])


def work(radius: float, *, n_fits: int = 40_000, seed: int = SEED) -> list[tuple]:
    """The row of one radius: lower bounds on epsilon from the weights and from their absolute values."""
    rng = np.random.default_rng([seed, int(radius)])
    drawn = {row: weights(row, radius, n_fits, rng) for row in (0.0, radius)}
    raw = monte_carlo(lambda row, size, _: drawn[row], tuple(drawn), n_fits)
    absolute = monte_carlo(
        lambda row, size, _: np.abs(drawn[row]), tuple(drawn), n_fits
    )
    return [
        (
            radius,
            exact_loss(radius),
            n_fits,
            raw.epsilon,
            absolute.epsilon,
            raw.event,
            absolute.event,
        )
    ]


STUDY = Study(
    name="peer-logistic",
    columns=COLUMNS,
    jobs=tuple((radius,) for radius in RADII),
    work=work,
    parameters={
        "epsilon": EPSILON,
        "radii": list(RADII),
        "n_fits": 40_000,
        "seed": SEED,
        "peer": "diffprivlib 0.6.6 with scikit-learn 1.5.2",
    },
)

if __name__ == "__main__":
    main(STUDY.name)
