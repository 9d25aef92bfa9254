"""dp_accounting 0.6.0: the count of randomised response is ignored by PLDAccountant."""

from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.privacy_accountant import NeighboringRelation

event = dp_event.RandomizedResponseDpEvent(0.25, 4)
at_once, one_by_one = (PLDAccountant(NeighboringRelation.REPLACE_ONE) for _ in range(2))
at_once.compose(event, 20)
for _ in range(20):
    one_by_one.compose(event)
print(at_once.get_epsilon(0.01), one_by_one.get_epsilon(0.01))
