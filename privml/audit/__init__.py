"""Auditing a privacy claim: exactly where there is a distribution to enumerate, by draws where there is none."""

from privml.audit.enumeration import ExactAudit, exact
from privml.audit.sampling import MonteCarloAudit, clopper_pearson, monte_carlo

__all__ = ["ExactAudit", "MonteCarloAudit", "clopper_pearson", "exact", "monte_carlo"]
__dir__ = __all__.copy
