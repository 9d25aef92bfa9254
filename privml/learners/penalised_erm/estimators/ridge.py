"""Ridge regression that draws its weights, exactly where it can."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from privml._records import features, targets
from privml.learners.penalised_erm.base import ScoreLoss
from privml.learners.penalised_erm.diagnostics import Diagnostics
from privml.learners.penalised_erm.estimators.base import ExponentialLinearModel
from privml.learners.penalised_erm.gaussian import ridge_draw
from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.losses import SquaredLoss


class ExponentialRidge(RegressorMixin, ExponentialLinearModel):
    """Private ridge regression: weights drawn exactly by the exponential mechanism on a ball.

    Notes
    -----
    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    The draw is exact up to floating-point numbers, unless `diagnostics_` says that a chain was needed.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the squared loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(5000, 2))
    >>> learner = ExponentialRidge(2.0).fit(X, X[:, 0] - 0.5 * X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.r_hat)
    2-differential privacy (replace-one) 0.0
    >>> bool(learner.score(X, X[:, 0] - 0.5 * X[:, 1]) > 0.8)
    True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        radius: float = 2.0,
        strength: float = 1.0,
        fit_intercept: bool = False,
        sampler: str = "mala",
        n_draws: int = 800,
        n_chains: int = 8,
        thin: int = 1,
        total_variation: float = 0.0,
    ) -> None:
        self.epsilon = epsilon
        self.radius = radius
        self.strength = strength
        self.fit_intercept = fit_intercept
        self.sampler = sampler
        self.n_draws = n_draws
        self.n_chains = n_chains
        self.thin = thin
        self.total_variation = total_variation

    def _loss(self) -> ScoreLoss:
        return SquaredLoss()

    def _draw(self, law: ExponentialERM, rng: np.random.Generator) -> tuple[NDArray, Diagnostics]:
        weights = ridge_draw(law, rng=rng)
        return super()._draw(law, rng) if weights is None else (weights, Diagnostics(0.0, np.inf, 1.0, 1))

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Draw weights.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            Records; rows longer than 1 are scaled to length 1.
        y : array_like of shape (n_samples,)
            Targets; moved into [-1, 1], so scale them by a public range beforehand.
        """
        self._check_parameters()
        X = features(self, X, reset=True)
        self._fit(X, targets(y, len(X)), np.random.default_rng(rng))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit."""
        return self._scores(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.regressor_tags.poor_score = True
        return tags
