"""The Lab: the notebooks for students in JupyterLite, below ``live/`` of the finished site.

    python -m book.lab      what `make lab` does once the pages are there

JupyterLite's own build unpacks it; this module adds what the book has: the notebooks and their list, the
lock of the kernel with the wheels of the library and the accountant in it, and a link at the top of each
chapter. Wheels and runtime are those of the live pages (`book/extensions/live_bar.py`), in the site once.
Pages that are made anew take the Lab away (`remove`), so it is never older than they are, and no link to it
leads nowhere.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from jupyterlite_core.constants import JSON_FMT
from jupyterlite_pyodide_kernel import constants as kernel

from book.tools import archive, chapters, command, wheels
from book.tools.chapters import ROOT

LIVE, NOTEBOOK = "_static/live", "downloads/{topic}-for-students.ipynb"
NEEDS = ["ipython", "matplotlib", "numpy", "pandas", "scikit-learn", "scipy", "tqdm"]
EPOCH = "1980-01-01T00:00:00Z"  # time of every file, as in a zip
EXTENSION = Path(
    sys.prefix,
    "share",
    "jupyter",
    "labextensions",
    *kernel.PYODIDE_KERNEL_NPM_NAME.split("/"),
)
_UNUSED = (
    "build/fa-*.eot",
    "build/fa-*.svg",
    "build/fa-*.ttf",
    "build/fa-*.woff",
    "rspack.config*.js",
)
_LINES = '<p class="chapter-downloads">'
_LINK = '<a class="lab-link" href="../live/lab/index.html?path={topic}.ipynb">Open it in the Lab</a>. '
LINKED = re.compile(r'<a class="lab-link"[^>]*>[^<]*</a>\. ')


def page_of(html: Path, topic: str) -> Path:
    """The finished page of a chapter."""
    return html / "notebooks" / f"{topic}.html"


def remove(root: Path) -> None:
    """Take the Lab and the links to it out of the site."""
    html = root / "_build" / "html"
    shutil.rmtree(html / "live", ignore_errors=True)
    for page in (html / "notebooks").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        if (without := LINKED.sub("", text)) != text:
            chapters.write_whole(page, without)


def link(html: Path, topic: str) -> None:
    """Put the link before the downloads of a chapter."""
    text = LINKED.sub("", page_of(html, topic).read_text(encoding="utf-8"))
    if _LINES not in text:
        raise ValueError(
            f"{topic}: the page has no line of downloads, where the link to the Lab belongs"
        )
    whole = text.replace(_LINES, _LINES + _LINK.format(topic=topic), 1)
    chapters.write_whole(page_of(html, topic), whole)


def unpack(site: Path) -> None:
    """JupyterLite with the kernel, without what no browser loads."""
    folders = ["--lite-dir", str(site.parent), "--output-dir", str(site)]
    command = [
        sys.executable,
        "-m",
        "jupyterlite_core",
        "build",
        *folders,
        "--apps",
        "lab",
    ]
    command += [
        "--no-sourcemaps",
        "--no-unused-shared-packages",
        "--no-libarchive",
        "--ignore-sys-prefix",
    ]
    command += [f"--LiteBuildConfig.federated_extensions={EXTENSION}"]
    told = {"env": os.environ | {"SOURCE_DATE_EPOCH": "315532800"}, "cwd": site.parent}
    done = subprocess.run(command, check=False, capture_output=True, text=True, **told)
    if done.returncode:
        raise ValueError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    for pattern in _UNUSED:
        for path in site.glob(pattern):
            path.unlink()


def add_notebooks(html: Path, topics: list[str], site: Path) -> None:
    """Copy the notebooks, with the name that the kernel has here, and write their list."""
    listed = []
    for topic in topics:
        made = json.loads(
            (html / NOTEBOOK.format(topic=topic)).read_text(encoding="utf-8")
        )
        made["metadata"]["kernelspec"] = {
            "name": "python",
            "display_name": "Python (Pyodide)",
        }
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        chapters.write_whole(site / "files" / f"{topic}.ipynb", text)
        listed.append(
            _entry(f"{topic}.ipynb", "notebook") | {"size": len(text.encode())}
        )
    whole = _entry("", "directory") | {"format": "json", "content": listed}
    chapters.write_whole(
        site / "api" / "contents" / "all.json", json.dumps(whole, **JSON_FMT)
    )


def _entry(name: str, kind: str) -> dict[str, Any]:
    """A file as Jupyter's contents list it."""
    told = {
        "name": name,
        "path": name,
        "type": kind,
        "created": EPOCH,
        "last_modified": EPOCH,
    }
    return told | {"content": None, "format": None, "mimetype": None, "writable": True}


