"""The wheel alone, in an empty folder: it holds the tables, their studies and their reader."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

from privml import results

READ_ALL = """
import json
from privml import results
def told(name):
    return [len(results.read(name)), results.origin(name)["command"], len(results.study(name).jobs)]

told = {name: told(name) for name in results.tables()}
print(json.dumps([results.__file__, str(results.FOLDER), told]))
"""


def test_every_table_is_read_from_the_wheel_in_an_empty_folder(wheel, tmp_path):
    site = wheel.parent / "site"
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, "-c", READ_ALL]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    place, folder, told = json.loads(run.stdout)
    assert Path(place).is_relative_to(site)
    assert Path(folder) == site / "privml" / "results"

    def row(name):
        return [len(results.read(name)), results.origin(name)["command"]]

    expected = {
        name: [*row(name), len(results.study(name).jobs)] for name in results.tables()
    }
    assert told == expected
    assert list(tmp_path.iterdir()) == []


def test_the_wheel_has_no_second_copy_of_a_file(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert {name.split("/")[0] for name in names} == {
        "privml",
        f"privml-{version('privml')}.dist-info",
    }
    assert not [name for name in names if name.endswith((".pyc", ".ipynb"))]
