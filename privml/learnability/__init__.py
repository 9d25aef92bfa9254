"""Learnability: problems, stability, and what private learners can and cannot do, computed exactly."""

from privml._exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
