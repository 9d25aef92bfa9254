"""What a whole pipeline and a whole search promise, and what warns."""

import pickle
import warnings
from copy import deepcopy

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression, RANSACRegressor
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    check_cv,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from privml.adjacency import Adjacency
from privml.guarantee import Guarantee
from privml.learners import (
    ERM,
    ObjectivePerturbation,
    PrivateSQOracle,
    PublicScaler,
    private_pipeline,
    search_guarantee,
)
from privml.mechanisms import ExponentialMechanism, RestartingSparseVector, SparseVector
from privml.pate import PATEClassifier
from tests.refusals import refused

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, size=(60, 3))
Y = X[:, 0] > 0
LEARNER = ObjectivePerturbation(1.0, bounds="unit", classes=(False, True))


@pytest.mark.parametrize(
    "repeat",
    [
        lambda learner: cross_val_score(learner, X, Y, cv=3),
        lambda learner: GridSearchCV(learner, {"norm": [1.0, 2.0]}, cv=3).fit(X, Y),
        lambda learner: OneVsRestClassifier(learner).fit(X, np.arange(len(X)) % 3),
        lambda learner: BaggingClassifier(learner, n_estimators=2).fit(X, Y),
        lambda learner: RFE(learner).fit(X, Y),
        lambda learner: RANSACRegressor(
            learner, min_samples=40, residual_threshold=0.5
        ).fit(X, 1.0 * Y),
        lambda learner: cross_val_score(
            make_pipeline(PublicScaler(), learner), X, Y, cv=3
        ),
    ],
    ids=["scores", "search", "rest", "bagging", "features", "consensus", "pipeline"],
)
def test_one_of_many_fits_says_so_at_the_line_of_the_reader(repeat):
    """A search over settings printed the guarantee of its last fit, and nothing else."""
    with pytest.warns(
        UserWarning, match="several fits on the same records.*KFold.*rng out"
    ) as seen:
        repeat(ObjectivePerturbation(1.0, bounds="unit"))
    assert {each.filename for each in seen} == {__file__}


def test_an_ensemble_hands_on_places_of_labels_and_takes_no_classes_but_these():
    bag = BaggingClassifier(
        ObjectivePerturbation(50.0, bounds="unit", classes=(False, True)), 3
    )
    with pytest.warns(UserWarning, match="several fits"):
        assert bag.fit(X, Y).score(X, Y) > 0.8
    with pytest.raises(
        ValueError, match=r"classes must be \(0, 1\) within sklearn.ensemble._bagging"
    ):
        bag.set_params(estimator__classes=(-1, 1)).fit(X, 2 * Y - 1)


def test_private_steps_add_up_and_without_privacy_nothing_is_promised():
    class Spender(PublicScaler):
        def fit(self, X, y=None, *, rng=None):
            self.privacy_ = Guarantee(0.25, 1e-6)
            return super().fit(X)

    assert private_pipeline(Spender(), LEARNER).fit(X, Y, rng=0).privacy_ == Guarantee(
        1.25, 1e-6
    )

    class Blind(PublicScaler):  # takes coins, and keeps no guarantee
        def fit(self, X, y=None, *, rng=None):
            return super().fit(X)

    for make in private_pipeline, make_pipeline:
        with pytest.raises(ValueError, match="'blind'.* keep its privacy_.$"):
            make(Blind(), LEARNER).fit(X, Y)
    assert make_pipeline(Spender(), LEARNER).fit(X, Y)
    within = (
        FeatureUnion([("spend", Spender())]),
        make_pipeline(Spender()),
    )  # where nobody counts it
    last = (
        ERM(),
        LogisticRegression(),
        DecisionTreeClassifier(),
        GridSearchCV(LEARNER, {}),
    )
    for steps in (
        *((step, LEARNER) for step in within),
        *((Spender(), e) for e in last),
        (Blind(), Spender()),
    ):
        with pytest.raises(ValueError, match="steps must"):
            private_pipeline(*steps).fit(X, Y)
    with pytest.raises(ValueError, match="must end with a private learner"):
        private_pipeline(PublicScaler(), ERM()).fit(X, Y)


