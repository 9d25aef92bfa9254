"""How far apart two output laws are: losses, their moments, and privacy curves.

* :mod:`~privml.divergences.finite` compares finite laws, many pairs at once: privacy loss, largest loss,
  hockey stick, moments of the loss, and post-processing; :mod:`~privml.divergences.curve` has the curve of
  one pair.
* :mod:`~privml.divergences.noise` and :mod:`~privml.divergences.integers` have the exact curves of noise.
"""

from privml.divergences.curve import PrivacyCurve
from privml.divergences.finite import (
    after_channel,
    hockey_stick,
    kullback_leibler,
    log_probabilities,
    max_divergence,
    privacy_loss,
    renyi_divergence,
    total_variation,
)
from privml.divergences.integers import (
    discrete_gaussian_log_delta,
    discrete_laplace_delta,
    worst_discrete_gaussian_log_delta,
)
from privml.divergences.noise import (
    gaussian_delta,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_mu,
    laplace_delta,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
