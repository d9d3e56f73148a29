"""The configuration of the proxy before a public server, from the files in `deploy`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from quadriga.engine.errors import OptionError

PROXIES = ("nginx", "caddy")
_EXAMPLE = "play.example.org"
_UPSTREAM = "include /etc/quadriga/upstream.conf;"
_SERVERS = "127.0.0.1:8001 127.0.0.1:8002"  # in the Caddyfile
_NAME = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])")
_PACKAGED = Path(__file__).parent / "deploy"  # in a wheel: pyproject.toml copies the files there
_SOURCES = Path(__file__).parents[4] / "deploy"


class File(NamedTuple):
    """A file of a configuration: where it belongs, and its text."""

    path: str
    text: str


def checked_name(text: str) -> str:
    """Return the name of a public server in lower case. Raises OptionError for anything but a full domain name."""
    name = text.strip().lower().removesuffix(".")
    if not _NAME.fullmatch(name):
        raise OptionError("option.value", name="--public", value=text, allowed=_EXAMPLE)
    return name


def check_proxy(text: str) -> None:
    """Raise OptionError unless a text names a proxy, or is empty."""
    if text and text not in PROXIES:
        raise OptionError("option.value", name="--proxy", value=text, allowed=", ".join(PROXIES))


def files(proxy: str, name: str, address: str) -> list[File]:
    """Return the files of a proxy for one server, which listens at an address."""
    if proxy == "caddy":
        return [File("/etc/caddy/Caddyfile", _read("Caddyfile", name).replace(_SERVERS, address))]
    https = _read("nginx.conf", name).replace(_UPSTREAM, f"server {address} max_fails=0;")
    return [
        File("/etc/nginx/conf.d/quadriga-http.conf", _read("http.conf", name)),
        File("/etc/nginx/conf.d/quadriga.conf", https),
    ]


def _read(file: str, name: str) -> str:
    folder = _PACKAGED if _PACKAGED.is_dir() else _SOURCES
    return (folder / file).read_text("utf-8").replace(_EXAMPLE, name)
