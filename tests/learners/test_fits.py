"""From a law to a fit: every learner draws by the law that was audited, prints its guarantee, and clips.

Where a fit makes one draw, it is compared exactly with a draw of the law from the same coins; the scale of
noise is worked out here from the definition.  Elsewhere frequencies are compared, within standard errors.
"""

import re
from functools import partial
from itertools import product
from math import sqrt

import numpy as np
import pytest
from sklearn.base import is_regressor

from privml import learners
from privml.distributions import Categorical
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.hypotheses import DecisionStumps, Thresholds
from privml.learnability import SubsampledLearner
from privml.learners.penalised_erm import ridge_draw
from privml.learners.representation import RandomStumps
from privml.learners.statistical_queries import SQLearner
from tests.learners import roster
from tests.learners.roster import released

EPSILON, DELTA, N_FITS = 0.7, 1e-3, 400
STUMPS = DecisionStumps.on_grid(2, lower=-1.0, upper=1.0, n_cuts=3)
NUMBERS = {"classes": (0, 1)}
PURE = {
    "exponential": partial(learners.ExponentialPACLearner, EPSILON, STUMPS, **NUMBERS),
    "cover": partial(learners.ReferenceCoverLearner, EPSILON, **NUMBERS),
    "representation": partial(learners.RepresentationLearner, EPSILON, **NUMBERS),
    "parity": partial(learners.PrivateParityLearner, EPSILON, **NUMBERS),
    "queries": partial(learners.PrivateSQClassifier, epsilon=EPSILON, **NUMBERS),
    "booster": partial(
        learners.PrivateConfidenceBooster,
        learners.ExponentialPACLearner(EPSILON),
        2,
        **NUMBERS,
    ),
    "one stage": partial(learners.PrivateBestSubset, EPSILON, cells=2),
    "two stages": partial(
        learners.PrivateBestSubset, EPSILON, method="two-stage", share=0.25, cells=2
    ),
    "ridge": partial(learners.ExponentialRidge, EPSILON, DELTA),
    "ridge with intercept": partial(
        learners.ExponentialRidge, EPSILON, DELTA, fit_intercept=True
    ),
    "logistic": partial(
        learners.ExponentialLogisticRegression, EPSILON, DELTA, **NUMBERS
    ),
    "hinge": partial(learners.ExponentialLinearSVC, EPSILON, DELTA, **NUMBERS),
    "mean": partial(learners.MeanClassifier, EPSILON, **NUMBERS),
    "output": partial(learners.OutputPerturbation, EPSILON, **NUMBERS),
    "objective": partial(learners.ObjectivePerturbation, EPSILON, **NUMBERS),
    "moments": partial(learners.PrivateLinearRegression, EPSILON),
}
APPROXIMATE = {
    "mean": partial(learners.MeanClassifier, EPSILON, DELTA, **NUMBERS),
    "output": partial(learners.OutputPerturbation, EPSILON, DELTA, **NUMBERS),
    "objective": partial(learners.ObjectivePerturbation, EPSILON, DELTA, **NUMBERS),
    "descent": partial(learners.NoisyGradientDescent, EPSILON, DELTA, **NUMBERS),
    "linear": partial(learners.LinearLearner, EPSILON, DELTA, **NUMBERS),
    "moments": partial(
        learners.PrivateLinearRegression, EPSILON, DELTA, fit_intercept=False
    ),
}
ALL = [(f"{name}, pure", make) for name, make in PURE.items()] + [*APPROXIMATE.items()]
every_learner = pytest.mark.parametrize(
    "make", [make for _, make in ALL], ids=[name for name, _ in ALL]
)


def records(n=40):
    return roster.records(n, seed=0, half_width=0.6)


def output(learner):
    """What a fit releases, as one vector."""
    if isinstance(learner, learners.PrivateConfidenceBooster):
        return np.array(
            [learner.chosen_, *(c.hypothesis_index_ for c in learner.candidates_)]
        )
    if getattr(learner, "parity_", 0) is None:
        return np.array([-1.0])
    return released(learner)


def test_no_private_learner_is_left_out():
    kinds = {make.func for make in roster.LEARNERS.values()} - {
        learners.ERM,
        SubsampledLearner,
    }
    assert kinds == {make.func for _, make in ALL}


