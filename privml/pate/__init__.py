"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from privml._exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
