"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly.

Besides the vocabulary of the package: ``n_records`` is the size of the universe of a finite problem,
``counts`` says how often each record occurs, with shape (n_datasets, n_records), and ``law`` is a learner as
a map from these to probabilities of the hypotheses, of shape (n_datasets, n_hypotheses).
"""

from privml._exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
