"""Claims of the spine: promises, their conversions, and the composition theorems."""

from functools import reduce

import numpy as np
from scipy.special import gammaln, log_ndtr
from sklearn.model_selection import KFold

from privml import composition
from privml.adjacency import Adjacency
from privml.composed import compose
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    Guarantee,
)
from privml.learnability import subsample_guarantee
from privml.learners import search_guarantee
from privml.learners.penalised_erm import early_stopping_guarantee
from tests.claims.claim import DELTAS, EPSILONS, Claim, cells, grid, response

ADD = Adjacency.ADD_OR_REMOVE_ONE
STEPS = (1, 2, 1000, 10**5)


def binomial(k, log_success, log_failure):
    """Log-probabilities of 0..k successes from log-probabilities of both sides."""
    j = np.arange(k + 1.0)
    ways = gammaln(k + 1.0) - gammaln(j + 1) - gammaln(k - j + 1)
    return ways + j * log_success + (k - j) * log_failure


def repeated(epsilon, k, delta=0.0):
    """K independent worst steps: whether an accident happened on either side, else the count of truths."""
    kept = k * np.log1p(-delta)
    with np.errstate(divide="ignore"):
        accident = np.log(-np.expm1(kept))
    true = -np.logaddexp(0.0, -epsilon)
    p, q = (
        binomial(k, true, true - epsilon) + kept,
        binomial(k, true - epsilon, true) + kept,
    )
    return np.concatenate([[accident], p, [-np.inf]]), np.concatenate(
        [[-np.inf], q, [accident]]
    )


def skewed(epsilon, t):
    """The pair with losses t and t - epsilon."""
    whole = np.log(-np.expm1(-epsilon))
    with np.errstate(divide="ignore"):
        q_small = np.log(-np.expm1(-t)) - whole
        q_large = np.log(-np.expm1(t - epsilon)) - t - whole
    return np.array([q_large + t, q_small + t - epsilon]), np.array([q_large, q_small])


def skewed_repeated(epsilon, k):
    for share in (1e-3, 0.2, 0.5, 0.8, 0.999):
        p, q = skewed(epsilon, share * epsilon)
        yield binomial(k, *p), binomial(k, *q)


def gaussian(mu):
    """Two unit Gaussians mu apart, in cells that are fine for the loss."""
    edges = np.linspace(-40 - mu, 40 + mu, 20_001)
    return tuple(
        cells(log_ndtr(edges - mean), log_ndtr(mean - edges)) for mean in (0.0, mu)
    )


def pure(kind):
    return lambda epsilon, delta, k: (
        kind(Guarantee(epsilon), k, delta),
        [repeated(epsilon, k)],
    )


def approximate(kind):
    def case(epsilon, k, delta):
        step_delta = delta / (4 * k)
        return kind(Guarantee(epsilon, step_delta), k, delta / 2), [
            repeated(epsilon, k, step_delta)
        ]

    return case


def basic(epsilon, delta, k):
    return composition.basic_composition(*[Guarantee(epsilon, delta)] * k), [
        repeated(epsilon, k, delta)
    ]


def composed(epsilon, k, delta, share):
    """Worst steps, which spend a share of delta on their accidents."""
    step = Guarantee(epsilon, share * delta / k)
    return compose((step, k), delta=delta).guarantee, [repeated(epsilon, k, step.delta)]


def search(epsilon, n_splits, delta):
    """One candidate, whose fits are worst steps: all but one part, the last fit and the choice."""
    step, cv = Guarantee(epsilon, delta), KFold(n_splits)
    return search_guarantee(step, cv=cv, selection=step), [
        repeated(epsilon, n_splits + 1, delta)
    ]


def parallel(epsilon, delta, partition):
    adjacency = {"index": Adjacency.REPLACE_ONE, "record": ADD}[partition]
    parts = [Guarantee(scale * epsilon, delta, adjacency) for scale in (1, 0.5)]
    return composition.parallel_composition(*parts, partition=partition), [
        response(epsilon, delta)
    ]


