"""What is promised: privacy guarantees with their neighbouring relation, and what one means as another."""

from privml.guarantee.conversions import (
    bounded_range_rho,
    concentrated_delta,
    concentrated_epsilon,
    concentrated_rho,
    gaussian_rho,
    laplace_rho,
    pure_mu,
    pure_rho,
)
from privml.guarantee.promises import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    Guarantee,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
