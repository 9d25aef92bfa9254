"""Which steps may stand before a private learner: those that take each row alone and learn nothing."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import (
    ColumnTransformer,
    TransformedTargetRegressor,
    make_column_selector,
)
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    StandardScaler,
)

from privml import ObjectivePerturbation, PATEClassifier
from privml._records import refuse_fitted_steps
from privml.guarantee import Guarantee
from privml.learners import (
    ExponentialRidge,
    PrivateBestSubset,
    PublicFourierFeatures,
    PublicScaler,
    private_pipeline,
)

X = np.random.default_rng(0).uniform(-1, 1, size=(60, 3))
Y = X[:, 0] > 0
LEARNER = ObjectivePerturbation(1.0, bounds="unit", classes=(False, True))


class Squares(TransformerMixin, BaseEstimator):
    """A reader's own, which promises to take each row alone; the promise is not that of a subclass."""

    public_step, fit, transform = (
        True,
        lambda self, X, y=None: self,
        lambda self, X: X**2,
    )


def columns(*parts, **options):
    return ColumnTransformer(
        [(str(place), *part) for place, part in enumerate(parts)], **options
    )


PLACES = {"categories": [[0.0, 1.0]] * 3, "handle_unknown": "ignore"}
FITTED = [
    StandardScaler(),
    FunctionTransformer(lambda rows: rows - rows.mean(axis=0)),
    columns((StandardScaler(), [0])),
    columns((Normalizer(), [0]), remainder=StandardScaler()),
    columns((Normalizer(), lambda rows: [rows.var(axis=0).argmax()])),
    FeatureUnion([("same", PublicScaler()), ("scaled", StandardScaler())]),
    make_pipeline(PublicScaler(), StandardScaler()),
    *(
        SimpleImputer(strategy=way) for way in ("mean", "constant")
    ),  # both drop columns that no record fills
    SimpleImputer(
        strategy="constant",
        fill_value=0.0,
        keep_empty_features=True,
        add_indicator=True,
    ),
    *(
        type("Own", (kind,), {})() for kind in (Normalizer, PublicScaler, Squares)
    ),  # tags: "needs no fit"
    type(
        "Unfitted",
        (),
        {"fit_transform": lambda self, X, y=None: X - X[:1], "transform": np.asarray},
    )(),
]
ODD = [  # not tried in a pipeline of scikit-learn: rows are sparse, a record is refused or no text
    OneHotEncoder(handle_unknown="ignore"),
    OneHotEncoder(categories=[[0.0]] * 3),
    OneHotEncoder(**PLACES | {"handle_unknown": "warn"}),
    OneHotEncoder(**PLACES, drop=[0.0] * 3),
    *(
        OneHotEncoder(**PLACES, **{name: 2})
        for name in ("min_frequency", "max_categories")
    ),
    *(
        HashingVectorizer(**{name: str.split})
        for name in ("tokenizer", "preprocessor", "analyzer")
    ),
    HashingVectorizer(strip_accents=str.lower),
    columns(
        (OneHotEncoder(**PLACES), [0, 1, 2])
    ),  # sparse or dense, as the zeros of all records have it
]
PUBLIC = [
    PublicScaler(0, 1),
    PublicFourierFeatures(),
    FeatureUnion([("unit", Normalizer())]),
    Squares(),
]
PUBLIC += [Normalizer(norm=norm) for norm in ("l1", "l2", "max")]
PUBLIC += [
    Binarizer(threshold=0.3),
    PolynomialFeatures((2, 3), include_bias=False),
    PolynomialFeatures(5),
]
PUBLIC += [
    PolynomialFeatures(4, interaction_only=True, order="F"),
    SimpleImputer(strategy="constant", fill_value=0.0, keep_empty_features=True),
    OneHotEncoder(**PLACES, sparse_output=False),
    OrdinalEncoder(
        categories=[[0.0, 1.0]] * 3,
        handle_unknown="use_encoded_value",
        unknown_value=-1,
    ),
    columns((OneHotEncoder(**PLACES), [0, 1, 2]), sparse_threshold=0),
    columns((PublicScaler(0, 1), [0]), remainder="passthrough"),
]
HASHED = [
    HashingVectorizer(n_features=8, ngram_range=(1, 2), norm=norm)
    for norm in ("l1", None)
]
HASHED += [FeatureHasher(8, input_type=kind) for kind in ("string", "dict", "pair")]


