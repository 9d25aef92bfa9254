"""Run the release bench, as JSON lines: every release of `drawn` and `ours`, judged by its law and by draws."""

import argparse
import json
import sys
import time
import warnings
from importlib import metadata
from math import isfinite

from benchmarks.truth import drawn, ours
from benchmarks.truth.release import ERROR, Release, judged


def kept(value: float | None) -> float | str | None:
    """A number to six digits, and what JSON has no number for as a word."""
    if value is None or isfinite(value):
        return value if value is None else float(f"{value:.6g}") * (value > 1e-12)
    return "no bound"


def line(release: Release, error: float) -> dict:
    """What one release was found to do."""
    start = time.process_time()
    about = {"library": release.library, "name": release.name, "kind": release.kind}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = judged(release, error)
    except Exception as failure:  # whatever a library raises
        return about | {"failed": type(failure).__name__}
    return about | {
        "claim": [float(f"{x:.6g}") for x in release.claim],
        "rho": release.rho,
        "exact": kept(found.exact),
        "delta": kept(found.delta),
        "drawn": kept(found.drawn),
        "agrees": found.agrees,
        "false": found.false,
        "refuted": found.refuted,
        "draws": release.size,
        "twin": release.twin,
        "hidden": release.hidden,
        "seconds": round(time.process_time() - start, 2),
    }


def main() -> int:
    """All releases, or those whose name has a word."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.truth.releases", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--only", default="", help="releases whose library or name has this"
    )
    only = parser.parse_args().only
    found, releases = (
        [{"library": "privml", "version": None}],
        [*ours.ours(), *ours.twins()],
    )
    for library, (package, made) in drawn.LIBRARIES.items():
        try:
            found.append({"library": library, "version": metadata.version(package)})
        except metadata.PackageNotFoundError:
            found.append({"library": library, "missing": "not installed"})
            continue
        releases += made()
    for one in found:
        print(json.dumps(one), flush=True)
    for release in releases:
        if only in f"{release.library} {release.name}":
            print(json.dumps(line(release, ERROR / len(releases))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
