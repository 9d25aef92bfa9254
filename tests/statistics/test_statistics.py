"""First statistics: exact losses over all neighbours, and exact coverage of the intervals."""

import datetime
import warnings
from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import mpmath
import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp

from privml.adjacency import Adjacency, neighbouring_datasets
from privml.guarantee import Guarantee
from privml.mechanisms import ExponentialMechanism
from privml.statistics import (
    PrivateCount,
    PrivateHistogram,
    PrivateMean,
    PrivateQuantile,
    PrivateRunningCounts,
    PrivateSum,
)
from privml.statistics.numbers import HALF_STEPS
from tests.refusals import refused

REPLACE, ADD = Adjacency
RELATIONS = pytest.mark.parametrize("adjacency", Adjacency, ids=str)
EPSILONS = pytest.mark.parametrize("epsilon", [1e-3, 0.7, 5.0])
CELLS = {"categories": ("a", "b", "c")}


def largest_loss(loss, universe, n_samples, adjacency):
    """Largest loss over all neighbours with up to so many records."""
    losses = [0.0]
    for size in range(1, n_samples + 1):
        first, second, pairs = neighbouring_datasets(
            universe, size, adjacency=adjacency
        )
        losses += [loss(universe[first[i]], universe[second[j]]) for i, j in pairs]
    return max(losses)


def integer_loss(statistic):
    """From two data sets to the largest loss of integer noise: by its heaviest difference, beyond both."""

    def loss(one, other):
        laws = [
            getattr(law, "marginals", law)
            for law in map(statistic.output_distribution, (one, other))
        ]
        moved = np.abs(
            np.subtract(*(np.atleast_1d(law.location) for law in laws))
        ).sum()
        return float(moved / laws[0].scale)

    return loss


def choice_loss(statistic):
    def loss(one, other):
        pairs = zip(*map(statistic.output_distribution, (one, other)), strict=True)
        return sum(np.abs(p.logpmf() - q.logpmf()).max() for p, q in pairs)

    return loss


@RELATIONS
@EPSILONS
@pytest.mark.parametrize(
    ("make", "universe"),
    [
        (
            lambda **kw: PrivateHistogram(**CELLS, **kw),
            np.array(["a", "b", "c", "other"], dtype=object),
        ),
        (
            lambda **kw: PrivateHistogram(edges=[0, 1, 2], **kw),
            np.array([-1.0, 0.5, 2.0, np.nan]),
        ),
        (
            lambda **kw: PrivateHistogram(edges=np.linspace(0, 2, 3), **kw),
            np.array([-1.0, 0.5, 2.0, np.nan]),
        ),
        (
            lambda **kw: PrivateHistogram(categories=["a"], **kw),
            np.array(["a", "b"], dtype=object),
        ),
        (PrivateCount, np.array([0.0, 1.0, 7.0, np.nan])),
        (
            lambda **kw: PrivateSum(bounds=(-1, 3), **kw),
            np.array([-5.0, -1.0, 0.0, 0.3, 3.0, np.inf, np.nan]),
        ),
        (
            lambda **kw: PrivateMean(bounds=(-1, 3), **kw),
            np.array([-5.0, -1.0, 0.3, 3.0, np.inf, np.nan]),
        ),
    ],
    ids=["categories", "edges", "array", "one cell", "count", "sum", "mean"],
)
def test_integer_noise_spends_all_of_its_epsilon_and_no_more(
    make, universe, epsilon, adjacency
):
    statistic = make(epsilon=epsilon, adjacency=adjacency)
    exact = largest_loss(integer_loss(statistic), universe, 2, adjacency)
    assert exact == pytest.approx(epsilon, rel=1e-12)
    released, draw = (
        statistic.release(universe, rng=3),
        statistic.output_distribution(universe).rvs(rng=3),
    )
    assert (
        released.guarantee
        == statistic.guarantee
        == Guarantee(epsilon, adjacency=adjacency)
    )
    if isinstance(statistic, PrivateSum):  # of steps of 2 / s around 1, or of 3 / s
        middle, half = (0, 3) if adjacency is ADD else (len(universe), 2)
        draw = middle + half * draw / HALF_STEPS
    if isinstance(statistic, PrivateMean):  # on [-1, 3]
        size = (
            max(HALF_STEPS, draw[1]) if adjacency is ADD else len(universe) * HALF_STEPS
        )
        draw = 1 + 2 * np.clip(draw[0] / size, -1, 1)
    assert released.value == pytest.approx(draw)


