"""dp_accounting 0.6.0: one Gaussian and one Laplace event under REPLACE_ONE by both accountants."""

from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.privacy_accountant import NeighboringRelation
from dp_accounting.rdp import RdpAccountant

for event in (dp_event.GaussianDpEvent(1.0), dp_event.LaplaceDpEvent(2.0)):
    for kind in (RdpAccountant, PLDAccountant):
        accountant = kind(neighboring_relation=NeighboringRelation.REPLACE_ONE)
        if accountant.supports(event):
            accountant.compose(event)
            print(kind.__name__, event, accountant.get_epsilon(1e-5))
