"""The private oracle: empirical means plus noise, for a number of queries that is fixed in advance.

The mean of a function with values in [0, 1] over m records changes by at most 1 / m when a record is
replaced.  The budget is divided among the k declared queries when the oracle is made:

=========  =======================================  ==========================================
noise      every query sees all m records           a fresh batch of m // k records per query
=========  =======================================  ==========================================
Laplace    epsilon / k each, scale k / (epsilon m)  epsilon each, scale 1 / (epsilon (m // k))
Gaussian   rho / k each                             rho each
=========  =======================================  ==========================================

With batches one record stands behind one answer only, and the whole budget can go there: parallel
composition.  The noise is the same either way, but for rounding in m // k.
"""

from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import last_crossing
from privml.distributions import Gaussian, Laplace
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.guarantee.conversions import laplace_rho
from privml.learners.statistical_queries.base import DataOracle, StatisticalQuery

NOISES = ("laplace", "gaussian")
SENSITIVITY = 1.0
"""How much one record moves the sum of a query's values over all records."""


def laplace_epsilon(rho: float) -> float:
    """Largest pure epsilon of Laplace noise on one number that is rho-concentrated.

    **Returns.** The root of ``epsilon + exp(-epsilon) - 1 = rho``, rounded to the safe side; above ``sqrt(2
    rho)``, which is what pure privacy alone would allow by its simple conversion.
    **Source.** Inverse of :func:`~privml.guarantee.laplace_rho`, for DR11-alg-private-sq-oracle under a
    concentrated budget.

    >>> round(laplace_epsilon(0.02), 4)
    0.2069
    """
    check.positive(rho=rho)
    return last_crossing(lambda epsilon: laplace_rho(epsilon) - rho, lower=sqrt(2 * rho))


def _checked_budget(epsilon: float | None, rho: float | None, noise: str) -> None:
    check.one_of(NOISES, noise=noise)
    if (epsilon is None) == (rho is None):
        raise ValueError(f"epsilon or rho must be given, and one only, got {epsilon!r} and {rho!r}")
    check.positive(**({"rho": rho} if epsilon is None else {"epsilon": epsilon}))
    if noise == "gaussian" and rho is None:
        raise ValueError(f"epsilon must be None for Gaussian noise, which needs rho, got {epsilon!r}")


class PrivateSQOracle(DataOracle):
    r"""Answer statistical queries by empirical means with Laplace or Gaussian noise.

    With k queries declared and m records, the answer is
    :math:`\frac1m \sum_i \varphi(x_i, y_i) + \mathrm{Lap}(\frac{k}{\varepsilon m})`; with
    ``mode="split"`` the mean is over a batch of :math:`\lfloor m / k \rfloor` records.

    **Privacy.** epsilon-DP or rho-concentrated under ``REPLACE_ONE``, also for queries that are chosen by
    looking at earlier answers.  The number of records is public.  Values of a query are clipped to [0, 1].
    A query is trusted to treat the records one by one; one that compares records can move by 1, not by 1 / m.
    Idealised: the noise is a floating-point number.
    **Accuracy.** :func:`~privml.bounds.statistical_queries.private_sq_accuracy` and
    :func:`~privml.bounds.statistical_queries.concentrated_sq_accuracy`; for adaptive queries only with
    "split".
    **Source.** DR11-alg-private-sq-oracle; Blum, Dwork, McSherry and Nissim (2005).

    Parameters
    ----------
    n_queries : int
        How many queries will be answered; the budget is divided by it once and for all.
    epsilon, rho : float, optional
        The budget of all answers together, pure or concentrated; exactly one is given.
    noise : {"laplace", "gaussian"}
        Gaussian noise needs a concentrated budget.
    mode : {"reuse", "split"}
        Answer from all records each time, or from a fresh batch of records.
    rng : numpy.random.Generator or int, optional
        Source of the noise and of the batches, or a seed for one, which gives the noise away.

    Attributes
    ----------
    guarantee : Guarantee or ConcentratedGuarantee
        What all answers together guarantee.
    n_answered : int
        Number of answers so far.

    Examples
    --------
    >>> y = np.arange(1000) < 300
    >>> oracle = PrivateSQOracle(np.zeros((1000, 1)), y, n_queries=2, epsilon=1.0, rng=0)
    >>> round(oracle.answer(lambda X, y: y), 4)
    0.2993
    >>> print(oracle.guarantee)
    1-differential privacy (replace-one)
    >>> oracle
    PrivateSQOracle(1 of 2 answered)
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        n_queries: int,
        epsilon: float | None = None,
        rho: float | None = None,
        noise: str = "laplace",
        mode: str = "reuse",
        rng: np.random.Generator | int | None = None,
    ) -> None:
        self._rng = np.random.default_rng(rng)
        _checked_budget(epsilon, rho, noise)
        check.positive_integer(n_queries=n_queries)
        super().__init__(X, y, n_queries=n_queries, mode=mode, rng=self._rng)
        self.epsilon, self.rho, self.noise = epsilon, rho, noise

    @property
    def guarantee(self) -> Guarantee | ConcentratedGuarantee:
        """What all answers together guarantee, under replace-one."""
        return ConcentratedGuarantee(self.rho) if self.epsilon is None else Guarantee(self.epsilon)

    @property
    def scale(self) -> float:
        """Scale of Laplace noise, or standard deviation of Gaussian noise."""
        step = SENSITIVITY / self.n_records
        shares = self.n_queries if self.mode == "reuse" else 1
        if self.noise == "gaussian":
            return step / sqrt(2 * self.rho / shares)
        return step / (laplace_epsilon(self.rho / shares) if self.epsilon is None else self.epsilon / shares)

    @property
    def _noise_law(self) -> partial:
        if self.noise == "gaussian":
            return partial(Gaussian, sigma=self.scale)
        return partial(Laplace, scale=self.scale)

    def output_distribution(self, query: StatisticalQuery) -> Laplace | Gaussian:
        """Exact law of the answer, if the query were asked next.

        For study: the law is computed from the private data and is not itself private.

        Parameters
        ----------
        query : callable
            From (X, y) to values in [0, 1].

        Returns
        -------
        Laplace or Gaussian
        """
        self._refuse_beyond(1)
        return self._noise_law(float(self._means(query, None)[0]))

    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        return self._noise_law(self._means(query, n_answers)).rvs(rng=self._rng)
