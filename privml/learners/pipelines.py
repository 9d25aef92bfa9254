"""What a whole pipeline and a whole search promise, and not only their last fit.

A step that learns from the records before a private learner, as a standard scaler does, sees them without
noise: its numbers stay in the fitted pipeline, and one record may move all rows.  So the steps of a
:class:`PrivatePipeline` are public functions of each record by itself, or learners with a ``privacy_``.
Of scikit-learn those pass, by exact type, that learn nothing (Normalizer, Binarizer, PolynomialFeatures,
hashers) or are told it (constant imputers, encoders with categories); a class with ``public_step = True``
promises it for itself.
"""

import inspect
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import KFold, PredefinedSplit, RepeatedKFold
from sklearn.pipeline import Pipeline, make_pipeline

from privml import _check as check
from privml._records import refuse_fitted_steps
from privml.adjacency import Adjacency
from privml.composition import basic_composition
from privml.guarantee import Guarantee
from privml.guarantee.promises import require_guarantee

MOST_SPLITS = 10_000  # of a search: its fits are added one by one


class PrivatePipeline(Pipeline):
    """A pipeline whose ``privacy_`` is the guarantee of the whole.

    Parameters
    ----------
    steps : list
        Pairs (name, estimator): steps that take each row alone, as PublicScaler, then a private learner.
    memory : object
        As of scikit-learn: where fitted steps are kept, None for nowhere.
    verbose : bool
        Whether their time is printed.

    Attributes
    ----------
    privacy_ : Guarantee
        What one fit of the whole promises, by what its steps promise now.

    Notes
    -----
    *Privacy.* The guarantee is about all steps together, by basic composition. A step that learns from the records and has no
    guarantee is refused, and so is a whole without one. Not covered are errors of scikit-learn's own steps,
    at NaN, infinity and what is no number or text: fill gaps first.

    References
    ----------
    LZCW21-lem-40 for what is public, DR11-thm-3.20 for the rest.

    Examples
    --------
    >>> from privml.learners import ObjectivePerturbation, PublicScaler
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(0, 16, size=(500, 3))
    >>> pipeline = private_pipeline(PublicScaler(0.0, 16.0), ObjectivePerturbation(1.0, bounds="unit"))
    >>> print(pipeline.fit(X, X[:, 0] > 8, rng=0).privacy_)
    1-differential privacy (replace-one)
    """

    def __init__(
        self, steps: list[tuple[str, Any]], *, memory: Any = None, verbose: bool = False
    ) -> None:
        super().__init__(steps, memory=memory, verbose=verbose)

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        *,
        X_public: ArrayLike | None = None,
        rng: np.random.Generator | int | None = None,
        **parameters: Any,
    ) -> Self:
        """Fit all steps; each that takes an `rng` gets a stream of its own.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        y : array_like
            Labels of shape (n_samples,).
        X_public : array_like, optional
            Points without labels, public, for a last step that takes them; the others transform them, too.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        **parameters : object
            Those of the steps, ``step__name=value``, also a ``step__rng``: handed on as they are, but a
            ``step__X_public`` of the last step goes through the steps before it, as `X_public` does.

        Raises
        ------
        ValueError
            If a step learns from the records without noise, or the last has no guarantee, and for public
            points behind a step with a guarantee of its own.
        """
        refuse_fitted_steps(self.steps, X)
        self._whole = False
        fits = {
            name: inspect.signature(step.fit)
            for name, step in self.steps
            if hasattr(step, "fit")
        }
        takers = [
            name for name, signature_ in fits.items() if "rng" in signature_.parameters
        ]
        streams = np.random.default_rng(rng).spawn(len(takers))
        public_key, front = f"{self.steps[-1][0]}__X_public", self.steps[:-1]
        parameters |= {} if X_public is None else {public_key: X_public}
        if front and parameters.get(public_key) is not None:
            if private := [name for name, _ in front if name in takers]:
                raise ValueError(
                    f"X_public must pass public steps only, but got the private step {private[0]!r}. Fit that step "
                    "by itself, transform X and X_public with it, and add its privacy_ with compose."
                )
            parameters[public_key] = (
                clone(Pipeline(front)).fit(X, y).transform(parameters[public_key])
            )
        given = {
            f"{name}__rng": stream for name, stream in zip(takers, streams, strict=True)
        }
        with config_context(enable_metadata_routing=False):  # which knows no step__rng
            super().fit(X, y, **(given | parameters))
        if getattr(self.steps[-1][1], "privacy_", None) is None or len(
            self._promises()
        ) < len(takers):
            raise ValueError(
                f"steps must end with a private learner, but got {[*dict(self.steps)]!r}."
            )
        self._whole = True
        return self

    def _promises(self) -> list[Any]:
        return [
            promise
            for _, step in self.steps
            if (promise := getattr(step, "privacy_", None)) is not None
        ]

    @property
    def privacy_(self) -> Guarantee:
        """What the steps promise now: also where one was fitted alone since the fit of the whole."""
        if not getattr(self, "_whole", False):
            raise AttributeError(
                "privacy_ exists only after a fit of the whole pipeline. Call fit of the pipeline first."
            )
        try:
            refuse_fitted_steps(self.steps, None, fitted=True)
        except ValueError as refusal:
            raise AttributeError(
                f"privacy_ is no longer known, since the steps have changed. {refusal}"
            ) from None
        if getattr(self.steps[-1][1], "privacy_", None) is None:
            raise AttributeError(
                "privacy_ exists only if the last step has been fitted privately. Call fit of the pipeline again."
            )
        return basic_composition(*self._promises())


