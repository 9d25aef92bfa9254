"""What is promised, with its neighbouring relation: pure, approximate, concentrated, bounded range.

Four kinds of promise, each a frozen value that prints its relation and compares only like with like::

    bounded range  ->  pure          ->  approximate
           \\             \\                  ^
            `----------->  concentrated  ---'

Arrows are conversions, done with the tight formulas of :mod:`~privml.guarantee.approximate` and
:mod:`~privml.guarantee.rho`; the simpler formulas of the sources are there as well, by name, to be compared.
No arrow leads back to a pure promise.
"""

from privml.guarantee.kinds import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee

__all__ = ["BoundedRangeGuarantee", "ConcentratedGuarantee", "Guarantee"]
