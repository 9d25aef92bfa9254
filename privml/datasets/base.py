"""Labelled records with what is public about them, and files that are found, checked and cached.

A file that scikit-learn does not bundle is looked for in three places, in this order: the folder that the
environment variable ``PRIVML_DATA`` names; a per-user cache; its publisher's page, from which it is
downloaded once into the cache.  In a folder it may lie under our name, packed with gzip, or as its publisher
packs it.  What its publisher sends, or lies under the publisher's name, must have the published SHA-256
before it is unpacked; what lies under our name is unpacked in pieces, never beyond the published size.
Whatever the place, the unpacked content must have the published SHA-256 before anything reads it.
"""

import bz2
import gzip
import hashlib
import io
import os
import tempfile
import urllib.error
import urllib.request
import zlib
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml._optional import progress

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DOWNLOAD_TIMEOUT = 60.0  # seconds without an answer after which a download is given up
PIECE = 1 << 20  # bytes that are read at a time
_Packed = io.BytesIO | io.BufferedReader


class Dataset(NamedTuple):
    """Labelled records, and what is public about them.

    Parameters
    ----------
    X : ndarray or csr_matrix
        Records of shape (n_samples, n_features), every feature in [0, 1]; sparse where the loader says so.
    y : ndarray
        Labels of shape (n_samples,), bools.
    classes, feature_names : tuple
        Public labels: what False and True mean; one for each feature.
    """

    X: "NDArray[np.float64] | csr_matrix"
    y: NDArray[np.bool_]
    classes: tuple[str, str]
    feature_names: tuple[str, ...]


class RemoteFile(NamedTuple):
    """A file that someone else publishes: our name for it, what it must contain, and where it is."""

    name: str
    sha256: str  # of the content, unpacked
    n_bytes: int  # of the content, unpacked
    url: str | None  # None: published nowhere in this form
    packed: str | None = None  # SHA-256 of what is at the url, where that is packed

    @property
    def names(self) -> list[str]:
        """Names under which it is taken from a folder: ours, then its publisher's."""
        return [self.name, *([self.url.rpartition("/")[2]] if self.url else [])]


def svmlight(file: RemoteFile, classes: tuple[str, str], n_features: int) -> Dataset:
    """Records in the format of SVMlight, whose features are numbered from 1; the label True is 1 there."""
    from sklearn.datasets import load_svmlight_file

    X, labels = load_svmlight_file(
        io.BytesIO(content_of(file)), n_features=n_features, zero_based=False
    )
    return Dataset(
        X,
        labels == 1,
        classes,
        tuple(f"feature {number}" for number in range(1, n_features + 1)),
    )


def cache() -> Path:
    """The folder into which downloads go."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "privml"


def content_of(file: RemoteFile) -> bytes:
    """The checked content of a file, from the first of the three places that has it."""
    given = os.environ.get("PRIVML_DATA")
    for folder in [*([Path(given)] if given else []), cache()]:
        for path in (folder / name for name in file.names):
            if path.is_file():
                return _checked(
                    path.open("rb"), file, str(path), published=path.name != file.name
                )
    content = _checked(io.BytesIO(_download(file)), file, str(file.url), published=True)
    with suppress(OSError):  # a cache that cannot be written is no reason to fail
        write_whole(cache() / file.name, gzip.compress(content, mtime=0))
    return content


def _unpacked(packed: _Packed, place: str, n_bytes: int) -> bytes:
    """What a file holds, by the ending of its name; no more than one byte beyond what it should hold."""
    try:
        if place.endswith(".gz"):
            return gzip.GzipFile(fileobj=packed).read(n_bytes + 1)
        return (bz2.BZ2File(packed) if place.endswith(".bz2") else packed).read(
            n_bytes + 1
        )
    except (OSError, ValueError, EOFError, zlib.error) as error:
        packing = "gzip" if place.endswith(".gz") else "bzip2"
        raise ValueError(
            f"content of {place} must be packed with {packing}, but got {error}."
        ) from error


def _refuse_other(digest: "hashlib._Hash", sha256: str, place: str) -> None:
    if digest.hexdigest() != sha256:
        raise ValueError(
            f"content of {place} must have SHA-256 {sha256}, but got {digest.hexdigest()}."
        )


def _checked(
    packed: _Packed, file: RemoteFile, place: str, *, published: bool
) -> bytes:
    """The content, its checksum compared: in the form of its publisher before it is unpacked, too."""
    with packed:
        if published and file.packed is not None:
            _refuse_other(hashlib.file_digest(packed, "sha256"), file.packed, place)
            packed.seek(0)
        content = _unpacked(packed, place, file.n_bytes)
    if len(content) > file.n_bytes:
        raise ValueError(
            f"content of {place} must be {file.n_bytes} bytes long, unpacked, but it is longer."
        )
    _refuse_other(hashlib.sha256(content), file.sha256, place)
    return content


def _download(file: RemoteFile) -> bytes:
    """What the publisher sends, read in pieces under a progress bar where someone watches."""
    if file.url is None:
        raise FileNotFoundError(
            f"{file.name} is published nowhere in this form. {_remedy(file)}"
        )
    try:
        with urllib.request.urlopen(file.url, timeout=DOWNLOAD_TIMEOUT) as response:
            total = int(response.headers.get("Content-Length") or 0) or None
            with progress(
                total=total,
                desc=file.name,
                unit="B",
                unit_scale=True,
                leave=False,
                disable=None,
            ) as bar:
                pieces, n_bytes = [], 0
                while n_bytes <= file.n_bytes and (piece := response.read(PIECE)):
                    pieces.append(piece)
                    n_bytes += len(piece)
                    bar.update(len(piece))
        return b"".join(pieces)
    except (urllib.error.URLError, OSError, HTTPException) as error:
        raise FileNotFoundError(
            f"{file.url} could not be read ({error}). {_remedy(file)}"
        ) from error


def _remedy(file: RemoteFile) -> str:
    others = "".join(f", or as it is published as {name}," for name in file.names[1:])
    places = f"{cache()} or in the folder that PRIVML_DATA names"
    return f"Put the file, packed with gzip, as {file.name}{others} in {places}."


def write_whole(path: Path, content: bytes) -> None:
    """Write all or nothing: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(partial, 0o644)
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


check.wrap_module(__name__)
