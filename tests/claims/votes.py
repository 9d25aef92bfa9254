"""Claims of private aggregation: laws of labels on votes of which one teacher changed hers."""

import warnings
from itertools import product

import numpy as np
from sklearn.linear_model import LogisticRegression

from privml import pate
from tests.claims.claim import DELTAS, Claim, grid

EPSILONS = (1e-3, 0.3, 1.0, 4.0, 40.0)
SPLITS = ((0, 9), (4, 5), (5, 4), (9, 0), (0, 1))


def vote_table(split, n_points):
    """Votes of the teachers at each point: the first of them for class 0."""
    return np.repeat(
        (np.arange(sum(split)) >= split[0])[:, None], n_points, axis=1
    ).astype(np.uint8)


def aggregator(kind, n_points=2, **options):
    def case(epsilon, delta):
        service = kind(epsilon=epsilon, delta=delta, **options)
        pairs = []
        for split in SPLITS:
            votes = vote_table(split, n_points)
            other = votes.copy()
            other[split[0] - 1 if split[0] else 0] ^= 1
            pairs.append(
                [service.output_distribution(v).logpmf() for v in (votes, other)]
            )
        stream = service.stream(rng=0)
        assert (
            stream.guarantee
            == service.answer(votes, rng=0).guarantee
            == service.guarantee
        )
        return service.guarantee, pairs

    return case


THIRDS = ((9, 0, 0), (0, 0, 1), (3, 3, 3), (1, 4, 4), (5, 3, 1))


def column(split, vote):
    """Votes at one point, of which the first teacher's is given."""
    rest = np.repeat(range(3), np.subtract(split, np.arange(3) == vote))
    return np.append(vote, rest).astype(np.uint8)


def three_classes(kind, **options):
    """All votes of one teacher on two points against all others, for some votes of the rest."""

    def case(epsilon, delta):
        service = kind(epsilon=epsilon, delta=delta, n_classes=3, **options)
        laws, pairs = {}, []

        def law(votes):
            key = pate.vote_counts(votes, 3).tobytes()
            if key not in laws:
                laws[key] = service.output_distribution(votes).logpmf()
            return laws[key]

        for split, moved in product(THIRDS, product(range(3), repeat=4)):
            old, new = moved[:2], moved[2:]
            if all(np.take(split, old)) and old != new:
                votes = np.column_stack([column(split, vote) for vote in old])
                other = votes.copy()
                other[0] = new
                pairs.append([law(votes), law(other)])
        return service.guarantee, pairs

    return case


def many(kind, noise, **options):
    """A long run by its noise: one vote moves each of the queries by one on each count that it touches."""

    def case(epsilon, delta, n_queries):
        service = kind(epsilon=epsilon, delta=delta, n_queries=n_queries, **options)
        return service.guarantee, [noise(service, n_queries)]

    return case


def confident_mu(service, n_queries):
    check, answer = (
        n_queries / service.check_sigma**2,
        2 * service.n_answers / service.sigma**2,
    )
    return np.sqrt(check + answer)


def counts(epsilon, delta, n_points):
    released = pate.noisy_counts(
        np.full(n_points, 3.0), 5, epsilon=epsilon, delta=delta, rng=0
    )
    return released.guarantee, [np.sqrt(n_points) / released.sigma]


X = np.linspace(-1, 1, 24)[:, None]


def student(epsilon, delta, n_queries, classes=(0, 1)):
    """One fit: its promise is that of an aggregator that pays for all its queries."""
    learner = pate.PATEClassifier(
        LogisticRegression(),
        3,
        epsilon=epsilon,
        delta=delta,
        n_queries=n_queries,
        classes=classes,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="The noise .*is too large for"
        )  # three teachers are few
        y = np.arange(len(X)) * len(classes) // len(X)
        fitted = learner.fit(X, y, X_public=X[::2], rng=0)
    if len(classes) > 2:  # a vote moves two counts by 1 each
        return fitted.privacy_, [np.sqrt(2 * n_queries) / fitted.aggregator_.scale]
    return fitted.privacy_, [np.sqrt(n_queries) / fitted.aggregator_.sigma]


