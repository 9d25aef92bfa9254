"""Learners: scikit-learn estimators that select a hypothesis, and the laws of what they select.

`privacy_` is the guarantee of one fit, and of a :class:`PrivatePipeline` that of all its steps.  A fit that
is one of many, as in a grid search, warns of it: :func:`search_guarantee` has the total, and a choice by
held-out private records has none.  Nothing that depends on the records stays in a fitted learner but the
attributes that its class lists.

**Time.** A guarantee is about what a fit returns, and never about how long it takes, which may depend on the
records: let nobody see it who must not see them, and let nobody wait for it but the one who fits.
"""

from privml._exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
