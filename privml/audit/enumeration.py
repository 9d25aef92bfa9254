"""The exact audit: all neighbouring data sets over a finite universe, and the largest loss with its witness.

Over a finite universe and for finitely many outcomes a claim can be settled, not sampled: compute each output
law once and compare all neighbours.  The audit hands over the pair and the outcome of the largest loss: a
lower bound on epsilon over larger universes and other sizes, and an exact refutation of any smaller claim.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml import adjacency as neighbours
from privml._display import POINTS, Picture, curve_picture, html_card, rounded_up
from privml._optional import counted
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.divergences.finite import loss_of_logs, stick_of_logs
from privml.guarantee.promises import require_guarantee

PAIR_BLOCK = 1 << 21  # log-probabilities of a block of pairs: 16 MiB for each side
LARGEST_SHOWN = 10.0  # epsilon of a picture, where the largest loss is more
MECHANISM_RULE = "mechanism must return a Categorical or a probability vector"
PADDED = "list all that any data set may give, with probability 0 where it cannot"
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
    outcome, adjacency : int, Adjacency
        Number of the outcome where they do; neighbouring relation.
    n_datasets, n_pairs : int
        Numbers of datasets compared and pairs of them, unordered, positive integers.
    """

    epsilon: float
    pair: tuple  # the two data sets (p first) that attain it, in the structure of the universe
    outcome: int
    adjacency: Adjacency
    n_datasets: int
    n_pairs: int  # unordered
    _distributions: tuple[NDArray, NDArray] = field(repr=False, compare=False)
    _errors: tuple[float, float] = field(repr=False, compare=False)
    _pairs: NDArray = field(repr=False, compare=False)

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
        a distribution function is.  Log-weights judge rarer outcomes.  For other data sets nothing is proved.
        **Raises.** ValueError if the claim is about other neighbours.

        Parameters
        ----------
        claim : Guarantee, or mechanism or fitted learner that has one
            What is said of the law, under the relation of this audit.
        """
        claim = require_guarantee("claim", claim)
        if (claim.adjacency, claim.group_size) != (self.adjacency, 1):
            raise ValueError(
                f"claim must be about {self.adjacency} neighbours as the audit, got {claim}"
            )
        relative, absolute = self._errors
        for log_p, log_q in _pair_blocks(self._distributions, self._pairs):
            for first, second in (log_p, log_q), (log_q, log_p):
                with np.errstate(under="ignore", over="ignore"):
                    least = np.exp(first) * (1 - relative) - absolute
                    most = np.exp(second) * (1 + relative) + absolute
                    ratio = np.exp(min(claim.epsilon, 700.0))
                    excess = np.maximum(least - ratio * most, 0.0).sum(axis=1)
                if (excess > claim.delta).any():
                    return True
        return False

    def delta(self, epsilon: ArrayLike) -> float | NDArray[np.float64]:
        """The privacy curve: the smallest delta that goes with each epsilon."""
        values = np.atleast_1d(np.asarray(epsilon, dtype=float))
        for value in values.tolist():
            check.non_negative(epsilon=value)
        curve = np.zeros(values.size)
        for log_p, log_q in _pair_blocks(self._distributions, self._pairs):
            for index, value in enumerate(values):
                both = (
                    stick_of_logs(log_p, log_q, value),
                    stick_of_logs(log_q, log_p, value),
                )
                curve[index] = max(curve[index], *map(np.max, both))
        return float(curve[0]) if np.ndim(epsilon) == 0 else curve


def _pair_blocks(
    distributions: tuple[NDArray, NDArray], pairs: NDArray
) -> Iterator[tuple[NDArray, NDArray]]:
    """Log-probabilities of both sides of the pairs, in memory-bounded blocks."""
    rows = max(1, PAIR_BLOCK // distributions[0].shape[1])
    for start in range(0, len(pairs), rows):
        block = pairs[start : start + rows]
        yield distributions[0][block[:, 0]], distributions[1][block[:, 1]]


def _log_distribution(
    mechanism: Callable, universe: object, indices: NDArray
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Log-probabilities of the output on one data set, and how far rounding may have moved them."""
    output = mechanism(neighbours.records(universe, indices))
    if isinstance(output, Categorical):
        return output.logpmf(), output._rounding
    try:
        probabilities = np.asarray(output, dtype=float)
    except (TypeError, ValueError):
        probabilities = np.empty(())
    if probabilities.ndim != 1:
        draws = "; what draws an answer, or has a law on infinitely many, is for audit.monte_carlo"
        raise ValueError(
            f"{MECHANISM_RULE}, got {check._kind(output)}{draws * (probabilities.ndim == 0)}"
        )
    try:
        check.distributions(mechanism=output)
    except ValueError as error:
        found = str(error).partition(", got ")[2]
        raise ValueError(
            f"{MECHANISM_RULE}, got {found}; a Categorical takes log-weights"
        ) from None
    with np.errstate(divide="ignore"):
        return np.log(probabilities), check.rounding(output)


