r"""Sparse vectors: many threshold questions for the price of the few that are answered with yes.

A stream of queries of one sensitivity arrives, and for each the analyst learns only whether it crosses a
threshold.  Crossings cost privacy; the other answers are free.  The run halts when the cut-off number of
crossings is reached.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import MOST_ROWS, html_card
from privml._rounding import above, product
from privml.adjacency import Adjacency
from privml.distributions import Categorical, Laplace
from privml.guarantee import ConcentratedGuarantee, Guarantee, pure_rho
from privml.mechanisms.base import (
    ApproximateMechanism,
    Mechanism,
    check_monotone,
    noise_scale,
)
from privml.mechanisms.transcript_distribution import (
    Noise,
    transcript_log_probabilities,
    transcripts,
)

Stream = ArrayLike | Iterable[ArrayLike]
STREAM_BLOCK = 4096  # queries whose noise is drawn at once
DROWNED = (
    0.25  # chance of a query of 0 to lie on the wrong side, above which a run warns
)


class SparseVectorRun(NamedTuple):
    """What one run answered.

    Parameters
    ----------
    crossings : ndarray
        Bools, one for each query that was answered: whether it crossed the threshold.
    halted : bool
        Whether the cut-off was reached, and nothing after it was answered.
    guarantee : Guarantee
        What the whole run promises; what few crossings leave of it for more stands at :class:`SparseVector`.
    """

    crossings: NDArray[np.bool_]
    halted: bool
    guarantee: Guarantee

    @property
    def n_asked(self) -> int:
        """Number of queries that were answered, as of the runs of PATE."""
        return self.crossings.size

    def _repr_html_(self) -> str:
        first = (
            ", ".join(map(str, np.flatnonzero(self.crossings)[:MOST_ROWS])) or "none"
        )
        asked, crossed = (
            ("queries answered", self.n_asked),
            ("crossings", int(self.crossings.sum())),
        )
        title = f"Sparse vector, {'not ' * (not self.halted)}halted"
        return html_card(
            title, [asked, crossed, ("the first", first)], str(self.guarantee)
        )


@dataclass(frozen=True, kw_only=True)
class _ThresholdRun(Mechanism):
    """What the forms of the sparse vector share; subclasses state the noise and the guarantee."""

    epsilon: float
    sensitivity: float
    threshold: float = 0.0
    cutoff: int = 1
    side: str = "above"
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    redraws = False  # whether the threshold gets fresh noise after a crossing

    def __post_init__(self) -> None:
        check.standard_ranges(
            epsilon=self.epsilon, sensitivity=self.sensitivity, cutoff=self.cutoff
        )
        check.finite(threshold=self.threshold)
        check.one_of(("above", "below"), side=self.side)
        check.instance(Adjacency, adjacency=self.adjacency)

    @property
    @abstractmethod
    def noise(self) -> Noise:
        """Scales of the Laplace noise on the threshold and on each query."""

    def _excess(self, values: ArrayLike) -> NDArray[np.float64]:
        return (check.finite_vector(values=values) - self.threshold) * (
            1 if self.side == "above" else -1
        )

    def _warn(self) -> None:
        """Tell from public numbers alone that a query of 0 would cross the threshold by its noise."""
        reach, noise = (
            abs(self.threshold),
            max(self.noise.threshold_scale, self.noise.query_scale),
        )
        if 0 < reach < noise * log(1 / (2 * DROWNED)):
            check.warn(
                f"The noise has scale {noise:.3g}, which is too large for the threshold {self.threshold:g}: a query "
                f"with value 0 falls on the wrong side with probability above {DROWNED:g}. Use a smaller cutoff or a "
                "larger epsilon."
            )

    def transcripts(self, n_queries: int) -> list[tuple[bool, ...]]:
        """The possible transcripts of `n_queries`, up to 12, in the order of :meth:`output_distribution`."""
        check.positive_integer(n_queries=n_queries)
        return transcripts(n_queries, self.cutoff)

    def output_distribution(self, values: ArrayLike) -> Categorical:
        """Exact law over :meth:`transcripts` of a short stream.

        Parameters
        ----------
        values : array_like
            Private values of the queries, at most 12 of them, finite.
        """
        excess = self._excess(values)
        return Categorical(
            transcript_log_probabilities(
                excess, self.noise, self.cutoff, redraw=self.redraws
            )
        )

    def release(
        self, values: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.bool_]:
        """The crossings of one :meth:`run` over an array.  Each call is a run and spends anew.

        Parameters
        ----------
        values, rng : array_like, int or Generator
            Private, finite: a refusal tells of them, so clip records first; the coins as of :meth:`run`.
        """
        return self.run([values], rng=rng).crossings

    def run(
        self, stream: Stream, *, rng: np.random.Generator | int | None = None
    ) -> SparseVectorRun:
        """All :meth:`answers` to a stream, which is read until it ends or the cut-off is reached.

        Parameters
        ----------
        stream : array_like or iterable
            Private values, or an iterator of them or of blocks; a refusal tells of them: clip records first.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        crossings = np.concatenate(
            [np.empty(0, dtype=bool), *self._answers(stream, rng)]
        )
        return SparseVectorRun(
            crossings, int(crossings.sum()) == self.cutoff, self.guarantee
        )

    def answers(
        self, stream: Stream, *, rng: np.random.Generator | int | None = None
    ) -> Iterator[bool]:
        """Whether each query crosses, before the next one is read, which may depend on the answers so far.

        Each call is a run of its own, which spends the guarantee again: queries that arrive one by one are
        one iterator, and not a call each.  The answers end with the stream, or with True number `cutoff`.

        Parameters
        ----------
        stream, rng : iterable, int or Generator
            As of :meth:`run`: a refusal tells of a value here too.

        Examples
        --------
        >>> alarm = SparseVector(epsilon=1.0, sensitivity=1, threshold=50.0)
        >>> said = alarm.answers(iter([0.0, 99.0, 5.0]), rng=0)
        >>> next(said), next(said), next(said, "over")
        (False, True, 'over')
        """
        for crossed in self._answers(stream, rng):
            yield from crossed.tolist()

    def _answers(
        self, stream: Stream, rng: np.random.Generator | int | None
    ) -> Iterator[NDArray[np.bool_]]:
        """The same, of a block of queries at a time."""
        rng = np.random.default_rng(rng)
        self._warn()
        on_threshold, on_query = (
            Laplace(scale=scale) for scale in vars(self.noise).values()
        )
        offset, left = float(on_threshold.rvs(rng=rng)), self.cutoff
        for excess in self._blocks(stream):
            noisy = excess + on_query.rvs(excess.size, rng=rng)
            crossed, start = np.zeros(excess.size, dtype=bool), 0
            while left and (ahead := np.flatnonzero(noisy[start:] >= offset)).size:
                taken = ahead[:1] if self.redraws else ahead[:left]
                crossed[start + taken] = True
                start, left = start + int(taken[-1]) + 1, left - taken.size
                if self.redraws:
                    offset = float(on_threshold.rvs(rng=rng))
                elif left:
                    break  # every crossing of the block is in `taken`
            yield crossed if left else crossed[:start]
            if not left:
                return

    def _blocks(self, stream: Stream) -> Iterator[NDArray[np.float64]]:
        if hasattr(
            stream, "keys"
        ):  # of a series the values are meant, of a table or dict it is unclear
            if np.ndim(stream) != 1 or not hasattr(stream, "to_numpy"):  # type: ignore[arg-type]
                raise ValueError(
                    f"stream must be an array or an iterator, but got {type(stream).__name__}. To pass its values, "
                    "use list(stream.values()) or stream.to_numpy().ravel()."
                )
            stream = stream.to_numpy()  # type: ignore[union-attr]
        pieces: Any = [stream] if isinstance(stream, np.ndarray) else stream
        if not isinstance(pieces, Iterable):
            raise ValueError(
                f"stream must be an array or an iterator, but got {type(stream).__name__}. To ask queries one at a "
                "time, pass a single iterator over them to answers()."
            )
        for piece in pieces:
            excess = self._excess(np.atleast_1d(piece))
            yield from np.split(excess, range(STREAM_BLOCK, excess.size, STREAM_BLOCK))


