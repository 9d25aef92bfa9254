"""The floating-point hole, by complete enumeration in small formats and by decision in double precision."""

import math

import numpy as np
import pytest

from privml import audit, floats
from privml.distributions import DiscreteLaplace
from privml.floats import HALF, equally_likely_answers, impossible_mass, is_possible, naive_laplace


def test_half_precision_has_the_finite_numbers_it_should():
    assert HALF.size == 2 * (2**15 - 2**10) - 1  # both signs, one zero, no infinities, no NaN
    assert HALF[0] == -65504
    assert (np.diff(HALF.astype(float)) > 0).all()


@pytest.mark.parametrize(("value", "scale"), [(0.0, 1.0), (1.0, 0.5), (-3.0, 2.5)])
def test_answers_are_the_textbook_formula_with_every_step_rounded(value, scale):
    answers = equally_likely_answers(value, scale, bits=6)
    assert answers.dtype == np.float16
    assert answers.size == 2**7
    for k in (1, 5, 33, 64):
        noise = np.float16(float(np.float16(math.log(k / 64))) * float(np.float16(scale)))
        assert answers[k - 1] == np.float16(value + float(noise))
        assert answers[64 + k - 1] == np.float16(value - float(noise))


def test_the_law_counts_every_equally_likely_answer():
    law = naive_laplace(0.5, bits=8)([1, 1, 0])
    answers = equally_likely_answers(2.0, 2.0, bits=8)
    for outcome in (0, 1000, *np.searchsorted(HALF, answers)[:50]):
        count = int((answers == HALF[outcome]).sum())
        assert law.pmf()[outcome] == pytest.approx(count / answers.size, abs=1e-15)
    assert law.pmf().sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_rounding_leaves_textbook_noise_without_any_epsilon(epsilon):
    found = audit.exact(naive_laplace(epsilon), np.array([0, 1]), 2)
    assert found.epsilon == math.inf
    before, after = (naive_laplace(epsilon)(data).pmf() for data in found.pair)
    assert before[found.outcome] > 0
    assert after[found.outcome] == 0
    assert found.delta(50.0) >= impossible_mass(0.0, 1.0, 1 / epsilon) - 1e-12
    assert impossible_mass(0.0, 1.0, 1 / epsilon) > 0.1


def test_the_same_noise_on_the_integers_keeps_its_epsilon():
    """The counterpart: the same audit, the same count, and the law that the exact sampler draws from."""
    reach = np.arange(-30, 34)

    def law(records):
        answer = DiscreteLaplace(int(np.sum(records)), scale=1)
        return np.concatenate([[answer.cdf(-31)], np.exp(answer.logpmf(reach)), [answer.sf(33)]])

    assert audit.exact(law, np.array([0, 1]), 2).epsilon == pytest.approx(1.0, abs=1e-9)


def test_the_impossible_mass_is_counted_without_the_law():
    answers = [set(equally_likely_answers(v, 1.0, bits=9).tolist()) for v in (0.0, 1.0)]
    listed = equally_likely_answers(0.0, 1.0, bits=9).tolist()
    assert impossible_mass(0.0, 1.0, 1.0, bits=9) == sum(a not in answers[1] for a in listed) / len(listed)
    assert impossible_mass(2.0, 2.0, 1.0) == 0.0


def test_more_precise_numbers_do_not_close_the_hole():
    assert impossible_mass(0.0, 1.0, 1.0, format=np.float32, bits=16) > 0.99


def test_every_answer_of_the_generator_is_recognised_and_most_exclude_the_neighbour():
    """Recognising all of them shows that the model of numpy's generator is right, rounding included."""
    for value, neighbour in ((0.0, 1.0), (1.0, 0.0), (5.0, 6.0)):
        released = np.random.default_rng(17).laplace(value, 1.0, size=3000)
        assert is_possible(released, value, 1.0).all()
        excluded = 1 - is_possible(released, neighbour, 1.0).mean()
        assert excluded > 0.15
    assert 1 - is_possible(np.random.default_rng(1).laplace(0.0, 1.0, 3000), 1.0, 1.0).mean() > 0.75


def test_a_search_over_all_uniform_numbers_agrees_on_a_small_grid(monkeypatch):
    monkeypatch.setattr(floats, "GRID", 2**9)
    reachable = set()
    for j in range(1, 2**9):
        u = j / 2**9
        reachable.add(2.0 + math.log(2 * u) if u < 0.5 else 2.0 - math.log(2 - 2 * u))
    candidates = sorted(reachable) + [math.nextafter(x, math.inf) for x in reachable]
    found = is_possible(candidates, 2.0, 1.0)
    assert found.tolist() == [x in reachable for x in candidates]
    assert 2**8 < found.sum() < len(candidates)


@pytest.mark.parametrize(
    ("parameters", "rule"),
    [
        ({"value": math.nan}, "value must be a finite number"),
        ({"scale": 0.0}, "scale must be positive"),
        ({"bits": 0}, "bits must be a positive integer"),
        ({"bits": 25}, "bits must be at most 24"),
        ({"format": np.float64}, "format must be one of"),
    ],
)
def test_bad_parameters_are_refused(parameters, rule):
    arguments = {"value": 0.0, "scale": 1.0, **parameters}
    with pytest.raises(ValueError, match=rule):
        equally_likely_answers(**arguments)


def test_bad_claims_and_suspicions_are_refused():
    with pytest.raises(ValueError, match="epsilon must be positive"):
        naive_laplace(0.0)
    with pytest.raises(ValueError, match="scale must be positive"):
        is_possible([0.0], 0.0, -1.0)
    with pytest.raises(ValueError, match="value must be a finite"):
        is_possible([0.0], math.inf, 1.0)
