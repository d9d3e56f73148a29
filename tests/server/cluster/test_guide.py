"""The guide of docs/hosting.md, step by step, in a folder instead of the root of an empty machine.

Files, nginx, PostgreSQL, the server and its backup are real. Commands that change the machine itself (packages,
users, units, the certificate authority) are compared with the files that the other steps install.
"""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import tarfile
import tomllib
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import programs
from docs.blocks import blocks
from server.support.cluster import DEPLOY
from server.support.command_line import CommandLineServer
from server.support.harness import Server
from server.support.nginx import AROUND, certificate, free_port
from server.support.services import Postgres, shared_postgres
from support import ROOT

NAME = "play.test"
PAGE = "docs/hosting.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
ABSOLUTE = re.compile(r"(?<![\w.:/-])/(?=(?:etc|var|opt)/)")  # a path of the machine, not of an address
REAL = {"install", "ln", "sed", "tar", "mkdir", "cp", "echo"}
PACKAGES = {  # what a command needs; systemd is there
    "certbot": "certbot",
    "curl": "curl",
    "nginx": "nginx",
    "openssl": "openssl",
    "python3": "python3-venv",
    "runuser": "postgresql",
    "systemctl": "systemd",
}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the guide is for Debian")


def section(title: str) -> list[str]:
    """Return the commands of a section in their order."""
    first = TEXT[: TEXT.index(f"## {title}")].count("\n") + 1
    rest = TEXT.splitlines()[first:]
    last = first + next((number for number, line in enumerate(rest) if line.startswith("## ")), len(rest))
    found = [block for block in blocks("sh") if block.page == PAGE and first <= block.line <= last]
    return [line for block in found for line in block.text.replace("YOUR-NAME", NAME).splitlines()]


class PublicServer(CommandLineServer):
    """A server that says what it lacks before it says where it is."""

    printed = ""

    def is_ready(self, line: str) -> bool:
        self.printed += line
        return super().is_ready(line)


