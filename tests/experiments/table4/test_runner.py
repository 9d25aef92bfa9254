"""Runs that are stopped, that lose a worker or a disk, and that are taken up again."""

import errno
import os
from pathlib import Path

import pandas as pd
import pytest

from privml.datasets import base as files
from privml.experiments import table4
from privml.experiments.table4 import runner

OPTIONS = {"epsilons": [1.0], "n_repetitions": 4, "seed": 0, "methods": ["PSQ"]}
NAMES = ["mushrooms", "halfspace"]


def cheap(name, number, **options):
    return pd.DataFrame({"dataset": [name] * 2, "repetition": number, "epsilon": [1.0, float("inf")]})


@pytest.fixture
def expected(tmp_path):
    return table4.run(NAMES, folder=tmp_path / "whole", work=cheap, **OPTIONS)


def test_rows_come_in_order_and_once(expected):
    assert expected["dataset"].tolist() == ["mushrooms"] * 8 + ["halfspace"] * 8
    assert expected["repetition"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3] * 2
    assert expected["epsilon"].tolist() == [1.0, float("inf")] * 8


def test_an_interrupted_run_is_taken_up_where_it_stopped(tmp_path, expected):
    done = []

    def until_interrupted(name, number, **options):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append((name, number))
        return cheap(name, number)

    folder = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        table4.run(NAMES, folder=folder, work=until_interrupted, **OPTIONS)
    assert len(list(folder.glob("*.csv"))) == 3
    again = []

    def counted(name, number, **options):
        again.append((name, number))
        return cheap(name, number)

    pd.testing.assert_frame_equal(table4.run(NAMES, folder=folder, work=counted, **OPTIONS), expected)
    assert len(again) == 5
    assert not set(again) & set(done)


def test_a_full_disk_leaves_whole_files_only_and_the_next_run_finishes(tmp_path, expected, monkeypatch):
    folder, whole, calls = tmp_path / "parts", os.fdopen, []

    class Full:
        def __init__(self, handle, mode):
            self.file = whole(handle, mode)
            calls.append(handle)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, content):
            if len(calls) > 3:
                self.file.write(content[:7])
                raise OSError(errno.ENOSPC, "No space left on device")
            self.file.write(content)

    monkeypatch.setattr(files.os, "fdopen", Full)
    with pytest.raises(OSError, match="No space left"):
        table4.run(NAMES, folder=folder, work=cheap, **OPTIONS)
    assert sorted(path.name for path in folder.iterdir()) == [
        "mushrooms-000.csv",
        "mushrooms-001.csv",
        "run.json",
    ]
    monkeypatch.undo()
    pd.testing.assert_frame_equal(table4.run(NAMES, folder=folder, work=cheap, **OPTIONS), expected)


def test_a_job_that_fails_is_reported_and_the_others_are_kept(tmp_path, expected):
    def fails_once(name, number, **options):
        if (name, number) == ("halfspace", 2):
            raise ArithmeticError("of no use")
        return cheap(name, number)

    folder = tmp_path / "parts"
    message = r"1 of 8 jobs failed: halfspace 2: ArithmeticError: of no use"
    with pytest.raises(table4.Incomplete, match=message):
        table4.run(NAMES, folder=folder, work=fails_once, **OPTIONS)
    assert len(list(folder.glob("*.csv"))) == 7
    pd.testing.assert_frame_equal(table4.run(NAMES, folder=folder, work=cheap, **OPTIONS), expected)


def test_a_worker_that_dies_once_is_replaced_and_no_row_is_lost(tmp_path, expected):
    marker = str(tmp_path / "died")

    def dies_once(name, number, **options):  # pickled by value, so it uses nothing of this file
        import os

        import pandas as pd

        if (name, number) == ("mushrooms", 2) and not os.path.exists(marker):
            open(marker, "w").close()
            os._exit(1)
        return pd.DataFrame({"dataset": [name] * 2, "repetition": number, "epsilon": [1.0, float("inf")]})

    found = table4.run(NAMES, folder=tmp_path / "parts", work=dies_once, n_jobs=2, **OPTIONS)
    assert Path(marker).exists()
    pd.testing.assert_frame_equal(found, expected)


def test_a_job_that_kills_its_worker_in_every_attempt_is_reported(tmp_path, monkeypatch):
    def dies(name, number, **options):
        import os

        os._exit(1)

    monkeypatch.setattr(runner, "ATTEMPTS", 1)  # a pool takes a second to start
    options = OPTIONS | {"n_repetitions": 1, "n_jobs": 2}
    with pytest.raises(table4.Incomplete, match=r"1 of 1 jobs failed: mushrooms 0: a worker died"):
        table4.run(["mushrooms"], folder=tmp_path / "parts", work=dies, **options)


def test_rows_are_the_same_on_one_process_and_on_two(tmp_path):
    options = OPTIONS | {"n_repetitions": 2}
    one = table4.run(["halfspace"], folder=tmp_path / "one", **options)
    two = table4.run(["halfspace"], folder=tmp_path / "two", n_jobs=2, **options)
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    for number in range(2):
        parts = [tmp_path / folder / f"halfspace-00{number}.csv" for folder in ("one", "two")]
        assert parts[0].read_bytes() == parts[1].read_bytes()


def test_a_folder_of_another_run_is_refused(tmp_path):
    table4.run(["mushrooms"], folder=tmp_path, work=cheap, **OPTIONS)
    with pytest.raises(ValueError, match="folder must be empty or hold a run with the same parameters"):
        table4.run(["mushrooms"], folder=tmp_path, work=cheap, **(OPTIONS | {"seed": 1}))
    with pytest.raises(ValueError, match="name must be one of"):
        table4.run(["iris"], folder=tmp_path, work=cheap, **OPTIONS)
