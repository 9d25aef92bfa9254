"""Output laws, one file each: log-probabilities, distribution functions and draws."""

from privml.distributions.categorical import (
    BLOCK,
    ENVELOPES,
    SAMPLERS,
    Categorical,
    RejectionSample,
    expected_rejection_rounds,
    rejection_sample,
)

__all__ = [
    "BLOCK",
    "ENVELOPES",
    "SAMPLERS",
    "Categorical",
    "RejectionSample",
    "expected_rejection_rounds",
    "rejection_sample",
]
