"""Executors: equal results in order, failures kept apart from results, and clear errors for a wrong cluster."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from typing import Any

import msgspec
import numpy as np
import pytest

from quadriga.cli import main
from quadriga.engine.errors import ClusterError, MissingExtraError
from quadriga.games import find
from quadriga.games.ur.bots import network as learned
from quadriga.games.ur.bots.training.train import known, self_play
from quadriga.lab.arena.arena import compete
from quadriga.lab.executors import cluster, connection, worker
from quadriga.lab.executors.chunks import Chunk, Failure, cut
from quadriga.lab.executors.local import LocalExecutor, LocalRun
from quadriga.lab.executors.versions import difference, own_versions
from quadriga.lab.simulate import simulate
from support import here

UR = find("ur")
OPTIONS, _ = UR.resolve_options({"markers": 1}, 2)


class FailingRun(LocalRun[Any]):
    """Loses one chunk for good."""

    lost = 1

    def map(self, chunks):
        for number, (chunk, result) in enumerate(zip(given := list(chunks), super().map(given), strict=True)):
            gone = Failure(chunk.first, chunk.first + chunk.count - 1, 4, "WorkerCrashedError: killed")
            yield gone if number == self.lost else result


class FailingExecutor(LocalExecutor):
    """Loses the second chunk of every job."""

    repeated = 3

    def __init__(self, address=""):
        super().__init__(2)

    def start(self, job, report=None):
        return FailingRun(job, 2, report)


def test_games_are_cut_into_chunks():
    assert list(cut(5, 12, 3)) == [Chunk(5, 3), Chunk(8, 3), Chunk(11, 1)]
    assert list(cut(5, 5, 3)) == []


def test_chunks_on_a_cluster_are_large_enough_to_send_and_small_enough_to_share():
    executor = cluster.ClusterExecutor.__new__(cluster.ClusterExecutor)
    executor._workers, executor._counted = 10, float("inf")
    assert executor.chunk_size(100, 64) == 64
    assert executor.chunk_size(64 * 16 * 10 * 5, 64) == 64 * 5
    assert executor.chunk_size(10**12, 64) == 64 * 256


def test_a_simulation_keeps_the_other_games_and_names_those_that_failed():
    found = simulate(UR, OPTIONS, 2, games=10_000, seed=1, executor=FailingExecutor())
    assert found.games == 10_000 - 4096
    assert found.failed == [Failure(4096, 8191, 4, "WorkerCrashedError: killed")]
    assert not found.interrupted


def test_an_arena_keeps_the_other_rounds_and_a_later_run_plays_the_missing_ones(tmp_path):
    path = str(tmp_path / "games.json")
    asked: dict[str, Any] = {"names": ["greedy", "random"], "games": 200, "seed": 1, "early": False}
    found = compete(UR, OPTIONS, 2, **asked, path=path, executor=FailingExecutor())
    assert found.failed
    assert found.games < 200
    assert len(found.standings) == 2
    assert len(json.loads((tmp_path / "games.json").read_text())["rows"]) < found.games
    whole, later = compete(UR, OPTIONS, 2, **asked), compete(UR, OPTIONS, 2, **asked, path=path)
    assert msgspec.structs.replace(later, seconds=0) == msgspec.structs.replace(whole, seconds=0)


def test_training_does_not_learn_from_a_part_of_the_games():
    with pytest.raises(ClusterError, match="Games 2 to 3 failed 4 times"):
        self_play(known("ben", learned.no_network()), 1, 0, 8, 250, 1, executor=FailingExecutor())


def test_self_play_is_the_same_on_any_executor():
    nothing = known("ben", learned.no_network())
    one, three = (self_play(nothing, 1, 0, 200, 250, 1, executor=LocalExecutor(n)) for n in (1, 3))
    assert all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(one, three, strict=True))


@pytest.mark.parametrize(
    ("command", "part"), [(["sim"], "Games"), (["arena", "--players", "greedy,easy"], "Rounds")]
)
def test_a_command_prints_what_is_missing_and_fails(command, part, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "ClusterExecutor", FailingExecutor)
    with pytest.raises(SystemExit) as end:
        main([*command, "ur", "--cluster", "127.0.0.1:1", "--games", "9000", "--seed", "1", "--json"])
    printed = capsys.readouterr()
    assert end.value.code == 2
    assert json.loads(printed.out)["failed"]
    assert f"{part} " in printed.err
    assert "failed 4 times and are missing: WorkerCrashedError" in printed.err


@pytest.mark.parametrize(
    "address", ["nonsense", "host", ":6379", "host:", "host:x", "host:0", "host:70000", "ray://h:1"]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ClusterError, match="HOST:PORT"):
        connection.connect(address)


def test_an_address_where_nobody_answers_is_refused():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ClusterError, match="cannot be reached: Connection refused"):
        connection.connect(f"127.0.0.1:{port}")
    with pytest.raises(ClusterError, match="cannot be reached"):
        connection.connect("no-such-host.invalid:6379")


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_another_service_at_the_address_is_refused(answer):
    with socket.create_server(("127.0.0.1", 0)) as service:

        def reply():
            with service.accept()[0] as line:
                line.recv(100)
                line.sendall(answer)

        thread = threading.Thread(target=reply)
        thread.start()
        with pytest.raises(ClusterError, match="something else than a Ray cluster"):
            connection.connect(f"127.0.0.1:{service.getsockname()[1]}")
        thread.join()


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"quadriga\[cluster\]"):
        connection.connect("127.0.0.1:6379")


def test_a_node_that_cannot_keep_compiled_code_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    worker.check_cache("10.0.0.2")
    (tmp_path / "file").touch()
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path / "file"))
    with pytest.raises(ClusterError, match=r"The node 10\.0\.0\.2 cannot keep compiled code"):
        worker.check_cache("10.0.0.2")


def test_workers_and_a_cluster_exclude_each_other(capsys):
    for command in (["sim", "ur"], ["arena", "ur", "--players", "greedy,random"]):
        with pytest.raises(SystemExit) as end:
            main([*command, "--cluster", "127.0.0.1:1", "--workers", "2"])
        assert end.value.code == 2
        assert "give one of the two" in capsys.readouterr().err


def test_the_first_difference_between_versions_is_found():
    own = own_versions()
    assert difference(own, dict(own)) is None
    assert difference(own, {**own, "NumPy": "1.0"}) == ("NumPy", own["NumPy"], "1.0")
    assert difference(own, {}) == ("quadriga", own["quadriga"], "")


def test_ray_is_loaded_for_a_cluster_only():
    check = "import sys, quadriga.cli.app, quadriga.lab.executors.cluster; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, env=here())
    assert done.stdout == "False\n"
