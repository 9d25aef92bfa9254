"""Checkers for the exercises of the chapter on what differential privacy promises.

Each takes an answer, compares it with something computed from the library (a law, an audit, an
enumeration), returns None when it is right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.divergences import privacy_loss
from privml.mechanisms import RandomisedResponse

BITS = np.array([0, 1])


def check_coins(parameter: Callable[[float], float]) -> None:
    """Check a formula for the epsilon of a survey in which one answers truthfully with some chance.

    Parameters
    ----------
    parameter : callable
        From the chance t of a truthful answer (else a fair coin answers) to epsilon in nats.

    Raises
    ------
    AssertionError
        When it differs from the exact audit of one record.

    Examples
    --------
    >>> check_coins(lambda t: np.log((1 + t) / (1 - t)))
    """
    for t in (0.1, 0.5, 0.9):
        laws = np.array([[(1 + t) / 2, (1 - t) / 2], [(1 - t) / 2, (1 + t) / 2]])
        exact, given = audit.exact(lambda z, laws=laws: laws[z[0]], BITS, 1).epsilon, parameter(t)
        assert abs(given - exact) < 1e-9, f"at t = {t} the audit finds {exact:.4f}, not {given:.4f}"


def check_guess(chance: Callable[[float, float], float]) -> None:
    """Check a formula for the best chance of guessing a record from one randomised response.

    Parameters
    ----------
    chance : callable
        From epsilon and the prior probability of a yes to the probability of a right guess.

    Raises
    ------
    AssertionError
        When it differs from the best of all four rules.

    Examples
    --------
    >>> check_guess(lambda epsilon, prior: max(prior, 1 - prior, 1 / (1 + np.exp(-epsilon))))
    """
    for epsilon in (0.3, 1.0, 2.5):
        for prior in (0.05, 0.4, 0.5, 0.8, 0.99):
            survey = RandomisedResponse(epsilon)
            joint = [w * survey.output_distribution(b).pmf() for b, w in ((0, 1 - prior), (1, prior))]
            exact, given = float(np.max(joint, axis=0).sum()), chance(epsilon, prior)
            where = f"at epsilon = {epsilon}, prior = {prior}"
            assert given <= exact + 1e-9, f"{where} nobody guesses right more often than {exact:.4f}"
            assert given >= exact - 1e-9, f"{where} one can do better than {given:.4f}: {exact:.4f}"


def _admission_audit(said: NDArray, epsilon: float) -> float:
    """Exact delta at epsilon under ``ADD_OR_REMOVE_ONE`` between all consecutive numbers of yes."""
    n_samples = len(said) - 1

    def law(records: ArrayLike) -> list[float]:
        probability = said[int(np.sum(records))]
        return [1 - probability, probability]

    found = audit.exact(law, BITS, n_samples, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
    return float(found.delta(epsilon))


def check_admission(admission: Callable[[float, float, int], Sequence[float]]) -> None:
    """Check the largest probabilities of saying "somebody did", by the number of yes.

    Parameters
    ----------
    admission : callable
        From ``(epsilon, delta, n_samples)`` to probabilities for 0, 1, ..., n_samples yes.

    Raises
    ------
    AssertionError
        When it starts above 0, breaks the promise, or a larger probability would keep it.

    Examples
    --------
    >>> check_admission(lambda epsilon, delta, n: np.zeros(n + 1))
    Traceback (most recent call last):
    AssertionError: epsilon = 0.3, delta = 0.01: with 1 yes a larger probability would keep the promise...
    """
    for epsilon, delta, n_samples in ((0.3, 0.01, 12), (1.0, 0.001, 12), (2.0, 0.2, 5)):
        where = f"epsilon = {epsilon}, delta = {delta}"
        said = np.array(admission(epsilon, delta, n_samples), dtype=float)
        assert said.shape == (n_samples + 1,), f"{n_samples + 1} probabilities are wanted, got {said.shape}"
        assert said[0] == 0, f"{where}: with no yes at all you say it with probability {said[0]}"
        assert ((said >= 0) & (said <= 1)).all(), f"{where}: not all entries are probabilities"
        found = _admission_audit(said, epsilon)
        assert found <= delta + 1e-12, f"{where}: the audit finds delta = {found:.6f}"
        for k in range(1, n_samples + 1):
            more = said[: k + 1].copy()
            more[k] = min(1.0, said[k] + 1e-6)
            kept = _admission_audit(more, epsilon) <= delta + 1e-12
            hint = f"{where}: with {k} yes a larger probability would keep the promise"
            assert more[k] == said[k] or not kept, hint


def check_size(size: int, epsilon: float, error: float) -> None:
    """Check the smallest number of answers for which the estimated share has a given standard deviation.

    Parameters
    ----------
    size : int
        Number of answers of randomised response.
    epsilon : float
        Its parameter in nats.
    error : float
        Standard deviation allowed for the estimated share.

    Raises
    ------
    AssertionError
        When the size is too small or not the smallest.

    Examples
    --------
    >>> check_size(369, 1.0, 0.05)
    """
    keep = RandomisedResponse(epsilon).keep

    def deviation(m: int) -> float:
        return float(np.sqrt(keep * (1 - keep) / m) / (2 * keep - 1))

    whole = size >= 1 and size == int(size)
    assert whole, f"a number of answers is wanted, got {size!r}"
    assert deviation(size) <= error, f"with {size} answers the deviation is {deviation(size):.5f}"
    assert size == 1 or deviation(size - 1) > error, f"fewer suffice: {deviation(size - 1):.5f} with one less"


def suppressed_count(answers: ArrayLike, smallest: int = 3) -> int:
    """Number of yes, or -1 for "too few to say" if it is below `smallest`.

    Parameters
    ----------
    answers : array_like of int
        Bits.
    smallest : int, default 3
        Smallest number that is published.

    Returns
    -------
    int

    Examples
    --------
    >>> suppressed_count([1, 1, 0]), suppressed_count([1, 1, 1, 0])
    (-1, 3)
    """
    count = int(np.sum(answers))
    return count if count >= smallest else -1


def check_suppressed(pair: tuple[ArrayLike, ArrayLike]) -> None:
    """Check two neighbouring data sets that `suppressed_count` tells apart without doubt.

    Parameters
    ----------
    pair : tuple of two array_like of int
        Lists of bits, neighbours under ``REPLACE_ONE``.

    Raises
    ------
    AssertionError
        When they are not neighbours or the release is the same.

    Examples
    --------
    >>> check_suppressed(([1, 1, 1, 0], [1, 1, 0, 0]))
    """
    first, second = (np.asarray(answers, dtype=int) for answers in pair)
    assert first.shape == second.shape, "under replace-one both data sets have the same number of answers"
    assert np.isin(np.stack([first, second]), BITS).all(), "answers are 0 or 1"
    changed = int((first != second).sum())
    assert changed == 1, f"neighbours differ in one answer, these differ in {changed}"
    said = [suppressed_count(answers) for answers in (first, second)]
    laws = [np.where(np.arange(-1, len(first) + 1) == value, 0.0, -np.inf) for value in said]
    loss = privacy_loss(*laws).max()
    assert loss == np.inf, f"both are answered by {said[0]}: the privacy loss is {loss:.1f}"
