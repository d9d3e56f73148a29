"""Try out an installed Quadriga: run the commands, play on a server to the end of a game, use every extra there is.

    ENVIRONMENT/bin/python scripts/tryout.py [--store postgresql://... --pubsub redis://...] [STEP...]

Works in a folder of its own, with the Python that runs the script and what is installed there. Needs nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"
GAMES = ("ur", "ave-caesar", "ben-hvrt")
ONE_MARKER = ("--option", "markers=1")


def quadriga(*arguments: str, typed: str = "") -> str:
    """Run a command, and return what it printed."""
    return run([_program(), *arguments], typed)


def run(command: list[str], typed: str = "") -> str:
    """Run a program, and return what it printed; end the tryout if it fails."""
    done = subprocess.run(command, input=typed, capture_output=True, text=True, encoding="utf-8", timeout=600)
    if done.returncode:
        said = f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        sys.exit(f"{said}\nThis ended with {done.returncode}: {' '.join(command)}")
    return done.stdout


def _program() -> str:
    found = shutil.which("quadriga", path=sysconfig.get_path("scripts"))
    return found or sys.exit("Quadriga is not installed here.")


def has(*modules: str) -> bool:
    """Return whether all of these modules are installed."""
    return all(importlib.util.find_spec(name) is not None for name in modules)


def try_commands() -> None:
    """Run the commands that need no extra."""
    version = quadriga("--version")
    assert version.startswith("quadriga "), version
    assert "Usage:" in quadriga("--help", "--lang", "en")
    assert [game["id"] for game in json.loads(quadriga("games", "--json"))][:3] == list(GAMES)
    for game in GAMES:
        assert quadriga("rules", game)
        quadriga("draw", game, "--out", f"{game}.svg")
        Path(f"{game}.jsonl").write_text(quadriga("trace", game, "--seed", "1", "--fair"), "utf-8", newline="\n")
        quadriga("replay", f"{game}.jsonl")
        quadriga("verify", f"{game}.jsonl")
        assert json.loads(quadriga("sim", game, "--games", "5", "--plain", "--json"))["games"] == 5
    quadriga("learn")


def try_playing() -> None:
    """Play in the terminal to the end of a game, and review it."""
    chosen = ("--option", "markers=3")  # with one marker there may be nothing to choose, and to review
    asked = ("play", "ur", *chosen, "--auto", "--record", "record.jsonl", "--lang", "en")
    assert "Winner:" in quadriga(*asked, typed="1\n" * 3000)
    quadriga("verify", "record.jsonl")
    assert json.loads(quadriga("review", "record.jsonl", "--playouts", "2", "--json"))["moves"]


def try_compiled() -> None:
    """Simulate, solve and train in compiled code."""
    quadriga("solve", "ur", "--markers", "1", "--folder", "tables")
    quadriga("train", "ur", "--games", "20", "--rounds", "1", "--out", "network.json")
    assert json.loads(quadriga("sim", "ur", "--games", "1000", "--workers", "2", "--json"))["timing"]["compiled"]


def try_arena() -> None:
    """Let two bots play each other."""
    asked = ("arena", "ur", *ONE_MARKER, "--players", "greedy,random", "--games", "20", "--seed", "1", "--json")
    assert len(json.loads(quadriga(*asked))["standings"]) == 2


def try_lab() -> None:
    """Write a report with charts, and the chart of a review."""
    asked = ("lab", "ur", *ONE_MARKER, "--games", "20", "--reviews", "0", "--out", "study", "--json")
    assert Path(json.loads(quadriga(*asked))["report"]).stat().st_size > 100_000
    for suffix in ("svg", "png"):
        quadriga("review", "record.jsonl", "--playouts", "2", "--chart", f"chart.{suffix}")


def try_cluster() -> None:
    """Simulate on a Ray cluster of one node on this machine."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        found = quadriga("sim", "ur", "--games", "500", "--seed", "1", "--json", "--cluster", cluster.address)
    finally:
        cluster.shutdown()
    alone = quadriga("sim", "ur", "--games", "500", "--seed", "1", "--json")
    assert json.loads(found)["wins"] == json.loads(alone)["wins"]


