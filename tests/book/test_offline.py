"""The offline book: what needs a server stays out, and the same pages give the same bytes."""

import os
import zipfile

from book import offline
from book.lab import _LINK

KEPT = [
    "_static/live/live.js",
    "book/cover.html",
    "downloads/a.ipynb",
    "figures/fig-a.svg",
]
KEPT += ["index.html", "searchindex.js"]
LEFT = [
    "_static/live/a.json",
    "_static/live/pyodide/x/python.wasm",
    "_static/live/privml.whl",
]
LEFT += [".buildinfo", "sitemap.xml"]


def site(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"content of {name}")
    return folder


def test_what_only_a_server_can_give_is_left_out(tmp_path):
    assert offline.files(site(tmp_path, KEPT + LEFT)) == sorted(KEPT)


def test_the_same_pages_give_the_same_bytes(tmp_path):
    first, second = site(tmp_path / "a", KEPT), site(tmp_path / "b", KEPT[::-1])
    os.utime(first / KEPT[0], (1e9, 1e9))
    (second / KEPT[0]).chmod(0o755)
    offline.pack(first, tmp_path / "first.zip")
    offline.pack(second, tmp_path / "dist" / "second.zip")
    assert (tmp_path / "first.zip").read_bytes() == (
        tmp_path / "dist" / "second.zip"
    ).read_bytes()
    with zipfile.ZipFile(tmp_path / "first.zip") as packed:
        assert packed.namelist() == [f"{offline.NAME}/{name}" for name in sorted(KEPT)]
        assert {entry.date_time for entry in packed.infolist()} == {
            (1980, 1, 1, 0, 0, 0)
        }
        assert packed.read(f"{offline.NAME}/index.html") == b"content of index.html"


def test_a_page_does_not_lead_to_the_lab(tmp_path):
    folder = site(tmp_path / "a", ["notebooks/a.html"])
    link = _LINK.format(topic="a")
    (folder / "notebooks/a.html").write_text(f"<p>{link}Download this chapter</p>")
    offline.pack(folder, tmp_path / "book.zip")
    with zipfile.ZipFile(tmp_path / "book.zip") as packed:
        assert (
            packed.read(f"{offline.NAME}/notebooks/a.html")
            == b"<p>Download this chapter</p>"
        )