@dataclass(frozen=True, kw_only=True)
class SparseVector(_ThresholdRun):
    r"""Report which queries cross a threshold, until `cutoff` of them have.

    With a budget :math:`\varepsilon = \varepsilon_1 + \varepsilon_2`, the threshold gets noise
    :math:`\mathrm{Lap}(\Delta/\varepsilon_1)` once and each query noise :math:`\mathrm{Lap}(2 c
    \Delta/\varepsilon_2)`, where :math:`c` is the cut-off; for monotone queries :math:`c \Delta / \varepsilon_2` is
    enough.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of any one query, positive.
    threshold : float
        Public threshold, in query units.
    cutoff : int
        Number of crossings after which the run halts, a positive integer.
    side : {"above", "below"}
        Which side of the threshold is a crossing.
    adjacency : Adjacency
        Neighbouring relation.
    monotone : bool, default False
        Promise that adding a record moves all queries in one direction (as counts do).  Only under
        ``ADD_OR_REMOVE_ONE``: replacing a record may move one count up and another one down.
    threshold_share : float, optional
        Share of epsilon that the threshold gets, in (0, 1); None is the share that makes the variance of a
        comparison least, ``1 / (1 + (2 c)**(2/3))`` (``c`` for monotone queries).  One half with
        ``cutoff=1`` is AboveThreshold as Dwork and Roth state it.

    Notes
    -----
    *Privacy.* A run is epsilon-differentially private under `adjacency`, for adaptively chosen queries and streams of
    any length.  A run with k crossings leaves
    ``(1 - k / cutoff) * (epsilon - sensitivity / noise.threshold_scale)`` for more.

    References
    ----------
    LZCW21-alg-6 with pure noise; Dwork and Roth (2014), Theorem 3.23; Lyu, Su and Li (2017), Algorithm 7
    and section 4.2 for the split.

    Examples
    --------
    >>> mechanism = SparseVector(epsilon=1.0, threshold=50.0, cutoff=2, sensitivity=1)
    >>> run = mechanism.run(np.array([0.0, 100.0, 5.0, 100.0, 100.0]), rng=0)
    >>> run.crossings.tolist(), run.halted
    ([False, True, False, True], True)
    """

    monotone: bool = False
    threshold_share: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_monotone(self.monotone, self.adjacency)
        if self.threshold_share is not None:
            check.probability_open(threshold_share=self.threshold_share)
        check.instance(Noise, noise=self.noise)

    @cached_property
    def noise(self) -> Noise:
        charged = self.cutoff if self.monotone else 2 * self.cutoff
        share = (
            1 / (1 + charged ** (2 / 3))
            if self.threshold_share is None
            else self.threshold_share
        )
        return Noise(
            noise_scale(self.sensitivity, self.epsilon, share),
            noise_scale(
                self.sensitivity, self.epsilon, (1 - Fraction(share)) / charged
            ),
        )


