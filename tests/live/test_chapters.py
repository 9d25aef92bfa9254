"""Every chapter runs whole in the worker of its page, under node, and shows what is committed.

`make live` runs them, some minutes a chapter: the runtime is a few times slower than the machine it is on.
It adds up sums in another order, so the last digit that is shown of a fraction may differ.
"""

import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from book.tools import figures, live, wheels
from book.tools.chapters import Chapter, topics
from book.tools.compare import read_shown, shown

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
RELATIVE = 1e-5  # of the tables of figures
SECONDS = 1800


@pytest.fixture(scope="session")
def runtime():
    folder = os.environ.get("PYODIDE", "")
    if not folder or not (Path(folder) / "pyodide.mjs").exists():
        pytest.skip("PYODIDE names no folder with a Pyodide runtime")
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return folder


def in_worker(contents, runtime, wheel, folder):
    """What a page with these contents shows in the worker, cell by cell."""
    told, out = folder / "contents.json", folder / "shown.json"
    told.write_text(json.dumps(contents))
    command = [
        "node",
        str(ROOT / "tests" / "live" / "run.mjs"),
        runtime,
        str(wheel),
        str(told),
        str(out),
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(out.read_text())


def as_notebook(chapter, outputs):
    """The committed notebook with these outputs in place of its own."""
    notebook = json.loads(chapter.notebook.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, found in zip(code, outputs, strict=True):
        cell["outputs"] = [
            {"text": one["printed"]} if "printed" in one else one for one in found
        ]
    return notebook


def unit(text):
    """One unit of the last digit of a number as it is written."""
    digits, _, power = text.partition("e")
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def same_text(old, new):
    """Whether two texts agree but for one unit in the last digits of their numbers."""
    if NUMBER.split(old) != NUMBER.split(new):
        return False
    pairs = zip(
        NUMBER.findall(old.replace("−", "-")),
        NUMBER.findall(new.replace("−", "-")),
        strict=True,
    )
    return all(
        a == b or ("." in a and abs(float(a) - float(b)) <= 1.001 * unit(a))
        for a, b in pairs
    )


def same_entry(old, new):
    if isinstance(old, int | float) and isinstance(new, int | float):
        return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=1e-12)
    return old == new or (
        isinstance(old, str) and isinstance(new, str) and same_text(old, new)
    )


def differences(old, new):
    """Pairs of what is committed and what was shown that do not agree."""
    entries = [("lines", old.lines, new.lines), ("values", old.values, new.values)]
    entries += [
        (str(k), one, two)
        for k, (one, two) in enumerate(zip(old.tables, new.tables, strict=True))
    ]
    entries += [
        (name, table["rows"], new.figures[name]["rows"])
        for name, table in old.figures.items()
    ]
    for place, was, now in entries:
        rows = [*was.items()] if isinstance(was, dict) else was
        others = [*now.items()] if isinstance(now, dict) else now
        assert len(rows) == len(others), place
        for a, b in zip(rows, others, strict=True):
            a, b = ([a], [b]) if isinstance(a, str) else (a, b)
            if not all(map(same_entry, a, b)):
                yield place, a, b


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_shows_in_its_page_what_is_committed(topic, runtime, wheel, tmp_path):
    chapter = Chapter(ROOT, topic)
    contents = live.contents(figures.cells_of(chapter.notebook), {})
    outputs = in_worker(contents, runtime, wheel, tmp_path)
    assert [one["error"] for found in outputs for one in found if "error" in one] == []
    assert (
        list(
            differences(
                read_shown(chapter.notebook), shown(as_notebook(chapter, outputs))
            )
        )
        == []
    )


def test_where_the_runtime_has_no_accountant_the_site_brings_it(
    runtime, wheel, tmp_path
):
    """As at the public address, whose lock has neither of the two packages."""
    for file in Path(runtime).iterdir():
        (tmp_path / file.name).symlink_to(file)
    lock = json.loads((tmp_path / "pyodide-lock.json").read_text())
    lock["packages"] = {
        name: told for name, told in lock["packages"].items() if name not in wheels.OWN
    }
    (tmp_path / "pyodide-lock.json").unlink()
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    packed = [wheels.pack(name, wheel.parent).name for name in wheels.OWN]
    contents = {
        "cells": [
            {
                "code": "from dp_accounting import pld, rdp\nprint(pld.__name__, rdp.__name__)"
            }
        ],
        "packages": [*live.PACKAGES, "dp-accounting"],
        "runtime": {"own": {"needs": wheels.NEEDS, "wheels": packed}},
    }
    [[found]] = in_worker(contents, str(tmp_path), wheel, tmp_path)
    assert found == {"printed": "dp_accounting.pld dp_accounting.rdp\n"}


def test_what_is_loaded_before_the_first_output_is_what_it_needs(
    runtime, wheel, tmp_path
):
    """Wheels are unpacked by the browser, and two packages that take seconds wait until they are used."""
    asked = "import sys, sklearn, pyodide_js, privml.learners, privml.figures.style\n"
    asked += "print(*('matplotlib' in sys.modules, 'scipy.stats._stats_py' in sys.modules))\n"
    asked += "print(*sorted(pyodide_js.loadedPackages.to_py()))"
    used = "from scipy.stats import norm\nimport numpy.testing, pathlib, matplotlib.figure\n"
    used += "print(norm.cdf(0.0), (pathlib.Path(sklearn.__file__).parent / 'tests').exists())"
    contents = {
        "cells": [{"code": asked}, {"code": used}],
        "packages": live.PACKAGES,
        "runtime": {},
    }
    assert in_worker(contents, runtime, wheel, tmp_path) == [
        [{"printed": "False False\nprivml\n"}],
        [{"printed": "0.5 False\n"}],
    ]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("epsilon 0.4799", "epsilon 0.4800", True),
        ("epsilon 0.4799", "epsilon 0.4801", False),
        ("6.1e-06 of 3", "6.2e-06 of 3", True),
        ("3 rows", "4 rows", False),
        ("yes", "no", False),
    ],
)
def test_texts_agree_to_one_unit_of_the_last_digit(old, new, same):
    assert same_text(old, new) is same
