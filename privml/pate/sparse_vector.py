r"""The exact majority where it is stable, and payment for the unstable queries only.

T runs, each with threshold noise Lap(a) and query noise Lap(b), are together (epsilon, delta / 2)-DP.  And
within a run the first query of distance 0 is answered, or ends the run, so that ``T p(w) <= delta / 2`` is
enough for :math:`p(w) = \Pr[\mathrm{Lap}(b) - \mathrm{Lap}(a) > w] = (b^2 e^{-w / b} - a^2 e^{-w / a}) /
(2 (b^2 - a^2))`.
"""

from dataclasses import dataclass, field
from math import exp, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import crossing
from privml.bounds.pate import source_sigma
from privml.composition.optimal import optimal_step_epsilon
from privml.mechanisms.transcript_distribution import (
    Noise,
    transcript_log_probabilities,
    transcripts,
)
from privml.pate.aggregation import (
    CALIBRATIONS,
    NO_ANSWER,
    VoteAggregator,
    VoteStream,
    checked_counts,
)

SPLITS = {
    "source": 1 / 2,
    "optimal": 1 / (1 + 2 ** (2 / 3)),
}  # of a run's epsilon, for the threshold's noise


def winners(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class with the most votes; a tie goes to the last, as in ``1(votes >= K / 2)``."""
    return counts.shape[1] - 1 - np.argmax(counts[:, ::-1], axis=1)


def vote_noise(
    cutoff: int,
    epsilon: float,
    delta: float,
    *,
    calibration: str = "exact",
    split: str = "optimal",
) -> Noise:
    r"""Scales of the Laplace noise on the threshold and on the distances, in votes.

    Parameters
    ----------
    cutoff : int
        Number of unstable queries at which a run halts, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    calibration : str
        One of "exact" and "source", :math:`\lambda` of :func:`privml.bounds.pate.source_sigma`.
    split : str
        One of "optimal", with the least variance of a comparison, and "source", :math:`(\lambda, 2 \lambda)`.

    Returns
    -------
    Noise
        With half of delta.

    References
    ----------
    LZCW21-alg-2; exact: Kairouz, Oh and Viswanath (2015); split: Lyu, Su and Li (2017).

    Examples
    --------
    >>> vote_noise(20, 1.0, 1e-6)
    Noise(threshold_scale=46.115..., query_scale=58.102...)
    """
    check.standard_ranges(cutoff=cutoff, epsilon=epsilon, delta=delta)
    check.one_of(CALIBRATIONS, calibration=calibration)
    check.one_of(SPLITS, split=split)
    if calibration == "exact":
        step = optimal_step_epsilon(epsilon, cutoff, delta / 2)
    else:
        step = 1 / source_sigma(cutoff, epsilon, delta / 2)
    return Noise(1 / (SPLITS[split] * step), 2 / ((1 - SPLITS[split]) * step))


def _log_answered(threshold: float, noise: Noise) -> float:
    """Log-probability that a query of distance 0 passes a threshold of at least 0 with fresh noise."""
    share, steps = (
        noise.threshold_scale / noise.query_scale,
        threshold / noise.query_scale,
    )
    return (
        log((1 - share**2 * exp(-steps * (1 / share - 1))) / (2 * (1 - share**2)))
        - steps
    )


def vote_threshold(
    cutoff: int,
    noise: Noise,
    delta: float,
    *,
    calibration: str = "exact",
    n_queries: int | None = None,
) -> float:
    r"""Threshold that a query of distance 0 passes in the whole run with probability at most delta / 2.

    Parameters
    ----------
    cutoff : int
        Number of unstable queries at which a run halts, a positive integer.
    noise : Noise
        As of :func:`vote_noise`: larger on the queries than on the threshold.
    delta : float
        Additive slack, in (0, 1).
    calibration : str
        One of "exact", the least threshold, and "source", which needs `n_queries`.
    n_queries : int, optional
        Number l of queries of the stream, a positive integer; None is no limit.

    Returns
    -------
    float
        The least w with :math:`T\, p(w) \le \delta / 2`, or by the "source" :math:`(a + b) \ln(2 (l + T) /
        \delta)`.

    Raises
    ------
    ValueError
        If `noise` is not larger on the queries than on the threshold.

    References
    ----------
    LZCW21-alg-2, LZCW21-thm-26; exact: ours, the number of queries does not enter.

    Examples
    --------
    >>> round(vote_threshold(20, vote_noise(20, 1.0, 1e-6), 1e-6), 1)
    1034.2
    """
    check.positive_integer(cutoff=cutoff)
    check.instance(Noise, noise=noise)
    check.probability_open(delta=delta)
    check.one_of(CALIBRATIONS, calibration=calibration)
    a, b = noise.threshold_scale, noise.query_scale
    if not 0 < a < b:
        raise ValueError(
            f"noise must be larger on the queries than on the threshold, but got {noise!r}."
        )
    if calibration == "source":
        check.positive_integer(n_queries=n_queries)
        return (a + b) * log(2 * (n_queries + cutoff) / delta)  # type: ignore[operator]  # checked
    upper = (a + b) * log(4 * cutoff / delta)
    return crossing(
        lambda w: _log_answered(w, noise) - log(delta / (2 * cutoff)),
        lower=0.0,
        upper=upper,
    )


@dataclass(frozen=True, kw_only=True)
class SparseVectorAggregator(VoteAggregator):
    r"""Publish the majority where its distance passes a noisy threshold, until `cutoff` times it does not.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_queries : int, optional
        Number of points that may be asked, a positive integer; None is no limit, if "exact".
    n_classes : int
        Number of classes, a positive integer from 2 to 256.
    adjacency : Adjacency
        Neighbouring relation.
    cutoff : int
        Number of unstable queries at which a run halts, a positive integer.
    calibration : str
        One of "exact" and "source", as of :func:`vote_threshold`.
    split : str
        One of "optimal" and "source", as of :func:`vote_noise`.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency`, for adaptive queries.

    *Accuracy.* :meth:`label_distribution`; :func:`privml.bounds.pate.sparse_vector_teachers`.

    References
    ----------
    LZCW21-alg-2, LZCW21-thm-2 and LZCW21-thm-26. With several classes the distance uses the two largest
    counts.

    Examples
    --------
    >>> aggregator = SparseVectorAggregator(cutoff=3, epsilon=2.0, delta=1e-6)
    >>> answers = aggregator.answer_counts([[0, 1000], [500, 500], [1000, 0]], rng=0)
    >>> answers.labels.tolist(), answers.halted
    ([1, -1, 0], False)
    """

    cutoff: int
    n_queries: int | None = None
    calibration: str = "exact"
    split: str = "optimal"
    noise: Noise = field(
        init=False, repr=False
    )  # on the threshold and on the distances, in votes
    threshold: float = field(init=False, repr=False)  # w, for the distance, in votes

    def __post_init__(self) -> None:
        super().__post_init__()
        options = {"calibration": self.calibration}
        noise = vote_noise(
            self.cutoff, self.epsilon, self.delta, split=self.split, **options
        )
        threshold = vote_threshold(
            self.cutoff, noise, self.delta, n_queries=self.n_queries, **options
        )
        object.__setattr__(self, "noise", noise)
        object.__setattr__(self, "threshold", threshold)

    @property
    def _budget(self) -> int:
        return self.cutoff

    def distance(self, counts: ArrayLike) -> NDArray[np.int64]:
        """Changes of teachers, less one, that move the winner of `counts`: ``max(0, ceil(gap / 2) - 1)``."""
        ordered = np.partition(
            checked_counts(counts, self.n_classes), self.n_classes - 2, axis=1
        )
        return np.maximum((ordered[:, -1] - ordered[:, -2] + 1) // 2 - 1, 0)

    def label_distribution(self, counts: ArrayLike) -> NDArray[np.float64]:
        counts = checked_counts(counts, self.n_classes)
        ahead = self.distance(counts) - self.threshold
        tail = np.array(
            [exp(_log_answered(size, self.noise)) for size in np.abs(ahead).tolist()]
        )
        distribution = np.zeros((len(counts), self.n_classes + 1))
        distribution[np.arange(len(counts)), winners(counts)] = np.where(
            ahead > 0, 1 - tail, tail
        )
        distribution[:, -1] = np.where(ahead > 0, tail, 1 - tail)
        return distribution

    def _probabilities(
        self, counts: NDArray, sequences: NDArray
    ) -> NDArray[np.float64]:
        """Quadrature over the noise of the threshold; a label other than the winner's is impossible."""
        excess = self.threshold - self.distance(counts).astype(float)
        log_distribution = transcript_log_probabilities(
            excess, self.noise, self.cutoff, redraw=True
        )
        patterns = transcripts(len(counts), self.cutoff)
        chance, best = (
            dict(zip(patterns, np.exp(log_distribution), strict=True)),
            winners(counts),
        )
        probabilities = np.zeros(len(sequences))
        for place, labels in enumerate(sequences):
            unstable = labels == NO_ANSWER
            asked = (
                np.searchsorted(np.cumsum(unstable), self.cutoff) + 1
            )  # beyond the end without a halt
            if (unstable | (labels == best)).all() and unstable[asked:].all():
                probabilities[place] = chance[tuple(unstable[:asked].tolist())]
        return probabilities

    def _begin(self, run: VoteStream) -> None:
        run._offset = run._rngs[1].laplace(scale=self.noise.threshold_scale)

    def _labels(self, counts: NDArray, run: VoteStream) -> NDArray[np.int64]:
        drawn = run._rngs[0].laplace(scale=self.noise.query_scale, size=len(counts))
        noisy, labels = self.distance(counts) - self.threshold + drawn, winners(counts)
        for place, excess in enumerate(noisy.tolist()):
            if excess <= run._offset:
                labels[place], run._left = NO_ANSWER, run._left - 1  # type: ignore[operator]  # a cutoff
                self._begin(run)
                if run.halted:
                    return labels[: place + 1]
        return labels


check.wrap_module(__name__)
