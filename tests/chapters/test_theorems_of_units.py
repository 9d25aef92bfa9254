"""Simple theorems of the units, each against an exact computation of what it promises."""

from itertools import combinations_with_replacement, product
from math import comb, exp, inf, log, pi, sqrt, tanh

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, laplace

from book.tools.programme import tangled
from privml.composition import optimal_delta, optimal_epsilon
from privml.divergences import gaussian_delta
from privml.learnability import (
    always_aerm_gap,
    coin_problem,
    exponential_law,
    optimal_learner,
    packing_excess_risk,
    thresholds_excess_risk,
    thresholds_problem,
)
from privml.mechanisms import Noise
from privml.pate import teacher_law, vote_distance
from privml.populations import voting_fails_example

better = tangled("better-selection")
confident = tangled("high-confidence")
wasted = tangled("how-much-is-wasted")
littlestone = tangled("thresholds-and-littlestone")
small = tangled("how-small-delta")
sparse = tangled("sparse-and-kernel-problems")
unstable = tangled("unstable-queries")


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_exponential_noise_has_no_memory(epsilon):
    scale = 2 / epsilon
    scores = np.array([0.0, 0.0, -1.0, -2.5])
    before = better.race(scores, "exponential", scale)
    for lowered in (0.5, 2.0, 6.0):
        after = better.race(scores - lowered * (np.arange(4) == 2), "exponential", scale)
        assert after[2] == pytest.approx(before[2] * exp(-lowered / scale), rel=1e-9)
    alone = better.race([0.0, -1.0], "Laplace", scale)[1]  # another noise remembers
    assert abs(better.race([0.0, -3.0], "Laplace", scale)[1] / alone - exp(-2 / scale)) > 1e-3


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_winner_and_laplace_gap_cost_no_more_than_claimed(epsilon):
    states = better.leads(3, 3)
    for noise in ("Laplace", "exponential"):
        lost = better.largest_loss(lambda u, noise=noise: better.race(u, noise, 2 / epsilon), states)
        assert lost <= epsilon + 1e-9
        halved = better.largest_loss(lambda u, noise=noise: better.race(u, noise, 1 / epsilon), states)
        assert halved > epsilon + 1e-3  # half of the noise is not enough

    def law(u):
        return better.gap_law(u, "Laplace", 2 / epsilon, (0.0, 1.0, 3.0))

    assert better.largest_loss(law, states) <= epsilon + 1e-9


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1.0), (10, 0.5), (1000, 1.0)])
def test_one_choice_fails_no_more_often_than_promised(n, epsilon):
    for g in (2.0, 5.0, 12.0):
        exact = better.one_choice(g, n, epsilon)
        assert exact <= n / 2 * exp(-epsilon * g) + 1e-15
    assert better.one_choice(30.0, n, epsilon) > 0.9 * n / 2 * exp(-30.0 * epsilon)  # and it is sharp


@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (3.0, 3.0), (5.0, 1.5)])
def test_above_threshold_with_exponential_noise(a, b):
    values = np.array([[i, j] for i in range(-2, 3) for j in range(-2, 3)], dtype=float)
    lost = better.stream_loss(lambda v: better.runs(v, "exponential", a, b), values)
    assert lost == pytest.approx(1 / a + 2 / b, abs=1e-6)  # attained by two queries


@pytest.mark.parametrize(("k", "step", "delta"), [(1, 0.7, 0.01), (10, 0.3, 1e-4), (100, 0.1, 1e-6)])
def test_a_tie_is_randomised_response_with_half_of_the_parameter(k, step, delta):
    tied = wasted.lead_epsilon(np.full(k, step / 2), step, delta)
    assert tied == pytest.approx(optimal_epsilon(step / 2, k, delta), abs=1e-9)


def test_the_choices_worked_by_hand_lose_what_the_unit_says():
    assert optimal_delta(log(2), 2, log(3)) == pytest.approx(1 / 9)
    assert wasted.lead_epsilon(np.full(2, log(2)), log(4), 1 / 9) == pytest.approx(log(3))
    far = np.array([log(2**6)])  # ahead by six points, and by four on the other data set
    assert wasted.lead_epsilon(far, log(4), 0.0) == pytest.approx(log(65 / 17))
    assert wasted.lead_epsilon(far, log(4), 1 / 17) < log(2) / 2  # the rare loss no longer counts


