"""`privml.figures` itself."""

import subprocess
import sys

import pytest

from privml import figures


def test_an_unknown_draw_function_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = figures.nonsense


def test_the_package_alone_does_not_import_matplotlib():
    code = "import sys, privml.figures.style; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
