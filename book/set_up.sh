#!/bin/sh
# Make the virtual environment: set_up.sh VENV STAMP. Called by make when the stamp is missing.
set -eu
venv=$1 stamp=$2

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

fail() { echo "privml: $*" >&2; exit 1; }

if ! new_enough "$venv/bin/python"; then
    for candidate in "${PYTHON:-python3}" python3.11 python3.12 python3.13 python3.14 python; do
        if new_enough "$candidate"; then found=$candidate; break; fi
    done
    [ -n "${found:-}" ] || fail "needs Python 3.11 or newer, none on the path (name one: make PYTHON=/path/to/python3.11 ...)"
    echo "privml: making $venv with $("$found" --version) (a minute or two, once)"
    "$found" -m venv --clear "$venv" || fail "'$found -m venv' failed (on Debian: apt install python3-venv)"
else
    echo "privml: pyproject.toml or constraints.txt changed, updating $venv"
    python_of_venv=$("$venv/bin/python" -c 'import sys; print(sys._base_executable)')
    "$python_of_venv" -m venv "$venv"
fi

install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$@"; }
install hatchling editables
install --no-build-isolation --editable '.[book,test,bench]'
rm -f "$venv"/made-*
touch "$stamp"
