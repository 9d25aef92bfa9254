"""Search results that come first: the words of ``book/search-terms.yml`` lead to their section.

The search of Sphinx orders pages by how often a word stands in them, and puts the main entries of an index
before all pages. The words become such entries, for the search alone.
"""

import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)


def read(root: Path) -> dict[str, dict[str, list[str]]]:
    """Of each page the headings that answer a search, and the words of the search."""
    file = root / "book" / "search-terms.yml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}


def heading_of(title: str) -> str:
    """A heading as the list names it: that of a unit is its question."""
    return re.sub(r"^Unit \d+: ", "", title)


def _anchors(doctree: nodes.document) -> dict[str, str]:
    """The anchor of each heading of a page; the empty heading stands for the page itself."""
    found = {"": ""}
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        if title is not None and section["ids"]:
            found[heading_of(title.astext())] = section["ids"][0]
    return found


def add_entries(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give a page index entries for its search words, which its HTML does not show."""
    anchors = _anchors(doctree)
    for heading, words in app.config.search_terms.get(docname, {}).items():
        if heading not in anchors:
            LOG.warning(f"book/search-terms.yml: {docname} has no heading {heading!r}.")
            continue
        entries = [("single", word, anchors[heading], "main", None) for word in words]
        doctree.insert(0, addnodes.index(entries=entries))


def _configured(app: Sphinx, config) -> None:
    config.search_terms = read(Path(app.srcdir))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the entries once a page's references are resolved, before the search reads it."""
    app.add_config_value("search_terms", {}, "env")
    app.connect("config-inited", _configured)
    app.connect("doctree-resolved", add_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
