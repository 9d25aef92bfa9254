"""The exact audit: all neighbouring data sets over a finite universe, and the largest loss with its witness.

Over a finite universe, for finitely many outcomes or for noise, a claim can be settled, not sampled: compute
each output distribution once and compare all neighbours.  The audit returns the pair and the outcome of the
largest loss: a lower bound on epsilon over larger universes and other sizes, and an exact refutation of any
smaller claim.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml import adjacency as neighbours
from privml._display import POINTS, Picture, curve_picture, html_card, rounded_up
from privml._optional import counted
from privml.adjacency import Adjacency
from privml.audit.noise_pairs import NoiseOutput, NoisePairs, noise_of, same_noise
from privml.distributions import Categorical
from privml.divergences.finite import loss_of_logs, stick_of_logs
from privml.guarantee.promises import require_guarantee

PAIR_BLOCK = 1 << 21  # log-probabilities of a block of pairs: 16 MiB for each side
LARGEST_SHOWN = 10.0  # epsilon of a picture, where the largest loss is more
MECHANISM_RULE = "mechanism must return a Categorical, a noise distribution or a vector of probabilities"
PADDED = "List every outcome that some data set can give, with probability 0 where it cannot occur."
ONE_KIND = (
    "mechanism must return distributions on finitely many outcomes for all data sets, or noise for all of them, but "
    "it returns both."
)
SAME = 1e-9  # difference of two probabilities that rounding may make


@dataclass(frozen=True)
class ExactAudit:
    """What an exact audit found: the largest privacy loss over all neighbouring pairs, both ways.

    It is infinite if some outcome is possible on one data set only.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative or infinite: the largest loss.
    pair : tuple
        Two data sets that attain it, the one of the larger probability first.
    outcome : int, float or ndarray
        Number of the outcome where they do; with noise the answer, infinite where the loss grows without end.
    adjacency : Adjacency
        Neighbouring relation.
    n_datasets, n_pairs : int
        Numbers of datasets compared and pairs of them, unordered, positive integers.
    """

    epsilon: float
    pair: tuple  # the two data sets (p first) that attain it, in the structure of the universe
    outcome: Any
    adjacency: Adjacency
    n_datasets: int
    n_pairs: int  # unordered
    _losses: "FinitePairs | NoisePairs" = field(repr=False, compare=False)

    def _repr_html_(self) -> str:
        p, q = (str(data).replace("\n", " ") for data in self.pair)
        rows = [
            ("largest privacy loss", rounded_up(self.epsilon)),
            ("on", p),
            ("and", q),
        ]
        note = f"{self.n_pairs} pairs of {self.n_datasets} data sets, {self.adjacency}"
        return html_card("Exact audit", [*rows, ("outcome", self.outcome)], note)

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the exact privacy curve, which a notebook shows; its ``save(file)`` writes it.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to draw; None makes a figure.
        """
        places = np.linspace(0.0, min(self.epsilon, LARGEST_SHOWN) or 1.0, POINTS // 4)
        return curve_picture(
            places, self.delta(places), "epsilon", "delta", axes, ylim=(0, None)
        )

    def refutes(self, claim: Any) -> bool:
        """Whether some pair loses more than a claim allows, beyond what rounding may explain.

        Each probability may be off by a share of 2^-31, of floats shorter than 64 bits by 32 units of theirs;
        one that is given as a number, and not by log-weights, also by 2^-50, as a difference of two values of
        a distribution function is.  Log-weights judge rarer outcomes.  Of noise, answers may be off by a unit of
        rounding for each record, and scales by a share of 2^-40.  For other data sets nothing is proved.

        Parameters
        ----------
        claim : Guarantee, or mechanism or fitted learner that has one
            What is said of the output, under the relation of this audit.

        Raises
        ------
        ValueError
            If the claim is about other neighbours.
        """
        claim = require_guarantee("claim", claim)
        if (claim.adjacency, claim.group_size) != (self.adjacency, 1):
            raise ValueError(
                f"claim must be about single steps of {self.adjacency}, as in this audit, but got {claim}."
            )
        return self._losses.refutes(claim.epsilon, claim.delta)

    def delta(self, epsilon: ArrayLike) -> float | NDArray[np.float64]:
        """The privacy curve: the smallest delta that goes with each epsilon."""
        values = np.atleast_1d(np.asarray(epsilon, dtype=float))
        for value in values.tolist():
            check.non_negative(epsilon=value)
        curve = np.array([self._losses.delta(value) for value in values.tolist()])
        return float(curve[0]) if np.ndim(epsilon) == 0 else curve


class FinitePairs:
    """The pairs of neighbouring distributions on finitely many outcomes.

    Parameters
    ----------
    distributions : tuple of ndarray
        Log-probabilities of both sides, of shape (n_datasets, n_outcomes) each.
    errors : tuple of float
        Relative and absolute error of each probability that rounding may explain.
    pairs : ndarray
        Integers of shape (n_pairs, 2): which of them are neighbours.
    """

    def __init__(
        self,
        distributions: tuple[NDArray, NDArray],
        errors: tuple[float, float],
        pairs: NDArray,
    ) -> None:
        self.distributions, self.errors, self.pairs = distributions, errors, pairs

    def blocks(self) -> Iterator[tuple[NDArray, NDArray]]:
        """Log-probabilities of both sides of the pairs, in memory-bounded blocks."""
        first, second = self.distributions
        rows = max(1, PAIR_BLOCK // first.shape[1])
        for start in range(0, len(self.pairs), rows):
            block = self.pairs[start : start + rows]
            yield first[block[:, 0]], second[block[:, 1]]

    def worst(self) -> tuple[float, int, bool, Any]:
        """Largest loss, the pair that attains it, whether its sides are swapped, and the outcome."""
        best, where, start = -np.inf, (0, False, 0), 0
        for log_p, log_q in self.blocks():
            for swapped, loss in (
                (False, loss_of_logs(log_p, log_q)),
                (True, loss_of_logs(log_q, log_p)),
            ):
                if loss.max() > best:
                    row, outcome = np.unravel_index(int(np.argmax(loss)), loss.shape)
                    best = float(loss.max())
                    where = start + int(row), swapped, int(outcome)
            start += len(log_p)
        return best, *where

    def delta(self, epsilon: float) -> float:
        """Smallest delta for all pairs at an epsilon."""
        return max(
            float(np.max(stick_of_logs(p, q, epsilon)))
            for log_p, log_q in self.blocks()
            for p, q in ((log_p, log_q), (log_q, log_p))
        )

    def refutes(self, epsilon: float, delta: float) -> bool:
        """Whether some pair has a larger delta, whatever rounding did."""
        relative, absolute = self.errors
        for log_p, log_q in self.blocks():
            for first, second in (log_p, log_q), (log_q, log_p):
                with np.errstate(under="ignore", over="ignore"):
                    least = np.exp(first) * (1 - relative) - absolute
                    most = np.exp(second) * (1 + relative) + absolute
                    ratio = np.exp(min(epsilon, 700.0))
                    excess = np.maximum(least - ratio * most, 0.0).sum(axis=1)
                if (excess > delta).any():
                    return True
        return False


class _Finite(NamedTuple):
    """Log-probabilities of one distribution, and how far rounding may have moved them."""

    logs: NDArray[np.float64]
    errors: tuple[float, float]


def _output(
    mechanism: Callable, universe: object, indices: NDArray
) -> _Finite | NoiseOutput:
    """The distribution of the output on one data set."""
    output = mechanism(neighbours.records(universe, indices))
    if isinstance(output, Categorical):
        return _Finite(output.logpmf(), output._rounding)
    if (noise := noise_of(output)) is not None:
        return noise
    try:
        probabilities = np.asarray(output, dtype=float)
    except (TypeError, ValueError):
        probabilities = np.empty(())
    if probabilities.ndim != 1:
        advice = ""
        if probabilities.ndim == 0:
            advice = (
                " If it draws an answer, or has another distribution with infinitely many outcomes, use "
                "audit.monte_carlo."
            )
        raise ValueError(f"{MECHANISM_RULE}, but got {check._kind(output)}.{advice}")
    advice = " If these are log-weights, return a Categorical."
    check.distributions(advice, requirement=MECHANISM_RULE, mechanism=output)
    with np.errstate(divide="ignore"):
        return _Finite(np.log(probabilities), check.rounding(output))


def _equal(first: _Finite | NoiseOutput, second: _Finite | NoiseOutput) -> bool:
    """Whether two distributions are equal, but for rounding."""
    if isinstance(first, NoiseOutput) or isinstance(second, NoiseOutput):
        return (
            isinstance(first, NoiseOutput)
            and isinstance(second, NoiseOutput)
            and same_noise(first, second, SAME)
        )
    same_size = first.logs.size == second.logs.size
    return same_size and np.abs(np.exp(first.logs) - np.exp(second.logs)).max() <= SAME


def _refuse_order(
    mechanism: Callable,
    universe: object,
    datasets: NDArray,
    outputs: list[_Finite | NoiseOutput],
) -> None:
    """Raise if the distribution changes with the order of the records, where that is tried."""
    places = {row.tobytes(): place for place, row in enumerate(datasets)}
    for row in neighbours.reordered(datasets):
        other = _output(mechanism, universe, row)
        if not _equal(other, outputs[places[np.sort(row).tobytes()]]):
            raise ValueError(
                "ordered must be True if the distribution depends on the order of the records, but got None. This "
                f"one changes when the universe's records {np.sort(row).tolist()} are passed in the order "
                f"{row.tolist()}."
            )


def _outputs(
    mechanism: Callable, universe: object, datasets: NDArray, progress: bool
) -> list[_Finite | NoiseOutput]:
    """The distribution of the output on each data set: all finite with as many outcomes, or all of noise."""
    steps = counted(datasets, progress, total=len(datasets), desc="data sets")
    found = [_output(mechanism, universe, indices) for indices in steps]
    noisy = [isinstance(output, NoiseOutput) for output in found]
    if any(noisy) and not all(noisy):
        raise ValueError(ONE_KIND)
    sizes = {output.logs.size for output in found if isinstance(output, _Finite)}
    if len(sizes) > 1:
        raise ValueError(
            f"mechanism must have one number of outcomes on all data sets, but got {sorted(sizes)}. {PADDED}"
        )
    return found


def _losses(
    first: list[_Finite | NoiseOutput],
    second: list[_Finite | NoiseOutput],
    pairs: NDArray,
    n_samples: int,
) -> FinitePairs | NoisePairs:
    """The pairs of distributions that are compared."""
    noisy = isinstance(first[0], NoiseOutput), isinstance(second[0], NoiseOutput)
    if all(noisy):
        return NoisePairs(first, second, pairs, n_samples)  # type: ignore[arg-type]  # all are noise
    if any(noisy):
        raise ValueError(ONE_KIND)
    finite: list[list[_Finite]] = [first, second]  # type: ignore[list-item]  # none is noise
    left = np.array([output.logs for output in finite[0]])
    right = left if second is first else np.array([output.logs for output in finite[1]])
    if left.shape[1] != right.shape[1]:
        sizes = f"{left.shape[1]} for n_samples={n_samples} records and {right.shape[1]} for one fewer"
        raise ValueError(
            f"mechanism must have the same outcomes for both sizes, but got {sizes}. {PADDED}"
        )
    errors = [output.errors for outputs in finite for output in outputs]
    relative, absolute = map(max, zip(*errors, strict=True))
    return FinitePairs((left, right), (relative, absolute), pairs)


def exact(
    mechanism: Callable,
    universe: object,
    n_samples: int,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
    ordered: bool | None = None,
    progress: bool = False,
) -> ExactAudit:
    """Exact epsilon of a randomised algorithm on all data sets of one size over a finite universe.

    Parameters
    ----------
    mechanism : callable
        From a data set, in the structure of `universe`, to the distribution of the output: a
        :class:`~privml.distributions.Categorical`, a vector of probabilities, or noise of
        :mod:`privml.distributions` (Laplace, Gaussian, and both on the integers) on a number or a vector.
    universe : ndarray or tuple of ndarray
        The possible records, along the first axis; a tuple such as ``(X, y)`` is passed as one.
    n_samples : int
        Number of records, a positive integer.
    adjacency : Adjacency
        Neighbouring relation.
    ordered : bool, optional
        Whether to enumerate ordered data sets, which is needed where the output depends on the order.  None
        enumerates sorted ones, shows them to `mechanism` in all orders too (with more than 200 orders in all:
        up to 200 of them, backwards), and raises if that makes a difference; a mechanism that tells orders apart
        elsewhere only is not found out.  False is your promise that order does not matter.
    progress : bool, default False
        Whether to show a bar on the error stream.

    Raises
    ------
    ValueError
        If the universe has one record only, or the distribution depends on the order and `ordered` is None.

    References
    ----------
    The definition of differential privacy in L4-exp-mech-privacy and S16-thm-0.1, on every pair.

    Examples
    --------
    >>> from privml.mechanisms import ExponentialMechanism
    >>> mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    >>> votes = lambda z: mechanism.output_distribution([z.sum(), (1 - z).sum()])
    >>> result = exact(votes, np.array([0, 1]), 5)
    >>> round(result.epsilon, 4), result.n_datasets, result.n_pairs
    (0.8775, 6, 5)

    NoiseOutput on a count of two, scaled for a sensitivity of 0.9 instead of 1:

    >>> from privml.guarantee import Guarantee
    >>> from privml.mechanisms import LaplaceMechanism
    >>> noise = LaplaceMechanism(epsilon=1.0, sensitivity=0.8)
    >>> result = exact(lambda z: noise.output_distribution(z.sum()), np.array([0, 1]), 2)
    >>> round(result.epsilon, 4), result.refutes(Guarantee(1.0))
    (1.25, True)
    """
    check.function(mechanism=mechanism)
    check.flag(progress=progress)
    if ordered is not None:
        check.flag(ordered=ordered)
    pairing = neighbours.neighbouring_datasets
    first, second, pairs = pairing(
        universe, n_samples, adjacency=adjacency, ordered=bool(ordered)
    )
    if len(pairs) == 0:
        raise ValueError(
            "universe must hold at least 2 records for there to be neighbours, but got 1."
        )
    outputs = _outputs(mechanism, universe, first, progress)
    others = outputs
    if second is not first:
        others = _outputs(mechanism, universe, second, progress)
    losses = _losses(outputs, others, pairs, n_samples)
    if ordered is None:
        _refuse_order(mechanism, universe, first, outputs)
    epsilon, row, swapped, outcome = losses.worst()
    datasets = first[pairs[row, 0]], second[pairs[row, 1]]
    pair = tuple(neighbours.records(universe, indices) for indices in datasets)[
        :: -1 if swapped else 1
    ]
    n_datasets = len(first) if second is first else len(first) + len(second)
    return ExactAudit(
        epsilon,
        pair,
        outcome,
        adjacency,
        n_datasets,
        len(pairs),
        _losses=losses,
    )


check.wrap_module(__name__)
