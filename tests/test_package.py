"""The package imports at once, and its public names are there."""

import subprocess
import sys

import pytest

import privml

HEAVY = ["scipy", "sklearn", "matplotlib", "pandas", "numpy"]


def test_importing_privml_imports_nothing_heavy():
    code = f"import sys, privml; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_mechanisms_and_audits_do_without_statistics_and_plotting():
    code = (
        "import sys, privml; privml.ExponentialMechanism, privml.audit, privml.bounds; "
        "print([m for m in ['scipy.stats', 'sklearn', 'matplotlib', 'pandas'] if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [name for name in privml.__all__ if name != "__version__"])
def test_every_public_name_is_there(name):
    assert getattr(privml, name) is not None


def test_an_unknown_name_raises():
    with pytest.raises(AttributeError, match="no attribute 'differential'"):
        _ = privml.differential
    assert "ExponentialMechanism" in dir(privml)
