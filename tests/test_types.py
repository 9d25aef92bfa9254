"""The package says its types: what a type checker sees is what there is, and the examples are checked."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import privml
from book import typed
from privml import mechanisms

ROOT = Path(__file__).resolve().parent.parent


def names_of_stub(package):
    """What a stub hands on, by import or definition."""
    file = Path(package.__file__).with_suffix(".pyi")
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found |= {
                alias.asname for alias in node.names if alias.asname == alias.name
            }
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and node.target.id == "__version__":
            found.add(node.target.id)
    return found


@pytest.mark.parametrize(
    "package", [privml, privml.bounds], ids=lambda package: package.__name__
)
def test_a_stub_names_what_the_package_fills_itself_with(package):
    assert names_of_stub(package) == set(package.__all__)


def test_an_installation_says_that_it_has_types():
    assert (Path(privml.__file__).parent / "py.typed").exists()


FILE = '''
import numpy as np

def half(x: int) -> float:
    """Half of it.

    >>> half({given})
    0.5
    """
    return x / 2
'''


@pytest.mark.parametrize(("given", "status"), [("1", 0), ("np.zeros(2)", 1)])
def test_an_example_that_the_signature_refuses_is_a_fault(tmp_path, given, status):
    (tmp_path / "privml").mkdir()
    (tmp_path / "privml" / "__init__.py").write_text(FILE.replace("{given}", given))
    file = typed.write(tmp_path)
    assert f"    half({given})\n" in file.read_text()
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--follow-imports",
        "silent",
        "--cache-dir",
        os.devnull,
    ]
    done = subprocess.run(
        [*command, str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout


def test_no_example_is_left_out_for_nothing():
    text = "".join(file.read_text() for file in (ROOT / "privml").rglob("*.py"))
    assert [
        name
        for name in typed.OPEN
        if f"class {name}(" not in text and f"def {name}(" not in text
    ] == []


BUDGET = {"epsilon": 1.0, "sensitivity": 1}


@pytest.mark.parametrize(
    ("mechanism", "number"),
    [
        (mechanisms.LaplaceMechanism(**BUDGET), 3.0),
        (mechanisms.GaussianMechanism(**BUDGET, delta=1e-5), 3.0),
        (mechanisms.DiscreteLaplaceMechanism(**BUDGET), 3),
        (mechanisms.DiscreteGaussianMechanism(**BUDGET, delta=1e-5), 3),
    ],
    ids=lambda given: type(given).__name__,
)
def test_a_release_is_a_number_for_a_number_and_an_array_for_an_array(
    mechanism, number
):
    assert type(mechanism.release(number, rng=0)) is type(number)
    assert isinstance(mechanism.release([number], rng=0), np.ndarray)


@pytest.mark.parametrize(
    "kind", [mechanisms.ExponentialMechanism, mechanisms.PermuteAndFlip]
)
def test_a_choice_is_an_index(kind):
    assert type(kind(**BUDGET).release([0.0, 1.0], rng=0)) is int