@every_learner
def test_a_seed_repeats_and_seeds_differ(make):
    X, y = records(10)
    first = [output(make().fit(X, y, rng=seed)).tolist() for seed in range(12)]
    assert [output(make().fit(X, y, rng=seed)).tolist() for seed in range(2)] == first[
        :2
    ]
    assert len(set(map(str, first))) > 1
    stream = np.random.default_rng(0)
    assert (
        len({str(output(make().fit(X, y, rng=stream)).tolist()) for _ in range(12)}) > 1
    )


@every_learner
def test_the_guarantee_is_the_one_asked_for(make):
    X, y = records()
    learner = make()
    promised = Guarantee(EPSILON, DELTA if getattr(learner, "delta", 0) else 0.0)
    assert learner.fit(X, y, rng=0).privacy_ == promised


@every_learner
def test_values_beyond_the_public_range_count_as_its_end(make):
    learner, (X, y) = make(), records()
    X[:3] = [
        [5.0, 0.25],
        [-1e300, 3.0],
        [np.nan if hasattr(learner, "fit_intercept") else 0.25, -2.0],
    ]
    inside = np.nan_to_num(X)
    if hasattr(learner, "fit_intercept") and not isinstance(
        learner, learners.LinearLearner
    ):
        largest = np.maximum(abs(inside).max(axis=1, keepdims=True), 1.0)
        lengths = largest * np.linalg.norm(inside / largest, axis=1, keepdims=True)
        inside = inside / np.maximum(lengths, 1.0)
    else:
        inside = inside.clip(-1.0, 1.0)
    targets = y.astype(float)
    if is_regressor(learner):
        targets[3:6] = [7.0, -1e300, np.nan]
    end = np.nan_to_num(targets).clip(-1.0, 1.0)
    for seed in range(3):
        wild, tame = (
            output(make().fit(*pair, rng=seed))
            for pair in ((X, targets), (inside, end))
        )
        np.testing.assert_allclose(wild, tame, rtol=1e-6, atol=1e-12)


def exponential_draw(correct, rng):
    weights = np.exp(EPSILON * (correct - correct.max()) / 2)
    return Categorical(np.log(weights / weights.sum())).rvs(rng=rng)


@pytest.mark.parametrize("seed", range(8))
def test_a_selected_hypothesis_is_a_draw_of_the_exponential_mechanism(seed):
    X, y = records(10)
    rng = np.random.default_rng(seed)
    found = PURE["exponential"]().fit(X, y, rng=seed).hypothesis_index_
    assert found == exponential_draw((STUMPS.predict(X) == y).sum(axis=1), rng)
    cover = PURE["cover"]().fit(X, y, rng=seed)
    correct = (cover.hypotheses_.predict(X) == y).sum(axis=1)
    assert cover.hypothesis_index_ == exponential_draw(
        correct, np.random.default_rng(seed)
    )
    of_set, of_choice = np.random.default_rng(seed).spawn(2)
    drawn = RandomStumps().draw(2, rng=of_set)
    found = PURE["representation"]().fit(X, y, rng=seed).hypothesis_index_
    assert found == exponential_draw((drawn.predict(X) == y).sum(axis=1), of_choice)


@pytest.mark.parametrize("method", ["one-stage", "two-stage"])
def test_best_subset_spends_what_it_prints_and_no_less(method):
    """The largest exact loss over neighbours of one record, against the sum of the stages."""
    make = partial(
        learners.PrivateBestSubset,
        EPSILON,
        1,
        method=method,
        share=0.25,
        radius=1.0,
        cells=1,
    )
    cases = product((-1, 0, 1), (-1, 1), (-1, 1))
    laws = [make().output_distribution([[a, b]], [c]).logpmf() for a, b, c in cases]
    worst = max(abs(p - q).max() for p in laws for q in laws)
    printed = make().fit([[1.0, 0.0]] * 2, [1.0, -1.0], rng=0).privacy_.epsilon
    assert 0.35 * printed < worst <= printed + 1e-12
    law = make().output_distribution([[1.0, 0.0]], [1.0])
    for seed in range(12):
        draw = make().fit([[1.0, 0.0]], [1.0], rng=seed)
        support, point = divmod(int(law.rvs(rng=np.random.default_rng(seed))), 3)
        assert draw.support_.tolist() == [support]
        assert draw.coef_[support] == point - 1


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_ridge_releases_a_draw_of_its_law(fit_intercept):
    X, _ = records(400)
    y = X @ [0.5, -0.5]
    learner = learners.ExponentialRidge(30.0, fit_intercept=fit_intercept)
    law = learner.output_distribution(X, y)
    drawn = ridge_draw(law, rng=6)
    fit = learner.fit(X, y, rng=6)
    np.testing.assert_allclose(fit.predict(X), law.risk.X @ drawn, rtol=1e-9)
    assert np.linalg.norm(law.risk.X, axis=1).max() <= 1 + 1e-12
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    np.testing.assert_allclose(
        np.linalg.norm(learner.output_distribution(unit, y).risk.X, axis=1), 1.0
    )


