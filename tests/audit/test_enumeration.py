"""The exact auditor against closed forms, and against laws that are wrong in every way it should notice."""

import math
from functools import reduce

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.audit import enumeration
from privml.distributions import Categorical, Laplace
from privml.divergences import hockey_stick
from privml.guarantee import Guarantee
from privml.learners import ExponentialPACLearner
from privml.mechanisms import ExponentialMechanism, LaplaceMechanism, RandomisedResponse
from privml.statistics import PrivateCount
from tests.refusals import refused

BITS = np.array([0, 1])
ADD = Adjacency.ADD_OR_REMOVE_ONE


def vote_law(epsilon):
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return lambda bits: mechanism.output_distribution([(1 - bits).sum(), bits.sum()])


@pytest.mark.source("L4-exp-mech-privacy")
@pytest.mark.parametrize("n_samples", [1, 5, 20, 60])
def test_two_constant_concepts_under_both_relations(n_samples):
    """Scores (n - k, k): the loss is largest between k = 0 and k = 1."""
    epsilon = 1.0

    def log_minority(n, k):
        return -math.log1p(math.exp(epsilon / 2 * (n - 2 * k)))

    replaced = log_minority(n_samples, 1) - log_minority(n_samples, 0)
    added = log_minority(n_samples - 1, 0) - log_minority(n_samples, 0)
    assert audit.exact(vote_law(epsilon), BITS, n_samples).epsilon == pytest.approx(
        replaced, rel=1e-12
    )
    found = audit.exact(vote_law(epsilon), BITS, n_samples, adjacency=ADD)
    assert found.epsilon == pytest.approx(added, rel=1e-12)
    assert found.epsilon <= epsilon / 2


def test_the_witness_attains_the_epsilon():
    law = vote_law(1.0)
    found = audit.exact(law, BITS, 6)
    p, q = (law(data).logpmf() for data in found.pair)
    assert p[found.outcome] - q[found.outcome] == found.epsilon
    assert sorted(abs(np.array(found.pair[0]) - np.array(found.pair[1]))).count(1) == 1
    assert (found.n_datasets, found.n_pairs) == (7, 6)


def test_the_curve_is_the_largest_hockey_stick_divergence():
    law = vote_law(1.0)
    found = audit.exact(law, BITS, 6)
    laws = [law(np.repeat(BITS, [6 - ones, ones])) for ones in range(7)]
    for epsilon in (0.0, 0.3, 0.8):
        ways = [
            pair
            for a, b in zip(laws[:-1], laws[1:], strict=True)
            for pair in ((a, b), (b, a))
        ]
        wanted = max(hockey_stick(*pair, epsilon, logs=True) for pair in ways)
        assert found.delta(epsilon) == pytest.approx(wanted, rel=1e-12)
    curve = found.delta([0.0, 0.3, found.epsilon])
    assert curve[0] > curve[1] > curve[2] == pytest.approx(0.0, abs=1e-15)


def test_an_outcome_possible_on_one_side_only_is_an_infinite_epsilon():
    found = audit.exact(
        lambda bits: [1.0, 0.0] if bits.sum() == 0 else [0.5, 0.5], BITS, 3
    )
    assert math.isinf(found.epsilon)
    assert found.outcome == 1
    assert found.delta(50.0) == 0.5


def test_order_matters_only_when_it_is_asked_for():
    def first_record(bits):
        return [0.9, 0.1] if bits[0] else [0.1, 0.9]

    found = audit.exact(first_record, BITS, 3, ordered=True)
    assert found.epsilon == pytest.approx(math.log(9))
    assert found.n_datasets == 8
    assert found.n_pairs == 12


def test_a_universe_of_columns_reaches_the_law_as_columns():
    X, y = np.array([[0.0], [1.0]]), np.array([True, False])

    def law(data):
        instances, labels = data
        assert instances.shape == (2, 1)
        assert labels.dtype == bool
        return [0.5, 0.5]

    assert audit.exact(law, (X, y), 2).epsilon == 0.0


@pytest.mark.parametrize("output", [[0.5, 0.6], [-0.1, 1.1], [math.nan, 1.0], [[1.0]]])
def test_what_is_no_law_is_refused(output):
    with pytest.raises(
        ValueError,
        match="mechanism must return a Categorical, a noise distribution or a vector of prob",
    ):
        audit.exact(lambda bits: output, BITS, 2)


