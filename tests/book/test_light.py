"""The finished pages keep what they load, and lose what they do not."""

import numpy as np
import pytest
from PIL import Image

from book.tools.light import lighten

ICONS = (
    'var i={"circle-half-stroke":[512,512,[9680,"adjust"],"f042","M448 256c0-106"],'
    'list:[512,512,["list-squares"],"f03a","M24 56"],"face-smile":[512,512,[],"f118",["M0","M1"]],};start(i)'
)
HEAD = """\
<script src="../_static/searchtools.js?v=1"></script>
<script src="../searchindex.js"></script>
<i class="fa-solid fa-circle-half-stroke"></i><i class="fas fa-list-squares"></i>
"""


@pytest.fixture
def site(tmp_path):
    """A small finished site with what the theme brings."""
    files = {
        "notebooks/a.html": HEAD,
        "search.html": HEAD.replace("../", ""),
        "_static/scripts/fontawesome.js": ICONS,
        "_static/scripts/fontawesome.js.map": "{}",
        "_static/mathjax/tex-chtml.js": "math",
        "_static/mathjax/tex-svg.js": "math of another kind",
        "_static/mathjax/sre/mathmaps/en.json": "{}",
        "_static/mathjax/sre/mathmaps/de.json": "{}",
        "_static/styles/theme.css": "a{src:url(x.woff2) format('woff2'), url(x.ttf) format('truetype')}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shades = np.linspace(0, 255, 64 * 64).astype(np.uint8).reshape(64, 64)
    curve = np.stack([shades, shades.T, 255 - shades, np.full_like(shades, 255)], axis=-1)
    (tmp_path / "_images").mkdir()
    Image.fromarray(np.kron(curve, np.ones((8, 8, 1), np.uint8))).save(tmp_path / "_images" / "p.png")
    return tmp_path


def contents(folder):
    """Every file below a folder with its bytes."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_what_no_page_loads_is_gone_and_the_rest_is_there(site):
    before = set(contents(site))
    lighten(site)
    gone = {"_static/scripts/fontawesome.js.map", "_static/mathjax/tex-svg.js"}
    assert before - set(contents(site)) == gone | {"_static/mathjax/sre/mathmaps/de.json"}
    assert "ttf" not in (site / "_static/styles/theme.css").read_text()


def test_icons_in_use_stay_drawn(site):
    lighten(site)
    script = (site / "_static/scripts/fontawesome.js").read_text()
    assert "face-smile" not in script
    assert script.endswith("};start(i)")
    assert '"circle-half-stroke":[512,512,[9680,"adjust"],"f042","M448 256c0-106"]' in script
    assert 'list:[512,512,["list-squares"],"f03a","M24 56"]' in script


def test_only_the_page_that_searches_loads_the_index(site):
    lighten(site)
    assert "<script" not in (site / "notebooks/a.html").read_text()
    assert (site / "search.html").read_text().count("<script") == 2


def test_a_picture_of_fewer_colours_looks_the_same(site):
    picture = site / "_images" / "p.png"
    before, bytes_before = np.array(Image.open(picture)).astype(float), picture.stat().st_size
    lighten(site)
    after = np.array(Image.open(picture).convert("RGBA")).astype(float)
    assert picture.stat().st_size < bytes_before
    assert abs(after - before).mean() < 8  # of 255, for a picture of 4,096 colours


def test_a_second_run_changes_nothing(site):
    lighten(site)
    once = contents(site)
    lighten(site)
    assert contents(site) == once
