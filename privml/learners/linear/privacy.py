r"""What a run of LinearLearner promises, and its learning rate for a promise.

Losses lie in [-1, 1], an interval of length 2.  Replacing x_s shifts every cumulated loss after round s by a
number in [-2, 2], so the privacy loss of each later round has range ``4 eta``: twice what the same rate
costs for losses in [0, 1].  The last example is never used and the first draw sees none, so T examples cost
T - 1 rounds.  The examples are fixed in advance, so the optimum for fixed bounded-range steps applies; and
two coordinates already attain it but for a round or two, in the average as in the sequence.
"""

from privml import _check as check
from privml.bounds.experts import LOSS_RANGE, RANGES, linear_learning_rate
from privml.composition import advanced_composition
from privml.guarantee import Guarantee
from privml.learners.experts import private_eta, round_guarantee, run_guarantee

METHODS = ("corrected", "printed", "concentrated", "oblivious")
ACCOUNTANTS = ("advanced", "concentrated", "oblivious")


def linear_eta(epsilon: float, delta: float, n_samples: int, *, method: str = "corrected") -> float:
    """Learning rate at which LinearLearner on T examples is (epsilon, delta)-differentially private.

    **Returns.** In increasing order but for a short run: corrected, printed (twice that), concentrated,
    oblivious.
    **Privacy.** Of all draws, and so of their average, for examples that differ in one row.
    **Source.** DR11-alg-17; the corrected rate is half of the printed one.

    Parameters
    ----------
    method : {"corrected", "printed", "concentrated", "oblivious"}
        The source's rate for the right range of losses; the source's rate; the largest rate by
        concentrated privacy; the largest rate by the optimum for steps that are fixed in advance.

    Examples
    --------
    >>> for method in METHODS:
    ...     print(method, round(linear_eta(1.0, 1e-5, 1000, method=method), 6))
    corrected 0.000824
    printed 0.001648
    concentrated 0.003911
    oblivious 0.004241
    """
    check.one_of(METHODS, method=method)
    if method in RANGES:
        return linear_learning_rate(epsilon, delta, n_samples, rule=method)
    return private_eta(epsilon, delta, n_samples, method=method, loss_range=LOSS_RANGE)


def linear_guarantee(eta: float, n_samples: int, delta: float, *, method: str = "oblivious") -> Guarantee:
    """What LinearLearner promises at a learning rate, for all draws together.

    **Privacy.** Under replace-one, for examples in the order given.
    **Source.** DR11-thm-11.5; for its printed rate "concentrated" gives less than half of epsilon.

    Parameters
    ----------
    method : {"oblivious", "concentrated", "advanced"}
        The optimum for steps that are fixed in advance; concentrated privacy; or the source's way,
        advanced composition of T - 1 rounds that are each 4 eta-DP.

    Examples
    --------
    >>> printed = linear_eta(1.0, 1e-5, 1000, method="printed")
    >>> for method in ACCOUNTANTS:
    ...     print(linear_guarantee(printed, 1000, 1e-5, method=method))
    (1.04303, 1e-05)-differential privacy (replace-one)
    (0.392094, 1e-05)-differential privacy (replace-one)
    (0.356055, 1e-05)-differential privacy (replace-one)
    """
    check.one_of(ACCOUNTANTS, method=method)
    if method == "advanced" and n_samples != 1:
        check.positive_integer(n_samples=n_samples)
        step = round_guarantee(eta, loss_range=LOSS_RANGE).pure()
        return advanced_composition(step, n_samples - 1, delta)
    adaptive = method == "concentrated"
    return run_guarantee(eta, n_samples, delta, loss_range=LOSS_RANGE, adaptive=adaptive)
