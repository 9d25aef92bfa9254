"""Whether the signatures of the package hold: for its own code, and for a reader who follows its examples.

    python -m book.typed

Every example of a docstring becomes a function in ``_build/typed/examples.py`` that imports what the example
uses, and mypy checks that file beside the package (``[tool.mypy]`` in ``pyproject.toml``): a signature that
is narrower than what is documented is a fault. What ``tests/assert_types.py`` says is checked as well, and,
less strictly, the build, but for what hangs on Sphinx (``book.extensions``).
"""

import ast
import doctest
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from book.tools.chapters import ROOT, write_whole

EXAMPLES = Path("_build") / "typed" / "examples.py"
# Their types say "or nothing" (a draw may fail, a parameter is found), or take what has none.
OPEN = {
    "DiscreteGaussianMechanism",
    "GaussianMechanism",
    "PrivateParityLearner",
    "PrivateSQClassifier",
}
OPEN |= {"fit_teachers", "ridge_draw", "sensitivity_of"}
_DOCUMENTED = ast.FunctionDef | ast.ClassDef | ast.Module


def _imports(tree: ast.Module, module: str) -> dict[str, str]:
    """The statement that imports each name which an example of the module may use."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                one = type(node)(**{**vars(node), "names": [alias]})
                found[alias.asname or alias.name.partition(".")[0]] = (
                    ast.unparse(one) + "\n"
                )
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [getattr(node, "target", node)]
        )
        for target in targets:
            name = getattr(target, "id", getattr(target, "name", ""))
            if name:
                found[name] = f"from {module} import {name}\n"
    return found


def examples(file: Path, module: str) -> Iterator[str]:
    """A function for each docstring of a file that has examples."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    known = _imports(tree, module)
    stub = file.with_suffix(".pyi")  # of a package that fills itself with names
    if stub.exists():
        known |= _imports(ast.parse(stub.read_text(encoding="utf-8")), module)
    documented = [node for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)]
    for number, node in enumerate(documented):
        lines = [
            one.source
            for one in doctest.DocTestParser().get_examples(
                ast.get_docstring(node) or ""
            )
        ]
        called = getattr(node, "name", "module")
        if lines and called not in OPEN:
            read = [
                part
                for part in ast.walk(ast.parse("".join(lines)))
                if isinstance(part, ast.Name)
            ]
            names = {part.id for part in read} - {
                part.id for part in read if isinstance(part.ctx, ast.Store)
            }
            body = [known.get(name, "") for name in sorted(names)] + lines
            name = f"{module.replace('.', '_')}_{called}_{number}"
            yield f"def {name}() -> None:\n{textwrap.indent(''.join(body), '    ')}"


def write(root: Path) -> Path:
    """Write the examples of the package into one file."""
    found = []
    for file in sorted((root / "privml").rglob("*.py")):
        module = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        found += examples(file, module)
    write_whole(root / EXAMPLES, "\n\n".join(found))
    return root / EXAMPLES


def main() -> int:
    checked = [
        "privml",
        "book",
        str(write(ROOT).relative_to(ROOT)),
        "tests/assert_types.py",
    ]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *checked], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
