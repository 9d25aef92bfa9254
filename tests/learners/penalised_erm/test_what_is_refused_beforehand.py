"""Draws by the exponential mechanism at the edges of their parameters: refused before records are read, or never."""

import warnings
from itertools import product

import numpy as np
import pytest

from privml.learners import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
    UnscaledWarning,
)

KINDS = [ExponentialLinearSVC, ExponentialLogisticRegression, ExponentialRidge]
N = 40


def data_sets(d=2):
    """Zeros, copies of one record, opposites, records on a line, missing ones, and records at large."""
    rng = np.random.default_rng(0)
    ones, signs = np.ones((N, d)) / np.sqrt(d), np.where(np.arange(N) % 2, 1.0, -1.0)
    line = np.zeros((N, d))
    line[:, 0] = np.linspace(-1, 1, N)
    single = np.zeros((N, d))
    single[0, -1] = 1.0
    gaps = np.full((N, d), np.nan)
    return [
        (np.zeros((N, d)), signs),
        (ones, np.ones(N)),
        (ones, signs),
        (ones, -np.ones(N)),
        (line, signs),
        (line, np.where(line[:, 0] > 0, 1.0, -1.0)),
        (single, signs),
        (gaps, np.full(N, np.nan)),
        (rng.normal(size=(N, d)), signs),
        (1e-9 * rng.normal(size=(N, d)), signs),
    ]


def outcome(make, X, y):
    """Whether a fit is finite, or why the parameters are refused; every warning is an error."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscaledWarning)
        model = make()
        if hasattr(model, "classes"):
            model.classes, y = (-1.0, 1.0), np.nan_to_num(y, nan=1.0)
        try:
            return bool(np.isfinite(model.fit(X, y, rng=1).coef_).all())
        except ValueError as refusal:
            return str(refusal)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("delta", [1e-6, 0.0, 1e-300])
@pytest.mark.parametrize(
    "strength", [1e-320, 1e-20, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e9, 1e40, 1e300]
)
def test_records_do_not_decide_whether_a_strength_is_refused(kind, strength, delta):
    def make():
        return kind(1.0, delta, strength=strength, bounds="unit")

    found = {outcome(make, *data) for data in data_sets()}
    assert len(found) == 1
    [one] = found
    assert one is True or any(
        word in one.split(" must ")[0] for word in ("strength", "delta")
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options",
    [
        *({"radius": r} for r in (1e-300, 1e-100, 1e-9, 1e-3, 1e3, 1e9, 1e100, 1e300)),
        *({"epsilon": e} for e in (1e-320, 1e-200, 1e-50, 1e-9, 101.0, 1e300)),
        *({"delta": d} for d in (5e-324, 1 - 1e-16)),
    ],
    ids=str,
)
def test_records_do_not_decide_whether_other_parameters_are_refused(kind, options):
    found = {outcome(lambda: kind(bounds="unit", **options), *d) for d in data_sets()}
    assert len(found) == 1
    [one] = found
    [name] = options
    assert one is True or one.startswith((name, "strength"))


@pytest.mark.parametrize(("kind", "d"), list(product(KINDS, [1, 2])))
def test_the_least_strength_works_on_all_records(kind, d):
    """The refusal names the least that is taken, and that is taken whatever the records are."""
    refusal = outcome(lambda: kind(strength=1e-30, bounds="unit"), *data_sets(d)[0])
    least = float(refusal.split("at least ")[1].split()[0].rstrip(","))
    for data in data_sets(d):
        found = outcome(lambda: kind(strength=1.01 * least, bounds="unit"), *data)
        assert found is True
    assert outcome(lambda: kind(strength=0.9 * least, bounds="unit"), *data) == (
        refusal.replace("1e-30", repr(0.9 * least))
    )
