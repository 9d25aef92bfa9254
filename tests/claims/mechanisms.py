"""Claims of the mechanisms: exact laws on values that differ as much as the sensitivity allows."""

import numpy as np

from privml import mechanisms
from privml.adjacency import Adjacency
from tests.claims.claim import DELTAS, EPSILONS, Claim, audited, grid
from tests.claims.statistics import joint_pair

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
SENSITIVITIES = (1e-12, 1.0, 1e6)


def laplace(epsilon, sensitivity):
    mechanism = mechanisms.LaplaceMechanism(epsilon=epsilon, sensitivity=sensitivity)
    p, q = (mechanism.output_distribution(value) for value in (0.0, sensitivity))
    points = sensitivity * np.linspace(-2, 3, 41)
    return mechanism.guarantee, [(p.logpdf(points), q.logpdf(points))]


def gaussian(epsilon, delta, sensitivity):
    mechanism = mechanisms.GaussianMechanism(
        epsilon=epsilon, delta=delta, sensitivity=sensitivity
    )
    return mechanism.guarantee, [
        sensitivity / float(mechanism.output_distribution(0.0).sigma)
    ]


def with_sigma(sigma, delta):
    mechanism = mechanisms.GaussianMechanism.with_sigma(
        sigma=sigma, delta=delta, sensitivity=1.0
    )
    return mechanism.guarantee, [1 / sigma]


def discrete_laplace(epsilon, sensitivity):
    mechanism = mechanisms.DiscreteLaplaceMechanism(
        epsilon=epsilon, sensitivity=sensitivity
    )
    points = np.arange(
        -2 * sensitivity, 3 * sensitivity + 1, max(1, sensitivity // 100)
    )
    p, q = (
        np.asarray(mechanism.output_distribution(v).logpmf(points))
        for v in (0, sensitivity)
    )
    return mechanism.guarantee, [(p, q)]


def discrete_gaussian(epsilon, delta, sensitivity):
    mechanism = mechanisms.DiscreteGaussianMechanism(
        epsilon=epsilon, delta=delta, sensitivity=sensitivity
    )
    wide = int(60 * np.sqrt(float(mechanism.variance))) + 3 * int(sensitivity) + 3
    points = np.arange(-wide, wide + 1)
    p = -(points.astype(float) ** 2) / (2 * float(mechanism.variance))
    q = -((points - int(sensitivity)).astype(float) ** 2) / (
        2 * float(mechanism.variance)
    )
    p, q = (law - np.logaddexp.reduce(law) for law in (p, q))
    return mechanism.guarantee, [(p, q)]


def factorised(epsilon, delta, adjacency, strategy):
    """Three cells with up to one record each: all that one record does, as vectors of whole steps."""
    mechanism = mechanisms.FactorisationMechanism(
        workload=np.tri(3),
        strategy=strategy(3),
        epsilon=epsilon,
        delta=delta,
        adjacency=adjacency,
    )
    cells = np.vstack([np.zeros(3, dtype=int), np.eye(3, dtype=int)])
    laws = [mechanism.output_distribution(value) for value in cells]
    last = 4 if adjacency is REPLACE else 1
    pairs = [(laws[i], laws[j]) for i in range(last) for j in range(i + 1, 4)]
    if not delta:
        return mechanism.guarantee, [joint_pair(*pair) for pair in pairs]
    sigma = float(mechanism.noise.variance) ** 0.5
    moves = [np.subtract(*(law.marginals.location for law in pair)) for pair in pairs]
    return mechanism.guarantee, [np.linalg.norm(move) / sigma for move in moves]


def response(epsilon, n_values):
    survey = mechanisms.RandomisedResponse(epsilon, n_values)
    laws = [survey.output_distribution(value).logpmf() for value in (0, n_values - 1)]
    return survey.guarantee, [tuple(laws)]


def unary(epsilon, n_values, symmetric):
    survey = mechanisms.UnaryEncoding(epsilon, n_values, symmetric)
    laws = [survey.output_distribution(value).logpmf() for value in (0, n_values - 1)]
    return survey.guarantee, [tuple(laws)]


def selection(kind, monotone):
    """Two and three outcomes; scores that differ by the sensitivity, ties and a far leader among them."""

    def case(epsilon, sensitivity):
        adjacency = ADD if monotone else REPLACE
        mechanism = kind(
            epsilon=epsilon,
            sensitivity=sensitivity,
            adjacency=adjacency,
            monotone=monotone,
        )
        lower = 0.0 if monotone else -1.0
        pairs = []
        for start in (
            [0.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 50.0],
            [3.0, 1.0, -4.0],
            [7.0],
        ):
            for change in np.ndindex(*(2,) * len(start)):
                moved = np.array(start) + np.where(np.array(change) == 1, 1.0, lower)
                laws = (
                    mechanism.output_distribution(sensitivity * np.array(v))
                    for v in (start, moved)
                )
                pairs.append(tuple(law.logpmf() for law in laws))
        return mechanism.guarantee, pairs

    return case


def crossings(kind, monotone=False):
    def case(epsilon, cutoff, share):
        options = {
            "monotone": monotone,
            "threshold_share": share,
            "adjacency": ADD if monotone else REPLACE,
        }
        options = options if kind is mechanisms.SparseVector else {"delta": share}
        run = kind(epsilon=epsilon, sensitivity=1, cutoff=cutoff, **options)
        down = 0.0 if monotone else -1.0
        pairs = []
        for stream in ([0.0, 0.0, 0.0], [0.4, -1.0, 2.0], [1.0, -1.0]):
            for change in np.ndindex(*(2,) * len(stream)):
                moved = np.array(stream) + np.where(np.array(change) == 1, 1.0, down)
                pairs.append(
                    tuple(run.output_distribution(v).logpmf() for v in (stream, moved))
                )
        return run.guarantee, pairs

    return case


def one_run(epsilon, cutoff):
    mechanism = mechanisms.SparseVector(epsilon=epsilon, cutoff=cutoff, sensitivity=1)
    assert mechanism.run([[5.0, 5.0]], rng=0).guarantee == mechanism.guarantee
    return crossings(mechanisms.SparseVector)(epsilon, cutoff, None)


def stability(epsilon, delta, adjacency):
    mechanism = mechanisms.DistanceToInstability(
        epsilon=epsilon, delta=delta, adjacency=adjacency
    )
    values = [((0, 0), (1, 0)), *(((0, r), (0, r + 1)) for r in (0, 1, 3, 50))]
    return mechanism.guarantee, [
        tuple(mechanism.output_distribution(value).logpmf() for value in pair)
        for pair in values
    ]


def tables(epsilon, n_rounds, n_samples):
    """Three queries on four points: whole transcripts on all neighbouring data sets."""
    queries = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], dtype=bool)
    mechanism = mechanisms.MWEM(epsilon=epsilon, queries=queries, n_rounds=n_rounds)

    def law(z):
        return mechanism.output_distribution(np.bincount(z, minlength=4))

    promise = mechanism.release([n_samples, 0, 0, 0], rng=0).guarantee
    assert promise == mechanism.guarantee
    return promise, audited(law, np.arange(4), n_samples, REPLACE)