def group(epsilon, delta, k):
    """A chain of alarms, each e^epsilon times the last and delta more, while two have at most mass 1."""
    chain = [-np.inf]
    for _ in range(k):
        chain.append(np.logaddexp(chain[-1] + epsilon, np.log(delta)))
    promise, pairs = Guarantee(epsilon, delta).for_group(k), [response(k * epsilon)]
    if np.logaddexp(*chain[-2:]) < 0:
        pairs.append(
            (
                np.array([chain[-1], np.log(-np.expm1(chain[-1]))]),
                np.array([-np.inf, 0.0]),
            )
        )
    return promise, pairs


def concentrated(rho, delta):
    return ConcentratedGuarantee(rho).as_approximate(delta), [np.sqrt(2 * rho)]


def gaussian_at(mu, delta):
    return GaussianGuarantee(mu).as_approximate(delta), [mu]


def gaussian_as_concentrated(mu):
    return GaussianGuarantee(mu).as_concentrated(), [mu]


def stopped(epsilon, gamma):
    """Results of vanishing probability just above the corner, where the loss is largest."""
    log_high, log_low = -np.log1p(np.exp(-epsilon)), -np.log1p(np.exp(epsilon))
    sliver = np.log([1 - 1e-7, 1e-7])
    p = np.array([*(log_high + sliver), log_low])
    q = np.array([*(log_low + sliver), log_high])
    laws = [
        composition.best_of_geometric(np.exp(law), gamma).logpmf() for law in (p, q)
    ]
    return composition.geometric_stopping(Guarantee(epsilon), gamma), [tuple(laws)]


def from_pure(epsilon):
    promise = Guarantee(epsilon).as_concentrated()
    return promise, [tuple(law[1:3] for law in response(epsilon))]


def to_concentrated(epsilon):
    promise = BoundedRangeGuarantee(epsilon).as_concentrated()
    return promise, [
        skewed(epsilon, share * epsilon) for share in (0.01, 0.3, 0.5, 0.7, 0.99)
    ]


def range_of_pure(epsilon):
    promise = Guarantee(epsilon).as_bounded_range()
    return promise, [tuple(law[1:3] for law in response(epsilon))]


def many_concentrated(rho, k):
    promise = composition.concentrated_composition(*[ConcentratedGuarantee(rho)] * k)
    return promise, [gaussian(np.sqrt(2 * rho * k))]


def many_ranges(epsilon, k):
    promise = composition.bounded_range_composition(
        *[BoundedRangeGuarantee(epsilon)] * k
    )
    return promise, list(skewed_repeated(epsilon, k))


def fixed_ranges(epsilon, delta, k):
    promise = composition.nonadaptive_range_composition(
        BoundedRangeGuarantee(epsilon), k, delta
    )
    return promise, list(skewed_repeated(epsilon, k))


def numerical(kind, size, delta, k):
    loss = {"gaussian": composition.gaussian_loss, "laplace": composition.laplace_loss}[
        kind
    ](size, k)
    promise = composition.numerical_composition(loss, delta=delta)
    return promise, [size * np.sqrt(k)] if kind == "gaussian" else [
        repeated_laplace(size, k)
    ]


def repeated_laplace(epsilon, k):
    """What k Laplace answers tell by their signs around both centres: weaker than all, so a lower bound."""
    low, middle, high = (
        np.log(0.5),
        np.log(0.5) + np.log(-np.expm1(-epsilon / 2)),
        np.log(0.5) - epsilon / 2,
    )
    total = np.logaddexp(low, middle), high
    return binomial(k, *total), binomial(k, *total[::-1])


def mixed(epsilon, delta, rate):
    """A mechanism that runs with its record at this rate, and else as if without it."""
    p, q = response(epsilon, delta)
    with np.errstate(divide="ignore"):
        return np.logaddexp(np.log(rate) + p, np.log1p(-rate) + q), q