@RELATIONS
@EPSILONS
@pytest.mark.parametrize(("q", "beta"), [(0.5, None), (0.2, 0.1), (1.0, 0.1)])
def test_a_quantile_loses_no_more_than_it_promises(q, beta, epsilon, adjacency):
    universe = np.array([0.0, 1.0, 2.4, np.nan, 50.0])
    statistic = PrivateQuantile(
        q=q, options=[0, 1, 2, 3], epsilon=epsilon, beta=beta, adjacency=adjacency
    )
    exact = largest_loss(choice_loss(statistic), universe, 3, adjacency)
    assert 0.3 * epsilon < exact <= epsilon * (1 + 1e-12)
    assert statistic.release(universe, rng=0).guarantee == Guarantee(
        epsilon, adjacency=adjacency
    )
    choices = statistic.output_distribution(universe)
    step = ExponentialMechanism(
        epsilon=epsilon / len(choices), sensitivity=statistic._sensitivity
    )
    rank = q * len(universe)
    scores = -np.maximum(
        0, np.maximum(np.array([0, 2, 3, 4]) - rank, rank - np.array([2, 3, 4, 5]))
    )
    assert choices[0].logpmf() == pytest.approx(
        step.output_distribution(scores).logpmf(), rel=1e-12
    )


def noise_beyond(law, reach):
    return 1 - np.exp(logsumexp(law.logpmf(np.arange(-reach, reach + 1))))


@RELATIONS
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("beta", [0.3, 0.05, 1e-4])
def test_counts_lie_in_their_intervals_as_often_as_promised(epsilon, beta, adjacency):
    count = PrivateCount(epsilon=epsilon, beta=beta, adjacency=adjacency)
    released = count.release([1, 0, 1], rng=0)
    reach, law = released.upper - released.value, count.output_distribution([])
    assert (
        noise_beyond(law, reach)
        <= beta
        < (noise_beyond(law, reach - 1) if reach else 1)
    )
    cells = PrivateHistogram(**CELLS, epsilon=epsilon, beta=beta, adjacency=adjacency)
    released = cells.release(["a", "b"], rng=0)
    reach, law = (
        released.upper[0] - released.value[0],
        cells.output_distribution([]).marginals,
    )
    assert 1 - (1 - noise_beyond(type(law)(0, scale=law.scale), reach)) ** 3 <= beta


def draws_covered(mean, records, truth, noises):
    """How many of the given noises, in whole steps, leave the truth in the interval."""
    law = mean.output_distribution(records)
    covered = []
    for noise in noises:
        drawn = law.marginals.location + np.array(noise)
        fixed = SimpleNamespace(
            marginals=law.marginals, rvs=lambda rng, drawn=drawn: drawn
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                PrivateMean, "output_distribution", lambda *_, fixed=fixed: fixed
            )
            released = mean.release(records)
        covered.append(released.lower <= truth <= released.upper)
    return np.array(covered)


