"""A real nginx in front of a server, with the configuration that `quadriga serve --public` prints."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trustme

import programs
from quadriga.server.public import configuration

AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{inside}
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """The port, host and certificate that a client of nginx needs."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.port = port
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.host = f"localhost:{port}"


def certificate(folder: Path) -> Path:
    """Write a certificate of localhost with its issuer, and its key; return the file of the certificate."""
    issuer = trustme.CA()
    own, file = issuer.issue_cert("localhost"), folder / "cert.pem"
    own.private_key_pem.write_to_path(folder / "key.pem")
    for part in (*own.cert_chain_pems, issuer.cert_pem):
        part.write_to_path(file, append=True)
    return file


@contextmanager
def nginx_before(server_port: int, folder: Path) -> Iterator[Proxy]:
    """Run nginx in front of a server while the block lasts."""
    nginx = str(programs.nginx())
    trusted = certificate(folder)
    _, (_, text) = configuration.files("nginx", "play.test", f"127.0.0.1:{server_port}")
    port = free_port()
    for old, new in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("server_name play.test;", "server_name localhost;"),
        ("    location = /metrics {\n        return 404;\n    }\n", ""),  # the server itself refuses them, too
        ("/etc/ssl/play.test.pem", str(trusted)),
        ("/etc/ssl/play.test.key", str(folder / "key.pem")),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, inside=text))
    command = [nginx, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with (folder / "nginx.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, (folder / "nginx.log").read_text()
        yield Proxy(port, trusted)
    finally:
        process.terminate()
        process.wait()