@pytest.mark.parametrize("name", ["X_public", "pateclassifier__X_public"])
def test_public_points_of_the_last_step_pass_the_steps_before_it(name):
    raw = RNG.uniform(20, 60, size=(900, 3))
    labels, scaler = raw[:, 0] > 40, PublicScaler(20.0, 60.0)
    model = PATEClassifier(
        n_teachers=60, n_queries=30, epsilon=20.0, classes=[False, True]
    )
    pipeline = private_pipeline(scaler, model)
    with config_context(enable_metadata_routing=name == "X_public"):
        pipeline.fit(raw[:600], labels[:600], rng=0, **{name: raw[600:700]})
    assert pipeline.score(raw[700:], labels[700:]) > 0.85
    stream = np.random.default_rng(0).spawn(1)[0]
    rows = scaler.fit_transform(raw)
    alone = clone(model).fit(rows[:600], labels[:600], rows[600:700], rng=stream)
    assert pipeline[-1].votes_.tolist() == alone.votes_.tolist()
    assert (
        pipeline.privacy_
        == alone.privacy_
        == Guarantee(20.0, 1e-5, Adjacency.ADD_OR_REMOVE_ONE)
    )


def test_public_points_behind_a_private_step_are_refused_before_it_is_fitted():
    class Spender(PublicScaler):
        def fit(self, X, y=None, *, rng=None):
            raise AssertionError("fitted")

    with pytest.raises(
        ValueError,
        match="X_public must pass public steps only, but got the private step 'spender'. Fit that",
    ):
        private_pipeline(Spender(), PATEClassifier(n_teachers=5)).fit(
            X, Y, X_public=X, rng=0
        )
    alone = private_pipeline(PATEClassifier(n_teachers=9, n_queries=1, epsilon=40.0))
    assert alone.fit(X, Y, X_public=-X, rng=0).privacy_.epsilon == 40.0


def test_exact_learners_do_not_warn_of_steps_that_learn():
    with warnings.catch_warnings(action="error"):
        warnings.filterwarnings("ignore", ".*the default stumps")
        make_pipeline(StandardScaler(), ERM()).fit(X, Y)


def test_a_last_step_without_privacy_is_refused_with_a_learner_to_take():
    pipeline = private_pipeline(PublicScaler(), LogisticRegression())
    with pytest.raises(
        ValueError, match="'logisticregression'.*\\. Use a learner with a privacy_"
    ):
        pipeline.fit(X, Y)


def test_a_seed_for_one_step_stands_before_that_of_the_whole():
    def weights(**rng):
        learner = ObjectivePerturbation(1.0, bounds="unit")
        return (
            private_pipeline(PublicScaler(), learner)
            .fit(X, Y, **rng)[-1]
            .coef_.tolist()
        )

    seeded = ObjectivePerturbation(1.0, bounds="unit").fit(
        PublicScaler().fit_transform(X), Y, rng=3
    )
    assert weights(objectiveperturbation__rng=3) == seeded.coef_.tolist()
    assert (
        weights(objectiveperturbation__rng=3, rng=5)
        == seeded.coef_.tolist()
        != weights(rng=3)
    )


def test_a_search_costs_all_of_its_fits_and_its_choice():
    """Enumerated: how often a record is in a training part, over all candidates."""
    fits, n_splits, parts = [Guarantee(0.1), Guarantee(0.3, 1e-7)], 5, np.arange(20) % 5
    for record in range(20):
        used = sum(parts[record] != part for part in range(n_splits))
        spent = (
            used * sum(fit.epsilon for fit in fits)
            + max(fit.epsilon for fit in fits)
            + 0.5
        )
        total = search_guarantee(
            *fits, cv=KFold(n_splits), selection=Guarantee(0.5, 2e-7)
        )
        assert total.epsilon == pytest.approx(spent)
    assert total.delta == pytest.approx(7e-7)
    assert (
        search_guarantee(
            *fits, cv=KFold(2), selection=Guarantee(0.0), refit=False
        ).epsilon
        == 0.4
    )


