"""The setting of an identity provider."""

from __future__ import annotations

import sys

import pytest

from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.server.oidc import choice
from quadriga.server.oidc.choice import ProviderSettings, provider_settings
from quadriga.server.settings import Settings

RIGHT = "https://me%40club:s%3A%2Fx@accounts.example.org:8443/realms/club/?label=The%20club"


def test_a_setting_names_issuer_client_secret_and_label():
    found = ProviderSettings("https://accounts.example.org:8443/realms/club/", "me@club", "s:/x", "The club")
    assert provider_settings(RIGHT) == found
    assert provider_settings("http://c@localhost:81?label=x") == ("http://localhost:81", "c", "", "x")


@pytest.mark.parametrize(
    "text",
    [
        "accounts.example.org",
        "https://accounts.example.org?label=x",
        "https://c:s@accounts.example.org",
        "https://c:s@accounts.example.org?label=%20",
        "https://c:s@accounts.example.org?label=x&more=1",
        "https://c:s@accounts.example.org?label=x#y",
        "https://c:s@accounts.example.org:port?label=x",
        "http://c:s@accounts.example.org?label=x",
        "ftp://c:s@localhost?label=x",
        "https://c:s@?label=x",
    ],
)
def test_a_setting_that_names_no_provider_is_refused_without_its_secret(text: str):
    with pytest.raises(FileError, match="names no identity provider") as refused:
        choice.check(Settings(oidc=text))
    assert "c:s" not in str(refused.value)


def test_without_authlib_the_server_does_not_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.delitem(sys.modules, "quadriga.server.oidc.provider", raising=False)
    with pytest.raises(MissingExtraError, match=r"quadriga\[oidc\]"):
        choice.check(Settings(oidc=RIGHT))
    choice.check(Settings(oidc=""))