class Machine:
    """A folder that stands for the root of a machine, and the steps that were done on it."""

    def __init__(self, root: Path, postgres: Postgres | None = None) -> None:
        self.root, self.postgres = root, postgres
        self.role = f"guide_{os.getpid()}"
        self.variables: dict[str, str] = {}
        self.packages = {"systemd"}
        self.units: list[str] = []
        self.server: PublicServer | None = None
        self.printed: list[tuple[str, str]] = []  # files for nginx that the server has printed
        for folder in ("etc/systemd/system", "etc/nginx/conf.d", "etc/ssl", "etc/prometheus"):
            (root / folder).mkdir(parents=True)

    def here(self, text: str) -> str:
        return ABSOLUTE.sub(f"{self.root}/", text)

    def file(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def shell(self, line: str, **environment: str) -> str:
        done = subprocess.run(
            ["bash", "-euc", self.here(line)],
            cwd=self.root,
            env={**os.environ, **self.variables, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        return done.stdout.strip()

    def do(self, line: str) -> None:
        """Do one line of the guide."""
        words = shlex.split(line, comments=True)
        if words[0] in PACKAGES:
            assert PACKAGES[words[0]] in self.packages, f"the guide does not install {words[0]}"
        match words:
            case [name, *_] if name in REAL:
                self.shell(line)
            case [variable, *_] if "=$(" in variable:
                name, _, _ = variable.partition("=")
                self.variables[name] = self.shell(f"{line}; echo ${name}")
            case ["apt-get", "update"]:
                pass
            case ["apt-get", "install", "-y", *packages]:
                self.packages |= {*packages}
            case ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", user]:
                for unit in DEPLOY.glob("*.service"):
                    assert re.findall(r"^User=(.*)$", unit.read_text("utf-8"), re.M) == [user]
            case ["python3", "-m", "venv", folder]:
                for unit in DEPLOY.glob("*.service"):
                    assert f"{folder}/bin/quadriga " in unit.read_text("utf-8")
            case ["/opt/quadriga/bin/pip", "install", *options, wanted]:
                project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
                extras = wanted.removeprefix("quadriga[").removesuffix("]").split(",")
                assert {*extras} <= {*project["optional-dependencies"]}
                assert options in ([], ["--upgrade"])
            case ["/opt/quadriga/bin/pip", "download", "--no-deps", "--no-binary", "quadriga", "quadriga"]:
                with tarfile.open(self.root / "quadriga-0.tar.gz", "w:gz") as archive:
                    archive.add(ROOT / "README.md", "quadriga-0/README.md")
                    archive.add(DEPLOY, "quadriga-0/deploy")
            case ["runuser", "-u", "postgres", "--", "psql", "-c", statement]:
                assert self.postgres is not None
                made = statement.replace("$password", self.variables.get("password", ""))
                with psycopg.connect(self.postgres.url("postgres"), autocommit=True) as connection:
                    connection.execute(re.sub(r"\bquadriga\b", self.role, made).encode())
            case ["systemctl", "enable", "--now", *units]:
                self.units += units
                for started in units:
                    template = re.sub(r"@\d+$", "@.service", started)
                    assert (self.root / "etc/systemd/system" / template).exists(), started
            case ["systemctl", "restart" | "start", unit] if unit.startswith("quadriga"):
                assert unit in self.units or (self.root / "etc/systemd/system" / unit).exists()
            case ["systemctl", "restart", "prometheus"]:
                ports = re.findall(r"127\.0\.0\.1:(\d+)", self.file("etc/prometheus/prometheus.yml"))
                assert [f"quadriga@{port}" for port in ports] == self.units[: len(ports)]
            case ["systemctl", "daemon-reload"] | ["systemctl", "reload", "nginx"]:
                pass
            case ["certbot", "certonly", *options]:
                assert options[options.index("-d") + 1] == NAME
                if "-w" in options:
                    assert f"root {options[options.index('-w') + 1]};" in self.file(
                        "etc/nginx/conf.d/quadriga-http.conf"
                    )
                live = self.root / "etc/letsencrypt/live" / NAME
                live.mkdir(parents=True)
                certificate(live).rename(live / "fullchain.pem")
                (live / "key.pem").rename(live / "privkey.pem")
            case ["/opt/quadriga/bin/quadriga", "serve", *options]:
                self.serve(options)
            case ["nginx", "-t"]:
                if self.printed:  # the guide says so in words
                    path, text = self.printed.pop(0)
                    (self.root / path.lstrip("/")).write_text(text)
                command = [*self.nginx({}), "-t"]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
            case ["curl", url]:
                assert re.fullmatch(rf"https://{NAME}/api/health|http://127\.0\.0\.1:8001/api/health", url)
            case ["quadriga", "serve", *_] | ["make", "dist"] | ["docker", "compose", *_]:
                pass
            case _:
                raise AssertionError(f"nothing tests {line}")

    def serve(self, options: list[str]) -> None:
        """Start the server that prints files for nginx."""
        self.server = PublicServer(self.root, *options)
        self.server.start()
        self.printed = re.findall(r"^# ---- (\S+)\n(.*?)(?=^# ----)", self.server.printed, re.M | re.S)

    def nginx(self, ports: dict[str, int]) -> list[str]:
        """Return the command of nginx with the files that the guide has installed, on other ports."""
        inside = self.here("".join(file.read_text() for file in sorted((self.root / "etc/nginx/conf.d").iterdir())))
        for port in ("80", "443"):
            inside = inside.replace(f"listen {port}", f"listen 127.0.0.1:{ports.get(port) or free_port()}")
        (self.root / "nginx.conf").write_text(AROUND.format(folder=self.root, inside=inside))
        return [str(programs.nginx()), "-p", str(self.root), "-e", "stderr", "-c", str(self.root / "nginx.conf")]

    def ask(self, port: int, method: str, path: str, origin: str = "") -> int:
        """Ask nginx for a path by HTTPS as the page of an origin does; return the status."""
        trust = ssl._create_unverified_context()  # the certificate authority of the guide was not asked
        headers = {"host": NAME, "content-type": "application/json", **({"origin": origin} if origin else {})}
        while True:
            with closing(http.client.HTTPSConnection("127.0.0.1", port, context=trust)) as asked:
                try:
                    asked.request(method, path, "{}" if method == "POST" else None, headers)
                except ConnectionRefusedError:  # nginx is about to listen
                    continue
                return asked.getresponse().status

    def get(self, port: int, path: str) -> tuple[int, str, str]:
        """Ask nginx for a path by HTTP; return the status, the address that it names, and the text."""
        while True:
            with closing(http.client.HTTPConnection("127.0.0.1", port)) as asked:
                try:
                    asked.request("GET", path, headers={"host": NAME})
                except ConnectionRefusedError:  # nginx is about to listen
                    continue
                answer = asked.getresponse()
                return answer.status, answer.getheader("location", ""), answer.read().decode()


def test_the_guide_leads_from_an_empty_machine_to_https(tmp_path: Path):
    postgres = shared_postgres()
    machine = Machine(tmp_path, postgres)
    for line in section("From an empty machine to HTTPS"):
        machine.do(line)

    assert {f"quadriga@{port}" for port in re.findall(r":(\d+) ", machine.file("etc/quadriga/upstream.conf"))} == {
        unit for unit in machine.units if "@" in unit
    }
    environment = dict(re.findall(r"^([A-Z_]+)=(.*)$", machine.file("etc/quadriga/quadriga.env"), re.M))
    assert (tmp_path / "etc/quadriga/quadriga.env").stat().st_mode & 0o777 == 0o600
    assert environment["QUADRIGA_NAME"] == NAME
    _, _, login = environment["QUADRIGA_STORE"].partition("//")
    assert login == f"quadriga:{machine.variables['password']}@127.0.0.1/quadriga"
    store = f"postgresql://{login}".replace("quadriga", machine.role).replace(
        "127.0.0.1/", f"127.0.0.1:{postgres.port}/"
    )

    server = Server(store).start()
    try:
        assert server.call("GET", "/api/health")[0] == 200
        unit = machine.file("etc/systemd/system/quadriga-backup.service")
        (backup,) = re.findall(r"^ExecStart=(.*)$", unit, re.M)
        command = tmp_path / "opt/quadriga/bin/quadriga"
        command.parent.mkdir(parents=True)
        command.symlink_to(Path(sys.executable).with_name("quadriga"))
        machine.shell(backup.replace("%%", "%"), QUADRIGA_STORE=store, STATE_DIRECTORY=str(tmp_path))
        assert len([*tmp_path.glob("20*.sqlite")]) == 1
    finally:
        server.kill()

    (tmp_path / "var/www/acme/.well-known/acme-challenge").mkdir(parents=True)
    (tmp_path / "var/www/acme/.well-known/acme-challenge/token").write_text("proof")
    tmp_path.chmod(0o755)
    port = free_port()
    with subprocess.Popen(machine.nginx({"80": port}), stderr=subprocess.DEVNULL) as running:
        try:
            assert machine.get(port, "/.well-known/acme-challenge/token")[::2] == (200, "proof")
            assert machine.get(port, "/t/1?x=2")[:2] == (301, f"https://{NAME}/t/1?x=2")
        finally:
            running.terminate()


def test_one_server_is_public_with_the_files_that_it_prints(tmp_path: Path):
    machine = Machine(tmp_path)
    try:
        for line in section("One server with SQLite behind a proxy"):
            machine.do(line)
        assert machine.server is not None
        assert machine.printed == []
        assert re.findall(r"^ ?\d+\. \[.\] ", machine.server.printed, re.M) == [f"{n:2}. [ ] " for n in range(1, 9)]
        port = free_port()
        with subprocess.Popen(machine.nginx({"443": port}), stderr=subprocess.DEVNULL) as running:
            try:
                assert machine.ask(port, "GET", "/api/health") == 200
                assert machine.ask(port, "GET", "/metrics") == 404
                assert machine.ask(port, "POST", "/api/me", f"https://{NAME}") == 200
                assert machine.ask(port, "POST", "/api/me", "https://elsewhere.example") == 403
            finally:
                running.terminate()
    finally:
        if machine.server is not None:
            machine.server.kill()


def test_the_guide_to_containers_makes_the_files_that_compose_mounts(tmp_path: Path):
    machine = Machine(tmp_path, shared_postgres())
    machine.packages |= {"certbot"}
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    for line in section("In containers"):
        machine.do(line)
    for file in (f"tls/{NAME}.pem", f"tls/{NAME}.key", "acme", ".env"):
        assert (tmp_path / "deploy" / file).exists()
    for file in ("nginx.conf", "http.conf", "compose.yaml"):
        assert "example.org" not in machine.file(f"deploy/{file}")
    assert f"/etc/ssl/{NAME}.pem;" in machine.file("deploy/nginx.conf")
    assert re.fullmatch(r"POSTGRES_PASSWORD=\w{48}\n", machine.file("deploy/.env"))


def test_every_file_for_hosts_is_used_by_the_guide():
    assert [file.name for file in DEPLOY.iterdir() if f"deploy/{file.name}" not in TEXT] == []