def sampled(scheme, rate, k, delta):
    """A record used by chance, in coarse cells: it comes in, or, where it is replaced, changes sides."""
    loss = composition.gaussian_loss(1.0, k, sampling_rate=rate, scheme=scheme)
    edges = np.linspace(-9, 9, 181)
    used, ends = (
        np.log([rate, 1 - rate]),
        [(1.0, 0.0), (0.5, -0.5)][: 1 + (scheme == "subset")],
    )

    def unit(mean):
        return cells(log_ndtr(edges - mean), log_ndtr(mean - edges))

    def law(end):
        return reduce(
            np.add.outer, [np.logaddexp(used[0] + unit(end), used[1] + unit(0.0))] * k
        ).ravel()

    promise = composition.numerical_composition(loss, delta=delta)
    return promise, [(law(here), law(there)) for here, there in ends]


def poisson(epsilon, delta, rate):
    return composition.subsampled_poisson(Guarantee(epsilon, delta, ADD), rate), [
        mixed(epsilon, delta, rate)
    ]


def without(kind):
    def case(epsilon, delta, n, m):
        options = {} if kind is subsample_guarantee else {"symmetric": True}
        return kind(Guarantee(epsilon, delta), n, m, **options), [
            mixed(epsilon, delta, m / n)
        ]

    return case


def with_repeats(epsilon, n, m):
    """The outcome that j copies make e^(j epsilon) times as likely, from a law where that is possible."""
    promise = composition.subsampled_with_replacement(Guarantee(epsilon), n, m)
    base = -m * epsilon - 1
    with np.errstate(divide="ignore"):
        copies = np.logaddexp.reduce(
            binomial(m, -np.log(n), np.log1p(-1 / n)) + np.arange(m + 1) * epsilon
            if n > 1
            else [m * epsilon]
        )
    p, q = base + copies, base
    return promise, [
        (np.array([p, np.log(-np.expm1(p))]), np.array([q, np.log(-np.expm1(q))]))
    ]


def alone(n, m):
    rate = m / n
    with np.errstate(divide="ignore"):
        return composition.subsampling_alone(n, m), [
            (np.log([rate, 0.0, 1 - rate]), np.log([0.0, rate, 1 - rate]))
        ]


def early(epsilon, delta, distance):
    """A law that moves this much mass from the least to the most telling outcome, on one side."""
    promise = early_stopping_guarantee(Guarantee(epsilon, delta), distance)
    p, q = response(epsilon, delta)
    if distance > 0:
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = min(np.log(distance), q[1])
            q = np.array(
                [
                    q[0],
                    q[1] + np.log(-np.expm1(moved - q[1])),
                    np.logaddexp(q[2], moved),
                    q[3],
                ]
            )
    return promise, [(p, q)]