def _locked(
    wheel: Path, address: str, imports: list[str], depends: list[str]
) -> dict[str, Any]:
    """What a lock says of one wheel."""
    name, version, *_ = wheel.name.split("-")
    told = {
        "name": name,
        "version": version,
        "file_name": address,
        "imports": imports,
        "depends": depends,
    }
    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    kind = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
    return told | kind | {"sha256": sha256}


def _empty_wheel(folder: Path, name: str) -> Path:
    """A wheel without modules: the kernel insists on jedi, and does without where it cannot be imported."""
    told = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "".join(
            f"{name}-0.dist-info/{file},,\n" for file in ("METADATA", "WHEEL", "RECORD")
        ),
    }
    files = (
        (f"{name}-0.dist-info/{file}", text.encode()) for file, text in told.items()
    )
    return archive.write(folder / f"{name}-0-py3-none-any.whl", files)


def lock(site: Path, wheel: Path, folder: str) -> dict[str, Any]:
    """The lock of the runtime in a folder, or at the public address, with the library's wheel.

    Addresses are relative to ``live/static``, where the lock lies.
    """
    published = ROOT / "book" / f"pyodide-lock-{kernel.PYODIDE_VERSION}.json"
    source = Path(folder) / kernel.PYODIDE_LOCK if folder else published
    if not source.exists():
        raise FileNotFoundError(
            f"{source.name} is missing; it is {kernel.PYODIDE_LOCK_DEFAULT_URL}"
        )
    made = json.loads(source.read_text(encoding="utf-8"))
    base = f"../../{LIVE}/pyodide" if folder else kernel.PYODIDE_CDN_URL
    for package in made["packages"].values():
        package["file_name"] = f"{base}/{package['file_name']}"
    for name, module in wheels.OWN.items():
        if name not in made["packages"]:
            [own] = wheel.parent.glob(f"{name.replace('-', '_')}-*.whl")
            made["packages"][name] = _locked(
                own, f"../../{LIVE}/{own.name}", [module], wheels.NEEDS
            )
    depends = [*NEEDS, *wheels.OWN]
    made["packages"]["privml"] = _locked(
        wheel, f"../../{LIVE}/{wheel.name}", ["privml"], depends
    )
    if "jedi" not in made["packages"]:
        empty = _empty_wheel(site / "static", "jedi")
        made["packages"]["jedi"] = _locked(empty, empty.name, [], [])
    return made


def set_kernel(site: Path, made: dict[str, Any], folder: str) -> None:
    """Write the lock, and name it and the runtime in the settings of the kernel."""
    chapters.write_whole(
        site / "static" / kernel.PYODIDE_LOCK, json.dumps(made, **JSON_FMT)
    )
    path = site / "jupyter-lite.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    told = settings["jupyter-config-data"]["litePluginSettings"][
        kernel.PYODIDE_KERNEL_PLUGIN_ID
    ]
    told[kernel.LOAD_PYODIDE_OPTIONS] = {
        kernel.OPTION_LOCK_FILE_URL: f"static/{kernel.PYODIDE_LOCK}"
    }
    if folder:
        told[kernel.PYODIDE_URL] = f"./../{LIVE}/pyodide/{kernel.PYODIDE_MJS}"
        told[kernel.DISABLE_PYPI_FALLBACK] = True
    settings["jupyter-config-data"]["contentsAllJsonFile"] = "all.json"
    settings["jupyter-config-data"]["appName"] = "privml: the Lab"
    chapters.write_whole(path, json.dumps(settings, **JSON_FMT))


def build(root: Path, folder: str) -> Path:
    """Make the Lab of the finished pages; its folder."""
    html = root / "_build" / "html"
    found, topics = list((html / LIVE).glob("privml-*.whl")), chapters.topics(root)
    topics = [topic for topic in topics if page_of(html, topic).exists()]
    if len(found) != 1:
        raise ValueError("the pages are not there; the Lab belongs to them (make book)")
    remove(root)
    draft = root / "_build" / "lab"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    unpack(draft / "live")
    add_notebooks(html, topics, draft / "live")
    set_kernel(draft / "live", lock(draft / "live", found[0], folder), folder)
    (draft / "live").replace(html / "live")
    shutil.rmtree(draft)
    for topic in topics:
        link(html, topic)
    return html / "live"


@command.exits_on_errors("lab")
def main(arguments: list[str] | None = None) -> int:
    """Make the Lab unless it is there; the exit status."""
    site = ROOT / "_build" / "html" / "live"
    if site.exists():
        print(f"the Lab is up to date: {site}")
        return 0
    build(ROOT, os.environ.get("PYODIDE", ""))
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"the Lab, {size / 1e6:.1f} MB: {site}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
