"""Notices by e-mail, and the codes that confirm an address."""

from __future__ import annotations

import secrets

from quadriga.server import mail
from quadriga.server.notices import texts
from quadriga.server.notices.texts import Notice
from quadriga.server.people.person import Person
from quadriga.server.people.proofs import Proofs
from quadriga.server.settings import Settings

_KIND = "notice-mail"  # of the one-time codes
_DIGITS = 6


async def send_code(settings: Settings, proofs: Proofs, person: Person, address: str, language: str) -> None:
    """Send a code to an address, which proves within five minutes that a person reads what is sent there."""
    code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
    say = texts.words(language)
    await proofs.add_once(_KIND, _secret(person, address, code), person.id)
    await mail.send(settings, address, say("notice.code.subject", code=code), say("notice.code.text", code=code))


async def check_code(proofs: Proofs, person: Person, address: str, code: str) -> None:
    """Use up the code that was sent to an address. Raises RoomError if it is another one."""
    typed = "".join(each for each in code if each.isdecimal())
    await proofs.use_once(_KIND, _secret(person, address, typed), person.id)


def _secret(person: Person, address: str, code: str) -> str:
    return f"{person.id} {address} {code}"


async def send(settings: Settings, address: str, notice: Notice, origin: str, token: str) -> None:
    """Send a notice with a link that stops all further ones. Raises RoomError if it is not taken."""
    say = texts.words(notice.language)
    stop = f"{origin}/stop?token={token}"
    headers = {
        "List-Unsubscribe": f"<{origin}/api/notices/stop?token={token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    text = say("notice.letter", text=notice.text, link=origin + notice.path, stop=stop)
    await mail.send(settings, address, notice.text, text, headers)
