"""The Lab: what its lock holds, what its list names, and that links to it come and go with it."""

import hashlib
import json

import pytest

from book import lab
from book.tools import wheels

PAGE = '<h1>Noise</h1><p class="chapter-downloads">Download this chapter</p>'


@pytest.fixture
def wheel(tmp_path):
    """Something that has the name of a wheel."""
    made = tmp_path / "privml-1.2.3-py3-none-any.whl"
    made.write_bytes(b"a wheel")
    for name in ("absl_py-2.0", "dp_accounting-0.6"):
        (tmp_path / f"{name}-py3-none-any.whl").write_bytes(name.encode())
    return made


@pytest.fixture
def folder(tmp_path):
    """A runtime of which only the lock is there, as small as a lock can be."""
    packages = {
        name: {"file_name": f"{name}.whl", "depends": []}
        for name in [*lab.NEEDS, *wheels.OWN]
    }
    (tmp_path / "pyodide-lock.json").write_text(
        json.dumps({"info": {}, "packages": packages})
    )
    return str(tmp_path)


def needed(packages, name):
    """A package and all that it stands on."""
    found, todo = set(), [name]
    while todo:
        name = todo.pop().replace("_", "-")
        todo += [] if name in found else packages[name]["depends"]
        found.add(name)
    return found


def test_the_public_lock_has_all_that_the_library_needs_at_addresses_that_do_not_depend_on_the_page(
    wheel,
):
    packages = lab.lock(wheel.parent, wheel, "")["packages"]
    assert {"numpy", "threadpoolctl", "pillow", "tqdm", "mpmath"} <= needed(
        packages, "privml"
    )
    assert packages["privml"]["sha256"] == hashlib.sha256(b"a wheel").hexdigest()
    assert packages["privml"]["version"] == "1.2.3"
    inside = [
        name
        for name, told in packages.items()
        if not told["file_name"].startswith("https://")
    ]
    assert inside == ["absl-py", "dp-accounting", "privml"]
    assert (
        packages["dp-accounting"]["sha256"]
        == hashlib.sha256(b"dp_accounting-0.6").hexdigest()
    )
    assert "jedi" in packages


def test_the_lock_of_a_folder_names_that_folder_only(folder, wheel, tmp_path):
    packages = lab.lock(tmp_path / "site", wheel, folder)["packages"]
    assert "dp-accounting" in packages["privml"]["depends"]
    assert (tmp_path / "site" / "static" / packages["jedi"]["file_name"]).exists()
    assert [
        told["file_name"] for told in packages.values() if ":" in told["file_name"]
    ] == []
    assert packages["dp-accounting"]["file_name"].endswith("/pyodide/dp-accounting.whl")


def test_a_lock_that_is_missing_is_named(wheel, tmp_path):
    with pytest.raises(FileNotFoundError, match="pyodide-lock"):
        lab.lock(tmp_path, wheel, str(tmp_path / "nowhere"))


def test_notebooks_have_the_name_of_the_kernel_and_are_listed_in_the_order_of_reading(
    tmp_path,
):
    for topic in ("noise", "experts"):
        path = tmp_path / lab.NOTEBOOK.format(topic=topic)
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            json.dumps({"cells": [], "metadata": {"kernelspec": {"name": "python3"}}})
        )
    lab.add_notebooks(tmp_path, ["noise", "experts"], tmp_path / "live")
    made = json.loads((tmp_path / "live" / "files" / "noise.ipynb").read_text())
    listed = json.loads(
        (tmp_path / "live" / "api" / "contents" / "all.json").read_text()
    )
    assert made["metadata"]["kernelspec"]["name"] == "python"
    assert [file["path"] for file in listed["content"]] == [
        "noise.ipynb",
        "experts.ipynb",
    ]


def test_links_come_with_the_lab_and_go_with_it(tmp_path):
    html = tmp_path / "_build" / "html"
    page = lab.page_of(html, "noise")
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    (html / "live").mkdir()
    for _ in range(2):
        lab.link(html, "noise")
        assert page.read_text().count("../live/lab/index.html?path=noise.ipynb") == 1
    lab.remove(tmp_path)
    assert page.read_text() == PAGE
    assert not (html / "live").exists()


def test_a_page_without_a_line_of_downloads_is_a_fault(tmp_path):
    page = lab.page_of(tmp_path, "noise")
    page.parent.mkdir()
    page.write_text("<h1>Noise</h1>")
    with pytest.raises(ValueError, match="noise: the page has no line of downloads"):
        lab.link(tmp_path, "noise")