@pytest.mark.parametrize("output", [0.3, {0: 0.5, 1: 0.5}, PrivateCount(epsilon=1.0)])
def test_what_draws_or_has_infinitely_many_outcomes_is_sent_to_the_audit_by_draws(
    output,
):
    with pytest.raises(ValueError, match="mechanism must return .*audit.monte_carlo"):
        audit.exact(lambda bits: output, BITS, 2)


def test_laws_must_have_one_number_of_outcomes():
    with pytest.raises(ValueError, match="mechanism must have one number of outcomes"):
        audit.exact(lambda bits: np.ones(1 + bits.sum()) / (1 + bits.sum()), BITS, 2)


test_a_universe_that_cannot_be_audited_is_refused = refused(
    (
        lambda: audit.exact(lambda bits: [1.0], np.array([0]), 3),
        "universe must hold at least 2 records",
    ),
    (
        lambda: audit.exact(lambda bits: [1.0], BITS, 30, ordered=True),
        "got 1073741824. Use .*ordered=False",
    ),
    (
        lambda: audit.exact(lambda bits: [1.0], np.arange(12), 12),
        "got 1352078. .*a smaller n_samples.$",
    ),
    (
        lambda: audit.exact(lambda bits: [1.0], BITS, 0),
        "n_samples must be a positive integer, but got 0",
    ),
    (
        lambda: audit.exact(lambda bits: [1.0], BITS, 2).delta([0.1, math.nan]),
        "epsilon must be non-negative",
    ),
)


def test_pairs_in_several_blocks_give_the_same_answer(monkeypatch):
    whole = audit.exact(vote_law(1.0), BITS, 9)
    monkeypatch.setattr(enumeration, "PAIR_BLOCK", 4)
    blocks = audit.exact(vote_law(1.0), BITS, 9)
    assert blocks.epsilon == whole.epsilon
    assert blocks.delta(0.2) == whole.delta(0.2)


def sorted_or_not(bits):
    return [0.0, 1.0] if (np.diff(bits) < 0).any() else [1.0, 0.0]


def three_valued(records):
    laws = [
        RandomisedResponse(1.0, 3).output_distribution(record).pmf()
        for record in records
    ]
    return reduce(np.multiply.outer, laws).ravel()


@pytest.mark.parametrize(
    ("law", "universe"), [(sorted_or_not, BITS), (three_valued, np.arange(3))]
)
@pytest.mark.parametrize("n_samples", [2, 4])
def test_a_law_that_depends_on_the_order_is_refused_unless_order_is_asked_for(
    law, universe, n_samples
):
    """Sorted records show 0.0 for a law that reveals whether they are sorted, and 2.0 for answers of 1.0."""
    with pytest.raises(
        ValueError,
        match="ordered must be True if the distribution depends on the order",
    ):
        audit.exact(law, universe, n_samples)
    truth = math.inf if law is sorted_or_not else 1.0
    assert audit.exact(law, universe, n_samples, ordered=True).epsilon == pytest.approx(
        truth
    )
    if n_samples == 2:
        assert audit.exact(law, universe, 2, ordered=False).epsilon == pytest.approx(
            2 if truth == 1 else 0
        )
    with pytest.raises(
        ValueError, match="ordered must be True or False, but got 'yes'"
    ):
        audit.exact(law, universe, n_samples, ordered="yes")


@pytest.mark.parametrize("shown", [(0, 1, 0, 1), (1, 0, 0, 0), (1, 1, 1, 0)])
def test_a_law_that_tells_one_order_of_one_small_data_set_is_found_out(shown):
    def law(bits):
        return [0.0, 1.0] if tuple(bits) == shown else [1.0, 0.0]

    with pytest.raises(
        ValueError,
        match="ordered must be True if the distribution depends on the order",
    ):
        audit.exact(law, BITS, 4)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("moved", [0.2, 1e-2, 1e-5, 1e-8])
def test_a_law_that_moves_a_little_with_the_order_is_found_out_under_both_relations(
    adjacency, moved
):
    def law(bits):
        return [0.5 + moved * bits[0], 0.5 - moved * bits[0]]

    with pytest.raises(
        ValueError,
        match="ordered must be True if the distribution depends on the order",
    ):
        audit.exact(law, BITS, 3, adjacency=adjacency)
    found = audit.exact(law, BITS, 3, adjacency=adjacency, ordered=True)
    assert found.epsilon == pytest.approx(math.log(0.5 / (0.5 - moved)), rel=1e-6)


