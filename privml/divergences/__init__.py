"""How far apart two output laws are: losses, privacy curves and their inverses.

:mod:`~privml.divergences.base` compares finite laws outcome by outcome; :mod:`~privml.divergences.gaussian`
has the exact curve of Gaussian noise in log space.
"""

from privml.divergences.base import (
    hockey_stick,
    log_probabilities,
    max_divergence,
    privacy_loss,
    total_variation,
)
from privml.divergences.gaussian import gaussian_delta, gaussian_epsilon, gaussian_log_delta, gaussian_mu

__all__ = [
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_log_delta",
    "gaussian_mu",
    "hockey_stick",
    "log_probabilities",
    "max_divergence",
    "privacy_loss",
    "total_variation",
]