RATES = (1e-9, 0.01, 0.5, 1.0)
SIZES = {"n": (1, 7, 10**6), "m": (1, 3)}
CLAIMS = [
    Claim(
        "search_guarantee",
        grid(search, epsilon=EPSILONS[:4], n_splits=(2, 5), delta=(0.0, 1e-5)),
    ),
    Claim(
        "Composition",
        grid(
            composed,
            epsilon=(1e-6, 0.3, 4.0),
            k=(1, 2, 1000),
            delta=DELTAS[1:],
            share=(0, 0.5),
        ),
    ),
    Claim(
        "Guarantee", grid(group, epsilon=EPSILONS, delta=DELTAS, k=(1, 3)), spent=0.73
    ),
    Claim(
        "ConcentratedGuarantee",
        [
            *grid(concentrated, rho=(1e-12, 1e-3, 1.0, 300.0), delta=DELTAS),
            *grid(from_pure, epsilon=EPSILONS),
        ],
        spent=0.3,
    ),
    Claim(
        "GaussianGuarantee",
        [
            *grid(gaussian_at, mu=(1e-3, 0.3, 1.0, 20.0), delta=DELTAS),
            *grid(gaussian_as_concentrated, mu=(1e-6, 0.3, 20.0)),
        ],
        spent=0.89,
    ),
    Claim(
        "geometric_stopping",
        grid(stopped, epsilon=(0.1, 1.0, 5.0), gamma=(1.0, 0.5, 0.1, 1e-3)),
        spent=1,
    ),
    Claim(
        "BoundedRangeGuarantee",
        [
            *grid(to_concentrated, epsilon=EPSILONS),
            *grid(range_of_pure, epsilon=EPSILONS),
        ],
        spent=0.92,
    ),
    Claim(
        "basic_composition",
        grid(basic, epsilon=EPSILONS, delta=(0.0, *DELTAS), k=(1, 2, 50)),
        spent=0.93,
    ),
    Claim(
        "parallel_composition",
        grid(parallel, epsilon=EPSILONS, delta=DELTAS, partition=("index", "record")),
        spent=1,
    ),
    Claim(
        "advanced_composition",
        [
            *grid(
                pure(composition.advanced_composition),
                epsilon=EPSILONS,
                delta=DELTAS,
                k=STEPS,
            ),
            *grid(
                approximate(composition.advanced_composition),
                epsilon=EPSILONS,
                k=STEPS,
                delta=DELTAS,
            ),
            *grid(
                pure(composition.advanced_composition),
                epsilon=EPSILONS[:3],
                delta=DELTAS[:2],
                k=[10**6],
            ),
        ],
    ),
    Claim(
        "optimal_composition",
        [
            *grid(
                pure(composition.optimal_composition),
                epsilon=EPSILONS,
                delta=DELTAS,
                k=STEPS,
            ),
            *grid(
                approximate(composition.optimal_composition),
                epsilon=EPSILONS,
                k=STEPS[:3],
                delta=DELTAS,
            ),
            *grid(
                pure(composition.optimal_composition),
                epsilon=EPSILONS[:3],
                delta=DELTAS[:2],
                k=[10**6],
            ),
        ],
        spent=0.41,
    ),
    Claim(
        "concentrated_composition",
        grid(many_concentrated, rho=(1e-9, 0.01, 2.0), k=(1, 40)),
        spent=1,
    ),
    Claim(
        "bounded_range_composition",
        grid(many_ranges, epsilon=EPSILONS, k=(1, 2, 100)),
        spent=0.57,
    ),
    Claim(
        "nonadaptive_range_composition",
        grid(
            fixed_ranges, epsilon=(*EPSILONS, 2.5), delta=DELTAS, k=(1, 2, 1001, 10**5)
        ),
        spent=0.04,
    ),
    Claim(
        "numerical_composition",
        [
            *grid(
                numerical,
                kind=["gaussian"],
                size=(0.05, 1.0),
                delta=(1e-9, 1e-3),
                k=(1, 10),
            ),
            *grid(
                numerical,
                kind=["laplace"],
                size=(0.5, 2.0),
                delta=(1e-9, 1e-3),
                k=(1, 10),
            ),
        ],
        spent=0.5,
    ),
    Claim(
        "numerical_composition",
        grid(
            sampled,
            scheme=("coins", "subset"),
            rate=(0.1, 0.5),
            k=(1, 2),
            delta=(1e-9, 1e-3, 0.1),
        ),
    ),
    Claim(
        "subsampled_poisson",
        grid(poisson, epsilon=EPSILONS, delta=(0.0, *DELTAS), rate=RATES),
        spent=0.99,
    ),
    *(
        Claim(
            kind.__name__,
            grid(without(kind), epsilon=EPSILONS, delta=(0.0, *DELTAS), **SIZES),
            spent=1,
        )
        for kind in (composition.subsampled_without_replacement, subsample_guarantee)
    ),
    Claim(
        "subsampled_with_replacement",
        grid(with_repeats, epsilon=EPSILONS, n=(1, 7, 10**6), m=(1, 3, 100)),
        spent=1,
    ),
    Claim("subsampling_alone", grid(alone, **SIZES), spent=1),
    Claim(
        "early_stopping_guarantee",
        grid(
            early,
            epsilon=EPSILONS,
            delta=(0.0, *DELTAS),
            distance=(0.0, 1e-12, 0.01, 1.0),
        ),
        spent=0.7,
    ),
]
