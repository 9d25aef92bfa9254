"""Markov chains for log-concave laws: hit-and-run and Metropolis-adjusted Langevin."""

from privml.learners.penalised_erm.sampling.base import Run
from privml.learners.penalised_erm.sampling.chords import hit_and_run
from privml.learners.penalised_erm.sampling.langevin import mala

__all__ = ["Run", "hit_and_run", "mala"]