@pytest.mark.parametrize("seed", range(5))
def test_losses_of_a_choice_lie_in_an_interval_of_length_epsilon(seed):
    rng, epsilon = np.random.default_rng(seed), 1.3
    scores = rng.normal(size=6)
    moved = scores + rng.uniform(-1, 1, 6)
    weights = np.exp(epsilon / 2 * np.array([scores, moved]))
    losses = np.log(np.divide(*(weights / weights.sum(axis=1, keepdims=True))))
    assert np.ptp(losses) <= epsilon
    assert np.abs(losses).max() <= epsilon


def test_labels_of_a_tie_have_a_share_of_the_mu_of_the_counts():
    a = [log(wasted.ndtr(1 / (2 * s)) / wasted.ndtr(-1 / (2 * s))) for s in (1.0, 10.0, 1000.0)]
    assert a[0] == pytest.approx(0.807, abs=1e-3)
    assert 1000 * a[2] == pytest.approx(sqrt(2 / pi), rel=1e-6)
    mu, n = 1.5, 40_000  # many labels: the curve of the smaller mu, not that of the counts
    few = optimal_delta(log(wasted.ndtr(mu / (2 * sqrt(n))) / wasted.ndtr(-mu / (2 * sqrt(n)))), n, 1.0)
    assert few == pytest.approx(float(gaussian_delta(1.0, mu * sqrt(2 / pi))), rel=1e-3)
    assert few < float(gaussian_delta(1.0, mu)) - 0.01


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_coin_and_the_bound_by_the_number_of_hypotheses(epsilon):
    for m in (2, 4, 8):
        rule = max(k / m * exp(-epsilon * k / 2) / 2 for k in range(0, m + 1, 2))
        assert optimal_learner(coin_problem(), m, epsilon).value == pytest.approx(rule, abs=1e-9)
        assert rule <= 1 / (exp(1) * m * epsilon)
    problem = thresholds_problem(2)
    worst = always_aerm_gap(exponential_law(problem, epsilon), problem, 4).value
    assert worst <= 2 * log(3) / (4 * epsilon)


