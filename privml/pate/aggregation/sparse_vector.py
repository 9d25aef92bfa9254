r"""The exact majority where it is stable, and payment for the unstable queries only.

The *distance* of a point is how many teachers may change, less one, before the majority can
(:func:`privml.pate.votes.vote_distance`): of sensitivity 1, and 0 on both sides of a majority that changes.
A sparse vector compares it with a threshold w.  Above it, the majority is published as it is; below it,
nothing is, at a price, and at the `cutoff`-th time, T, the run halts.

The budget goes two ways.  T runs, each with threshold noise Lap(a) and query noise Lap(b), are together
:math:`(\varepsilon, \delta / 2)`-DP.  And a query of distance 0 must hardly ever be answered:

.. math:: T\, p(w) \le \delta / 2, \qquad
          p(w) = \Pr[\mathrm{Lap}(b) - \mathrm{Lap}(a) > w]
               = \frac{b^2 e^{-w / b} - a^2 e^{-w / a}}{2 (b^2 - a^2)} .

T, and not the number of queries, because within one run the first query of distance 0 either is answered, or
ends the run: however many there are, each run has one chance to err.  The source sums over the queries too.
"""

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import crossing
from privml.composition.optimal import optimal_step_epsilon
from privml.mechanisms.sparse_vector.base import Noise, transcript_probabilities, transcripts
from privml.pate.aggregation.base import CALIBRATIONS, VoteAggregator
from privml.pate.aggregation.stream import NO_ANSWER, State, checked_counts, winners

SPLITS = {"printed": 1 / 2, "optimal": 1 / (1 + 2 ** (2 / 3))}
"""Share of a run's epsilon that the noise of the threshold gets."""


def vote_noise(
    cutoff: int, epsilon: float, delta: float, *, calibration: str = "exact", split: str = "optimal"
) -> Noise:
    r"""Scales of the Laplace noise on the threshold and on the distances.

    **Returns.** Noise: ``threshold_scale`` and ``query_scale``, in votes.
    **Source.** LZCW21-alg-2; exact: Kairouz, Oh and Viswanath (2015); split: Lyu, Su and Li (2017).

    Parameters
    ----------
    cutoff : int
        Number of unstable queries T at which the run halts.
    delta : float
        Of the whole run, in (0, 1); the noise gets half of it.
    calibration : {"exact", "source"}
        Optimal composition of T runs, or the source's :math:`\lambda = \big(\sqrt{2 T (\varepsilon +
        \ln(2/\delta))} + \sqrt{2 T \ln(2/\delta)}\big) / \varepsilon`, with :math:`2 / \lambda`-DP runs.
    split : {"optimal", "printed"}
        Least variance of a comparison, or the source's :math:`(\lambda, 2 \lambda)`.

    Examples
    --------
    >>> vote_noise(20, 1.0, 1e-6, calibration="source", split="printed")
    Noise(threshold_scale=48.997..., query_scale=97.994...)
    >>> vote_noise(20, 1.0, 1e-6)
    Noise(threshold_scale=46.115..., query_scale=58.102...)
    """
    check.positive_integer(cutoff=cutoff)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    check.one_of(CALIBRATIONS, calibration=calibration)
    check.one_of(SPLITS, split=split)
    if calibration == "exact":
        step = optimal_step_epsilon(epsilon, cutoff, delta / 2)
    else:
        noise = 2 * cutoff * log(2 / delta)
        step = 2 * epsilon / (sqrt(noise + 2 * cutoff * epsilon) + sqrt(noise))
    return Noise(1 / (SPLITS[split] * step), 2 / ((1 - SPLITS[split]) * step))


def _log_answered(threshold: float, noise: Noise) -> float:
    """Log-probability that a query of distance 0 passes a threshold of at least 0 with fresh noise."""
    share, steps = (
        noise.threshold_scale / noise.query_scale,
        threshold / noise.query_scale,
    )  # squares underflow
    kept = 1 - share**2 * exp(-steps * (1 / share - 1))
    return log(kept / (2 * (1 - share**2))) - steps


def vote_threshold(
    cutoff: int, noise: Noise, delta: float, *, calibration: str = "exact", n_queries: int | None = None
) -> float:
    r"""Threshold that a query of distance 0 passes in the whole run with probability at most delta / 2.

    **Source.** LZCW21-alg-2, LZCW21-thm-26; exact: ours, the number of queries does not enter.

    Parameters
    ----------
    cutoff : int
        Number of unstable queries T at which the run halts.
    noise : Noise
        Scales of the Laplace noise; the query's must be the larger one.
    calibration : {"exact", "source"}
        The least threshold with :math:`T\, p(w) \le \delta / 2`, or the source's
        :math:`(a + b) \ln(2 (l + T) / \delta)`, which is :math:`3 \lambda \ln(2 (l + T) / \delta)`.
    n_queries : int, optional
        Length l of the stream; needed for "source" only.

    Examples
    --------
    >>> noise = vote_noise(20, 1.0, 1e-6, calibration="source", split="printed")
    >>> round(vote_threshold(20, noise, 1e-6, calibration="source", n_queries=1000), 1)
    3150.9
    >>> round(vote_threshold(20, noise, 1e-6), 1)
    1675.6
    """
    check.positive_integer(cutoff=cutoff)
    check.instance(Noise, noise=noise)
    check.probability_open(delta=delta)
    check.one_of(CALIBRATIONS, calibration=calibration)
    a, b = noise.threshold_scale, noise.query_scale
    if not 0 < a < b:
        raise ValueError(f"noise must be larger on the queries than on the threshold, got {noise!r}")
    if calibration == "source":
        check.positive_integer(n_queries=n_queries)
        return (a + b) * log(2 * (n_queries + cutoff) / delta)
    upper = (a + b) * log(4 * cutoff / delta)
    return crossing(lambda w: _log_answered(w, noise) - log(delta / (2 * cutoff)), lower=0.0, upper=upper)