@pytest.mark.parametrize("least", range(3))
def test_of_more_data_sets_each_is_read_backwards(least):
    shown = (3, 3, 3, 2, least)

    def law(z):
        return [0.0, 1.0] if tuple(z) == shown else [1.0, 0.0]

    with pytest.raises(
        ValueError,
        match="ordered must be True if the distribution depends on the order",
    ):
        audit.exact(law, np.arange(4), 5)


def test_the_order_is_tried_on_few_data_sets_only():
    calls = []

    def law(bits):
        calls.append(bits)
        return vote_law(1.0)(bits)

    found = audit.exact(law, np.arange(4), 11)
    assert len(calls) == found.n_datasets + 200


@pytest.mark.parametrize("block", [1, 6, 7, 1 << 21])
def test_every_pair_of_every_block_counts(monkeypatch, block):
    """The one pair that leaks is put first, last and in between; blocks hold 1, 3 or all pairs."""
    monkeypatch.setattr(enumeration, "PAIR_BLOCK", block)
    for leak in range(8):

        def law(bits, leak=leak):
            return [0.3, 0.7] if bits.sum() > leak else [0.5, 0.5]

        found = audit.exact(law, BITS, 8)
        assert found.epsilon == pytest.approx(math.log(5 / 3))
        assert sorted(int(data.sum()) for data in found.pair) == [leak, leak + 1]
        assert found.delta(0.0) == pytest.approx(0.2)


@pytest.mark.parametrize("rare", [0.01, 0.2])
def test_the_first_data_set_of_the_witness_is_the_one_on_which_the_outcome_is_likelier(
    rare,
):
    """The outcome that leaks is likelier without the record, then with it."""
    for leaks in ([rare, 2 * rare], [2 * rare, rare]):
        found = audit.exact(
            lambda bits, p=leaks: np.array([1 - p[max(bits)], p[max(bits)]]), BITS, 1
        )
        likelier = int(leaks[1] > leaks[0])
        assert ([int(data[0]) for data in found.pair], found.outcome) == (
            [likelier, 1 - likelier],
            1,
        )
        assert found.epsilon == pytest.approx(math.log(2))


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_a_claim_is_refuted_just_where_the_loss_or_the_curve_exceeds_it(adjacency):
    found = audit.exact(vote_law(1.0), BITS, 5, adjacency=adjacency)
    for factor, refuted in ((0.999, True), (1.0, False), (1.001, False)):
        assert (
            found.refutes(Guarantee(factor * found.epsilon, adjacency=adjacency))
            is refuted
        )
        assert (
            found.refutes(
                Guarantee(0.2, factor * found.delta(0.2), adjacency=adjacency)
            )
            is refuted
        )
    leak = audit.exact(
        lambda z: Categorical([0.0, -math.inf if z.sum() == 0 else 0.0]),
        BITS,
        2,
        adjacency=adjacency,
    )
    assert leak.refutes(Guarantee(1e3, adjacency=adjacency))
    assert leak.refutes(Guarantee(1e3, 0.499, adjacency=adjacency))
    assert not leak.refutes(Guarantee(1e3, 0.5, adjacency=adjacency))
    numbers = audit.exact(
        lambda z: [1.0, 0.0] if z.sum() == 0 else [0.5, 0.5],
        BITS,
        2,
        adjacency=adjacency,
    )
    assert numbers.refutes(Guarantee(30.0, adjacency=adjacency))
    assert numbers.refutes(Guarantee(30.0, 0.49, adjacency=adjacency))
    assert not numbers.refutes(Guarantee(1e3, adjacency=adjacency))  # 0 may be e^-1000


def test_the_claim_of_a_mechanism_or_of_a_fitted_learner_is_judged():
    found = audit.exact(vote_law(1.0), BITS, 5)
    for epsilon, refuted in (
        (0.999 * found.epsilon, True),
        (1.001 * found.epsilon, False),
    ):
        learner = ExponentialPACLearner(epsilon).fit([[0.0], [1.0]], [0, 1], rng=0)
        assert found.refutes(learner) is refuted
        assert (
            found.refutes(LaplaceMechanism(epsilon=epsilon, sensitivity=1)) is refuted
        )
        drawn = audit.MonteCarloAudit(found.epsilon, "", (99, 1), 100, 0.99)
        assert drawn.refutes(learner) == drawn.refutes(learner.privacy_)
        with pytest.raises(
            ValueError,
            match="claim must be a guarantee, .* got .* ExponentialPACLearner",
        ):
            found.refutes(ExponentialPACLearner(epsilon))


