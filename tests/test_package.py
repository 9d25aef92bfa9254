"""The package imports at once, and its public names are there."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import privml

HEAVY = ["scipy", "sklearn", "matplotlib", "pandas", "numpy"]


def test_importing_privml_imports_nothing_heavy():
    code = f"import sys, privml; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_mechanisms_statistics_and_audits_do_without_learners_and_plotting():
    code = (
        "import sys, privml; privml.ExponentialMechanism, privml.audit, privml.bounds, privml.PrivateMean; "
        "print([m for m in ['scipy.stats', 'sklearn', 'matplotlib', 'pandas'] if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name", [name for name in privml.__all__ if name != "__version__"]
)
def test_every_public_name_is_there(name):
    assert getattr(privml, name) is not None


def test_the_package_shows_names_that_are_not_yet_imported():
    assert "ExponentialMechanism" in dir(privml)


ALONE = """
import importlib, pkgutil, sys
for name in ("IPython", "matplotlib", "pandas", "tqdm", "distributed", "dask"):
    sys.modules[name] = None
import privml
for module in pkgutil.walk_packages(privml.__path__, "privml."):
    if not module.name.startswith("privml.figures"):
        importlib.import_module(module.name)
import numpy as np
from privml import PATEClassifier, ExponentialPACLearner, audit, datasets, notebook, results
from privml.hypotheses import Thresholds
X, y = np.linspace(0, 1, 40)[:, None], np.linspace(0, 1, 40) > 0.5
model = ExponentialPACLearner(1.0, Thresholds([0.2, 0.5]), classes=[False, True]).fit(X, y, rng=0)
print(model.privacy_, datasets.load_breast_cancer().X.shape)
for act in (lambda: notebook.glue("a", 1), lambda: results.read("table4"), lambda: privml.figures.curves):
    try:
        act()
    except ModuleNotFoundError as error:
        print(error)
"""


def test_the_library_works_without_the_extra_and_says_what_is_missing():
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "1-differential privacy (replace-one) (569, 30)"
    missing = 'is needed here and is not installed. Install it with: pip install "privml[notebook]"'
    assert said[1:] == [
        f"{name} {missing}" for name in ("IPython", "pandas", "matplotlib")
    ]


def test_installing_the_library_alone_brings_three_packages():
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(
        encoding="utf-8"
    )
    needed = tomllib.loads(text)["project"]["dependencies"]
    assert {Requirement(one).name for one in needed} == {
        "numpy",
        "scipy",
        "scikit-learn",
    }
