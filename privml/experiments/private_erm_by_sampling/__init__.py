"""Tables of the chapter on private ERM by sampling: exact laws, samplers, small chains, and tumours."""

from privml.experiments.private_erm_by_sampling.estimators import (
    breast_cancer,
    given_away,
    one_fit,
    tumours,
)
from privml.experiments.private_erm_by_sampling.evidence import (
    disc_differences,
    disc_law,
    sampler_evidence,
    separate_law,
)
from privml.experiments.private_erm_by_sampling.laws import (
    LOSSES,
    audit_by_size,
    densities,
    disc_audits,
    divided_opinion,
    line_records,
    oscillations,
    sharp_pair,
    sharpness,
)
from privml.experiments.private_erm_by_sampling.penalties import penalty_audits, tails
from privml.experiments.private_erm_by_sampling.stopped import line_laws, looking, stopped
from privml.experiments.private_erm_by_sampling.wells import start_matters, stuck, two_wells, well_laws

__all__ = [
    "LOSSES",
    "audit_by_size",
    "breast_cancer",
    "densities",
    "disc_audits",
    "disc_differences",
    "disc_law",
    "divided_opinion",
    "given_away",
    "line_laws",
    "line_records",
    "looking",
    "one_fit",
    "oscillations",
    "penalty_audits",
    "sampler_evidence",
    "separate_law",
    "sharp_pair",
    "sharpness",
    "start_matters",
    "stopped",
    "stuck",
    "tails",
    "tumours",
    "two_wells",
    "well_laws",
]