def _refuse_order(
    mechanism: Callable, universe: object, datasets: NDArray, table: NDArray
) -> None:
    """Raise if the law changes with the order of the records, where that is tried."""
    places = {row.tobytes(): place for place, row in enumerate(datasets)}
    for row in neighbours.reordered(datasets):
        other, expected = (
            _log_distribution(mechanism, universe, row)[0],
            table[places[np.sort(row).tobytes()]],
        )
        if (
            other.size != expected.size
            or np.abs(np.exp(other) - np.exp(expected)).max() > SAME
        ):
            raise ValueError(
                "ordered must be True for a law that depends on the order of the records, got None and a law "
                f"that changes when the universe's records {np.sort(row).tolist()} are read as {row.tolist()}"
            )


def _distribution_table(
    mechanism: Callable, universe: object, datasets: NDArray, progress: bool
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Log-probabilities of the output on each data set, of shape (n_datasets, n_outcomes), and their errors."""
    steps = counted(datasets, progress, total=len(datasets), desc="data sets")
    found = [_log_distribution(mechanism, universe, indices) for indices in steps]
    rows, errors = [row for row, _ in found], [error for _, error in found]
    if len(sizes := {row.size for row in rows}) != 1:
        raise ValueError(
            f"mechanism must have one number of outcomes, got {sorted(sizes)}; {PADDED}"
        )
    relative, absolute = map(max, zip(*errors, strict=True))
    return np.array(rows), (relative, absolute)


def _worst(
    distributions: tuple[NDArray, NDArray], pairs: NDArray
) -> tuple[float, int, bool, int]:
    """Largest loss, the pair that attains it, whether its sides are swapped, and the outcome."""
    best, where, start = -np.inf, (0, False, 0), 0
    for log_p, log_q in _pair_blocks(distributions, pairs):
        for swapped, loss in (
            (False, loss_of_logs(log_p, log_q)),
            (True, loss_of_logs(log_q, log_p)),
        ):
            if loss.max() > best:
                row, outcome = np.unravel_index(int(np.argmax(loss)), loss.shape)
                best, where = (
                    float(loss.max()),
                    (start + int(row), swapped, int(outcome)),
                )
        start += len(log_p)
    return best, *where


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

    **Raises.** ValueError if the universe has one record only, or the law depends on the order and `ordered`
    is None.
    **Source.** The definition of differential privacy in L4-exp-mech-privacy and S16-thm-0.1, on every pair.

    >>> from privml.mechanisms import ExponentialMechanism
    >>> mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    >>> votes = lambda z: mechanism.output_distribution([z.sum(), (1 - z).sum()])
    >>> result = exact(votes, np.array([0, 1]), 5)
    >>> round(result.epsilon, 4), result.n_datasets, result.n_pairs
    (0.8775, 6, 5)

    Parameters
    ----------
    mechanism : callable
        From a data set, in the structure of `universe`, to the law of the output: a
        :class:`~privml.distributions.Categorical` or a vector of probabilities.
    universe : ndarray or tuple of ndarray
        The possible records, along the first axis; a tuple such as ``(X, y)`` is passed as one.
    n_samples, adjacency : int, Adjacency
        Number of records, a positive integer; neighbouring relation.
    ordered : bool, optional
        Whether to enumerate ordered data sets, as a law needs that depends on the order of the records.  None
        enumerates sorted ones, shows them to the law in all orders too (with more than 200 orders in all:
        up to 200 of them, backwards), and raises if that makes a difference; a law that tells orders apart
        elsewhere only is not found out.  False is your promise that order does not matter.
    progress : bool, default False
        Whether to show a bar on the error stream.
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
            "universe must hold at least 2 records for there to be neighbours, got 1"
        )
    table, errors = _distribution_table(mechanism, universe, first, progress)
    distributions = table, table
    if second is not first:
        smaller, others = _distribution_table(mechanism, universe, second, progress)
        distributions = table, smaller
        errors = max(errors[0], others[0]), max(errors[1], others[1])
    if table.shape[1] != distributions[1].shape[1]:
        sizes = f"{table.shape[1]} for n_samples={n_samples} records and {distributions[1].shape[1]} for one fewer"
        raise ValueError(
            f"mechanism must have the same outcomes for both, got {sizes}; {PADDED}"
        )
    if ordered is None:
        _refuse_order(mechanism, universe, first, table)
    epsilon, row, swapped, outcome = _worst(distributions, pairs)
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
        _distributions=distributions,
        _errors=errors,
        _pairs=pairs,
    )


check.wrap_module(__name__)
