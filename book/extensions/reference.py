"""The reference of the package, made from its docstrings: ``{api} privml.bounds`` documents one module.

An object is documented under the name that users write. Links find it by that name and by the name under
which its file defines it. Of what only serves the chapters, tables, pictures and checkers, the first sentence
is shown; the rest is one click away, with its source.
"""

import importlib
import inspect
import pydoc
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Parser, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import new_document
from jinja2 import Environment, FileSystemLoader, Template
from numpydoc import docscrape_sphinx
from numpydoc.docscrape import get_doc_object
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from book.extensions import locations, typeset
from book.tools import api

logger = logging.getLogger(__name__)
_FOR_CHAPTERS = (f"{api.PACKAGE}.figures.",)
_KINDS = {
    "class_doc": docscrape_sphinx.SphinxClassDoc,
    "func_doc": docscrape_sphinx.SphinxFunctionDoc,
    "obj_doc": docscrape_sphinx.SphinxObjDoc,
}


def directive_lines(name: str) -> list[str]:
    """Directives that document one class or function."""
    thing = pydoc.locate(name)
    if not inspect.isclass(thing):
        return [f".. autofunction:: {name}", ""]
    shown = ["   :show-inheritance:"] if api.public_bases(thing) else []
    return [
        f".. autoclass:: {name}",
        "   :members:",
        "   :inherited-members:",
        *shown,
        "",
    ]


class Api(SphinxDirective):
    """Directive ``{api} module``: its docstring, its objects, then the same for each of its files."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Nodes of the module and one section a file."""
        name = self.arguments[0]
        if name not in api.chapters_of_reference():
            raise self.error(
                f"api must name a module directly below {api.PACKAGE}, got {name!r}"
            )
        made: list[nodes.Node] = []
        for part in api.outline(name):
            content = self.parsed(part)
            if part.module == name:
                made += content
            elif content:
                title = part.module.removeprefix(f"{name}.")
                made.append(typeset.section(title, f"file-{part.module}", *content))
        return made

    def parsed(self, part: api.Part) -> list[nodes.Node]:
        """Nodes of one file."""
        module = importlib.import_module(part.module)
        kept = locations.store(self.env)
        kept["modules"][part.module] = (self.env.docname,)
        self.env.note_dependency(module.__file__)
        lines = [
            f".. automodule:: {part.module}",
            "",
            f".. py:currentmodule:: {part.module}",
            "",
        ]
        for name in part.names:
            kept["aliases"][api.defined_name(pydoc.locate(name))] = (
                self.env.docname,
                name,
            )
            lines += directive_lines(name)
        return restructured("\n".join(lines), self)


class ApiContents(SphinxDirective):
    """Directive ``{api-contents}``: the package's own docstring and the first sentence of each module."""

    def run(self) -> list[nodes.Node]:
        """The docstring, and a table with one row a module."""
        package = importlib.import_module(api.PACKAGE)
        self.env.note_dependency(package.__file__)
        rows = []
        for name in api.chapters_of_reference():
            module = importlib.import_module(name)
            self.env.note_dependency(module.__file__)
            first = inspect.getdoc(module).split("\n\n")[0]
            cells = [restructured(f":py:mod:`{name}`", self), restructured(first, self)]
            rows.append(typeset.row(cells))
        lines = f".. automodule:: {api.PACKAGE}\n"
        return [
            *restructured(lines, self),
            typeset.table(["Module", "What it holds"], rows, ("modules",)),
        ]


def _bar(self: Inliner, match: re.Match, lineno: int) -> tuple[str, list, str, list]:
    """Read ``|H|`` as the size of H: docstrings know no substitutions."""
    end = match.end("start")
    return match.string[:end], [], match.string[end:], []


def restructured(text: str, directive: SphinxDirective) -> list[nodes.Node]:
    """Nodes of reStructuredText, in whatever markup the page is written."""
    page = directive.state.document
    document = new_document(page["source"], page.settings)
    document.reporter = page.reporter
    default = roles._roles.get("")
    inliner = Inliner()
    inliner.dispatch = Inliner.dispatch | {"|": _bar}
    Parser(inliner=inliner).parse(text, document)
    if default is not None:
        roles._roles[""] = default
    for node in document.findall():
        node.document = page  # or each page would be kept with many documents in it
    return list(document.children)


def skip_member(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out what a class inherits from elsewhere: other packages, or a base class with its own entry."""
    wrapped = (
        getattr(thing, attribute, None) for attribute in ("fget", "func", "__func__")
    )
    function = next(filter(None, wrapped), thing)
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    if type(thing).__name__ == "_tuplegetter":
        return True  # a field of a named tuple; its class describes it
    if what != "class" or name.startswith("_") or not owner:
        return None
    if not (getattr(function, "__module__", None) or "").startswith(api.PACKAGE):
        return True
    current = app.env.temp_data.get("autodoc:class", "")
    return True if owner != current and not owner.startswith("_") else None


def numpy_sections(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Turn numpydoc's sections into markup; its own extension compiles its template anew for every object."""
    if what == "module":
        return
    if name.startswith(_FOR_CHAPTERS):
        lines[lines.index("") if "" in lines else len(lines) :] = []
    else:
        config = {"show_class_members": False, "template": _template()}
        doc = get_doc_object(
            thing, what=what, doc="\n".join(lines), config=config, **_KINDS
        )
        lines[:] = str(doc).split("\n")


@cache
def _template() -> Template:
    folder = Path(docscrape_sphinx.__file__).parent / "templates"
    return Environment(loader=FileSystemLoader(folder)).get_template(
        "numpydoc_docstring.rst"
    )


def only_public_bases(
    app: Sphinx, name: str, thing: type, options: Any, bases: list
) -> None:
    """Name the nearest public base classes of the package."""
    bases[:] = api.public_bases(thing)


def resolve(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Node
) -> nodes.Node | None:
    """Find an object by any name under which it can be imported."""
    if node.get("refdomain") != "py":
        return None
    module, cls = node.get("py:module"), node.get("py:class")
    for scope in [(module,), (module, cls), ()]:
        name = api.resolved(".".join(filter(None, [*scope, node["reftarget"]])))
        place = locations.of_symbol(env, name) if name else None
        if place is not None:
            return locations.link(app.builder, node["refdoc"], place, content)
    return None


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of public modules without a page, when the book has a reference at all."""
    kept = locations.store(env)["modules"]
    missing = (
        [name for name in api.public_modules() if name not in kept] if kept else []
    )
    for name in missing:
        page = ".".join(name.split(".")[:2])
        logger.warning(
            f"{name} has no page in the reference: a page below book/api must hold {{api}} {page}"
        )


def setup(app: Sphinx) -> None:
    for name in ("sphinx.ext.autodoc", "book.extensions.backlinks"):
        app.setup_extension(name)
    app.add_directive("api", Api)
    app.add_directive("api-contents", ApiContents)
    app.connect("autodoc-process-docstring", numpy_sections)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-bases", only_public_bases)
    app.connect("missing-reference", resolve)
    app.connect("env-check-consistency", check)
