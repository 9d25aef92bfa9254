"""dp_accounting 0.6.0: one Gaussian event under REPLACE_ONE by both accountants."""

from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.privacy_accountant import NeighboringRelation
from dp_accounting.rdp import RdpAccountant

for kind in (RdpAccountant, PLDAccountant):
    accountant = kind(neighboring_relation=NeighboringRelation.REPLACE_ONE)
    accountant.compose(dp_event.GaussianDpEvent(1.0))
    print(kind.__name__, accountant.get_epsilon(1e-5))
