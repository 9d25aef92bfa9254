"""Run the benchmarks: ``python -m benchmarks [TOPIC ...]``; exit status 1 when a target is missed."""

import argparse
import importlib
import pkgutil
import sys

import benchmarks
from benchmarks import timing


def topics() -> list[str]:
    """Modules of this package that hold cases."""
    others = {
        "__main__",
        "timing",
        "peers",
        "questions",
        "draws",
        "accounts",
        "whole",
        "table",
    }
    names = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)}
    return sorted(names - others)


def main() -> int:
    """Print a table per topic."""
    parser = argparse.ArgumentParser(
        prog="benchmarks", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "topics", nargs="*", help=f"from {', '.join(topics())}; all without any"
    )
    chosen = parser.parse_args().topics or topics()
    missed = 0
    for topic in chosen:
        print(f"\n{topic}\n{timing.HEADING}")
        for case in importlib.import_module(f"benchmarks.{topic}").CASES:
            row = timing.measure(case)
            missed += row.met is False
            print(timing.line(row), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
