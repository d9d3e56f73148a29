"""Sign in by a real identity provider on loopback: become a member, link, unlink, merge, delete."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.oidc_schema import OIDC_SUBJECTS
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.identity_provider import IdentityProvider, identity_provider
from server.support.in_process import InProcessServer, in_process

WRONG = (403, "code.wrong")


@asynccontextmanager
async def site(tmp_path: Path, **settings: Any) -> AsyncIterator[tuple[InProcessServer, IdentityProvider]]:
    async with (
        identity_provider() as provider,
        in_process(tmp_path / "store.sqlite", oidc=provider.setting, **{**MANY_PROOFS, **settings}) as server,
    ):
        yield server, provider


async def goes(device: Device, provider: IdentityProvider, subject: str) -> dict[str, str]:
    """Sign in at the provider; return what the browser comes back with."""
    return provider.sign_in((await device.post("/api/oidc/start"))["url"], subject)


async def proves(device: Device, provider: IdentityProvider, subject: str, owner: str) -> dict[str, Any]:
    """Sign in at the provider; return the proof, for an account that belongs to this owner."""
    found = await device.post("/api/oidc/finish", await goes(device, provider, subject))
    assert found["owner"] == owner
    return {"proof": found["proof"]}


async def joins(device: Device, provider: IdentityProvider, subject: str, name: str) -> None:
    """Become a member by an account at the provider."""
    await device.post("/api/me")
    proof = await proves(device, provider, subject, "nobody")
    await device.post("/api/me/oidc/keep", {"name": name, **proof})


async def refused(device: Device, path: str, body: dict[str, Any]) -> tuple[int, str]:
    status, found = await device.call("POST", path, body)
    return status, found["code"]


async def test_somebody_new_becomes_a_member_and_signs_in_on_another_device(tmp_path: Path):
    async with site(tmp_path) as (server, provider):
        ann, phone = Device(server), Device(server)
        assert (await ann.get("/api/me"))["oidc"] == "Club account"
        await Device(server).member("Taken")
        await ann.post("/api/me")
        proof = await proves(ann, provider, "a|nn.1", "nobody")
        assert await refused(ann, "/api/oidc/sign-in", proof) == WRONG
        taken = await refused(ann, "/api/me/oidc/keep", {"name": "Taken", **proof})
        assert taken == (409, "person.taken")  # the proof is still good for another name
        kept = await ann.post("/api/me/oidc/keep", {"name": "Ann", **proof})
        assert (kept["me"]["name"], kept["me"]["role"], bool(kept["recovery"])) == ("Ann", "member", True)
        await phone.post("/api/me")
        table = await phone.table()  # as a guest
        proof = await proves(phone, provider, "a|nn.1", "other")
        assert (await phone.post("/api/oidc/sign-in", {**proof, "label": "phone"}))["me"]["name"] == "Ann"
        assert [each["table"] for each in (await ann.get("/api/me/games"))["games"]] == [table]
        assert await refused(Device(server), "/api/oidc/sign-in", proof) == WRONG  # it was used
        exported = json.loads((await asyncio.to_thread(ann.raw, "GET", "/api/me/export"))[1])
        (row,) = exported["oidc"]
        assert (row["issuer"], row["subject"]) == (provider.issuer, "a|nn.1")
        await ann.post("/api/me/delete", {"name": "Ann"})
        assert await server.registry.store.read(sa.select(OIDC_SUBJECTS)) == []


async def test_a_member_links_and_unlinks_and_two_members_become_one(tmp_path: Path):
    async with site(tmp_path) as (server, provider):
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        proof = await proves(ann, provider, "ann", "nobody")
        assert (await ann.post("/api/me/oidc", proof))["oidc"] is True
        assert (await ann.post("/api/me/oidc", await proves(ann, provider, "ann", "me")))["oidc"] is True
        await joins(bob, provider, "bob", "Bob")
        proof = await proves(bob, provider, "ann", "other")
        assert await refused(bob, "/api/me/oidc", proof) == (409, "oidc.taken")
        assert await refused(bob, "/api/oidc/sign-in", proof) == (409, "person.merge")
        assert (await bob.post("/api/oidc/sign-in", {**proof, "merge": True}))["me"]["name"] == "Ann"
        proof = await proves(Device(server), provider, "bob", "other")  # Bob's account came along
        assert (await Device(server).post("/api/oidc/sign-in", proof))["me"]["name"] == "Ann"
        assert (await ann.post("/api/me/oidc/remove"))["oidc"] is False
        proof = await proves(Device(server), provider, "ann", "nobody")
        assert await refused(Device(server), "/api/oidc/sign-in", proof) == WRONG


async def test_limits_hold_and_without_a_provider_there_is_nothing(tmp_path: Path):
    async with site(tmp_path, proof_burst=5.0) as (server, _):
        tried = [await refused(Device(server), "/api/oidc/finish", {"code": "x", "state": "x"}) for _ in range(6)]
        assert tried == [WRONG] * 5 + [(429, "wire.rate")]
    async with in_process(tmp_path / "store.sqlite", oidc="", **MANY_PROOFS) as server:
        assert await refused(Device(server), "/api/oidc/start", {}) == (404, "oidc.none")
