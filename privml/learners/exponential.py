"""Private learning of a finite class: empirical risk minimisation by the exponential mechanism.

The score of a hypothesis is its number of correct labels, which one record changes by at most 1.  Scoring by
minus the error rate, with sensitivity 1 / n, gives the same weights ``exp(-epsilon mistakes / 2)``.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.hypotheses import HypothesisClass
from privml.learners.base import FiniteClassLearner
from privml.mechanisms.selection import ExponentialMechanism
from privml.queries import CORRECT_COUNT_SENSITIVITY


def selection_mechanism(
    epsilon: float, adjacency: Adjacency = Adjacency.REPLACE_ONE
) -> ExponentialMechanism:
    """The exponential mechanism for the number of correct labels.

    Under ``ADD_OR_REMOVE_ONE`` the count is monotone: the exponent is twice as large at the same epsilon.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under `adjacency`.

    References
    ----------
    L4-rem-count-score for the sensitivity; S16-alg-3 for the remark on the relation.

    Examples
    --------
    >>> selection_mechanism(0.5).scale, selection_mechanism(0.5, Adjacency.ADD_OR_REMOVE_ONE).scale
    (4.0, 2.0)
    """
    return ExponentialMechanism(
        epsilon=epsilon,
        sensitivity=CORRECT_COUNT_SENSITIVITY,
        adjacency=adjacency,
        monotone=adjacency is Adjacency.ADD_OR_REMOVE_ONE,
    )


def exponential_mistake_learner(
    epsilon: float, adjacency: Adjacency = Adjacency.REPLACE_ONE
) -> Callable[[NDArray], NDArray[np.float64]]:
    """Law of the private learner as a function of the numbers of mistakes.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    adjacency : Adjacency
        Neighbouring relation.

    Returns
    -------
    callable
        From mistakes of shape (n_datasets, n_hypotheses) to probabilities of that shape.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under `adjacency`. Probabilities below 1e-308 round to 0, possible from ``epsilon
    n_samples = 1400`` on: an exact audit then finds an infinite loss, where the learner has none.

    References
    ----------
    L4-private-erm; S16-alg-3; DR11-alg-exp-mech-learner.

    Examples
    --------
    >>> exponential_mistake_learner(1.0)(np.array([[0, 2, 4]])).round(4).tolist()
    [[0.6652, 0.2447, 0.09]]
    """
    scale = selection_mechanism(epsilon, adjacency).scale

    def learner(mistakes: NDArray) -> NDArray[np.float64]:
        mistakes = np.asarray(mistakes, dtype=float)
        weights = np.exp((mistakes.min(axis=-1, keepdims=True) - mistakes) / scale)
        return weights / weights.sum(axis=-1, keepdims=True)

    return learner


@dataclass(eq=False, repr=False)
class ExponentialPACLearner(FiniteClassLearner):
    r"""Private classifier: one hypothesis of a finite class, by the exponential mechanism.

    Hypothesis :math:`h` is selected with probability proportional to :math:`\exp(\varepsilon\, u(h, z) / 2)`,
    where :math:`u(h, z)` is the number of records that it labels correctly.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    hypotheses : HypothesisClass, optional
        Public candidates; None stands for stumps with 16 cuts per feature, equally spaced in [-1, 1].
    adjacency : Adjacency or str
        The neighbouring relation.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    hypotheses_, hypothesis_index_ : HypothesisClass, int
        The class, and what was selected: the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under `adjacency`. Idealised: the draw uses floating-point numbers.

    *Accuracy.* Excess error at most :func:`~privml.bounds.private_pac.private_pac_excess_error`, except
    with probability beta.

    References
    ----------
    L4-private-erm; S16-alg-3; DR11-alg-exp-mech-learner; Kasiviswanathan et al. (2011).

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> X, y = np.arange(40)[:, None] / 4, np.arange(40) >= 20
    >>> learner = ExponentialPACLearner(1.0, Thresholds(np.arange(11.0))).fit(X, y, rng=0)
    >>> print(learner.privacy_, learner.hypotheses_.describe(int(learner.hypothesis_index_)))
    1-differential privacy (replace-one) x >= 5
    """

    epsilon: float = 1.0
    hypotheses: HypothesisClass | None = None
    _: KW_ONLY
    adjacency: Adjacency | str = "replace-one"
    classes: Sequence | None = None

    def _mechanism(self) -> ExponentialMechanism:
        return selection_mechanism(self.epsilon, Adjacency(self.adjacency))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check.positive(epsilon=self.epsilon)
        check.one_of([*Adjacency, *map(str, Adjacency)], adjacency=self.adjacency)

    def _guarantee(self) -> Guarantee:
        return self._mechanism().guarantee

    def _distribution(self, scores: NDArray[np.int64]) -> Categorical:
        return self._mechanism().output_distribution(scores)


check.wrap_module(__name__)