def agree(frequencies, law, n):
    """Whether frequencies of n draws are those of a law, within five standard errors everywhere."""
    law = np.asarray(law)
    return (abs(frequencies - law) <= 5 * np.sqrt(law * (1 - law) / n) + 1e-12).all()


class MeanLabel(SQLearner):
    """Asks for the mean label, three times, and returns the answers."""

    n_queries = 3

    def accuracy(self, tolerance):
        return tolerance

    def run(self, oracle):
        return [oracle.answer(lambda X, y: y) for _ in range(3)]

    def predict(self, found, X):
        return np.zeros(len(X), dtype=bool)


def test_answers_of_a_fit_carry_the_noise_of_the_budget_that_is_printed():
    X, y = records()
    for budget, scale, promised in (
        ({"epsilon": 0.9}, 3 / (0.9 * 40), Guarantee(0.9)),
        (
            {"rho": 0.02, "noise": "gaussian"},
            sqrt(2 / np.pi) * sqrt(3 / 0.04) / 40,
            ConcentratedGuarantee(0.02),
        ),
    ):
        make = partial(learners.PrivateSQClassifier, MeanLabel(), **budget)
        fits = [make().fit(X, y, rng=seed) for seed in range(N_FITS)]
        sizes = abs(np.array([fit.output_ for fit in fits]) - y.mean()).mean(axis=1)
        assert sizes.mean() == pytest.approx(scale, abs=5 * sizes.std() / sqrt(N_FITS))
        assert fits[0].privacy_ == promised


def test_fits_of_the_booster_follow_its_law():
    base = learners.ExponentialPACLearner(1.0, Thresholds([-0.1, 0.1]))
    make = partial(
        learners.PrivateConfidenceBooster, base, 2, epsilon_select=4.0, **NUMBERS
    )
    X, y = (
        np.array([[-0.3], [0.0], [0.3], [0.0], [0.0], [0.2]]),
        np.array([0, 1, 1, 0, 1, 1]),
    )
    law = make().output_distribution(X, y).pmf()
    fits = [make().fit(X, y, rng=seed) for seed in range(N_FITS)]
    found = [fit.candidates_[fit.chosen_].hypothesis_index_ for fit in fits]
    assert agree(np.bincount(found, minlength=len(law)) / N_FITS, law, N_FITS)
    assert fits[0].privacy_ == Guarantee(4.0)


def test_the_learner_without_privacy_prints_none():
    X, y = records()
    fit = learners.ERM(STUMPS, tie_break="first").fit(X, y)
    assert fit.hypothesis_index_ == (STUMPS.predict(X) == y).sum(axis=1).argmax()
    assert fit.privacy_ is None


@every_learner
@pytest.mark.parametrize("n", [1, 12])
def test_extreme_privacy_and_one_class_are_carried_or_refused(make, n):
    """No overflow, no NaN, and no error that is not a refusal of public parameters by name."""
    X, y = records(n)
    X[:, 1] = 0.0
    for epsilon in (1e-300, 1e-6, 500.0, 1e4):
        for delta in (0.0, 1e-5, 1e-300):
            learner = make()
            public = {"epsilon": epsilon, "delta": delta}
            if isinstance(learner, learners.PrivateConfidenceBooster):
                public = {"base_learner__epsilon": epsilon}
            learner.set_params(
                **{
                    name: public[name]
                    for name in public
                    if name in learner.get_params()
                }
            )
            refusal = ""
            try:
                found = output(learner.fit(X, np.ones_like(y), rng=0))
            except ValueError as error:
                refusal, found = str(error), np.zeros(1)
            assert np.isfinite(found).all()
            assert re.match(
                "(epsilon|delta|n_samples|target|mean_square) must|^$", refusal
            )
