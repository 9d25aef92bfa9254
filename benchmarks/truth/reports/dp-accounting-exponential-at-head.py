"""dp_accounting at head (PYTHONPATH=.../python/dp_accounting): thirty exponential mechanisms."""

from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant

event = dp_event.ExponentialMechanismDpEvent(0.1)
at_once, one_by_one = RdpAccountant(), RdpAccountant()
at_once.compose(event, 30)
for _ in range(30):
    one_by_one.compose(event)
print(at_once.get_epsilon(1e-5), one_by_one.get_epsilon(1e-5))
