"""The wheel alone, in an empty folder: it holds the tables, their studies and their reader."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from privml import results

ROOT = Path(__file__).resolve().parent.parent.parent
READ_ALL = """
import json
from privml import results
def told(name):
    return [len(results.read(name)), results.origin(name)["command"], len(results.study(name).jobs)]

told = {name: told(name) for name in results.tables()}
print(json.dumps([results.__file__, str(results.FOLDER), told]))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Folder of the unpacked wheel, and an empty one beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    (folder / "empty").mkdir()
    return folder


def test_every_table_is_read_from_the_wheel_in_an_empty_folder(unpacked):
    environment = os.environ | {"PYTHONPATH": str(unpacked / "site")}
    command = [sys.executable, "-c", READ_ALL]
    run = subprocess.run(
        command, cwd=unpacked / "empty", env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    place, folder, told = json.loads(run.stdout)
    assert Path(place).is_relative_to(unpacked / "site")
    assert Path(folder) == unpacked / "site" / "privml" / "results"
    expected = {
        name: [len(results.read(name)), results.origin(name)["command"], len(results.study(name).jobs)]
        for name in results.tables()
    }
    assert told == expected
    assert list((unpacked / "empty").iterdir()) == []


def test_the_wheel_has_no_second_copy_of_a_file(unpacked):
    [wheel] = unpacked.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert {name.split("/")[0] for name in names} == {"privml", f"privml-{version('privml')}.dist-info"}
    assert not [name for name in names if name.endswith((".pyc", ".ipynb"))]