@pytest.mark.parametrize(("n", "beta"), [(200, 0.5), (400, 0.05), (2000, 1e-4)])
def test_boosting_with_half_of_the_records(n, beta):
    a = int(np.ceil(log(2 / beta)))
    lam = log(2 * (a - 1) / beta)
    v, epsilon = n - a * (n // (2 * a)), 4 * sqrt(lam / n)
    excess = 2 * sqrt(lam / n)
    assert v >= n / 2
    assert a >= 2
    assert exp(-a) <= beta / 2
    # a - 1 rivals that are worse by the excess, each erring where the best one does not
    errors = np.arange(v + 1)
    one = binom.pmf(errors, v, (1 + min(1.0, excess)) / 2) @ expit(-epsilon / 2 * (2 * errors - v))
    assert (a - 1) * one <= beta / 2


@pytest.mark.parametrize(("m", "nu", "beta"), [(100, 0.0, 0.05), (100, 0.02, 0.05), (1000, 0.2, 1e-3)])
def test_few_points_have_a_low_margin(m, nu, beta):
    most = 2 * nu * m + log(1 / beta)
    assert binom.sf(np.ceil(most) - 1, m, nu) <= beta


def test_teachers_agree_where_the_margin_is_high():
    xi, m, beta = 1 / 6, 1000, 0.05
    K = int(np.ceil(2 / xi**2 * log(m / beta)))
    lost = binom.cdf(np.ceil((K + K * xi) / 2) - 1, K, 0.5 + xi)  # a lead below K xi
    assert m * lost <= beta
    few = K // 12
    assert m * binom.cdf(np.ceil((few + few * xi) / 2) - 1, few, 0.5 + xi) > beta


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_one_stage_and_two_stages_keep_their_bounds(epsilon):
    rng, m = np.random.default_rng(3), 50
    risks = rng.integers(0, m + 1, size=(comb(6, 2), 7)) / m
    supports, points = log(risks.shape[0]), log(risks.shape[1])
    one = sparse.expected_risk(risks, m, epsilon, None, 1.0)[0] - risks.min()
    two = sparse.expected_risk(risks, m, epsilon, 0.5, 1.0)[0] - risks.min()
    assert 0 < one <= 2 * (supports + points) / (epsilon * m)
    assert 0 < two <= 4 * (supports + points) / (epsilon * m)
    assert one < two


def test_the_worked_features_have_the_stated_chances():
    mistakes = np.array([[0, 4], [1, 3], [2, 2]]) / 4
    best = sparse.law_of(mistakes, 4, 4 * log(2), None, 1.0).pmf()[0]
    assert best == pytest.approx(256 / 357)
    staged = sparse.law_of(mistakes, 4, 4 * log(2), 0.5, 1.0).pmf()[0]
    assert staged == pytest.approx(64 / 119)
    assert 4 * sparse.expected_risk(mistakes, 4, 4 * log(2), None, 1.0)[0] == pytest.approx(144 / 357)
    assert 4 * sparse.expected_risk(mistakes, 4, 4 * log(2), 0.5, 1.0)[0] == pytest.approx(488 / 595)


def test_the_worked_buckets_are_hashed_and_found_with_the_stated_chance():
    buckets = [(2 * x + 1) % 7 % 3 for x in range(6)]
    assert [{x for x in range(6) if buckets[x] == j} for j in range(3)] == [{1, 3}, {0, 5}, {2, 4}]
    bought = [4] * 4 + [0] * 2 + [2, 3]
    wrong = [sum((buckets[x] == j) != (x == 4) for x in bought) for j in range(3)]
    assert wrong == [5, 6, 1]
    assert 2.0 ** -wrong[2] / sum(2.0**-k for k in wrong) == pytest.approx(32 / 35)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_drawn_list_costs_its_distance_and_the_logarithm_of_its_length(k):
    p, epsilon, instances = 7, 2.0, np.array([4, 4, 4, 0, 0, 2, 3, 5])  # labelled True at 4 only
    found = []
    for a in range(1, p):
        for b in range(p):
            bucket = (a * instances + b) % p % k
            wrong = np.array([((bucket == j) != (instances == 4)).sum() for j in range(k)])
            weights = np.exp(-epsilon * wrong / 2)
            found.append((wrong.min(), weights @ wrong / weights.sum()))
    best, drawn = np.mean(found, axis=0) / len(instances)
    assert best <= 1 / k
    assert best < drawn <= 1 / k + 2 * log(k) / (epsilon * len(instances))


@pytest.mark.parametrize(("n", "epsilon"), [(3, 2.0), (20, 1.0), (1000, 0.7)])
def test_proper_answers_err_on_a_quarter_up_to_the_stated_number_of_records(n, epsilon):
    m = 2 * int(log(n - 2) / epsilon)
    permitted = [(n - 2) / (exp(epsilon * k / 2) + n - 2) / 2 for k in (m, m + 2)]  # by the packing
    assert permitted[1] < 1 / 4 <= permitted[0]
    assert confident.exact_gap(300, 1.0, 0.01) <= sqrt(2 * log(1 / 0.01) / 300) + 1e-9


def worst_failure(s, m, epsilon, delta):
    """Largest probability of no answer or of s mistakes, over all data of three bits with a right cut."""
    worst = 0.0
    for x in combinations_with_replacement(range(8), m):
        for below in (k for k in range(m + 1) if k in (0, m) or x[k - 1] < x[k]):
            labels = [0] * below + [1] * (m - below)
            worst = max(worst, littlestone.cell_failure(list(x), labels, 3, epsilon, delta, s - 1, s))
    return worst


@pytest.mark.parametrize(("T", "m", "epsilon"), [(3, 3, 5.0), (3, 4, 4.0), (5, 5, 3.0)])
def test_a_cut_costs_no_more_than_the_simple_price(T, m, epsilon):
    s, delta = T + (T - 1) // 2, 1 / (m + 2)
    bound = 2 * 3 * exp(epsilon / 2) / delta * exp(-epsilon * T / 2)
    worst = worst_failure(s, m, epsilon, delta)
    assert worst <= bound < 1
    assert worst > bound * exp(-epsilon)  # with T + 2 in place of T the bound would be false


def test_the_simple_price_is_the_least_that_its_bound_permits():
    for bits, epsilon, delta, beta in ((8, 1.0, 1e-3, 0.05), (64, 0.5, 1e-6, 0.2), (4096, 2.0, 1e-9, 0.01)):
        t = littlestone.cells_price(bits, epsilon, delta, beta)
        T = 2 * t // 3 + 1
        assert T % 2 == 1
        assert T + (T - 1) // 2 == t + 1
        bound = [2 * bits * exp(epsilon / 2) / delta * exp(-epsilon * k / 2) for k in (T, T - 2)]
        assert bound[0] <= beta < bound[1]
        assert littlestone.price(bits, epsilon, delta, beta)[0] <= t  # the sharp theorem promises more


@pytest.mark.parametrize("e", [0.5, 0.2])
def test_the_bad_vote_is_the_infinite_ensemble_whatever_the_number_of_records(e):
    problem = voting_fails_example(True, e)
    table, masses = problem.hypotheses.predictions, problem.masses
    for n in (0, 1, 2, 7):
        p = teacher_law(*problem, n) @ table
        assert (p[1:4] <= 1 / 3 + 1e-12).all()
        assert ((p >= 0.5 - 1e-12) == table[3]).all()
    assert ~table @ masses == pytest.approx([e, e, e, 1.5 * e])
    assert all((rule != table[3])[1:4].any() for rule in table[:3])  # seen on x2, x3 and x4


def test_the_ring_of_arcs_is_twice_as_bad_for_the_vote():
    for a in (1, 3, 10):
        arcs = (np.arange(2 * a + 1) - np.arange(2 * a + 1)[:, None]) % (2 * a + 1) < a
        assert (arcs.mean(axis=0) < 0.5).all()  # so that the ensemble says 0 everywhere, error 1
        assert 1 / (~arcs).mean(axis=1) == pytest.approx((2 * a + 1) / (a + 1))


@pytest.mark.parametrize(("wrong", "astray"), [(50, False), (85, True)])
def test_a_student_of_few_wrong_labels_keeps_its_distance(wrong, astray):
    m, near, far, beta = 400, 0.1, 0.5, 0.05  # two rules that differ from the vote on disjoint sets
    bound = near + 2 * wrong / m + sqrt(2 * log(2 * 2 / beta) / m)
    assert (bound < far) != astray
    ahead = np.arange(m + 1)  # the points on which the far rule differs; the wrong labels favour it
    rest = binom.sf(np.maximum(ahead - 2 * wrong, 0) - 1, m - ahead, near / (1 - far))
    chosen = binom.pmf(ahead, m, far) @ rest
    assert (chosen <= beta) != astray


def test_the_worked_streams_have_the_stated_chances():
    mean = 1 / log(2)
    here = better.runs([0, 0], "exponential", mean, mean)[1]  # no, then yes
    there = better.runs([1, -1], "exponential", mean, mean)[1]
    assert here == pytest.approx(1 / 6)
    assert there == pytest.approx(1 / 48)


@pytest.mark.parametrize("x", [0.0, 2.0, 10.0])
def test_the_tails_of_a_comparison_are_the_stated_ones(x):
    # a single query that lies x below the threshold is answered yes if nu - rho is at least x
    assert better.runs([-x], "exponential", 1.0, 1.0)[0] == pytest.approx(exp(-x) / 2)
    assert better.runs([-x], "Laplace", 1.0, 1.0)[0] == pytest.approx((2 + x) / 4 * exp(-x))


def test_the_scores_of_the_first_yes_lead_by_twice_the_margin():
    for n, g in ((1, 1), (3, 1), (4, 2)):
        for v in product(range(-g - 1, g + 2), repeat=n):
            right = next((i for i, value in enumerate(v) if value > -g), n)
            if right < n and v[right] < g:
                continue  # no margin of g
            scores = [min(v[i], -max(v[:i], default=-99)) for i in range(n)] + [-max(v)]
            assert scores[right] - max(s for i, s in enumerate(scores) if i != right) >= 2 * g


@pytest.mark.parametrize("n_teachers", [3, 4, 7, 8])
def test_the_distance_of_a_vote_moves_by_one_and_vanishes_where_the_majority_changes(n_teachers):
    votes = (np.arange(n_teachers)[:, None] < np.arange(n_teachers + 1)).astype(int)  # 0 to all for 1
    distance = vote_distance(votes)
    ones = 2 * np.arange(n_teachers + 1) >= n_teachers  # a tie counts as 1
    assert (abs(np.diff(distance)) <= 1).all()
    changed = ones[1:] != ones[:-1]
    assert changed.sum() == 1
    assert (distance[1:][changed] == 0).all()
    assert (distance[:-1][changed] == 0).all()
    for v in range(n_teachers + 1):  # the radius is larger by 1 for a positive even lead of the label 1
        radius = min(abs(v - u) for u in range(n_teachers + 1) if ones[u] != ones[v]) - 1
        lead = 2 * v - n_teachers
        assert radius == distance[v] + (lead > 0 and lead % 2 == 0)


@pytest.mark.parametrize("a", [0.3, 1.0, 40.0])
def test_a_point_of_distance_zero_passes_no_more_often_than_promised(a):
    noise = Noise(a, 2 * a)
    for w in (0.0, a, 10 * a, 60 * a):
        promised = 2 / 3 * exp(-w / (2 * a))
        assert unstable.slip(w, noise) <= promised
    assert unstable.slip(60 * a, noise) > 0.999 * promised  # and it is sharp
    places = np.linspace(-40 * a, 40 * a, 200_001)
    for w in (-5 * a, -20 * a):  # below 0, where the closed form does not hold
        above = laplace.sf(w + places, scale=2 * a) @ laplace.pdf(places, scale=a) * (places[1] - places[0])
        assert above <= 2 / 3 * exp(-w / (2 * a))


def test_the_seven_teachers_are_answered_with_the_stated_chances():
    halving = laplace(scale=1 / log(2))
    before, after = (halving.sf(3 - np.array(d)) for d in ([3, 1, 0], [2, 0, 0]))
    assert before == pytest.approx([1 / 2, 1 / 8, 1 / 16])
    assert after == pytest.approx([1 / 4, 1 / 16, 1 / 16])


def test_the_seven_readings_leave_the_stated_cuts():
    cuts = np.arange(1, 9)
    for order, lies, asked, left in (
        ([4, 6, 2, 5, 7, 3], set(), [4, 6, 5], [5]),
        ([7, 4, 6, 2, 5, 3], {7}, [7], [8]),
    ):
        possible, questions = cuts, []
        for reading in order:
            says = reading >= possible  # ill
            if says.any() and not says.all():
                questions.append(reading)
                possible = possible[says == ((reading >= 5) != (reading in lies))]
        assert questions == asked
        assert possible.tolist() == left
    mistakes = {c: sum((r >= c) != ((r >= 5) != (r == 7)) for r in (7, 4, 6, 2, 5, 3)) for c in (5, 8)}
    assert mistakes == {5: 1, 8: 2}  # the passive learner is not misled


@pytest.mark.parametrize("beta", [0.3, 0.05])
def test_a_count_of_rare_events_stays_below_twice_its_bound_and_a_logarithm(beta):
    rng = np.random.default_rng(3)
    for chances in (rng.uniform(size=40), np.full(60, 0.02), np.r_[1.0, np.zeros(5)], np.ones(12)):
        law = np.ones(1)
        for q in chances:
            law = np.convolve(law, [1 - q, q])
        limit = 2 * (chances.sum() + log(1 / beta))
        assert law[np.arange(len(law)) >= limit].sum() <= beta
        assert 2.0 ** np.arange(len(law)) @ law <= exp(chances.sum()) + 1e-9  # the mean capital


@pytest.mark.parametrize(("epsilon", "m"), [(log(2), 4), (1.0, 2), (0.4, 6)])
def test_the_fair_coin_and_the_steepest_descent_are_the_best_rule_for_two_answers(epsilon, m):
    k = np.arange(0, m + 1, 2)
    claimed = (k / m * np.exp(-epsilon * k / 2) / 2).max()
    assert optimal_learner(coin_problem(), m, epsilon).value == pytest.approx(claimed, abs=1e-7)
    assert claimed <= 1 / (exp(1) * m * epsilon)
    if m == 4:  # the table
        losing = exponential_law(coin_problem(), epsilon)(np.array([[2, 2], [3, 1], [4, 0]]))[:, 1]
        assert losing == pytest.approx([1 / 2, 1 / 3, 1 / 5])


def votes_density(exponent, h):
    """Density on [-1, 1] that is proportional to exp(exponent h)."""
    return np.exp(exponent * h) * exponent / (2 * np.sinh(exponent))


def test_the_worked_votes_have_the_stated_ratios():
    h = np.linspace(-1, 1, 201)
    ratio = votes_density(1.0, h) / 0.5
    assert (round(ratio.min(), 2), round(ratio.max(), 2), round(1 / ratio.min(), 1)) == (0.31, 2.31, 3.2)
    jumped = votes_density(3.5, h) / votes_density(-3.5, h)  # a penalty chosen by the majority of three votes
    assert jumped.max() == pytest.approx(exp(7.0))
    assert 1090 < jumped.max() < 1105


def test_the_votes_keep_the_bounds_on_bad_draws():
    def bad(t):  # an excess above 2 t, that is, a weight below 1 - 8 t, for the density of exp(100 h)
        return (exp(-800 * t) - exp(-200)) / (1 - exp(-200))

    for t in (0.01, 1 / 40, 0.1, 0.2):
        assert bad(t) <= 2 / (4 * t) * exp(-400 * t)  # also the convex bound, as R = 1/2 and d = 1
    assert bad(1 / 40) == pytest.approx(exp(-20), rel=1e-6)


@pytest.mark.parametrize(("d", "tau", "beta"), [(1, 0.3, 0.1), (2, 0.2, 0.05), (3, 0.15, 0.3)])
def test_the_stated_records_make_bad_draws_of_a_cone_rare(d, tau, beta):
    epsilon, r = 0.5, np.linspace(0, 1, 200_001)[1:]

    def bad(m):  # for the loss |h| on the unit ball, whose oscillation is 1
        weights = r ** (d - 1) * np.exp(-epsilon * m / 2 * r)
        return weights[r > 2 * tau].sum() / weights.sum()

    m = int(np.ceil(2 / (epsilon * tau) * (d * log(1 / tau) + log(1 / beta))))
    assert bad(m) <= beta < bad(m // 4)


@pytest.mark.parametrize("epsilon", [0.3, log(3)])
def test_an_approximate_draw_has_the_stated_delta_and_can_attain_it(epsilon):
    rng, p = np.random.default_rng(2), exp(epsilon) / (1 + exp(epsilon))
    exact = np.array([[p, 1 - p, 0.0], [1 - p, p, 0.0]])
    for eta in (0.01, 1 - p):
        found = 0.0
        for _ in range(500):
            moved = exact.copy()
            for row in moved:
                gone = rng.dirichlet(np.ones(3)) * eta
                gone = np.minimum(gone, row)
                row += rng.permutation(np.eye(3)[0]) * gone.sum() - gone
            found = max(found, np.maximum(moved[0] - exp(epsilon) * moved[1], 0).sum())
        assert found <= (1 + exp(epsilon)) * eta + 1e-12
        worst = exact + eta * np.array([[1, -1, 0], [-1, 1, 0]])
        delta = np.maximum(worst[0] - exp(epsilon) * worst[1], 0).sum()
        assert delta == pytest.approx((1 + exp(epsilon)) * eta)


def _a_learner_of_two_records(seed, epsilon):
    """Laws of three outputs on two records of three kinds, their delta at epsilon, and a population."""
    rng = np.random.default_rng(seed)
    laws, p = rng.dirichlet(np.full(3, 4.0), size=(3, 3)), rng.dirichlet(np.ones(3))
    excess = np.maximum(laws[:, None] - exp(epsilon) * laws[None], 0).sum(axis=-1).max()  # the first record
    other = np.maximum(laws[:, :, None] - exp(epsilon) * laws[:, None], 0).sum(axis=-1).max()
    return laws, max(excess, other), p, rng


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_a_record_and_a_fresh_one_change_places(epsilon):
    """Any score f of an output and two records, and the gap of any published query on average."""
    for seed in range(20):
        laws, delta, p, rng = _a_learner_of_two_records(seed, epsilon)
        first, second = p[:, None, None, None], p[:, None, None]
        joint = first * second * laws[..., None] * p  # output and fresh record last
        f = rng.integers(0, 2, (3, 3, 3)).astype(float)  # output, record of the sample, fresh record
        before = np.einsum("abow,oaw->", joint, f)
        after = np.einsum("abow,owa->", joint, f)
        assert before <= exp(epsilon) * after + delta + 1e-12
        queries = rng.integers(0, 2, (3, 3)).astype(float)  # output, record
        sample = (np.einsum("abow,oa->", joint, queries) + np.einsum("abow,ob->", joint, queries)) / 2
        gap = sample - np.einsum("abow,ow->", joint, queries)
        assert abs(gap) <= exp(epsilon) - 1 + delta + 1e-12


def test_the_record_of_three_kinds_attains_the_exchange_and_the_gap():
    response = np.full((3, 3), 1 / 6) + np.eye(3) / 2  # of one record
    joint = response[:, :, None] / 9  # record, output, fresh record
    same = np.eye(3)
    first, second = same[:, :, None] * (1 - same), (1 - same)[:, :, None] * same
    assert (joint * first).sum() == pytest.approx(4 / 9)
    assert (joint * second).sum() == pytest.approx(1 / 9)  # exactly 1 / e^epsilon of it
    assert (joint * (first - second)).sum() == pytest.approx(tanh(log(4) / 4))


def test_an_output_has_no_more_nats_than_records_times_rho():
    for seed in range(20):
        laws, _, p, _ = _a_learner_of_two_records(seed, 0.0)
        weights = np.outer(p, p)
        mean = np.einsum("ab,abo->o", weights, laws)
        nats = (weights[..., None] * laws * np.log(laws / mean)).sum()
        first = (laws[:, None] * np.log(laws[:, None] / laws[None])).sum(axis=-1)
        second = (laws[:, :, None] * np.log(laws[:, :, None] / laws[:, None])).sum(axis=-1)
        assert 0 < nats <= 2 * max(first.max(), second.max())
    keep, other = 1e5 / (1e5 + 999), 1 / (1e5 + 999)  # randomised response with a thousand kinds
    nats = keep * log(1000 * keep) + 999 * other * log(1000 * other)
    rho = (keep - other) * log(1e5)
    assert rho / 2 < nats <= rho  # half of the bound would be wrong
    response = np.full((3, 3), 1 / 6) + np.eye(3) / 2
    assert (response[0] * np.log(3 * response[0])).sum() == pytest.approx(log(2) / 3)
    assert (response[0] * np.log(response[0] / response[1])).sum() == pytest.approx(log(4) / 2)


def test_two_candidates_are_confused_as_seldom_as_the_unit_says():
    errors = np.arange(201)
    better_one, worse_one = (binom.pmf(errors, 200, risk) for risk in (0.3, 0.5))
    ahead = errors[None, :] - errors[:, None]  # S, of the better row and the worse column
    joint = np.outer(better_one, worse_one)
    assert joint[ahead <= 0].sum() <= exp(-4)
    assert (joint * expit(-0.4 / 2 * ahead)).sum() <= exp(-4)  # epsilon = 2/5
    assert (joint * expit(-0.02 / 2 * ahead)).sum() > exp(-4)  # with more privacy it is not free


def test_two_people_of_the_registry_err_by_seven_in_twenty_four():
    x = np.linspace(0, 0.5, 100_001)
    missed = (1 - x) ** 2  # nobody has a reading within x below the threshold one half
    assert np.trapezoid(missed, x) == pytest.approx(7 / 24, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.2, log(2), 2.0])
def test_a_rate_for_every_delta(epsilon):
    for delta in (1e-12, 1e-4, 0.01, 0.3, 1.0):
        d = 0
        while small.group_delta(d + 2, epsilon, delta) <= 0.5:
            d += 2
        for m in (max(d, 2), d + 1, 10 * d + 2):
            found = thresholds_excess_risk(inf, m, epsilon, delta=delta)
            assert found >= d / (4 * m) - 1e-12
            simple = log((exp(epsilon) - 1) / (2 * delta)) / (4 * epsilon * m) - 1 / (2 * m)
            assert d / (4 * m) >= simple - 1e-12


def test_the_share_of_errors_stays_where_delta_is_exponentially_small():
    for m, d in ((100, 46), (1000, 496)):
        assert 16 * (2**d - 1) < 2 ** (m // 2)
        assert small.group_delta(d, log(2), 2.0 ** (-m / 2)) == pytest.approx(1 / 16)
        assert thresholds_excess_risk(inf, m, log(2), delta=2.0 ** (-m / 2)) > d / (2 * m) * 0.9374 > 1 / 5


def test_a_hundred_records_on_a_grid():
    assert thresholds_excess_risk(2**20 + 1, 100, log(2)) >= 1 / 20
    assert packing_excess_risk(2**20 + 1, 20, log(2), loss=1 / 10) == pytest.approx(1 / 20)
    assert packing_excess_risk(2**20 + 1, 100, log(2)) < 1e-20
