"""Passkeys: an authenticator in software signs in, and every forged or repeated proof is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.seats.tokens import to_text
from server.people.test_identity import MANY_PROOFS
from server.support.authenticator import Authenticator
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

Answer = tuple[int, Any]


@asynccontextmanager
async def site(tmp_path: Path) -> AsyncIterator[tuple[InProcessServer, str]]:
    """Serve as `localhost`, where browsers make passkeys without TLS."""
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        yield server, f"localhost:{server.port}"


async def asked(device: Device) -> dict[str, Any]:
    found: dict[str, Any] = (await device.post("/api/passkeys/options"))["options"]
    return found


async def registers(device: Device, host: str) -> Authenticator:
    """Add a passkey to a member's account."""
    key = Authenticator(f"http://{host}")
    options = (await device.post("/api/me/passkeys/options"))["options"]
    shown = await device.post("/api/me/passkeys", {"credential": key.made(options), "label": "key"})
    assert [each["id"] for each in shown["passkeys"]] == [to_text(key.id)]
    return key


async def proves(device: Device, credential: dict[str, Any]) -> Answer:
    return await device.call("POST", "/api/passkeys", {"credential": credential})


async def test_a_passkey_signs_in_as_often_as_it_is_asked(tmp_path: Path):
    async with site(tmp_path) as (server, host):
        ann = Device(server, host=host)
        await ann.member("Ann")
        key = await registers(ann, host)
        for _ in range(2):
            phone = Device(server, host=host)
            status, found = await proves(phone, key.signed(await asked(phone)))
            assert (status, found["me"]["name"]) == (200, "Ann")
            assert phone.secret not in ("", ann.secret)


async def test_a_proof_counts_once_for_its_own_question_site_and_key(tmp_path: Path):
    async with site(tmp_path) as (server, host):
        ann, thief = Device(server, host=host), Device(server, host=host)
        await ann.member("Ann")
        key = await registers(ann, host)
        used = key.signed(await asked(ann))
        assert (await proves(Device(server, host=host), used))[0] == 200
        assert await proves(thief, used) == await proves(thief, key.signed({"challenge": to_text(bytes(64))}))
        for_another_purpose = (await ann.post("/api/me/passkeys/options"))["options"]
        foreign = Authenticator(f"http://{host}")
        foreign.id = key.id  # another key in the name of Ann's
        foreign.uses = 100
        wrong = {
            "replayed": used,
            "other purpose": key.signed(for_another_purpose),
            "origin": key.signed(await asked(thief), origin="https://evil.example"),
            "port": key.signed(await asked(thief), origin="http://localhost:1"),
            "scheme": key.signed(await asked(thief), origin=f"https://{host}"),
            "rp id": key.signed(await asked(thief), name="evil.example"),
            "type": key.signed(await asked(thief), type="webauthn.create"),
            "signature": foreign.signed(await asked(thief)),
            "unknown": Authenticator(f"http://{host}").signed(await asked(thief)),
            "nothing": {},
            "no JSON": {"id": to_text(key.id), "response": {"clientDataJSON": "!"}},
        }
        tampered = key.signed(await asked(thief))
        tampered["response"]["authenticatorData"] = used["response"]["authenticatorData"]
        for name, credential in {**wrong, "tampered": tampered}.items():
            status, refused = await proves(thief, credential)
            assert (status, refused["code"].partition(".")[0]) in [(403, "passkey"), (403, "code")], name
        assert thief.secret == ""
        key.uses = 0  # a copy of the authenticator, made before it was used
        status, refused = await proves(thief, key.signed(await asked(thief)))
        assert (status, refused["code"]) == (403, "passkey.wrong")
        key.uses = 100
        assert (await proves(thief, key.signed(await asked(thief))))[0] == 200  # the real one goes on


async def test_a_new_passkey_answers_the_question_of_its_own_person(tmp_path: Path):
    async with site(tmp_path) as (server, host):
        ann, bob = Device(server, host=host), Device(server, host=host)
        await ann.member("Ann")
        await bob.member("Bob")
        key = Authenticator(f"http://{host}")

        async def refused(device: Device, credential: dict[str, Any]) -> str:
            status, found = await device.call("POST", "/api/me/passkeys", {"credential": credential})
            assert status == 403
            return str(found["code"])

        async def options(device: Device) -> dict[str, Any]:
            found: dict[str, Any] = (await device.post("/api/me/passkeys/options"))["options"]
            return found

        assert (
            await refused(bob, key.made(await options(ann))) == "code.wrong"
        )  # it would sign Bob's key in as Ann's
        assert await refused(ann, key.made(await asked(ann))) == "code.wrong"  # the question of a sign-in
        assert await refused(ann, key.made(await options(ann), origin="https://evil.example")) == "passkey.wrong"
        assert await refused(ann, key.made(await options(ann), name="evil.example")) == "passkey.wrong"
        credential = key.made(await options(ann))
        await ann.post("/api/me/passkeys", {"credential": credential})
        assert await refused(ann, credential) == "code.wrong"
        again = await bob.call("POST", "/api/me/passkeys", {"credential": key.made(await options(bob))})
        assert (again[0], again[1]["code"]) == (409, "passkey.known")
        await ann.post(f"/api/me/passkeys/{to_text(key.id)}/remove")
        assert (await proves(bob, key.signed(await asked(bob))))[1]["code"] == "passkey.unknown"


@pytest.mark.parametrize("same_question", [True, False])
async def test_of_two_at_once_with_one_proof_or_one_count_one_signs_in(tmp_path: Path, same_question: bool):
    async with site(tmp_path) as (server, host):
        ann = Device(server, host=host)
        await ann.member("Ann")
        key = await registers(ann, host)
        devices = [Device(server, host=host) for _ in range(4)]
        options = [await asked(each) for each in devices]
        proofs = []
        for each in options:
            key.uses = 5  # copies of one authenticator count alike
            proofs.append(key.signed(options[0] if same_question else each))
        tried = await asyncio.gather(*(proves(each, proof) for each, proof in zip(devices, proofs, strict=True)))
        assert sorted(status for status, _ in tried) == [200] + [403] * 3