def test_a_search_takes_what_has_a_guarantee_as_compose_does():
    learner = ObjectivePerturbation(0.5, bounds="unit")
    choose = ExponentialMechanism(epsilon=0.25, sensitivity=1)
    options = {"cv": KFold(5), "selection": choose}
    with pytest.raises(
        ValueError,
        match=r"fits must be .* fitted learner .*, but got .* ObjectivePerturbation",
    ):
        search_guarantee(learner, **options)
    with pytest.raises(
        ValueError, match="got a value of type list. Pass the guarantee of each"
    ):
        search_guarantee([choose], **options)
    assert (
        search_guarantee(learner.fit(X, Y, rng=0), **options).epsilon == 5 * 0.5 + 0.25
    )
    assert (
        search_guarantee(choose, cv=KFold(2), selection=learner, refit=False).epsilon
        == 0.25 + 0.5
    )


def moved(splitter, labels):
    """Over all replaced labels: the most parts that change, and the most people that enter or leave one."""
    rows = np.zeros((len(labels), 1))
    parts = [set(learn) for learn, _ in splitter.split(rows, labels)]
    assert len(parts) == splitter.get_n_splits()
    n_parts, n_people = 0, 0
    for place in range(len(labels)):
        other = labels.copy()
        other[place] = ~other[place]
        after = [set(learn) for learn, _ in splitter.split(rows, other)]
        changed = [
            place in old | new or old != new
            for old, new in zip(parts, after, strict=True)
        ]
        n_parts = max(n_parts, sum(changed))
        n_people = max(
            n_people, *(len(old ^ new) for old, new in zip(parts, after, strict=True))
        )
    return n_parts, n_people


@pytest.mark.parametrize(
    "splitter",
    [
        KFold(5),
        KFold(3, shuffle=True, random_state=1),
        RepeatedKFold(n_repeats=3, random_state=0),
    ],
    ids=str,
)
def test_parts_by_position_cost_the_fits_that_a_replaced_record_can_change(splitter):
    n_fits, n_people = moved(splitter, np.arange(59) % 3 == 0)
    assert n_people == 0
    options = {"cv": splitter, "selection": Guarantee(0.0), "refit": False}
    assert search_guarantee(Guarantee(0.25), **options).epsilon == 0.25 * n_fits


@pytest.mark.parametrize(
    "splitter", [StratifiedKFold(5), RepeatedStratifiedKFold(), ShuffleSplit()]
)
def test_other_parts_are_refused_and_stratified_ones_move_other_people(splitter):
    """So do those of ``cv=5``, which is a StratifiedKFold for every classifier."""
    with pytest.raises(
        ValueError, match=rf"got {type(splitter).__name__}\. Search with cv=KFold\(n\)"
    ):
        search_guarantee(Guarantee(0.1), cv=splitter, selection=Guarantee(0.0))
    assert type(check_cv(5, Y, classifier=True)) is StratifiedKFold
    n_parts, n_people = moved(StratifiedKFold(5), np.arange(59) % 3 == 0)
    assert n_parts == 5
    assert n_people >= 2


test_a_search_without_a_guarantee_is_refused = refused(
    ({"selection": None}, "exact scores on private records"),
    ({"cv": 5}, r"got int\. Search with cv=KFold\(n\)"),
    (
        {"selection": Guarantee(0.1, adjacency=Adjacency.ADD_OR_REMOVE_ONE)},
        r"\.under\('replace-one'\)",
    ),
    ({"selection": Guarantee(0.1).for_group(2)}, "replace-one"),
    call=lambda change: search_guarantee(
        Guarantee(0.1), **{"cv": KFold(3), "selection": Guarantee(0.0), **change}
    ),
)


