"""The cluster: equal to one process byte for byte while nodes are killed; failures are named, the rest is kept."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import quadriga
from adapters.extras import need
from quadriga.engine.errors import ClusterError, OptionError
from quadriga.games import find
from quadriga.lab.executors.chunks import Failure, cut
from quadriga.lab.executors.cluster import ClusterExecutor
from quadriga.lab.executors.versions import own_versions
from quadriga.lab.simulate import SimulationJob, SimulationPlan
from quadriga.lab.solver.solve import solve
from soak import SOAK, count
from support import ROOT, SOURCES, here

need("ray", "cluster")

from lab.executors.ray_cluster import RayCluster  # noqa: E402
from lab.study.studies import frames_of, plan_of, same  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    found = RayCluster()
    yield found
    found.shutdown()


@pytest.fixture
def node(cluster):
    yield cluster.add()
    cluster.kill_all()


@pytest.fixture
def executor(cluster):
    found = ClusterExecutor(cluster.address)
    yield found
    found.close()


def start(*command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command], env=here(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def run(*command: str) -> str:
    out, errors = (process := start(*command)).communicate()
    assert process.returncode == 0, errors
    return out


def run_and_kill(cluster, node, *command: str) -> str:
    """Run a command, kill a node while it works for the command, and return what the command printed."""
    process = start(*command)
    cluster.wait_until(lambda: cluster.chunks_on(node) or process.poll() is not None)
    cluster.kill(node)
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    assert "ran again" in errors
    return out


def without_time(printed: str) -> dict[str, Any]:
    found = json.loads(printed)
    return {key: value for key, value in found.items() if key not in ("timing", "seconds")}


SIM = ["-m", "quadriga", "sim", "ave-caesar", "--seats", "3", "--games", str(count(24_000, 2_000_000)), "--json"]
ARENA = ["-m", "quadriga", "arena", "ur", "--players", "search:50,greedy", "--all", "--json"]
ARENA += ["--games", str(count(24, 3000)), "--seed", "7"]
LAB = ["-m", "quadriga", "lab", "ur", "--players", "search:50,greedy", "--reviews", "1", "--json"]
LAB += ["--games", "100", "--seed", "7"]
REGRET = [str(ROOT / "benchmarks" / "regret.py"), "1", f"search:500:{count(40, 2000)}", "greedy:200"]
TRAIN = ["-m", "quadriga", "train", "ur", "--rules", "finkel", "--games", str(count(384, 12_800))]
TRAIN += ["--rounds", str(count(1, 10)), "-o"]


def test_sim_is_the_same_while_a_node_is_killed(cluster, node):
    asked = [*SIM, "--seed", "3"]
    killed = run_and_kill(cluster, node, *asked, "--cluster", cluster.address)
    assert without_time(killed) == without_time(run(*asked))


@pytest.mark.soak
def test_an_arena_is_the_same_while_a_node_is_killed(cluster, node, tmp_path):
    there, one = tmp_path / "there.json", tmp_path / "one.json"
    killed = run_and_kill(cluster, node, *ARENA, "--keep", str(there), "--cluster", cluster.address)
    assert without_time(killed) == without_time(run(*ARENA, "--keep", str(one), "--workers", "1"))
    assert without_time(there.read_text()) == without_time(one.read_text())


@pytest.mark.soak
def test_regret_is_the_same_while_a_node_is_killed(cluster, node, tmp_path, monkeypatch):
    """The nodes have no tables: they are sent with the work."""
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve("ben", 1, workers=1, where=tmp_path)
    killed = run_and_kill(cluster, node, REGRET[0], "--cluster", cluster.address, *REGRET[1:])
    assert killed == run(*REGRET)


@pytest.mark.soak
def test_training_is_the_same_while_a_node_is_killed(cluster, node, tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    there, one = tmp_path / "there.json", tmp_path / "one.json"
    run_and_kill(cluster, node, *TRAIN, str(there), "--cluster", cluster.address)
    run(*TRAIN, str(one))
    assert there.read_bytes() == one.read_bytes()


def test_a_study_is_the_same_on_the_cluster(cluster, executor, tmp_path, monkeypatch):
    monkeypatch.setitem(vars(find("ur").study), "games_at_once", 10)
    plan = plan_of("ur", "greedy", games=35, reviews=1, playouts=2)
    there = frames_of(plan, tmp_path / "there", compiled=True, executor=executor)
    assert same(there, frames_of(plan, tmp_path / "here", compiled=True))


@pytest.mark.soak
def test_a_study_is_the_same_while_a_node_is_killed(cluster, node, tmp_path):
    there, one = tmp_path / "there", tmp_path / "one"
    killed = json.loads(run_and_kill(cluster, node, *LAB, "--out", str(there), "--cluster", cluster.address))
    alone = json.loads(run(*LAB, "--out", str(one), "--workers", "1"))
    assert killed["findings"] == alone["findings"]
    tables = sorted(path.name for path in one.glob("*.parquet"))
    assert tables == ["games.parquet", "reviews.parquet", "seats.parquet", "spaces.parquet"]
    assert all((there / name).read_bytes() == (one / name).read_bytes() for name in tables)
    assert (there / "report.html").read_bytes() == (one / "report.html").read_bytes()


def test_an_interrupt_ends_the_work_on_the_cluster_and_one_process_continues_it(cluster, node, tmp_path):
    kept, asked = tmp_path / "games.json", [*ARENA[:-4], "--seed", "7", "--keep"]
    process = start(*asked, str(kept), "--games", "1_000_000", "--cluster", cluster.address)
    cluster.wait_until(lambda: kept.exists() and len(json.loads(kept.read_text())["rows"]) >= 8)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert process.returncode == 130, errors
    assert json.loads(out)["interrupted"] is True
    cluster.wait_until(lambda: not cluster.chunks_on(node) and not cluster.chunks_on(cluster.head))
    if not SOAK:  # that an interrupted arena is continued is tested without a cluster, too
        return
    games = len(json.loads(kept.read_text())["rows"]) + 4
    more = ["--games", str(games), "--workers", "1"]
    there, here = (run(*asked, str(path), *more) for path in (kept, tmp_path / "whole.json"))
    assert without_time(there) == without_time(here)


def job_of(function, error=None):
    """Return a job that calls a function for each chunk. Ray sends it to nodes as code."""

    class Job:
        is_compiled = False

        def start(self, report=None):
            if error:
                raise error
            return function

    return Job()


def test_chunks_come_in_order_and_one_that_kills_its_worker_is_named(cluster, executor):
    def play(chunk):
        import os
        import signal
        import time

        if chunk.first == 20:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02 * (chunk.first % 3))
        return chunk.first

    found = list(executor.start(job_of(play)).map(cut(0, 75, 10)))
    assert found[:2] + found[3:] == [0, 10, 30, 40, 50, 60, 70]
    assert isinstance(found[2], Failure)
    assert (found[2].first, found[2].last, found[2].tries) == (20, 29, 4)
    assert "WorkerCrashedError" in found[2].reason
    assert executor.repeated == 3


def test_a_chunk_that_raises_an_error_once_is_played_again(cluster, executor, tmp_path):
    marker = tmp_path / "raised"

    def play(chunk):
        if chunk.first == 1 and not marker.exists():
            marker.touch()
            raise MemoryError("no room")
        return chunk.first

    assert list(executor.start(job_of(play)).map(cut(0, 3, 1))) == [0, 1, 2]
    assert executor.repeated == 1


def test_an_error_that_another_try_would_not_change_is_raised_at_once(cluster, executor):
    refused = job_of(None, OptionError("solve.game", game="chess"))
    with pytest.raises(OptionError, match="chess"):
        executor.start(refused)
    assert executor.repeated == 0


@pytest.mark.parametrize("joins_later", [False, True])
def test_nodes_with_other_versions_are_refused_in_one_sentence(cluster, executor, monkeypatch, joins_later):
    """Here this machine has the other version. In the soak a node has."""
    job, own = job_of(None), {**own_versions(), "NumPy": "9.9.9"}
    monkeypatch.setattr("quadriga.lab.executors.cluster.own_versions", lambda: own)
    if joins_later:
        executor._prepared.add(type(job))
    sentence = r"^The node [\d.]+ has NumPy [\d.]+, and this machine has 9\.9\.9: install the same version"
    with pytest.raises(ClusterError, match=sentence):
        list(executor.start(job).map(cut(0, 3, 1)))


@pytest.mark.soak
def test_a_node_with_another_version_is_refused_also_if_it_joins_later(cluster, executor, tmp_path):
    def play(chunk):
        import time

        time.sleep(0.2)

    run = executor.start(job_of(play))
    other = tmp_path / "src"
    shutil.copytree(SOURCES, other, ignore=shutil.ignore_patterns("page", "__pycache__"))
    (other / "quadriga" / "version.py").write_text('__version__ = "9.9.9"\n')
    cluster.add(PYTHONPATH=str(other))
    try:
        sentence = (
            r"^The node [\d.]+ has quadriga 9\.9\.9 \(\w+\), and this machine has .*: install the same version"
        )
        with pytest.raises(ClusterError, match=sentence):  # it has joined later
            list(run.map(cut(0, 600, 1)))
        executor.close()
        again = ClusterExecutor(cluster.address)
        with pytest.raises(ClusterError, match=sentence):
            again.start(job_of(play))
    finally:
        cluster.kill_all()


class Watch(threading.Thread):
    """Notes every file that was ever in a folder, by name: a file that is written twice has two numbers."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.is_over = folder, threading.Event()
        self.numbers: dict[str, set[int]] = {}

    def run(self) -> None:
        while not self.is_over.wait(0.02):
            for path in self.folder.glob("*-*[0-9a-f]"):
                try:
                    self.numbers.setdefault(path.name, set()).add(path.stat().st_ino)
                except FileNotFoundError:  # a temporary file
                    continue


