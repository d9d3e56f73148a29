"""Web push: encryption and signatures, against the example of the RFC and a browser of the tests."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from quadriga.server.notices import push
from quadriga.server.notices.push import PushKey
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.tokens import to_bytes, to_text
from server.support.receivers import Got, PushBrowser, check_signature

# RFC 8291, appendix A.
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc_is_encrypted_as_it_says():
    key = ec.derive_private_key(int.from_bytes(to_bytes(SENDER), "big"), ec.SECP256R1())
    to = push.browser(to_bytes(BROWSER) + to_bytes(SECRET))
    sealed = push.encrypted(b"When I grow up, I want to be a watermelon", to, key, to_bytes(SALT))
    assert to_text(sealed) == SEALED


def test_only_the_browser_reads_a_push_and_its_sender_is_proved():
    browser, key = PushBrowser(), PushKey(ec.generate_private_key(ec.SECP256R1()))
    endpoint = "https://push.example:8443/send/abc"
    taken = browser.subscription(endpoint)
    sealed = push.encrypted(b'{"body": "x"}', push.browser(to_bytes(taken["p256dh"]) + to_bytes(taken["auth"])))
    got = Got("/", key.headers(endpoint, "https://games.example", push.topic(1, "a")), sealed)
    assert browser.read(got) == {"body": "x"}
    claims = check_signature(got, to_text(key.public), "https://push.example:8443")
    assert claims["sub"] == "https://games.example"
    assert len(got.headers["topic"]) == 32


def test_a_subject_that_push_services_refuse_is_left_out():
    key = PushKey(ec.generate_private_key(ec.SECP256R1()))
    got = Got("/", key.headers("https://push.example/x", "http://localhost:8000", "t"), b"")
    assert "sub" not in check_signature(got, to_text(key.public), "https://push.example")


@pytest.mark.parametrize("keys", [b"", b"\4" + bytes(80), to_bytes(BROWSER), to_bytes(BROWSER) + bytes(17)])
def test_keys_of_no_browser_are_refused(keys: bytes):
    with pytest.raises(RoomError, match=r"keys|pushes"):
        push.browser(keys)
