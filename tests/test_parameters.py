"""Every public callable says its parameters, what it returns and when it raises, where it stands."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections import defaultdict
from enum import Enum
from functools import cache

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import privml
from privml import _check as check
from privml._vocabulary import TABLE

MODULES = pkgutil.walk_packages(privml.__path__, "privml.")
ROOMS = sorted(
    m.name
    for m in MODULES
    if "._" not in m.name and (m.ispkg or m.name.count(".") == 1)
)
"""Whose docstrings are held to this."""

WORDS = {
    name.strip(): (
        words.strip(),
        [each.strip() for each in ranges.split("|") if each.strip()],
    )
    for names, words, ranges in (line.split(";") for line in TABLE.strip().splitlines())
    for name in names.split(",")
}
RULES = {
    "positive": "positive",
    "non_negative": "non-negative",
    "finite": "finite",
    "probability_open": "in (0, 1)",
    "probability_half_open": "in [0, 1)",
    "unit_interval": "in [0, 1]",
    "share": "in (0, 1]",
    "positive_integer": "positive integer",
    "non_negative_integer": "non-negative integer",
    "positive_rational": "positive",
    "flag": "whether",
}
"""What a parameter's line says of the check that it goes through."""

SAID = {getattr(check, rule): words for rule, words in RULES.items()}
LIMIT = re.compile(
    r"at least|at most|up to|below|above|from|odd|not|finite|positive|in [\[(]|only"
)
"""Words of a line that state a range."""

OPAQUE = re.compile(
    r"ndarray|NDArray|[Tt]uple|Callable|[Dd]ict|[Ll]ist|Any|object|DataFrame"
)
"""What a signature returns without saying much; of others the summary, a noun, says what it is."""

NUMPYDOC = {
    "GL05", "GL06", "GL07", "GL08",  # tabs, unknown sections, their order, no docstring
    "SS01", "SS03", "SS04", "SS06",  # a summary of one line that ends with a period
    "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR08", "PR09", "PR10",  # parameters as they are
    "RT02", "RT03", "RT04", "RT05",  # a Returns section, where there is one
}  # fmt: skip
"""Not chosen: what the house does otherwise.  GL01 to GL03 (text begins beside the quotes), SS02 and
SS05 (symbols; nouns for what is returned), ES01, SA01 and EX01 (only where there is something to say), PR06
(its list of types), RT01 (a summary that is a noun says what is returned: see below)."""


def offered(rooms):
    """Dotted names of the functions and classes that tab completion shows of each room."""
    found = {}
    for room in rooms:
        module = importlib.import_module(room)
        for name in dir(module):
            thing = getattr(module, name)
            ours = getattr(thing, "__module__", "").startswith("privml.")
            raised = inspect.isclass(thing) and issubclass(thing, Enum | Exception)
            if (
                ours
                and not raised
                and (inspect.isclass(thing) or inspect.isfunction(thing))
            ):
                found.setdefault(thing, f"{room}.{name}")
    return found


def code(thing):
    """A function as it is written, or what constructs an instance; None where that is not written."""
    if not inspect.isclass(thing):
        return inspect.unwrap(thing)
    made = {"__init__", "__post_init__"} & set(vars(thing))
    parts = [inspect.unwrap(vars(thing)[name]) for name in sorted(made, reverse=True)]
    written = [
        part
        for part in parts
        if inspect.isfunction(part) and inspect.getmodule(part.__code__)
    ]
    return written[0] if written else None


@cache
def tree(function):
    """Syntax of a function."""
    return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]


def documented(parsed):
    """Names of parameters with their type and the part of the line that is about them."""
    found = {}
    for entry in parsed["Parameters"]:
        names, text = (
            [name.strip("* ") for name in entry.name.split(",")],
            " ".join(entry.desc),
        )
        parts = (
            text.split("; ")
            if text.count("; ") + 1 == len(names)
            else [text] * len(names)
        )
        found |= {
            name: (entry.type, part) for name, part in zip(names, parts, strict=True)
        }
    return found


