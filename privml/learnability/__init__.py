"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly."""

from privml._exports import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
