"""The reference: every public module has a page, every public object a place, every docstring can be read."""

import importlib
import inspect
import io
import pydoc
import re
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from book.extensions import code
from book.tools import api
from book.tools.chapters import pages, source_of

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTED = re.compile(r"^```\{api\} (\S+)$", re.MULTILINE)
CONFIG = {
    "extensions": [
        "myst_parser",
        "sphinx.ext.mathjax",
        "book.extensions.reference",
        "book.extensions.results_map",
    ],
    "autodoc_typehints": "none",
    "nitpicky": True,
    "nitpick_ignore_regex": [
        ["py:.*", "(matplotlib|numpy|pandas|scipy|sklearn)[.].*"],
        ["py:class", "privml[.]_.*"],
    ],
}


def test_every_public_module_has_a_page_in_the_contents():
    found = [
        name
        for page in pages(ROOT)
        for name in DOCUMENTED.findall(source_of(ROOT, page).read_text())
    ]
    assert sorted(found) == api.chapters_of_reference()


def public_objects():
    """Public classes and functions of the package, as their files define them."""
    for name in api.public_modules():
        module = importlib.import_module(name)
        offered = getattr(module, "__all__", None)
        for label, thing in vars(module).items():
            named = (
                label in offered if offered is not None else not label.startswith("_")
            )
            if (
                named
                and (inspect.isclass(thing) or inspect.isfunction(thing))
                and thing.__module__ == name
            ):
                yield f"{name}.{label}"


def test_every_public_object_is_documented_once_under_a_name_that_imports_it():
    names = [
        n
        for module in api.chapters_of_reference()
        for part in api.outline(module)
        for n in part.names
    ]
    defined = [api.defined_name(pydoc.locate(name)) for name in names]
    assert len(defined) == len(set(defined))
    assert set(public_objects()) <= set(defined)


@pytest.mark.parametrize(
    ("name", "defined"),
    [
        ("privml.Guarantee", "privml.guarantee.promises.Guarantee"),
        (
            "privml.mechanisms.DistanceToInstability.release",
            "privml.mechanisms.base.Mechanism.release",
        ),
        (
            "privml.mechanisms.ExponentialMechanism.scale",
            "privml.mechanisms.base.Selection.scale",
        ),
        ("privml.bounds.hoeffding_tail", "privml.bounds.tails.hoeffding_tail"),
        (
            "privml.bounds.tails.laplace_max_error",
            "privml.bounds.tails.laplace_max_error",
        ),
        ("privml.pac.no_such_name", None),
        ("privml.no_such_module.name", None),
        ("numpy.array", None),
        ("privml.pac", None),
    ],
)
def test_a_name_leads_to_where_it_is_defined(name, defined):
    assert api.resolved(name) == defined


def test_bases_are_the_nearest_public_ones_of_the_package():
    from privml.hypotheses import HypothesisClass, Table
    from privml.mechanisms import (
        ExponentialMechanism,
        Mechanism,
        RandomisedResponse,
        Selection,
    )

    assert api.public_bases(ExponentialMechanism) == [Selection]
    assert api.public_bases(RandomisedResponse) == [Mechanism]
    assert api.public_bases(Table) == [HypothesisClass]
    assert api.public_bases(HypothesisClass) == []


def test_definitions_of_a_file_have_anchors_where_they_begin():
    text = "X = 1\n\n@decorated\ndef f():\n    pass\n\nclass C:\n    def g(self):\n        pass\n"
    assert code.anchors(text) == {1: "X", 3: "f", 7: "C", 8: "C.g"}


def built(root, modules, page="{}"):
    """Warnings of a build of the reference of some modules of the real package."""
    for name in modules:
        text = f"# {name}\n\n```{{api}} {name}\n```\n"
        (root / f"{name.replace('.', '-')}.md").write_text(text)
    toctree = "\n".join(name.replace(".", "-") for name in modules)
    (root / "index.md").write_text(
        f"# Start\n\n{page}\n\n```{{toctree}}\n{toctree}\n```\n"
    )
    (root / "privml").symlink_to(ROOT / "privml")
    warnings = io.StringIO()
    with docutils_namespace():
        folders = root, None, root / "out", root / "trees"
        Sphinx(
            *folders, "dummy", confoverrides=CONFIG, status=None, warning=warnings
        ).build()
    return [
        line
        for line in warnings.getvalue().splitlines()
        if re.search("WARNING|ERROR|CRITICAL", line)
    ]


def test_the_errors_and_warnings_of_the_package_are_on_the_page_that_says_what_to_do():
    page = (ROOT / "book" / "how-to.md").read_text()
    kinds = map(pydoc.locate, public_objects())
    own = [
        kind
        for kind in kinds
        if inspect.isclass(kind) and issubclass(kind, BaseException)
    ]
    assert {kind.__name__ for kind in own} >= {"UnscaledWarning", "Incomplete"}
    row = r"\| .*`[\w.]*\b{}` .*\| .*\| .+ \|"
    assert [
        kind for kind in own if not re.search(row.format(kind.__name__), page)
    ] == []
    assert all(
        api.resolved(name) for name in re.findall(r"\{(?:class|func)\}`([^`]+)`", page)
    )
    assert "errors-and-warnings" in (ROOT / "book" / "api.md").read_text()


@pytest.mark.slow
def test_every_docstring_can_be_read_and_every_reference_in_it_leads_somewhere(
    tmp_path,
):
    assert built(tmp_path, api.chapters_of_reference()) == []


def test_a_module_without_a_page_and_a_name_without_an_object_are_warnings(tmp_path):
    text = "{py:func}`privml.queries.correct_count` {py:func}`privml.queries.no_such_count`"
    found = built(tmp_path, ["privml.queries", "privml.adjacency"], text)
    assert any("privml.audit has no page in the reference" in line for line in found)
    assert [line for line in found if "index.md" in line and "no_such_count" in line]
    assert not [
        line for line in found if "index.md" in line and "correct_count" in line
    ]


def test_a_page_for_no_module_is_an_error(tmp_path):
    found = built(tmp_path, ["privml.no_such_module"])
    assert any("api must name a module directly below privml" in line for line in found)