def taught_by(epsilon, delta, n_queries):
    service = pate.GaussianAggregator(epsilon=epsilon, delta=delta, n_queries=n_queries)
    votes = np.repeat((X[:, 0] > 0)[None].astype(np.uint8), 5, axis=0)
    found = pate.taught_student(LogisticRegression(), X, votes, service, rng=0)
    assert found.guarantee == service.guarantee
    return found.guarantee, [np.sqrt(len(found.queried)) / service.sigma]


BUDGETS = {"epsilon": EPSILONS, "delta": DELTAS}
FEW = {"epsilon": (0.3, 4.0), "delta": (1e-5, 0.3)}
CHECKED = {"threshold": 5.0, "check_share": 0.3}
LONG = {**BUDGETS, "n_queries": (1, 100, 10**6)}
CLAIMS = [
    Claim(
        "GaussianAggregator",
        [
            *grid(aggregator(pate.GaussianAggregator, n_queries=2), **BUDGETS),
            *grid(
                many(pate.GaussianAggregator, lambda s, k: np.sqrt(k) / s.sigma), **LONG
            ),
            *grid(
                many(
                    pate.GaussianAggregator,
                    lambda s, k: np.sqrt(k) / s.sigma,
                    calibration="source",
                ),
                **LONG,
            ),
        ],
        spent=0.42,
    ),
    Claim(
        "ConfidentAggregator",
        [
            *grid(
                aggregator(
                    pate.ConfidentAggregator, n_queries=2, n_answers=1, **CHECKED
                ),
                **BUDGETS,
            ),
            *grid(
                many(pate.ConfidentAggregator, confident_mu, n_answers=3, **CHECKED),
                **LONG,
            ),
            *grid(
                three_classes(
                    pate.ConfidentAggregator, n_queries=2, n_answers=1, **CHECKED
                ),
                **FEW,
            ),
        ],
        spent=0.7,
    ),
    Claim(
        "NoisyMaxAggregator",
        [
            *grid(aggregator(pate.NoisyMaxAggregator, n_queries=2), **BUDGETS),
            *grid(
                aggregator(pate.NoisyMaxAggregator, n_queries=2, noise="laplace"),
                **BUDGETS,
            ),
            *grid(
                many(pate.NoisyMaxAggregator, lambda s, k: np.sqrt(2 * k) / s.scale),
                **LONG,
            ),
            *(
                case
                for noise in ("gaussian", "laplace")
                for case in grid(
                    three_classes(pate.NoisyMaxAggregator, n_queries=2, noise=noise),
                    **FEW,
                )
            ),
        ],
        spent=0.55,
    ),
    Claim(
        "SparseVectorAggregator",
        [
            *grid(aggregator(pate.SparseVectorAggregator, cutoff=1), **BUDGETS),
            *grid(
                aggregator(pate.SparseVectorAggregator, cutoff=2, split="source"),
                **BUDGETS,
            ),
            *grid(three_classes(pate.SparseVectorAggregator, cutoff=1), **FEW),
        ],
    ),
    *(
        Claim(
            name,
            grid(
                aggregator(pate.GaussianAggregator, n_queries=2),
                epsilon=(1.0,),
                delta=(1e-5,),
            ),
        )
        for name in ("Answers", "VoteStream")
    ),
    *(
        Claim(name, grid(counts, **BUDGETS, n_points=(1, 1000)), spent=1)
        for name in ("NoisyCounts", "noisy_counts")
    ),
    *(
        Claim(
            name,
            grid(
                taught_by, epsilon=(0.3, 4.0), delta=(1e-12, 0.3), n_queries=(24, 10**6)
            ),
            spent=0.5,
        )
        for name in ("Taught", "taught_student")
    ),
    Claim(
        "PATEClassifier",
        grid(
            student,
            epsilon=(0.3, 40.0),
            delta=(1e-300, 1e-5),
            n_queries=(1, 10),
            classes=((0, 1), (0, 1, 2), tuple(range(12))),
        ),
        spent=1,
    ),
]
