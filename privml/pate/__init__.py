"""PATE: private aggregation of teacher ensembles, from the split of the records to the student."""

from privml._exports import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