@pytest.mark.soak  # that processes compile a kernel once is tested without a cluster, too
def test_a_node_compiles_every_kernel_once(cluster, executor, tmp_path):
    """The node joins after the others were prepared, so its three workers need the same kernels at once."""
    game, cache, met = find("highcard"), tmp_path / "cache", tmp_path / "met"
    met.mkdir()
    plan = SimulationPlan(game.id, *game.resolve_options({}, None), 1, 4)

    class Job:
        is_compiled = True

        def start(self, report=None):
            play = SimulationJob(plan, True).start(report)

            def play_with_the_others(chunk):
                import os
                import time

                (met / str(os.getpid())).touch()
                end = time.monotonic() + 100
                while len(list(met.iterdir())) < 4 and time.monotonic() < end:
                    time.sleep(0.05)
                return play(chunk).games

            return play_with_the_others

    run = executor.start(Job())
    cluster.add(cores=3, QUADRIGA_CACHE=str(cache))
    watch = Watch(cache / "kernels")
    watch.start()
    try:
        assert list(run.map(cut(0, 4, 1))) == [1] * 4
    finally:
        watch.is_over.set()
        watch.join()
        cluster.kill_all()
    assert len(list(met.iterdir())) == 4
    assert any(name.startswith("measure-") for name in watch.numbers)
    assert {name: len(found) for name, found in watch.numbers.items()} == dict.fromkeys(watch.numbers, 1)


def test_ray_accepts_the_configuration_to_start_from():
    import yaml
    from ray.autoscaler._private.util import prepare_config, validate_config

    written = yaml.safe_load((ROOT / "examples" / "cluster.yaml").read_text())
    validate_config(prepare_config(written))
    assert any(f"=={quadriga.__version__}" in command for command in written["setup_commands"])