@cache
def checked(function):
    """Rules that the code, or what it calls, holds each parameter to, as the words that say them."""
    found = defaultdict(set)
    for call in ast.walk(tree(function)):
        if not isinstance(call, ast.Call):
            continue
        called = ast.unparse(call.func)
        passed = [(word.arg, word.value) for word in call.keywords if word.arg]
        target = inspect.unwrap(function.__globals__.get(called))
        if called.startswith("check.") and called.count(".") == 1:
            rule = getattr(check, called[6:])
            for name, value in passed:
                own = (
                    check.positive_integer
                    if name[:2] == "n_"
                    else check._RULES.get(name)
                )
                said = SAID.get(own if rule is check.standard_ranges else rule)
                if said and ast.unparse(value) in (name, f"self.{name}"):
                    found[name].add(said)
        elif (
            inspect.isfunction(target)
            and target.__module__[:7] == "privml."
            and target is not function
        ):
            passed += zip(inspect.signature(target).parameters, call.args, strict=False)
            for name, value in passed:
                if isinstance(value, ast.Name):
                    found[value.id] |= checked(target).get(name, set())
    return dict(found)


def refusals(function):
    """What each `raise` of the code says."""
    nodes = ast.walk(tree(function))
    return [
        ast.unparse(node.exc)
        for node in nodes
        if isinstance(node, ast.Raise) and node.exc
    ]


def faults(thing):
    """What the docstring of a function or a class lacks, as sentences."""
    text = inspect.getdoc(thing) or ""
    parsed, function = NumpyDocString(text), code(thing)
    names = [
        name
        for name in inspect.signature(thing).parameters
        if name != "self" and name[0] != "_"
    ]
    said = documented(parsed)
    found = []
    if list(said) != names:
        found.append(f"parameters {list(said)} for {names}, inherited fields first")
    for name, (kind, part) in said.items():
        whole = part.lower()
        if not kind or "TO" + "DO" in part:
            found.append(f"{name} has no type or no words")
        default = getattr(inspect.signature(thing).parameters.get(name), "default", "")
        if default is None and "None" not in kind + part:
            found.append(
                f"{name} may be None, and what that means is not said: {part!r}"
            )
        here = whole.startswith("here ")
        words, ranges = WORDS.get(
            name, ("number", ("integer",)) if name.startswith("n_") else ("", ())
        )
        if not here and words.lower() not in whole:
            found.append(f"{name} is not called {words!r}: {part!r}")
        if not here and ranges and not any(within in whole for within in ranges):
            found.append(f"{name} is not said to be {' or '.join(ranges)}: {part!r}")
        rules = checked(function).get(name, ()) if function else ()
        stricter = {"positive", "in (0, 1)"} & set(rules) and re.search(
            r"at least|in \(0, ", whole
        )
        if rules and not stricter and not any(rule in whole for rule in rules):
            found.append(
                f"{name} is checked to be {' or '.join(sorted(rules))}: {part!r}"
            )
    if re.search(r"\*\*\w+\.\*\*", text):
        found.append("a bold paragraph stands for a section")
    returned = (
        ""
        if inspect.isclass(thing)
        else str(inspect.signature(thing).return_annotation)
    )
    if OPAQUE.search(returned) and not parsed["Returns"]:
        found.append(f"what is returned is not said: {returned}")
    for refusal in refusals(function) if function else ():
        name = next(
            (name for name in names if re.search(rf"\W{name} must ", refusal)), None
        )
        if not parsed["Raises"] and not (name and LIMIT.search(said[name][1])):
            found.append(f"it is not said when it raises {refusal}")
    return found


SUBJECTS = offered(ROOMS)
PRIVATE_FIELDS = re.compile(r"Parameters \{('_\w+'(, )?)+\} not documented")


@pytest.mark.parametrize("thing", SUBJECTS, ids=SUBJECTS.get)
def test_parameters_returns_and_errors_are_said_where_they_stand(thing):
    assert "\n".join(faults(thing)) == ""


@pytest.mark.parametrize("name", SUBJECTS.values())
def test_numpydoc_finds_nothing_wrong(name):
    found = [fault for fault in validate(name)["errors"] if fault[0] in NUMPYDOC]
    assert [fault for fault in found if not PRIVATE_FIELDS.search(fault[1])] == []


def test_the_vocabulary_has_the_ranges_of_the_checks():
    for name, rule in check._RULES.items():
        ranges = WORDS.get(name, ("", ()))[1]
        assert not ranges or SAID[rule] in ranges, name


HIDES_NOTHING = {"fit_teachers", "independent_parts", "monte_carlo"}
"""Functions that speak of privacy and draw no noise."""

SPENDING = (
    "release",
    "fit",
    "answer",
    "answers",
    "answer_counts",
    "stream",
    "refutes",
    "implies",
    "for_group",
)
"""Methods that spend a budget, or judge a promise; ``run`` is one where there is something to spend."""


