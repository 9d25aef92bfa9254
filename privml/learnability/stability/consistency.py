r"""Theorem 35 taken apart: from stability and a small AERM gap to consistency, every term computed.

Let Z be a sample, Z^i the sample with record i replaced by an independent copy z'_i.  Since (Z, z'_i) and
(Z^i, z_i) have the same law,

.. math:: E[R(A(Z)) - R_Z(A(Z))] = \frac1n \sum_i E[l(A(Z), z'_i) - l(A(Z^i), z'_i)] .

Every difference on the right is one replaced record.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import sample_probabilities
from privml.learnability.stability.base import Neighbourhood, fitting, neighbourhood
from privml.learnability.stability.bounds import stability_from_privacy
from privml.learnability.stability.constants import privacy_among, stability_among, variation_among
from privml.learnability.stability.expectations import expected_risks
from privml.learnability.stability.gaps import always_aerm_gap


class Link(NamedTuple):
    """One step of the chain: ``left`` is equal to, or at most, ``right``."""

    left: str
    relation: str
    right: str
    left_value: float
    right_value: float

    @property
    def slack(self) -> float:
        """By how much the right side exceeds the left one."""
        return self.right_value - self.left_value


class ConsistencyChain(NamedTuple):
    """Every term between the excess risk of a learner and its privacy.

    Attributes
    ----------
    excess_risk, generalisation_gap, aerm_gap, optimism : float
        Expectations under the distribution; the first is the second plus the third minus the fourth.
    on_average_stability : float
        The right side of the identity: mean change of the loss on the new record, with its sign.
    mean_change : float
        The same without the sign.
    stability, total_variation, epsilon : float
        Suprema over neighbours; epsilon is the exact one, possibly infinite.
    always_aerm_gap : float
        Supremum of the AERM gap over data sets.
    """

    excess_risk: float
    generalisation_gap: float
    aerm_gap: float
    optimism: float
    on_average_stability: float
    mean_change: float
    stability: float
    total_variation: float
    epsilon: float
    always_aerm_gap: float

    @property
    def links(self) -> tuple[Link, ...]:
        """The steps of the chain, each with both sides."""
        sum_of_gaps = self.generalisation_gap + self.aerm_gap
        bound = stability_from_privacy(min(self.epsilon, 1e3))
        named = [
            ("excess risk", "=", "generalisation + AERM gap - optimism"),
            ("excess risk", "≤", "generalisation gap + AERM gap"),
            ("generalisation gap", "=", "on-average stability"),
            ("on-average stability", "≤", "mean change"),
            ("mean change", "≤", "uniform stability"),
            ("uniform stability", "≤", "total variation"),
            ("total variation", "≤", "tanh(ε/2)"),
            ("AERM gap", "≤", "always AERM gap"),
            ("excess risk", "≤", "uniform stability + AERM gap"),
            ("excess risk", "≤", "tanh(ε/2) + AERM gap"),
        ]
        values = [
            (self.excess_risk, sum_of_gaps - self.optimism),
            (self.excess_risk, sum_of_gaps),
            (self.generalisation_gap, self.on_average_stability),
            (self.on_average_stability, self.mean_change),
            (self.mean_change, self.stability),
            (self.stability, self.total_variation),
            (self.total_variation, bound),
            (self.aerm_gap, self.always_aerm_gap),
            (self.excess_risk, self.stability + self.aerm_gap),
            (self.excess_risk, bound + self.aerm_gap),
        ]
        return tuple(Link(*name, *sides) for name, sides in zip(named, values, strict=True))


def _one_distribution(probabilities: ArrayLike) -> NDArray[np.float64]:
    law = check.numbers(probabilities=probabilities)
    if law.ndim != 1:
        raise ValueError(f"probabilities must be one distribution, got shape {law.shape}")
    return law


def _changes(found: Neighbourhood, losses: NDArray, law: NDArray) -> tuple[NDArray, NDArray]:
    """Weights and changes of the loss for all (sample, replaced record, new record), two for each pair.

    The pair is w + a, w + b: the sample w + a loses a to a new record b, or the other way round.
    """
    first, second = found.pairs.T
    difference = found.datasets[first] - found.datasets[second]
    a, b = difference.argmax(axis=1), difference.argmin(axis=1)
    weights = sample_probabilities(found.datasets, law)
    n = found.datasets[0].sum()
    there = weights[first] * found.datasets[first, a] / n * law[b]
    back = weights[second] * found.datasets[second, b] / n * law[a]
    changes = losses[first, b] - losses[second, b], losses[second, a] - losses[first, a]
    return np.concatenate([there, back]), np.concatenate(changes)


def on_average_stability(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> float:
    """Mean change of the loss on a fresh record when that record replaces one of the sample.

    **Returns.** ``E l(A(Z), z') - l(A(Z^i), z')``, from a sum over neighbours; equal to the generalisation
    gap.
    **Source.** WLF16-thm-35, the right side of its key identity.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,)
        Distribution on the records.

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(on_average_stability(erm_law(problem), problem, [0.6, 0.4], 3), 6)
    0.2304
    """
    check.instance(LearningProblem, problem=problem)
    probabilities = _one_distribution(probabilities)
    problem.risk(probabilities)
    found = neighbourhood(law, problem.n_records, n_samples)
    losses = fitting(found.laws, problem) @ problem.losses
    weights, changes = _changes(found, losses, probabilities)
    return float(weights @ changes)


def consistency_chain(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> ConsistencyChain:
    """Every term of "stability and a small AERM gap imply consistency", exactly.

    **Returns.** ConsistencyChain: the terms; its ``links`` are the steps with their slacks.
    **Source.** WLF16-thm-35 (Theorem 35) and WLF16-cor-9; the edges of WLF16-fig-2.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,)
        Distribution on the records.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> chain = consistency_chain(exponential_law(problem, 1.0), problem, [0.6, 0.4], 3)
    >>> round(chain.excess_risk, 6), round(chain.stability, 6), round(chain.aerm_gap, 6)
    (0.086819, 0.244919, 0.141689)
    >>> min(link.slack for link in chain.links) > -1e-12
    True
    """
    check.instance(LearningProblem, problem=problem)
    probabilities = _one_distribution(probabilities)
    found = neighbourhood(law, problem.n_records, n_samples)
    losses = fitting(found.laws, problem) @ problem.losses
    risk, empirical, best, best_empirical = expected_risks(law, problem, probabilities, n_samples)
    weights, changes = _changes(found, losses, probabilities)
    return ConsistencyChain(
        excess_risk=risk - best,
        generalisation_gap=risk - empirical,
        aerm_gap=empirical - best_empirical,
        optimism=best - best_empirical,
        on_average_stability=float(weights @ changes),
        mean_change=float(weights @ np.abs(changes)),
        stability=stability_among(found, problem).value,
        total_variation=variation_among(found).value,
        epsilon=privacy_among(found).value,
        always_aerm_gap=always_aerm_gap(law, problem, n_samples).value,
    )