def test_promises_about_groups_do_not_pay_for_a_search():
    """Two replaced records may lie in two parts: no training part is then without one."""
    pair = Guarantee(0.1, group_size=2)
    for refit in (True, False):
        with pytest.raises(ValueError, match="fits must be replace-one"):
            search_guarantee(pair, cv=KFold(3), selection=pair, refit=refit)


def test_noise_that_drowns_fractions_warns_and_less_noise_does_not():
    options = {
        "X": np.zeros((100, 1)),
        "y": np.zeros(100, dtype=bool),
        "n_queries": 101,
        "rng": 0,
    }
    oracle = PrivateSQOracle(**options, epsilon=1.0)
    with pytest.warns(UserWarning, match="too large for answers") as seen:
        first = oracle.answer(lambda X, y: y)
    assert len(seen) == 1
    with warnings.catch_warnings(action="error"):  # once for an oracle
        answers = [first, *(oracle.answer(lambda X, y: y) for _ in range(50))]
    assert np.abs(answers).mean() > 0.8
    with warnings.catch_warnings(action="error"):
        PrivateSQOracle(**options, epsilon=1.1).answer(lambda X, y: y)


@pytest.mark.parametrize("kind", [SparseVector, RestartingSparseVector])
def test_noise_that_drowns_the_threshold_warns_from_public_numbers(kind):
    options = {"sensitivity": 1} | (
        {"delta": 1e-6} if kind is RestartingSparseVector else {}
    )
    mechanism = kind(epsilon=1.0, threshold=20.0, cutoff=20, **options)
    with pytest.warns(UserWarning, match="too large for the threshold"):
        mechanism.run(np.array([0.0]), rng=0)
    law = mechanism.noise
    query = np.random.default_rng(1).laplace(0, law.query_scale, 4000)
    noisy = query - np.random.default_rng(9).laplace(0, law.threshold_scale, 4000)
    assert (noisy > 20).mean() > 0.25 - 3 * np.sqrt(0.25 * 0.75 / 4000)
    with warnings.catch_warnings(action="error"):
        kind(epsilon=1.0, threshold=20_000.0, cutoff=20, **options).run(
            np.array([0.0]), rng=0
        )
        kind(epsilon=1.0, cutoff=20, **options).run(np.array([0.0]), rng=0)


def fitted_pipeline():
    pipeline = private_pipeline(PublicScaler(-1, 1), clone(LEARNER))
    return pipeline.fit(X, Y, rng=0)


def test_a_last_step_that_is_refitted_alone_changes_what_the_whole_promises():
    pipeline = fitted_pipeline()
    assert pipeline.privacy_ == Guarantee(1.0)
    pipeline[-1].set_params(epsilon=5.0).fit(X, Y, rng=0)
    assert pipeline.privacy_ == Guarantee(5.0)
    pipeline[-1].set_params(epsilon=0.5, delta=1e-5).fit(X, Y, rng=0)
    assert pipeline.privacy_ == Guarantee(0.5, 1e-5)


def test_a_step_that_is_replaced_or_fails_leaves_no_promise():
    pipeline = fitted_pipeline().set_params(objectiveperturbation=clone(LEARNER))
    assert not hasattr(pipeline, "privacy_")
    pipeline = fitted_pipeline()
    pipeline.steps[0] = ("publicscaler", StandardScaler().fit(X))
    with pytest.raises(AttributeError, match="publicscaler.*without noise"):
        _ = pipeline.privacy_
    pipeline = fitted_pipeline().set_params(
        objectiveperturbation=ERM(classes=(False, True))
    )
    with pytest.raises(ValueError, match="steps must end with a private learner"):
        pipeline.fit(X, Y)
    assert not hasattr(pipeline, "privacy_")


