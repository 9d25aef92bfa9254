"""The shape of the code: layers, sizes, and what importing it costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A module imports only from lower layers. The checks and searches lie below everything.
LAYERS = {
    "_exports": -4,
    "_wrapping": -3,
    "_vocabulary": -3,
    "_check": -2,
    "_once": -2,
    "_optional": -2,
    "_rounding": -1,
    "_search": -1,
    "_display": -1,
    "_records": -1,
    "coins": -1,
    "adjacency": 0,
    "distributions": 0,
    "divergences": 0.5,
    "hypotheses": 0,
    "datasets": 0,
    "guarantee": 1,
    "queries": 1,
    "populations": 1,
    "composition": 2,
    "bounds": 2,
    "mechanisms": 2,
    "audit": 3,
    "composed": 3,
    "counterexamples": 3,
    "pac": 3,
    "statistics": 3,
    "learners": 4,
    "pate": 4,
    "learnability": 5,
    "results": 6,
    "figures": 6,
    "notebook": 8,
}

# Files of one package do not import each other, but for its `base` and where one stands on another by nature:
# theorems on theorems, figures on their style. Files that are not named stand on top of those that are.
STACKS = {
    "guarantee": [{"conversions"}],
    "audit": [{"noise_pairs"}],
    "composition": [{"lattice", "sums"}, {"bracket", "steps"}],
    "distributions": [{"noise"}],
    "divergences": [{"finite"}, {"noise"}],
    "mechanisms": [
        {"transcript_distribution"},
        {"additive", "discrete", "selection"},
    ],
    "bounds": [
        {"sublevel", "tails"},
        {"experts", "fast_rates", "private_pac", "statistical_queries"},
        {"pate"},
    ],
    "populations": [{"noise"}],
    "learners": [
        {"experts", "exponential", "pipelines", "preprocessing"},
        {"penalised_erm", "perturbation"},
    ],
    "learners.experts": [{"majority"}],
    "learners.statistical_queries": [{"oracles"}, {"learners"}],
    "learners.penalised_erm": [
        {"cut_off"},
        {"domains"},
        {"risks"},
        {"distributions"},
        {"envelopes"},
        {"bounded_chain"},
        {"proximal"},
    ],
    "figures": [{"style"}],
    "statistics": [{"estimates"}, {"counts", "numbers"}],
    "results": [{"runs"}, {"table4", "best_private_learner_times", "private_erm"}],
    "pate": [
        {"teachers", "votes"},
        {"active", "aggregation", "counts"},
        {"disagreement", "noisy_votes", "sparse_vector"},
        {"labels"},
    ],
    "learnability": [
        {"problem"},
        {"learners", "problems", "program", "stability"},
        {"optimal", "risks"},
    ],
}
HEAVY = {"IPython", "joblib", "matplotlib", "pandas", "scipy", "sklearn"}


def modules(root):
    """Every module of the package below `root`: its parts after ``privml`` and its syntax tree."""
    for file, top in [
        *((file, root / "privml") for file in sorted((root / "privml").rglob("*.py"))),
        *((file, root) for file in sorted((root / "results").glob("*.py"))),
    ]:
        parts = file.relative_to(top).with_suffix("").parts
        yield (
            tuple(part for part in parts if part != "__init__"),
            ast.parse(file.read_text()),
        )


def imported(tree):
    """Dotted names of what a module imports, wherever the import stands; relative ones begin with a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            whole = module == "privml" or not module.strip(".")
            yield from (
                [f"{module}.{alias.name}" for alias in node.names]
                if whole
                else [module]
            )


def height(package, name):
    """Position of a part of a package in its stack."""
    stack = STACKS.get(".".join(package), [])
    return next(
        (level for level, names in enumerate(stack) if name in names), len(stack)
    )


def is_allowed(importer, target):
    """Whether one module may import the other, both given by their parts after ``privml``."""
    if not importer or not target:
        return not importer
    if importer[0] != target[0]:
        return target[0] in LAYERS and LAYERS[target[0]] < LAYERS[importer[0]]
    pairs = enumerate(zip(importer, target, strict=False))
    depth = next((n for n, (a, b) in pairs if a != b), min(len(importer), len(target)))
    if depth in (len(importer), len(target)):
        return depth == len(importer)
    package = importer[:depth]
    return target[-1] == "base" or height(package, target[depth]) < height(
        package, importer[depth]
    )


