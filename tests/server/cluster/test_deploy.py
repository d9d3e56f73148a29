"""The files in deploy/: every option, limit, metric and file that they name exists."""

from __future__ import annotations

import fnmatch
import json
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import programs
from quadriga.server.settings import LIMITS
from quadriga.version import __version__
from server.support.cluster import DEPLOY, processes
from server.support.processes import run_command
from server.support.services import shared_postgres, shared_redis
from support import ROOT


def commands() -> list[str]:
    """Return the command lines of `quadriga serve` in the files."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    unit = (DEPLOY / "quadriga@.service").read_text("utf-8")
    (started,) = re.findall(r"^ExecStart=\S+/quadriga (serve .*)$", unit, re.M)
    servers = [each for name, each in compose["services"].items() if name.startswith("server-")]
    assert len(servers) >= 2
    return [started, *(each["command"] for each in servers)]


def test_every_option_and_limit_of_the_commands_exists():
    told = run_command("serve", "--help", "--lang", "en").stdout
    for command in commands():
        options = re.findall(r"--[a-z-]+", command)
        assert "--trusted-proxy" in options
        for option in options:
            assert re.search(rf"{option}\b", told), option
        for name in re.findall(r"--limit ([a-z_]+)=", command):
            assert name in LIMITS


def test_all_ways_to_deploy_use_the_same_nginx_configuration():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    mounted = dict(each.split(":")[:2] for each in compose["services"]["nginx"]["volumes"])
    assert mounted["./compose-upstream.conf"] == "/etc/quadriga/upstream.conf"
    for file in ("./nginx.conf", "./compose-upstream.conf"):
        assert (DEPLOY / file).is_file()
    upstream = (DEPLOY / "compose-upstream.conf").read_text("utf-8")
    named = re.findall(r"^server ([a-z0-9-]+):8000 (.*);$", upstream, re.M)
    assert [name for name, _ in named] == [name for name in compose["services"] if name.startswith("server-")]
    own = re.findall(r"^server \S+ (.*);$", (DEPLOY / "upstream.conf").read_text("utf-8"), re.M)
    assert {options for _, options in named} == set(own)
    assert "include /etc/quadriga/upstream.conf;" in (DEPLOY / "nginx.conf").read_text("utf-8")


async def test_nginx_sends_a_table_to_one_server_and_every_metric_of_the_dashboard_exists():
    with processes(2, shared_postgres(), shared_redis()) as where:
        tables = [where.front.create("ur", "me bot") for _ in range(4)]
        for table, token in tables:
            clients = [await where.front.connect(table, token), await where.front.connect(table)]
            await clients[0].play(random.Random(1), moves=2)
            await clients[1].until("view")
        texts = []
        for server in where.servers:
            texts.append(server.call("GET", "/metrics")[1])
        sockets = [int(float(re.findall(r"^quadriga_sockets ([0-9.]+)$", text, re.M)[0])) for text in texts]
        assert sum(sockets) == 8
        assert all(number % 2 == 0 for number in sockets)  # both sockets of a table are at the same server
        assert where.front.call("GET", "/metrics")[0] == 404
        known = set(re.findall(r"^# TYPE (\S+) ", texts[0], re.M))
        for name in list(known):
            known |= {f"{name}_bucket", f"{name}_count", f"{name}_sum"}
        dashboard = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
        used = re.findall(
            r"quadriga_[a-z_]+", " ".join(t["expr"] for p in dashboard["panels"] for t in p["targets"])
        )
        assert len(set(used)) > 8
        assert set(used) <= known, set(used) - known


def test_the_unit_and_the_environment_agree():
    unit = (DEPLOY / "quadriga@.service").read_text("utf-8")
    named = set(re.findall(r"\$\{([A-Z_]+)\}", unit))
    given = dict(
        line.split("=", 1) for line in (DEPLOY / "quadriga.env").read_text().splitlines() if line[:1].isupper()
    )
    assert named <= set(given)
    assert set(given) - named == {"QUADRIGA_STORE", "QUADRIGA_PUBSUB"}


@pytest.mark.parametrize("name", ["quadriga@.service", "quadriga-backup.service", "quadriga-backup.timer"])
def test_systemd_accepts_a_unit(name: str, tmp_path: Path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip(f"there is no systemd-analyze{programs.ARROW}sudo apt-get install systemd")
    for unit in (*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")):
        text = unit.read_text("utf-8").replace("/opt/quadriga/bin/quadriga", sys.executable)
        (tmp_path / unit.name).write_text(text)
    ended = subprocess.run([analyze, "verify", str(tmp_path / name)], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_image_installs_the_wheel_of_this_project_with_extras_that_exist():
    build = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["x-server"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT / "dist"  # where `make dist` puts it
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    (pattern,) = re.findall(r"^COPY (\S+) /tmp/$", text, re.M)
    assert fnmatch.fnmatch(f"quadriga-{__version__}-py3-none-any.whl", pattern)
    ((installed, extras),) = re.findall(r'"\$\(ls /tmp/(\S+)\)\[([a-z,]+)\]"$', text, re.M)
    assert installed == pattern
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras.split(",")) <= set(known)
