"""Claims of learning from expert advice, and of the linear learner that is made of it."""

import numpy as np

from privml import learners
from privml.learners import experts
from tests.claims.claim import DELTAS, Claim, grid
from tests.claims.spine import binomial

ETAS = (1e-7, 0.05, 1.25, 20.0, 700.0)


def linear(epsilon, delta, method):
    """Six records with one feature and an intercept, in the order given; the first is replaced."""
    learner = learners.LinearLearner(
        epsilon, delta, method=method, fit_intercept=False, classes=(0, 1)
    )
    X, y = np.zeros((6, 1)), np.array([0, 1, 0, 1, 0, 1])
    fitted = learner.fit(X, y, rng=0)
    high, low = np.zeros((6, 2)), np.zeros((6, 2))
    high[0], low[0] = (1, -1), (-1, 1)
    return fitted.privacy_, [
        [
            experts.action_sequence_distribution(x, fitted.eta_, lower=-1.0).logpmf()
            for x in (high, low)
        ]
    ]


def run(kind):
    """Losses of two experts that differ in the first round as much as they can; all other losses are 0."""

    def case(eta, n_rounds, delta):
        promise = {
            "run": lambda: experts.run_guarantee(eta, n_rounds, delta),
            "adaptive": lambda: experts.run_guarantee(
                eta, n_rounds, delta, adaptive=True
            ),
            "linear": lambda: experts.run_guarantee(
                eta / 2, n_rounds, delta, loss_range=2.0
            ),
            "concentrated": lambda: experts.concentrated_run(eta, n_rounds),
        }[kind]()
        p, q = -np.logaddexp(0.0, -eta), -np.logaddexp(0.0, eta)
        return promise, [(binomial(n_rounds - 1, p, q), binomial(n_rounds - 1, q, p))]

    return case


def whole_run(epsilon, delta, method):
    """Six rounds of two experts; the losses of the first are exchanged."""
    high, low = np.zeros((6, 2)), np.zeros((6, 2))
    high[0], low[0] = (1, 0), (0, 1)
    done = experts.private_actions(
        high, epsilon=epsilon, delta=delta, method=method, rng=0
    )
    return done.guarantee, [
        [
            experts.action_sequence_distribution(x, done.eta).logpmf()
            for x in (high, low)
        ]
    ]


def one_round(eta, loss_range):
    promise = experts.round_guarantee(eta, loss_range=loss_range)
    p, q = -np.logaddexp(0.0, -eta * loss_range), -np.logaddexp(0.0, eta * loss_range)
    return promise, [(np.array([p, q]), np.array([q, p]))]


BUDGETS = {"epsilon": (1e-6, 0.3, 1.0, 40.0, 720.0), "delta": DELTAS}
CLAIMS = [
    Claim(
        "LinearLearner",
        grid(linear, **BUDGETS, method=("corrected", "concentrated", "nonadaptive")),
        spent=0.03,
    ),
    Claim(
        "PrivateRun",
        grid(whole_run, **BUDGETS, method=("nonadaptive", "concentrated", "dr11")),
        spent=0.03,
    ),
    Claim(
        "run_guarantee",
        [
            *grid(run("linear"), eta=ETAS, n_rounds=(1, 2, 1001), delta=DELTAS),
            *grid(run("run"), eta=ETAS, n_rounds=(1, 2, 1001), delta=DELTAS),
            *grid(
                run("adaptive"), eta=ETAS, n_rounds=(1, 2, 1001, 10**5), delta=DELTAS
            ),
        ],
        spent=0.01,
    ),
    Claim(
        "concentrated_run",
        grid(run("concentrated"), eta=ETAS, n_rounds=(1, 2, 1001), delta=(None,)),
        spent=0.26,
    ),
    Claim(
        "round_guarantee",
        grid(one_round, eta=(*ETAS, 1e4), loss_range=(1e-9, 1.0, 2.0)),
        spent=0.94,
    ),
]
