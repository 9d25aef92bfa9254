"""A small published file, an empty cache and no data folder."""

import hashlib

import pytest

from privml.datasets import base

CONTENT = b"1 1:1 3:1\n2 2:1\n"


@pytest.fixture
def remote(tmp_path, monkeypatch):
    """A published file on disk, an empty cache and no data folder."""
    monkeypatch.delenv("PRIVML_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    published = tmp_path / "published"
    published.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    return base.RemoteFile("tiny.svm.gz", digest, len(CONTENT), published.as_uri())
