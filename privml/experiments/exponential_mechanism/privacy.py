"""Tables on privacy: the law, the two factors of the proof, the exact epsilon against the number of votes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import adjacency as neighbours
from privml import audit
from privml.adjacency import Adjacency
from privml.experiments.exponential_mechanism.base import two_option_epsilon, vote_law
from privml.mechanisms import ExponentialMechanism
from privml.mechanisms.continuous import ExponentialDensity, exponential_density

RELATIONS = (Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE)


def selection_law(votes: Sequence[int], epsilons: Sequence[float]) -> pd.DataFrame:
    """Law of the chosen option for several epsilons.

    Parameters
    ----------
    votes : sequence of int
        Number of votes of each option.
    epsilons : sequence of float
        Privacy parameters in nats.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``option`` (from 1), ``votes``, ``probability``.

    Examples
    --------
    >>> selection_law([1, 3], [1.0]).round(4)
       epsilon  option  votes  probability
    0      1.0       1      1       0.2689
    1      1.0       2      3       0.7311
    """
    rows = []
    for epsilon in epsilons:
        law = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0).output_distribution(votes).pmf()
        rows += [(float(epsilon), i + 1, int(votes[i]), float(p)) for i, p in enumerate(law)]
    return pd.DataFrame(rows, columns=["epsilon", "option", "votes", "probability"])


def _factors(n_options: int, n_samples: int, epsilon: float, relation: Adjacency) -> NDArray[np.float64]:
    """Both factors of the probability ratio, in nats: rows of all pairs, both ways, and all options."""
    universe = np.arange(n_options)
    first, second, pairs = neighbours.neighbouring_datasets(universe, n_samples, adjacency=relation)
    exponents = [
        epsilon / 2 * np.array([np.bincount(row, minlength=n_options) for row in rows]).reshape(-1, n_options)
        for rows in (first, second)
    ]
    difference = exponents[0][pairs[:, 0]] - exponents[1][pairs[:, 1]]
    log_sums = [np.log(np.exp(table).sum(axis=1)) for table in exponents]
    normaliser = log_sums[1][pairs[:, 1]] - log_sums[0][pairs[:, 0]]
    one_way = np.stack(np.broadcast_arrays(difference, normaliser[:, None]), axis=-1).reshape(-1, 2)
    return np.concatenate([one_way, -one_way])


def loss_factors(n_options: int, n_samples: int, epsilon: float) -> pd.DataFrame:
    """The two factors of the privacy proof, for all neighbouring pairs of data sets and all options.

    The ratio of two probabilities of one option is the ratio of its weights times the inverse ratio of
    the normalisers; their logarithms add up to the privacy loss.

    Parameters
    ----------
    n_options : int
        Number of options.
    n_samples : int
        Number of votes (of the larger data set under ``ADD_OR_REMOVE_ONE``).
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``relation``, ``log_numerator``, ``log_normaliser``, ``privacy_loss`` (all in nats) and
        ``n_cases``, how many cases share the point.

    Examples
    --------
    >>> loss_factors(2, 1, 1.0).head(2).round(4)
          relation  log_numerator  log_normaliser  privacy_loss  n_cases
    0  replace-one           -0.5             0.0          -0.5        2
    1  replace-one            0.5             0.0           0.5        2
    """
    tables = []
    for relation in RELATIONS:
        points = _factors(n_options, n_samples, epsilon, relation).round(12) + 0.0  # no negative zeros
        distinct, counts = np.unique(points, axis=0, return_counts=True)
        table = pd.DataFrame(distinct, columns=["log_numerator", "log_normaliser"])
        table.insert(0, "relation", str(relation))
        tables.append(table.assign(privacy_loss=distinct.sum(axis=1), n_cases=counts))
    return pd.concat(tables, ignore_index=True)


def audit_by_size(epsilon: float, largest: int) -> pd.DataFrame:
    """Exact epsilon on all data sets of 1, 2, ... votes for two options.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    largest : int
        Largest number of votes.

    Returns
    -------
    DataFrame
        Columns ``variant``, ``n_samples``, ``exact_epsilon`` (by audit) and ``formula`` (closed form).

    Examples
    --------
    >>> audit_by_size(1.0, 5).query("variant == 'replace-one'").tail(1).round(4)
           variant  n_samples  exact_epsilon  formula
    4  replace-one          5         0.8775   0.8775
    """
    rows = []
    for relation, monotone in ((RELATIONS[0], False), (RELATIONS[1], False), (RELATIONS[1], True)):
        law = vote_law(epsilon, 2, adjacency=relation, monotone=monotone)
        name = str(relation) + (", monotone" if monotone else "")
        for n_samples in range(1, largest + 1):
            exact = audit.exact(law, np.arange(2), n_samples, adjacency=relation).epsilon
            formula = two_option_epsilon((1 + monotone) * epsilon, n_samples, relation)
            rows.append((name, n_samples, exact, formula))
    return pd.DataFrame(rows, columns=["variant", "n_samples", "exact_epsilon", "formula"])


def distance_law(centre: float, epsilon: float, ends: tuple[float, float]) -> ExponentialDensity:
    """The exponential mechanism on an interval with score ``-|y - centre|``, the centre of sensitivity 1.

    Parameters
    ----------
    centre : float
        The statistic of the data, inside the interval.
    epsilon : float
        Privacy parameter in nats.
    ends : tuple of float
        Ends of the interval, possibly infinite.

    Returns
    -------
    ExponentialDensity

    Examples
    --------
    >>> round(float(np.exp(distance_law(3.0, 0.5, (-np.inf, np.inf)).log_normaliser)), 6)
    8.0
    """
    options = {"lower": ends[0], "upper": ends[1], "breakpoints": [centre]}
    return exponential_density(lambda y: -abs(y - centre), epsilon=epsilon, sensitivity=1.0, **options)


def interval_normalisers(epsilon: float, centres: tuple[float, float] = (1.0, 2.0)) -> pd.DataFrame:
    """Normaliser and largest privacy loss of :func:`distance_law`, on the line and on a bounded interval.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    centres : tuple of float, default (1, 2)
        The statistic on two neighbouring data sets, in [0, 10].

    Returns
    -------
    DataFrame
        Columns ``outcomes``, ``normaliser`` and ``neighbour_normaliser``, and ``largest_loss`` (nats) over
        a grid of [0, 10].

    Examples
    --------
    >>> interval_normalisers(1.0).round(4)
        outcomes  normaliser  neighbour_normaliser  largest_loss
    0  real line      4.0000                4.0000        0.5000
    1    [0, 10]      2.7647                3.2276        0.6548
    """
    grid = np.linspace(0.0, 10.0, 101)
    rows = []
    for name, ends in (("real line", (-np.inf, np.inf)), ("[0, 10]", (0.0, 10.0))):
        laws = [distance_law(centre, epsilon, ends) for centre in centres]
        loss = np.abs(laws[0].logpdf(grid) - laws[1].logpdf(grid)).max()
        rows.append((name, *(float(np.exp(law.log_normaliser)) for law in laws), float(loss)))
    return pd.DataFrame(rows, columns=["outcomes", "normaliser", "neighbour_normaliser", "largest_loss"])
