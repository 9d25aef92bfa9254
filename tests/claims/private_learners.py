"""Claims of the learners: their own exact laws, or the noise that a fit really adds, on neighbouring data."""

import warnings
from itertools import combinations
from math import sqrt
from unittest.mock import patch

import numpy as np
from scipy.special import ndtr

from privml import learners
from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem, SubsampledLearner, optimal_learner
from privml.learners import statistical_queries
from privml.learners.penalised_erm import ExponentialERM
from privml.learners.perturbation import CutLogisticLoss, regression
from privml.learners.perturbation import base as perturbation_base
from privml.learners.statistical_queries import private as sq_private
from tests.claims.claim import DELTAS, EPSILONS, Claim, grid

CUTS = Thresholds([-0.5, 0.25, 0.75])
SMALL = (1e-6, 0.3, 1.0, 4.0, 40.0)


def records(n, changed):
    """N points on a line; the last one is replaced in the second data set."""
    X = np.linspace(-1, 1, n)[:, None]
    y = np.arange(n) % 2 == 0
    other, label = X.copy(), y.copy()
    other[-1], label[-1] = changed, not y[-1]
    return (X, y), (other, label)


def by_law(make):
    """An estimator with an exact law: the law of both data sets, the promise of a fit."""

    def case(epsilon, n):
        learner = make(epsilon)
        pairs = [records(n, changed) for changed in (-1.0, 0.0, 1.0)]
        promise = learner.fit(*records(4, 0.0)[0], rng=0).privacy_
        return promise, [
            [learner.output_distribution(*data).logpmf() for data in pair]
            for pair in pairs
        ]

    return case


def parity(epsilon, n):
    """Records over three bits, with repetitions; the last one is turned over."""
    learner = learners.PrivateParityLearner(epsilon, classes=(False, True))
    X = (np.arange(n)[:, None] >> np.arange(3)) & 1
    y = X[:, 0] == 1
    laws = [
        learner.output_distribution(X, labels).logpmf()
        for labels in (y, np.append(y[:-1], ~y[-1]))
    ]
    return learner.fit(X, y, rng=0).privacy_, [laws]


def sq_oracle(size, n_queries, kind):
    """All answers together: k shifts of one record, in units of the scale of the noise."""
    budget = {"epsilon": size} if kind == "pure" else {"rho": size, "noise": kind}
    oracle = statistical_queries.PrivateSQOracle(
        np.zeros((20, 1)), np.arange(20) < 7, n_queries=n_queries, rng=0, **budget
    )
    law = oracle.output_distribution(lambda X, y: y)
    return oracle.guarantee, shifts(kind, 1 / 20 / law_scale(law), n_queries, size)


def law_scale(law):
    return float(law.sigma) if hasattr(law, "sigma") else float(law.scale)


def shifts(kind, step, k, size):
    if kind == "pure":
        return [(np.array([0.0, -np.log(2)]), np.array([-k * step, -np.log(2)]))]
    if kind == "gaussian":
        return [sqrt(k) * step]
    assert k * (step + np.expm1(-step)) <= size * (1 + 1e-9) + 1e-15
    return []


def sq_classifier_case(epsilon, n):
    made = []

    class Recorded(statistical_queries.PrivateSQOracle):
        def __init__(self, *data, **options):
            super().__init__(*data, **options)
            made.append(self)

    with patch.object(sq_private, "PrivateSQOracle", Recorded):
        fitted = learners.PrivateSQClassifier(
            epsilon=epsilon, classes=(False, True)
        ).fit(*records(n, 0.0)[0], rng=0)
    [oracle] = made
    assert oracle.n_answered == oracle.n_queries
    law = oracle.output_distribution.__self__._noise_distribution(0.0)
    return fitted.privacy_, shifts(
        "pure", 1 / n / law_scale(law), oracle.n_queries, epsilon
    )