def try_examples() -> None:
    """Run the examples of `docs/research.md`, which use PettingZoo, OpenSpiel and Gymnasium."""
    run([sys.executable, "-m", "doctest", str(DOCS / "research.md")])


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Run a server; yield its address, and stop it as a host does."""
    command = [_program(), "serve", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if "http" not in line:
                sys.exit(f"The server did not start: {line}{process.stdout.read()}")
            yield line.split()[-1]
        finally:
            process.send_signal(signal.SIGTERM)
            process.stdout.read()
    if process.returncode != -signal.SIGTERM and os.name != "nt":  # which it passes on after its own end
        sys.exit(f"The server ended with {process.returncode}.")


def try_server(*arguments: str) -> None:
    """Read the page, and play a game over HTTP and a websocket to its end; then check what was stored."""
    store = arguments if "--store" in arguments else ("--store", "games.sqlite", *arguments)
    with server(*store) as address:
        with urllib.request.urlopen(f"{address}/api/health") as answer:
            assert answer.status == 200
        with urllib.request.urlopen(address) as answer:
            assert "<script" in answer.read().decode(), "the server has no page"
        assert sorted(asyncio.run(_play(address))) == [0, 1]
    quadriga("check", store[store.index("--store") + 1])


async def _play(address: str) -> list[int]:
    """Play a short game of Ur against a bot; return the scores."""
    import websockets

    seats = [{"kind": "me"}, {"kind": "bot"}]
    body = {"game": "ur", "name": "Ann", "seats": seats, "options": {"markers": 1}, "pace": 0, "start": True}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request) as answer:
        made: dict[str, Any] = json.load(answer)
    rng = random.Random(1)
    url = f"{address.replace('http', 'ws', 1)}/api/tables/{made['table']['id']}/socket"
    async with websockets.connect(url) as socket:
        await socket.send(json.dumps({"type": "hello", "token": made["token"]}))
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] == "table" and message["table"]["scores"] is not None:
                return list(message["table"]["scores"])
            if message["type"] in ("view", "news") and message["legal"]:
                action = rng.choice(message["legal"])["text"]
                await socket.send(json.dumps({"type": "act", "number": message["number"], "action": action}))


def main() -> None:
    """Try out everything that is installed, or the named steps."""
    parser = argparse.ArgumentParser(description="Try out an installed Quadriga.")
    parser.add_argument("--store", help="also serve from this PostgreSQL")
    parser.add_argument("--pubsub", help="and with this Redis")
    parser.add_argument("steps", nargs="*", help="the steps to try; without any, all that are installed")
    given = parser.parse_args()
    shared = ("--store", given.store or "", "--pubsub", given.pubsub or "")
    steps: dict[str, tuple[bool, Callable[[], None]]] = {
        "commands": (True, try_commands),
        "terminal": (True, try_playing),
        "server": (has("uvicorn", "sqlalchemy"), try_server),
        "services": (bool(given.store and given.pubsub), lambda: try_server(*shared)),
        "compiled": (has("numba"), try_compiled),
        "arena": (has("numba"), try_arena),
        "lab": (has("altair", "polars", "numba"), try_lab),
        "adapters": (has("pettingzoo", "pyspiel", "gymnasium", "numba"), try_examples),
        "cluster": (has("ray", "numba"), try_cluster),
    }
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        for name in given.steps or [name for name, (is_there, _) in steps.items() if is_there]:
            begun = time.monotonic()
            steps[name][1]()
            print(f"  {name}: {time.monotonic() - begun:.0f} s", flush=True)
        os.chdir(DOCS)  # Windows does not remove a folder that a process is in
    left_out = [name for name, (is_there, _) in steps.items() if not is_there]
    if left_out and not given.steps:
        print(f"  not installed: {', '.join(left_out)}")


if __name__ == "__main__":
    main()