@RELATIONS
@pytest.mark.parametrize("beta", [0.5, 0.05])
@pytest.mark.parametrize(
    "records", [[2.0], [0.0, 4.0, 4.0], [9.0] * 5, [0.1, np.nan, 1.7, -3.0]]
)
def test_the_interval_of_a_mean_holds_for_every_noise_within_reach(
    records, beta, adjacency
):
    mean = PrivateMean(bounds=(0, 4), epsilon=1.5, beta=beta, adjacency=adjacency)
    truth = np.clip(np.nan_to_num(records), 0, 4).mean()
    law = mean.output_distribution(records).marginals
    alone = 1 if adjacency is REPLACE else 2
    each = 1 - (1 - beta) ** (1 / alone)
    alike = type(law)(0, scale=law.scale)
    reach = bisect_left(range(2**40), True, key=lambda t: bool(2 * alike.sf(t) <= each))
    sides = list(product((-reach, -reach // 3, 0, reach // 2, reach), repeat=alone))
    assert draws_covered(mean, records, truth, sides).all()
    if adjacency is REPLACE and 0 < truth < 4:
        assert not draws_covered(
            mean, records, truth, [(2 * reach,), (-2 * reach,)]
        ).any()


@RELATIONS
@pytest.mark.parametrize("beta", [0.5, 0.05])
@pytest.mark.parametrize("bounds", [(0, 4), (-3, 1), (10, 11), (-2e9, 1e-9)])
def test_the_interval_of_a_sum_is_that_of_its_noise_and_of_rounding(
    bounds, beta, adjacency
):
    """Against exact sums of clipped values, or of those that were rounded to steps."""
    form = PrivateSum(bounds=bounds, epsilon=1.5, beta=beta, adjacency=adjacency)
    rng = np.random.default_rng(0)
    low, high = map(Fraction, bounds)
    for size in (0, 1, 30):
        records = rng.uniform(bounds[0] - 1, bounds[1] + 1, size)
        exact = [min(max(Fraction(x), low), high) for x in records]
        law, step = form.output_distribution(records), (high - low) / 2 / HALF_STEPS
        if adjacency is ADD:
            step = max(abs(low), abs(high)) / HALF_STEPS
            exact = [round(x / step) * step for x in exact]
        noise = type(law)(0, scale=law.scale)
        reach = bisect_left(
            range(2**40), True, key=lambda t, n=noise: bool(2 * n.sf(t) <= beta)
        )
        middle = (low + high) / 2 * size if adjacency is REPLACE else 0
        for seed in range(5):
            released = form.release(records, rng=seed)
            drawn = int(law.rvs(rng=seed)) - int(law.location)
            assert released.value == pytest.approx(
                float(middle + (int(law.location) + drawn) * step), rel=1e-12
            )
            covered = released.lower <= sum(exact) <= released.upper
            if abs(drawn) <= reach:
                assert covered
            width = Fraction(released.upper) - Fraction(released.lower)
            rounding = step * size if adjacency is REPLACE else 0
            assert float(width) == pytest.approx(
                float(2 * reach * step + rounding), rel=1e-6
            )
            if adjacency is ADD and abs(drawn) > reach + 1:
                assert not covered


def test_a_sum_under_replace_one_is_the_mean_times_the_number_of_records():
    records, public = np.linspace(-1, 5, 40), {"bounds": (0, 4), "epsilon": 0.7}
    total = PrivateSum(**public).release(records, rng=4)
    mean = PrivateMean(**public).release(records, rng=4)
    for name in ("value", "lower", "upper"):
        assert getattr(total, name) == pytest.approx(40 * getattr(mean, name))
    assert str(PrivateSum(bounds=(-1e250, 1e250), epsilon=1e-6).release(records, rng=0))
    far = PrivateSum(bounds=(0, 1), epsilon=1.0, adjacency=ADD).release([], rng=1)
    assert far.lower <= 0 <= far.upper


def test_a_quantile_has_an_interval_unless_none_is_asked_for():
    records, public = np.arange(101.0), {"q": 0.5, "options": range(101)}
    found = PrivateQuantile(**public, epsilon=5.0).release(records, rng=0)
    assert found.coverage == 0.95
    assert found.lower < 50 < found.upper
    alone = PrivateQuantile(**public, epsilon=5.0, beta=None).release(records, rng=0)
    assert (alone.lower, alone.upper, alone.coverage) == (None, None, None)


def test_the_value_of_a_quantile_lies_in_its_interval_which_is_never_empty():
    form = PrivateQuantile(q=0.5, options=range(9), epsilon=0.1, beta=0.9)
    kinds = set()
    for seed in range(300):
        released = form.release([4.0] * 5, rng=seed)
        rng = np.random.default_rng(seed)
        value, low, high = (
            int(law.rvs(rng=rng)) for law in form.output_distribution([4.0] * 5)
        )
        low, high = max(0, low - 1), min(high, 8)
        assert released.lower == min(low, high)
        assert released.upper == max(low, high)
        assert released.lower <= released.value <= released.upper
        if min(low, high) <= value <= max(low, high):
            assert released.value == value
        kinds.add((low > high, min(low, high) <= value <= max(low, high)))
    assert len(kinds) == 4


def test_the_interval_for_a_population_is_hoeffdings_and_that_of_the_noise():
    records = [0.0, 1.0] * 500
    sample = PrivateMean(bounds=(0, 1), epsilon=1e3, beta=0.1).release(records, rng=0)
    population = PrivateMean(
        bounds=(0, 1), epsilon=1e3, beta=0.1, sampling=True
    ).release(records, rng=0)
    half = (population.upper - population.lower - (sample.upper - sample.lower)) / 2
    assert half == pytest.approx(np.sqrt(np.log(40) / 2000), rel=0.01)


def population_share(epsilon, adjacency, seed):
    """Half the width that sampling adds, where the noise has the other half of beta in both."""
    options = {"bounds": (0, 1), "epsilon": epsilon, "adjacency": adjacency}
    records = [0.0, 1.0] * 500
    sample = PrivateMean(beta=0.05, **options).release(records, rng=seed)
    both = PrivateMean(beta=0.1, sampling=True, **options).release(records, rng=seed)
    assert 0 < both.lower < both.upper < 1
    return (both.upper - both.lower - (sample.upper - sample.lower)) / 2


def test_noise_and_sampling_have_half_of_the_failure_probability_each():
    hoeffding = np.sqrt(np.log(40) / 2000)
    assert population_share(0.1, REPLACE, 0) == pytest.approx(hoeffding, rel=1e-3)


def test_a_secret_number_of_records_counts_as_the_least_it_may_be_for_a_population():
    """About 1000 records, known up to 86: Hoeffding's bound for the fewest, 4.7 % more."""
    shares = [population_share(0.1, ADD, seed) for seed in range(20)]
    assert np.mean(shares) == pytest.approx(
        np.sqrt(np.log(40) / 2000 / (1 - 0.086)), rel=0.02
    )


@RELATIONS
@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.3, 6.0, 60.0])
def test_the_interval_of_a_quantile_holds_as_often_as_promised(q, epsilon, adjacency):
    options, beta = [0.0, 1.0, 2.0, 5.0], 0.2
    statistic = PrivateQuantile(
        q=q, options=options, epsilon=epsilon, beta=beta, adjacency=adjacency
    )
    for records in (
        [0.0],
        [0.0, 1.0, 1.0, 5.0] * 3,
        [5.0] * 7,
        [0.0] * 9 + [2.0],
        np.repeat(options, 25),
    ):
        rank, sorted_ = q * len(records), np.sort(records)
        below, upto = (
            np.searchsorted(sorted_, options, side=side) for side in ("left", "right")
        )
        true = [
            y for y, b, a in zip(options, below, upto, strict=True) if b <= rank <= a
        ]
        _, low, high = statistic.output_distribution(records)
        lower = np.array([options[0], *options])
        upper = np.array([*options, options[-1]])
        assert low.pmf()[lower > min(true)].sum() <= beta / 2
        assert high.pmf()[upper < max(true)].sum() <= beta / 2


@RELATIONS
@pytest.mark.parametrize("q", [0.2, 0.5])
def test_the_choices_of_a_quantile_are_those_of_the_scores_as_documented(q, adjacency):
    """The ends aim at ranks a gap below and above, each with an outcome beyond the options."""
    options, beta, epsilon = [0.0, 1.0, 2.0, 5.0], 0.2, 3.0
    statistic = PrivateQuantile(
        q=q, options=options, epsilon=epsilon, beta=beta, adjacency=adjacency
    )
    below, upto = np.array([0, 30, 60, 80]), np.array([30, 60, 80, 100])
    records = np.repeat(options, upto - below)
    sensitivity = 1.0 if adjacency is REPLACE else max(q, 1 - q)
    gap = 2 * sensitivity / (epsilon / 3) * np.log(5 / (beta / 2))

    def scores(rank, below, upto):
        return -np.maximum(0.0, np.maximum(below - rank, rank - upto))

    rank = q * 100
    wanted = [
        scores(rank, below, upto),
        scores(rank - gap, np.append(0, below), np.append(0, upto)),
        scores(rank + gap, np.append(below, 100), np.append(upto, 100)),
    ]
    mechanism = ExponentialMechanism(
        epsilon=epsilon / 3, sensitivity=sensitivity, adjacency=adjacency
    )
    for law, utilities in zip(
        statistic.output_distribution(records), wanted, strict=True
    ):
        exact = mechanism.output_distribution(utilities)
        np.testing.assert_allclose(law.pmf(), exact.pmf(), rtol=1e-9)


def test_the_ends_of_a_sharp_interval_are_the_quantile_itself():
    options = [1.0, 2.0, 3.0]
    found = PrivateQuantile(q=0.5, options=options, epsilon=1e4, beta=0.1).release(
        options, rng=0
    )
    assert (found.lower, found.value, found.upper) == (2.0, 2.0, 2.0)
    all_low = PrivateQuantile(q=0.0, options=options, epsilon=1e4, beta=0.1)
    assert all_low.release(options, rng=0).lower == 1.0


def test_many_records_give_a_narrow_interval_around_the_median():
    ages = np.repeat(np.arange(18, 91), 40)
    released = PrivateQuantile(
        q=0.5, options=range(18, 91), epsilon=2.0, beta=0.1
    ).release(ages, rng=0)
    assert 52 <= released.lower <= released.value <= released.upper <= 56


def test_the_grid_of_a_mean_is_exact_at_its_ends():
    mean = PrivateMean(bounds=(-1e300, 1e300), epsilon=1.0)
    assert (
        mean.output_distribution([-np.inf, np.inf, 1e300, np.nan]).marginals.location[0]
        == 0
    )
    assert mean.output_distribution([1e300] * 3).marginals.location[0] == 3 * HALF_STEPS


test_bad_public_parameters_are_refused_by_name = refused(
    (
        lambda: PrivateHistogram(epsilon=1.0),
        "categories or edges must be given, and only one of them",
    ),
    (lambda: PrivateHistogram(categories=["a", "a"], epsilon=1.0), "distinct"),
    (lambda: PrivateHistogram(categories=[None, np.nan], epsilon=1.0), "distinct"),
    (lambda: PrivateHistogram(edges=[1, 0], epsilon=1.0), "increasing"),
    (lambda: PrivateHistogram(edges=[], epsilon=1.0), "edges must be a non-empty"),
    (lambda: PrivateMean(bounds=(1, 1), epsilon=1.0), "increasing"),
    (lambda: PrivateMean(bounds=(0, np.nan), epsilon=1.0), "bounds"),
    (
        lambda: PrivateMean(bounds=(0, 1), epsilon=1.0).release([]),
        "at least one record",
    ),
    (lambda: PrivateSum(bounds=(1, 0), epsilon=1.0), "bounds must be"),
    (lambda: PrivateSum(bounds=(0, 1e260), epsilon=1.0), "bounds must be at most"),
    (lambda: PrivateSum(bounds=(0, 1), epsilon=1.0, beta=1.0), "beta"),
    (lambda: PrivateQuantile(q=1.1, options=[0, 1], epsilon=1.0), "q must be"),
    (lambda: PrivateQuantile(q=0.1, options=[1, 0], epsilon=1.0), "increasing"),
    (lambda: PrivateCount(epsilon=np.nan), "epsilon"),
    (lambda: PrivateCount(epsilon=1.0, beta=0.0), "beta"),
)


OF_ONE_COLUMN = [
    PrivateCount(epsilon=1.0),
    PrivateHistogram(categories=[0, 1], epsilon=1.0),
    PrivateHistogram(edges=[0, 1, 2], epsilon=1.0),
    PrivateRunningCounts(edges=[0, 1, 2], epsilon=1.0),
    PrivateSum(bounds=(0, 1), epsilon=1.0),
    PrivateMean(bounds=(0, 1), epsilon=1.0),
    PrivateQuantile(q=0.5, options=[0, 1], epsilon=1.0),
]


@pytest.mark.parametrize(
    "statistic", OF_ONE_COLUMN, ids=lambda each: type(each).__name__
)
def test_a_table_of_several_columns_is_refused_and_a_column_is_taken(statistic):
    """A replaced row would change several of the values that a flattened table holds."""
    bits = np.array([0, 1, 1, 0, 1])
    for table in (
        np.column_stack([bits] * 3),
        pd.DataFrame({"a": bits, "b": bits}),
        bits[None, :],
    ):
        with pytest.raises(
            ValueError,
            match="records must hold one value for each record, but got [235] columns. Release each",
        ):
            statistic.release(table, rng=0)
    answers = [
        statistic.release(shown, rng=0)
        for shown in (bits, bits[:, None], pd.DataFrame({"a": bits}))
    ]
    assert len({str(answer) for answer in answers}) == 1


@pytest.mark.parametrize(
    "statistic", OF_ONE_COLUMN, ids=lambda each: type(each).__name__
)
@pytest.mark.parametrize(
    "one", [1500, 0.5, True, "yes", np.int64(3), np.array(1.0), None, {1, 2}]
)
def test_one_number_is_no_data_set(statistic, one):
    with pytest.raises(
        ValueError,
        match="records must hold one value for each record, but got a single",
    ):
        statistic.release(one, rng=0)


def test_a_column_of_strings_is_refused_by_the_dtype_and_never_by_a_record():
    strings = (
        pd.Series(["yes", "no"]),
        pd.Series(["1"], dtype="string"),
        pd.DataFrame({"a": ["1", "0"]}),
    )
    strings += pd.Series(["yes", None], dtype="category"), pd.Categorical(["1", "0"])
    for records in (*strings, np.array(["yes", "no"]), np.array([b"1"])):
        for statistic in OF_ONE_COLUMN[2:]:
            with pytest.raises(
                ValueError,
                match=r"numeric dtype, but got .*\. Count words with PrivateHistogram",
            ):
                statistic.release(records, rng=0)
    for records in (
        ["yes", "1", 1, 0, None, np.nan],
        ["1", "2"],
        pd.Series(["1", 1, 0], dtype=object),
    ):
        assert OF_ONE_COLUMN[0].output_distribution(records).location == 2


def test_strings_are_counted_alike_in_a_list_and_in_a_column():
    words = ["yes", "no", "1", "0", "nan", "2.5"]
    columns = np.array(words), pd.Series(words), pd.Series(words, dtype="string")
    columns += pd.Categorical(words), pd.DataFrame({"a": words}), words
    for records in columns:
        assert OF_ONE_COLUMN[0].output_distribution(records).location == 2


@pytest.mark.parametrize("entry", [[1, 1, 1], (1, 1), [[1]], np.ones(3)])
def test_an_entry_of_a_list_that_holds_several_values_is_one_record(entry):
    """Under replace-one it may change a count by 1, and the number of records not at all."""
    held, replaced = [entry] * 4, [*[entry] * 3, 1]
    counts = [
        PrivateCount(epsilon=1.0).output_distribution(data).location
        for data in (held, replaced)
    ]
    assert abs(counts[0] - counts[1]) <= 1
    for data in (held, replaced):
        total = PrivateMean(
            bounds=(0, 1), epsilon=1.0, adjacency=Adjacency.ADD_OR_REMOVE_ONE
        )
        assert total.output_distribution(data).marginals.location[1] == 4 * HALF_STEPS


def test_records_of_a_kind_that_no_category_has_are_refused_by_their_dtype_alone():
    words, numbers = (
        PrivateHistogram(categories=each, epsilon=1.0) for each in (["1", "2"], [1, 2])
    )
    with pytest.raises(
        ValueError, match="got numbers. To count numbers in intervals, use edges"
    ):
        words.release(np.array([1, 2]), rng=0)
    with pytest.raises(
        ValueError, match="same type as the categories, but got strings"
    ):
        numbers.release(np.array(["1", "2"]), rng=0)
    for dtype in "str", "string", "category":
        with pytest.raises(
            ValueError, match="same type as the categories, but got strings"
        ):
            numbers.release(pd.Series(["1", None], dtype=dtype), rng=0)
        assert words.release(pd.Series(["1", None], dtype=dtype), rng=0).value.size == 2
    with pytest.raises(ValueError, match="got numbers"):
        PrivateHistogram(categories=["1", None], epsilon=1.0).release(
            np.array([1, 2]), rng=0
        )
    for records in (
        np.array([1, "2"], dtype=object),
        [1, 2],
        pd.Series(["1", None], dtype=object),
    ):
        assert all(
            each.release(records, rng=0).value.size == 2 for each in (words, numbers)
        )


GAPS = None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT


@pytest.mark.parametrize("gap", GAPS, ids=type)
@pytest.mark.parametrize(
    "dtype", ["float", "Int64", "str", "string", "category", "M8[ns]", object, list]
)
def test_a_gap_of_any_kind_is_the_category_of_all_gaps_of_every_kind_of_column(
    dtype, gap
):
    column = pd.Series(["2024", None, np.nan, "2025"]).astype(
        {"Int64": float}.get(dtype, object)
    )
    records, n_gaps = (
        ([*GAPS, "a", [1]], 6) if dtype is list else (column.astype(dtype), 2)
    )
    law = PrivateHistogram(categories=[gap], epsilon=1.0).output_distribution(records)
    assert law.marginals.location.tolist() == [n_gaps]


class Odd:
    """A record that cannot even be asked whether it is a category."""

    def __hash__(self):
        raise RuntimeError("secret")


class Unlike:
    __hash__ = "tea".__hash__

    def __eq__(self, other):
        raise RuntimeError("secret")


ODD = np.timedelta64(3), Odd(), Unlike(), Decimal("sNaN"), 10**5000, pd.NA, [1], 1j


@pytest.mark.parametrize("odd", ODD, ids=type)
def test_a_record_that_cannot_be_hashed_or_compared_is_in_no_category_and_raises_nothing(
    odd,
):
    """Numpy raises a ValueError for one of its time steps, and an object of anybody what it likes."""
    histogram = PrivateHistogram(categories=["tea", 3], epsilon=1.0)
    with warnings.catch_warnings(action="error"):
        for records in (["tea", 3, odd], pd.Series(["tea", 3, odd], dtype=object)):
            assert histogram.output_distribution(
                records
            ).marginals.location.tolist() == [1, 1]


DAYS = ["2020-01-01", "2020-01-02T12:30"]
MOMENTS = {
    "seconds": [np.datetime64(day, "s") for day in DAYS],
    "nanoseconds": np.array(DAYS, dtype="datetime64[ns]"),
    "minutes": np.array(DAYS, dtype="datetime64[m]"),
    "series": pd.Series(pd.to_datetime(DAYS, format="ISO8601")),
    "objects": pd.Series(pd.to_datetime(DAYS, format="ISO8601")).astype(object),
    "stamps": [pd.Timestamp(day) for day in DAYS],
    "python": [datetime.datetime.fromisoformat(day) for day in DAYS],
    "index": pd.DatetimeIndex(DAYS),
}
SPANS = {
    "nanoseconds": np.array([1, 90], dtype="m8[s]").astype("m8[ns]"),
    "seconds": [np.timedelta64(1, "s"), np.timedelta64(90, "s")],
    "python": [datetime.timedelta(seconds=1), datetime.timedelta(seconds=90)],
    "series": pd.Series(pd.to_timedelta([1, 90], unit="s")),
}


def true_counts(categories, records):
    form = PrivateHistogram(categories=categories, epsilon=1.0)
    return form.output_distribution(records).marginals.location.tolist()


@pytest.mark.parametrize("table", [MOMENTS, SPANS], ids=["moments", "durations"])
def test_moments_are_counted_whatever_their_type_and_unit(table):
    for categories, records in product(table.values(), table.values()):
        made = records.iloc if hasattr(records, "iloc") else records
        twice = [made[0], made[1], made[1]]
        assert true_counts(categories, records) == [1, 1]
        assert true_counts(categories, twice) == [1, 2]
        assert true_counts([*categories, "other"], records) == [1, 1, 0]
    late = np.array(["9999-12-31T23:59", "NaT", "-5000-01-01"], dtype="M8[s]")
    assert true_counts([*late], late) == [1, 1, 1]
    assert true_counts([None, *late[::2]], list(late)) == [1, 1, 1]


ZONED = pd.Series(pd.to_datetime(DAYS, format="ISO8601")).dt.tz_localize("UTC")
COLUMNS = {
    "numbers": np.array([1.0, 2.0]),
    "words": np.array(["a", "b"]),
    "bytes": np.array([b"a", b"b"]),
    "moments": MOMENTS["nanoseconds"],
    "zoned": ZONED,
    "durations": SPANS["nanoseconds"],
    "periods": pd.Series(pd.period_range("2020-01", periods=2, freq="M")),
    "intervals": pd.Series(pd.interval_range(0, 2)),
    "truths": np.array([True, False]),
}


def test_a_column_that_can_equal_no_category_is_refused_by_its_dtype():
    for (one, categories), (other, records) in product(
        COLUMNS.items(), COLUMNS.items()
    ):
        form = PrivateHistogram(categories=list(categories), epsilon=1.0)
        alike = one == other or {one, other} == {"numbers", "truths"}
        if alike:
            assert form.release(records, rng=0)
            assert sum(true_counts(list(categories), records)) >= 1
        else:
            with pytest.raises(
                ValueError, match="the same type as the categories, but got"
            ):
                form.release(records, rng=0)
        form.release(list(records), rng=0)  # a list has no dtype, and no record raises


@RELATIONS
@pytest.mark.parametrize(
    "bounds",
    [(1e9, 1e9 + 1e-6), (1e15, 1e15 + 1), (-1e9 - 1e-6, -1e9), (0.1, 0.1 + 1e-15)],
)
def test_the_interval_of_a_mean_holds_for_narrow_bounds_far_from_zero(
    bounds, adjacency
):
    """Against the exact mean; what is stored and printed was rounded to the nearest float."""
    low, high = bounds
    missed = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        records = np.clip(rng.uniform(low, high, 20), low, high)
        form = PrivateMean(bounds=bounds, epsilon=50.0, beta=0.01, adjacency=adjacency)
        released, truth = (
            form.release(records, rng=seed),
            sum(map(Fraction, records)) / 20,
        )
        missed += not Fraction(released.lower) <= truth <= Fraction(released.upper)
        assert low <= released.lower <= released.upper <= high
        shown = str(released).partition("[")[2].partition("]")[0].split(", ")
        assert float(shown[0]) <= released.lower <= released.upper <= float(shown[1])
    assert missed <= 3


@pytest.mark.parametrize("beta", [1e-17, 1e-300, 1e-310, 1e-16, 0.1, 0.3, 0.05, 0.7])
def test_no_coverage_is_above_what_holds(beta):
    forms = (
        (PrivateCount(epsilon=1.0, beta=beta), [1, 0]),
        (PrivateHistogram(categories=["a"], epsilon=1.0, beta=beta), ["a"]),
        (PrivateMean(bounds=(0, 1), epsilon=1.0, beta=beta), [0.5]),
        (PrivateMean(bounds=(0, 1), epsilon=1.0, beta=beta, sampling=True), [0.5]),
        (PrivateQuantile(q=0.5, options=[0, 1], epsilon=1.0, beta=beta), [0.5]),
    )
    for form, records in forms:
        released = form.release(records, rng=0)
        assert released.coverage < 1
        assert released.coverage == pytest.approx(1 - beta)
        assert "with probability 1;" not in str(released)
        if beta < 1e-15:
            assert "with probability 0.999999;" in str(released)
    count = PrivateCount(epsilon=0.5, beta=beta)
    released = count.release([1], rng=0)
    reach = released.upper - released.value
    decay = Fraction(np.exp(-0.5))
    beyond = 2 * decay ** (reach + 1) / (1 + decay)
    assert 1 - beyond >= Fraction(released.coverage) - Fraction(2) ** -60


def test_answers_are_equal_where_all_of_them_is():
    form = PrivateHistogram(**CELLS, epsilon=1.0)
    first, second, third = (form.release(["a", "b"], rng=seed) for seed in (0, 0, 1))
    assert first == second
    assert hash(first) == hash(second)
    assert first != third
    assert first != "an answer"
    count = PrivateCount(epsilon=1.0)
    assert count.release([1], rng=0) == count.release([1], rng=0)
    assert count.release([1], rng=0) != count.release([1, 1], rng=0)


@pytest.mark.parametrize("kind", [PrivateMean, PrivateSum])
def test_bounds_of_narrow_numbers_are_read_as_floats(kind):
    """Their difference would be rounded, or wrap around, where every record is measured by it."""
    ends = {np.float32: (0.1, 0.3), np.int8: (-100, 100)}
    for dtype, given in ends.items():
        bounds = np.array(given, dtype=dtype)
        wide = kind(bounds=tuple(map(float, bounds)), epsilon=1.0)
        values = np.linspace(*wide.bounds, 1001)
        for narrow in (bounds, list(bounds)):
            law = kind(bounds=narrow, epsilon=1.0).output_distribution(values)
            exact = wide.output_distribution(values)
            assert np.array_equal(law.rvs(rng=0), exact.rvs(rng=0))


@RELATIONS
@pytest.mark.parametrize("epsilon", [7e-13, 3e-12, 1e-9, 1.0])
def test_a_small_epsilon_of_a_quantile_is_kept_by_the_exact_weights(epsilon, adjacency):
    """The scores of the ends are as large as 1 over epsilon, and their rounding counts."""
    quantile = PrivateQuantile(
        q=0.5, options=range(3), epsilon=epsilon, adjacency=adjacency
    )

    def laws(counts):
        records = np.repeat(range(3), counts)
        for law in quantile.output_distribution(records):
            with mpmath.workdps(40):
                weights = [mpmath.mpf(float(w)) for w in law._log_weights]
                total = mpmath.log(mpmath.fsum(map(mpmath.exp, weights)))
                yield [w - total for w in weights]

    for counts in ((5, 0, 4), (0, 9, 0), (3, 3, 3), (1, 2, 6), (8, 1, 0)):
        neighbours = [np.subtract(counts, row) for row in np.eye(3, dtype=int)]
        if adjacency is Adjacency.REPLACE_ONE:
            neighbours = [n + row for n in neighbours for row in np.eye(3, dtype=int)]
        for other in neighbours:
            if min(other) < 0:
                continue
            loss = sum(
                max(abs(a - b) for a, b in zip(one, another, strict=True))
                for one, another in zip(laws(counts), laws(other), strict=True)
            )
            assert loss <= epsilon


def test_an_epsilon_is_refused_for_whose_interval_floats_hold_no_scores():
    for epsilon in (1e-15, 5e-324):
        with pytest.raises(ValueError, match="epsilon must"):
            PrivateQuantile(q=0.5, options=range(3), epsilon=epsilon)
