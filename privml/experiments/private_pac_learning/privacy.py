"""Tables on the privacy of the learner: sensitivities of two scores, and the exact audit."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import adjacency as neighbours
from privml import audit
from privml.adjacency import Adjacency
from privml.experiments.private_pac_learning.base import labelled, ward
from privml.learners.exponential import exponential_law
from privml.mechanisms import ExponentialMechanism
from privml.queries import correct_count, empirical_error, score_sensitivity


def sensitivities(n_samples: int) -> pd.DataFrame:
    """Sensitivity of the number of correct labels and of the error rate, by going through all neighbours.

    Parameters
    ----------
    n_samples : int
        Number of records, at least 2; under add-or-remove-one of the larger data set.

    Returns
    -------
    DataFrame
        Columns ``score``, ``relation``, ``sensitivity``, ``times_n``.

    Examples
    --------
    >>> sensitivities(3).round(4)["sensitivity"].tolist()
    [1.0, 1.0, 0.3333, 0.3333]
    """
    hypotheses, universe = ward()
    scores = {"number of correct labels": correct_count, "error rate": empirical_error}
    rows = []
    for name, score in scores.items():
        for relation in Adjacency:
            largest = score_sensitivity(
                lambda data, score=score: score(hypotheses, *data), universe, n_samples, adjacency=relation
            )
            rows.append((name, str(relation), largest, largest * n_samples))
    return pd.DataFrame(rows, columns=["score", "relation", "sensitivity", "times_n"])


def learner_audit(epsilon: float, sizes: Sequence[int]) -> pd.DataFrame:
    """Exact epsilon of the private learner on the ward, for each relation and each exponent.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    sizes : sequence of int
        Numbers of records, at least 2; under add-or-remove-one of the larger data set.

    Returns
    -------
    DataFrame
        Columns ``relation``, ``exponent`` (factor of the number of correct labels, in nats),
        ``n_samples``, ``exact_epsilon``, ``n_pairs``.

    Examples
    --------
    >>> learner_audit(1.0, [2]).round(4)["exact_epsilon"].tolist()
    [0.8648, 0.4468, 0.9453]
    """
    replace, remove = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
    hypotheses, universe = ward()
    rows = []
    for relation, designed in ((replace, replace), (remove, replace), (remove, remove)):
        law = labelled(exponential_law(epsilon, designed), hypotheses)
        exponent = epsilon if designed is remove else epsilon / 2
        for n_samples in sizes:
            found = audit.exact(law, universe, n_samples, adjacency=relation)
            rows.append((str(relation), exponent, n_samples, found.epsilon, found.n_pairs))
    return pd.DataFrame(rows, columns=["relation", "exponent", "n_samples", "exact_epsilon", "n_pairs"])


def two_ways_to_score(epsilon: float, n_samples: int) -> int:
    """Number of data sets of the ward on which counting and averaging give different laws.

    Counting scores by the number of correct labels with sensitivity 1, averaging by minus the error rate
    with sensitivity 1 / n_samples.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    n_samples : int
        Number of records.

    Returns
    -------
    int
        How many of the data sets have a probability that differs by more than 1e-12.

    Notes
    -----
    **Source.** S16-alg-3 and DR11-alg-exp-mech-learner (averages) against L4-private-erm (counts).

    Examples
    --------
    >>> two_ways_to_score(1.0, 3)
    0
    """
    hypotheses, universe = ward()
    counting = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    averaging = ExponentialMechanism(epsilon=epsilon, sensitivity=1 / n_samples)
    different = 0
    for indices in neighbours.multisets(len(universe[1]), n_samples):
        data = neighbours.records(universe, indices)
        one = counting.output_distribution(correct_count(hypotheses, *data)).pmf()
        other = averaging.output_distribution(-empirical_error(hypotheses, *data)).pmf()
        different += int(np.abs(one - other).max() > 1e-12)
    return different
