"""Wheels that the site brings itself: the library, and the accountant, which the public lock does not have.

dp-accounting asks for dm-tree, which has no build for browsers and which none of its modules imports. Wheels
are packed from what is installed, without their tests; whoever loads them loads `NEEDS` first. The same files
give the same bytes.
"""

import base64
import hashlib
import subprocess
import sys
from importlib.metadata import PackagePath, distribution
from pathlib import Path

from book.tools import archive
from book.tools.chapters import ROOT

OWN = {
    "absl-py": "absl",
    "dp-accounting": "dp_accounting",
}  # the distribution and the module it brings
NEEDS = ["attrs", "mpmath", "numpy", "scipy"]  # which the public lock has


def build(folder: Path) -> Path:
    """Build the wheel of the library into a folder that has none; its path."""
    command = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        str(folder),
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


def _kept(path: PackagePath) -> bool:
    """Whether a browser needs an installed file: no bytecode, no test, no record of this installation."""
    left_out = (
        path.suffix == ".pyc"
        or path.stem.endswith("_test")
        or {"..", "testing"} & set(path.parts)
    )
    of_installer = path.name in {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}
    return not left_out and not (of_installer and path.parts[0].endswith(".dist-info"))


def pack(name: str, folder: Path) -> Path:
    """Write the wheel of an installed distribution of Python modules into a folder; its path."""
    found = distribution(name)
    files = {
        path.as_posix(): path.read_binary()
        for path in sorted(found.files or [])
        if _kept(path)
    }
    [head] = {place.partition("/")[0] for place in files if ".dist-info/" in place}
    sums = {
        place: base64.urlsafe_b64encode(hashlib.sha256(text).digest())
        for place, text in files.items()
    }
    record = [
        f"{place},sha256={sums[place].decode().rstrip('=')},{len(files[place])}\n"
        for place in files
    ]
    files[f"{head}/RECORD"] = "".join([*record, f"{head}/RECORD,,\n"]).encode()
    return archive.write(
        folder / f"{head.removesuffix('.dist-info')}-py3-none-any.whl", files.items()
    )