class Ones(np.random.Generator):
    """Draws of size 1: what a fit multiplies them by is the scale of its noise."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def standard_normal(self, size=None):
        return 1.0 if size is None else np.ones(size)

    def gamma(self, shape, scale=1.0, size=None):
        return scale


def perturbed(kind, **options):
    """One feature: how far the weight moves for one record, over the noise that a fit adds."""

    def case(epsilon, delta, n):
        learner = kind(epsilon, delta, classes=(False, True), **options)
        labels = np.arange(n) > 0
        noise = abs(learner.fit(np.zeros((n, 1)), labels, rng=Ones()).coef_[0, 0])
        high, low = np.zeros((2, n, 1))
        high[-1], low[-1] = 1.0, -1.0
        moved = abs(
            np.diff(
                [learner.fit(x, labels, rng=Ones()).coef_[0, 0] for x in (low, high)]
            )
        )[0]
        promise = learner.fit(high, labels, rng=0).privacy_
        return promise, noise_pairs(moved / noise, promise)

    return case


def noise_pairs(ratio, promise):
    """Laplace noise if delta is 0, else Gaussian noise, and a shift that is so many scales."""
    if promise.delta == 0:
        return [(np.array([0.0, -np.log(2)]), np.array([-ratio, -np.log(2)]))]
    return [float(ratio)]


def objective_logpdf(weights, rows, total, scale):
    """Log density of the released weight on a line: that of the tilt that makes it least, and its slope."""
    margins, loss = weights[:, None] * rows, CutLogisticLoss(0.5)
    tilt = -loss.derivative(margins) @ rows - total * weights
    return -abs(tilt) / scale + np.log(
        loss.second_derivative(margins) @ rows**2 + total
    )


def tilted(epsilon, delta, n):
    """Objective perturbation: the tilt from a fit to flat data, then the density of the weight on others."""
    learner = learners.ObjectivePerturbation(epsilon, delta, classes=(False, True))
    fitted = learner.fit(np.zeros((n, 1)), np.arange(n) > 0, rng=Ones())
    total, promise = fitted.strength_ * n, fitted.privacy_
    scale = abs(fitted.coef_[0, 0]) * total
    if delta > 0:
        return promise, noise_pairs(2 * 0.5 / scale, promise)
    weights = np.linspace(-3, 3, 61) * (scale + 1) / total
    rows = np.zeros((3, n))
    rows[:, -1] = (0.0, 1.0, -1.0)
    laws = [objective_logpdf(weights, row, total, scale) for row in rows]
    return promise, [(laws[0], laws[1]), (laws[0], laws[2]), (laws[1], laws[2])]


def descent(epsilon, delta, n):
    learner = learners.NoisyGradientDescent(
        epsilon, delta, n_steps=8, averaged=1.0, classes=(False, True)
    )
    fitted = learner.fit(np.zeros((n, 1)), np.arange(n) > 0, rng=Ones())
    steps, rate = fitted.schedule_
    noise = abs(fitted.coef_[0, 0]) / (rate * np.arange(1, steps + 1).mean())
    return fitted.privacy_, noise_pairs(
        sqrt(steps) * (2 * 0.5 / n) / noise, fitted.privacy_
    )


def second_moments(rows, y):
    """All entries of the sums of x x^T and of y x, by another route than the learner's."""
    square = sum(np.outer(row, row) for row in rows)
    return np.append(
        square.ravel(), sum(t * row for t, row in zip(y, rows, strict=True))
    )


def linear_regression(dimension, fit_intercept):
    """The noise of a fit, from what it draws, and how far moments move for replaced records of length 1."""

    def case(epsilon, delta, n):
        learner = learners.PrivateLinearRegression(
            epsilon,
            delta,
            bounds="unit",
            target_bounds="unit",
            fit_intercept=fit_intercept,
        )
        drawn = []

        def watched(size, *options, **names):
            drawn.append(
                (size, perturbation_base.vector_noise(size, *options, **names))
            )
            return drawn[-1][1]

        X = np.zeros((n, dimension))
        with (
            warnings.catch_warnings(),
            patch.object(regression, "vector_noise", watched),
        ):
            warnings.filterwarnings("ignore", message="The noise is too large")
            promise = learner.fit(X, np.zeros(n), rng=0).privacy_
        [(size, law)] = drawn
        width = dimension + fit_intercept
        assert size == width * (width + 3) // 2
        scale = law.scale if delta == 0 else law.sigma
        angles = np.linspace(-1, 1, 81) if dimension > 1 else np.array([-1.0, 1.0])
        moved = 0.0
        for cosine in angles:
            one, other = np.zeros((2, width))
            one[0], other[0] = 1.0, cosine
            other[dimension - 1] += sqrt(1 - cosine**2) * (dimension > 1)
            if fit_intercept:
                one[-1] = other[-1] = regression.CONSTANT
                one, other = (
                    v / sqrt(1 + regression.CONSTANT**2) for v in (one, other)
                )
            for y in (-1.0, 1.0):
                change = second_moments([one], [1.0]) - second_moments([other], [y])
                moved = max(moved, float(np.linalg.norm(change)))
        return promise, noise_pairs(moved / scale, promise)

    return case


