"""A loader that finds, checks and caches files without the network."""

import bz2
import gzip
import hashlib
import io
import os
import tracemalloc
import urllib.request
from http.client import IncompleteRead

import pytest

from privml.datasets import base

CONTENT = b"1 1:1 3:1\n2 2:1\n"


def test_a_download_is_cached_and_not_repeated(remote, tmp_path):
    assert base.content_of(remote) == CONTENT
    cached = tmp_path / "cache" / "privml" / "tiny.svm.gz"
    assert gzip.decompress(cached.read_bytes()) == CONTENT
    assert [path.name for path in cached.parent.iterdir()] == ["tiny.svm.gz"]
    (tmp_path / "published").unlink()
    assert base.content_of(remote) == CONTENT


def test_the_given_folder_comes_before_the_cache_and_the_network(
    remote, tmp_path, monkeypatch
):
    (tmp_path / "published").unlink()
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    (tmp_path / "tiny.svm.gz").write_bytes(gzip.compress(CONTENT))
    base.write_whole(
        tmp_path / "cache" / "privml" / "tiny.svm.gz", gzip.compress(b"other")
    )
    assert base.content_of(remote) == CONTENT


@pytest.mark.parametrize("place", ["data", "cache", "network"])
def test_another_content_is_refused_wherever_it_lies(
    place, remote, tmp_path, monkeypatch
):
    if place == "network":
        (tmp_path / "published").write_bytes(b"other")
    else:
        folder = tmp_path / "data" if place == "data" else tmp_path / "cache" / "privml"
        base.write_whole(folder / "tiny.svm.gz", gzip.compress(b"other"))
        monkeypatch.setenv("PRIVML_DATA", str(tmp_path / "data"))
    with pytest.raises(ValueError, match=f"must have SHA-256 {remote.sha256}, but got"):
        base.content_of(remote)
    assert (
        not (tmp_path / "cache" / "privml" / "tiny.svm.gz").exists() or place == "cache"
    )


@pytest.mark.parametrize(
    "content",
    [CONTENT, b"", gzip.compress(CONTENT, mtime=0)[:-9]],
    ids=["not packed", "empty", "cut short"],
)
def test_a_file_that_is_not_packed_or_cut_short_is_refused(
    content, remote, tmp_path, monkeypatch
):
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    (tmp_path / "tiny.svm.gz").write_bytes(content)
    with pytest.raises(ValueError, match="tiny.svm.gz must"):
        base.content_of(remote)


def test_without_the_network_the_error_says_which_file_goes_where(remote, tmp_path):
    (tmp_path / "published").unlink()
    with pytest.raises(
        FileNotFoundError, match="packed with gzip, as tiny.svm.gz, or"
    ) as error:
        base.content_of(remote)
    assert str(tmp_path / "cache" / "privml") in str(error.value)
    assert remote.url in str(error.value)


def test_a_cache_that_cannot_be_written_is_done_without(remote, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert base.content_of(remote) == CONTENT


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no space"):
        base.write_whole(tmp_path / "folder" / "file", b"content")
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_full_disk_leaves_nothing_half_written_and_the_data_is_still_returned(
    remote, tmp_path, monkeypatch
):
    whole = os.fdopen

    class Full:
        def __init__(self, handle):
            self.file = whole(handle, "wb")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, content):
            self.file.write(content[:5])
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", lambda handle, _: Full(handle))
    assert base.content_of(remote) == CONTENT
    assert list((tmp_path / "cache" / "privml").iterdir()) == []


def test_the_file_is_taken_under_its_publishers_name_too(remote, tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    assert base.content_of(remote) == CONTENT  # lies there as it is published, unpacked
    assert not (tmp_path / "cache").exists()


def published_with_bzip2(remote, tmp_path):
    published, packed = tmp_path / "tiny.bz2", bz2.compress(CONTENT)
    published.write_bytes(packed)
    return published, remote._replace(
        url=published.as_uri(), packed=hashlib.sha256(packed).hexdigest()
    )


@pytest.mark.parametrize("place", ["data", "network"])
def test_what_its_publisher_packs_is_checked_before_it_is_unpacked(
    place, remote, tmp_path, monkeypatch
):
    """Another packing of the same content is refused unread, as is one that is cut short."""
    published, remote = published_with_bzip2(remote, tmp_path)
    if place == "data":
        monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    assert base.content_of(remote) == CONTENT
    (tmp_path / "cache" / "privml" / "tiny.svm.gz").unlink(missing_ok=True)
    monkeypatch.setattr(bz2, "BZ2File", None)  # unpacking would raise a TypeError
    for other in (
        bz2.compress(CONTENT)[:-6],
        bz2.compress(CONTENT, 1),
        b"",
        bz2.compress(b"0" * 10**6),
    ):
        published.write_bytes(other)
        with pytest.raises(
            ValueError, match=f"tiny.bz2 must have SHA-256 {remote.packed}"
        ):
            base.content_of(remote)


def test_a_file_with_the_right_checksum_that_is_packed_otherwise_is_refused(
    remote, tmp_path
):
    published, remote = published_with_bzip2(remote, tmp_path)
    published.write_bytes(gzip.compress(CONTENT))
    wrong = remote._replace(packed=hashlib.sha256(published.read_bytes()).hexdigest())
    with pytest.raises(ValueError, match=r"tiny.bz2 must be packed with bzip2"):
        base.content_of(wrong)


@pytest.mark.parametrize("place", ["data", "cache"])
def test_nothing_is_unpacked_beyond_the_published_size(
    place, remote, tmp_path, monkeypatch
):
    """A gigabyte of zeros in a megabyte, under our name: 18 bytes of it are made."""
    packed = (
        gzip.compress(b"0" * 1000)
        if place == "cache"
        else gzip.compress(bytes(1 << 30), 1)
    )
    folder = tmp_path / "data" if place == "data" else tmp_path / "cache" / "privml"
    base.write_whole(folder / "tiny.svm.gz", packed)
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path / "data"))
    tracemalloc.start()
    with pytest.raises(
        ValueError,
        match=f"must be {len(CONTENT)} bytes long, unpacked, but it is longer",
    ):
        base.content_of(remote)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_no_more_is_downloaded_than_was_published(remote, monkeypatch):
    read = []

    class Endless(io.BytesIO):
        headers = {}

        def read(self, size):
            read.append(size)
            return bytes(size)

    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Endless())
    with pytest.raises(
        ValueError,
        match=f"must be {len(CONTENT)} bytes long, unpacked, but it is longer",
    ):
        base.content_of(remote)
    assert len(read) == 1


def test_a_download_that_breaks_off_or_comes_cut_short_is_refused(
    remote, tmp_path, monkeypatch
):
    class Answer(io.BytesIO):
        headers = {"Content-Length": "1000"}

    monkeypatch.setattr(
        urllib.request, "urlopen", lambda *_, **__: Answer(CONTENT[:-2])
    )
    with pytest.raises(ValueError, match="must have SHA-256"):
        base.content_of(remote)

    class Broken(Answer):
        def read(self, *_):
            raise IncompleteRead(b"")

    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Broken())
    with pytest.raises(FileNotFoundError, match=r"could not be read .* Put the file"):
        base.content_of(remote)
    assert not (tmp_path / "cache").exists()


def test_what_is_published_nowhere_is_asked_for_by_name_and_place(remote, tmp_path):
    said = r"tiny.svm.gz is published nowhere .* as tiny.svm.gz in"
    with pytest.raises(FileNotFoundError, match=said) as error:
        base.content_of(remote._replace(url=None))
    assert str(tmp_path / "cache" / "privml") in str(error.value)
