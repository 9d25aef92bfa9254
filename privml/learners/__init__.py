"""Learners: scikit-learn estimators that select a hypothesis, and the laws of what they select.

**Which first.**  For two labels :class:`ObjectivePerturbation`, a logistic regression, for any number of
records, pure with ``delta=0`` (a delta means less noise where features are many); for some thousands of them
also :class:`ExponentialLogisticRegression`; for few public rules :class:`ExponentialPACLearner`; with public
points :class:`privml.pate.PATEClassifier`, around any classifier and for any number of labels; to predict a
number :class:`PrivateLinearRegression` with a delta, or :class:`ExponentialRidge` for some thousands of
records without one.  More labels without public points: learn each against the rest, and add up by
:func:`privml.compose`.

**The default of delta** is 0 for learners that have a pure version for any number of records, and 1e-5 for all
others; ``repr`` shows it.

`privacy_` is the guarantee of one fit, and of a :class:`PrivatePipeline` that of all its steps.  A fit that
is one of many, as in a grid search, warns of it: :func:`search_guarantee` has the total, and a choice by
exact scores on private records has none.  :class:`PrivateRandomSearch` tunes settings privately, at a price
that does not grow with their number.  ``score`` is scikit-learn's, without noise or guarantee, and raises where
a label is missing.  Nothing that depends on the records stays in a fitted learner but the attributes that
its class lists.

**Time.** A guarantee is about what a fit returns, and never about how long it takes, which may depend on the
records: let nobody see it who must not see them, and let nobody wait for it but the one who fits.
"""

from privml._exports import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
