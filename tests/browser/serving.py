"""A local server for finished pages, and a browser that reaches nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DEAD_PROXY = {
    "server": "http://127.0.0.1:9",
    "bypass": "127.0.0.1",
}  # every other host is out of reach


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, keeps connections open, and prints nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Address below which the files of a folder are served."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(folder))
    )
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def running(path: str) -> Iterator[Browser]:
    """A browser without a window and without a network."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=SWITCHES, proxy=DEAD_PROXY
        )
        try:
            yield browser
        finally:
            browser.close()
