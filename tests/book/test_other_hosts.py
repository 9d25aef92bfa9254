"""Outside requests are found wherever a page can make them: `book.tools.other_hosts`."""

import pytest
from bs4 import BeautifulSoup

from book.tools import other_hosts

FAR = "https://far.example/thing"


def found_in(html):
    return list(other_hosts.of_page(BeautifulSoup(html, "html.parser"), "page"))


@pytest.mark.parametrize(
    "html",
    [
        f'<script src="{FAR}.js"></script>',
        '<script src="//far.example/x.js"></script>',
        f'<link rel="stylesheet" href="{FAR}.css">',
        f'<link rel="preload icon" href="{FAR}.svg">',
        f'<img alt="a" src="{FAR}.png">',
        f'<img alt="a" src="near.png" srcset="near.png 1x, {FAR}.png 2x">',
        f'<iframe src="{FAR}"></iframe>',
        f'<video poster="{FAR}.png"></video>',
        f'<object data="{FAR}"></object>',
        f'<svg><use href="{FAR}#a"></use></svg>',
        f'<p style="background: url({FAR}.png)">text</p>',
        f'<style>@import "{FAR}.css";</style>',
        f"<style>@font-face {{ src: url('{FAR}.woff2') }}</style>",
        f'<script>const THEBE_JS_URL = "{FAR}/index.js"</script>',
        f"<script>fetch('{FAR}')</script>",
        f'<meta http-equiv="refresh" content="0; url={FAR}">',
    ],
)
def test_an_outside_request_in_a_page_is_found(html):
    [fault] = found_in(html)
    assert fault.startswith("page: outside request to ")
    assert "far.example" in fault


@pytest.mark.parametrize(
    "html",
    [
        f'<a href="{FAR}">a link is followed, not fetched</a>',
        f'<link rel="canonical" href="{FAR}">',
        '<script src="../_static/near.js?v=1"></script>',
        '<img alt="a" src="data:image/png;base64,aaaa">',
        '<script>document.createElementNS("http://www.w3.org/2000/svg", "svg")</script>',
        '<style>p { background: url("near.png") }</style>',
        f"<pre>fetch('{FAR}.js')</pre>",
    ],
)
def test_links_and_local_files_are_no_requests(html):
    assert found_in(html) == []


@pytest.mark.parametrize(
    ("name", "text", "n_faults"),
    [
        ("_static/a.css", f"@font-face {{ src: url({FAR}.woff2) }}", 1),
        ("_static/a.css", "p { background: url(near.png) }", 0),
        (
            "_static/loader.js",
            'require.config({paths: {d3: "https://cdnjs.cloudflare.com/libs/d3/7"}})',
            1,
        ),
        ("_static/loader.js", f'import("{FAR}.mjs")', 1),
        ("_static/loader.js", 'load("//unpkg.com/thebe")', 1),
        ("_static/loader.js", "// see https://far.example/manual", 0),
        ("_static/loader.js", 'ns = "http://www.w3.org/2000/svg"', 0),
        (
            "_static/mathjax/startup.js",
            'url = "https://cdn.jsdelivr.net/npm/other@4"',
            1,
        ),
    ],
)
def test_styles_and_scripts_are_searched_too(tmp_path, name, text, n_faults):
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(text)
    assert len(list(other_hosts.of_files(tmp_path))) == n_faults
