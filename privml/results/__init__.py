"""Tables that take long, committed with what is needed to make them again, and read here by their names.

A study is one file beside its table: ``privml.results.table4`` makes ``table4.csv`` and ``table4.json``.
In the repository both lie in the folder ``results``, in an installation beside this file.
"""

from privml.results.runs import FOLDER, origin, read, study, tables

__all__ = ["FOLDER", "origin", "read", "study", "tables"]

__path__ = list(
    dict.fromkeys([*__path__, str(FOLDER)])
)  # privml.results.table4 is results/table4.py
__dir__ = __all__.copy