@pytest.mark.parametrize("step", FITTED + ODD, ids=lambda step: type(step).__name__)
def test_a_step_that_learns_from_the_records_is_refused(step):
    """The witness printed 1-differential privacy, and one far record moved every row."""
    far = np.vstack([X[:-1], [[1e3, 1e3, 1e3]]])
    if isinstance(step, StandardScaler):
        moved = [StandardScaler().fit(rows).transform(X[:1]) for rows in (X, far)]
        assert np.abs(moved[0] - moved[1]).max() > 0.5
    pipeline = private_pipeline(step, LEARNER)
    with pytest.raises(
        ValueError, match="learns, or may learn, from the records without"
    ):
        pipeline.fit(X, Y, rng=0)
    assert not hasattr(pipeline, "privacy_")


@pytest.mark.parametrize("step", FITTED, ids=lambda step: type(step).__name__)
@pytest.mark.parametrize(
    "learner",
    [
        LEARNER,
        ExponentialRidge(1.0, bounds="unit"),
        PrivateBestSubset(1.0),
        PATEClassifier(n_teachers=40),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_a_learner_in_a_pipeline_of_scikit_learn_refuses_such_a_step(step, learner):
    """It used to warn, and its ``privacy_`` said 1-differential privacy all the same."""
    nested = make_pipeline(
        step, BaggingClassifier(make_pipeline(PublicScaler(), learner))
    )
    for pipeline in make_pipeline(step, learner), nested:
        with pytest.raises(
            ValueError, match="learns, or may learn, from the records without noise"
        ):
            pipeline.fit(X, Y)


@pytest.mark.parametrize(
    ("step", "way"),
    [
        (FunctionTransformer(np.log1p), "Transform each row by itself before"),
        (HashingVectorizer(tokenizer=str.split), "Transform each row by itself before"),
        *(
            (step, "Set sparse_threshold=0")
            for step in (ODD[-1], columns((Squares(), [0])))
        ),
        (columns((Normalizer(), len)), "Name the columns"),
        (OneHotEncoder(), "Pass categories=.*, handle_unknown='ignore'.$"),
        (
            OrdinalEncoder(categories=[]),
            "Pass handle_unknown='use_encoded_value'.$",
        ),
        (ODD[3], "Pass drop=None, since otherwise it warns"),
        (
            SimpleImputer(strategy="constant"),
            "Pass keep_empty_features=True.$",
        ),
        (FITTED[9], "Pass add_indicator=False.$"),
        (
            FITTED[-2],
            "If it acts on each row alone, set public_step = True in its class",
        ),
        (StandardScaler(), "PublicScaler"),
    ],
    ids=lambda word: word if isinstance(word, str) else type(word).__name__,
)
def test_a_refused_step_says_what_to_do(step, way):
    for steps in (
        [step],
        [make_pipeline(Normalizer(), step)],
        [PublicScaler(), FeatureUnion([("it", step)])],
    ):
        with pytest.raises(ValueError, match=way) as refusal:
            private_pipeline(*steps, LEARNER).fit(X, Y)
        assert (f"its part {type(step).__name__}. " in str(refusal.value)) == (
            steps != [step]
        )


@pytest.mark.parametrize(
    "way", [{"transformer": StandardScaler()}, {"func": abs, "inverse_func": abs}]
)
def test_a_step_that_learns_from_the_targets_is_refused(way):
    shown = "StandardScaler" if "transformer" in way else "abs"
    rule = f"^TransformedTargetRegressor must transform targets publicly, but {shown} learns"
    with pytest.raises(ValueError, match=rule + r".*with target_bounds=\(lower"):
        TransformedTargetRegressor(ExponentialRidge(1.0, bounds="unit"), **way).fit(
            X, X[:, 0]
        )
    TransformedTargetRegressor(ExponentialRidge(1.0, bounds="unit")).fit(X, X[:, 0])


def test_zeros_of_sparse_records_do_not_decide_what_a_table_of_columns_becomes():
    step, sparse = columns((Normalizer(), [0, 1, 2])), csr_matrix(X)
    frame, dense = (
        pd.DataFrame.sparse.from_spmatrix(sparse),
        pd.DataFrame(np.ones((60, 100))),
    )
    for table in sparse, frame:
        for make in private_pipeline, make_pipeline:
            with pytest.raises(ValueError, match="Set sparse_threshold=0"):
                make(step, LEARNER).fit(table, Y)
    with pytest.raises(
        ValueError, match="Set sparse_threshold=0"
    ):  # pandas shows the first and last types
        refuse_fitted_steps([("wide", step)], pd.concat([dense, frame, dense], axis=1))
    with pytest.raises(
        ValueError, match="Set sparse_threshold=0"
    ):  # sparse by the step before
        private_pipeline(OneHotEncoder(**PLACES), step, LEARNER).fit(X, Y)
    assert (
        private_pipeline(clone(step).set_params(sparse_threshold=0), LEARNER)
        .fit(sparse, Y)
        .privacy_
    )


@pytest.mark.parametrize("step", PUBLIC, ids=lambda step: type(step).__name__)
def test_public_steps_pass_and_the_guarantee_is_that_of_the_whole(step):
    pipeline = private_pipeline(step, LEARNER)
    with warnings.catch_warnings(action="error"):
        pipeline.fit(X, Y, rng=0)
        make_pipeline(step, LEARNER).fit(X, Y)
    assert pipeline.privacy_ == Guarantee(1.0)
    assert (
        private_pipeline(step, LEARNER).fit(X, Y, rng=0)[-1].coef_ == pipeline[-1].coef_
    ).all()
    assert pipeline.predict(X).shape == Y.shape


def of_kind(step, rows):
    """The records as a step takes them: texts, lists of words, counts of words, or numbers."""
    words = [[f"w{place}" * 2 for place in np.flatnonzero(row > 0)] for row in rows]
    if isinstance(step, HashingVectorizer):
        return [" ".join(each) for each in words]
    kinds = {"string": words, "dict": [dict.fromkeys(each, 2.5) for each in words]}
    kinds["pair"] = [[*each.items()] for each in kinds["dict"]]
    return kinds[step.input_type] if isinstance(step, FeatureHasher) else rows


def kept(step, rows):
    """What a fit leaves in a step but its parameters, and the rows that it makes, dense."""
    made = (fitted := clone(step)).fit(rows).transform(rows)
    left = {
        name: value
        for name, value in vars(fitted).items()
        if name not in step.get_params()
    }
    return repr(left), made.toarray() if issparse(made) else np.asarray(made)


@pytest.mark.parametrize("step", PUBLIC + HASHED, ids=lambda step: type(step).__name__)
def test_a_public_step_keeps_nothing_of_the_records_and_takes_each_row_alone(step):
    """Under both relations, to the last bit: a record is left out, or becomes another one, far away."""
    near, far = X[:6], np.vstack([X[:5], [[9.0, -7.0, 1.0]]])
    tables = [[of_kind(step, rows) for rows in (near, far, near[:5])]]
    if isinstance(step, Normalizer | Binarizer | PolynomialFeatures | FeatureUnion):
        tables.append([csr_matrix(rows) for rows in tables[0]])
    for table in tables:
        refuse_fitted_steps([("step", step)], table[0])
        (left, made), *others = (kept(step, rows) for rows in table)
        for neighbour, rows in others:
            assert neighbour == left
            assert len(rows) in (5, 6)
            assert (rows[:5] == made[:5]).all()


def test_a_table_with_texts_is_learned_from_in_a_private_pipeline():
    table = pd.DataFrame(
        {"text": np.where(Y, "good day", "bad night"), "size": X[:, 1]}
    )
    numbers = Normalizer(), make_column_selector(dtype_include="number")
    step = columns(
        (HashingVectorizer(n_features=16), "text"), numbers, sparse_threshold=0
    )
    model = private_pipeline(step, clone(LEARNER).set_params(epsilon=50.0)).fit(
        table, Y, rng=0
    )
    assert model.privacy_ == Guarantee(50.0)
    assert model.score(table, Y) > 0.9
