"""Finding one's way: what tab completion shows, where a name lives, and messages that name the way out."""

import importlib
import inspect
import pkgutil
from dataclasses import replace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

import privml
from privml import (
    Adjacency,
    Categorical,
    Guarantee,
    PATEClassifier,
    audit,
    compose,
    mechanisms,
)
from privml.composition import gaussian_loss, numerical_composition
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, pure_rho
from privml.learners import ExponentialPACLearner, ObjectivePerturbation
from privml.queries import sensitivity_of
from tests.refusals import refused

ADD = Adjacency.ADD_OR_REMOVE_ONE
BORROWED = {
    "np",
    "check",
    "dataclass",
    "ArrayLike",
    "NDArray",
    "Any",
    "Callable",
    "annotations",
}
NAMES = [module.name for module in pkgutil.walk_packages(privml.__path__, "privml.")]
MODULES = [
    name
    for name in NAMES
    if "._" not in name and not name.startswith("privml.results.")
]


@pytest.mark.parametrize("name", MODULES)
def test_tab_completion_shows_names_of_the_package_and_no_imports(name):
    module = importlib.import_module(name)
    shown = set(dir(module))
    assert not shown & BORROWED
    assert all(not entry.startswith("_") or entry == "__version__" for entry in shown)
    foreign = {
        entry
        for entry in shown
        if getattr(getattr(module, entry), "__module__", "privml").split(".")[0]
        != "privml"
        and not inspect.ismodule(getattr(module, entry))
        and inspect.isroutine(getattr(module, entry))
    }
    assert foreign == set()


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("SparseVector", "privml.mechanisms.SparseVector"),
        ("private_actions", "privml.learners.experts.private_actions"),
        ("private_pipeline", "privml.learners.private_pipeline"),
        ("regret_bound", "privml.bounds.regret_bound"),
    ],
)
def test_a_name_at_the_wrong_place_says_its_home(name, home):
    with pytest.raises(
        AttributeError, match=f"has no attribute '{name}'. It is defined as {home}.$"
    ):
        getattr(privml, name)
    module, _, attribute = home.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


def test_a_name_below_a_room_that_fills_itself_is_found_without_going_in_circles():
    with pytest.raises(
        AttributeError, match="It is defined as privml.mechanisms.SparseVector.$"
    ):
        privml.bounds.SparseVector  # noqa: B018
    assert not hasattr(privml.pate, "smallest_integer")


@pytest.mark.parametrize(
    ("room", "name", "home"),
    [
        ("mechanisms", "PrivateMean", "statistics.PrivateMean"),
        ("composition", "compose", "composed.compose"),
        ("composition.sums", "compose", "composed.compose"),
        ("statistics", "LaplaceMechanism", "mechanisms.LaplaceMechanism"),
    ],
)
def test_every_room_and_module_says_where_a_name_lives_that_it_has_not(
    room, name, home
):
    module = importlib.import_module(f"privml.{room}")
    with pytest.raises(
        AttributeError,
        match=f"'privml.{room}' has no .* '{name}'. It is defined as privml.{home}.$",
    ):
        getattr(module, name)
    assert not any(
        hasattr(module, other) for other in ("nonsense", "__path_", "", "1", "a.b")
    )


def test_a_module_of_a_room_is_there_before_it_is_imported_and_what_nobody_has_is_missing(
    monkeypatch,
):
    monkeypatch.delattr(privml.learners, "linear")
    assert privml.learners.linear.LinearLearner is privml.learners.LinearLearner
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'.$"):
        privml.nonsense  # noqa: B018
    assert not any(
        hasattr(privml.learners, name)
        for name in ("", "1", "a.b", "linear.x", "__wrapped__")
    )


def test_help_of_the_package_is_a_map_of_ten_lines_whose_names_exist():
    text = privml.__doc__
    assert len(text.splitlines()) <= 10
    assert max(map(len, text.splitlines())) <= 110
    for name in (
        "PrivateCount",
        "PrivateHistogram",
        "PrivateMean",
        "PrivateQuantile",
        "compose",
    ):
        assert name in text
        assert hasattr(privml, name)


def integer(kind, **parameters):
    return lambda adjacency: kind(
        epsilon=1.0, sensitivity=1, adjacency=adjacency, **parameters
    )