def test_a_claim_about_other_neighbours_is_not_judged():
    found = audit.exact(vote_law(1.0), BITS, 3)
    for claim in (Guarantee(0.1, adjacency=ADD), Guarantee(0.1).for_group(2), 0.1):
        with pytest.raises(ValueError, match="claim must be"):
            found.refutes(claim)


def binned(cells):
    """Law of Laplace noise around the number of ones in cells, by differences of its function."""
    edges = np.linspace(-60.0, 60.0, cells + 1)

    def law(bits):
        upto = Laplace(float(bits.sum()), scale=1.0).cdf(edges)
        return np.concatenate([[upto[0]], np.diff(upto), [1 - upto[-1]]])

    return law


@pytest.mark.parametrize("cells", [40, 400, 4000])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_differences_of_a_distribution_function_convict_nobody(cells, adjacency):
    """They are off by 1e-16, which is more than the whole probability of a far cell."""
    law = binned(cells)
    for made in (law, lambda bits: Categorical.from_probabilities(law(bits))):
        found = audit.exact(made, BITS, 2, adjacency=adjacency)
        assert not found.refutes(Guarantee(1.0, adjacency=adjacency))
        assert not found.refutes(Guarantee(1.0, 1e-20, adjacency=adjacency))
        assert found.refutes(Guarantee(0.99, adjacency=adjacency))
        assert found.refutes(Guarantee(0.9, 1e-3, adjacency=adjacency))
    short = audit.exact(
        lambda bits: law(bits).astype(np.float32), BITS, 2, adjacency=adjacency
    )
    assert not short.refutes(Guarantee(1.0, adjacency=adjacency))
    assert short.refutes(Guarantee(0.9, adjacency=adjacency))


def test_a_tiny_delta_convicts_no_pure_mechanism():
    refuted = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        epsilon, points = float(rng.uniform(0.05, 3)), rng.integers(2, 6)
        scores = rng.uniform(0, 1, (points, points))

        def law(z, epsilon=epsilon, scores=scores):
            form = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
            return form.output_distribution(scores[z].sum(axis=0))

        found = audit.exact(law, np.arange(points), 2)
        exact = Guarantee(found.epsilon)
        refuted += [
            found.refutes(Guarantee(claim.epsilon, delta))
            for claim in (exact, Guarantee(epsilon))
            for delta in (0.0, 1e-300, 1e-20, 1e-17)
        ]
        assert found.refutes(Guarantee(0.999 * found.epsilon, 1e-20))
    assert not any(refuted)


def test_log_weights_judge_what_is_rarer_than_numbers_tell():
    def law(bits):
        return Categorical([0.0, -50.0 - 5.0 * bits.sum()])

    found = audit.exact(law, BITS, 1)
    assert found.refutes(Guarantee(4.9))
    assert not found.refutes(Guarantee(5.1))
    numbers = audit.exact(lambda bits: law(bits).pmf(), BITS, 1)
    assert not numbers.refutes(Guarantee(4.9))


@pytest.mark.parametrize("delta", [0.0, 0.2])
def test_both_probabilities_may_be_off_by_the_share_that_is_documented(delta):
    """Of log-weights 2^-31 each: a loss that is larger by 1.5 of these is no evidence, by 3 of them it is."""
    p, q = np.array([0.6, 0.4]), np.array([0.3, 0.7])
    laws = [Categorical(np.log(p)), Categorical(np.log(q))]
    found = audit.exact(lambda z: laws[int(z[0])], np.array([0, 1]), 1)
    exact = math.log((0.6 - delta) / 0.3)
    share = 2.0**-31 * (1 + 0.6 / (0.6 - delta)) / 2
    assert not found.refutes(Guarantee(exact - 1.5 * share, delta))
    assert found.refutes(Guarantee(exact - 3 * share, delta))


def test_the_coarser_of_two_kinds_of_laws_decides_what_rounding_explains():
    """With one record fewer the law comes in floats of 32 bits."""
    short = np.array([0.3, 0.7], dtype=np.float32)
    long = Categorical(np.log([0.45, 0.55]))
    found = audit.exact(
        lambda z: long if len(z) else short,
        np.array([0, 1]),
        1,
        adjacency=Adjacency.ADD_OR_REMOVE_ONE,
    )
    exact = math.log(0.45 / float(short[0]))
    claim = Guarantee(exact - 2.0**-20, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
    assert not found.refutes(claim)
    assert found.refutes(
        Guarantee(exact - 2.0**-16, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
    )