SMALL = (1e-6, 0.3, 1.0, 4.0, 40.0)
SELECTIONS = [
    (kind, monotone)
    for kind in (mechanisms.ExponentialMechanism, mechanisms.PermuteAndFlip)
    for monotone in (False, True)
]
GAUSSIAN = [*grid(gaussian, epsilon=EPSILONS, delta=DELTAS, sensitivity=SENSITIVITIES)]
GAUSSIAN += grid(with_sigma, sigma=(0.05, 1.0, 30.0, 1e6), delta=DELTAS)
CLAIMS = [
    Claim(
        "LaplaceMechanism",
        grid(laplace, epsilon=EPSILONS, sensitivity=SENSITIVITIES),
        spent=1,
    ),
    Claim("GaussianMechanism", GAUSSIAN, spent=0.97),
    Claim(
        "DiscreteLaplaceMechanism",
        grid(discrete_laplace, epsilon=EPSILONS, sensitivity=(1, 3, 1000)),
        spent=1,
    ),
    Claim(
        "DiscreteGaussianMechanism",
        grid(
            discrete_gaussian,
            epsilon=(0.3, 1.0, 4.0, 40.0),
            delta=DELTAS,
            sensitivity=(1, 3, 100),
        ),
        spent=0.93,
    ),
    Claim(
        "FactorisationMechanism",
        grid(
            factorised,
            epsilon=EPSILONS,
            delta=(0.0, *DELTAS),
            adjacency=(REPLACE, ADD),
            strategy=(mechanisms.tree_strategy, mechanisms.square_root_strategy),
        ),
        spent=0.9,
    ),
    Claim(
        "RandomisedResponse",
        grid(response, epsilon=EPSILONS, n_values=(2, 3, 10**6)),
        spent=1,
    ),
    Claim(
        "UnaryEncoding",
        grid(unary, epsilon=EPSILONS, n_values=(2, 5), symmetric=(False, True)),
        spent=1,
    ),
    *(
        Claim(
            kind.__name__,
            grid(selection(kind, monotone), epsilon=EPSILONS, sensitivity=(1e-12, 1.0)),
            spent=0.85,
        )
        for kind, monotone in SELECTIONS
    ),
    *(
        Claim(
            "SparseVector",
            grid(
                crossings(mechanisms.SparseVector, monotone),
                epsilon=EPSILONS,
                cutoff=(1, 2),
                share=(None, 0.5),
            ),
        )
        for monotone in (False, True)
    ),
    Claim("SparseVectorRun", grid(one_run, epsilon=SMALL, cutoff=(1, 2))),
    Claim(
        "RestartingSparseVector",
        grid(
            crossings(mechanisms.RestartingSparseVector),
            epsilon=EPSILONS,
            cutoff=(1, 2),
            share=DELTAS,
        ),
        factor=30,
    ),
    Claim(
        "DistanceToInstability",
        grid(stability, epsilon=EPSILONS, delta=DELTAS, adjacency=tuple(Adjacency)),
        spent=1,
    ),
    Claim(
        "MWEM",
        grid(tables, epsilon=EPSILONS, n_rounds=(1, 2), n_samples=(1, 3)),
        spent=0.0,
    ),
    Claim(
        "SyntheticTable",
        grid(tables, epsilon=SMALL, n_rounds=(1,), n_samples=(1,)),
        spent=0.0,
    ),
]
