"""Private mechanisms: maps from a value computed on the data to an output law, with a claim."""

from privml.mechanisms.base import Mechanism
from privml.mechanisms.selection import ExponentialMechanism, PermuteAndFlip

__all__ = ["ExponentialMechanism", "Mechanism", "PermuteAndFlip"]
