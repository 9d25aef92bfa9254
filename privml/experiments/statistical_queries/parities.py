"""Tables on parities: what queries can rule out, and private learners that do not ask queries."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.bounds.parities import parities_ruled_out, parity_plan, private_parity_failure
from privml.hypotheses import Parities, boolean_cube
from privml.learners import exponential_law
from privml.learners.statistical_queries import ParityAdversary, parity_law, walsh_hadamard
from privml.pac import failure_probability
from privml.populations import FinitePopulation

BENT_FEATURES = 4


def most_ruled_out(dimensions: Sequence[int], tolerances: Sequence[float]) -> pd.DataFrame:
    """Most parities that one query rules out, over all queries with values 0 and 1, next to the bound.

    Parameters
    ----------
    dimensions : sequence of int
        Dimensions d, at most 3.
    tolerances : sequence of float
        Tolerances of the oracle.

    Returns
    -------
    DataFrame
        Columns ``tolerance``, ``bound`` and ``d = ...`` for each dimension.

    Examples
    --------
    >>> most_ruled_out([1, 2], [0.2, 0.3]).to_numpy().tolist()
    [[0.2, 6.0, 2.0, 4.0], [0.3, 2.0, 1.0, 1.0]]
    """
    table = pd.DataFrame({"tolerance": tolerances})
    table["bound"] = [parities_ruled_out(tau) for tau in tolerances]
    for d in dimensions:
        differences = np.array(list(product([-1.0, 0.0, 1.0], repeat=1 << d)))
        signs = np.array([walsh_hadamard(row) for row in np.eye(1 << d)])
        shifts = np.abs(differences @ signs) / 2
        table[f"d = {d}"] = [int((shifts > tau).sum(axis=1).max()) for tau in tolerances]
    return table


def single_parities(n_features: int) -> Iterator[Callable]:
    """Queries that ask of one parity after the other how often it agrees with the label."""
    for digits in boolean_cube(n_features).astype(np.int64)[::-1]:
        yield lambda X, y, digits=digits: (X @ digits % 2 == 1) == y


def sixteen_at_once(n_features: int) -> Iterator[Callable]:
    """Queries that correlate with sixteen parities each, all by 1/4, by way of a bent function.

    The function ``x_1 x_2 + x_3 x_4`` modulo 2 has correlation 1/4 or -1/4 with each of the sixteen
    parities of the four features; adding a parity of the other features moves these sixteen on.
    """
    for digits in boolean_cube(n_features - BENT_FEATURES).astype(np.int64)[::-1]:

        def query(X: NDArray, y: NDArray, digits=digits) -> NDArray:
            X = X.astype(np.int64)
            bent = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + X[:, BENT_FEATURES:] @ digits
            return (bent % 2 == 1) == y

        yield query


def parities_left(n_features: int, tolerance: float, n_queries: Sequence[int]) -> pd.DataFrame:
    """Parities consistent with an adversary's answers, against the number of queries, for two learners.

    Parameters
    ----------
    n_features : int
        Dimension d, above 4.
    tolerance : float
        Tolerance of the adversary.
    n_queries : sequence of int
        Numbers of queries, increasing.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``curve``, ``left``.

    Examples
    --------
    >>> parities_left(6, 0.1, [0, 2]).sort_values("curve")["left"].tolist()
    [64, 16, 64, 62, 64, 32]
    """
    rows = [
        (k, "no learner below", max(1, (1 << n_features) - k * parities_ruled_out(tolerance)))
        for k in n_queries
    ]
    learners = {"one parity at a time": single_parities, "sixteen at once": sixteen_at_once}
    for name, questions in learners.items():
        oracle, asking = ParityAdversary(n_features, tolerance), questions(n_features)
        for k in n_queries:
            while oracle.n_answered < k and (query := next(asking, None)) is not None:
                oracle.answer(query)
            rows.append((k, name, len(oracle.consistent)))
    return pd.DataFrame(rows, columns=["n_queries", "curve", "left"])


def parity_audits(epsilons: Sequence[float], n_features: int, n_samples: int) -> pd.DataFrame:
    """Exact epsilon of the private parity learner on all data sets of one size.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats, at most 3.8.
    n_features, n_samples : int
        Dimension and number of records.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, then ``rate``, ``gives up`` and ``exact`` for the sharp plan and the source's.

    Examples
    --------
    >>> parity_audits([1.0], 1, 1).round(4).to_numpy().tolist()
    [[1.0, 0.4621, 0.2119, 1.0, 0.25, 0.5, 0.5108]]
    """
    cube = boolean_cube(n_features)
    universe = np.repeat(cube, 2, axis=0), np.tile([False, True], len(cube))
    rows = []
    for epsilon in epsilons:
        row = [epsilon]
        for variant in ("sharp", "source"):
            law = lambda data, e=epsilon, v=variant: parity_law(*data, e, variant=v)  # noqa: E731
            row += [*parity_plan(epsilon, variant=variant), audit.exact(law, universe, n_samples).epsilon]
        rows.append(row)
    names = [
        f"{name}, {variant}" for variant in ("sharp", "source") for name in ("rate", "gives up", "exact")
    ]
    return pd.DataFrame(rows, columns=["epsilon", *names])


def _wrong_given_seen(n_features: int) -> NDArray[np.float64]:
    """For each set of instances seen, the probability that a random solution is not the target."""
    instances = boolean_cube(n_features).astype(np.int64)
    sets = boolean_cube(1 << n_features).astype(np.int64)
    clashes = sets @ ((instances @ instances.T) % 2)  # how often the set tells a parity from the empty one
    return 1 - 1 / (clashes == 0).sum(axis=1)


def exact_parity_failure(n_features: int, n_samples: int, sampling_rate: float) -> float:
    """Probability that a learner that does not give up returns a wrong parity; instances are uniform.

    Parameters
    ----------
    n_features : int
        Dimension d, at most 3.
    n_samples : int
        Number of records.
    sampling_rate : float
        Probability with which a record is used.

    Returns
    -------
    float
        A sum over the sets of instances that the subsample may hold, whose probabilities follow from
        ``P(all are in A) = (1 - p + p |A| / 2^d)^n`` by inclusion and exclusion.

    Examples
    --------
    >>> round(exact_parity_failure(1, 3, 0.5), 6) == round(0.75**3 / 2, 6)
    True
    """
    n_points = 1 << n_features
    sets = boolean_cube(n_points)
    chances = (1 - sampling_rate * (1 - sets.sum(axis=1) / n_points)) ** n_samples
    for point in range(n_points):
        pairs = chances.reshape(-1, 2, 1 << point)
        pairs[:, 1] -= pairs[:, 0]
    return float(chances @ _wrong_given_seen(n_features))


def parity_failures(
    n_features: int, epsilon: float, sizes: Sequence[int], largest_enumerated: int
) -> pd.DataFrame:
    """Exact failure of three private learners of parities against the number of records, and one bound.

    Parameters
    ----------
    n_features : int
        Dimension d, at most 3.
    epsilon : float
        Privacy parameter in nats, at most 3.8.
    sizes : sequence of int
        Numbers of records.
    largest_enumerated : int
        Up to which number the samples of the exponential mechanism are enumerated.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``curve``, ``failure``: a wrong parity or none, for a uniform population.

    Examples
    --------
    >>> parity_failures(2, 1.0, [10], 10).round(3)["failure"].tolist()
    [0.289, 0.65, 0.383, 0.241]
    """
    cube = boolean_cube(n_features)
    population = FinitePopulation(cube, cube[:, 0], np.full(len(cube), 1 / len(cube)))
    rows = []
    for n in sizes:
        for name, variant in (("subsample, sharp", "sharp"), ("subsample, source", "source")):
            rate, abort = parity_plan(epsilon, variant=variant)
            rows.append((n, name, abort + (1 - abort) * exact_parity_failure(n_features, n, rate)))
        abort = parity_plan(epsilon).abort
        promised = private_parity_failure(n_features, n, epsilon, 0.5)
        rows.append((n, "sharp, promised", abort + (1 - abort) * promised))
        if n <= largest_enumerated:
            law = exponential_law(epsilon)
            failure = failure_probability(law, Parities(n_features), population, n, 0.25)
            rows.append((n, "exponential mechanism", failure))
    return pd.DataFrame(rows, columns=["n_samples", "curve", "failure"])
