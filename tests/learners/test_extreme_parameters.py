"""Learners and releases at parameters that floats hardly hold: an answer, or a refusal that names what was given."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import is_regressor

from privml import Guarantee, compose
from privml.composition import gaussian_loss, laplace_loss
from privml.learners import ERM, UnscaledWarning
from privml.mechanisms import MWEM, LaplaceMechanism
from tests.learners.roster import LEARNERS, each, records, released

EPSILONS = [
    *(5e-324, 1e-310, 1e-200, 1e-100, 1e-50, 1e-20),
    *(1e15, 1e20, 1e50, 1e100, 1e300, 1.7e308),
]
PRIVATE = {
    name: make for name, make in LEARNERS.items() if "epsilon" in make().get_params()
}


@pytest.fixture(autouse=True)
def strict():
    """Every warning is an error, but for those of public numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscaledWarning)
        warnings.filterwarnings("ignore", message="The noise .*is too large for")
        yield


@each(PRIVATE)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_an_extreme_epsilon_is_used_or_refused_by_its_name(make, epsilon):
    X, y = records()
    for delta in {0.0, 1e-5} if make().get_params().get("delta") == 0 else {None}:
        learner = make(epsilon=epsilon, **({} if delta is None else {"delta": delta}))
        if not is_regressor(learner):
            learner.set_params(classes=(0, 1))
        try:
            learner.fit(X, y, **({} if isinstance(learner, ERM) else {"rng": 0}))
        except ValueError as refusal:
            message = str(refusal)
            assert message.startswith("epsilon must")
            assert repr(epsilon) in message
        else:
            assert np.isfinite(released(learner)).all()


def test_weights_of_synthetic_data_stay_finite_whatever_the_records_are():
    queries = np.eye(4, dtype=bool)
    with pytest.raises(ValueError, match="rate must be at most 1e"):
        MWEM(epsilon=1.0, queries=queries, n_rounds=3, rate=1e308)
    mechanism = MWEM(epsilon=1.0, queries=queries, n_rounds=40, rate=1e50)
    for counts in ([9, 0, 0, 0], [0, 0, 0, 1], [3, 3, 3, 3]):
        table = mechanism.release(counts, rng=0)
        assert np.isfinite(table[0]).all()
        assert table[1].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "release",
    [
        laplace_loss(1e-100, sampling_rate=1e-300),
        gaussian_loss(1e-12, sampling_rate=1e-300),
        laplace_loss(1e-300),
    ],
)
def test_losses_that_are_lost_in_rounding_have_an_answer(release):
    assert 0 <= compose((release, 3), delta=1e-5).guarantee.epsilon < 1e-90
    assert 0 <= release.delta(1e-5) <= 1


@pytest.mark.parametrize("delta", [0.0, 1e-5])
def test_promises_that_overflow_are_refused(delta):
    for releases in ([(Guarantee(1e308), 3)], [Guarantee(1e308), Guarantee(9e307)]):
        with pytest.raises(ValueError, match="releases must have epsilons that add up"):
            compose(*releases, delta=delta)
    large = compose((Guarantee(1e95), 3), delta=delta).guarantee.epsilon
    assert large == pytest.approx(3e95)


def test_a_promise_of_nothing_is_named_by_delta():
    with pytest.raises(ValueError, match="^delta must be larger"):
        compose((Guarantee(1.0, 1.0), 3), delta=0.9)


def test_messages_do_not_show_hundreds_of_digits():
    for epsilon in (Fraction(10**400), Fraction(1, 10**400), 10**400):
        with pytest.raises(ValueError, match="epsilon must be positive") as refusal:
            LaplaceMechanism(epsilon=epsilon, sensitivity=1.0)
        assert len(str(refusal.value)) < 200