class Spender(PublicScaler):
    """A first step with a guarantee of its own."""

    def fit(self, X, y=None, *, rng=None):
        self.privacy_ = Guarantee(0.25, 1e-6)
        return super().fit(X)


def test_a_fit_that_fails_on_its_way_leaves_no_promise():
    """The first step has seen other records, the last step keeps what it promised for those before."""
    pipeline = private_pipeline(Spender(), clone(LEARNER)).fit(X, Y, rng=0)
    assert pipeline.privacy_ == Guarantee(1.25, 1e-6)
    with pytest.raises(ValueError):
        pipeline.fit(X, Y[:-1], rng=0)
    assert hasattr(pipeline[-1], "privacy_")
    assert not hasattr(pipeline, "privacy_")


def test_the_steps_before_a_last_one_without_a_promise_are_none_of_the_whole():
    pipeline = private_pipeline(Spender(), clone(LEARNER)).fit(X, Y, rng=0)
    pipeline.steps[-1] = ("publicscaler", PublicScaler(-1, 1).fit(X))
    with pytest.raises(
        AttributeError, match="if the last step has been fitted privately"
    ):
        _ = pipeline.privacy_


def test_no_promise_before_a_fit_and_none_of_a_part():
    assert not hasattr(private_pipeline(PublicScaler(-1, 1), LEARNER), "privacy_")
    pipeline = fitted_pipeline()
    assert not hasattr(pipeline[1:], "privacy_")  # the steps before it may have a price
    assert not hasattr(clone(pipeline), "privacy_")
    assert pickle.loads(pickle.dumps(pipeline)).privacy_ == pipeline.privacy_
    assert deepcopy(pipeline).privacy_ == pipeline.privacy_


@pytest.mark.parametrize("n_fitted", [12, 15])
@pytest.mark.parametrize("refit", [True, False])
def test_a_predefined_split_costs_the_worst_way_in_which_a_record_is_used(
    n_fitted, refit
):
    """Enumerated: in how many training parts a record is, and whether a choice sees it."""
    folds = np.array([-1] * n_fitted + [0] * 4 + [1] * 4)
    for split in (PredefinedSplit(folds), PredefinedSplit(np.minimum(folds, 0))):
        for fit, choice in ((0.1, 0.5), (0.4, 0.1)):
            ways = []
            for record in range(len(folds)):
                used = sum(record in learn for learn, _ in split.split())
                scored = any(record in test for _, test in split.split())
                ways.append(used * 2 * fit + scored * choice + refit * fit)
            found = search_guarantee(
                *[Guarantee(fit)] * 2,
                cv=split,
                selection=Guarantee(choice),
                refit=refit,
            )
            assert found.epsilon == pytest.approx(max(ways))


def test_each_search_of_a_loop_warns():
    """They have the same line and the same frame, so that only the search itself tells them apart."""
    learner = ObjectivePerturbation(1.0, bounds="unit")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(2):
            GridSearchCV(learner, {"norm": [1.0, 2.0]}, cv=KFold(3)).fit(X, Y)
    assert [str(each.message)[:28] for each in seen] == [
        "privacy_ covers this fit alo"
    ] * 2


@pytest.mark.parametrize("bounds", ["unit", None])
def test_a_grid_search_warns_once_and_the_next_one_again(bounds):
    """It warned 61 times: scikit-learn makes Python forget what it has warned of."""
    learner = ObjectivePerturbation(1.0, bounds=bounds)
    grid = {"norm": [1.0, 2.0, 3.0]}
    texts = []
    for _ in range(2):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("default")
            GridSearchCV(learner, grid, cv=KFold(5)).fit(X, Y)
        texts.append([str(each.message) for each in seen])
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("default")
            GridSearchCV(learner, grid, cv=KFold(5)).fit(X, Y)
        texts.append([str(each.message) for each in seen])
    assert len(texts[0]) == len(texts[1]) == (1 if bounds else 2)
    assert sum("several fits" in text for text in texts[0]) == 1