def batches(epsilon, delta, rate):
    """One step on a batch: the pair with a record and without, in cells as wide as a thousandth."""
    learner = learners.NoisyGradientDescent(
        epsilon,
        delta,
        n_steps=1,
        batch_size=3.0,
        sampling_rate=rate,
        norm=1e-3,
        classes=(False, True),
    )
    fitted = learner.fit(np.zeros((4, 1)), np.arange(4) > 0, rng=Ones())
    mu = 0.5 / 3.0 * fitted.schedule_.rate / abs(fitted.coef_[0, 0])
    edges = np.linspace(-12, 12 + mu, 24_000)
    without, full = (
        np.log(np.maximum(np.diff(ndtr(edges - x)), 1e-300)) for x in (0.0, mu)
    )
    sampled = np.logaddexp(np.log1p(-rate) + without, np.log(rate) + full)
    assert str(fitted.privacy_).endswith("(add-or-remove-one)")
    return fitted.privacy_, [(sampled[1:-1], without[1:-1])]


def best_subset(method):
    def case(epsilon, n):
        learner = learners.PrivateBestSubset(epsilon, 1, method=method, cells=2)
        X = np.sign(np.random.default_rng(1).normal(size=(n, 3)))
        y, other = X[:, 0].copy(), X[:, 0].copy()
        y[-1], other[-1] = 1.0, -1.0
        moved = X.copy()
        moved[-1] *= -1
        pairs = [((X, y), (X, other)), ((X, y), (moved, other)), ((X, y), (moved, y))]
        laws = [
            [learner.output_distribution(*data).logpmf() for data in pair]
            for pair in pairs
        ]
        return learner.fit(X, y, rng=0).privacy_, laws

    return case


def booster(epsilon, n):
    base = learners.ExponentialPACLearner(epsilon, CUTS)
    learner = learners.PrivateConfidenceBooster(base, 2, classes=(False, True))
    pairs = [
        records(n, changed) for changed in (-1.0, 0.0, 0.5)
    ]  # at 1.0 all cuts would err alike
    laws = [
        [learner.output_distribution(*data).logpmf() for data in pair] for pair in pairs
    ]
    return learner.fit(*records(n, 0.0)[0], rng=0).privacy_, laws


