"""What stands in for IPython in a live page: cells run in one namespace, and what they show is caught.

Runs inside Pyodide. `run_cell` returns the outputs of one cell as JSON: MIME bundles, printed text, an error.
"""

import base64
import io
import json
import linecache
import sys
import traceback
import types
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module

from pyodide.code import eval_code

SHOWN = (
    "text/plain",
    "text/html",
    "text/markdown",
    "image/png",
    "application/vnd.privml.figure+json",
)
names = {"__name__": "__main__"}
shown = []


def plain(bundle):
    """A MIME bundle as JSON holds it: what a page can show, and numbers for its sentences."""
    kept = {
        kind: data
        for kind, data in bundle.items()
        if kind in SHOWN or "papermill" in kind
    }
    return {
        k: base64.b64encode(v).decode() if isinstance(v, bytes) else v
        for k, v in kept.items()
    }


def display(*things, raw=False, metadata=None, **options):
    """Note what a cell shows."""
    for thing in things:
        html = (
            {"text/html": thing._repr_html_()} if hasattr(thing, "_repr_html_") else {}
        )
        data = plain(thing) if raw else html | {"text/plain": repr(thing)}
        shown.append({"data": data, "metadata": metadata or {}})


class Printed(io.TextIOBase):
    """What a cell prints, in its place among what it shows."""

    def write(self, text):
        if not (shown and "printed" in shown[-1]):
            shown.append({"printed": ""})
        shown[-1]["printed"] += text
        return len(text)


def named(given):
    """The numbers among the parameters, as the text calls them: `book.tools.named_numbers`."""
    from privml.notebook import GLUE_PREFIX, formatted

    for name in [name for name in given if isinstance(names.get(name), (int, float))]:
        record = {GLUE_PREFIX + "text/plain": formatted(names[name], None)}
        display(record, raw=True, metadata={"scrapbook": {"name": f"given-{name}"}})


def unanswered(error):
    """A sentence where a checker was given None, on which it stumbled; else nothing."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        given = code.co_varnames[: code.co_argcount]
        if code.co_name.startswith("check_") and any(
            frame.f_locals.get(name, 0) is None for name in given
        ):
            return f"{code.co_name} has no answer to check yet: it was given None"
    return ""


def run_cell(code, number, given=()):
    """Run one cell and return what it shows; that of the parameters names the numbers in `given`."""
    shown.clear()
    place = f"<cell {number + 1}>"
    linecache.cache[place] = (len(code), None, code.splitlines(keepends=True), place)
    try:
        with redirect_stdout(Printed()), redirect_stderr(io.StringIO()):
            if (last := eval_code(code, globals=names, filename=place)) is not None:
                display(last)
            named(given)
    except BaseException as error:
        shown.append(
            {
                "error": unanswered(error)
                or "".join(traceback.format_exception(error, limit=-3))
            }
        )
    return json.dumps(shown)


class Late(types.ModuleType):
    """A module that is executed when it is used: scikit-learn imports scipy.stats for one function."""

    def __getattr__(self, name):
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
module.display = names["display"] = display
package.display, package.version_info, package.get_ipython = (
    module,
    (9, 0),
    lambda: None,
)
sys.modules |= {
    "IPython": package,
    "IPython.display": module,
    "scipy.stats": Late("scipy.stats"),
}
