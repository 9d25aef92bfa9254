"""Theorems as functions: each bound is named for what it returns, and all of them can be imported from here.

``smallest_sample(lambda n: bound(..., n, ...), target)`` is the least number of records or rounds at which a
bound meets a target, and ``smallest_epsilon`` the least epsilon.
"""

from importlib import import_module
from pkgutil import iter_modules

from privml._search import smallest_epsilon, smallest_sample

__all__ = ["smallest_epsilon", "smallest_sample"]

for _file in iter_modules(__path__, f"{__name__}."):
    for _name, _thing in vars(import_module(_file.name)).items():
        if not _name.startswith("_") and getattr(_thing, "__module__", None) == _file.name:
            globals()[_name] = _thing
            __all__.append(_name)
