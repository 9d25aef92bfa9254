"""A book of two pages about a source of four items, built by Sphinx alone, in this process."""

import io
from pathlib import Path
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

INVENTORY = r"""
- id: L4-thm-one
  source: L4
  kind: theorem
  title: A bound of order $\sqrt n$ & <b>no</b> markup
  statement: For all $n$ the bound $x<y$ holds.
  tier: core
  errata:
  - {issue: "typo: the sum <i> over n_{1} is printed", argument: See S16-lem-two., corrected: $\sum_i x_i$,
     confidence: high, type: typo}
  - {issue: false for large ε, argument: Checked at ε=2., corrected: As in the statement.,
     confidence: medium, type: wrong}
- {id: L4-def-two, source: L4, kind: definition, title: Two, statement: It is 2., tier: support, errata: null}
- {id: L4-rem-three, source: L4, kind: remark, title: Three, statement: It is 3., tier: context, errata: null}
- id: S16-lem-two
  source: S16
  kind: lemma
  title: Two again
  statement: It is $2$.
  tier: core
  errata: [{issue: none, argument: none, corrected: none, confidence: low, type: refuted}]
"""

PACKAGE = '''"""A package."""


def bound(n):
    """Return a bound.

    References
    ----------
    L4-thm-one, and the definition L4-def-two.
    """


class Law:
    """A law."""

    def mass(self):
        """Return a mass, S16-lem-two."""
'''

TESTS = """import pytest


@pytest.mark.source("L4-thm-one")
def test_the_bound_holds():
    assert 1 < 2


@pytest.mark.erratum("L4-thm-one/2")
@pytest.mark.source("L4-thm-one", "S16-lem-two")
def test_the_printed_bound_fails():
    assert 2 > 1
"""

START = """# Start

(l4-def-two)=
```{prf:theorem} A bound
:label: l4-thm-one

It is $x$.
```

```{prf:remark}
:label: rem-free

Free.
```

A note: {erratum}`L4-thm-one/2`, {item}`S16-lem-two`.

```{toctree}
results
errata
index-of-terms
```
"""

PAGES = {
    "index.md": START,
    "results.md": "# Results\n\n```{results-map}\n```\n",
    "errata.md": "# Errata\n\n```{errata}\n```\n",
    "index-of-terms.md": "# Index\n\n```{general-index}\n```\n",
}

EXTENSIONS = ["myst_parser", "sphinx_proof", "sphinx.ext.mathjax"]
OURS = [
    "book.extensions.checked",
    "book.extensions.errata",
    "book.extensions.general_index",
    "book.extensions.results_map",
]
OURS += ["book.extensions.backlinks", "book.extensions.statements"]


STATIC = Path(__file__).resolve().parents[3] / "book" / "_static"


class Built(NamedTuple):
    """A small book after its build: the pages, and the warnings."""

    root: Path
    app: Sphinx
    warnings: str

    def page(self, name: str) -> BeautifulSoup:
        """One finished page."""
        text = (self.root / "out" / f"{name}.html").read_text(encoding="utf-8")
        return BeautifulSoup(text, "html.parser")


def write(root: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def build(root: Path, extensions: list[str]) -> Built:
    """Build the pages of a folder; nothing is kept from an earlier build."""
    settings = {
        "extensions": EXTENSIONS + extensions,
        "myst_enable_extensions": ["dollarmath"],
        "exclude_patterns": ["out", "trees"],
        "html_static_path": [str(STATIC)],
        "html_theme": "basic",
        "html_use_index": False,
        "nitpicky": True,
        "numfig": True,
    }
    warnings = io.StringIO()
    folders = root, None, root / "out", root / "trees"
    options = {
        "confoverrides": settings,
        "status": None,
        "warning": warnings,
        "freshenv": True,
    }
    with docutils_namespace():
        app = Sphinx(*folders, "html", **options)
        app.build()
    return Built(root, app, warnings.getvalue())


@pytest.fixture(scope="session")
def sources():
    """Files of the small book."""
    files = {
        "book/inventory.yml": INVENTORY,
        "privml/bounds.py": PACKAGE,
        "tests/test_bounds.py": TESTS,
    }
    return files | PAGES


@pytest.fixture(scope="session")
def small(tmp_path_factory, sources):
    """The small book, built once."""
    root = tmp_path_factory.mktemp("small")
    write(root, sources)
    return build(root, OURS)


@pytest.fixture
def built(tmp_path):
    """Build a book of the given files."""

    def run(files: dict[str, str]) -> Built:
        write(tmp_path, files)
        return build(tmp_path, OURS)

    return run


@pytest.fixture
def built_with(built, sources):
    """Build the small book with a text in one of its files replaced."""

    def run(name: str, old: str, new: str) -> Built:
        assert old in sources[name]
        return built(sources | {name: sources[name].replace(old, new)})

    return run