def private_pipeline(*steps: Any) -> PrivatePipeline:
    """A :class:`PrivatePipeline` of these steps, named after their classes.

    Parameters
    ----------
    *steps : estimator
        Public transformers, then a private learner, as there.

    References
    ----------
    Ours; named as ``make_pipeline`` of scikit-learn names its steps.

    Examples
    --------
    >>> from privml.learners import ObjectivePerturbation, PublicScaler
    >>> [name for name, _ in private_pipeline(PublicScaler(18, 90), ObjectivePerturbation()).steps]
    ['publicscaler', 'objectiveperturbation']
    """
    return PrivatePipeline(make_pipeline(*steps).steps)


def search_guarantee(
    *fits: Any,
    cv: KFold | RepeatedKFold | PredefinedSplit,
    selection: Any,
    refit: bool = True,
) -> Guarantee:
    """What a cross-validated search promises: all its models and what is chosen among them.

    Only for parts by position, as of ``cv=KFold(n)``: ``cv=n`` is ``StratifiedKFold`` for classifiers, where
    one replaced label moves other people between the parts.  Each record is in all training parts but one:
    each candidate costs ``n - 1`` of its fits.  Then come the choice and the last fit, at most the costliest.
    An exact score on private records has no guarantee, nor has a choice by it, as that of ``GridSearchCV``.
    With a ``PredefinedSplit`` a record may be in training parts only, or be scored by a single choice: the
    promise is the maximum of all ways in which a record is used.  The price of :class:`PrivateRandomSearch`
    does not grow with the number of candidates.

    Parameters
    ----------
    *fits : guarantee, mechanism or fitted learner
        What one fit of each candidate promises (``privacy_``), all replace-one.
    cv : KFold, RepeatedKFold or PredefinedSplit
        The splitter that the search was given, of at most 10,000 parts; the last by places, not by records.
    selection : guarantee, mechanism or fitted learner
        What pays for the scores: ``Guarantee(0.0)`` for public ones, or the mechanism that chooses.
    refit : bool
        Whether the chosen candidate is fitted again on all records.

    Raises
    ------
    ValueError
        If parts are not by position, or a guarantee is missing or of another relation.

    Notes
    -----
    *Privacy.* The guarantee is by basic composition under replace-one, and the worst of the ways for disjoint parts.

    References
    ----------
    DR11-thm-3.20; parallel composition over the parts of one candidate is not used.

    Examples
    --------
    >>> print(search_guarantee(*[Guarantee(0.1)] * 4, cv=KFold(5), selection=Guarantee(0.5)))
    2.2-differential privacy (replace-one)

    The first records for four fits and the others for the choice: the larger of 0.4 and 0.5.

    >>> parts = PredefinedSplit([-1] * 300 + [0] * 100)
    >>> print(search_guarantee(*[Guarantee(0.1)] * 4, cv=parts, selection=Guarantee(0.5), refit=False))
    0.5-differential privacy (replace-one)
    """
    if type(cv) not in (KFold, RepeatedKFold, PredefinedSplit):
        advice = "Search with cv=KFold(n), whose splits do not depend on the labels."
        raise ValueError(
            f"cv must split the records by position, but got {type(cv).__name__}. {advice}"
        )
    n_parts, n_repeats = cv.get_n_splits(), getattr(cv, "n_repeats", 1)
    check.at_most(MOST_SPLITS, cv=n_parts)
    check.flag(refit=refit)
    advice = (
        " A choice by exact scores on private records has no guarantee. Score on public records, or choose with an "
        "ExponentialMechanism or a PrivateConfidenceBooster."
    )
    selection = require_guarantee("selection", selection, advice=advice)
    advice = " Pass the guarantee of each candidate by itself, such as best_estimator_ of a search."
    if not (
        fits := tuple(require_guarantee("fits", fit, advice=advice) for fit in fits)
    ):
        raise ValueError("fits must contain at least one guarantee, but got none.")
    for fit in (*fits, selection):
        if fit.adjacency is not Adjacency.REPLACE_ONE or fit.group_size != 1:
            raise ValueError(
                "fits must be replace-one for single records, since a record that is added or removed shifts all "
                f"later positions, but got {fit}. Convert a guarantee with guarantee.under('replace-one')."
            )
    last = (
        [Guarantee(max(f.epsilon for f in fits), max(f.delta for f in fits))]
        if refit
        else []
    )
    ways = [basic_composition(*fits * (n_parts - n_repeats), selection, *last)]
    if type(cv) is PredefinedSplit and (cv.test_fold == -1).any():  # never scored
        ways.append(basic_composition(*fits * n_parts, *last))
    return Guarantee(max(w.epsilon for w in ways), max(w.delta for w in ways))


check.wrap_module(__name__)
