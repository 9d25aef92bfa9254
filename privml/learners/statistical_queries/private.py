"""The private oracle, empirical means plus noise for a declared number of queries, and who asks it."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from math import sqrt
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._once import Once
from privml._rounding import above, part
from privml._search import last_crossing
from privml.distributions import Gaussian, Laplace
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.guarantee.conversions import laplace_rho
from privml.learners.base import OF_STUMPS, BinaryLearner, default_stumps
from privml.learners.preprocessing import _warn_if_unscaled
from privml.learners.statistical_queries.learners import SQLearner, StumpSQLearner
from privml.learners.statistical_queries.oracles import SampleOracle, StatisticalQuery

DROWNED_SCALE = 1.0  # of noise on answers in [0, 1], above which an oracle warns


def laplace_epsilon(rho: float) -> float:
    """Largest pure epsilon of Laplace noise on one number that is rho-concentrated.

    Above ``sqrt(2 rho)``, which is what pure privacy alone would allow by its simple conversion.

    Parameters
    ----------
    rho : float
        Parameter of concentrated privacy, positive.

    Returns
    -------
    float
        The root of ``epsilon + exp(-epsilon) - 1 = rho``, rounded to the safe side.

    References
    ----------
    For DR11-alg-private-sq-oracle under a concentrated budget.

    Examples
    --------
    >>> round(laplace_epsilon(0.02), 5)
    0.20689
    """
    check.positive(rho=rho)
    return last_crossing(
        lambda epsilon: laplace_rho(epsilon) - rho, lower=sqrt(2 * rho)
    )


class PrivateSQOracle(Once, SampleOracle):
    r"""Answer statistical queries by empirical means with Laplace or Gaussian noise.

    The mean over m records moves by at most 1 / m when one is replaced.  The budget is divided among the k
    declared queries: with epsilon, an answer has noise of scale :math:`\frac{k}{\varepsilon m}`.  With
    ``mode="split"`` a record stands behind one answer only, in a batch of :math:`\lfloor m / k \rfloor`, and
    the whole budget can go there (parallel composition): the noise is the same, but for rounding.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, ...), private.
    y : array_like
        Labels of shape (n_samples,), bools.
    n_queries : int
        Number of queries that will be answered, a positive integer.
    epsilon, rho : float, optional
        Privacy parameter in nats, positive; parameter of concentrated privacy, positive; one is None.
    noise : str
        One of "laplace" and "gaussian", which needs `rho`.
    mode : str
        One of "reuse" (all records each time) and "split" (a fresh batch of records).
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Raises
    ------
    ValueError
        If `y` are no bools, one a row, or records are fewer than queries of "split".
    TypeError
        If it is copied or pickled: a copy would draw the same noise again.

    Notes
    -----
    *Privacy.* The answers are epsilon-differentially private or rho-concentrated under ``REPLACE_ONE``, also for queries that are chosen by
    looking at earlier answers. The number of records is public. Values of a query are clipped to [0, 1]. A
    query is trusted to treat the records one by one; one that compares records can move by 1, not by 1 / m.
    Idealised: the noise is a floating-point number.

    *Accuracy.* :func:`~privml.bounds.statistical_queries.private_sq_accuracy` and
    :func:`~privml.bounds.statistical_queries.concentrated_sq_accuracy`; for adaptive queries only with
    "split".

    References
    ----------
    DR11-alg-private-sq-oracle; Blum, Dwork, McSherry and Nissim (2005).

    Examples
    --------
    >>> y = np.arange(1000) < 300
    >>> oracle = PrivateSQOracle(np.zeros((1000, 1)), y, n_queries=2, epsilon=1.0, rng=0)
    >>> print(round(oracle.answer(lambda X, y: y), 4), oracle.guarantee)
    0.2993 1-differential privacy (replace-one)
    >>> oracle
    PrivateSQOracle(1 of 2 answered)
    """

    n_queries: int

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
        check.one_of(("laplace", "gaussian"), noise=noise)
        if (epsilon is None) == (rho is None):
            raise ValueError(
                f"epsilon or rho must be given, and one only, but got {epsilon!r} and {rho!r}."
            )
        budget = {"rho": rho} if epsilon is None else {"epsilon": epsilon}
        check.positive(**budget)
        check.carried(**budget)
        if noise == "gaussian" and rho is None:
            raise ValueError(
                f"epsilon must be None for Gaussian noise, which needs rho, but got {epsilon!r}."
            )
        check.positive_integer(n_queries=n_queries)
        super().__init__(X, y, n_queries=n_queries, mode=mode, rng=rng)
        self.epsilon, self.noise = epsilon, noise
        self.rho: float = rho  # type: ignore[assignment]  # where there is no epsilon
        self._warned = False

    @property
    def guarantee(self) -> Guarantee | ConcentratedGuarantee:
        """What all answers together guarantee, under replace-one."""
        return (
            ConcentratedGuarantee(self.rho)
            if self.epsilon is None
            else Guarantee(self.epsilon)
        )

    @property
    def scale(self) -> float:
        """Scale of Laplace noise, or standard deviation of Gaussian noise."""
        shares = self.n_queries if self.mode == "reuse" else 1
        if self.noise == "gaussian":
            return above(1 / self.n_records / sqrt(2 * self.rho / shares))
        pure = (
            laplace_epsilon(part(self.rho, shares))
            if self.epsilon is None
            else part(self.epsilon, shares)
        )
        return above(1 / self.n_records / pure)

    @property
    def _noise_distribution(self) -> partial:
        if self.noise == "gaussian":
            return partial(Gaussian, sigma=self.scale)
        return partial(Laplace, scale=self.scale)

    def _means(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        # The scale is rounded up, so one that is exactly at the limit lies just above it.
        drowned = self.scale > DROWNED_SCALE * (1 + 1e-9)
        if drowned and not self._warned:
            self._warned = True
            check.warn(
                f"The noise has scale {self.scale:.3g}, which is too large for answers in [0, 1]. Ask fewer than "
                f"n_queries={self.n_queries} queries, or use more records or a larger privacy budget."
            )
        return super()._means(query, n_answers)

    def output_distribution(self, query: StatisticalQuery) -> Laplace | Gaussian:
        """Exact law of the answer, if the query were asked next; for study, itself not private.

        Parameters
        ----------
        query : callable
            From (X, y) to a value in [0, 1] for each record.
        """
        self._refuse_beyond(1)
        return self._noise_distribution(float(self._means(query, None)[0]))

    def _respond(
        self, query: StatisticalQuery, n_answers: int | None
    ) -> NDArray[np.float64]:
        return self._noise_distribution(self._means(query, n_answers)).rvs(
            rng=self._rng
        )


@dataclass(eq=False, repr=False)
class PrivateSQClassifier(BinaryLearner):
    """Private classifier: an SQ learner whose queries a private oracle answers.

    Parameters
    ----------
    learner : SQLearner, optional
        What asks the queries, public; None is StumpSQLearner with 16 cuts per feature in [-1, 1].
    epsilon : float, optional
        Privacy parameter in nats, positive; None is 1, or no pure budget if `rho` is given.
    rho : float, optional
        Parameter of concentrated privacy, positive, in place of epsilon; None takes epsilon.
    noise, mode : str
        As :class:`~privml.learners.statistical_queries.PrivateSQOracle` takes them.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    learner_, output_ : SQLearner, object
        The learner used, and what it returned: the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The answers are epsilon-differentially private or rho-concentrated under replace-one, whatever the learner asks.

    *Accuracy.* The learner's ``accuracy`` at the tolerance that the oracle reaches, see
    :func:`~privml.bounds.statistical_queries.private_sq_accuracy`.

    References
    ----------
    DR11-alg-private-sq-oracle with DR11-def-11.5.

    Examples
    --------
    >>> from privml.hypotheses import DecisionStumps
    >>> X = np.linspace(-1, 1, 2000)[:, None]
    >>> stumps = StumpSQLearner(DecisionStumps.on_grid(1, -1.0, 1.0, n_cuts=16))
    >>> classifier = PrivateSQClassifier(stumps, epsilon=1.0).fit(X, X[:, 0] > 0.2, rng=0)
    >>> print(classifier.learner_.stumps.describe(classifier.output_), "|", classifier.privacy_)
    x[0] >= 0.176471 | 1-differential privacy (replace-one)
    """

    learner: SQLearner | None = None
    _: KW_ONLY
    epsilon: float | None = None
    rho: float | None = None
    noise: str = "laplace"
    mode: str = "reuse"
    classes: Sequence | None = None

    def _learner_for(self, n_features: int) -> SQLearner:
        _warn_if_unscaled(self.learner, *OF_STUMPS)
        if self.learner is None:
            return StumpSQLearner(default_stumps(n_features))
        check.instance(SQLearner, learner=self.learner)
        return self.learner

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        rng = np.random.default_rng(rng)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        self.learner_ = self._learner_for(X.shape[1])
        epsilon = 1.0 if self.epsilon is None and self.rho is None else self.epsilon
        noisy = partial(
            PrivateSQOracle,
            epsilon=epsilon,
            rho=self.rho,
            noise=self.noise,
            mode=self.mode,
        )
        oracle = noisy(X, labels, n_queries=self.learner_.n_queries, rng=rng)
        self.output_ = self.learner_.run(oracle)
        self.privacy_ = oracle.guarantee
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        check_is_fitted(self, "output_")
        return self._labels(self.learner_.predict(self.output_, self._features(X)))


check.wrap_module(__name__)
