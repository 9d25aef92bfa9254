"""The two searches that turn a bound round."""

from math import inf, nan, nextafter

import pytest

from privml import bounds
from privml.bounds import required_epsilon, required_sample_size


@pytest.mark.parametrize("target", [1e-5, 0.3, 1.0, 7.0, 1e5])
def test_the_epsilon_is_enough_and_its_neighbour_is_not(target):
    def bound(epsilon):
        return 0.7 / epsilon

    found = required_epsilon(bound, target)
    assert bound(found) <= target < bound(nextafter(found, 0))


def test_targets_out_of_reach_and_nonsense_are_refused():
    with pytest.raises(ValueError, match="target must be reachable"):
        required_epsilon(lambda epsilon: 1 + 1 / epsilon, 1.0)
    for bad in (nan, inf, "0.1"):
        for search in (required_epsilon, required_sample_size):
            with pytest.raises(ValueError, match="target must be a finite number"):
                search(lambda number: 1 / number, bad)


def test_a_bound_with_a_largest_epsilon_is_inverted_below_it():
    found = required_epsilon(
        lambda epsilon: bounds.private_regret_bound(epsilon, 0.5, 100, 2), 0.5
    )
    assert 0 < found < bounds.most_epsilon_closed(0.5, 2)


def test_what_the_files_define_is_offered_by_the_room():
    assert {"hoeffding_tail", "private_pac_excess_error", "regret_bound"} <= set(
        bounds.__all__
    )
    assert len(set(bounds.__all__)) == len(bounds.__all__)
    assert all(getattr(bounds, name).__doc__ for name in bounds.__all__)
