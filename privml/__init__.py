"""privml: what can be learned under differential privacy, with each claim checked by running it.

Release   PrivateCount, PrivateHistogram, PrivateMean, PrivateQuantile, bound_contributions,
          ... in .statistics; privml.mechanisms
Learn     privml.learners (scikit-learn estimators with ``privacy_``, private_pipeline), privml.pate
Add up    compose, calibrate_noise_scale; Guarantee; privml.composition and .guarantee, each theorem by name
Check     privml.audit, exact or by draws; privml.divergences, privml.distributions (exact laws)
Bound     privml.bounds, .pac, .learnability, .hypotheses, .populations; privml.learners.experts
Say who   adjacency="replace-one" or "add-or-remove-one"; privml.queries.sensitivity_of
Show      a cell's last line shows it, .plot() draws it; privml.figures, .notebook, .results
"""

from privml._exports import lazy_exports

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
__all__ += ["__version__"]
