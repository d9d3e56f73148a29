"""Compiling in several processes: the same results, through the cache on disk, and a fallback for all else."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest

from quadriga.engine.kernels import compile_pool, compiler
from quadriga.engine.kernels.compiler import Request, compile_all
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import measure
from quadriga.games import find
from support import is_running

needs_compiler = pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
SIMULATE = """
import json, sys
from quadriga.lab.simulate import simulate
from quadriga.games import find
game = find("highcard")
told = []
result = simulate(game, *game.resolve_options({}, None), games=50, seed=1, report=lambda *each: told.append(each))
print(json.dumps([result.to_dict()["decisions"], told[-1][0] == told[-1][1] if told else None, len(told)]))
"""


@pytest.fixture
def two_jobs(monkeypatch):
    monkeypatch.setenv("QUADRIGA_JOBS", "2")


def simulated(tmp_path, jobs):
    environment = {**os.environ, "QUADRIGA_CACHE": str(tmp_path), "QUADRIGA_JOBS": jobs}
    return subprocess.run(
        [sys.executable, "-c", SIMULATE], capture_output=True, text=True, check=True, env=environment
    ).stdout


@needs_compiler
def test_code_compiled_in_several_processes_plays_the_same_and_is_found_ready(tmp_path):
    cold, warm = simulated(tmp_path, "2"), simulated(tmp_path, "2")
    assert cold.startswith("[{")
    assert "true" in cold
    assert warm.split("}")[0] == cold.split("}")[0]
    assert "null, 0]" in warm


@needs_compiler
def test_what_was_compiled_for_one_entry_point_is_not_compiled_again_for_another(tmp_path, two_jobs):
    disk = DiskCache(tmp_path)
    machine = Machine(find("highcard"))
    first = Request(measure, machine.bindings)
    tasks = compile_pool._tasks([first], disk)
    assert sum(task.is_entry for task in tasks.values()) == 1
    assert len(tasks) > 20
    assert compile_pool.compile_missing([first], disk, lambda *each: None)
    assert compile_pool._tasks([first], disk) == {}
    second = Request(measure, machine.bindings, boundscheck=True)
    assert len(compile_pool._tasks([second], disk)) == len(tasks)  # other machine code
    for path in tmp_path.glob("measure-*"):
        path.unlink()
    assert [task.is_entry for task in compile_pool._tasks([first], disk).values()] == [True]


@kernel
def _add(x: int) -> int:
    return x + 1


def test_kernels_that_other_processes_cannot_import_are_compiled_here(tmp_path, two_jobs):
    @kernel
    def local(x: int) -> int:
        return _add(x) * 3

    assert not compile_pool.compile_missing([Request(local, {})], DiskCache(tmp_path), lambda *each: None)
    assert compiler.compile_kernel(local, {}, disk=DiskCache(tmp_path))(1) == 6


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, two_jobs):
    (tmp_path / "file").write_text("in the way")
    disk = DiskCache(tmp_path / "file" / "below")
    assert not disk.is_writable()
    compile_all([Request(_add, {})], disk=disk)


@needs_compiler
def test_workers_end_with_the_process_that_started_them(tmp_path):
    environment = {**os.environ, "QUADRIGA_CACHE": str(tmp_path), "QUADRIGA_JOBS": "2"}
    parent = subprocess.Popen([sys.executable, "-c", SIMULATE], env=environment, stdout=subprocess.DEVNULL)
    try:
        while len(children := psutil.Process(parent.pid).children()) < 2:
            assert parent.poll() is None
            time.sleep(0.02)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    while any(map(is_running, children)):
        time.sleep(0.02)


def test_reports_move_with_the_work(tmp_path, two_jobs):
    if not compiler.is_available():
        pytest.skip("there is no compiler")
    told = []
    machine = Machine(find("highcard"))
    compile_all(
        [Request(measure, machine.bindings)], disk=DiskCache(tmp_path), report=lambda *each: told.append(each)
    )
    done = [each[0] for each in told]
    assert done == sorted(done)
    assert told[-1][0] == told[-1][1]
    assert np.all(np.diff([each[2] for each in told]) >= 0)
