"""How far apart two output laws are: losses, privacy curves, moments and tests.

* :mod:`~privml.divergences.base` compares finite laws, many pairs at once: privacy loss, largest loss,
  hockey stick, total variation; and sends a law through a channel.
* :mod:`~privml.divergences.curves` prepares the curve delta(epsilon) of one finite pair, and inverts it.
* :mod:`~privml.divergences.gaussian`, :mod:`~privml.divergences.laplace` and
  :mod:`~privml.divergences.discrete_gaussian` have the exact curves of noise.
* :mod:`~privml.divergences.densities` integrates the curve of any two densities, with the error.
* :mod:`~privml.divergences.renyi` has the moments of the loss, :mod:`~privml.divergences.testing` what all
  this means for whoever guesses which data set was used.
"""

from privml.divergences.base import (
    after_channel,
    hockey_stick,
    log_probabilities,
    max_divergence,
    privacy_loss,
    total_variation,
)
from privml.divergences.curves import PrivacyCurve
from privml.divergences.densities import Estimate, density_hockey_stick
from privml.divergences.gaussian import gaussian_delta, gaussian_epsilon, gaussian_log_delta, gaussian_mu
from privml.divergences.laplace import discrete_laplace_delta, laplace_delta
from privml.divergences.renyi import (
    gaussian_renyi_divergence,
    kullback_leibler,
    laplace_renyi_divergence,
    renyi_divergence,
)
from privml.divergences.testing import privacy_trade_off, trade_off

__all__ = [
    "Estimate",
    "PrivacyCurve",
    "after_channel",
    "density_hockey_stick",
    "discrete_laplace_delta",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_log_delta",
    "gaussian_mu",
    "gaussian_renyi_divergence",
    "hockey_stick",
    "kullback_leibler",
    "laplace_delta",
    "laplace_renyi_divergence",
    "log_probabilities",
    "max_divergence",
    "privacy_loss",
    "privacy_trade_off",
    "renyi_divergence",
    "total_variation",
    "trade_off",
]
