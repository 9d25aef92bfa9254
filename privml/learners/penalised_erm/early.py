"""What it costs to stop a sampler early: total variation, privacy, and exact chains on finitely many states.

If every law is within eta of an (epsilon, delta)-private one in total variation, then for neighbours and
every event::

    P'(E) <= P(E) + eta <= e^epsilon Q(E) + delta + eta <= e^epsilon Q'(E) + delta + (1 + e^epsilon) eta.

Nothing better holds in general, and eta is rarely known: diagnostics measure symptoms, they prove no bound.
"""

from math import exp, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.guarantee import Guarantee

ROUNDING = 1e-9
LARGEST_EXPONENT = 700.0


def early_stopping_guarantee(guarantee: Guarantee, total_variation: float) -> Guarantee:
    """Guarantee of a sampler whose law is within a total-variation distance of a private law.

    Parameters
    ----------
    guarantee : Guarantee
        What the exact law guarantees.
    total_variation : float
        A bound eta, proved for every data set, in [0, 1].

    Returns
    -------
    Guarantee
        The same epsilon, and ``delta + (1 + e^epsilon) eta``, at most 1.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Under the relation of `guarantee`.
    **Source.** WLF16-prop-26, as corrected: the source's "arbitrarily close in total variation" is not pure.

    Examples
    --------
    >>> early_stopping_guarantee(Guarantee(1.0), 1e-6).delta
    3.718281828459045e-06
    """
    check.instance(Guarantee, guarantee=guarantee)
    check.non_negative(total_variation=total_variation)
    if total_variation > 1:
        raise ValueError(f"total_variation must be at most 1, got {total_variation!r}")
    growth = exp(guarantee.epsilon) if guarantee.epsilon < LARGEST_EXPONENT else inf
    added = (1 + growth) * total_variation if total_variation else 0.0
    delta = min(1.0, guarantee.delta + added)
    return Guarantee(guarantee.epsilon, delta, guarantee.adjacency, guarantee.group_size)


def line_chain(law: Categorical) -> NDArray[np.float64]:
    """Transition matrix of the Metropolis chain that proposes one step to the left or right on a line.

    Parameters
    ----------
    law : Categorical
        The target, on the states 0, 1, ..., in their order.

    Returns
    -------
    ndarray of shape (n_outcomes, n_outcomes)
        Row i is the law of the next state after i; `law` is stationary and the chain is reversible.

    Raises
    ------
    ValueError
        If `law` is not a Categorical.

    Notes
    -----
    **Source.** The random walk behind WLF16-prop-26, in one dimension.

    Examples
    --------
    >>> line_chain(Categorical(np.log([0.5, 0.25, 0.25]))).round(3).tolist()
    [[0.75, 0.25, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]]
    """
    check.instance(Categorical, law=law)
    logs = law.logpmf()
    size = law.n_outcomes
    matrix = np.zeros((size, size))
    steps = np.arange(size - 1)
    matrix[steps, steps + 1] = 0.5 * np.exp(np.minimum(0.0, logs[1:] - logs[:-1]))
    matrix[steps + 1, steps] = 0.5 * np.exp(np.minimum(0.0, logs[:-1] - logs[1:]))
    matrix[np.arange(size), np.arange(size)] = 1 - matrix.sum(axis=1)
    return matrix


def _are_laws(rows: NDArray[np.float64]) -> bool:
    """Whether every row is a law, up to rounding."""
    return bool((rows >= -ROUNDING).all() and (abs(rows.sum(axis=1) - 1) <= ROUNDING * rows.shape[1]).all())


def chain_laws(matrix: ArrayLike, start: ArrayLike, n_steps: ArrayLike) -> NDArray[np.float64]:
    """Exact laws of a finite chain after given numbers of steps.

    Parameters
    ----------
    matrix : array_like of shape (n_states, n_states)
        Transition matrix; rows sum to 1.
    start : array_like of shape (n_states,)
        Law of the first state.
    n_steps : array_like of int
        Numbers of steps, non-negative and increasing.

    Returns
    -------
    ndarray of shape (len(n_steps), n_states)

    Raises
    ------
    ValueError
        If shapes do not match, a row is no law or the numbers of steps decrease.

    Notes
    -----
    **Source.** WLF16-prop-26, checked by matrix powers.

    Examples
    --------
    >>> chain_laws([[0.5, 0.5], [0.5, 0.5]], [1.0, 0.0], [0, 1]).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    matrix, law = np.asarray(matrix, dtype=float), check.finite_vector(start=start)
    for name, rows in (("matrix", matrix), ("start", law[None])):
        if rows.ndim != 2 or rows.shape[1] != law.size or not _are_laws(rows):
            raise ValueError(f"{name} must hold laws of {law.size} states, got shape {rows.shape}")
    if len(matrix) != law.size:
        raise ValueError(f"matrix must be square of size {law.size}, got {matrix.shape}")
    check.integer_answer(n_steps=n_steps)
    gaps = np.diff([0, *n_steps])
    if (gaps < 0).any():
        raise ValueError(f"n_steps must not decrease, got {n_steps!r}")
    laws = []
    for gap in gaps:
        law = law @ np.linalg.matrix_power(matrix, int(gap))
        laws.append(law)
    return np.array(laws)


def spectral_distance(matrix: ArrayLike, law: Categorical, start: ArrayLike, n_steps: int) -> float:
    """Proved bound on the total variation between a reversible chain and its law.

    Parameters
    ----------
    matrix : array_like of shape (n_states, n_states)
        Transition matrix of a chain that is reversible with respect to `law`.
    law : Categorical
        The target, positive everywhere.
    start : array_like of shape (n_states,)
        Law of the first state.
    n_steps : int
        Number of steps, non-negative.

    Returns
    -------
    float
        ``s^n_steps / 2`` times the root of ``sum start^2 / law - 1``, at most 1; s is the second largest size
        of an eigenvalue.

    Raises
    ------
    ValueError
        If a shape does not match, the chain is not reversible or a parameter is out of range.

    Notes
    -----
    **Source.** For WLF16-prop-26: a distance that is proved, on finitely many states, up to rounding.

    Examples
    --------
    >>> law = Categorical(np.log([0.5, 0.25, 0.25]))
    >>> round(spectral_distance(line_chain(law), law, [1.0, 0.0, 0.0], 20), 6)
    6.7e-05
    """
    check.instance(Categorical, law=law)
    check.non_negative_integer(n_steps=n_steps)
    matrix, start = np.asarray(matrix, dtype=float), check.finite_vector(start=start)
    target = law.pmf()
    if matrix.shape != (target.size, target.size) or start.shape != target.shape or not (target > 0).all():
        raise ValueError(f"matrix, law and start must have one number of states, got {matrix.shape}")
    flow = target[:, None] * matrix
    if not (_are_laws(matrix) and np.allclose(flow, flow.T, rtol=0, atol=ROUNDING)):
        raise ValueError("matrix must be reversible with respect to the law")
    root = np.sqrt(target)
    symmetric = flow / root[:, None] / root
    sizes = np.sort(abs(np.linalg.eigvalsh((symmetric + symmetric.T) / 2)))
    second = sizes[-2] if sizes.size > 1 else 0.0
    spread = max(float((start**2 / target).sum()) - 1, 0.0)
    return float(min(1.0, 0.5 * second**n_steps * sqrt(spread)))