@dataclass(frozen=True, kw_only=True)
class SparseVectorAggregator(VoteAggregator):
    r"""Publish the majority where its distance passes a noisy threshold, until `cutoff` times it does not.

    **Privacy.** It is (epsilon, delta)-DP under `adjacency`, for adaptive queries.
    **Accuracy.** :meth:`label_law`; :func:`privml.bounds.pate.sparse_vector_teachers`.
    **Source.** LZCW21-alg-2, LZCW21-thm-2 and LZCW21-thm-26.

    Parameters
    ----------
    cutoff : int
        Number of unstable queries T at which the run halts; a block is finished if at most T - 1 come out
        unstable.
    n_queries : int, optional
        Most points that may be asked; None is without limit, which the source's calibration does not allow.
    n_classes : int, default 2
        Number of classes; the distance then uses the two largest counts.
    calibration : {"exact", "source"}
        See :func:`vote_noise` and :func:`vote_threshold`.
    split : {"optimal", "printed"}
        See :func:`vote_noise`.
    adjacency : Adjacency
        The relation under which one record changes one teacher; add-or-remove-one by default.

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

    def __post_init__(self) -> None:
        super().__post_init__()
        options = {"calibration": self.calibration}
        noise = vote_noise(self.cutoff, self.epsilon, self.delta, split=self.split, **options)
        threshold = vote_threshold(self.cutoff, noise, self.delta, n_queries=self.n_queries, **options)
        object.__setattr__(self, "_noise", noise)
        object.__setattr__(self, "_threshold", threshold)

    @property
    def noise(self) -> Noise:
        """Scales of the Laplace noise on the threshold and on the distances, in votes."""
        return self._noise

    @property
    def threshold(self) -> float:
        """The threshold w for the distance, in votes."""
        return self._threshold

    @property
    def _budget(self) -> int:
        return self.cutoff

    def _spends(self, labels: NDArray) -> NDArray[np.bool_]:
        return labels == NO_ANSWER

    def distance(self, counts: ArrayLike) -> NDArray[np.int64]:
        """How many teachers may change, less one, before the winner can: ``max(0, ceil(gap / 2) - 1)``."""
        ordered = np.partition(checked_counts(counts, self.n_classes), self.n_classes - 2, axis=1)
        return np.maximum((ordered[:, -1] - ordered[:, -2] + 1) // 2 - 1, 0)

    def label_law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Probability of each class and of no answer, for a point asked first or just after a refusal."""
        counts = checked_counts(counts, self.n_classes)
        ahead = self.distance(counts) - self.threshold
        tail = np.array([exp(_log_answered(size, self.noise)) for size in np.abs(ahead).tolist()])
        law = np.zeros((len(counts), self.n_classes + 1))
        law[np.arange(len(counts)), winners(counts)] = np.where(ahead > 0, 1 - tail, tail)
        law[:, -1] = np.where(ahead > 0, tail, 1 - tail)
        return law

    def _probabilities(self, counts: NDArray, sequences: NDArray) -> NDArray[np.float64]:
        """Quadrature over the noise of the threshold; a label other than the winner's is impossible."""
        excess = self.threshold - self.distance(counts).astype(float)
        law = transcript_probabilities(excess, self.noise, self.cutoff, redraw=True)
        patterns = transcripts(len(counts), self.cutoff)
        chance, best = dict(zip(patterns, law.tolist(), strict=True)), winners(counts)
        probabilities = np.zeros(len(sequences))
        for place, labels in enumerate(sequences):
            unstable = labels == NO_ANSWER
            asked = np.searchsorted(np.cumsum(unstable), self.cutoff) + 1  # beyond the end without a halt
            if (unstable | (labels == best)).all() and unstable[asked:].all():
                probabilities[place] = chance[tuple(unstable[:asked].tolist())]
        return probabilities

    def _begin(self, rng: np.random.Generator) -> State:
        state = super()._begin(rng)
        state.offset = state.rngs[1].laplace(scale=self.noise.threshold_scale)
        return state

    def _labels(self, counts: NDArray, state: State) -> NDArray[np.int64]:
        drawn = state.rngs[0].laplace(scale=self.noise.query_scale, size=len(counts))
        noisy, labels = self.distance(counts) - self.threshold + drawn, winners(counts)
        for place, excess in enumerate(noisy.tolist()):
            if excess <= state.offset:
                labels[place], state.left = NO_ANSWER, state.left - 1
                state.offset = state.rngs[1].laplace(scale=self.noise.threshold_scale)
                if state.left == 0:
                    return labels[: place + 1]
        return labels
