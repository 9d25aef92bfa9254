"""Theorems as functions: each bound is named for what it returns, and all can be imported from here.

Two functions turn any of them round: `smallest_sample` finds the number of records or rounds that meets a
target, and `smallest_epsilon` the privacy parameter.
"""

from privml._exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
