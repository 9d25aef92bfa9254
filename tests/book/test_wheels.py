"""The accountant's wheels: packed from what is installed, whole, and the same each time."""

import base64
import csv
import hashlib
import subprocess
import sys
import zipfile

import pytest

from book.tools import wheels

ASKED = """
import sys
sys.modules["tree"] = None
sys.path[:0] = WHEELS
import dp_accounting
from dp_accounting.pld import privacy_loss_distribution
privacy_loss_distribution.from_laplace_mechanism(1.0).get_delta_for_epsilon(0.5)
print(dp_accounting.__file__)
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    return [wheels.pack(name, folder) for name in wheels.OWN]


def test_the_accountant_runs_from_its_wheels_without_the_package_for_trees(
    packed, tmp_path
):
    asked = ASKED.replace("WHEELS", repr([str(path) for path in packed]))
    told = {"capture_output": True, "text": True, "cwd": tmp_path}
    done = subprocess.run([sys.executable, "-c", asked], check=False, **told)
    assert done.returncode == 0, done.stderr
    assert str(packed[1]) in done.stdout


def test_what_the_record_of_a_wheel_says_is_what_it_holds(packed):
    for path in packed:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            [record] = [name for name in names if name.endswith(".dist-info/RECORD")]
            rows = list(csv.reader(archive.read(record).decode().splitlines()))
            assert sorted(row[0] for row in rows) == sorted(names)
            for name, total, size in rows:
                text = archive.read(name)
                mark = (
                    base64.urlsafe_b64encode(hashlib.sha256(text).digest())
                    .decode()
                    .rstrip("=")
                )
                assert name == record or (total, size) == (
                    f"sha256={mark}",
                    str(len(text)),
                )


def test_wheels_hold_no_tests_and_are_the_same_each_time(packed, tmp_path):
    for path, name in zip(packed, wheels.OWN, strict=True):
        assert not [
            one
            for one in zipfile.ZipFile(path).namelist()
            if "_test" in one or ".pyc" in one
        ]
        assert wheels.pack(name, tmp_path).read_bytes() == path.read_bytes()