@dataclass(frozen=True, kw_only=True)
class RestartingSparseVector(_ThresholdRun, ApproximateMechanism):
    r"""Report which queries cross a threshold, with fresh threshold noise after each crossing.

    With :math:`\lambda = \Delta \sqrt{32\, T \ln(1/\delta)} / \varepsilon` for cut-off :math:`T`, the
    threshold gets noise :math:`\mathrm{Lap}(\lambda)`, anew after each crossing, and each query
    :math:`\mathrm{Lap}(2\lambda)`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most ``8 ln(1 / delta)``.
    sensitivity : float
        Largest change between neighbours of any one query, positive.
    threshold : float
        Public threshold, in query units.
    cutoff : int
        Number of crossings after which the run halts, a positive integer.
    side : {"above", "below"}
        Which side of the threshold is a crossing; the source's is "below".
    adjacency : Adjacency
        Neighbouring relation.
    delta : float
        Additive slack, in (0, 1).

    Notes
    -----
    *Privacy.* A run is (epsilon, delta)-differentially private under `adjacency`.  Each of its T parts is
    ``2 Delta / lambda``-differentially private, so together they are ``epsilon**2 / (16 ln(1/delta))``-zCDP.

    *Accuracy.* See :func:`privml.bounds.restarting_margin`.

    References
    ----------
    LZCW21-alg-6 and LZCW21-lem-45, corrected: epsilon stands outside the root of lambda, the threshold is
    redrawn with noise (printed: w + 1), and the run halts at T crossings (printed: T + 1).

    Examples
    --------
    >>> mechanism = RestartingSparseVector(epsilon=1.0, delta=1e-6, cutoff=2, side="below", sensitivity=1)
    >>> round(mechanism.noise.threshold_scale, 2), str(mechanism.guarantee)
    (29.74, '(1, 1e-06)-differential privacy (replace-one)')
    """

    delta: float
    redraws = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check.probability_open(delta=self.delta)
        if self.epsilon > 8 * log(1 / self.delta):
            raise ValueError(
                f"epsilon must be at most 8 ln(1/delta), but got {self.epsilon!r}."
            )
        check.positive(**vars(self.noise))

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated privacy of all runs together, rho at most epsilon^2 / (16 ln(1 / delta))."""
        step = above(2 * self.sensitivity / self.noise.threshold_scale, 1)
        rho = product(self.cutoff, pure_rho(step))
        return ConcentratedGuarantee(rho, self.adjacency)

    @cached_property
    def noise(self) -> Noise:
        scale = (
            self.sensitivity
            * sqrt(32 * self.cutoff * log(1 / self.delta))
            / self.epsilon
        )
        return Noise(scale, 2 * scale)


check.wrap_module(__name__)
