"""The sandbox of the systemd unit: what it forbids, and that the server does all of its work inside."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import programs
from server.support import sandbox
from server.support.cluster import DEPLOY
from server.support.command_line import CommandLineServer
from server.support.services import new_shared_store, shared_redis
from support import SOURCES

UNITS = sorted(DEPLOY.glob("*.service"))
FORBIDDEN = {
    "CapabilityBoundingSet": "",
    "UMask": "0077",
    "ProtectSystem": "strict",
    "ProtectProc": "invisible",
    "SystemCallArchitectures": "native",
    **dict.fromkeys(("NoNewPrivileges", "PrivateDevices", "PrivateTmp", "PrivateUsers", "RemoveIPC"), "true"),
    **dict.fromkeys(("ProtectHome", "ProtectClock", "ProtectHostname", "ProtectControlGroups"), "true"),
    **dict.fromkeys(("ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables"), "true"),
    **dict.fromkeys(("RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality"), "true"),
}
MOST_EXPOSED = 15  # tenths of systemd's measure, of which 0 is the best and 100 the worst
DECK = SOURCES / "quadriga" / "games" / "benhvrt" / "data" / "deck.toml"


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_the_unit_has_the_usual_sandbox(unit: Path):
    given = sandbox.settings(unit.read_text("utf-8"))
    assert {name: given.get(name) for name in FORBIDDEN} == {name: [value] for name, value in FORBIDDEN.items()}
    assert given["SystemCallFilter"] == ["@system-service", "~@privileged"]
    assert given["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_finds_the_unit_well_confined(unit: Path, tmp_path: Path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip(f"there is no systemd-analyze{programs.ARROW}sudo apt-get install systemd")
    copy = tmp_path / unit.name.replace("@", "@8001")
    copy.write_text(unit.read_text("utf-8"))
    options = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
    ended = subprocess.run([analyze, "security", *options, str(copy)], capture_output=True, text=True)
    if "unrecognized option" in ended.stderr:
        pytest.skip("this systemd-analyze does not judge files")
    assert ended.returncode == 0, ended.stdout + ended.stderr


class ConfinedServer(CommandLineServer):
    """A server that is started as the unit starts it."""

    def command(self) -> list[str]:
        unit = (DEPLOY / "quadriga@.service").read_text("utf-8")
        file = self.log.with_name("restrictions.json")
        file.write_text(json.dumps(sandbox.restrictions(unit)))
        return [sys.executable, sandbox.__file__, str(file), *super().command()]


async def test_a_server_does_all_of_its_work_in_the_sandbox(tmp_path: Path):
    if not sandbox.available():
        pytest.skip(f"there is no systemd-analyze or libseccomp{programs.ARROW}sudo apt-get install systemd")
    server = ConfinedServer(tmp_path, "--pubsub", shared_redis().url)
    server.store = new_shared_store()
    server.start()
    try:
        table, token = server.create("ur", "me bot", options={"markers": 1})
        client = await server.connect(table, token)
        await client.play(random.Random(1))
        await client.close()
        deck = {"name": "deck.toml", "text": DECK.read_text("utf-8")}
        status, read = server.call("POST", "/api/games/ben-hvrt/files/deck", deck)
        assert status == 200, read
        status, job = server.call("POST", f"/api/tables/{table}/review", {})
        while job.get("state") in ("waiting", "running"):
            await asyncio.sleep(0.2)
            status, job = server.call("GET", f"/api/reviews/{job['review']}")
        assert job.get("state") == "done", (status, job)
    finally:
        server.kill()
    assert server.lines() == []