@pytest.mark.parametrize(
    "make",
    [
        integer(mechanisms.LaplaceMechanism),
        integer(mechanisms.DiscreteLaplaceMechanism),
        integer(mechanisms.GaussianMechanism, delta=1e-5),
        integer(mechanisms.ExponentialMechanism, monotone=True),
        lambda adjacency: mechanisms.SparseVector(
            epsilon=1.0, adjacency=adjacency, sensitivity=1
        ),
        lambda adjacency: privml.PrivateCount(epsilon=1.0, adjacency=adjacency),
        lambda adjacency: privml.PrivateMean(
            bounds=(0, 1), epsilon=1.0, adjacency=adjacency
        ),
        lambda adjacency: Guarantee(1.0, 0.0, adjacency),
        lambda adjacency: ConcentratedGuarantee(1.0, adjacency=adjacency),
    ],
)
def test_a_relation_may_be_named_wherever_one_is_taken(make):
    by_name, by_member = make("add-or-remove-one"), make(ADD)
    assert by_name.adjacency is by_member.adjacency is ADD


def test_functions_and_methods_take_the_name_of_a_relation_too():
    assert Guarantee(0.5, adjacency=ADD).under("replace-one") == Guarantee(1.0)
    assert (
        sensitivity_of(np.sum, np.arange(3), 2, order=1, adjacency="add-or-remove-one")
        == 2.0
    )
    learner = ExponentialPACLearner(1.0).set_params(adjacency="add-or-remove-one")
    assert learner.fit([[0.0], [1.0]], [0, 1], rng=0).privacy_.adjacency is ADD


def test_words_in_data_stay_words():
    cells = privml.PrivateHistogram(categories=["replace-one", "x"], epsilon=50.0)
    assert cells.release(["replace-one"] * 9, rng=0).value.tolist() == [9, 0]
    assert ExponentialPACLearner(1.0, classes=("replace-one", "x")).classes == (
        "replace-one",
        "x",
    )


def evenly(z):
    """A law that forgets what more records could give."""
    return np.full(len(z) + 1, 1 / (len(z) + 1))


def wrong_way(scale):
    """Epsilon for a size of noise."""
    return mechanisms.LaplaceMechanism(epsilon=scale, sensitivity=1.0)


BITS, COINS = np.arange(2), gaussian_loss(0.1, 10, sampling_rate=0.1)
COUNT = mechanisms.LaplaceMechanism(epsilon=0.1, sensitivity=1)
CELLS = mechanisms.MWEM(
    epsilon=1.0, queries=mechanisms.marginals((2, 2), 1), n_rounds=2
)


def test_the_ways_out_lead_out():
    def padded(z):
        return np.pad(evenly(z), (0, 3 - len(z)))

    assert audit.exact(padded, BITS, 2, adjacency=ADD).epsilon == np.inf
    assert (
        privml.calibrate_noise_scale(lambda scale: wrong_way(1 / scale), 0.1, 0.0)
        == 10.0
    )
    rows = np.array([[0, 1], [1, 1], [1, 1]])
    points = np.ravel_multi_index(rows.T, (2, 2))
    assert CELLS.release(np.bincount(points, minlength=4), rng=0).chosen.size == 2
    restated = numerical_composition(COINS, delta=1e-6).under("replace-one")
    assert (
        compose(restated, COUNT, delta=1e-5).guarantee.adjacency
        is Adjacency.REPLACE_ONE
    )
    assert (
        compose(COINS, replace(COUNT, adjacency=ADD), delta=1e-5).guarantee.adjacency
        is ADD
    )


