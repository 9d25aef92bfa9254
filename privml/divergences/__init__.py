"""How far apart two output laws are: losses, privacy curves, moments and tests.

* :mod:`~privml.divergences.finite` compares finite laws, many pairs at once: privacy loss, largest loss,
  hockey stick, moments of the loss, and what they mean for whoever guesses which data set was used.
* :mod:`~privml.divergences.curves` prepares the curve delta(epsilon) of one finite pair, and inverts it.
* :mod:`~privml.divergences.noise` and :mod:`~privml.divergences.integers` have the exact curves of noise.
"""

from privml.divergences.curves import PrivacyCurve
from privml.divergences.finite import (
    after_channel,
    hockey_stick,
    kullback_leibler,
    log_probabilities,
    max_divergence,
    privacy_loss,
    privacy_trade_off,
    renyi_divergence,
    total_variation,
    trade_off,
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
    gaussian_renyi_divergence,
    laplace_delta,
    laplace_renyi_divergence,
)

__all__ = [name for name, thing in globals().items() if getattr(thing, "__module__", "").startswith(__name__)]
