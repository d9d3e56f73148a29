"""Attacks on signing in by an identity provider: other browsers, replays, forged tokens, providers that lie."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.oidc_schema import OIDC_SUBJECTS
from quadriga.server.storage.people_schema import ONE_TIME_CODES
from server.people.test_identity import change
from server.people.test_oidc import WRONG, goes, proves, refused, site
from server.support.devices import Device
from server.support.identity_provider import FOREIGN_KEY, IdentityProvider

FAILED = (403, "oidc.failed")


async def test_only_the_browser_that_has_begun_finishes_and_once(tmp_path: Path):
    async with site(tmp_path) as (server, provider):
        ann, thief = Device(server), Device(server)
        back = await goes(ann, provider, "ann")
        assert await refused(thief, "/api/oidc/finish", back) == WRONG
        await thief.post("/api/oidc/start")
        assert await refused(thief, "/api/oidc/finish", back) == WRONG
        for wrong in ({"state": "x"}, {"state": ""}, {"iss": "https://accounts.example.org"}):
            assert (await ann.call("POST", "/api/oidc/finish", {**back, **wrong}))[0] in (403, 422)
        cookies = list(ann.jar)
        await ann.post("/api/oidc/finish", back)
        assert not list(ann.jar)
        for cookie in cookies:  # a replay, with the cookie of then
            ann.jar.set_cookie(cookie)
        assert await refused(ann, "/api/oidc/finish", back) == WRONG
        # The provider's code of one attempt is no good for another: the verifier differs.
        stolen = await goes(ann, provider, "ann")
        own = await goes(thief, provider, "thief")
        assert await refused(thief, "/api/oidc/finish", {**own, "code": stolen["code"]}) == FAILED
        # An attempt ends after five minutes.
        late = await goes(ann, provider, "ann")
        await change(server, sa.update(ONE_TIME_CODES).values(expires=1))
        assert await refused(ann, "/api/oidc/finish", late) == WRONG


async def test_a_member_s_attempt_is_not_finished_as_somebody_else(tmp_path: Path):
    async with site(tmp_path) as (server, provider):
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        back = await goes(ann, provider, "ann")
        for cookie in bob.jar:  # the same browser, which has signed in as another member meanwhile
            ann.jar.set_cookie(cookie)
        assert await refused(ann, "/api/oidc/finish", back) == WRONG


def changing(**claims: Any) -> Callable[[IdentityProvider], None]:
    def change(provider: IdentityProvider) -> None:
        provider.change = lambda found: found.update(claims)

    return change


def lacking(name: str) -> Callable[[IdentityProvider], None]:
    def change(provider: IdentityProvider) -> None:
        provider.change = lambda found: found.__delitem__(name)

    return change


def setting(name: str, value: Any) -> Callable[[IdentityProvider], None]:
    return lambda provider: setattr(provider, name, value)


async def test_a_token_that_is_not_right_proves_nothing(tmp_path: Path):
    at = int(time.time())
    forgeries = [
        changing(nonce="x"),
        lacking("nonce"),
        changing(aud="somebody-else"),
        changing(aud=["quadriga", "somebody-else"]),  # without `azp`
        changing(aud=["quadriga"], azp="somebody-else"),
        changing(iss="https://accounts.example.org"),
        changing(exp=at - 3600, iat=at - 7200),
        lacking("exp"),
        changing(iat=at + 3600),
        changing(sub=""),
        changing(sub=7),
        changing(sub="x" * 256),
        setting("key", FOREIGN_KEY),  # under the same name
        setting("alg", "HS256"),
        setting("alg", "none"),
        setting("padding", 2**19),
    ]
    async with site(tmp_path) as (server, provider):
        for forge in forgeries:
            provider.reset()
            ann = Device(server)
            back = await goes(ann, provider, "ann")
            forge(provider)
            assert await refused(ann, "/api/oidc/finish", back) == FAILED
        provider.reset()
        await proves(Device(server), provider, "ann", "nobody")
        assert await server.registry.store.read(sa.select(OIDC_SUBJECTS)) == []


async def test_a_provider_that_says_something_else_is_not_used(tmp_path: Path):
    async with site(tmp_path) as (server, provider):
        for described in (
            {"issuer": "https://accounts.example.org"},
            {"token_endpoint": "http://accounts.example.org/token"},
            {"authorization_endpoint": "javascript:alert(1)"},
            {"jwks_uri": 7},
        ):
            provider.described = described
            assert await refused(Device(server), "/api/oidc/start", {}) == FAILED