def methods():
    """Such methods of all classes, each where it is written."""
    for thing in filter(inspect.isclass, SUBJECTS):
        run = ("run",) if hasattr(thing, "guarantee") else ()
        for method in filter(
            inspect.isfunction, (getattr(thing, name, None) for name in SPENDING + run)
        ):
            home = method.__module__.split(".")[0], method.__qualname__.split(".")[0]
            if home == ("privml", thing.__name__):
                yield method


@pytest.mark.parametrize("method", [*methods()], ids=lambda method: method.__qualname__)
def test_methods_that_spend_list_their_parameters(method):
    said = documented(NumpyDocString(inspect.getdoc(method)))
    assert list(said) == [
        name for name in inspect.signature(method).parameters if name != "self"
    ]
    assert re.search(
        "used twice|[Aa]s of", said.get("rng", ("", "used twice"))[1]
    )  # one seed, one noise


def test_functions_that_draw_for_privacy_say_what_a_seed_gives_away():
    documents = {
        each: NumpyDocString(inspect.getdoc(each))
        for each in SUBJECTS
        if inspect.isfunction(each)
    }
    draw = [each for each, told in documents.items() if "rng" in documented(told)]
    said = {each.__name__: inspect.getdoc(each) for each in draw}
    private = {name for name, text in said.items() if "Privacy." in text} | {"play"}
    assert (
        private - {name for name, text in said.items() if "used twice" in text}
        == HIDES_NOTHING
    )


def untold(method):
    """Parameters of a method that its help neither lists nor names."""
    text, names = inspect.getdoc(method) or "", inspect.signature(method).parameters
    return [
        name
        for name in names
        if name != "self" and not re.search(rf"(?<![\w.]){name}(?!\w)", text)
    ]


def test_help_names_each_parameter_of_every_public_method():
    kinds = filter(inspect.isclass, SUBJECTS)
    shown = (
        m
        for kind in kinds
        for name, m in inspect.getmembers(kind, inspect.isroutine)
        if name[0] != "_"
    )
    ours = [
        method
        for method in shown
        if (getattr(method, "__module__", "") or "").startswith("privml.")
    ]
    assert len(ours) > 300
    assert {
        method.__qualname__: names for method in ours if (names := untold(method))
    } == {}


def rate(epsilon: float, n_samples: int, *, share: float = 0.5) -> float:
    """Rate of nothing.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    n_samples : int
        Number of records, a positive integer.
    share : float
        Part that is spent, in (0, 1].

    Raises
    ------
    ValueError
        If epsilon exceeds n_samples.
    """
    check.standard_ranges(epsilon=epsilon, n_samples=n_samples)
    check.share(share=share)
    if epsilon > n_samples:
        raise ValueError("too much")
    return epsilon * share


def test_a_sound_docstring_has_no_fault():
    assert faults(rate) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "share : float",
            "part : float",
            "parameters ['epsilon', 'n_samples', 'part']",
        ),
        ("share : float\n", "share\n", "share has no type or no words"),
        (
            "Privacy parameter in nats",
            "Privacy budget",
            "epsilon is not called 'privacy parameter in nats'",
        ),
        (
            "nats, positive",
            "nats, in [0, 1]",
            "epsilon is not said to be positive or non-negative",
        ),
        ("nats, positive", "nats, non-negative", "epsilon is checked to be positive"),
        (
            "a positive integer",
            "positive",
            "n_samples is not said to be positive integer",
        ),
        ("in (0, 1]", "in [0, 1]", "share is checked to be in (0, 1]"),
        (
            "    Raises\n    ------\n    ValueError\n        If epsilon exceeds n_samples.\n",
            "",
            "it is not said when it raises ValueError('too much')",
        ),
    ],
)
def test_a_fault_of_a_docstring_is_seen(monkeypatch, old, new, fault):
    assert old in rate.__doc__
    monkeypatch.setattr(rate, "__doc__", rate.__doc__.replace(old, new))
    assert [found for found in faults(rate) if found.startswith(fault)]


def test_what_none_means_and_an_array_holds_is_to_be_said(monkeypatch):
    monkeypatch.setattr(rate, "__kwdefaults__", {"share": None})
    monkeypatch.setitem(rate.__annotations__, "return", "NDArray")
    none, array = faults(rate)
    assert (
        none
        == "share may be None, and what that means is not said: 'Part that is spent, in (0, 1].'"
    )
    assert array == "what is returned is not said: NDArray"


def test_a_bold_paragraph_in_place_of_a_section_is_seen(monkeypatch):
    monkeypatch.setattr(rate, "__doc__", rate.__doc__ + "\n    **Privacy.** None.\n")
    assert "a bold paragraph stands for a section" in faults(rate)