def subsampled(epsilon, n):
    """A random half of the records: the mean of the laws of all halves."""
    base = learners.ExponentialPACLearner(epsilon, CUTS, classes=(False, True))
    learner = SubsampledLearner(base, subsample_size=n // 2, classes=(False, True))
    laws = []
    for X, y in records(n, 0.0):
        parts = [
            base.output_distribution(X[list(s)], y[list(s)]).logpmf()
            for s in combinations(range(n), n // 2)
        ]
        laws.append(np.logaddexp.reduce(parts, axis=0) - np.log(len(parts)))
    return learner.fit(*records(n, 0.0)[0], rng=0).privacy_, [laws]


def representation(epsilon, n):
    """The set is drawn first: given it, the law is that of the mechanism on its scores."""
    learner = learners.RepresentationLearner(epsilon, classes=(False, True))
    seen = []
    original = learners.ExponentialPACLearner.fit

    def watched(self, X, y, *, rng=None):
        seen.append(self)
        return original(self, X, y, rng=rng)

    pair = records(n, 0.0)
    with patch.object(learners.ExponentialPACLearner, "fit", watched):
        promise = learner.fit(*pair[0], rng=0).privacy_
    inner = seen[0]
    return promise, [[inner.output_distribution(*data).logpmf() for data in pair]]


def optimal(epsilon, n):
    learner = optimal_learner(
        LearningProblem(np.array([[0.0, 1.0], [1.0, 0.0]])), n, epsilon
    )
    data, other = np.zeros(n, int), np.append(np.zeros(n - 1, int), 1)
    return learner.guarantee, [
        [learner.output_distribution(d).logpmf() for d in (data, other)]
    ]


def drawn(kind):
    """The law that a fit draws from, by quadrature on a disc."""

    def case(epsilon, n):
        learner = kind(epsilon)
        X = np.zeros((n, 2))
        X[:, 0] = 1.0
        other = X.copy()
        other[-1] = (-1.0, 0.0)
        targets = np.ones(n)
        laws = [
            learner.output_distribution(x, targets).quadrature(30) for x in (X, other)
        ]
        return learner.output_distribution(X, targets).guarantee, [
            [law.logpdf for law in laws]
        ]

    return case


def quadrature_law(epsilon, n):
    case = drawn(learners.ExponentialRidge)
    assert isinstance(
        learners.ExponentialRidge(epsilon).output_distribution(
            np.zeros((n, 1)), np.zeros(n)
        ),
        ExponentialERM,
    )
    return case(epsilon, n)


SIZES = (1, 2, 9)
LAWS = {
    "ExponentialPACLearner": lambda e: learners.ExponentialPACLearner(
        e, CUTS, classes=(False, True)
    ),
    "ReferenceCoverLearner": lambda e: learners.ReferenceCoverLearner(
        e, CUTS, np.linspace(-1, 1, 9)[:, None], classes=(False, True)
    ),
}
PERTURBED = {"delta": (0.0, 1e-12, 1e-5, 0.3), "n": (1, 30)}
CLAIMS = [
    *(
        Claim(name, grid(by_law(make), epsilon=EPSILONS, n=SIZES))
        for name, make in LAWS.items()
    ),
    Claim(
        "PrivateParityLearner",
        grid(parity, epsilon=(*EPSILONS, 39.0), n=(1, 2, 9)),
        spent=0.5,
    ),
    Claim(
        "PrivateSQOracle",
        grid(
            sq_oracle,
            size=EPSILONS,
            n_queries=(1, 7, 10**6),
            kind=("pure", "laplace", "gaussian"),
        ),
        spent=0.66,
    ),
    Claim(
        "PrivateSQClassifier",
        grid(sq_classifier_case, epsilon=EPSILONS, n=(5, 40)),
        spent=1,
    ),
    Claim(
        "MeanClassifier",
        grid(perturbed(learners.MeanClassifier), epsilon=EPSILONS, **PERTURBED),
        spent=1,
    ),
    Claim(
        "OutputPerturbation",
        grid(
            perturbed(learners.OutputPerturbation, strength=0.1),
            epsilon=SMALL,
            **PERTURBED,
        ),
    ),
    Claim(
        "PrivateLinearRegression",
        [
            *grid(linear_regression(2, False), epsilon=EPSILONS, **PERTURBED),
            *grid(linear_regression(3, True), epsilon=EPSILONS, **PERTURBED),
            *grid(linear_regression(1, False), epsilon=SMALL, **PERTURBED),
        ],
        spent=0.7,
    ),
    Claim("ObjectivePerturbation", grid(tilted, epsilon=SMALL, **PERTURBED)),
    Claim(
        "NoisyGradientDescent",
        grid(descent, epsilon=SMALL, delta=DELTAS[1:], n=(1, 30)),
        spent=1,
    ),
    Claim(
        "NoisyGradientDescent",
        grid(batches, epsilon=SMALL[:4], delta=(1e-7, 0.3), rate=(0.01, 0.4)),
    ),
    *(
        Claim("PrivateBestSubset", grid(best_subset(m), epsilon=EPSILONS, n=(1, 12)))
        for m in ("one-stage", "two-stage")
    ),
    Claim("PrivateConfidenceBooster", grid(booster, epsilon=EPSILONS, n=(3, 6))),
    Claim("SubsampledLearner", grid(subsampled, epsilon=EPSILONS, n=(2, 6)), factor=4),
    Claim(
        "RepresentationLearner",
        grid(representation, epsilon=EPSILONS, n=(2, 9)),
        spent=0.14,
    ),
    Claim(
        "OptimalLearner", grid(optimal, epsilon=(0.3, 1.0, 4.0), n=(1, 3)), spent=0.83
    ),
    *(
        Claim(kind.__name__, grid(drawn(kind), epsilon=SMALL, n=(1, 6)))
        for kind in (
            learners.ExponentialRidge,
            learners.ExponentialLogisticRegression,
            learners.ExponentialLinearSVC,
        )
    ),
    Claim("ExponentialERM", grid(quadrature_law, epsilon=SMALL, n=(1, 6))),
]
