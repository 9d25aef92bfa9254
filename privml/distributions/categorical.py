"""Output laws: what a mechanism's answer is distributed as, exactly.

A :class:`Categorical` holds unnormalised log-weights, so that scores of a million are as safe as scores of
one.

Three samplers draw from it.  *Inverse CDF*, the default, is exact: where rounding could decide, integers do
(:func:`privml.coins.exact_index`), so that an outcome of probability e^-100 is possible, as it must be if a
privacy loss of 100 is to be kept.  *Gumbel-max* and *rejection* compare floats, hence are idealised; the
running time of the latter can be made independent of the data.
"""

from functools import cached_property
from math import fsum, isfinite
from typing import Any, NamedTuple, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import MOST_ROWS, Picture, html_card
from privml.coins import UNIFORM_BITS, exact_index, uniform_words

NOISE_BLOCK = 1 << 20  # numbers of a table of noise that are held at once: 8 MiB
SAMPLERS = ("inverse", "gumbel", "rejection")
ENVELOPES = ("normalised", "maximum")


class Categorical:
    """Law on the outcomes 0, 1, ..., n_outcomes - 1 with probabilities proportional to exp(log_weights).

    Every operation subtracts the largest log-weight first, so weights never overflow, and differences of
    log-probabilities (privacy losses) keep full relative precision.

    Parameters
    ----------
    log_weights : array_like of shape (n_outcomes,)
        Natural logarithms of unnormalised weights.  Minus infinity is weight zero.

    Raises
    ------
    ValueError
        If no weight is finite, or some are NaN.

    Examples
    --------
    >>> Categorical([1e6, 1e6 + np.log(3.0)]).pmf().round(6).tolist()
    [0.25, 0.75]
    """

    _rounding = check.TRUSTED, 0.0  # relative and absolute error of the probabilities

    def __init__(self, log_weights: ArrayLike) -> None:
        if not (isinstance(log_weights, np.ndarray) and log_weights.dtype == float):
            log_weights = check.numbers(log_weights=log_weights)
        if log_weights.ndim != 1 or log_weights.size == 0:
            raise ValueError(
                f"log_weights must be a non-empty vector, but got shape {log_weights.shape}."
            )
        largest = log_weights.max()
        if not isfinite(largest):
            raise ValueError(
                f"log_weights must have a finite maximum and no NaN, but got maximum {largest!r}."
            )
        self._log_weights = log_weights
        self._largest = largest

    @classmethod
    def from_probabilities(cls, probabilities: ArrayLike) -> Self:
        """The law with given probabilities, which sum to 1 up to rounding.

        Examples
        --------
        >>> Categorical.from_probabilities([0.25, 0.75]).pmf().round(6).tolist()
        [0.25, 0.75]
        """
        check.finite_vector(probabilities=probabilities)
        advice = " For log-weights, call Categorical itself."
        masses = check.distributions(advice, probabilities=probabilities)
        with np.errstate(divide="ignore"):
            distribution = cls(np.log(masses))
        distribution._rounding = check.rounding(probabilities)
        return distribution

    def __repr__(self) -> str:
        return f"Categorical(n_outcomes={self.n_outcomes})"

    def _repr_html_(self) -> str:
        likely = np.argsort(-self.pmf(), kind="stable")[:MOST_ROWS]
        rows = [
            (int(outcome), f"{self.pmf()[outcome]:.4g}") for outcome in np.sort(likely)
        ]
        left = self.n_outcomes - len(rows)
        return html_card(
            repr(self),
            [("outcome", "probability"), *rows],
            f"and {left} less likely" * bool(left),
        )

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the probabilities, which a notebook shows; its ``save(file)`` writes it.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to draw; None makes a figure.
        """

        def draw(axes: Any) -> None:
            axes.bar(np.arange(self.n_outcomes), self.pmf())
            axes.set(xlabel="outcome", ylabel="probability")

        return Picture(draw, axes)

    @property
    def n_outcomes(self) -> int:
        """Number of outcomes, those of weight zero included."""
        return self._log_weights.size

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        weights = self._log_weights - self._largest
        np.exp(weights, out=weights)
        return weights.cumsum(out=weights)

    @cached_property
    def _logpmf(self) -> NDArray[np.float64]:
        shifted = self._log_weights - self._largest
        logpmf = shifted - np.log(np.exp(shifted).sum())
        logpmf.flags.writeable = False
        return logpmf

    def logpmf(self) -> NDArray[np.float64]:
        """Natural log-probabilities, shape (n_outcomes,), as a read-only array."""
        return self._logpmf

    def pmf(self) -> NDArray[np.float64]:
        """Probabilities, shape (n_outcomes,)."""
        return np.exp(self._logpmf)

    def cdf(self) -> NDArray[np.float64]:
        """Probability of an outcome of at most each index, shape (n_outcomes,)."""
        return self._cumulative / self._cumulative[-1]

    @overload
    def rvs(
        self,
        size: None = None,
        *,
        rng: np.random.Generator | int | None = None,
        method: str = "inverse",
    ) -> int: ...

    @overload
    def rvs(
        self,
        size: int,
        *,
        rng: np.random.Generator | int | None = None,
        method: str = "inverse",
    ) -> NDArray[np.intp]: ...

    def rvs(
        self,
        size: int | None = None,
        *,
        rng: np.random.Generator | int | None = None,
        method: str = "inverse",
    ) -> int | NDArray[np.intp]:
        """Draw outcomes, (size,) or one, by a seed or Generator `rng`; `method`: inverse, gumbel, rejection.

        Examples
        --------
        >>> Categorical(np.log([0.2, 0.8])).rvs(5, rng=1).tolist()
        [1, 1, 0, 1, 1]
        """
        rng = np.random.default_rng(rng)
        check.one_of(SAMPLERS, method=method)
        if size is not None:
            check.draws(size)
        count = 1 if size is None else size
        if method == "inverse":
            drawn = self._inverse(count, rng)
        elif method == "gumbel":
            drawn = self._gumbel(count, rng)
        else:
            drawn = rejection_sample(self, count, rng=rng).outcomes
        return int(drawn[0]) if size is None else drawn

    def _inverse(self, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
        cumulative, uniform = self._cumulative, rng.random(count)
        total = cumulative[-1]
        reached = uniform * total
        # rounding of the weights and of their running sum, and the digits of u that are not yet drawn
        slack = (4 * self.n_outcomes + 16) * 2.0**-UNIFORM_BITS * total
        drawn = cumulative.searchsorted(reached - slack)
        for place in (cumulative[drawn] <= reached + slack).nonzero()[0]:
            drawn[place] = self._settled(uniform[place], rng)
        return drawn

    def _settled(self, uniform: float, rng: np.random.Generator) -> int:
        """The outcome of a draw that is close to a step: by sums that are rounded once, or in integers."""
        if self.n_outcomes > 4096:  # else integers are as fast
            weights = np.exp(self._log_weights - self._largest)
            index = int(
                np.searchsorted(self._cumulative, uniform * self._cumulative[-1])
            )
            total, first = fsum(weights), max(0, index - 2)
            steps = fsum(weights[:first]) + np.cumsum(weights[first : index + 3])
            if (np.abs(steps - uniform * total) > 2.0**-46 * total).all():
                return first + int(
                    np.searchsorted(steps, uniform * total, side="right")
                )
        return exact_index(self._log_weights, int(uniform_words(uniform)), rng)

    def _gumbel(self, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
        drawn = np.empty(count, dtype=np.intp)
        shifted = (
            self._log_weights - self._largest
        )  # noise added to 1e17 would be rounded away
        rows = max(1, NOISE_BLOCK // self.n_outcomes)
        for start in range(0, count, rows):
            stop = min(start + rows, count)
            noise = rng.gumbel(size=(stop - start, self.n_outcomes))
            drawn[start:stop] = np.argmax(shifted + noise, axis=1)
        return drawn


class RejectionSample(NamedTuple):
    """Draws of a rejection sampler and what each cost.

    Parameters
    ----------
    outcomes, rounds : ndarray
        Draws, of shape (size,); number of proposals that each draw took, of shape (size,).
    """

    outcomes: NDArray[np.intp]
    rounds: NDArray[np.int64]


def rejection_sample(
    distribution: Categorical,
    size: int,
    *,
    envelope: str = "normalised",
    rng: np.random.Generator | int | None = None,
) -> RejectionSample:
    """Draw by proposing uniformly and accepting with probability proportional to the law.

    Proposals are made in one long stream, in blocks.  The accepted ones, in order, are independent draws
    of the law, and the distances between them are the numbers of rounds, geometric with mean ``1 / mean(a)``.

    Parameters
    ----------
    distribution : Categorical
        Law to draw from.
    size : int
        Here the number of draws, a non-negative integer.
    envelope : {"normalised", "maximum"}
        Acceptance probability a of outcome y: its probability D(y), as in the source, or D(y) / max D.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Notes
    -----
    *Privacy.* With the "maximum" envelope the running time depends on the data through max D: a timing side
    channel. With the "normalised" one its mean is n_outcomes, whatever the law.

    References
    ----------
    S16-alg-2 (Algorithm 2). The normaliser is computed once, not in every round.

    Examples
    --------
    >>> sample = rejection_sample(Categorical(np.log([0.25, 0.75])), 4, rng=3)
    >>> sample.outcomes.tolist(), sample.rounds.tolist()
    ([1, 0, 1, 1], [1, 3, 2, 1])
    """
    rng = np.random.default_rng(rng)
    check.instance(Categorical, distribution=distribution)
    check.draws(size)
    check.one_of(ENVELOPES, envelope=envelope)
    accept = (
        distribution.pmf()
        if envelope == "normalised"
        else distribution.pmf() / distribution.pmf().max()
    )
    outcomes, positions = np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int64)
    proposed = 0
    while outcomes.size < size:
        expected = 1.1 * (size - outcomes.size) / accept.mean() + 64
        length = int(min(expected, NOISE_BLOCK))
        proposals = rng.integers(distribution.n_outcomes, size=length)
        accepted = np.flatnonzero(rng.random(length) < accept[proposals])
        outcomes = np.concatenate([outcomes, proposals[accepted]])
        positions = np.concatenate([positions, accepted + proposed])
        proposed += length
    return RejectionSample(outcomes[:size], np.diff(positions[:size], prepend=-1))


check.wrap_module(__name__)
