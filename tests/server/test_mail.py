"""E-mail through a real mail server: in plain text on this machine, and with TLS and a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from quadriga.engine.errors import FileError
from quadriga.server import mail
from quadriga.server.protocol.errors import RoomError
from quadriga.server.settings import Settings
from server.support.mailbox import mailbox


async def test_a_message_arrives_as_it_was_written():
    with mailbox() as box:
        await mail.send(Settings(mail=box.url), "ann@example.org", "Votre code – Quadriga", "Voilà : 123456\n")
        to, message = box.next()
    assert to == "ann@example.org"
    assert (message["From"], message["To"]) == ("games@example.org", "ann@example.org")
    assert message["Subject"] == "Votre code – Quadriga"
    assert message.get_content().splitlines() == ["Voilà : 123456"]
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@example.org>")


@pytest.mark.parametrize("tls", ["start", "starttls"])
async def test_a_password_is_sent_over_tls_to_a_server_that_proves_its_name(
    tls: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with mailbox(tls, tmp_path) as box:
        settings = Settings(mail=box.url)
        with pytest.raises(RoomError, match="could not be sent"):  # nobody vouches for its certificate
            await mail.send(settings, "ann@example.org", "x", "y")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        await mail.send(settings, "ann@example.org", "x", "y")
        to, message = box.next()
        assert (to, message["From"]) == ("ann@example.org", "Quadriga <games@example.org>")
        with pytest.raises(RoomError, match="could not be sent"):
            await mail.send(Settings(mail=box.url.replace("quadriga:", "other:")), "ann@example.org", "x", "y")
        assert box.is_empty


@pytest.mark.parametrize("text", ["root,x@b.org", "x<root>y@b.org", "root;x@b.org", "a:root,x@b.org", '"x@b.org'])
def test_an_address_that_a_header_reads_as_another_one_is_none(text: str):
    assert not mail.is_address(text)
    assert mail.is_address("o'neil+games.2@b-c.org")


async def test_faults_are_refused_with_a_reason(caplog: pytest.LogCaptureFixture):
    with mailbox() as box:
        with pytest.raises(RoomError, match="could not be sent"):
            await mail.send(Settings(mail=box.url), "refused@example.org", "x", "y")
        for address in ("ann", "ann@", "@b", "a b@c", "a@b\nBcc: x@y", "a@b,c@d", "ä@b.example", "a" * 255 + "@b"):
            with pytest.raises(RoomError, match="not an e-mail address"):
                await mail.send(Settings(mail=box.url), address, "x", "y")
        with pytest.raises(ValueError, match="linefeed"):
            await mail.send(Settings(mail=box.url), "a@b", "x\nBcc: y@z", "y")
        assert box.is_empty
    with pytest.raises(RoomError, match="could not be sent"):  # it has gone
        await mail.send(Settings(mail=box.url), "ann@example.org", "x", "y")
    assert "refused@" not in caplog.text
    with pytest.raises(RoomError, match="sends no e-mail"):
        await mail.send(Settings(mail=""), "ann@example.org", "x", "y")


@pytest.mark.parametrize(
    "text",
    [
        "mail.example.org",
        "https://mail.example.org?from=a@b",
        "smtps://mail.example.org",
        "smtps://?from=a@b",
        "smtps://mail.example.org?from=nobody",
        "smtps://mail.example.org?from=a@b&tls=none",
        "smtp://mail.example.org?from=a@b&tls=maybe",
        "smtp://mail.example.org:port?from=a@b",
        "smtp://mail.example.org?from=a@b&more=1",
    ],
)
def test_an_address_that_names_no_mail_server_is_refused(text: str):
    with pytest.raises(FileError, match="names no mail server"):
        mail.check(Settings(mail=text))


def test_a_password_is_not_shown_in_the_refusal():
    with pytest.raises(FileError) as refused:
        mail.check(Settings(mail="smtps://user:secret@mail.example.org"))
    assert "secret" not in str(refused.value)
    assert "mail.example.org" in str(refused.value)
