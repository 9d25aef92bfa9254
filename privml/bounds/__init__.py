"""Theorems as functions: each bound is named for what it returns, and all can be imported from here.

Two functions turn any of them round: `required_sample_size` finds the number of records or rounds that meets a
target, and `required_epsilon` the privacy parameter.
"""

from privml._exports import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