test_a_message_names_the_way_out = refused(
    (
        lambda: audit.exact(lambda z: [0.5, 0.4], np.arange(2), 2),
        r"sum 0.9\. Divide by the sum",
    ),
    (lambda: Categorical.from_probabilities([0.5, 0.4]), "sum 0.9. Divide by the sum"),
    (
        lambda: Guarantee(1.0, 1e-6).as_concentrated(),
        "pass it to compose as it is",
    ),
    (
        lambda: compose(*[Guarantee(1.0, 1e-5)] * 3, delta=1e-6),
        r"\. Their own values of delta add up to 3.0000000000000004e-05",
    ),
    (
        lambda: compose(gaussian_loss(0.1, 10), delta=0),
        r"\. Their own values of delta add up to 0.0, not counting what a loss needs",
    ),
    (
        lambda: compose(make_pipeline(Normalizer()), delta=0),
        "Pass its last step, if that is private, or use a priv",
    ),
    (
        lambda: audit.monte_carlo(lambda z: z, (0, 1), 9),
        r"must take \(data, size, rng\).*, but got \(z\)",
    ),
    (
        lambda: audit.monte_carlo(lambda z, n, rng: np.ones((n, 3)), (0, 1), 9),
        "difference of two",
    ),
    (
        lambda: gaussian_loss(0.1, sampling_rate=0.1, adjacency="replace-one"),
        'or use scheme="subset"',
    ),
    (
        lambda: audit.exact(evenly, BITS, 2, adjacency=ADD),
        "got 3 for n_samples=2 records and 2 for one",
    ),
    (
        lambda: audit.exact(evenly, BITS, 2, adjacency=ADD),
        "that some data set can give, with probability 0",
    ),
    (
        lambda: audit.exact(lambda z: evenly(z[z > 0]), BITS, 2),
        r"\[1, 2, 3\]\. List every outcome that some data set",
    ),
    (
        lambda: privml.calibrate_noise_scale(wrong_way, 1.0, 0.0),
        "at size 1 than at size 0.5, but it loses 2 times as much",
    ),
    (
        lambda: privml.calibrate_noise_scale(wrong_way, 0.1, 0.0),
        "size 2 than at size 1, but it loses 2 .* epsilon=1 / size",
    ),
    (
        lambda: CELLS.release(np.eye(2, dtype=int)),
        r"np.bincount\(np.ravel_multi_index\(rows.T, shape\), min",
    ),
    (
        lambda: compose(COINS, COUNT, delta=1e-5),
        "one adjacency and its sensitivity, or convert those",
    ),
    (
        lambda: compose(COINS, COUNT, delta=1e-5),
        "a loss only after numerical_composition.loss, delta=....\\) with gua",
    ),
    (
        lambda: COINS + gaussian_loss(1.0),
        'with one adjacency and its shift; scheme="coins" needs add-or-remove-one',
    ),
    (
        lambda: PATEClassifier(object()).fit([[0.0]] * 20, [0, 1] * 10),
        "an object with the methods fit and predict, .* One of scikit-learn will do",
    ),
)


def test_a_random_state_is_told_of_rng():
    with pytest.raises(
        TypeError,
        match="use rng instead. Leave rng out for fresh randomness, or pass the same Generator",
    ):
        ObjectivePerturbation(1.0, random_state=0)


PURE = [
    mechanisms.LaplaceMechanism(epsilon=1.0, sensitivity=1.0),
    mechanisms.DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=1),
    mechanisms.ExponentialMechanism(epsilon=1.0, sensitivity=1.0),
    mechanisms.PermuteAndFlip(epsilon=1.0, sensitivity=1.0),
    mechanisms.RandomisedResponse(1.0),
    mechanisms.SparseVector(epsilon=1.0, sensitivity=1),
]


@pytest.mark.parametrize("mechanism", PURE, ids=lambda m: type(m).__name__)
def test_every_pure_mechanism_has_a_concentrated_guarantee_under_its_relation(
    mechanism,
):
    found = mechanism.concentrated
    assert 0 < found.rho <= pure_rho(1.0)
    assert found.adjacency is mechanism.adjacency
    if isinstance(mechanism, mechanisms.ExponentialMechanism):
        assert found == BoundedRangeGuarantee(1.0).as_concentrated()


def test_the_restarting_sparse_vector_has_its_runs_as_rho_and_others_with_a_delta_none():
    restarting = mechanisms.RestartingSparseVector(
        epsilon=1.0, delta=1e-6, cutoff=7, sensitivity=1
    )
    assert 0.99 < restarting.concentrated.rho * 16 * np.log(1e6) <= 1
    assert restarting.concentrated.as_approximate(1e-6).epsilon <= 1
    assert not hasattr(
        mechanisms.DistanceToInstability(epsilon=1.0, delta=0.1), "concentrated"
    )