def upward_imports(root):
    """Imports that break the layers, as sentences."""
    for importer, tree in modules(root):
        for name in imported(tree):
            first, *target = name.split(".")
            if first in {"privml", ""} and not (
                first and is_allowed(importer, tuple(target))
            ):
                yield f"privml.{'.'.join(importer)} imports {name}"


def test_every_module_has_a_layer():
    assert {parts[0] for parts, _ in modules(ROOT) if parts} <= set(LAYERS)


def test_imports_go_downwards_only():
    assert list(upward_imports(ROOT)) == []


UPWARD = [
    ("guarantee/base.py", "from privml.learners import ERM"),
    ("divergences/base.py", "from privml import guarantee"),
    ("audit.py", "def late():\n    import privml.pac"),
    ("mechanisms/selection.py", "from privml.mechanisms.discrete import anything"),
    ("bounds/tails.py", "from privml.bounds.private_pac import anything"),
    ("mechanisms/selection.py", "from privml.mechanisms import anything"),
    (
        "mechanisms/nested/runs.py",
        "from privml.mechanisms.nested.other import anything",
    ),
    ("mechanisms/nested/runs.py", "from privml.mechanisms.stability import anything"),
    ("figures/style.py", "from privml.figures.topic import anything"),
    ("adjacency.py", "import privml"),
    ("adjacency.py", "from . import _search"),
]
DOWNWARD = [
    ("guarantee.py", "from privml import _check as check"),
    ("mechanisms/selection.py", "from privml.mechanisms.base import Mechanism"),
    ("bounds/private_pac.py", "from privml.bounds.tails import anything"),
    ("bounds/__init__.py", "from privml.bounds.private_pac import anything"),
    ("learners/topic/__init__.py", "from privml.learners.topic.part import anything"),
    ("figures/topic.py", "from privml.figures.style import line"),
    ("mechanisms/nested/runs.py", "from privml.mechanisms.nested.base import anything"),
    ("mechanisms/nested/runs.py", "from privml.mechanisms.base import anything"),
    ("notebook.py", "from privml.figures.style import picture"),
]


@pytest.mark.parametrize(("place", "line"), UPWARD + DOWNWARD)
def test_an_upward_import_is_seen_and_a_downward_one_allowed(tmp_path, place, line):
    file = tmp_path / "privml" / place
    file.parent.mkdir(parents=True)
    file.write_text(line + "\n")
    assert len(list(upward_imports(tmp_path))) == ((place, line) in UPWARD)


def test_only_figures_import_matplotlib_and_nothing_imports_pyplot_with_its_global_state():
    names = [(parts, name) for parts, tree in modules(ROOT) for name in imported(tree)]
    assert {
        parts[0] for parts, name in names if name.split(".")[0] == "matplotlib"
    } == {"figures"}
    assert [
        parts for parts, name in names if "pyplot" in name or name == "matplotlib.pylab"
    ] == []


def test_what_the_library_alone_does_without_is_imported_where_it_is_needed_only():
    """Of the extra `notebook`; `wanted` names it, and `joblib` comes with scikit-learn."""
    pairs = (
        (parts[0], name)
        for parts, tree in modules(ROOT)
        if parts
        for name in imported(tree)
    )
    found = {(room, name.split(".")[0]) for room, name in pairs}
    ours = {"privml", "", "numpy", "scipy", "sklearn", "joblib", "threadpoolctl"}
    typing_only = {(room, "pandas") for room in ("notebook", "results", "figures")}
    optional = {("_optional", "tqdm"), ("figures", "matplotlib"), ("figures", "cycler")}
    optional |= {("results", "distributed"), ("results", "diffprivlib")}
    foreign = {
        pair for pair in found if pair[1] not in ours | set(sys.stdlib_module_names)
    }
    assert foreign <= typing_only | optional


def test_importing_privml_imports_nothing_heavy():
    code = "import sys, privml; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert not HEAVY & set(loaded.split())


def hidden_randomness(tree):
    """Uses of global random state: numpy's module-level functions, and the standard library's module."""
    allowed = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in {
            "np.random",
            "numpy.random",
        }:
            if node.attr not in allowed:
                yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and node.module in {
            "numpy.random",
            "random",
        }:
            yield from (alias.name for alias in node.names if alias.name not in allowed)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name == "random")


def test_no_randomness_is_global():
    assert [use for _, tree in modules(ROOT) for use in hidden_randomness(tree)] == []


@pytest.mark.parametrize(
    "code", ["np.random.seed(0)", "import random", "from numpy.random import rand"]
)
def test_global_randomness_is_seen(code):
    assert len(list(hidden_randomness(ast.parse(code)))) == 1
