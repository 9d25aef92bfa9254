"""What several tables of the chapter need: the law of the chosen option, and its exact epsilon."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.mechanisms import ExponentialMechanism


def vote_law(epsilon: float, n_options: int, **options: object) -> Callable[[ArrayLike], Categorical]:
    """The exponential mechanism on votes, as a function of the data set.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive and finite.
    n_options : int
        Number of options; a vote is an index below it.
    **options
        ``adjacency`` and ``monotone`` of the mechanism.

    Returns
    -------
    callable
        From votes of shape (n_samples,) to the law of the chosen option.

    Examples
    --------
    >>> vote_law(1.0, 2)(np.array([0, 1, 1, 1])).pmf().round(4).tolist()
    [0.2689, 0.7311]
    """
    check.positive_integer(n_options=n_options)
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0, **options)
    return lambda votes: mechanism.output_distribution(np.bincount(votes, minlength=n_options))


def two_option_epsilon(epsilon: float, n_samples: int, adjacency: Adjacency) -> float:
    """Exact epsilon of the exponential mechanism on votes for two options, in closed form.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of the mechanism (not the monotone variant), in nats.
    n_samples : int
        Number of votes m, at least 1 (of the larger data set under ``ADD_OR_REMOVE_ONE``).
    adjacency : Adjacency
        The neighbouring relation.

    Returns
    -------
    float
        ``ln((1 + e^(m epsilon / 2)) / (1 + e^((m - j) epsilon / 2)))`` with j = 2 under ``REPLACE_ONE``
        and j = 1 under ``ADD_OR_REMOVE_ONE``.

    Examples
    --------
    >>> round(two_option_epsilon(1.0, 5, Adjacency.REPLACE_ONE), 4)
    0.8775
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(n_samples=n_samples)
    moved = 2 if adjacency is Adjacency.REPLACE_ONE else 1
    larger, smaller = n_samples * epsilon / 2, (n_samples - moved) * epsilon / 2
    return float(np.logaddexp(0.0, larger) - np.logaddexp(0.0, smaller))
