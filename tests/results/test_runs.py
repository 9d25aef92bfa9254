"""Studies that are stopped, lose a worker or a disk, go to a cluster, and are taken up again."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from privml import results
from privml.datasets import Dataset
from privml.datasets import base as files
from privml.results import runs
from privml.results.runs import Incomplete, Study, main, provenance, run, write


def cheap(name, number):
    return [(name, number, 1.0), (name, number, np.float64("inf"))]


STUDY = Study(
    name="toy",
    columns=("dataset", "repetition", "epsilon"),
    jobs=tuple(
        (name, number) for name in ("mushrooms", "halfspace") for number in range(4)
    ),
    work=cheap,
    parameters={"seed": 0, "largest": float("inf")},
)


@pytest.fixture
def expected(tmp_path):
    return run(STUDY, tmp_path / "whole")


def test_rows_come_in_order_and_once(expected):
    assert expected["dataset"].tolist() == ["mushrooms"] * 8 + ["halfspace"] * 8
    assert expected["repetition"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3] * 2
    assert expected["epsilon"].tolist() == [1.0, float("inf")] * 8


def test_an_interrupted_run_is_taken_up_where_it_stopped(tmp_path, expected):
    done, again = [], []

    def until_interrupted(name, number):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append((name, number))
        return cheap(name, number)

    def counted(name, number):
        again.append((name, number))
        return cheap(name, number)

    folder = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        run(replace(STUDY, work=until_interrupted), folder)
    assert len(list(folder.glob("0*.json"))) == 3
    pd.testing.assert_frame_equal(run(replace(STUDY, work=counted), folder), expected)
    assert len(again) == 5
    assert not set(again) & set(done)


def test_a_full_disk_leaves_whole_files_only_and_the_next_run_finishes(
    tmp_path, expected, monkeypatch
):
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
        run(STUDY, folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "00000.json",
        "00001.json",
        "study.json",
    ]
    monkeypatch.undo()
    pd.testing.assert_frame_equal(run(STUDY, folder), expected)


def test_a_job_that_fails_is_reported_and_the_others_are_kept(tmp_path, expected):
    def fails_once(name, number):
        if (name, number) == ("halfspace", 2):
            raise ArithmeticError("of no use")
        return cheap(name, number)

    folder = tmp_path / "parts"
    message = r"1 of 8 jobs failed: halfspace 2: ArithmeticError: of no use"
    with pytest.raises(Incomplete, match=message):
        run(replace(STUDY, work=fails_once), folder)
    assert len(list(folder.glob("0*.json"))) == 7
    pd.testing.assert_frame_equal(run(STUDY, folder), expected)


def test_a_worker_that_dies_once_is_replaced_and_no_row_is_lost(tmp_path, expected):
    marker = str(tmp_path / "died")

    def dies_once(name, number):  # pickled by value, so it uses nothing of this file
        import os

        if (name, number) == ("mushrooms", 2) and not os.path.exists(marker):
            open(marker, "w").close()
            os._exit(1)
        return [(name, number, 1.0), (name, number, float("inf"))]

    found = run(replace(STUDY, work=dies_once), tmp_path / "parts", n_jobs=2)
    assert Path(marker).exists()
    pd.testing.assert_frame_equal(found, expected)


def test_a_job_that_kills_its_worker_in_every_attempt_is_reported(
    tmp_path, monkeypatch
):
    def dies(name, number):
        import os

        os._exit(1)

    monkeypatch.setattr(runs, "ATTEMPTS", 1)  # a pool takes a second to start
    with pytest.raises(
        Incomplete, match=r"1 of 1 jobs failed: mushrooms 0: a worker died"
    ):
        run(
            replace(STUDY, jobs=STUDY.jobs[:1], work=dies), tmp_path / "parts", n_jobs=2
        )


def test_rows_are_the_same_on_one_process_on_two_and_on_a_dask_cluster(tmp_path):
    """Jobs of a real study, sent by the name of their function; another order changes nothing."""
    import distributed
    from joblib import parallel_config

    study = results.study("best-private-learner-grids")
    study = replace(study, jobs=study.jobs[:2])
    one = run(study, tmp_path / "one")
    pd.testing.assert_frame_equal(run(study, tmp_path / "two", n_jobs=2), one)
    local = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": False,
        "dashboard_address": None,
    }
    with distributed.Client(**local), parallel_config("dask"):
        many = run(study, tmp_path / "dask")
    pd.testing.assert_frame_equal(many, one)
    folders = [sorted((tmp_path / name).iterdir()) for name in ("one", "two", "dask")]
    contents = [[file.read_bytes() for file in folder] for folder in folders]
    assert contents[0] == contents[1] == contents[2]


def test_a_folder_of_another_run_is_refused(tmp_path):
    run(STUDY, tmp_path)
    with pytest.raises(
        ValueError, match="folder must be empty or hold a run of the same study"
    ):
        run(replace(STUDY, parameters={"seed": 1}), tmp_path)


def toy(flipped=False):
    X = np.random.default_rng(3).random((60, 2))
    return Dataset(X, (X[:, 0] > 0.5) ^ flipped, ("no", "yes"), ("a", "b"))


def test_a_table_and_its_provenance_are_written_side_by_side(tmp_path):
    study = replace(STUDY, data={"toy": toy})
    write(
        study, pd.DataFrame({"epsilon": [0.1], "mean": [1 / 3]}), tmp_path / "results"
    )
    assert (
        tmp_path / "results/toy.csv"
    ).read_text() == "epsilon,mean\n0.1,0.333333333\n"
    found = json.loads((tmp_path / "results/toy.json").read_text())
    assert found["command"] == "python -m privml.results.toy"
    assert found["parameters"] == {"seed": 0, "largest": "inf"}
    assert (found["data"]["toy"]["n_samples"], found["data"]["toy"]["n_features"]) == (
        60,
        2,
    )
    changed = provenance(replace(study, data={"toy": lambda: toy(flipped=True)}))
    assert (
        changed["data"]["toy"]["sha256_of_records"]
        != found["data"]["toy"]["sha256_of_records"]
    )


def test_the_command_writes_the_table_and_forgets_its_parts(
    tmp_path, monkeypatch, expected
):
    monkeypatch.setattr(runs, "study", {"toy": STUDY}.get)
    main("toy", ["--parts", str(tmp_path / "parts"), "--to", str(tmp_path / "out")])
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "out" / "toy.csv"), expected)
    assert list((tmp_path / "parts").iterdir()) == []
